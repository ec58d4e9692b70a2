package sim

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// naive is a simple model of Queue: a slice that is sorted before each pop.
type naive []Event

func (n *naive) pop() Event {
	slices.SortFunc(*n, inOrder)
	e := (*n)[0]
	*n = (*n)[1:]
	return e
}

// inOrder compares all four keys one by one.
func inOrder(a, b Event) int {
	return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.To, b.To), cmp.Compare(a.From, b.From),
		cmp.Compare(a.Seq, b.Seq))
}

// TestQueueEqualsSortedSlice pushes and pops at random, with many ties and with
// events that are added during their own instant.
func TestQueueEqualsSortedSlice(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() {
		seeds = 40 // covers all spans
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 1))
		span := int64(1) << (seed % 40) // from all at one time to hardly two at one
		var q Queue
		var twin naive
		var now Time
		seqs := map[int32]uint64{}
		push := func() {
			e := Event{At: now, To: r.Int32N(8), From: r.Int32N(8), Ref: r.Int32()}
			if r.IntN(3) > 0 {
				e.At += Time(r.Int64N(span))
			}
			e.Seq = seqs[e.From]
			seqs[e.From]++
			q.Push(e)
			twin = append(twin, e)
		}
		for range 400 {
			if len(twin) == 0 || r.IntN(100) < 52 {
				for range 1 + r.IntN(5) {
					push()
				}
				continue
			}
			want := twin.pop()
			if got := q.Peek(); got != want.At {
				t.Fatalf("seed %d: Peek is %v, want %v", seed, got, want.At)
			}
			var got Event
			if !q.Pop(&got) || got != want {
				t.Fatalf("seed %d: got %+v, want %+v", seed, got, want)
			}
			now = got.At
			if r.IntN(20) == 0 {
				if pending := slices.Collect(q.Pending()); !sameEvents(pending, twin) {
					t.Fatalf("seed %d: pending are %v, want %v", seed, pending, twin)
				}
			}
		}
		for len(twin) > 0 {
			var got Event
			if want := twin.pop(); !q.Pop(&got) || got != want {
				t.Fatalf("seed %d: got %+v, want %+v", seed, got, want)
			}
		}
		if q.Pop(new(Event)) || q.Peek() != Never {
			t.Fatal("an empty queue pops")
		}
	}
}

func sameEvents(a, b []Event) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.SortFunc(a, inOrder)
	slices.SortFunc(b, inOrder)
	return slices.Equal(a, b)
}

// TestInstantIsSorted covers orders that insertion sort handles, and some for which it gives up.
func TestInstantIsSorted(t *testing.T) {
	const n = 500
	r := rand.New(rand.NewPCG(1, 1))
	orders := map[string]func(i int) int32{
		"ascending":  func(i int) int32 { return int32(i) },
		"descending": func(i int) int32 { return int32(n - i) },
		"almost":     func(i int) int32 { return int32((i + 7) % n) },
		"random":     func(int) int32 { return r.Int32N(n) },
		"equal":      func(int) int32 { return 3 },
	}
	for name, to := range orders {
		var q Queue
		var twin naive
		for i := range n {
			e := Event{At: 5, To: to(i), From: int32(i * 7 % 11), Seq: uint64(n - i)}
			q.Push(e)
			twin = append(twin, e)
		}
		var e Event
		for i := range n {
			if want := twin.pop(); !q.Pop(&e) || e != want {
				t.Fatalf("%s: event %d is %+v, want %+v", name, i, e, want)
			}
		}
	}
}

func TestPastEventPanics(t *testing.T) {
	var q Queue
	q.Push(Event{At: 5})
	q.Pop(new(Event))
	q.Push(Event{At: 5}) // now is not the past
	defer func() {
		if r := recover(); r != "sim: event in the past: at 4ns, now 5ns" {
			t.Errorf("panic is %v", r)
		}
	}()
	q.Push(Event{At: 4})
}

