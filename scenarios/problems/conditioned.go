package problems

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"tallynet/metrics"
	"tallynet/scenarios/problems/budget"
	"tallynet/sim"
)

// ConditionedConfig describes a problem whose outer objective becomes worse as κ, the
// condition number of the inner problem, grows. x and y have Dim elements. With
//
//	D = diag(h_j), h_j = κ^(-j/(Dim-1)), j = 0 ... Dim-1 (1 if Dim = 1)
//
// orthogonal matrices U with columns u_j and V, numbers t_j of either sign with |t_j| between
// a half and one and a half times Distance, all from the seed, and the scalar function φ that
// Shape names,
//
//	g(x, y) = 1/2 y'U D U'y - x'V U'y
//	f(x, y) = Curvature/2 ||x||² + Σ_j φ(u_j'y - t_j)
//
// Then L = 1 and μ = 1/κ are the extreme eigenvalues of ∇²_yy g, and since the inner
// problem separates in the coordinates U'y and V'x,
//
//	U'y*(x) = D⁻¹ V'x,  Φ(x) = Curvature/2 ||x||² + Σ_j φ((V'x)_j / h_j - t_j)
//	∇Φ(x) = Curvature x + V D⁻¹ φ'(D⁻¹V'x - t),  L_Φ = Curvature + κ² max φ''
//
// L_Φ is reached where φ” of the coordinate Dim-1 is, so that it really grows like κ², which
// is the most that it can where g is quadratic. The shapes:
//
//	strongly-convex  φ(s) = s²/2, so that Φ has curvatures Curvature + 1/h_j², at least 1
//	convex           φ(s) = |s|^m/m up to |s| = 1 and its second-order expansion beyond, with
//	                 m = Power: smooth and convex, with φ'' = 0 at its minimum; max φ'' = m - 1
//	nonconvex        φ(s) = s²/(1 + s²): φ'' = 2 at its minimum, -1/2 at |s| = 1; max φ'' = 2
//
// φ(0) = 0 is the least value of φ. So Φ* = 0, at V'x = D t, where Curvature is 0. Only
// strongly-convex has a Curvature, and then
//
//	(V'x*)_j = t_j h_j / (1 + Curvature h_j²),  Φ* = 1/2 Σ_j Curvature t_j² h_j² / (1 + Curvature h_j²).
//
// Nodes differ by what has the mean 0 over them: with the heterogeneity r, node i has
// D (I + r E_i) for D, V (I + r F_i) U' for V U', and in addition r (s_i'y) in g_i and
// r (e_i'x + c_i'y) in f_i. E_i and F_i are diagonal with elements within (-1, 1); all are
// drawn and then have their mean over the nodes subtracted. So the shared problem is the
// same for any number of nodes, and that of one node: the centralized problem.
type ConditionedConfig struct {
	Nodes         int
	Dim           int
	Condition     float64 // κ >= 1
	Shape         string  // strongly-convex, convex or nonconvex
	Power         float64 // m > 2, of convex
	Curvature     float64 // >= 0, of strongly-convex
	Distance      float64 // the mean |t_j|, > 0
	Heterogeneity float64 // r in [0, 1)
	Seed          uint64
	// Budget limits the needs of the problem; the zero value means the defaults.
	Budget budget.Limit
}

// Size implements Sized.
func (c ConditionedConfig) Size() Size {
	n, d := float64(c.Nodes)+1, float64(c.Dim)
	need := quadraticNeed(n, d, d).Plus(budget.Float64s(9*d*d + 6*n*d))
	need.Flops = n * (6*d*d*d + drawing*d*d)
	return newSize(c.Nodes, d, d, need)
}

// Conditioned is the problem that a ConditionedConfig describes.
type Conditioned struct {
	frame
	config ConditionedConfig
	shape  scalarShape
	h, t   []float64 // the eigenvalues of D, and what U'y is to be (Dim)
	u, v   blas64.General
	data   []quadraticNode // of each node, without φ
}

