package problems

import (
	"fmt"
	"slices"

	"tallynet/scenarios/problems/budget"
)

// FloorConfig describes the problem that proves that iterative differentiation (ITD)
// with few inner steps does not converge. For x, y in R², with Z = diag(1, 1/κ), κ = Condition
// and M = Weight,
//
//	f(x, y) = 1/2 x'Z x + M (y_1 + y_2)
//	g(x, y) = 1/2 y'Z y - x'y + y_1 + y_2
//
// on every node, starting from x = y = 0. In closed form
//
//	y*(x) = Z⁻¹ (x - 1),  ∇Φ(x) = Z x + M Z⁻¹ 1,  x* = -M Z⁻² 1
//
// and ITD with N steps of size α, which replaces Z⁻¹ by Z_N = α Σ_{t<N} (I - αZ)^t, ends
// at ||∇Φ||² = M² ||(I - αZ)^N Z⁻¹ 1||².
//
// Source: Ji, Liu, Liang, Ying, arXiv 2205.14224, the proof of Theorem 4, with L = 1 and
// μ = 1/κ.
type FloorConfig struct {
	Nodes     int
	Condition float64 // at least 1
	Weight    float64 // M > 0
	// Budget limits the needs of the problem; the zero value means the defaults.
	Budget budget.Limit
}

// Size implements Sized.
func (c FloorConfig) Size() Size {
	return newSize(c.Nodes, 2, 2, quadraticNeed(float64(c.Nodes), 2, 2))
}

// NewFloor builds the problem.
func NewFloor(c FloorConfig) (*Quadratic, error) {
	if err := fits(c, c.Budget, "floor"); err != nil {
		return nil, err
	}
	z := [][]float64{{1, 0}, {0, 1 / c.Condition}}
	node := QuadraticNode{
		H: z, A: z, P: [][]float64{{-1, 0}, {0, -1}},
		LinearG: []float64{1, 1}, LinearFy: []float64{c.Weight, c.Weight},
	}
	return NewQuadratic(QuadraticSpec{
		Name:  fmt.Sprintf("floor of ITD, condition %g", c.Condition),
		Nodes: slices.Repeat([]QuadraticNode{node}, c.Nodes),
	})
}
