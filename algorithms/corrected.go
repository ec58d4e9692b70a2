package algorithms

import (
	"fmt"

	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/node"
)

// Strategy says how nodes correct for their differences while they step towards a consensus: the A, B and C of the
// recursion v⁺ = A (C v - a d) - B u, u⁺ = u + B v⁺, of Alghunaim and Yuan (2022). Each runs in a form without u.
type Strategy string

// The strategies. d, d⁺ are directions at v, v⁺; t is a tracker of the mean direction.
const (
	// ExactDiffusion: A = W, B² = I - W, C = I;
	// v⁺⁺ = W (2 v⁺ - v - a (d⁺ - d)), at first v⁺ = W (v - a d). Eigenvalues of W are above -1/3.
	ExactDiffusion Strategy = "ed"
	// ExactFirstOrder, EXTRA: A = I, B² = I - W, C = W;
	// v⁺⁺ = W (2 v⁺ - v) - a (d⁺ - d), at first v⁺ = W v - a d. Eigenvalues of W are above -1/3.
	ExactFirstOrder Strategy = "extra"
	// ATCTracking: A = W², B = I - W, C = I; t⁺ = W (t + d⁺ - d), then v⁺ = W (v - a t⁺).
	ATCTracking Strategy = "atc-gt"
	// SemiATCTracking: A = W, B = I - W, C = W; t⁺ = W t + d⁺ - d, v⁺ = W (v - a t⁺).
	SemiATCTracking Strategy = "semi-atc-gt"
	// NonATCTracking: A = I, B = I - W, C = W²; t⁺ = W t + d⁺ - d, v⁺ = W v - a t⁺.
	NonATCTracking Strategy = "non-atc-gt"
)

// strategy declares the strategy of a variable of SPARKLE.
func strategy(name, of string) declare.Field {
	return declare.Enum(name, "the strategy of "+of+": exact diffusion, EXTRA, or gradient tracking in one of three "+
		"forms", "ed", "extra", "atc-gt", "semi-atc-gt", "non-atc-gt").Like("extra").
		From("the paper finds ed and extra better than gradient tracking")
}

// forAll is one strategy for all variables of SPARKLE.
func forAll(s Strategy) []declare.Preset {
	return []declare.Preset{{Param: "upper", Value: string(s)}, {Param: "lower", Value: string(s)},
		{Param: "adjoint", Value: string(s)}}
}

// vectors returns how many vectors a variable sends in an iteration: before the main exchange, and in it.
func (s Strategy) vectors() (early, late int64) {
	switch s {
	case ATCTracking:
		return 1, 1
	case SemiATCTracking, NonATCTracking:
		return 0, 2
	}
	return 0, 1
}

// corrected is a variable of one node that moves by a Strategy.
type corrected struct {
	name      string
	strategy  Strategy
	lazy      bool
	step      float64
	v, d      []float64 // the variable, and its direction
	derive    func()    // sets the direction
	old, oldD []float64 // those of the iteration before
	t, mt     []float64 // the tracker, and W t
	send, mix []float64
}

func newCorrected(name string, s Strategy, lazy bool, step float64, v []float64) *corrected {
	vec := func() []float64 { return make([]float64, len(v)) }
	c := &corrected{name: name, strategy: s, lazy: lazy, step: step, v: v, d: vec(), old: vec(), oldD: vec(), t: vec(),
		mt: vec(), send: vec(), mix: vec()}
	switch s {
	case ExactDiffusion, ExactFirstOrder:
		copy(c.old, v) // 2 v - old is v at first
	case ATCTracking, SemiATCTracking, NonATCTracking:
	default:
		panic(fmt.Sprintf("algorithms: the strategy %q of %s is unknown", s, name))
	}
	return c
}

// early returns the objects of the exchange before the main one.
func (c *corrected) early() []node.Mixed {
	if c.strategy == ATCTracking {
		return []node.Mixed{node.MixVec("t"+c.name, c.t, c.t)}
	}
	return nil
}

// late returns the objects of the main exchange.
func (c *corrected) late() []node.Mixed {
	all := []node.Mixed{node.MixVec(c.name, c.mix, c.send)}
	if c.strategy == SemiATCTracking || c.strategy == NonATCTracking {
		all = append(all, node.MixVec("t"+c.name, c.mt, c.t))
	}
	return all
}

// turn adds the change of the direction to the tracker, before any exchange.
func (c *corrected) turn() {
	switch c.strategy {
	case ATCTracking: // t is what W (t + d⁺ - d) is to be made of
		floats.Add(c.t, c.d)
		floats.Sub(c.t, c.oldD)
	case SemiATCTracking, NonATCTracking:
		floats.AddTo(c.t, c.mt, c.d)
		floats.Sub(c.t, c.oldD)
	}
}

// prepare sets the vector that the main exchange sends.
func (c *corrected) prepare() {
	switch c.strategy {
	case ExactDiffusion:
		for i, v := range c.v {
			c.send[i] = 2*v - c.old[i] - c.step*(c.d[i]-c.oldD[i])
		}
	case ExactFirstOrder:
		for i, v := range c.v {
			c.send[i] = 2*v - c.old[i]
		}
	case NonATCTracking:
		copy(c.send, c.v)
	default:
		descend(c.send, c.v, c.step, c.t)
	}
}

// finish computes the new v from the mixed vectors.
func (c *corrected) finish() {
	copy(c.old, c.v)
	switch c.strategy {
	case ExactDiffusion, ExactFirstOrder:
		copy(c.v, c.mix)
		if c.lazy { // (I + W) / 2
			floats.Add(c.v, c.send)
			floats.Scale(.5, c.v)
		}
		if c.strategy == ExactFirstOrder {
			floats.AddScaled(c.v, -c.step, c.d)
			floats.AddScaled(c.v, c.step, c.oldD)
		}
	case NonATCTracking:
		descend(c.v, c.mix, c.step, c.t)
	default:
		copy(c.v, c.mix)
	}
	copy(c.oldD, c.d)
}

// correctedRound moves several variables at once.
type correctedRound struct {
	p           *node.Proc
	variables   []*corrected
	early, late []node.Mixed
}

func newCorrectedRound(p *node.Proc, variables ...*corrected) *correctedRound {
	r := &correctedRound{p: p, variables: variables}
	for _, c := range variables {
		r.early = append(r.early, c.early()...)
		r.late = append(r.late, c.late()...)
	}
	return r
}

func (r *correctedRound) run() {
	for _, c := range r.variables { // all at one point
		c.derive()
	}
	for _, c := range r.variables {
		c.turn()
	}
	if len(r.early) > 0 {
		r.p.MixAll("tracker", r.early...)
	}
	for _, c := range r.variables {
		c.prepare()
	}
	r.p.MixAll("gossip", r.late...)
	for _, c := range r.variables {
		c.finish()
	}
}
