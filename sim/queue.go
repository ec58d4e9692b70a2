package sim

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"
)

// Event is something that happens to node To at time At. It is a value of 32 bytes; queueing one allocates
// nothing. To, From and Seq make the order of simultaneous events total. The dispatcher defines Ref and Port.
type Event struct {
	At   Time
	To   int32  // who is affected
	From int32  // who caused it
	Seq  uint64 // From's own counter: unique and ascending per From
	Ref  int32
	Port uint32
}

// tie orders events of one time by receiver, sender and counter.
type tie struct{ ends, seq uint64 }

func (e *Event) tie() tie { return tie{uint64(e.To)<<32 | uint64(uint32(e.From)), e.Seq} }

func (t tie) less(o tie) bool { return t.ends < o.ends || t.ends == o.ends && t.seq < o.seq }

func compareTies(a, b Event) int {
	s, t := a.tie(), b.tie()
	if s.ends != t.ends {
		return cmp.Compare(s.ends, t.ends)
	}
	return cmp.Compare(s.seq, t.seq)
}

// Queue is a monotone priority queue of events: no event may be earlier than the last one taken. That holds in
// any simulation and makes a radix heap possible (Ahuja, Mehlhorn, Orlin, Tarjan 1990), whose cost hardly grows
// with the number of pending events. Events are ordered by time, then receiver, then sender, then the sender's
// counter. The zero value is an empty queue. Memory is kept for reuse.
type Queue struct {
	last    Time // no pending event is earlier
	size    int
	filled  uint64  // bit b is set if bucket b is not empty
	now     instant // events at time last
	buckets [64][]Event
	taken   Event // the event that Run dispatches; a local variable would be allocated
}

// instant holds the events of one time: a sorted part that is consumed from the front, and a small heap of
// events that were added later for this same time.
type instant struct {
	sorted []Event
	next   int
	late   []Event // binary heap by tie
}

// Pending yields all pending events in no particular order.
func (q *Queue) Pending() iter.Seq[Event] {
	return func(yield func(Event) bool) {
		all := func(es []Event) bool {
			for _, e := range es {
				if !yield(e) {
					return false
				}
			}
			return true
		}
		if !all(q.now.sorted[q.now.next:]) || !all(q.now.late) {
			return
		}
		for _, b := range q.buckets {
			if !all(b) {
				return
			}
		}
	}
}

// Push adds an event. It panics if the event is earlier than the last one taken, which is a programming error.
func (q *Queue) Push(e Event) {
	if e.At < q.last {
		panic("sim: event in the past: at " + e.At.String() + ", now " + q.last.String())
	}
	q.size++
	if e.At == q.last {
		q.now.push(e)
		return
	}
	// An event is in the bucket of the highest bit in which its time differs from last,
	// so that it moves down at most once per bit while last approaches.
	b := bits.Len64(uint64(e.At^q.last)) - 1
	s := q.buckets[b]
	if len(s) == cap(s) && len(s) >= many {
		s = q.widen(b)
	}
	q.buckets[b] = append(s, e)
	q.filled |= 1 << b
}

// many is the size from which on a full bucket looks for the memory of an empty one.
const many = 256

// widen doubles the capacity of bucket b, which is full. It swaps the memory with that of an empty bucket, if
// one is large enough. As time advances, other buckets fill, and few of them are large at once.
func (q *Queue) widen(b int) []Event {
	full := q.buckets[b]
	for i := range q.buckets { // by index: ranging over values would copy the array to a coroutine's small stack
		if idle := q.buckets[i]; len(idle) == 0 && cap(idle) >= 2*len(full) {
			q.buckets[i] = full[:0]
			return append(idle, full...)
		}
	}
	return append(make([]Event, 0, 2*len(full)), full...)
}

// Len returns the number of pending events.
func (q *Queue) Len() int { return q.size }

