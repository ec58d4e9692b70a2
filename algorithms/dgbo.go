package algorithms

import (
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// DGBO gossips the moving averages of ∇_x f, ∇_y f, J and H that every node keeps. The Terms Hessian
// estimates v_1 ... v_b are independent samples; with full batches they are equal, but are sent all the same,
// as the paper says. Averages that start at 0 would make q useless for the first 1/beta iterations. Nazari et
// al., Supplement S1, list the objects that are exchanged.
type DGBO struct {
	bilevel
	Outer, Terms       int
	Alpha, Gamma, Beta float64
	Lipschitz          float64
	Batch              int
}

func (DGBO) Declare() declare.Method {
	return declare.Method{
		Name: "dgbo", Summary: "gossips moving averages of all derivatives, Hessians and Jacobian included",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Count("terms", 1, "5", "Hessian estimates that are kept and sent, the paper's b; the series "+
				"has one more term"),
			declare.Step("alpha", "the step of x"),
			declare.Step("gamma", "the step of y"),
			declare.Weight("beta", "the weight of new derivatives in the moving averages"),
			declare.Lipschitz("the inner Hessians"),
			declare.Samples("samples per derivative; 0 is all of a node's"),
		},
		Updates: `for k = 1 ... outer, everything at the old point:
  q = (1/L) (I + (I - v_b/L)(I + (I - v_{b-1}/L)( ... )))
  x_i <- Σ_j w_ij x_j - alpha (s_i - u_i q h_i)
  y_i <- Σ_j w_ij y_j - gamma ∇_y g_i
  s_i <- (1 - beta) Σ_j w_ij s_j + beta ∇_x f_i
  h_i, u_i, v_1 ... v_b likewise, with ∇_y f_i, ∇²_xy g_i and b samples of ∇²_yy g_i`,
		Source: "Yang, Zhang, Wang: Decentralized Gossip-Based Stochastic Bilevel Optimization over " +
			"Communication Networks. NeurIPS 2022; arXiv 2206.10870",
		Departures: `The averages start at the derivatives of the starting point, not at 0.
The series is applied to h by products of matrix and vector: the same numbers, less work.`,
	}
}

// dgboAverages are a node's moving averages, or new values of what is averaged.
type dgboAverages struct {
	s, h []float64
	u    *mat.Dense
	v    []*mat.SymDense
}

func newDGBOAverages(p, q, terms int) dgboAverages {
	a := dgboAverages{s: zeros(p), h: zeros(q), u: mat.NewDense(p, q, nil)}
	for range terms {
		a.v = append(a.v, mat.NewSymDense(q, nil))
	}
	return a
}

// moveTo sets a = (1 - beta) a + beta now.
func (a dgboAverages) moveTo(beta float64, now dgboAverages) {
	moveTo(a.s, beta, now.s)
	moveTo(a.h, beta, now.h)
	moveTo(raw(a.u), beta, raw(now.u))
	for m, v := range a.v {
		moveTo(v.RawSymmetric().Data, beta, now.v[m].RawSymmetric().Data) // only the upper triangles are used
	}
}

// Run is the method's box.
func (a DGBO) Run(p *node.Proc, o Oracle) {
	x, y, d1, d2 := origin(o)
	gy, r, vr, dx := zeros(d2), zeros(d2), zeros(d2), zeros(d1)
	avg, now := newDGBOAverages(d1, d2, a.Terms), newDGBOAverages(d1, d2, a.Terms)
	objects := []node.Mixed{ // each becomes its mix
		node.MixVec("x", x, x), node.MixVec("y", y, y), node.MixVec("s", avg.s, avg.s), node.MixVec("h", avg.h, avg.h),
		node.MixMat("u", avg.u, avg.u),
	}
	var purposes []string // of the samples behind each Hessian estimate
	for m, v := range avg.v {
		purposes = append(purposes, fmt.Sprintf("hessian-v%d", m+1))
		objects = append(objects, node.MixSym(fmt.Sprintf("v%d", m+1), v, v))
	}
	take := func(to dgboAverages) { // the derivatives at the present point, on fresh samples
		outer := o.On(o.Draw(a.Batch, "outer"))
		outer.GradFx(to.s, x, y)
		outer.GradFy(to.h, x, y)
		outer.JacGxy(to.u, x, y)
		for m, v := range to.v {
			o.On(o.Draw(a.Batch, purposes[m])).HessGyy(v, x, y)
		}
	}
	take(avg)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		take(now)
		o.On(o.Draw(a.Batch, "inner")).GradGy(gy, x, y)
		// r = L q h by Horner: r_0 = h, r_m = h + (I - v_m/L) r_{m-1}
		copy(r, avg.h)
		for _, v := range avg.v {
			blas64.Symv(1, v.RawSymmetric(), vector(r), 0, vector(vr))
			floats.AddScaled(r, -1/a.Lipschitz, vr)
			floats.Add(r, avg.h)
		}
		blas64.Gemv(blas.NoTrans, 1, avg.u.RawMatrix(), vector(r), 0, vector(dx))
		p.Work(2*float64(a.Terms)*float64(d2)*float64(d2) + 2*float64(d1)*float64(d2))
		floats.Scale(-1/a.Lipschitz, dx)
		floats.Add(dx, avg.s) // s - u q h
		p.MixAll("gossip", objects...)
		descend(x, x, a.Alpha, dx)
		descend(y, y, a.Gamma, gy)
		avg.moveTo(a.Beta, now)
		p.Report(k, x, y)
	}
}

// raw returns the data of a matrix that is not a view.
func raw(m *mat.Dense) []float64 { return m.RawMatrix().Data }

// StartCost is that of the first averages.
func (a DGBO) StartCost(d Dims) metrics.Cost {
	return Calls{GradF: 2, Jacobian: 1, Hessian: a.Terms}.Cost(d)
}

// Cost is one round of 2 (p + q) vector elements, p q + b q² matrix elements per node.
func (a DGBO) Cost(_ int, d Dims) metrics.Cost {
	p, q, b := int64(d.P), int64(d.Q), int64(a.Terms)
	c := a.StartCost(d)
	AddCalls(&c, d, Calls{GradG: 1})
	AddExchanges(&c, d, 1, metrics.Elements{Vector: 2 * (p + q), Matrix: p*q + b*q*q})
	c.Paper = &metrics.PaperCount{
		ElementsPerNode: float64(b*q*q + 2*(p+q) + p*q),
		Formula:         "b d2² + 2 (d1 + d2) + d1 d2",
		Source:          "Nazari et al., Supplement S1",
		Note:            "equals the true count",
	}
	return c
}
