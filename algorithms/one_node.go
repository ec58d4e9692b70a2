package algorithms

import "gonum.org/v1/gonum/floats"

// What the methods of one node share. They do not communicate: their network is one
// node, {kind: complete, nodes: 1}.

// oneNode is what a bilevel method without communication needs.
func oneNode() Requirements { return Requirements{Bilevel: true, OneNode: true} }

// implicitGradient is the hypergradient by implicit differentiation,
//
//	d = ∇_x f - J v,  v ~ H⁻¹ ∇_y f,
//
// of which f and J may be taken on different batches.
type implicitGradient struct {
	jv []float64 // scratch (p)
}

func newImplicitGradient(p int) *implicitGradient { return &implicitGradient{make([]float64, p)} }

// at sets d (p) at (x, y) for a given v (q): one gradient of f and one JVP.
func (i *implicitGradient) at(d []float64, f, g Oracle, x, y, v []float64) {
	f.GradFx(d, x, y)
	g.JacGxyMul(i.jv, x, y, v)
	floats.Sub(d, i.jv)
}

// neumannGradient is the hypergradient with v by a truncated Neumann series:
//
//	d = ∇_x f - J v,  v = eta times the sum of (I - eta H)^s ∇_y f over s = 0 ... products.
//
// It costs two gradients of f, products HVPs and one JVP.
type neumannGradient struct {
	eta      float64
	products int
	system   *linearSystem
	implicit *implicitGradient
	fy, v    []float64
}

func newNeumannGradient(p, q int, eta float64, products int) *neumannGradient {
	return &neumannGradient{eta, products, newLinearSystem(q), newImplicitGradient(p), make([]float64, q), make([]float64, q)}
}

// at sets d (p) at (x, y). f, hessian(j) of factor j, and jacobian are the oracle on
// the batches of its parts.
func (n *neumannGradient) at(d []float64, f Oracle, hessian func(j int) Oracle, jacobian Oracle, x, y []float64) {
	f.GradFy(n.fy, x, y)
	n.system.neumann(n.v, hessian, x, y, n.fy, n.eta, n.products+1)
	n.implicit.at(d, f, jacobian, x, y, n.v)
}

// innerDescent makes y-steps of stochastic gradient descent on g.
type innerDescent struct {
	alpha float64
	steps int
	batch int // 0: all samples
	gy    []float64
}

// run improves y (q): y <- y - alpha ∇_y g(x, y), each step with a batch of its own.
func (i *innerDescent) run(o Oracle, x, y []float64) {
	for range i.steps {
		o.On(o.Draw(i.batch, "inner")).GradGy(i.gy, x, y)
		descend(y, y, i.alpha, i.gy)
	}
}
