package node

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/sim"
)

// squeezed says how a node compresses what it sends.
type squeezed struct {
	plain bool // the message under way is sent without memory
	whole bool // the message under way is not compressed
}

// encodings is what a node keeps of the arrays that it sends compressed.
type encodings struct {
	rng     *rand.Rand
	states  map[arrayKey]*channel.State
	scratch channel.State // of what is sent without memory
}

// arrayKey names an array that is sent again and again.
type arrayKey struct {
	phase int
	name  string
	size  int
}

// state returns what is kept of an array.
func (q *encodings) state(key arrayKey) *channel.State {
	s := q.states[key]
	if s == nil {
		s = &channel.State{}
		q.states[key] = s
	}
	return s
}

// encodings returns what a node keeps of compressed arrays.
func (c *Context) encodings() *encodings {
	r := c.rarely()
	if r.encodings == nil {
		r.encodings = &encodings{rng: c.Rand("compress"), states: map[arrayKey]*channel.State{}}
	}
	return r.encodings
}

// squeezes reports whether a message of a node is compressed: those of exchanges are, but for those
// of a server if only what goes up is, and for those that a method sends whole.
func (n *Network) squeezes(c *Context, exchanged bool) bool {
	z := n.cfg.Compress
	return z != nil && exchanged && !c.squeezed.whole && !(z.UpOnly && c.role == Server)
}

// compressed returns a message whose parts were encoded and decoded, and counts their bytes.
func (n *Network) compressed(c *Context, phase, class int, parts []channel.Part, receivers int) *channel.Message {
	z, q := n.cfg.Compress, c.encodings()
	memory := z.Memory
	if c.squeezed.plain {
		memory = channel.NoMemory
	}
	var size metrics.Size
	m := n.pool.NewBy(class, parts, receivers, func(i int, dst []float64) {
		p := &parts[i]
		s := &q.scratch
		if memory != channel.NoMemory {
			s = q.state(arrayKey{phase, p.Name, len(p.Data)})
		}
		elements, bytes := int64(len(p.Data)), z.Encode(dst, p.Data, p.Rows, p.Cols, memory, s, q.rng)
		size.Payload[p.Kind] += bytes
		if n.ledger.Class(class).Shapeless {
			size.Elements.Add(p.Kind, elements)
		}
		n.ledger.PartSent(class, i, elements, bytes, receivers)
	})
	size.Overhead = n.overhead(phase, size.Payload.Total())
	setSize(m, size)
	return m
}

// Sent is one object of MixAllSent and AverageSent: Own (of the size of Src) becomes what the receivers
// get of Src. Own must overlap neither Src nor Dst.
type Sent struct {
	Mixed
	Own []float64
}

// SentVec returns a vector to be exchanged: dst (d) from src (d), with own (d).
func SentVec(name string, own, dst, src []float64) Sent { return Sent{MixVec(name, dst, src), own} }

// MixSent is MixAllSent for a vector: own, dst and v have d numbers.
func (p *Proc) MixSent(own, dst []float64, phase string, v []float64) {
	p.MixAllSent(phase, SentVec(phase, own, dst, v))
}

// MixAllSent exchanges the objects with all neighbours in one message, compressed without memory where the
// network compresses. It sets every Own to what neighbours get of Src, and Dst to w_ii Own + sum of w_ij
// times what it gets of the neighbours j. It is for methods that keep a memory of their own. It charges as
// MixAll does.
func (p *Proc) MixAllSent(phase string, m ...Sent) {
	if len(p.neighbors) == 0 {
		for _, o := range m {
			p.sendAlone(&o)
			floats.ScaleTo(o.Dst, p.selfWeight, o.Own)
		}
		return
	}
	size := p.sentParts(m)
	got := p.exchangePlain(phase, p.net.cfg.Silence.After)
	for _, msg := range got {
		p.checkParts(msg, p.parts)
	}
	self, weights := p.heardWeights(got)
	for i, o := range m {
		copy(o.Own, p.own.Parts[i].Data)
		average(o.Dst, i, self, p.own.Parts[i].Data, p.own, weights, got)
	}
	p.Work(float64(2 * int64(size) * int64(len(got)+1)))
	p.releaseHeld()
}

// MixWhole is MixAll for what a method does not compress, where the network compresses too.
func (p *Proc) MixWhole(phase string, m ...Mixed) {
	p.squeezed.whole = true
	p.mixAll(phase, m)
	p.squeezed.whole = false
}

// sentParts makes the parts of a message of the objects, and returns the numbers in it.
func (p *Proc) sentParts(m []Sent) (size int) {
	p.parts = p.parts[:0]
	for _, o := range m {
		if len(o.Dst) != len(o.Src) || len(o.Own) != len(o.Src) {
			panic(fmt.Sprintf("node: sending %q: want a dst and an own of %d numbers, as src, got %d and %d",
				o.Name, len(o.Src), len(o.Dst), len(o.Own)))
		}
		p.parts = append(p.parts, o.part(o.Src))
		size += len(o.Src)
	}
	return size
}

// exchangePlain exchanges the parts that were made, compressed without memory, and keeps what was sent.
func (p *Proc) exchangePlain(phase string, patience sim.Time) []*channel.Message {
	p.squeezed.plain = true
	got := p.exchange(phase, p.parts, patience, true)
	p.squeezed.plain = false
	return got
}

// sendAlone sets Own to what a receiver would get, so that a node by itself computes what it would among
// others.
func (p *Proc) sendAlone(o *Sent) {
	z := p.net.cfg.Compress
	if z == nil {
		copy(o.Own, o.Src)
		return
	}
	q := p.encodings()
	z.Encode(o.Own, o.Src, o.Rows, o.Cols, channel.NoMemory, &q.scratch, q.rng)
}
