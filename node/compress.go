package node

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"tallynet/channel"
)

// sendMode selects how the message that a node is sending is compressed.
type sendMode struct {
	plain bool // without memory
	whole bool // not at all
}

// encodings is the state of a node's compressed arrays.
type encodings struct {
	rng     *rand.Rand
	states  map[arrayKey]*channel.State
	scratch channel.State // of arrays that are sent without memory
}

// arrayKey names an array that a node sends repeatedly.
type arrayKey struct {
	phase int
	name  string
	size  int
}

// encodings returns the state of the node's compressed arrays.
func (c *Context) encodings() *encodings {
	r := c.extra()
	if r.encodings == nil {
		r.encodings = &encodings{rng: c.Rand("compress"), states: map[arrayKey]*channel.State{}}
	}
	return r.encodings
}

// compresses reports whether a message of the node is compressed. Only exchanges are; a server's are not if the
// compression is for the uplink only, and neither are those that a method sends whole.
func (n *Network) compresses(c *Context, exchanged bool) bool {
	z := n.cfg.Compress
	return z != nil && exchanged && !c.sendMode.whole && !(z.UpOnly && c.role == Server)
}

// compress sets dst to what receivers decode from a part, and returns its bytes.
func (n *Network) compress(c *Context, phase int, p *channel.Part, dst []float64) int64 {
	z, q := n.cfg.Compress, c.encodings()
	memory, s := z.Memory, &q.scratch
	if c.sendMode.plain {
		memory = channel.NoMemory
	}
	if memory != channel.NoMemory {
		key := arrayKey{phase, p.Name, len(p.Data)}
		if s = q.states[key]; s == nil {
			s = new(channel.State)
			q.states[key] = s
		}
	}
	return z.Encode(dst, p.Data, p.Rows, p.Cols, memory, s, q.rng)
}

// Sent is an object of MixAllSent and AverageSent. Own, which has the size of Src, receives what the neighbours
// decode from Src. Own must overlap neither Src nor Dst.
type Sent struct {
	Mixed
	Own []float64
}

// SentVec returns a vector to be exchanged: src (d) is sent, dst (d) receives the average and own (d) what the
// neighbours decode.
func SentVec(name string, own, dst, src []float64) Sent { return Sent{MixVec(name, dst, src), own} }

// MixSent is MixAllSent for one vector: own, dst and v have d elements.
func (p *Proc) MixSent(own, dst []float64, phase string, v []float64) {
	p.MixAllSent(phase, SentVec(phase, own, dst, v))
}

// MixAllSent exchanges the objects with all neighbours in one message. If the network compresses, the message
// is compressed without memory, for methods that keep a memory of their own. It sets every Own to what the
// neighbours decode from Src, and Dst to w_ii Own plus the sum of w_ij times what neighbour j sent. It charges
// as MixAll does.
func (p *Proc) MixAllSent(phase string, m ...Sent) {
	if len(p.neighbors) == 0 {
		for _, o := range m {
			p.sendAlone(&o)
			floats.ScaleTo(o.Dst, p.selfWeight, o.Own)
		}
		return
	}
	p.sendMode.plain = true
	p.mixAll(phase, p.withoutOwn(m), m)
	p.sendMode.plain = false
}

// MixWhole is MixAll for objects that a method never compresses.
func (p *Proc) MixWhole(phase string, m ...Mixed) {
	p.sendMode.whole = true
	p.mixAll(phase, m, nil)
	p.sendMode.whole = false
}

// withoutOwn returns the objects without their Own, whose lengths it checks unless the node is a server.
func (p *Proc) withoutOwn(m []Sent) []Mixed {
	all := p.mixed[:0]
	for _, o := range m {
		if p.role != Server && (len(o.Dst) != len(o.Src) || len(o.Own) != len(o.Src)) {
			panic(fmt.Sprintf("node: sending %q: want a dst and an own of %d numbers, as src, got %d and %d",
				o.Name, len(o.Src), len(o.Dst), len(o.Own)))
		}
		all = append(all, o.Mixed)
	}
	p.mixed = all
	return all
}

// sendAlone sets Own to what a receiver would decode, so that a single node computes what it would among
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