// NewConditioned builds the problem.
func NewConditioned(c ConditionedConfig) (*Conditioned, error) {
	if err := fits(c, c.Budget, "conditioned"); err != nil {
		return nil, err
	}
	rng := sim.Stream(c.Seed, "data")
	zero := make([]float64, c.Dim)
	p := &Conditioned{frame: frame{c.Dim, c.Dim, c.Nodes, zero, zero}, config: c, shape: newScalarShape(c.Shape, c.Power),
		u: orthogonal(c.Dim, rng), v: orthogonal(c.Dim, rng)}
	for j := range c.Dim {
		h := 1.0
		if c.Dim > 1 {
			h = math.Pow(c.Condition, -float64(j)/float64(c.Dim-1))
		}
		p.h, p.t = append(p.h, h), append(p.t, math.Copysign(c.Distance*(.5+rng.Float64()), rng.Float64()-.5))
	}
	for _, d := range drawDeviations(c) {
		p.data = append(p.data, p.node(d))
	}
	return p, nil
}

// deviation is the difference of a node from the mean: Dim elements each of E, F, s, e and c.
type deviation [5][]float64

// drawDeviations draws those of all nodes, with the mean 0, times the heterogeneity. Each
// node's own draw depends on the seed and its number only.
func drawDeviations(c ConditionedConfig) []deviation {
	all := make([]deviation, c.Nodes)
	for i := range all {
		rng := sim.Stream(c.Seed, "data", i)
		for part := range all[i] {
			v := make([]float64, c.Dim)
			for j := range v {
				if part < 2 {
					v[j] = c.Heterogeneity * (rng.Float64() - .5)
				} else {
					v[j] = c.Heterogeneity * rng.NormFloat64()
				}
			}
			all[i][part] = v
		}
	}
	for part := range len(deviation{}) {
		for j := range c.Dim {
			mean := 0.0
			for i := range all {
				mean += all[i][part][j] / float64(len(all))
			}
			for i := range all {
				all[i][part][j] -= mean
			}
		}
	}
	return all
}

// node is the data of a node: what is quadratic or linear in its f and g.
func (p *Conditioned) node(d deviation) quadraticNode {
	n := len(p.h)
	inner, coupling := make([]float64, n), make([]float64, n)
	for j, h := range p.h {
		inner[j], coupling[j] = h*(1+d[0][j]), -(1 + d[1][j])
	}
	out := quadraticNode{h: sandwich(p.u, inner, p.u), pm: sandwich(p.v, coupling, p.u), am: newGeneral(n, n),
		bm: newGeneral(n, n), cm: newGeneral(n, n), qv: d[2], av: d[3], cv: d[4]}
	mirror(out.h)
	for j := range n {
		out.am.Data[j*n+j] = p.config.Curvature
	}
	return out
}

// About implements Problem.
func (p *Conditioned) About() string {
	return fmt.Sprintf("%s, condition %g, L_Φ = %.4g: %s, p = q = %d", p.config.Shape, p.config.Condition,
		p.Smoothness(), nodesText(p.nodes), p.config.Dim)
}

// Local implements Problem.
func (p *Conditioned) Local(i int) Local {
	mustNode(i, p.nodes)
	f := &conditionedFormulas{quadraticFormulas: newQuadraticFormulas(&p.data[i]), problem: p,
		s: make([]float64, p.config.Dim)}
	return &oracle{formulas: f, p: p.config.Dim, q: p.config.Dim}
}

// Smoothness returns L_Φ, the Lipschitz constant of ∇Φ.
func (p *Conditioned) Smoothness() float64 {
	return p.config.Curvature + p.config.Condition*p.config.Condition*p.shape.largest
}

// Infimum implements Bounded.
func (p *Conditioned) Infimum() float64 {
	sum := 0.0
	for j, h := range p.h {
		a := p.config.Curvature * h * h
		sum += a * p.t[j] * p.t[j] / (1 + a) / 2
	}
	return sum
}