// TestBoundedRunsGoOn splits one run into many and compares them with the whole.
func TestBoundedRunsGoOn(t *testing.T) {
	var by []int // number of events at the end of each part
	run := func(limits ...Limits) (seen []Event, endings []Ending) {
		by = nil
		var q Queue
		q.Push(Event{At: 1, To: 1})
		q.Push(Event{At: 1, To: 2})
		seq := uint64(1)
		for _, l := range limits {
			endings = append(endings, q.Run(l, func(e *Event) bool {
				seen = append(seen, *e)
				if e.At < 64 {
					q.Push(Event{At: 2 * e.At, To: e.To, Seq: seq})
					seq++
				}
				return e.At != 32 || e.To != 2
			}))
			by = append(by, len(seen))
		}
		return seen, endings
	}
	whole, ends := run(Limits{Until: Never}, Limits{Until: Never})
	if !slices.Equal(ends, []Ending{Stopped, Drained}) || len(whole) != 14 {
		t.Fatalf("whole run: %v, %d events", ends, len(whole))
	}
	forever := Limits{Until: Never}
	parts, ends := run(Limits{Until: 3}, Limits{Until: Never, Events: 3}, Limits{Until: 8}, forever, forever)
	if want := []Ending{TimeLimit, EventLimit, TimeLimit, Stopped, Drained}; !slices.Equal(ends, want) {
		t.Errorf("endings are %v, want %v", ends, want)
	}
	if want := []int{4, 7, 8, 12, 14}; !slices.Equal(by, want) {
		t.Errorf("the parts end after %v events, want %v", by, want)
	}
	if !slices.Equal(parts, whole) {
		t.Errorf("in parts: %v, at once: %v", parts, whole)
	}
}

// TestPendingEnds stops iterating over pending events after each of them.
func TestPendingEnds(t *testing.T) {
	var q Queue
	q.Push(Event{At: 1, To: 1})
	q.Push(Event{At: 1, To: 2})
	q.Push(Event{At: 8})
	q.Push(Event{At: 9})
	var e Event
	q.Pop(&e)
	q.Push(Event{At: 1, To: 3})
	if q.Len() != 4 {
		t.Errorf("%d events are pending", q.Len())
	}
	for most := range 6 {
		n := 0
		for range q.Pending() {
			if n++; n >= most {
				break
			}
		}
		if want := min(max(most, 1), 4); n != want {
			t.Errorf("%d events, want %d", n, want)
		}
	}
}

// TestRunEnds checks why a loop ends. An event at the time limit is dispatched.
func TestRunEnds(t *testing.T) {
	for _, c := range []struct {
		limits Limits
		want   Ending
		taken  int
	}{
		{Limits{Until: Never}, Drained, 2}, {Limits{Until: 9}, Drained, 2}, {Limits{Until: 8}, Drained, 2},
		{Limits{Until: 7}, TimeLimit, 1}, {Limits{Until: 5}, TimeLimit, 1}, {Limits{Until: 4}, TimeLimit, 0},
		{Limits{Until: 9, Events: 1}, EventLimit, 1}, {Limits{Until: 9, Events: 2}, EventLimit, 2},
		{Limits{Until: 9, Events: 3}, Drained, 2},
	} {
		var q Queue
		q.Push(Event{At: 8})
		q.Push(Event{At: 5})
		taken := 0
		if got := q.Run(c.limits, func(*Event) bool { taken++; return true }); got != c.want || taken != c.taken {
			t.Errorf("%+v: it ends for %d after %d events, want %d after %d", c.limits, got, taken, c.want, c.taken)
		}
	}
}

func TestQueueAllocatesNothing(t *testing.T) {
	var q Queue
	r := rand.New(rand.NewPCG(1, 1))
	for i := range int32(1000) {
		q.Push(Event{At: Time(r.Int64N(1 << 20)), To: i})
	}
	var e Event
	step := func() {
		q.Pop(&e)
		e.At += Time(r.Int64N(1<<18) &^ 0xfff) // with ties
		e.Seq++
		q.Push(e)
	}
	for range 3_000_000 { // every bucket has met its greatest size
		step()
	}
	if a := testing.AllocsPerRun(100, func() {
		for range 1000 {
			step()
		}
	}); a > 0 {
		t.Errorf("%v allocations in 1000 events", a)
	}
	if a := testing.AllocsPerRun(100, func() {
		q.Run(Limits{Until: Never, Events: 1}, func(e *Event) bool { q.Push(*e); return true })
	}); a > 0 {
		t.Errorf("%v allocations in a run of one event", a)
	}
}

// TestQueueReusesTheMemoryOfEmptyBuckets: in a synchronous method with many nodes the events of each round have
// one time and one bucket. The queue must hold memory for two rounds, not for one in every bucket.
func TestQueueReusesTheMemoryOfEmptyBuckets(t *testing.T) {
	const n = 5000
	var q Queue
	var now Time
	for round := range 20 {
		now += Time(1) << (round%10 + 20)
		for i := range int32(n) {
			q.Push(Event{At: now, To: i})
		}
		for i := range int32(n) {
			var e Event
			if q.Pop(&e); e.At != now || e.To != i {
				t.Fatalf("round %d: got %+v, want the event of node %d at %v", round, e, i, now)
			}
		}
	}
	room := cap(q.now.sorted)
	for _, b := range q.buckets {
		room += cap(b)
	}
	if room > 5*n {
		t.Errorf("the queue has room for %d events, want at most %d", room, 5*n)
	}
}
