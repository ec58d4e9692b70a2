package node

import (
	"errors"
	"fmt"

	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/sim"
)

// send sends one copy of parts to the neighbours first..end-1 of c or, if only is not nil, to those at the
// indices in only. It returns the message, or nil if none was sent.
func (n *Network) send(
	c *Context, phase, occurrence int, exchanged bool, first, end int, only []int, parts []channel.Part,
) *channel.Message {
	c.sync()
	if n.turns != nil && !exchanged {
		c.Fail(errors.New("it sends outside of a round, and the graph changes from round to round: mix or exchange, or " +
			"leave dynamics out"))
		return nil
	}
	if only != nil {
		first, end = 0, len(only)
	}
	if first == end || n.pastEnd(c) {
		return nil
	}
	squeeze := n.compresses(c, exchanged)
	class := n.class(phase, parts, squeeze)
	for len(c.spent.Tallies) <= class {
		c.spent.Tallies = append(c.spent.Tallies, sendCount{})
	}
	form := n.ledger.Class(class)
	varies, bytes := form.Varies, form.WireBytes()
	var m *channel.Message
	switch {
	case squeeze:
		m = n.compressed(c, phase, class, parts, end-first)
	case varies:
		m = n.newSized(phase, class, parts, end-first)
	default:
		m = n.pool.New(class, parts, end-first)
	}
	tally := &c.spent.Tallies[class]
	tally.Broadcasts++
	tally.Messages += int64(end - first)
	if varies {
		c.extra().tally(class).SendSize(m.Size, end-first)
		bytes = m.Size.WireBytes()
	}
	m.From, m.Phase, m.SentAt = c.id, n.phases[phase], c.now
	m.Occurrence, m.Exchanged, m.Path = occurrence, exchanged, c.spent.Path
	m.Chain, m.Cause = c.chain, c.cause
	m.Counter, m.Bytes = c.seq, bytes
	if n.charges != nil {
		n.pay(c, bytes, first, end, only)
	}
	track := n.ahead && exchanged && n.heavy(phase)
	for i := first; i < end; i++ {
		k := i
		if only != nil {
			k = only[i]
		}
		link := c.firstLink + k
		n.ledger.Sent(class, link)
		if varies {
			n.ledger.SentSize(link, m.Size)
		}
		if n.faults.on {
			n.post(c, m, link)
			continue
		}
		at, known := n.fabric.Send(c.now, channel.Transfer{Link: int32(link), Ref: m.Index(), Bytes: bytes, Cast: m.Counter})
		kind := begins
		if known {
			kind = arrives
		}
		to := int32(c.neighbors[k])
		n.queue.Push(sim.Event{At: at, To: to, From: int32(c.id), Seq: c.seq, Ref: m.Index(), Port: port(kind, link)})
		c.seq++
		if track {
			n.expect(int(to), link, transit{m, at})
		}
	}
	return m
}

// phase returns the number of a phase, which may be new. Lookup is linear: runs have few phases, and equal
// string literals share their bytes.
func (n *Network) phase(name string) int {
	for i, p := range n.phases {
		if p == name {
			return i
		}
	}
	n.phases = append(n.phases, name)
	n.classesOf = append(n.classesOf, nil)
	return len(n.phases) - 1
}

// class returns the ledger's class of messages with these parts, which may be new.
func (n *Network) class(phase int, parts []channel.Part, varies bool) int {
	alike := 0
	for _, i := range n.classesOf[phase] {
		c := n.ledger.Class(i)
		switch {
		case c.Varies == varies && sameShapes(c.Parts, parts), c.Shapeless && sameParts(c.Parts, parts):
			return i
		case sameParts(c.Parts, parts):
			alike++
		}
	}
	return n.addClass(phase, parts, varies, alike)
}

// mostShapes is the most classes of one phase that differ in shapes only. All further shapes share one class,
// so that messages of many sizes do not slow down a run.
const mostShapes = 64

// addClass adds a class of messages with these parts. The phase has alike classes that differ from it in shapes
// only.
func (n *Network) addClass(phase int, parts []channel.Part, varies bool, alike int) int {
	c := metrics.Class{Phase: n.phases[phase], Varies: varies || alike >= mostShapes, Shapeless: alike >= mostShapes}
	var payload int64
	for _, p := range parts {
		shape := metrics.Shape{Name: p.Name, Kind: p.Kind}
		if !c.Shapeless {
			shape.Rows, shape.Cols, shape.Bytes = p.Rows, p.Cols, n.cfg.Codec.Size(len(p.Data))
		}
		c.Parts = append(c.Parts, shape)
		payload += shape.Bytes
	}
	c.Overhead = n.overhead(phase, payload)
	n.phaseOf = append(n.phaseOf, phase)
	i := n.ledger.AddClass(c)
	n.classesOf[phase] = append(n.classesOf[phase], i)
	return i
}

// overhead returns the header bytes of a message.
func (n *Network) overhead(phase int, payload int64) int64 {
	bytes, ok := n.cfg.Overhead.Of(payload)
	if !ok {
		n.fail(fmt.Errorf("phase %q: a message with its headers has more bytes than 64 bits hold (9.2e18)", n.phases[phase]))
	}
	return bytes
}

// newSized returns a message of a class without shapes, and counts its bytes and elements.
func (n *Network) newSized(phase, class int, parts []channel.Part, receivers int) *channel.Message {
	m := n.pool.New(class, parts, receivers)
	var size metrics.Size
	m.PartBytes = m.PartBytes[:0]
	for i, p := range parts {
		elements := int64(len(p.Data))
		bytes := n.cfg.Codec.Size(len(p.Data))
		size.Payload[p.Kind] += bytes
		size.Elements.Add(p.Kind, elements)
		m.PartBytes = append(m.PartBytes, bytes)
		n.ledger.PartSent(class, i, elements, bytes, receivers)
	}
	size.Overhead = n.overhead(phase, size.Payload.Total())
	setSize(m, size)
	return m
}

// setSize sets the size of a message, whose memory may be reused.
func setSize(m *channel.Message, size metrics.Size) {
	if m.Size == nil {
		m.Size = new(metrics.Size)
	}
	*m.Size = size
}

// sameParts reports whether parts have the names and kinds of shapes.
func sameParts(s []metrics.Shape, p []channel.Part) bool {
	if len(s) != len(p) {
		return false
	}
	for i := range s {
		if s[i].Kind != p[i].Kind || s[i].Name != p[i].Name {
			return false
		}
	}
	return true
}

func sameShapes(s []metrics.Shape, p []channel.Part) bool {
	if len(s) != len(p) {
		return false
	}
	for i := range s {
		if s[i].Rows != p[i].Rows || s[i].Cols != p[i].Cols || s[i].Kind != p[i].Kind || s[i].Name != p[i].Name {
			return false
		}
	}
	return true
}