// Peek returns the time of the earliest event, or Never if there is none.
func (q *Queue) Peek() Time {
	if q.size == 0 {
		return Never
	}
	if !q.now.empty() {
		return q.last
	}
	return earliest(q.buckets[bits.TrailingZeros64(q.filled)])
}

// Pop moves the first event to e. It returns false if there is none.
func (q *Queue) Pop(e *Event) bool {
	if q.size == 0 {
		return false
	}
	q.size--
	if q.now.empty() && q.advance(e) {
		return true
	}
	q.now.pop(e)
	return true
}

// advance moves last to the earliest pending time, and the events of that time to now. If the first bucket
// holds a single event, the common case when times are random, it moves that event to e and returns true.
func (q *Queue) advance(e *Event) bool {
	b := bits.TrailingZeros64(q.filled)
	from := q.buckets[b]
	if len(from) == 1 {
		*e = from[0]
		q.last = e.At
		q.buckets[b] = from[:0]
		q.filled &^= 1 << b
		return true
	}
	last := earliest(from)
	q.last = last
	q.now.reset()
	if b == 0 || allAt(last, from) {
		// Always true in bucket 0, and in a synchronous method: swap the slices instead of copying.
		q.now.sorted, q.buckets[b] = from, q.now.sorted[:0]
	} else {
		filled := q.filled
		for i := range from {
			ev := &from[i]
			if ev.At == last {
				q.now.sorted = append(q.now.sorted, *ev)
				continue
			}
			to := bits.Len64(uint64(ev.At^last)) - 1
			q.buckets[to] = append(q.buckets[to], *ev)
			filled |= 1 << to
		}
		q.filled = filled
		q.buckets[b] = from[:0]
	}
	q.filled &^= 1 << b
	q.now.sort()
	return false
}

func earliest(es []Event) Time {
	t := es[0].At
	for i := 1; i < len(es); i++ {
		t = min(t, es[i].At)
	}
	return t
}

// allAt reports whether all events are at time t.
func allAt(t Time, es []Event) bool {
	for i := range es {
		if es[i].At != t {
			return false
		}
	}
	return true
}

func (r *instant) empty() bool { return r.next == len(r.sorted) && len(r.late) == 0 }

func (r *instant) reset() {
	r.sorted = r.sorted[:0]
	r.next = 0
}

// sort orders the events. In a synchronous method on a regular graph they are almost sorted, so it begins with
// insertion sort, and goes on with it while few events have to move.
func (r *instant) sort() {
	es := r.sorted
	moves := 0
	for i := 1; i < len(es); i++ {
		t := es[i].tie()
		if !t.less(es[i-1].tie()) {
			continue
		}
		if moves > 4*i+16 {
			slices.SortFunc(es, compareTies)
			return
		}
		e := es[i]
		k := i
		for k > 0 && t.less(es[k-1].tie()) {
			es[k] = es[k-1]
			k--
		}
		es[k] = e
		moves += i - k
	}
}

func (r *instant) push(e Event) {
	r.late = append(r.late, e)
	h, t := r.late, e.tie()
	i := len(h) - 1
	for i > 0 {
		p := (i - 1) / 2
		if !t.less(h[p].tie()) {
			break
		}
		h[i] = h[p]
		i = p
	}
	h[i] = e
}

func (r *instant) pop(e *Event) {
	if r.next < len(r.sorted) {
		if len(r.late) == 0 || r.sorted[r.next].tie().less(r.late[0].tie()) {
			*e = r.sorted[r.next]
			r.next++
			return
		}
	}
	h := r.late
	*e = h[0]
	n := len(h) - 1
	v := h[n]
	t := v.tie()
	r.late = h[:n]
	i := 0
	for {
		c := 2*i + 1
		if c >= n {
			break
		}
		if c+1 < n && h[c+1].tie().less(h[c].tie()) {
			c++
		}
		if !h[c].tie().less(t) {
			break
		}
		h[i] = h[c]
		i = c
	}
	if n > 0 {
		h[i] = v
	}
}
