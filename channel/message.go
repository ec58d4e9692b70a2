package channel

import (
	"fmt"
	"math"
	"slices"

	"tallynet/metrics"
	"tallynet/sim"
)

// Message is a copy of parts that one node sends. All receivers of a broadcast share it. Its fields and the
// data of its parts must not be modified.
type Message struct {
	From   int
	Phase  string
	Parts  []Part
	SentAt sim.Time
	// Occurrence numbers the messages of one sender and phase, from 0, so that a message is
	// matched with its exchange, however late it arrives.
	Occurrence int
	// Counter is the sender's counter of events at the send.
	Counter uint64
	// Exchanged distinguishes a message of a synchronous exchange from a single send.
	Exchanged bool
	// Path is the sender's critical path at the send.
	Path metrics.Path
	// Chain is the chain of causes behind Path; nil if chains are not kept.
	Chain *metrics.Step
	// Cause is the tracer's number of the last wait behind Path; see metrics.Waiting.
	Cause int32
	// Class is the message's class in the ledger: phase and shapes.
	Class int
	// Bytes is its size on the wire, headers included.
	Bytes int64
	// PartBytes are the encoded bytes of its parts if its class varies in size.
	PartBytes []int64
	// Size is the encoded size of a message whose class varies in size; nil for other classes.
	Size *metrics.Size

	index    int32
	refs     int32
	checksum uint64
	data     []float64
}

// Vec returns the data of part i.
func (m *Message) Vec(i int) []float64 { return m.Parts[i].Data }

// Pool makes messages and takes them back. A message that was taken back is reused for the next one of its
// class, so that nothing is allocated in steady state.
type Pool struct {
	Codec Codec
	// Verify makes Release panic if a receiver modified the data of a message, and makes
	// released data unusable.
	Verify bool

	all  []*Message
	free [][]*Message // by class
	live int
}

// New returns a message with a copy of parts, as receivers decode them, for the given number of receivers, at
// least 1.
func (p *Pool) New(class int, parts []Part, receivers int) *Message {
	return p.NewBy(class, parts, receivers, nil)
}

// NewBy is New with a function that encodes part i to dst. If it is nil, the pool's codec encodes.
func (p *Pool) NewBy(class int, parts []Part, receivers int, encode func(i int, dst []float64)) *Message {
	n := 0
	for i := range parts {
		if s := &parts[i]; len(s.Data) != s.Rows*s.Cols || s.Rows < 0 {
			panic(fmt.Sprintf("channel: part %q: want %d x %d numbers, got %d", s.Name, s.Rows, s.Cols, len(s.Data)))
		}
		n += len(parts[i].Data)
	}
	m := p.take(class, parts)
	m.data = slices.Grow(m.data[:0], n)[:n]
	off := 0
	for i := range parts {
		s := &parts[i]
		d := m.data[off : off+len(s.Data) : off+len(s.Data)]
		if encode != nil {
			encode(i, d)
		} else {
			p.Codec.Encode(d, s.Data)
		}
		m.Parts[i].Data = d
		off += len(s.Data)
	}
	m.refs = int32(receivers)
	p.live++
	if p.Verify {
		m.checksum = checksum(m.data)
	}
	return m
}

// take returns a message of the class without data, which may be reused.
func (p *Pool) take(class int, parts []Part) *Message {
	for class >= len(p.free) {
		p.free = append(p.free, nil)
	}
	f := p.free[class]
	if len(f) == 0 {
		m := &Message{Class: class, index: int32(len(p.all)), Parts: slices.Clone(parts)}
		p.all = append(p.all, m)
		return m
	}
	m := f[len(f)-1]
	p.free[class] = f[:len(f)-1]
	for i := range parts { // names and kinds are those of m, but shapes may differ
		m.Parts[i].Rows, m.Parts[i].Cols = parts[i].Rows, parts[i].Cols
	}
	return m
}

// Index returns the index of m for Pool.At.
func (m *Message) Index() int32 { return m.index }

// At returns the message with the given index.
func (p *Pool) At(index int32) *Message { return p.all[index] }

// Live returns the number of messages that are in flight or held.
func (p *Pool) Live() int { return p.live }

// Retain adds a holder of m, which must release it.
func (p *Pool) Retain(m *Message) { m.refs++ }

// Release ends the use of m by one holder.
func (p *Pool) Release(m *Message) {
	m.refs--
	if m.refs > 0 {
		return
	}
	if m.refs < 0 {
		panic(fmt.Sprintf("channel: message %q of node %d was released too often", m.Phase, m.From))
	}
	if p.Verify {
		if checksum(m.data) != m.checksum {
			panic(fmt.Sprintf("channel: a receiver of message %q of node %d, sent at %v, changed its shared data",
				m.Phase, m.From, m.SentAt))
		}
		poison(m.data)
	}
	p.live--
	p.free[m.Class] = append(p.free[m.Class], m)
}

func checksum(v []float64) uint64 {
	var h sim.Hash
	h.Floats(v)
	return h.Sum()
}

// poison sets released data to NaN, so that reading it shows.
func poison(v []float64) {
	for i := range v {
		v[i] = math.NaN()
	}
}
