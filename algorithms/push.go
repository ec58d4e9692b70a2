package algorithms

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

const degrees = "r_ij = 1 / (1 + in-degree of i), c_ij = 1 / (1 + out-degree of j), of the round"

// PushSum averages on a directed graph. Every node splits a sum s and a weight w, at first its value and 1,
// into equal parts for itself and its receivers, and adds up what it receives. Its estimate is s/w.
type PushSum struct {
	onDirected
	Rounds int // each is reported as an iteration
}

func (PushSum) Declare() declare.Method {
	return declare.Method{
		Name: "push-sum", Label: "Push-sum", Summary: "averaging on directed graphs",
		Fields:  declare.Fields{declare.Iterations("rounds", "rounds")},
		Problem: "the average of the nodes' starting points",
		Updates: `s_i <- Σ_j c_ij s_j,  w_i <- Σ_j c_ij w_j,  x_i = s_i / w_i
` + degrees,
		Source: "Kempe, Dobra, Gehrke: Gossip-based computation of aggregate information. FOCS 2003",
	}
}

// Run averages.
func (a PushSum) Run(p *node.Proc, o Oracle) {
	x, _, _, _ := start(p, o)
	s, w := slices.Clone(x), []float64{1}
	for k := 1; k <= a.Rounds; k++ {
		pushed(p, x, s, w)
		p.Report(k, x, nil)
	}
}

// pushed makes a round of push-sum on s and w (1), and sets x to s/w.
func pushed(p *node.Proc, x, s, w []float64) {
	p.PushPull(
		"push",
		nil,
		[]node.Mixed{node.MixVec("s", s, s), {Name: "w", Kind: metrics.Scalar, Rows: 1, Cols: 1, Dst: w, Src: w}},
	)
	floats.ScaleTo(x, 1/w[0], s) // x = s / w
}

// Cost is one round of a vector and a scalar.
func (a PushSum) Cost(_ int, d Dims) (c metrics.Cost) {
	AddExchanges(&c, d, 1, metrics.Elements{Vector: int64(d.P), Scalar: 1})
	return c
}

// SGP is stochastic gradient push, gradient descent on a directed graph. With a constant step it ends
// O(alpha) from the optimum wherever the graph is strongly connected over some rounds (Nedić, Olshevsky
// 2015). DGD with the rows of such a graph ends at a weighted optimum instead.
type SGP struct {
	onDirected
	Outer int
	Alpha float64
	Batch int
}

func (SGP) Declare() declare.Method {
	return declare.Method{
		Name: "sgp", Summary: "stochastic gradient push: gradient descent on directed graphs",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Step("alpha", "the step; stable below 2 / L on average"),
			declare.Batch(),
		},
		Updates: `s_i <- s_i - alpha ∇f_i(x_i)
s_i <- Σ_j c_ij s_j,  w_i <- Σ_j c_ij w_j,  x_i = s_i / w_i
` + degrees,
		Source: "Assran, Loizou, Ballas, Rabbat: Stochastic gradient push for distributed deep learning. ICML " +
			"2019; arXiv 1811.10792",
		Departures: "Without momentum.",
	}
}

// Run is the method as described above.
func (a SGP) Run(p *node.Proc, o Oracle) {
	x, _, d, _ := start(p, o)
	s, g, w := slices.Clone(x), zeros(d), []float64{1}
	for k := 1; k <= a.Outer; k++ {
		o.On(o.Draw(a.Batch, "gradient")).GradFx(g, x, nil)
		descend(s, s, a.Alpha, g) // s <- s - alpha ∇f(x)
		pushed(p, x, s, w)
		p.Report(k, x, nil)
	}
}

// Cost is a round of a vector and a scalar, and one gradient per node.
func (a SGP) Cost(k int, d Dims) metrics.Cost {
	return PushSum{}.Cost(k, d).Plus(Calls{GradF: 1}.Cost(d))
}

// PushPull is gradient tracking on a directed graph (AB). Iterates are pulled by a matrix whose rows sum to
// one, and trackers are pushed by a matrix whose columns do. The sum of the trackers is that of the
// gradients, so the limit is the optimum.
type PushPull struct {
	onDirected
	Outer int
	Alpha float64
}

func (PushPull) Declare() declare.Method {
	return declare.Method{
		Name: "push-pull", Label: "Push-pull", Summary: "gradient tracking on directed graphs (AB)",
		Fields: declare.Fields{declare.Outer(), declare.Step("alpha", "the step")},
		Updates: `x_i⁺ = Σ_j r_ij (x_j - alpha t_j);  t_i <- Σ_j c_ij t_j + ∇f_i(x_i⁺) - ∇f_i(x_i)
` + degrees,
		Source: "Pu, Shi, Xu, Nedić: Push-pull gradient methods for distributed optimization in networks. IEEE " +
			"Transactions on Automatic Control 66, 2021; Xin, Khan: A linear algorithm for optimization over " +
			"directed graphs with geometric convergence. IEEE Control Systems Letters 2, 2018",
	}
}

// Run is the method as described above.
func (a PushPull) Run(p *node.Proc, o Oracle) {
	x, _, d, _ := origin(o)
	v, g, before := zeros(d), zeros(d), zeros(d)
	o.GradFx(before, x, nil)
	t := slices.Clone(before)
	p.Report(0, x, nil)
	for k := 1; k <= a.Outer; k++ {
		descend(v, x, a.Alpha, t)
		p.PushPull("outer", []node.Mixed{node.MixVec("x", x, v)}, []node.Mixed{node.MixVec("t", t, t)})
		o.GradFx(g, x, nil)
		floats.Add(t, g)
		floats.Sub(t, before) // t <- C t + ∇f(x⁺) - ∇f(x)
		g, before = before, g
		p.Report(k, x, nil)
	}
}

// StartCost is one gradient per node.
func (a PushPull) StartCost(d Dims) metrics.Cost { return Calls{GradF: 1}.Cost(d) }

// Cost is one round of two vectors and one gradient per node.
func (a PushPull) Cost(_ int, d Dims) metrics.Cost { return singleLevelCost(d, 2) }
