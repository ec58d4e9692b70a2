package measure

import (
	"testing"

	"tallynet/metrics"
	"tallynet/scenarios/problems"
)

// point returns a sample of one node.
func point(k int, x, y []float64) *metrics.Snapshot {
	s := snapshot(1, 1, len(x), len(y))
	s.Iteration, s.X, s.Y = k, [][]float64{x}, [][]float64{y}
	return s
}

// On the coreset toy g = ||y - c||² with c the mean of the four points at x = 0. So q = g,
// ∇_y g = 2 (y - c), and K follows by hand; the smallest K so far is kept.
func TestGapMetrics(t *testing.T) {
	problem, err := problems.NewToy(problems.ToyConfig{Kind: "coreset", Variant: "paper", Nodes: 1, Scale: 1})
	if err != nil {
		t.Fatal(err)
	}
	e, err := newEvaluator(problem, false, []string{"value_gap", "inner_grad_norm2", "kkt_loss", "best_kkt_loss"})
	if err != nil {
		t.Fatal(err)
	}
	x := []float64{0, 0, 0, 0}
	// At the inner solution c = (-1/4, 2), ∇q = 0 and K = ||∇f||² = 4 (3.25² + 4²).
	got := e.Evaluate(point(0, x, []float64{-.25, 2}))
	for i, want := range []float64{0, 0, 106.25, 106.25} {
		near(t, "at the inner solution, metric", got[i], want, 1e-9)
	}
	// y = c + (1, 0): ∇f = (0, 2 (-2.25, 4)), ∇q = (∇_x g(y) - ∇_x g(c), (2, 0)), with
	// ∂g/∂x_j = -2/4 (a_j - c)_1 = -(1.25, 3.25, -1.75, -2.75)/2.
	got = e.Evaluate(point(1, x, []float64{.75, 2}))
	along := -4.5 * 2.0
	norm2 := (1.25*1.25+3.25*3.25+1.75*1.75+2.75*2.75)/4 + 4
	loss := 4.5*4.5 + 64 - along*along/norm2 + 1
	for i, want := range []float64{1, 4, loss, min(loss, 106.25)} {
		near(t, "beside it, metric", got[i], want, 1e-9)
	}
	got = e.Evaluate(point(2, x, []float64{-.25, 2}))
	near(t, "the least so far", got[3], min(loss, 106.25), 1e-9)
}

// On the degenerate toy, whose inner solutions are a line, errors are measured to x = 1, y = (1, 1).
func TestSolutionMetrics(t *testing.T) {
	names := []string{"x_error", "y_error", "f_error", "g_error", "value_gap"}
	problem, err := problems.NewToy(problems.ToyConfig{Kind: "degenerate", Variant: "code", Nodes: 1})
	if err != nil {
		t.Fatal(err)
	}
	e, err := newEvaluator(problem, false, names)
	if err != nil {
		t.Fatal(err)
	}
	got := e.Evaluate(point(0, []float64{3}, []float64{2, 5}))
	// f = (3-5)²/2 + (2-1)²/2, g = 2²/2 - 6, g* = 1/2 - 1, q = (2-3)²/2.
	for i, want := range []float64{4, 1 + 16, 2.5, 3.5, .5} {
		near(t, names[i], got[i], want, 1e-12)
	}
	coreset, err := problems.NewToy(problems.ToyConfig{Kind: "coreset", Variant: "paper", Nodes: 1, Scale: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newEvaluator(coreset, false, []string{"x_error"}); err == nil {
		t.Error("the coreset toy, whose solution is at infinity, has an x_error")
	}
}
