package scenarios

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"tallynet/metrics"
	"tallynet/scenarios/problems"
	"tallynet/sim"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*(1+math.Abs(want))) {
		t.Errorf("%s: got %.15g, want %.15g", what, got, want)
	}
}

// snapshot spreads random iterates around a random point.
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
	generated, err := problems.GenerateQuadratic(problems.QuadraticConfig{Nodes: 5, P: 4, Q: 6, Condition: 100, Heterogeneity: 0.7, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	for name, problem := range map[string]*problems.Quadratic{"instance V": problems.InstanceV(), "instance S": problems.InstanceS(), "generated": generated} {
		for _, personal := range []bool{false, true} {
			e, err := newEvaluator(problem, personal, nil)
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
				got := e.evaluate(s)
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
				for i, m := range e.names {
					want, ok := map[string]float64{"objective": cf.Objective(x), "grad_norm2": floats.Dot(grad, grad), "inner_error": inner, "consensus_error": consensus}[m]
					if ok {
						near(t, name+" "+m, got[i], want, 1e-9)
					}
				}
			}
		}
	}
}

// TestEvaluatorAgainstDifferences compares the hypergradient of a problem without a
// closed form with central differences of the objective.
func TestEvaluatorAgainstDifferences(t *testing.T) {
	for _, loss := range []string{"ridge", "logistic", "softmax"} {
		problem, err := problems.NewHyper(problems.HyperConfig{Loss: loss, Nodes: 3, Samples: problems.Samples{Train: 30, Val: 30},
			Synthetic: &problems.Synthetic{Dim: 5, Noise: 0.3, Heterogeneity: 0.5}, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		p, q := problem.Dims()
		for _, personal := range []bool{false, true} {
			e, err := newEvaluator(problem, personal, []string{"objective", "grad_norm2"})
			if err != nil {
				t.Fatal(err)
			}
			s := snapshot(7, 3, p, q)
			e.evaluate(s)
			grad := append([]float64(nil), e.grad...)
			const h = 1e-5
			for i := range p {
				at := func(step float64) float64 {
					for _, x := range s.X {
						x[i] += step
					}
					v := e.evaluate(s)[0]
					for _, x := range s.X {
						x[i] -= step
					}
					return v
				}
				near(t, loss, grad[i], (at(h)-at(-h))/(2*h), 1e-7)
			}
			if e.worst > innerTolerance {
				t.Errorf("%s: inner problem solved to %g only", loss, e.worst)
			}
		}
	}
}

// TestEvaluatorForgets: what was evaluated before changes nothing beyond the inner
// tolerance, and equal iterates disagree by exactly nothing.
func TestEvaluatorForgets(t *testing.T) {
	problem, err := problems.NewHyper(problems.HyperConfig{Loss: "logistic", Nodes: 4, Samples: problems.Samples{Train: 40, Val: 40},
		Synthetic: &problems.Synthetic{Dim: 8, Noise: 0.3}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	fresh, _ := newEvaluator(problem, false, nil)
	used, _ := newEvaluator(problem, false, nil)
	for seed := range uint64(10) {
		used.evaluate(snapshot(seed, 4, 8, 8))
	}
	s := snapshot(99, 4, 8, 8)
	a, b := fresh.evaluate(s), used.evaluate(s)
	for i := range a {
		near(t, fresh.names[i], b[i], a[i], 1e-9)
	}
	for i := range s.X {
		s.X[i], s.Y[i] = s.X[0], s.Y[0]
	}
	for i, v := range fresh.evaluate(s) {
		if n := fresh.names[i]; (n == "consensus_error" || n == "consensus_error_y") && v != 0 {
			t.Errorf("%s of equal iterates is %g", n, v)
		}
	}
}

func TestEvaluatorSingleLevel(t *testing.T) {
	problem, err := problems.NewSingle(problems.SingleConfig{Loss: "least-squares", Nodes: 4, Samples: 30,
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
	for i, v := range e.evaluate(s) {
		if e.names[i] == "grad_norm2" && v > 1e-20 {
			t.Errorf("grad_norm2 at the solution is %g", v)
		}
	}
	if _, err := newEvaluator(problem, false, []string{"test_accuracy"}); err == nil {
		t.Error("a metric that the problem does not have is accepted")
	}
}
