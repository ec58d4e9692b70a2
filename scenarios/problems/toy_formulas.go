package problems

import (
	"errors"
	"math"

	"tallynet/metrics"
)

type coreset struct {
	toy
	scale  float64
	target [2]float64 // what y should be close to
	points [4][2]float64
	best   [2]float64 // the point of their convex hull nearest to the target
}

func newCoreset(t toy, scale float64, variant string) coreset {
	c := coreset{t, scale, [2]float64{3, -2}, [4][2]float64{{1, 3}, {3, 1}, {-2, 2}, {-3, 2}}, [2]float64{3, 1}}
	if variant == "code" {
		c.points[3] = [2]float64{-3, -2}
		c.best = [2]float64{1.8, 0.4}
	}
	return c
}

// SolutionError implements Known: that of y.
func (c coreset) SolutionError(x, y []float64) float64 {
	mustLen("y", y, c.q)
	return square(y[0]-c.best[0]) + square(y[1]-c.best[1])
}

// Landmarks implements Landmarked: the points a_j, the target, and the optimum unless it
// is one of the a_j.
func (c coreset) Landmarks() []Landmark {
	marks := []Landmark{{"target", c.target}, {"optimum", c.best}}
	for j, a := range c.points {
		name := "a" + string([]rune("₁₂₃₄")[j])
		if a == c.best {
			marks[1].Name = name + " = optimum"
			continue
		}
		marks = append(marks, Landmark{name, a})
	}
	return marks
}

func square(v float64) float64 { return v * v }

func (c coreset) Local(i int) Local {
	return c.local(i, &coresetFunctions{coreset: c}, costs{
		metrics.CallValue: coresetPoint + 5, metrics.CallGradF: 4, metrics.CallGradG: coresetPoint + 4 + 4*7,
		metrics.CallHVP: 2, metrics.CallJVP: coresetPoint + 4*7,
	})
}

// coresetPoint is the cost of a softmax of four numbers and the mean of four points.
const coresetPoint = 3 + 8*flopsElementary + 16

type coresetFunctions struct {
	coreset
	sigma  [4]float64
	centre [2]float64 // Σ σ_j a_j
}

// at sets sigma, the probabilities of four logits, and centre.
func (c *coresetFunctions) at(x []float64) {
	largest, total := max(x[0], x[1], x[2], x[3]), 0.0
	for j, v := range x {
		c.sigma[j] = math.Exp(v - largest)
		total += c.sigma[j]
	}
	c.centre = [2]float64{}
	for j := range c.sigma {
		c.sigma[j] /= total
		c.centre[0] += c.sigma[j] * c.points[j][0]
		c.centre[1] += c.sigma[j] * c.points[j][1]
	}
}

func (c *coresetFunctions) f(x, y []float64) float64 {
	return c.scale * (square(y[0]-c.target[0]) + square(y[1]-c.target[1]))
}

func (c *coresetFunctions) g(x, y []float64) float64 {
	c.at(x)
	return square(y[0]-c.centre[0]) + square(y[1]-c.centre[1])
}

func (c *coresetFunctions) fx(dst, x, y []float64) { clear(dst) }

func (c *coresetFunctions) fy(dst, x, y []float64) {
	for b := range dst {
		dst[b] = 2 * c.scale * (y[b] - c.target[b])
	}
}

// gx uses ∂centre/∂x_j = σ_j (a_j - centre).
func (c *coresetFunctions) gx(dst, x, y []float64) {
	c.at(x)
	c.along(dst, y[0]-c.centre[0], y[1]-c.centre[1])
}

// along sets dst_j = -2 σ_j ⟨(u, v), a_j - centre⟩.
func (c *coresetFunctions) along(dst []float64, u, v float64) {
	for j, s := range c.sigma {
		dst[j] = -2 * s * (u*(c.points[j][0]-c.centre[0]) + v*(c.points[j][1]-c.centre[1]))
	}
}

func (c *coresetFunctions) gy(dst, x, y []float64) {
	c.at(x)
	for b := range dst {
		dst[b] = 2 * (y[b] - c.centre[b])
	}
}

func (c *coresetFunctions) hessMul(dst, x, y, v []float64) { dst[0], dst[1] = 2*v[0], 2*v[1] }

func (c *coresetFunctions) jacMul(dst, x, y, v []float64) {
	c.at(x)
	c.along(dst, v[0], v[1])
}

type minimax struct{ toy }

// WhyUnmeasurable implements Unmeasurable.
func (minimax) WhyUnmeasurable() string {
	return "g = -xy is linear in y and has no minimizer; solution_error is the squared distance to 0"
}

// SolutionError implements Known: x² + y².
func (m minimax) SolutionError(x, y []float64) float64 {
	mustLen("x", x, 1)
	mustLen("y", y, 1)
	return square(x[0]) + square(y[0])
}

// Solution implements Solved.
func (minimax) Solution() (x, y []float64, err error) { return []float64{0}, []float64{0}, nil }

func (m minimax) Local(i int) Local {
	return m.local(i, minimaxFunctions{}, costs{metrics.CallValue: 2, metrics.CallGradG: 1, metrics.CallJVP: 1})
}

type minimaxFunctions struct{}

