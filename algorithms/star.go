package algorithms

import (
	"iter"

	"tallynet/metrics"
	"tallynet/node"
)

// derivatives are those of a node's own oracle, or the means over the clients of a star. Shapes are those of
// Local.
type derivatives interface {
	GradFx(dst, x, y []float64)
	GradFy(dst, x, y []float64)
	GradGy(dst, x, y []float64)
	HessGyyMul(dst, x, y, v []float64)
	JacGxyMul(dst, x, y, v []float64)
}

// sampler returns the derivatives on samples that it draws for a purpose; size 0 takes
// all samples.
type sampler func(size int, purpose string) derivatives

// own samples a node's own oracle.
func own(o Oracle) sampler {
	return func(size int, purpose string) derivatives { return o.On(o.Draw(size, purpose)) }
}

// pooled is own on one node; on a star with a server it averages over the clients.
func pooled(p *node.Proc, o Oracle) sampler {
	if p.Role() == node.Peer {
		return own(o)
	}
	all := &averaged{o, p}
	return func(size int, purpose string) derivatives {
		if size == 0 {
			return all
		}
		return &averaged{o.On(o.Draw(size, purpose)), p}
	}
}

// averaged are the derivatives of a one-node method on a star. The server and all clients run the same
// program, and each derivative is the mean over the clients: a client sends its own up, and the server sends
// the mean down, which is one round of one vector. The nodes must start alike and make the same calls in the
// same order, so the calls must not depend on values, which a lossy wire format changes.
type averaged struct {
	local Oracle // of a client; the server's holds no data
	p     *node.Proc
}

// mean sets dst to the mean of what the clients set it to.
func (a *averaged) mean(name string, dst []float64, local func()) {
	if a.p.Role() == node.Client {
		local()
	}
	a.p.Average(name, node.MixVec(name, dst, dst))
}

func (a *averaged) GradFx(dst, x, y []float64) {
	a.mean("grad_fx", dst, func() { a.local.GradFx(dst, x, y) })
}

func (a *averaged) GradFy(dst, x, y []float64) {
	a.mean("grad_fy", dst, func() { a.local.GradFy(dst, x, y) })
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

// implicitGradient sends ∇_x f - J v as one vector. It is the last average of an outer iteration.
func (a *averaged) implicitGradient(dst, jv, x, y, v []float64) {
	a.p.Closing()
	a.mean("hypergradient", dst, func() { implicitGradient(a.local, dst, jv, x, y, v) })
}

// averages adds to c the rounds of an implicit method on a star: inner vectors of length q, and the
// hypergradient. Clients that are drawn download x, y and, if warm, v. On one node it adds nothing.
func averages(c *metrics.Cost, d Dims, inner int, warm bool) {
	AddExchanges(c, d, inner, metrics.Elements{Vector: int64(d.Q)})
	AddExchanges(c, d, 1, metrics.Elements{Vector: int64(d.P)})
	addDownload(c, d, d.Q+len(kept(warm, make([]float64, d.Q))))
}

// iterations returns the outer iterations in which a node takes part, which are all unless a server draws its clients.
// Those that are drawn download x, y and all else that the server goes on with and that is not nil. A client that is
// not drawn reports what it has.
func iterations(p *node.Proc, outer int, x, y []float64, others ...[]float64) iter.Seq[int] {
	state := []node.Mixed{node.MixVec("x", x, x), node.MixVec("y", y, y)}
	for _, v := range others {
		if v != nil {
			state = append(state, node.MixVec("state", v, v))
		}
	}
	return func(yield func(int) bool) {
		for k := 1; k <= outer; k++ {
			if !p.Drawn(state...) {
				p.Report(k, x, y)
			} else if !yield(k) {
				return
			}
		}
	}
}

// kept returns v if the next outer iteration starts from it, and nil otherwise.
func kept(warm bool, v []float64) []float64 {
	if warm {
		return v
	}
	return nil
}

// addDownload adds to c by how many elements the state that drawn clients download at the start of an outer iteration
// exceeds the last answer of the server, which it replaces.
func addDownload(c *metrics.Cost, d Dims, more int) {
	if d.Drawn {
		e := metrics.Elements{Vector: int64(more)}
		all := e.Times(int64(d.Links / 2))
		*c = c.Plus(metrics.Cost{Broadcast: e, Wire: all, Whole: all})
	}
}
