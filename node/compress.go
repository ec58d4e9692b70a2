package node

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"tallynet/channel"
	"tallynet/metrics"
)

// squeezed is what a node keeps of the arrays that it sends compressed.
type squeezed struct {
	rng    *rand.Rand
	states map[arrayKey]*channel.State
	plain  bool // the message under way is sent without memory
}

// arrayKey names an array that is sent again and again.
type arrayKey struct {
	phase int
	name  string
	size  int
}

// squeezes reports whether a message of a node is compressed: those of exchanges are, but for those
// of a server if only what goes up is.
func (n *Network) squeezes(c *Context, exchanged bool) bool {
	z := n.cfg.Compress
	return z != nil && exchanged && !(z.UpOnly && c.role == Server)
}

// compressed returns a message whose parts were encoded and decoded, and counts their bytes.
func (n *Network) compressed(c *Context, phase, class int, parts []channel.Part, receivers int) *channel.Message {
	z, q := n.cfg.Compress, &c.squeezed
	if q.rng == nil {
		q.rng, q.states = c.Rand("compress"), map[arrayKey]*channel.State{}
	}
	memory := z.Memory
	if q.plain {
		memory = channel.NoMemory
	}
	var size metrics.Size
	m := n.pool.NewBy(class, parts, receivers, func(i int, dst []float64) {
		p := &parts[i]
		key := arrayKey{phase, p.Name, len(p.Data)}
		s := q.states[key]
		if s == nil {
			s = &channel.State{}
			q.states[key] = s
		}
		bytes := z.Encode(dst, p.Data, p.Rows, p.Cols, memory, s, q.rng)
		size.Payload[p.Kind] += bytes
		n.ledger.PartSent(class, i, bytes*int64(receivers))
	})
	var ok bool
	if size.Overhead, ok = n.cfg.Overhead.Of(size.Payload.Total()); !ok {
		n.fail(fmt.Errorf("phase %q: a message with its headers has more bytes than 64 bits hold (9.2e18)", n.phases[phase]))
	}
	m.Size = size
	return m
}

// MixSent exchanges v (d) with all neighbours, compressed without memory where the network compresses.
// It sets own (d) to what neighbours get of v, and dst (d) to w_ii own + sum of w_ij times what it gets
// of the neighbours j. It is for methods that keep a memory of their own. It charges as Mix does.
func (p *Proc) MixSent(own, dst []float64, phase string, v []float64) {
	if len(p.neighbors) == 0 {
		if z := p.net.cfg.Compress; z != nil { // so that a node by itself computes what it would among others
			p.encodeAlone(own, phase, v)
		} else {
			copy(own, v)
		}
		floats.ScaleTo(dst, p.selfWeight, own)
		return
	}
	p.parts = append(p.parts[:0], channel.Vec(phase, v))
	p.squeezed.plain = true
	got := p.exchange(phase, p.parts, p.net.cfg.Silence.After, true)
	p.squeezed.plain = false
	copy(own, p.own.Parts[0].Data)
	floats.ScaleTo(dst, p.silentWeight(got), own)
	for _, m := range got {
		p.checkParts(m, p.parts)
		floats.AddScaled(dst, p.weightOf(m.From), m.Parts[0].Data)
	}
	p.Work(float64(2 * int64(len(v)) * int64(len(got)+1)))
	p.releaseHeld()
}

// encodeAlone encodes what nobody receives.
func (p *Proc) encodeAlone(own []float64, phase string, v []float64) {
	q := &p.squeezed
	if q.rng == nil {
		q.rng, q.states = p.Rand("compress"), map[arrayKey]*channel.State{}
	}
	key := arrayKey{-1, phase, len(v)}
	if q.states[key] == nil {
		q.states[key] = &channel.State{}
	}
	p.net.cfg.Compress.Encode(own, v, len(v), 1, channel.NoMemory, q.states[key], q.rng)
}
