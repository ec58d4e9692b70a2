package measure

import (
	"testing"

	"gonum.org/v1/gonum/floats"

	"tallynet/scenarios/problems"
)

// Means over iterations follow their definitions, compared with the closed form.
// Neighbouring samples stand for iterations that are not recorded.
func TestRunningMetrics(t *testing.T) {
	problem, err := problems.NewConditioned(problems.ConditionedConfig{Nodes: 3, Dim: 4, Condition: 6,
		Shape: "strongly-convex", Curvature: .4, Distance: 1, Heterogeneity: .5, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"running_grad_norm2", "suboptimality", "averaged_suboptimality", "grad_norm2"}
	for name, recorded := range map[string][]int{"every": {0, 1, 2, 3, 4, 5}, "some": {0, 2, 3, 7}} {
		e, err := newEvaluator(problem, false, names)
		if err != nil {
			t.Fatal(err)
		}
		var norms []float64
		var xs [][]float64
		grad := make([]float64, 4)
		for n, k := range recorded {
			s := snapshot(uint64(n), 3, 4, 4)
			s.Iteration = k
			x := make([]float64, 4)
			Average(x, s.X)
			value := problem.Value(grad, x)
			norms, xs = append(norms, floats.Dot(grad, grad)), append(xs, x)
			want := []float64{norms[0], value - problem.Infimum(), value - problem.Infimum(), norms[n]}
			if k > 0 {
				sum, at := 0.0, make([]float64, 4)
				for m := 1; m <= n; m++ {
					gap := float64(recorded[m] - recorded[m-1])
					sum += gap * norms[m-1]
					floats.AddScaled(at, gap/float64(k), xs[m])
				}
				want[0] = sum / float64(k)
				want[2] = problem.Value(grad, at) - problem.Infimum()
			}
			for i, got := range e.Evaluate(s) {
				near(t, name+" "+names[i], got, want[i], 1e-9)
			}
		}
	}
}

// TestSuboptimality compares the infimum with Φ where gradient descent ends. Other problems have no suboptimality.
func TestSuboptimality(t *testing.T) {
	task := func(c problems.TaskConfig) problems.Problem {
		c.Nodes, c.Samples, c.Seed = 3, problems.Samples{Train: 20, Val: 20}, 5
		c.Synthetic = &problems.Synthetic{Dim: 4, Noise: .1}
		p, err := problems.NewTask(c)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	quadratic := problems.InstanceV()
	for name, c := range map[string]struct {
		problem  problems.Problem
		personal bool
	}{
		"quadratic": {problem: quadratic}, "quadratic, personal": {quadratic, true},
		"logistic":      {problem: task(problems.TaskConfig{Kind: "logistic", L2: .1})},
		"least squares": {problem: task(problems.TaskConfig{Kind: "least-squares"})},
	} {
		e, err := newEvaluator(c.problem, c.personal, []string{"suboptimality", "grad_norm2"})
		if err != nil {
			t.Fatal(err)
		}
		p, q := c.problem.Dims()
		s := snapshot(1, c.problem.Nodes(), p, q)
		for range 20000 { // gradient descent, of all nodes together
			e.Evaluate(s)
			g := e.Hypergradient()
			for i := range s.X {
				floats.AddScaled(s.X[i], -.2, g)
			}
		}
		if v := e.Evaluate(s); !(v[0] >= -1e-12 && v[0] < 1e-9) || v[1] > 1e-12 {
			t.Errorf("%s: where the gradient has the norm %g, Φ is %g above its least value", name, v[1], v[0])
		}
	}
	ridge := task(problems.TaskConfig{Kind: "hyper-ridge"})
	if _, err := newEvaluator(ridge, false, []string{"suboptimality"}); err == nil {
		t.Error("hyper-ridge has a suboptimality")
	}
}
