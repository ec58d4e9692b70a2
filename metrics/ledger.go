package metrics

import (
	"fmt"
	"slices"
)

// Shape describes a message part.
type Shape struct {
	Name       string
	Kind       Kind
	Rows, Cols int
	Bytes      int64 // as encoded
}

// Elements returns Rows * Cols.
func (s Shape) Elements() int64 { return int64(s.Rows) * int64(s.Cols) }

// Class is a class of messages that cost the same: of one phase, with the same parts. The ledger counts
// messages by class, so that a send is one increment whatever its parts are. Bytes and elements by kind follow
// exactly.
type Class struct {
	Phase    string
	Parts    []Shape
	Payload  int64 // bytes of all parts
	Overhead int64 // bytes of headers
	// Varies says that messages of the class differ in size. Each is counted with its own size.
	Varies bool
	// Shapeless says that they differ in the shapes of their parts, too. Then Varies is set, and shapes are 0 x 0.
	Shapeless bool
}

// Size is the bytes of one message, and its elements if its class is shapeless.
type Size struct {
	Payload  KindBytes
	Overhead int64
	Elements Elements
}

// WireBytes returns the bytes on a link: payload and headers.
func (s *Size) WireBytes() int64 { return s.Payload.Total() + s.Overhead }

// add adds a size a number of times.
func (s *Size) add(o *Size, times int64) {
	for k, n := range o.Payload {
		s.Payload[k] = sum(s.Payload[k], product(times, n))
	}
	s.Overhead = sum(s.Overhead, product(times, o.Overhead))
	if o.Elements != (Elements{}) {
		s.Elements = s.Elements.Plus(o.Elements.Times(times))
	}
}

// WireBytes returns the bytes on a link: payload and headers.
func (c *Class) WireBytes() int64 { return c.Payload + c.Overhead }

// Tally counts the sends of one node and class.
type Tally struct {
	Broadcasts int64 // once per send, whatever the number of receivers
	Messages   int64 // once per receiver
	Sized      Size  // total size of all messages, for a class that varies
	// Cast is the elements of all broadcasts, for a shapeless class.
	Cast Elements
}

// SendSize adds the size of a message of a class that varies. It does not count the send.
func (t *Tally) SendSize(size *Size, receivers int) {
	t.Sized.add(size, int64(receivers))
	if size.Elements != (Elements{}) {
		t.Cast = t.Cast.Plus(size.Elements)
	}
}

// plus returns t + o.
func (t Tally) plus(o Tally) Tally {
	t.Broadcasts += o.Broadcasts
	t.Messages += o.Messages
	t.Sized.add(&o.Sized, 1)
	t.Cast = t.Cast.Plus(o.Cast)
	return t
}

// LinkTally counts the messages of one directed link and class.
type LinkTally struct {
	Sent, Delivered int64
	Lost            int64 // sent and never delivered
}

// linkTally holds the part of a LinkTally that every link needs.
type linkTally struct{ sent, delivered int64 }

// linkBytes is the traffic of a link that does not follow from its tallies.
type linkBytes struct {
	sized       Size // of messages of classes that vary
	again, lost int64
}

// Ledger counts messages by (class, directed link). Its size is classes x links, whatever the length of the
// run.
type Ledger struct {
	classes []Class
	tallies [][]linkTally // by class, by link
	lost    [][]int64     // by class, by link: lost messages; shorter than classes if the last ones lost none
	links   int
	apart   []linkBytes // by link; nil while everything follows from the tallies
	parts   [][]PartSum // by class that varies, by part
}

// PartSum is the total of one part of the messages of a class over the whole run.
type PartSum struct {
	Broadcast, Wire int64 // elements, once per sender and once per receiver
	Bytes           int64 // once per receiver
}

// NewLedger returns an empty ledger for the directed links 0..links-1.
func NewLedger(links int) *Ledger { return &Ledger{links: links} }

// Classes returns all classes in order of first use.
func (l *Ledger) Classes() []Class { return l.classes }

// Class returns class i. The pointer is valid until the next AddClass.
func (l *Ledger) Class(i int) *Class { return &l.classes[i] }

// AddClass adds a class and returns its number.
func (l *Ledger) AddClass(c Class) int {
	c.Parts = slices.Clone(c.Parts)
	c.Payload = 0
	for _, p := range c.Parts {
		c.Payload += p.Bytes
	}
	l.classes = append(l.classes, c)
	l.tallies = append(l.tallies, make([]linkTally, l.links))
	l.parts = append(l.parts, make([]PartSum, len(c.Parts)))
	return len(l.classes) - 1
}

// Sent counts a message that departed on a link.
func (l *Ledger) Sent(class, link int) { l.tallies[class][link].sent++ }

// Delivered counts a message that arrived on a link.
func (l *Ledger) Delivered(class, link int) { l.tallies[class][link].delivered++ }

// bytes returns the counters of a link for traffic that does not follow from its tallies.
func (l *Ledger) bytes(link int) *linkBytes {
	if l.apart == nil {
		l.apart = make([]linkBytes, l.links)
	}
	return &l.apart[link]
}

// SentSize adds the size of a message of a class that varies. It is called after Sent.
func (l *Ledger) SentSize(link int, size *Size) { l.bytes(link).sized.add(size, 1) }

// Withdraw takes back a message that was counted and not sent. size is nil unless its class varies.
func (l *Ledger) Withdraw(class, link int, size *Size) {
	l.tallies[class][link].sent--
	if l.classes[class].Varies {
		l.bytes(link).sized.add(size, -1)
	}
}

