package algorithms

import (
	"cmp"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

const dboSource = "Chen, Huang, Ma: Decentralized bilevel optimization. Optimization Letters; arXiv 2206.05670"

// DBO is decentralized bilevel optimization, Algorithm 3 of Chen, Huang and Ma; Z approximates (J̄ H̄⁻¹)'.
// Where all nodes have one H, tracking is stable exactly if eta_y and gamma times its largest eigenvalue are
// below (1 + λ_min(W))² / 2. The step 1/(mu + L) that the paper prescribes for eta_y is unstable for most W,
// so it is not the default. The homogeneous branch on heterogeneous nodes ends near the optimum of the
// personal problem.
type DBO struct {
	Outer, Inner, JHIP int
	EtaX, EtaY, Gamma  float64 // Gamma is EtaY if it is 0
	Mode               Mode
}

func (DBO) Declare() declare.Method {
	return declare.Method{
		Name:    "dbo",
		Summary: "gradient tracking for the inner problem, and on matrices for the hypergradient (JHIP)",
		Aliases: []declare.Alias{
			{Name: "dgtbo", Label: "DGTBO", Summary: "the name that Nazari et al. give DBO for heterogeneous nodes",
				Preset: []declare.Preset{{Param: "mode", Value: "heterogeneous"}}},
		},
		Fields: dboFields("the step of y; heterogeneous: "+trackedStable+"; homogeneous: below 2 / L",
			"the step of JHIP, "+trackedStable, "mode: heterogeneous"), // conjugate gradients have no step
		Updates: `for k = 1 ... outer:
heterogeneous:
  v_i = ∇_y g_i;  inner times:  y_i⁺ = Σ_j w_ij y_j - eta_y v_i,  v_i <- Σ_j w_ij v_j + ∇_y g_i(x_i, y_i⁺) - ∇_y g_i(x_i, y_i)
  Z_i = 0, Y_i = -(∇²_xy g_i)';  jhip times:  Z_i⁺ = Σ_j w_ij Z_j - gamma Y_i,  Y_i <- Σ_j w_ij Y_j + ∇²_yy g_i (Z_i⁺ - Z_i)
  x_i <- Σ_j w_ij x_j - eta_x (∇_x f_i - Z_i' ∇_y f_i)
homogeneous:
  inner times:  y_i <- y_i - eta_y ∇_y g_i
  ∇²_yy g_i v_i = ∇_y f_i by jhip steps of conjugate gradients from the last v_i
  x_i <- Σ_j w_ij x_j - eta_x (∇_x f_i - ∇²_xy g_i v_i)`,
		Source: dboSource,
		Departures: `x is sent with the first y and v. The tracker v restarts in each outer iteration: the text leaves it open.
The tracker of JHIP starts at HZ - J'; without J', as printed, Z would stay 0.`,
	}
}

// dboFields are the fields of DBO, DBOGT and DSBO. gamma is used only if the condition holds.
func dboFields(etaY, gamma, condition string) declare.Fields {
	return declare.Fields{
		declare.Outer(),
		declare.Count("inner", 1, "10", "y-steps per outer iteration, the paper's T"),
		declare.Count("jhip", 1, "20", "the paper's N. heterogeneous: steps of the Jacobian-Hessian-inverse product; "+
			"homogeneous: products with a node's own Hessian"),
		declare.Step("eta_x", "the step of x"),
		declare.Step("eta_y", etaY),
		declare.Enum("mode", "heterogeneous: nodes have different g_i and solve the inner problem together; "+
			"homogeneous: each solves its own and sends x only", "heterogeneous", "homogeneous"),
		declare.Positive("gamma", "0.1", gamma+"; by default eta_y").Optional().OnlyIf(condition).
			From("Chen et al. set both to 0.01"),
	}
}

// Needs says that DBO is bilevel, and wants one inner problem in its homogeneous branch.
func (a DBO) Needs() Requirements {
	return Requirements{Bilevel: true, HomogeneousG: a.Mode == Homogeneous}
}

// loops returns the inner loop and the hypergradient estimate.
func (a DBO) loops() (innerLoop, dboHypergradient) {
	kind := innerTracked
	if a.Mode == Homogeneous {
		kind = innerAlone
	}
	return innerLoop{kind: kind, steps: a.Inner, eta: a.EtaY},
		dboHypergradient{mode: a.Mode, steps: a.JHIP, gamma: cmp.Or(a.Gamma, a.EtaY)}
}

// Run is Algorithm 3 of the paper.
func (a DBO) Run(p *node.Proc, o Oracle) {
	inner, hyper := a.loops()
	runDBO(p, o, a.Outer, a.EtaX, false, &inner, &hyper)
}

// runDBO is the outer loop of DBO, DSBO and, with tracking of x, DBOGT.
func runDBO(p *node.Proc, o Oracle, outer int, eta float64, tracked bool, inner *innerLoop, hyper *dboHypergradient) {
	x, y, d1, _ := start(p, o)
	mx, d, u := zeros(d1), zeros(d1), newTracker(d1)
	sent := []node.Mixed{node.MixVec("x", mx, x)}
	if tracked {
		sent = append(sent, u.mix("u"))
	}
	inner.start(p, own(o), x, y, sent...)
	hyper.start(p, o)
	for k := 1; k <= outer; k++ {
		inner.run()
		if inner.kind == innerAlone {
			p.MixAll("outer", sent...)
		}
		hyper.run(d, x, y)
		if tracked {
			u.follow(d)              // u <- mix(u) + d⁺ - d
			descend(x, mx, eta, u.t) // x <- mix(x) - eta_x u
		} else {
			descend(x, mx, eta, d) // x <- mix(x) - eta_x (∇_x f - Z' ∇_y f)
		}
		p.Report(k, x, y)
	}
}

// Cost includes the last tracker of each loop, which is sent as the boxes print it, though nothing reads it.
func (a DBO) Cost(k int, d Dims) metrics.Cost {
	c := a.costWithout(k, d, int64(d.P))
	if a.Mode == Homogeneous {
		return c
	}
	p, q, t, n := int64(d.P), int64(d.Q), float64(a.Inner), float64(a.JHIP)
	c.Paper = &metrics.PaperCount{
		ElementsPerNode: t*float64(q) + float64(p) + float64(d.Nodes)*n*float64(p*q),
		Formula:         "M d2 + d1 + n N d1 d2",
		Source:          "Nazari et al., Supplement S1, whose M is the T of Chen et al.",
		Note: "counts n twice for JHIP and one of the two objects of each exchange: d1 + 2 T d2 + 2 " +
			"N d1 d2; without the last trackers it would be d1 + (2T-1) d2 + 2 (N-1) d1 d2",
	}
	return c
}

// costWithout is the cost of an iteration that sends the given number of outer
// elements, without the paper's count.
func (a DBO) costWithout(k int, d Dims, sent int64) metrics.Cost {
	inner, hyper := a.loops()
	return costDBO(k, d, &inner, &hyper, sent)
}

func costDBO(k int, d Dims, inner *innerLoop, hyper *dboHypergradient, sent int64) metrics.Cost {
	var c metrics.Cost
	if inner.kind == innerAlone {
		AddExchanges(&c, d, 1, metrics.Elements{Vector: sent})
	}
	inner.cost(&c, d, sent)
	hyper.cost(&c, d)
	return c
}
