package node

import (
	"fmt"

	"gonum.org/v1/gonum/floats"

	"tallynet/channel"
)

// Turn describes a node's part in a round of a changing graph: the neighbours that it sends to and those that
// it receives from, both ascending, and the weights of the latter in the round's mixing matrix.
type Turn struct {
	Out, In []int
	Weights []float64 // of In; nil if the round has no doubly stochastic matrix
	Self    float64
}

// round is the current round of a program.
type round struct {
	Turn
	out []int // Out as indices among the neighbours
}

// receivers returns the indices of the neighbours that the node sends to in the current round.
func (p *Proc) receivers() []int {
	if p.round == nil {
		return p.all()
	}
	return p.round.out
}

// hearsFrom returns the nodes that the node receives from in the current round.
func (p *Proc) hearsFrom() []int {
	if p.round == nil {
		return p.neighbors
	}
	return p.round.In
}

// roundWeights returns the node's weight on itself in the current round and its weights on the nodes that it
// receives from.
func (p *Proc) roundWeights() (self float64, weights []float64) {
	if p.round == nil {
		return p.selfWeight, p.weights
	}
	return p.round.Self, p.round.Weights
}

// nextRound sets the round that begins, if the graph changes. Clients that are drawn for an iteration are those of
// all its rounds.
func (p *Proc) nextRound() {
	switch {
	case p.net.turns == nil:
	case p.net.cfg.Drawn:
		p.takeTurn(p.iteration - 1)
	default:
		p.takeTurn(int(p.spent.Rounds))
	}
}

// takeTurn begins round k of the graph.
func (p *Proc) takeTurn(k int) {
	p.record(step{kind: turnStep, n: k})
	if p.round == nil {
		p.round = new(round)
	}
	t := p.net.turns(k, p.id)
	switch {
	case !p.closing:
	case p.role == Server:
		t.Out = nil
	default:
		t.In = nil
	}
	p.closing = false
	p.round.Turn, p.round.out = t, p.round.out[:0]
	for _, j := range t.Out {
		k := p.neighborIndex(j)
		if k < 0 {
			panic(fmt.Sprintf("node: node %d sends to %d in round %d, which is not a neighbour", p.id, j, p.spent.Rounds))
		}
		p.round.out = append(p.round.out, k)
	}
}

// Met returns, by the name of what nodes exchange, in which rounds of the period of the graph they do.
func (n *Network) Met() map[string][]bool { return n.met }

// meet records the round that has begun, of a node that exchanges as all others do.
func (p *Proc) meet(parts []channel.Part) {
	period := p.net.cfg.Period
	if p.id > 0 || period == 0 {
		return
	}
	if p.net.met == nil {
		p.net.met = map[string][]bool{}
	}
	for _, o := range parts {
		if p.net.met[o.Name] == nil {
			p.net.met[o.Name] = make([]bool, period)
		}
		p.net.met[o.Name][int(p.spent.Rounds-1)%period] = true
	}
}

// PushPull exchanges all objects in one message. For a pulled object, Dst becomes the plain average over the
// node and those that it receives from: the rows of that matrix sum to one. For a pushed object, every node
// splits its Src into equal parts for itself and for those that it sends to, and Dst becomes the sum of the
// parts that the node gets: the columns sum to one, so that the sum over all nodes is preserved. A node needs
// to know only to how many nodes it sends. It charges 2 FLOPs per element and term.
//
// Source: Kempe, Dobra, Gehrke, "Gossip-based computation of aggregate information", FOCS 2003, for push.
func (p *Proc) PushPull(phase string, pull, push []Mixed) {
	p.sync()
	size := p.pack(pull)
	p.nextRound()
	share := 1 / float64(1+len(p.receivers()))
	for i, o := range push {
		if len(p.shares) <= i {
			p.shares = append(p.shares, nil)
		}
		p.shares[i] = append(p.shares[i][:0], o.Src...)
		floats.Scale(share, p.shares[i])
		p.parts = append(p.parts, o.part(p.shares[i]))
		size += len(o.Src)
	}
	got := p.exchange(phase, p.parts, 0, false)
	p.checkParts(got)
	for i, o := range pull {
		w := 1 / float64(1+len(got))
		floats.ScaleTo(o.Dst, w, o.Src)
		p.addParts(o.Dst, w, got, i)
	}
	for i, o := range push {
		copy(o.Dst, p.shares[i])
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