// Solution implements Solved.
func (p *Conditioned) Solution() (x, y []float64, err error) {
	n := p.config.Dim
	x, y = make([]float64, n), make([]float64, n)
	turned, inner := make([]float64, n), make([]float64, n) // V'x*, U'y*
	for j, h := range p.h {
		inner[j] = p.t[j] / (1 + p.config.Curvature*h*h)
		turned[j] = h * inner[j]
	}
	gemv(x, 1, p.v, turned, 0)
	gemv(y, 1, p.u, inner, 0)
	return x, y, nil
}

// Value returns Φ(x) of the shared problem and sets grad (Dim) = ∇Φ(x).
func (p *Conditioned) Value(grad, x []float64) float64 {
	mustLen("grad", grad, p.config.Dim)
	mustLen("x", x, p.config.Dim)
	turned, slope := make([]float64, len(x)), make([]float64, len(x))
	gemvT(turned, 1, p.v, x, 0)
	value := p.config.Curvature * dot(x, x) / 2
	for j, h := range p.h {
		s := turned[j]/h - p.t[j]
		value += p.shape.value(s)
		slope[j] = p.shape.slope(s) / h
	}
	copy(grad, x)
	gemv(grad, 1, p.v, slope, p.config.Curvature)
	return value
}

// conditionedFormulas add Σ_j φ(u_j'y - t_j) to a quadratic f.
type conditionedFormulas struct {
	*quadraticFormulas
	problem *Conditioned
	s       []float64 // U'y - t
}

func (l *conditionedFormulas) at(y []float64) {
	copy(l.s, l.problem.t)
	gemvT(l.s, 1, l.problem.u, y, -1)
}

func (l *conditionedFormulas) f(x, y []float64) float64 {
	l.at(y)
	sum := l.quadraticFormulas.f(x, y)
	for _, s := range l.s {
		sum += l.problem.shape.value(s)
	}
	return sum
}

func (l *conditionedFormulas) fy(dst, x, y []float64) {
	l.at(y)
	for j, s := range l.s {
		l.s[j] = l.problem.shape.slope(s)
	}
	l.quadraticFormulas.fy(dst, x, y)
	gemv(dst, 1, l.problem.u, l.s, 1)
}

// flops adds two products with U and Dim values of φ to those of a quadratic.
func (l *conditionedFormulas) flops(n sizes) costs {
	c := l.quadraticFormulas.flops(n)
	more := 4*n.q*n.q + 2*flopsElementary*n.q
	c[metrics.CallValue] += more
	c[metrics.CallGradF] += more
	return c
}

// scalarShape is φ of ConditionedConfig, with φ' and the largest φ”.
type scalarShape struct {
	value, slope func(s float64) float64
	largest      float64
}

// ConditionedShapes are the names of the shapes.
func ConditionedShapes() []string { return []string{"strongly-convex", "convex", "nonconvex"} }

func newScalarShape(name string, power float64) scalarShape {
	switch name {
	case "strongly-convex":
		return scalarShape{func(s float64) float64 { return s * s / 2 }, func(s float64) float64 { return s }, 1}
	case "nonconvex":
		return scalarShape{
			func(s float64) float64 { return s * s / (1 + s*s) },
			func(s float64) float64 { return 2 * s / ((1 + s*s) * (1 + s*s)) }, 2}
	}
	return flatShape(power)
}

// flatShape is |s|^m/m up to |s| = 1, and 1/m + r + (m-1) r²/2 beyond, with r = |s| - 1.
func flatShape(m float64) scalarShape {
	return scalarShape{
		func(s float64) float64 {
			if a := math.Abs(s); a > 1 {
				r := a - 1
				return 1/m + r + (m-1)*r*r/2
			}
			return math.Pow(math.Abs(s), m) / m
		},
		func(s float64) float64 {
			if a := math.Abs(s); a > 1 {
				return math.Copysign(1+(m-1)*(a-1), s)
			}
			return math.Copysign(math.Pow(math.Abs(s), m-1), s)
		}, m - 1}
}
