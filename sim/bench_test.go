package sim

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// BenchmarkHold is the hold model: one event is popped and one is pushed a random
// time later, with a fixed number pending. heap and radix are bare alternatives
// that order the same events by time only.
func BenchmarkHold(b *testing.B) {
	for _, pending := range []int{1e3, 1e5, 1e6} {
		if testing.Short() && pending > 1e5 {
			continue
		}
		b.Run(fmt.Sprintf("queue/pending=%d", pending), func(b *testing.B) {
			var q Queue
			hold(b, pending, q.Push, func(e *Event) { q.Pop(e) })
		})
		b.Run(fmt.Sprintf("heap/pending=%d", pending), func(b *testing.B) {
			var h bareHeap
			hold(b, pending, h.push, h.pop)
		})
		b.Run(fmt.Sprintf("radix/pending=%d", pending), func(b *testing.B) {
			var r bareRadix
			hold(b, pending, r.push, r.pop)
		})
	}
}

func hold(b *testing.B, pending int, push func(Event), pop func(*Event)) {
	const span = 1 << 20
	r := rand.New(rand.NewPCG(1, 2))
	var steps [1 << 12]Time
	for i := range steps {
		steps[i] = 1 + Time(r.Int64N(span))
	}
	for i := range pending {
		push(Event{At: Time(r.Int64N(span)), To: int32(i), From: int32(i)})
	}
	var e Event
	i := 0
	step := func() {
		pop(&e)
		e.At += steps[i%len(steps)]
		e.Seq++
		push(e)
		i++
	}
	for range 4 * pending {
		step()
	}
	b.ReportAllocs()
	for b.Loop() {
		step()
	}
}

// BenchmarkInstant is the other extreme: all pending events share one time, as in a
// synchronous method, and arrive in order of their senders.
func BenchmarkInstant(b *testing.B) {
	const nodes = 1000
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name     string
		neighbor func(i, k int) int
	}{
		{"ring", func(i, k int) int { return (i + nodes - 1 + 2*k) % nodes }},
		{"random", func(int, int) int { return r.IntN(nodes) }},
	} {
		var to [nodes][2]int32
		for i := range to {
			a, b := int32(c.neighbor(i, 0)), int32(c.neighbor(i, 1))
			to[i] = [2]int32{min(a, b), max(a, b)}
		}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var q Queue
			var e Event
			seq := uint64(0)
			events := 0
			for b.Loop() {
				at := e.At + Millisecond
				for i := range to {
					for _, j := range to[i] {
						q.Push(Event{At: at, To: j, From: int32(i), Seq: seq})
						seq++
					}
				}
				for q.Pop(&e) {
					events++
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
		})
	}
}

// BenchmarkPHOLD is the usual benchmark of event-driven simulators (Fujimoto 1990):
// 1024 processes with 16 events each; an event at one causes an event at a random
// process after an exponential delay.
func BenchmarkPHOLD(b *testing.B) {
	const processes, each = 1024, 16
	r := rand.New(rand.NewPCG(1, 2))
	var delays [1 << 12]Time
	var dests [1 << 12]int32
	for i := range delays {
		delays[i] = Seconds(0.9 * 1e-6 * r.ExpFloat64())
		dests[i] = int32(r.IntN(processes))
	}
	var q Queue
	var seqs [processes]uint64
	k := 0
	send := func(from int32, now Time) {
		q.Push(Event{At: now + 100 + delays[k%len(delays)], To: dests[(k*7)%len(dests)], From: from, Seq: seqs[from]})
		seqs[from]++
		k++
	}
	for i := range int32(processes) {
		for range each {
			send(i, 0)
		}
	}
	b.ReportAllocs()
	b.ResetTimer()
	q.Run(Limits{Until: Never, Events: uint64(b.N)}, func(e *Event) bool {
		send(e.To, e.At)
		return true
	})
}

// bareHeap is a 4-ary heap of values.
type bareHeap []Event

func (h *bareHeap) push(e Event) {
	*h = append(*h, e)
	s := *h
	i := len(s) - 1
	for i > 0 {
		p := (i - 1) / 4
		if s[p].At <= e.At {
			break
		}
		s[i] = s[p]
		i = p
	}
	s[i] = e
}

func (h *bareHeap) pop(e *Event) {
	s := *h
	*e = s[0]
	v := s[len(s)-1]
	s = s[:len(s)-1]
	*h = s
	i := 0
	for {
		c := 4*i + 1
		if c >= len(s) {
			break
		}
		m := c
		for k := c + 1; k < min(c+4, len(s)); k++ {
			if s[k].At < s[m].At {
				m = k
			}
		}
		if v.At <= s[m].At {
			break
		}
		s[i] = s[m]
		i = m
	}
	if len(s) > 0 {
		s[i] = v
	}
}

// bareRadix is a radix heap: bucket b holds times that differ from last in bit b-1 first.
type bareRadix struct {
	last    Time
	buckets [65][]Event
}

func (r *bareRadix) push(e Event) {
	b := bits.Len64(uint64(e.At ^ r.last))
	r.buckets[b] = append(r.buckets[b], e)
}

func (r *bareRadix) pop(e *Event) {
	if len(r.buckets[0]) == 0 {
		b := 1
		for len(r.buckets[b]) == 0 {
			b++
		}
		from := r.buckets[b]
		r.last = from[0].At
		for i := range from {
			r.last = min(r.last, from[i].At)
		}
		for i := range from {
			r.push(from[i])
		}
		r.buckets[b] = from[:0]
	}
	n := len(r.buckets[0]) - 1
	*e = r.buckets[0][n]
	r.buckets[0] = r.buckets[0][:n]
}
