package measure

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"tallynet/metrics"
	"tallynet/scenarios/problems"
	"tallynet/scenarios/problems/data"
	"tallynet/sim"
)

// newEvaluator returns an evaluator of the named metrics, or of the default ones.
func newEvaluator(problem problems.Problem, personal bool, names []string) (*Evaluator, error) {
	if names == nil {
		names = Default(Of(problem, Metrics()), personal)
	}
	of, err := Select(problem, Metrics(), names)
	if err != nil {
		return nil, err
	}
	return NewEvaluator(problem, personal, of, nil), nil
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*(1+math.Abs(want))) {
		t.Errorf("%s: got %.15g, want %.15g", what, got, want)
	}
}

// snapshot returns random iterates around a random point.
func snapshot(seed uint64, nodes, p, q int) *metrics.Snapshot {
	r := sim.Stream(seed, "test")
	s := &metrics.Snapshot{}
	for range nodes {
		x, y := make([]float64, p), make([]float64, q)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		for i := range y {
			y[i] = r.NormFloat64()
		}
		s.X, s.Y = append(s.X, x), append(s.Y, y)
	}
	return s
}

func TestEvaluatorAgainstClosedForm(t *testing.T) {
	generated, err := problems.GenerateQuadratic(problems.QuadraticConfig{Nodes: 5, P: 4, Q: 6, Condition: 100,
		Heterogeneity: 0.7, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	for name, problem := range map[string]*problems.Quadratic{"instance V": problems.InstanceV(),
		"instance S": problems.InstanceS(), "generated": generated} {
		for _, personal := range []bool{false, true} {
			e, err := newEvaluator(problem, personal, Names(Of(problem, Metrics())))
			if err != nil {
				t.Fatal(err)
			}
			cf, err := problem.ClosedForm(personal)
			if err != nil {
				t.Fatal(err)
			}
			p, q := problem.Dims()
			for seed := range uint64(3) { // the second and third solve start warm
				s := snapshot(seed, problem.Nodes(), p, q)
				got := e.Evaluate(s)
				x := make([]float64, p)
				for _, r := range s.X {
					floats.AddScaled(x, 1/float64(len(s.X)), r)
				}
				grad := make([]float64, p)
				cf.Hypergradient(grad, x)
				inner := 0.0
				for i, y := range s.Y {
					d := floats.Distance(y, cf.Inner(i, x), 2)
					inner += d * d / float64(len(s.Y))
				}
				consensus := 0.0
				for _, r := range s.X {
					d := floats.Distance(r, x, 2)
					consensus += d * d / float64(len(s.X))
				}
				for i, m := range Names(e.metrics) {
					want, ok := map[string]float64{"objective": cf.Objective(x), "grad_norm2": floats.Dot(grad, grad),
						"inner_error":     inner,
						"consensus_error": consensus, "stationarity": floats.Dot(grad, grad) + consensus}[m]
					if ok {
						near(t, name+" "+m, got[i], want, 1e-9)
					}
				}
			}
		}
	}
}

// TestEvaluatorLosses: on instance S, f_i = 1/2 y² - i y + 1/2 x² and g_i = i/2 y² - x y
// for i = 1 ... 4. At the averages x = 1, y = 2 the means are 2 - 5 + 1/2 and
// 1/2 2.5 4 - 2, whether nodes share y or not.
func TestEvaluatorLosses(t *testing.T) {
	s := &metrics.Snapshot{X: [][]float64{{0}, {2}, {1}, {1}}, Y: [][]float64{{5}, {1}, {0}, {2}}}
	for _, personal := range []bool{false, true} {
		e, err := newEvaluator(problems.InstanceS(), personal, []string{"outer_loss", "inner_loss"})
		if err != nil {
			t.Fatal(err)
		}
		got := e.Evaluate(s)
		near(t, "outer_loss", got[0], -2.5, 1e-14)
		near(t, "inner_loss", got[1], 3, 1e-14)
	}
}

// TestEvaluatorAgainstDifferences compares the hypergradient of problems without a
// closed form with central differences of the objective.
func TestEvaluatorAgainstDifferences(t *testing.T) {
	n := problems.Samples{Train: 30, Val: 30}
	few := problems.Samples{Train: 4, Val: 30}
	syn := &problems.Synthetic{Dim: 5, Noise: 0.3, Heterogeneity: 0.5}
	for name, build := range map[string]func() (problems.Problem, error){
		"ridge": func() (problems.Problem, error) {
			return problems.NewTask(problems.TaskConfig{Kind: "hyper-ridge", Nodes: 3, Samples: n, Synthetic: syn, Seed: 1})
		},
		"logistic": func() (problems.Problem, error) {
			return problems.NewTask(problems.TaskConfig{Kind: "hyper-logistic", Nodes: 3, Samples: n, Synthetic: syn, Seed: 1})
		},
		"softmax": func() (problems.Problem, error) {
			return problems.NewTask(problems.TaskConfig{Kind: "hyper-softmax", Nodes: 3, Samples: n, Synthetic: syn, Seed: 1})
		},
		"l2": func() (problems.Problem, error) {
			return problems.NewTask(problems.TaskConfig{Kind: "hyper-softmax", Scalar: true, LabelNoise: 0.1, Nodes: 3,
				Samples:   n,
				Synthetic: syn, Seed: 1})
		},
		"svm": func() (problems.Problem, error) {
			return problems.NewTask(problems.TaskConfig{Kind: "hyper-svm", Smoothing: 1, Nodes: 3, Samples: n, Synthetic: syn,
				Seed: 1})
		},
		"cleaning": func() (problems.Problem, error) {
			return problems.NewTask(problems.TaskConfig{Kind: "hyper-cleaning", LabelNoise: 0.3, Ridge: 0.05, Nodes: 3,
				Samples:   few,
				Synthetic: syn, Seed: 1})
		},
		"fair": func() (problems.Problem, error) {
			return problems.NewTask(problems.TaskConfig{Kind: "fair-loss", Ridge: 0.1, Nodes: 3, Samples: n,
				Synthetic: syn, Seed: 1})
		},
		"mlp": func() (problems.Problem, error) {
			return problems.NewTask(problems.TaskConfig{Kind: "hyper-representation", Hidden: 3, Ridge: 0.1, Nodes: 3,
				Samples: n, Synthetic: syn, Seed: 1})
		},
		"linear": func() (problems.Problem, error) {
			return problems.NewTask(problems.TaskConfig{Kind: "hyper-representation-linear", Hidden: 3, Ridge: 0.5, Nodes: 3,
				Samples: n, Synthetic: syn, Seed: 1})
		},
		"coreset": func() (problems.Problem, error) {
			return problems.NewToy(problems.ToyConfig{Kind: "coreset", Variant: "code", Scale: 0.1, Nodes: 3})
		},
		"degenerate": func() (problems.Problem, error) {
			return problems.NewToy(problems.ToyConfig{Kind: "degenerate", Variant: "code", Nodes: 3})
		},
	} {
		problem, err := build()
		if err != nil {
			t.Fatal(err)
		}
		tolerance := 1e-7
		switch name { // f is steeper, so that the inner tolerance over h is visible
		case "fair", "mlp":
			tolerance = 1e-6
		case "linear":
			tolerance = 1e-5
		}
		p, q := problem.Dims()
		for _, personal := range []bool{false, true} {
			e, err := newEvaluator(problem, personal, []string{"objective", "grad_norm2"})
			if err != nil {
				t.Fatal(err)
			}
			s := snapshot(7, 3, p, q)
			e.Evaluate(s)
			grad := append([]float64(nil), e.grad...)
			const h = 1e-5
			for i := range p {
				at := func(step float64) float64 {
					for _, x := range s.X {
						x[i] += step
					}
					v := e.Evaluate(s)[0]
					for _, x := range s.X {
						x[i] -= step
					}
					return v
				}
				near(t, name, grad[i], (at(h)-at(-h))/(2*h), tolerance)
			}
			if e.worst > innerTolerance {
				t.Errorf("%s: inner problem solved to %g only", name, e.worst)
			}
		}
	}
}

// TestEvaluatorForgets: earlier evaluations change nothing beyond the inner
// tolerance, and the disagreement of equal iterates is exactly 0.
func TestEvaluatorForgets(t *testing.T) {
	problem, err := problems.NewTask(problems.TaskConfig{Kind: "hyper-logistic", Nodes: 4,
		Samples:   problems.Samples{Train: 40, Val: 40},
		Synthetic: &problems.Synthetic{Dim: 8, Noise: 0.3}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	fresh, _ := newEvaluator(problem, false, nil)
	used, _ := newEvaluator(problem, false, nil)
	for seed := range uint64(10) {
		used.Evaluate(snapshot(seed, 4, 8, 8))
	}
	s := snapshot(99, 4, 8, 8)
	a, b := fresh.Evaluate(s), used.Evaluate(s)
	for i := range a {
		near(t, Names(fresh.metrics)[i], b[i], a[i], 1e-9)
	}
	for i := range s.X {
		s.X[i], s.Y[i] = s.X[0], s.Y[0]
	}
	for i, v := range fresh.Evaluate(s) {
		if n := Names(fresh.metrics)[i]; (n == "consensus_error" || n == "consensus_error_y") && v != 0 {
			t.Errorf("%s of equal iterates is %g", n, v)
		}
	}
}

func TestEvaluatorSingleLevel(t *testing.T) {
	problem, err := problems.NewTask(problems.TaskConfig{Kind: "least-squares", Nodes: 4,
		Samples:   problems.Samples{Train: 30},
		Synthetic: &problems.Synthetic{Dim: 5, Noise: 0.1, Heterogeneity: 0.5}, L2: 0.1, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	x, _, err := problem.(problems.Solved).Solution()
	if err != nil {
		t.Fatal(err)
	}
	e, err := newEvaluator(problem, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &metrics.Snapshot{X: [][]float64{x, x, x, x}, Y: [][]float64{nil, nil, nil, nil}}
	for i, v := range e.Evaluate(s) {
		if Names(e.metrics)[i] == "grad_norm2" && v > 1e-20 {
			t.Errorf("grad_norm2 at the solution is %g", v)
		}
	}
	if _, err := newEvaluator(problem, false, []string{"test_accuracy"}); err == nil {
		t.Error("a metric that the problem does not have is accepted")
	}
}

// TestEvaluatorOnKinks: a hinge with little smoothing and regularization has a
// Hessian that jumps many times on the way. The inner problem is still solved.
func TestEvaluatorOnKinks(t *testing.T) {
	mushrooms, err := new(data.Loader).Mushrooms()
	if err != nil {
		t.Fatal(err)
	}
	all := [][2]float64{{0.5, -8}, {0.05, -8}, {0.02, -8}, {0.1, -10}, {0.01, -8}, {0.01, -12}}
	if testing.Short() {
		all = all[:1]
	}
	for _, c := range all {
		problem, err := problems.NewTask(problems.TaskConfig{Kind: "hyper-svm", Smoothing: c[0], X0: c[1], Nodes: 4,
			Samples:  problems.Samples{Train: 100, Val: 100},
			Mushroom: &problems.Mushroom{Data: mushrooms}, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		e, err := newEvaluator(problem, false, []string{"objective"})
		if err != nil {
			t.Fatal(err)
		}
		x, y := problem.Start(0)
		s := &metrics.Snapshot{X: [][]float64{x, x, x, x}, Y: [][]float64{y, y, y, y}}
		for range 3 {
			e.Evaluate(s)
			for i := range x {
				x[i] += 0.3 * float64(i%3)
			}
		}
		if e.worst > innerTolerance {
			t.Errorf("smoothing %v, x0 %v: solved to a gradient norm of %g only", c[0], c[1], e.worst)
		}
	}
}

// TestEvaluatorToys: if y*(x) is a line, distances are to the line and Φ is the best f on
// it. If y*(x) is empty or cannot be found, metrics that depend on it are not measured.
func TestEvaluatorToys(t *testing.T) {
	s := &metrics.Snapshot{X: [][]float64{{2}, {4}}, Y: [][]float64{{3, 9}, {5, -9}}}
	for variant, want := range map[string][]float64{
		"code":  {2, 4, 1, 82, 2, 4 + 9 + 1}, // average x = 3, y = (4, 0); Φ = 1/2 (3-1)²
		"paper": {0, 0, 1, 82, 2, 0.5 + 1},
	} {
		problem, err := problems.NewToy(problems.ToyConfig{Kind: "degenerate", Variant: variant, Nodes: 2})
		if err != nil {
			t.Fatal(err)
		}
		e, err := newEvaluator(problem, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := e.Evaluate(s)
		for i, w := range want { // objective, grad_norm2, consensus errors, inner_error, solution_error
			near(t, variant+" "+Names(e.metrics)[i], got[i], w, 1e-14)
		}
	}
	minimax, err := problems.NewToy(problems.ToyConfig{Kind: "minimax", Nodes: 2})
	if err != nil {
		t.Fatal(err)
	}
	kinked, err := problems.NewTask(problems.TaskConfig{Kind: "hyper-svm", Nodes: 2, Samples: problems.Samples{Train: 3,
		Val: 3}, Synthetic: &problems.Synthetic{Dim: 2}})
	if err != nil {
		t.Fatal(err)
	}
	for want, problem := range map[string]problems.Problem{
		"consensus_error consensus_error_y solution_error": minimax,
		"consensus_error consensus_error_y train_accuracy test_accuracy own_train_accuracy worst_train_accuracy " +
			"own_test_accuracy worst_test_accuracy": kinked,
	} {
		e, err := newEvaluator(problem, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(Names(e.metrics), " "); got != want {
			t.Errorf("metrics %q, want %q", got, want)
		}
		p, q := problem.Dims()
		e.Evaluate(snapshot(1, 2, p, q))
		why := problem.(problems.Unmeasurable).WhyUnmeasurable()
		if _, err := newEvaluator(problem, false, []string{"grad_norm2"}); err == nil ||
			err.Error() != "this problem does not have the metric grad_norm2: "+why {
			t.Errorf("error %v", err)
		}
	}
}
