package metrics

import (
	"fmt"
	"slices"
)

// Shape is what the ledger knows of a message part.
type Shape struct {
	Name       string
	Kind       Kind
	Rows, Cols int
	Bytes      int64 // as encoded
}

// Elements returns Rows * Cols.
func (s Shape) Elements() int64 { return int64(s.Rows) * int64(s.Cols) }

// Class is a class of messages that cost the same: one phase, the same parts. Messages
// are counted by class, so that a send is one increment whatever its parts are, and bytes
// and elements by kind follow exactly.
type Class struct {
	Phase    string
	Parts    []Shape
	Payload  int64 // bytes of all parts
	Overhead int64 // bytes of headers
	// Varies: messages of the class differ in size, and each is counted with its own.
	Varies bool
	// Shapeless: they differ in the shapes of their parts, too. Varies is set, and the shapes are 0 x 0.
	Shapeless bool
}

// Size is the bytes of one message, and its elements where its class is shapeless.
type Size struct {
	Payload  KindBytes
	Overhead int64
	Elements Elements
}

// WireBytes returns the bytes that cross a link: payload and headers.
func (s *Size) WireBytes() int64 { return s.Payload.Total() + s.Overhead }

// add counts a message a number of times.
func (s *Size) add(o *Size, times int64) {
	for k, n := range o.Payload {
		s.Payload[k] = sum(s.Payload[k], product(times, n))
	}
	s.Overhead = sum(s.Overhead, product(times, o.Overhead))
	if o.Elements != (Elements{}) {
		s.Elements = s.Elements.Plus(o.Elements.Times(times))
	}
}

// WireBytes returns the bytes that cross a link: payload and headers.
func (c *Class) WireBytes() int64 { return c.Payload + c.Overhead }

// Tally counts the sends of one node and class.
type Tally struct {
	Broadcasts int64 // once per send, whatever the number of receivers
	Messages   int64 // once per receiver
	Sized      Size  // of all messages, of a class that varies
	// Cast are the elements of all broadcasts, of a class without shapes.
	Cast Elements
}

// Send counts a send to a number of receivers.
func (t *Tally) Send(receivers int) {
	t.Broadcasts++
	t.Messages += int64(receivers)
}

// SendSize adds the size of a message of a class that varies, after Send.
func (t *Tally) SendSize(size *Size, receivers int) {
	t.Sized.add(size, int64(receivers))
	if size.Elements != (Elements{}) {
		t.Cast = t.Cast.Plus(size.Elements)
	}
}

// plus returns the counts of both.
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

// linkTally is what every link has of a LinkTally.
type linkTally struct{ sent, delivered int64 }

// linkBytes is what a link carried that does not follow from its tallies.
type linkBytes struct {
	sized       Size // of messages of classes that vary
	again, lost int64
}

// Ledger counts messages by (class, directed link). Its size is classes x links,
// whatever the length of the run.
type Ledger struct {
	classes []Class
	tallies [][]linkTally // by class, by link
	lost    [][]int64     // messages, by class, by link; without the last classes of which none is lost
	links   int
	apart   []linkBytes // by link; nil as long as everything follows from the tallies
	parts   [][]PartSum // by class that varies, by part
}

// PartSum is what a part of the messages of a class amounts to in the whole run.
type PartSum struct {
	Broadcast, Wire int64 // elements, once per sender and once per receiver
	Bytes           int64 // once per receiver
}

// NewLedger returns an empty ledger for directed links 0..links-1.
func NewLedger(links int) *Ledger { return &Ledger{links: links} }

// Classes returns all classes seen so far, in order of first use.
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

// Sent counts a message of a class that left on a link.
func (l *Ledger) Sent(class, link int) { l.tallies[class][link].sent++ }

// Delivered counts a message that arrived.
func (l *Ledger) Delivered(class, link int) { l.tallies[class][link].delivered++ }

// bytes returns what a link carried apart from its tallies, to add to it.
func (l *Ledger) bytes(link int) *linkBytes {
	if l.apart == nil {
		l.apart = make([]linkBytes, l.links)
	}
	return &l.apart[link]
}

// SentSize adds the size of a message of a class that varies, after Sent.
func (l *Ledger) SentSize(link int, size *Size) { l.bytes(link).sized.add(size, 1) }

// PartSent adds a part of a message of a class that varies: its elements and bytes, and how many receive it.
func (l *Ledger) PartSent(class, part int, elements, bytes int64, receivers int) {
	p, n := &l.parts[class][part], int64(receivers)
	p.Broadcast, p.Wire = sum(p.Broadcast, elements), sum(p.Wire, product(n, elements))
	p.Bytes = sum(p.Bytes, product(n, bytes))
}

// PartSum returns what a part amounts to in the whole run, whose nodes have sent t in its class.
func (l *Ledger) PartSum(class, part int, t *Tally) PartSum {
	if l.classes[class].Varies {
		return l.parts[class][part]
	}
	p := &l.classes[class].Parts[part]
	return PartSum{product(t.Broadcasts, p.Elements()), product(t.Messages, p.Elements()), product(t.Messages, p.Bytes)}
}

// Lost counts a message of some bytes that will never arrive.
func (l *Ledger) Lost(class, link int, bytes int64) {
	for len(l.lost) <= class {
		l.lost = append(l.lost, make([]int64, l.links))
	}
	l.lost[class][link]++
	b := l.bytes(link)
	b.lost = sum(b.lost, bytes)
}

// Again counts the bytes of an attempt to send a message that was lost before.
func (l *Ledger) Again(link int, bytes int64) {
	b := l.bytes(link)
	b.again = sum(b.again, bytes)
}

// Tally returns the counts of one class and link.
func (l *Ledger) Tally(class, link int) LinkTally {
	t := &l.tallies[class][link]
	all := LinkTally{Sent: t.sent, Delivered: t.delivered}
	if class < len(l.lost) {
		all.Lost = l.lost[class][link]
	}
	return all
}

// Check verifies conservation: on each link, the messages of a class that were sent are
// those delivered, those lost and those in flight, where inFlight is counted independently, from what
// is still pending; and all links together carried as many as the nodes say they sent. An
// error names class and link; it means that the simulator, not the scenario, is wrong.
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

// Traffic is what tallies amount to. Totals have it whole.
type Traffic struct {
	Carried
	Broadcast Elements // once per sender
	Wire      Elements // once per receiver
}

// Carried is what links were given to carry.
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

// addSize counts the bytes of messages that differ in size.
func (c *Carried) addSize(s *Size) {
	for k, n := range s.Payload {
		c.Payload[k] = sum(c.Payload[k], n)
	}
	c.Overhead = sum(c.Overhead, s.Overhead)
}

// add counts messages of a class, and their size where the class varies and it is given.
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
