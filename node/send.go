package node

import (
	"errors"
	"fmt"
	"slices"

	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/sim"
)

// all returns the indices of all neighbours.
func (c *Context) all() []int { return c.net.indices[:len(c.neighbors)] }

// send sends one copy of parts to each of the neighbours of c at the ascending indices in to. It returns the message,
// or nil if none was sent.
func (n *Network) send(
	c *Context, phase, occurrence int, exchanged bool, to []int, parts []channel.Part,
) *channel.Message {
	c.sync()
	if n.turns != nil && !exchanged {
		c.Fail(errors.New("it sends outside of a round, and the graph changes from round to round: mix or exchange, or " +
			"leave dynamics out"))
		return nil
	}
	if len(to) == 0 || n.pastEnd(c) {
		return nil
	}
	squeeze := n.compresses(c, exchanged)
	class := n.class(phase, parts, squeeze)
	for len(c.spent.Tallies) <= class {
		c.spent.Tallies = append(c.spent.Tallies, metrics.Tally{})
	}
	form := n.ledger.Class(class)
	varies, bytes, payload := form.Varies, form.WireBytes(), form.Payload
	var m *channel.Message
	if varies {
		m = n.newSized(c, phase, class, parts, len(to), squeeze)
	} else {
		m = n.pool.New(class, parts, len(to))
	}
	tally := &c.spent.Tallies[class]
	tally.Broadcasts++
	tally.Messages += int64(len(to))
	if varies {
		tally.SendSize(m.Size, len(to))
		bytes, payload = m.Size.WireBytes(), m.Size.Payload.Total()
	}
	m.Bytes = bytes
	receiver := everyone
	if !exchanged && len(to) < len(c.neighbors) {
		receiver = to[0]
	}
	c.record(step{kind: sendStep, phase: n.phases[phase], n: occurrence, exchanged: exchanged, payload: payload,
		to: receiver})
	n.ship(c, m, phase, occurrence, exchanged, to)
	return m
}

// ship sends a message of a known size to the neighbours of c at the ascending indices in to.
func (n *Network) ship(c *Context, m *channel.Message, phase, occurrence int, exchanged bool, to []int) {
	m.From, m.Phase, m.SentAt = c.id, n.phases[phase], c.now
	m.Occurrence, m.Exchanged, m.Path = occurrence, exchanged, c.spent.Path
	m.Chain, m.Cause, m.Counter = c.chain, c.cause, c.seq
	track := n.ahead && exchanged && n.heavy(phase)
	for _, k := range to {
		link := c.firstLink + k
		n.ledger.Sent(m.Class, link)
		if m.Size != nil {
			n.ledger.SentSize(link, m.Size)
		}
		if n.faults.on {
			n.post(c, m, link)
			continue
		}
		if n.charges != nil {
			n.pay(c, link, m, c.now)
		}
		x := channel.Transfer{Link: int32(link), Ref: m.Index(), Bytes: m.Bytes, Cast: m.Counter}
		at, known := n.fabric.Send(c.now, x)
		kind := begins
		if known {
			kind = arrives
		}
		receiver := c.neighbors[k]
		n.queue.Push(sim.Event{At: at, To: int32(receiver), From: int32(c.id), Seq: c.seq,
			Ref: m.Index(), Port: port(kind, link)})
		c.seq++
		if track {
			n.expect(receiver, link, transit{m, at})
		}
	}
}

// phase returns the number of a phase, which may be new. Lookup is linear: runs have few phases, and equal
// string literals share their bytes.
func (n *Network) phase(name string) int {
	if i := slices.Index(n.phases, name); i >= 0 {
		return i
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

// newSized returns a message whose size varies, compressed or not, and counts its bytes and elements.
func (n *Network) newSized(c *Context, phase, class int, parts []channel.Part, receivers int,
	squeeze bool) *channel.Message {
	var size metrics.Size
	each := n.partBytes[:0]
	m := n.pool.NewBy(class, parts, receivers, func(i int, dst []float64) {
		p := &parts[i]
		elements, bytes := int64(len(p.Data)), n.cfg.Codec.Size(len(p.Data))
		if squeeze {
			bytes = n.compress(c, phase, p, dst)
		} else {
			n.cfg.Codec.Encode(dst, p.Data)
		}
		each = append(each, bytes)
		size.Payload[p.Kind] += bytes
		if n.ledger.Class(class).Shapeless {
			size.Elements.Add(p.Kind, elements)
		}
		n.ledger.PartSent(class, i, elements, bytes, receivers)
	})
	size.Overhead = n.overhead(phase, size.Payload.Total())
	n.partBytes, m.PartBytes = each, append(m.PartBytes[:0], each...)
	if m.Size == nil {
		m.Size = new(metrics.Size)
	}
	*m.Size = size
	return m
}

// sameParts reports whether parts have the names and kinds of shapes.
func sameParts(s []metrics.Shape, p []channel.Part) bool {
	return slices.EqualFunc(s, p, func(a metrics.Shape, b channel.Part) bool {
		return a.Kind == b.Kind && a.Name == b.Name
	})
}

func sameShapes(s []metrics.Shape, p []channel.Part) bool {
	return sameParts(s, p) && slices.EqualFunc(s, p, func(a metrics.Shape, b channel.Part) bool {
		return a.Rows == b.Rows && a.Cols == b.Cols
	})
}
