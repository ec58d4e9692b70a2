package measure

import (
	"testing"

	"gonum.org/v1/gonum/floats"

	"tallynet/scenarios/problems"
)

// counted counts the gradients of g.
type counted struct {
	problems.Local
	gradients *int
}

func (c counted) GradGy(dst, x, y []float64) {
	*c.gradients++
	c.Local.GradGy(dst, x, y)
}

// TestSolvesGoOnFromTheLast: the first solve starts at the guess, and each later one where the one before ended,
// so that one at the same x has nothing left to do.
func TestSolvesGoOnFromTheLast(t *testing.T) {
	problem, err := problems.GenerateQuadratic(problems.QuadraticConfig{Nodes: 1, P: 3, Q: 5, Condition: 10, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	x, y := problem.Start(0)
	solution := make([]float64, len(y))
	for _, guess := range [][]float64{y, solution} { // from the start, and from what that finds
		var gradients int
		locals := []problems.Local{counted{problem.Local(0), &gradients}}
		s := newInnerSolver(locals, len(x), len(y), newTeam(nil, locals))
		s.solve(x, guess)
		first := gradients
		s.solve(x, y)
		if again := gradients - first; again != 1 || (first == 1) != (&guess[0] == &solution[0]) {
			t.Errorf("%d gradients for the first solve, %d for the same again", first, again)
		}
		locals[0].GradGy(s.d, x, s.y)
		if got := floats.Norm(s.d, 2); got != s.residual || got > innerTolerance {
			t.Errorf("the gradient has norm %g, and the solver says %g", got, s.residual)
		}
		copy(solution, s.y)
	}
}