// PartSent adds a part of a message of a class that varies, with its elements, bytes and number of receivers.
func (l *Ledger) PartSent(class, part int, elements, bytes int64, receivers int) {
	p, n := &l.parts[class][part], int64(receivers)
	p.Broadcast, p.Wire = sum(p.Broadcast, elements), sum(p.Wire, product(n, elements))
	p.Bytes = sum(p.Bytes, product(n, bytes))
}

// PartSum returns the total of a part over the whole run; t is the tally of its class over all nodes.
func (l *Ledger) PartSum(class, part int, t *Tally) PartSum {
	if l.classes[class].Varies {
		return l.parts[class][part]
	}
	p := &l.classes[class].Parts[part]
	return PartSum{product(t.Broadcasts, p.Elements()), product(t.Messages, p.Elements()), product(t.Messages, p.Bytes)}
}

// Lost counts a message of the given bytes that will never arrive.
func (l *Ledger) Lost(class, link int, bytes int64) {
	for len(l.lost) <= class {
		l.lost = append(l.lost, make([]int64, l.links))
	}
	l.lost[class][link]++
	b := l.bytes(link)
	b.lost = sum(b.lost, bytes)
}

// Again counts the bytes of a retransmission.
func (l *Ledger) Again(link int, bytes int64) {
	b := l.bytes(link)
	b.again = sum(b.again, bytes)
}

// Tally returns the counts of a class on a link.
func (l *Ledger) Tally(class, link int) LinkTally {
	t := &l.tallies[class][link]
	all := LinkTally{Sent: t.sent, Delivered: t.delivered}
	if class < len(l.lost) {
		all.Lost = l.lost[class][link]
	}
	return all
}

// Check verifies conservation. On each link, the messages of a class that were sent are those delivered, lost
// and in flight, where inFlight is counted independently, from pending events. All links together carried as
// many messages as the nodes sent. An error names class and link; it means that the simulator, not the
// scenario, is wrong.
func (l *Ledger) Check(inFlight func(class, link int) int64, byNodes []Tally) error {
	for c := range l.classes {
		phase := l.classes[c].Phase
		var carried int64
		for i := range l.tallies[c] {
			t := l.Tally(c, i)
			if f := inFlight(c, i); t.Sent != t.Delivered+t.Lost+f {
				return fmt.Errorf("metrics: not conserved: phase %q on link %d: sent %d, delivered %d, lost %d, in flight %d",
					phase, i, t.Sent, t.Delivered, t.Lost, f)
			}
			carried += t.Sent
		}
		var sent int64
		if c < len(byNodes) {
			sent = byNodes[c].Messages
		}
		if carried != sent {
			return fmt.Errorf("metrics: not conserved: phase %q: links carried %d messages, nodes sent %d",
				phase, carried, sent)
		}
	}
	return nil
}

// Traffic is the total of tallies. Totals embed it.
type Traffic struct {
	Carried
	Broadcast Elements // once per sender
	Wire      Elements // once per receiver
}

// Carried is the traffic of links.
type Carried struct {
	Messages      int64 // sent, once per receiver
	Payload       KindBytes
	Overhead      int64 // bytes of headers
	Retransmitted int64 // bytes sent again after a loss
	LostMessages  int64 // sent and never delivered
	LostBytes     int64
}

// PayloadBytes returns the payload bytes of all kinds.
func (c *Carried) PayloadBytes() int64 { return c.Payload.Total() }

// addSize adds the bytes of messages of a class that varies.
func (c *Carried) addSize(s *Size) {
	for k, n := range s.Payload {
		c.Payload[k] = sum(c.Payload[k], n)
	}
	c.Overhead = sum(c.Overhead, s.Overhead)
}

// add adds messages of a class. For a class that varies, sized is their total size; nil: addSize adds it.
func (c *Carried) add(cl *Class, messages int64, sized *Size) {
	c.Messages = sum(c.Messages, messages)
	if cl.Varies {
		if sized != nil {
			c.addSize(sized)
		}
		return
	}
	c.Overhead = sum(c.Overhead, product(messages, cl.Overhead))
	for _, p := range cl.Parts {
		c.Payload[p.Kind] = sum(c.Payload[p.Kind], product(messages, p.Bytes))
	}
}

// OnLink returns what a link carried.
func (l *Ledger) OnLink(link int) Carried {
	var c Carried
	for i := range l.classes {
		t := l.Tally(i, link)
		c.add(&l.classes[i], t.Sent, nil)
		c.LostMessages = sum(c.LostMessages, t.Lost)
	}
	if l.apart != nil {
		b := &l.apart[link]
		c.addSize(&b.sized)
		c.Retransmitted, c.LostBytes = b.again, b.lost
	}
	return c
}

// Traffic converts tallies by class to messages, bytes and elements by kind.
func (l *Ledger) Traffic(byClass []Tally) Traffic {
	var t Traffic
	for c, n := range byClass {
		cl := &l.classes[c]
		t.add(cl, n.Messages, &n.Sized)
		t.Broadcast, t.Wire = t.Broadcast.Plus(n.Cast), t.Wire.Plus(n.Sized.Elements)
		for _, p := range cl.Parts {
			t.Broadcast.Add(p.Kind, product(n.Broadcasts, p.Elements()))
			t.Wire.Add(p.Kind, product(n.Messages, p.Elements()))
		}
	}
	return t
}
