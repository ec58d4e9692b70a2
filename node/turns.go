package node

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"

	"tallynet/channel"
)

// Turn is what a node does in a round of a graph that changes: whom it sends to and whom it hears from, both
// neighbours, ascending, and the weights of those in the round's mixing matrix.
type Turn struct {
	Out, In []int
	Weights []float64 // of In; nil if the round has no doubly stochastic matrix
	Self    float64
}

// turn is the round under way of a program.
type turn struct {
	Turn
	out []int // of Out: the places among the neighbours
}

// tells returns whom the node sends to in the round under way, and hears whom it hears from.
func (p *Proc) tells() []int {
	if p.round == nil {
		return p.neighbors
	}
	return p.round.Out
}

func (p *Proc) hears() []int {
	if p.round == nil {
		return p.neighbors
	}
	return p.round.In
}

// mixes returns the node's weight on itself in the round under way, and those on whom it hears from.
func (p *Proc) mixes() (self float64, weights []float64) {
	if p.round == nil {
		return p.selfWeight, p.weights
	}
	return p.round.Self, p.round.Weights
}

// nextTurn sets the turn of the round that begins, if the graph changes.
func (p *Proc) nextTurn() {
	if p.net.turns == nil {
		return
	}
	if p.round == nil {
		p.round = new(turn)
	}
	t := p.net.turns(int(p.spent.Rounds), p.id)
	p.round.Turn, p.round.out = t, p.round.out[:0]
	for _, j := range t.Out {
		k := p.neighborIndex(j)
		if k < 0 {
			panic(fmt.Sprintf("node: node %d sends to %d in round %d, which is not a neighbour", p.id, j, p.spent.Rounds))
		}
		p.round.out = append(p.round.out, k)
	}
}

// weightOf returns the weight of a node that is heard from in the round under way.
func (p *Proc) weightOf(j int) float64 {
	k, ok := slices.BinarySearch(p.hears(), j)
	if !ok {
		panic(fmt.Sprintf("node: node %d heard node %d, which it does not listen to", p.id, j))
	}
	_, weights := p.mixes()
	return weights[k]
}

// PushPull exchanges all objects in one message. For a pulled object, Dst becomes the plain average over
// the node and those that it hears from: the rows of that matrix sum to one. For a pushed object, every node
// splits its Src into equal parts for itself and those that it sends to, and Dst becomes the sum of the
// parts that it gets: the columns sum to one, so the sum over all nodes is preserved. A node needs to know only how
// many nodes it
// sends to. It charges 2 FLOPs per number and term.
//
// Source: Kempe, Dobra, Gehrke, "Gossip-based computation of aggregate information", FOCS 2003, for push.
func (p *Proc) PushPull(phase string, pull, push []Mixed) {
	p.parts = p.parts[:0]
	size := 0
	for _, o := range pull {
		p.parts = append(p.parts, o.part(o.Src))
		size += len(o.Src)
	}
	p.nextTurn()
	share := 1 / float64(1+len(p.tells()))
	shares := p.keeps().shares
	for i, o := range push {
		if len(shares) <= i {
			shares = append(shares, nil)
		}
		shares[i] = append(shares[i][:0], o.Src...)
		floats.Scale(share, shares[i])
		p.parts = append(p.parts, o.part(shares[i]))
		size += len(o.Src)
	}
	p.kept.shares = shares
	got := p.exchange(phase, p.parts, 0, false)
	for _, m := range got {
		p.checkParts(m, p.parts)
	}
	for i, o := range pull {
		w := 1 / float64(1+len(got))
		floats.ScaleTo(o.Dst, w, o.Src)
		p.addParts(o.Dst, w, got, i)
	}
	for i, o := range push {
		copy(o.Dst, shares[i])
		p.addParts(o.Dst, 1, got, len(pull)+i)
	}
	p.Work(float64(2 * int64(size) * int64(len(got)+1)))
	p.releaseHeld()
}

func (p *Proc) addParts(dst []float64, w float64, got []*channel.Message, part int) {
	for _, m := range got {
		floats.AddScaled(dst, w, m.Parts[part].Data)
	}
}
