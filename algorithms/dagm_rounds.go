package algorithms

import "tallynet/node"

// dagmRounds implements two options of DAGM that its paper does not have. They are readings of the K of its
// experiments, which it does not define: nodes do more between two exchanges.
//
// With Local = K each y-exchange is followed by K - 1 further steps
// y_i <- y_i - beta ∇_y g_i(x_i, y_i). With Period = K nodes exchange in the iterations
// 1, K+1, 2K+1 ... only; in the others W is the identity, and a node's beta h_i is
// -H_i⁻¹ ∇_y f_i, its own hypergradient's.
type dagmRounds struct {
	a             DAGM
	o             Oracle
	exchange      mixer
	mixed, single *dihgp // with exchanges, and for W = I

	// Of the current iteration.
	mix   mixer
	hyper *dihgp
}

func newDAGMRounds(p *node.Proc, o Oracle, mix mixer, self float64, a DAGM) *dagmRounds {
	r := &dagmRounds{a: a, o: o, exchange: mix, mixed: newDIHGP(p, o, mix, self, a)}
	if a.Period > 1 {
		r.single = newDIHGP(p, o, keep, 1, a.apart())
	}
	return r
}

// begin begins iteration k.
func (r *dagmRounds) begin(k int) {
	if r.a.exchanges(k) {
		r.mix, r.hyper = r.exchange, r.mixed
	} else {
		r.mix, r.hyper = keep, r.single
	}
}

// keep mixes with W = I.
func keep(_ string, objects ...node.Mixed) {
	for _, o := range objects {
		copy(o.Dst, o.Src)
	}
}

// more takes the steps of y that follow one with an exchange. gy (q) is scratch.
func (r *dagmRounds) more(gy, x, y []float64) {
	for range r.a.Local - 1 {
		r.o.GradGy(gy, x, y)
		descend(y, y, r.a.Beta, gy)
	}
}

// exchanges reports whether nodes exchange in iteration k.
func (a DAGM) exchanges(k int) bool { return a.Period <= 1 || (k-1)%a.Period == 0 }

// apart is a with a Neumann series for W = I, where one term is the whole series.
func (a DAGM) apart() DAGM {
	a.Neumann = 0
	return a
}
