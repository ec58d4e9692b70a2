package algorithms

import (
	"gonum.org/v1/gonum/mat"

	"tallynet/metrics"
	"tallynet/node"
)

// oneNodeOrStar is what a bilevel method needs that runs on one node, or on a star
// with a server, where averaged stands for the data of all clients.
func oneNodeOrStar() Requirements {
	return Requirements{Bilevel: true, OneNode: true, Server: ServerAllowed}
}

// averaged is the oracle of a method of one node that runs on a star: the server and
// all clients run the one program, and each derivative is the mean over the clients. A
// client sends its own up, the server sends the mean down: a round of one vector. The
// nodes must start alike and make the same calls in the same order; so a method whose
// calls depend on values, which a lossy wire format changes, is no candidate.
type averaged struct {
	local Oracle // of a client; the server's holds no data
	p     *node.Proc
}

// pooled returns o on one node, and the averaged oracle on a star with a server.
func pooled(p *node.Proc, o Oracle) Oracle {
	if p.Role() == node.Peer {
		return o
	}
	return &averaged{o, p}
}

// mean sets dst to the mean of what the clients' own set it to.
func (a *averaged) mean(name string, dst []float64, own func()) {
	if a.p.Role() == node.Client {
		own()
	}
	a.p.Average(name, node.MixVec(name, dst, dst))
}

func (a *averaged) Dims() (p, q int)     { return a.local.Dims() }
func (a *averaged) Start(x, y []float64) { a.local.Start(x, y) }

func (a *averaged) GradFx(dst, x, y []float64) {
	a.mean("grad_fx", dst, func() { a.local.GradFx(dst, x, y) })
}

func (a *averaged) GradFy(dst, x, y []float64) {
	a.mean("grad_fy", dst, func() { a.local.GradFy(dst, x, y) })
}

func (a *averaged) GradGx(dst, x, y []float64) {
	a.mean("grad_gx", dst, func() { a.local.GradGx(dst, x, y) })
}

func (a *averaged) GradGy(dst, x, y []float64) {
	a.mean("grad_gy", dst, func() { a.local.GradGy(dst, x, y) })
}

func (a *averaged) HessGyyMul(dst, x, y, v []float64) {
	a.mean("hvp", dst, func() { a.local.HessGyyMul(dst, x, y, v) })
}

func (a *averaged) JacGxyMul(dst, x, y, v []float64) {
	a.mean("jvp", dst, func() { a.local.JacGxyMul(dst, x, y, v) })
}

// implicitGradient sends ∇_x f - J v as one vector.
func (a *averaged) implicitGradient(dst, jv, x, y, v []float64) {
	a.mean("hypergradient", dst, func() { implicitGradient(a.local, dst, jv, x, y, v) })
}

func (a *averaged) Draw(size int, purpose string) Batch { return a.local.Draw(size, purpose) }

func (a *averaged) On(b Batch) Oracle {
	on := a.local.On(b)
	if on == a.local {
		return a
	}
	return &averaged{on, a.p}
}

// What no method asks for on a star.

func (a *averaged) none() { panic("algorithms: no method asks for this on a star") }

func (a *averaged) F(_, _ []float64) float64                                 { a.none(); return 0 }
func (a *averaged) G(_, _ []float64) float64                                 { a.none(); return 0 }
func (a *averaged) HessGyy(_ *mat.SymDense, _, _ []float64)                  { a.none() }
func (a *averaged) JacGxy(_ *mat.Dense, _, _ []float64)                      { a.none() }
func (a *averaged) HessGyyMulMat(_ *mat.Dense, _, _ []float64, _ *mat.Dense) { a.none() }
func (a *averaged) Solve([]float64, *mat.Cholesky, []float64)                { a.none() }
func (a *averaged) Blocks(int) (val, train []Block)                          { a.none(); return nil, nil }

// averages adds to c the rounds of an implicit method on a star: inner vectors of
// length q, and the hypergradient. On one node there are none.
func averages(c *metrics.Cost, d Dims, inner int) {
	AddExchanges(c, d, inner, metrics.Elements{Vector: int64(d.Q)})
	AddExchanges(c, d, 1, metrics.Elements{Vector: int64(d.P)})
}