func (minimaxFunctions) f(x, y []float64) float64       { return x[0] * y[0] }
func (minimaxFunctions) g(x, y []float64) float64       { return -x[0] * y[0] }
func (minimaxFunctions) fx(dst, x, y []float64)         { dst[0] = y[0] }
func (minimaxFunctions) fy(dst, x, y []float64)         { dst[0] = x[0] }
func (minimaxFunctions) gx(dst, x, y []float64)         { dst[0] = -y[0] }
func (minimaxFunctions) gy(dst, x, y []float64)         { dst[0] = -x[0] }
func (minimaxFunctions) hessMul(dst, x, y, v []float64) { dst[0] = 0 }
func (minimaxFunctions) jacMul(dst, x, y, v []float64)  { dst[0] = -v[0] }

// degenerate is the common part of both variants: inner minimizers have y_1 = x, and g does not depend on y_2.
type degenerate struct{ toy }

// NearestInner implements InnerSolved.
func (degenerate) NearestInner(dst, x, y []float64) {
	mustLen("dst", dst, 2)
	dst[0], dst[1] = x[0], y[1]
}

// paperDegenerate: f = (y_1 - x)² + (y_2 - 1)², g = (y_1 - x)².
type paperDegenerate struct{ degenerate }

func (d paperDegenerate) Local(i int) Local {
	return d.local(i, paperFunctions{}, costs{
		metrics.CallValue: 5, metrics.CallGradF: 4, metrics.CallGradG: 2, metrics.CallHVP: 1, metrics.CallJVP: 1,
	})
}

// Optimistic implements InnerSolved: y = (x, 1) has f = 0 for every x.
func (paperDegenerate) Optimistic(grad, x []float64) float64 {
	mustLen("grad", grad, 1)
	grad[0] = 0
	return 0
}

// SolutionError implements Known: the distance to the line of all (t, (t, 1)).
func (paperDegenerate) SolutionError(x, y []float64) float64 {
	mustLen("x", x, 1)
	mustLen("y", y, 2)
	return square(x[0]-y[0])/2 + square(y[1]-1)
}

// Solution implements Solved. There is no unique solution.
func (paperDegenerate) Solution() (x, y []float64, err error) {
	return nil, nil, errors.New("problems: every x solves toy degenerate, variant paper; " +
		"choose variant code for a unique solution")
}

type paperFunctions struct{}

func (paperFunctions) f(x, y []float64) float64       { return square(y[0]-x[0]) + square(y[1]-1) }
func (paperFunctions) g(x, y []float64) float64       { return square(y[0] - x[0]) }
func (paperFunctions) fx(dst, x, y []float64)         { dst[0] = 2 * (x[0] - y[0]) }
func (paperFunctions) fy(dst, x, y []float64)         { dst[0], dst[1] = 2*(y[0]-x[0]), 2*(y[1]-1) }
func (paperFunctions) gx(dst, x, y []float64)         { dst[0] = 2 * (x[0] - y[0]) }
func (paperFunctions) gy(dst, x, y []float64)         { dst[0], dst[1] = 2*(y[0]-x[0]), 0 }
func (paperFunctions) hessMul(dst, x, y, v []float64) { dst[0], dst[1] = 2*v[0], 0 }
func (paperFunctions) jacMul(dst, x, y, v []float64)  { dst[0] = -2 * v[0] }

// codeDegenerate: f = 1/2 (x - y_2)² + 1/2 (y_1 - 1)², g = 1/2 y_1² - x y_1.
type codeDegenerate struct{ degenerate }

func (d codeDegenerate) Local(i int) Local {
	return d.local(i, codeFunctions{}, costs{metrics.CallValue: 7, metrics.CallGradF: 2, metrics.CallGradG: 1,
		metrics.CallJVP: 1})
}

// Optimistic implements InnerSolved: y = (x, x) is best, with f = 1/2 (x - 1)².
func (codeDegenerate) Optimistic(grad, x []float64) float64 {
	mustLen("grad", grad, 1)
	grad[0] = x[0] - 1
	return square(x[0]-1) / 2
}

// SolutionError implements Known.
func (codeDegenerate) SolutionError(x, y []float64) float64 {
	mustLen("x", x, 1)
	mustLen("y", y, 2)
	return square(x[0]-1) + square(y[0]-1) + square(y[1]-1)
}

// Landmarks implements Landmarked.
func (codeDegenerate) Landmarks() []Landmark { return []Landmark{{"optimum", [2]float64{1, 1}}} }

// Solution implements Solved.
func (codeDegenerate) Solution() (x, y []float64, err error) {
	return []float64{1}, []float64{1, 1}, nil
}

type codeFunctions struct{}

func (codeFunctions) f(x, y []float64) float64       { return square(x[0]-y[1])/2 + square(y[0]-1)/2 }
func (codeFunctions) g(x, y []float64) float64       { return y[0]*y[0]/2 - x[0]*y[0] }
func (codeFunctions) fx(dst, x, y []float64)         { dst[0] = x[0] - y[1] }
func (codeFunctions) fy(dst, x, y []float64)         { dst[0], dst[1] = y[0]-1, y[1]-x[0] }
func (codeFunctions) gx(dst, x, y []float64)         { dst[0] = -y[0] }
func (codeFunctions) gy(dst, x, y []float64)         { dst[0], dst[1] = y[0]-x[0], 0 }
func (codeFunctions) hessMul(dst, x, y, v []float64) { dst[0], dst[1] = v[0], 0 }
func (codeFunctions) jacMul(dst, x, y, v []float64)  { dst[0] = -v[0] }
