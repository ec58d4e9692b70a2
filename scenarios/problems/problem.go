package problems

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms/share"
)

// What a node's share of a problem is. Every Local of this package implements BlockHVP and StructuredGyy too.
type (
	Local         = share.Local
	BlockHVP      = share.BlockHVP
	StructuredGyy = share.StructuredGyy
)

// Problem is a problem split over nodes.
type Problem interface {
	// Dims returns the lengths of x and y. A single-level problem has q = 0.
	Dims() (p, q int)
	// Nodes returns the number of nodes that hold data.
	Nodes() int
	// Local returns a new oracle of node i, 0 <= i < Nodes(), with its own scratch
	// space. It may be called concurrently.
	Local(i int) Local
	// Start returns node i's starting point, which the caller owns.
	Start(i int) (x0, y0 []float64)
	// About describes the problem in one line: data, sizes, samples per node.
	About() string
}

// Scorer is implemented by problems whose data have classes.
type Scorer interface {
	// Accuracy returns the share of samples that the model (x, y) classifies correctly,
	// over the training data of all nodes and over test data that no node holds.
	// test is NaN if there are no test samples. It may be called concurrently.
	Accuracy(x, y []float64) (train, test float64)
	// TrainAccuracy returns the share of node i's training samples that the model (x, y)
	// classifies correctly, and TestAccuracy that of the test samples. They may be called
	// concurrently.
	TrainAccuracy(i int, x, y []float64) float64
	TestAccuracy(x, y []float64) float64
	TestSet() TestSet
}

// TestSet is the size of the test set.
type TestSet struct {
	Samples int     // 0: there are none, and no test accuracy
	Work    float64 // multiplications that classifying all of them takes
}

// Fitted is implemented by problems whose model has a loss on training and test samples,
// besides f and g.
type Fitted interface {
	// TrainLoss returns the mean loss of the model (x, y), without a regularizer, over the
	// training samples of all nodes, wrong labels included, and TestLoss that over the test
	// samples, NaN if there are none. They may be called concurrently.
	TrainLoss(x, y []float64) float64
	TestLoss(x, y []float64) float64
}

// Solved is implemented by problems whose optimum is known in closed form.
type Solved interface {
	// Solution returns the minimizer x* of Φ for the shared inner problem and
	// y*(x*), which is empty for a single-level problem. It returns an error if Φ has no
	// unique minimizer.
	Solution() (x, y []float64, err error)
}

// Bounded is implemented by problems whose least value of Φ is known.
type Bounded interface {
	// Infimum returns the greatest lower bound of Φ for the shared inner problem.
	Infimum() float64
}

// Convex is implemented by single-level problems whose f is convex and bounded from below.
type Convex interface{ Convex() }

// InnerSolved is implemented by problems whose inner problem has several minimizers, so
// that no equation determines y*(x). All nodes have the same f and g.
type InnerSolved interface {
	// NearestInner sets dst (q) to the minimizer of g(x, ·) nearest to y.
	NearestInner(dst, x, y []float64)
	// Optimistic returns Φ(x) = min f(x, y) over the minimizers y of g(x, ·), and sets
	// grad (p) = ∇Φ(x).
	Optimistic(grad, x []float64) float64
}

// Unmeasurable is implemented by problems where y*(x) does not exist or cannot be
// found by setting the gradient of g to zero. Then Φ, its gradient and the distance
// to y*(x) are not measured.
type Unmeasurable interface {
	// WhyUnmeasurable returns the reason and, if there is a remedy, the remedy.
	WhyUnmeasurable() string
}

// Known is implemented by problems whose optimal points are known even where (x*, y*) is
// not unique: they may form a set, or be approached only as x goes to infinity.
type Known interface {
	// SolutionError returns the squared distance from (x, y), or from the part of it
	// that converges, to the set of optimal points.
	SolutionError(x, y []float64) float64
}

// Landmarked is implemented by problems with q = 2 that have points worth marking in a
// plot of y.
type Landmarked interface {
	Landmarks() []Landmark
}

// Landmark is a named point in the plane of y.
type Landmark struct {
	Name string
	Y    [2]float64
}

// MatrixLimited is implemented by problems so large that a Hessian or Jacobian may not
// fit in memory.
type MatrixLimited interface {
	// LargestMatrix returns the number of elements above which the oracle panics
	// instead of forming a matrix.
	LargestMatrix() int
}

// flopsElementary is the cost of an exponential, logarithm or division in FLOP.
const flopsElementary = 10

// mustLen panics unless v, called name, has n elements.
func mustLen(name string, v []float64, n int) {
	if len(v) != n {
		panic(fmt.Sprintf("problems: %s has length %d, want %d", name, len(v), n))
	}
}

// mustDims panics unless m, called name, is r x c.
func mustDims(name string, m mat.Matrix, r, c int) {
	if mr, mc := m.Dims(); mr != r || mc != c {
		panic(fmt.Sprintf("problems: %s is %d x %d, want %d x %d", name, mr, mc, r, c))
	}
}

func mustNode(i, nodes int) {
	if i < 0 || i >= nodes {
		panic(fmt.Sprintf("problems: node %d is out of range; the problem has %d nodes", i, nodes))
	}
}

// sameBits reports whether a and b are equal bit by bit: zeros of different sign
// differ, and a NaN equals itself.
func sameBits(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i, v := range a {
		if math.Float64bits(v) != math.Float64bits(b[i]) {
			return false
		}
	}
	return true
}

// fill returns n elements of value v.
func fill(n int, v float64) []float64 { return slices.Repeat([]float64{v}, n) }

// nodesText returns a number of nodes in words.
func nodesText(n int) string {
	if n == 1 {
		return "1 node"
	}
	return fmt.Sprintf("%d nodes", n)
}
