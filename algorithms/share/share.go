// Package share is what problems and algorithms know of each other.
package share

import (
	"gonum.org/v1/gonum/mat"

	"tallynet/metrics"
)

// Local is one node's share of a bilevel problem,
//
//	min_x f(x, y*(x)),  y*(x) = argmin_y g(x, y),  x in R^p, y in R^q,
//
// as plain mathematics: nothing is counted and no time passes. Problems implement
// it; algorithms never see it, they are given an algorithms.Oracle.
//
// f and g are means over the node's validation and training samples. Destinations
// come first, have the right length, are overwritten and never alias an input.
// Inputs are never changed. An implementation may keep scratch space, so one
// value must not be used from two goroutines.
type Local interface {
	Dims() (p, q int)
	F(x, y []float64) float64
	G(x, y []float64) float64
	GradFx(dst, x, y []float64) // dst (p) = ∇_x f
	GradFy(dst, x, y []float64) // dst (q) = ∇_y f
	GradGx(dst, x, y []float64) // dst (p) = ∇_x g
	GradGy(dst, x, y []float64) // dst (q) = ∇_y g

	HessGyyMul(dst, x, y, v []float64)         // dst (q) = (∇²_yy g) v, v (q)
	JacGxyMul(dst, x, y, v []float64)          // dst (p) = (∇²_xy g) v, v (q)
	HessGyy(dst *mat.SymDense, x, y []float64) // dst (q x q) = ∇²_yy g
	JacGxy(dst *mat.Dense, x, y []float64)     // dst (p x q) = ∇²_xy g

	// Samples returns the number of validation samples (behind f) and of
	// training samples (behind g). A problem without samples returns 0, 0.
	Samples() (val, train int)
	// SetBatch makes every later call use only these samples, until the next
	// SetBatch; nil means all of them. The slices are read, not kept changed, and
	// must stay unchanged while in use. A problem without samples ignores it.
	SetBatch(val, train []int)
	// Flops returns the floating-point operations of one call of the given kind
	// that touches the given number of samples. CallSolve is a dense q x q solve.
	Flops(c metrics.Call, samples int) float64
}

// StructuredGyy is implemented by a Local whose Hessian is a diagonal plus a matrix of low
// rank, so that solving with it needs no dense factorization.
type StructuredGyy interface {
	// FactorGyy returns a function that sets dst (q) = A⁻¹ b, A = scale ∇²_yy g + shift I at
	// (x, y), valid until the next FactorGyy; dst does not alias b. It returns nil where a
	// dense factorization is not slower, or where A is not safely positive definite.
	FactorGyy(x, y []float64, scale, shift float64) (solve func(dst, b []float64))
}

// BlockHVP is implemented by a Local that multiplies its Hessian with many vectors
// at once faster than one by one.
type BlockHVP interface {
	// HessGyyMulMat sets dst (q x m) = (∇²_yy g) v, v (q x m). dst does not alias v.
	HessGyyMulMat(dst *mat.Dense, x, y []float64, v *mat.Dense)
}
