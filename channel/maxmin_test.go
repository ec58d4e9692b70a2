package channel

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tallynet/sim"
)

// drawn is a random platform with connections and messages.
type drawn struct {
	config FabricConfig
	routes [][]int // by connection
	flows  []flow
	heard  map[int]int // the connections that share another's broadcasts, see broadcasts
	cuts   []cut       // ascending
}

// lane returns the connection whose queue holds the messages of a connection, usually itself.
func (d *drawn) lane(link int) int {
	if first, ok := d.heard[link]; ok {
		return first
	}
	return link
}

func draw(r *rand.Rand) drawn {
	rates := []int64{1e6, 3e6, 1e7, 7e7, 1e8, Unlimited}
	pick := func() int64 { return rates[r.IntN(len(rates))] }
	links := make([]PhysicalLink, 1+r.IntN(8))
	for i := range links {
		links[i].BitsPerSecond = pick()
	}
	var d drawn
	for range 1 + r.IntN(12) {
		var route []int
		for range 1 + r.IntN(4) {
			route = append(route, r.IntN(len(links))) // sometimes a link twice
		}
		d.routes = append(d.routes, route)
	}
	d.config = over(links, d.routes)
	for i := range d.config.Links {
		l := &d.config.Links[i]
		l.Latency = sim.Time(r.IntN(3)) * sim.Time(r.IntN(1000)) * us
		if r.IntN(3) == 0 {
			l.BitsPerSecond = pick()
		}
	}
	for range 1 + r.IntN(25) {
		d.flows = append(d.flows, flow{link: r.IntN(len(d.routes)), ready: sim.Time(r.IntN(4)) * ms,
			bytes: int64(r.IntN(20)) * int64(1+r.IntN(1000))})
	}
	slices.SortStableFunc(d.flows, func(a, b flow) int { return int(a.ready - b.ready) })
	return d
}

// limits returns the capacities of all links, followed by those of the connections as links
// of their own, and the connections' routes over both.
func (d *drawn) limits() (capacity []float64, routes [][]int) {
	for _, l := range d.config.Platform.Links {
		capacity = append(capacity, float64(l.BitsPerSecond))
	}
	for i, r := range d.routes {
		routes = append(routes, append(slices.Clone(r), len(capacity)))
		capacity = append(capacity, float64(d.config.Links[i].BitsPerSecond))
	}
	for i, c := range capacity {
		if c == Unlimited {
			capacity[i] = math.Inf(1)
		}
	}
	return capacity, routes
}

// waterfill computes max-min fair rates simply: it repeatedly fixes the flows of the link
// with the smallest share. It returns a rate for each active connection.
func waterfill(capacity []float64, routes [][]int, active []bool) []float64 {
	rest, rates := slices.Clone(capacity), make([]float64, len(routes))
	growing := slices.Clone(active)
	for slices.Contains(growing, true) {
		share, at := math.Inf(1), 0
		for k := range rest {
			uses := 0.0
			for i, r := range routes {
				for _, link := range r {
					if growing[i] && link == k {
						uses++
					}
				}
			}
			if uses > 0 && rest[k]/uses < share {
				share, at = rest[k]/uses, k
			}
		}
		for i, r := range routes {
			if growing[i] && (math.IsInf(share, 1) || slices.Contains(r, at)) {
				growing[i], rates[i] = false, share
				for _, link := range r {
					rest[link] -= share
				}
			}
		}
	}
	return rates
}

// held reports whether a connection's cause is its bottleneck: a full link on which no connection is faster
// (Bertsekas, Gallager 1992, section 6.5), or its own limit.
func (f *Shared) held(at int32) bool {
	l := &f.lanes[at]
	if int(l.cause) == len(l.route) {
		return l.rate == l.limit
	}
	p := &f.pipes[l.route[l.cause]]
	left := p.capacity
	for _, k := range p.lanes {
		if left -= f.lanes[k].rate; f.lanes[k].rate > l.rate {
			return false
		}
	}
	return left < uint64(len(p.lanes)) // shares are rounded down
}

// TestSharesAreMaxMin compares the rates after each change with a naive twin, on 1,000 random
// networks, and checks that no link exceeds its capacity.
func TestSharesAreMaxMin(t *testing.T) {
	for seed := range uint64(1000) {
		d := draw(rand.New(rand.NewPCG(seed, 1)))
		f := fabric(t, d.config).(*Shared)
		capacity, routes := d.limits()
		play(f, d.flows, func(now sim.Time) {
			active := make([]bool, len(routes))
			for i := range active {
				active[i] = !f.lanes[i].idle()
			}
			for i, want := range waterfill(capacity, routes, active) {
				got := float64(f.lanes[i].rate) / math.Pow(2, float64(f.unit))
				if active[i] && !(math.Abs(got-want) <= 1e-6*want) {
					t.Fatalf("network %d at %v: connection %d has %g bit/s, want %g", seed, now, i, got, want)
				}
			}
			for i := range f.lanes {
				if active[i] && !f.held(int32(i)) {
					t.Fatalf("network %d at %v: connection %d is not held up by %d", seed, now, i, f.lanes[i].cause)
				}
			}
			for k, p := range f.pipes {
				left := p.capacity
				for _, i := range p.lanes {
					if f.lanes[i].rate > left {
						t.Fatalf("network %d at %v: link %d carries more than its %d bit/s", seed, now, k, p.BitsPerSecond)
					}
					left -= f.lanes[i].rate
				}
			}
		})
		busy := func(p pipe) bool { return len(p.lanes) > 0 || p.busy.active > 0 }
		if slices.ContainsFunc(f.pipes, busy) || len(f.ends) > 0 {
			t.Fatalf("network %d: something still flows", seed)
		}
	}
}

// TestPartEqualsWhole checks that recomputing the rates around a change equals recomputing all, bit for
// bit.
func TestPartEqualsWhole(t *testing.T) {
	for seed := range uint64(1000) {
		d := draw(rand.New(rand.NewPCG(seed, 2)))
		f := fabric(t, d.config).(*Shared)
		play(f, d.flows, func(now sim.Time) {
			before := make([]uint64, len(f.lanes))
			for i := range f.lanes {
				if before[i] = f.lanes[i].rate; !f.lanes[i].idle() {
					f.begun = append(f.begun, int32(i))
				}
			}
			f.least = 0
			f.Settle(now)
			for i := range f.lanes {
				if f.lanes[i].rate != before[i] {
					t.Fatalf("network %d at %v: connection %d has rate %d, filled anew %d",
						seed, now, i, before[i], f.lanes[i].rate)
				}
			}
		})
	}
}

// queued is a message in a connection's queue, for one receiver or several.
type queued struct {
	left  float64 // bits
	flows []int
}

// fluid plays flows in continuous time with floats. It returns each arrival, NaN for a flow that was
// cut, and how long each connection has carried bits.
func (d *drawn) fluid() (arrives, busy []float64) {
	capacity, routes := d.limits()
	queues := make([][]queued, len(routes)) // queued messages, by connection
	entered := make([]float64, len(d.flows))
	arrives, busy = make([]float64, len(d.flows)), make([]float64, len(routes))
	var waiting []int
	for i, x := range d.flows {
		entered[i] = (x.ready + d.config.Links[d.lane(x.link)].Latency).Seconds()
		waiting = append(waiting, i)
	}
	slices.SortStableFunc(waiting, func(a, b int) int { return cmp.Compare(entered[a], entered[b]) })
	active, cuts := make([]bool, len(routes)), d.cuts
	for now := 0.0; ; {
		for len(waiting) > 0 && entered[waiting[0]] <= now {
			i := waiting[0]
			q := &queues[d.lane(d.flows[i].link)]
			same := func(m queued) bool { o := d.flows[m.flows[0]]; return o.message > 0 && o.message == d.flows[i].message }
			if k := slices.IndexFunc(*q, same); k >= 0 {
				(*q)[k].flows = append((*q)[k].flows, i)
			} else {
				*q = append(*q, queued{8 * float64(d.flows[i].bytes), []int{i}})
			}
			waiting = waiting[1:]
		}
		for i := range active {
			active[i] = len(queues[i]) > 0
		}
		rates := waterfill(capacity, routes, active)
		step, done := math.Inf(1), -1
		if len(waiting) > 0 {
			step = entered[waiting[0]] - now
		}
		if len(cuts) > 0 {
			step = min(step, cuts[0].at.Seconds()-now)
		}
		for c, q := range queues {
			if len(q) > 0 && q[0].left/rates[c] <= step {
				step, done = q[0].left/rates[c], c
			}
		}
		if math.IsInf(step, 1) {
			return arrives, busy
		}
		now += step
		for c, q := range queues {
			if len(q) > 0 {
				busy[c] += step
			}
			if len(q) > 0 && !math.IsInf(rates[c], 1) {
				q[0].left = max(0, q[0].left-step*rates[c])
			}
		}
		switch {
		case done >= 0:
			for _, i := range queues[done][0].flows {
				arrives[i] = now
			}
			queues[done] = queues[done][1:]
		case len(waiting) > 0 && (len(cuts) == 0 || entered[waiting[0]] <= cuts[0].at.Seconds()):
			now = entered[waiting[0]]
		default:
			now = cuts[0].at.Seconds()
			lost := func(i int) bool { return d.flows[i].link == cuts[0].link && d.flows[i].ready <= cuts[0].at }
			for i := range d.flows {
				if lost(i) && (slices.Contains(waiting, i) || d.queues(queues, i)) {
					arrives[i] = math.NaN()
				}
			}
			waiting = slices.DeleteFunc(waiting, lost)
			for c := range queues {
				for k := range queues[c] {
					queues[c][k].flows = slices.DeleteFunc(queues[c][k].flows, lost)
				}
				queues[c] = slices.DeleteFunc(queues[c], func(m queued) bool { return len(m.flows) == 0 })
			}
			cuts = cuts[1:]
		}
	}
}

// queues reports whether a flow is in a queue.
func (d *drawn) queues(queues [][]queued, i int) bool {
	has := func(m queued) bool { return slices.Contains(m.flows, i) }
	return slices.ContainsFunc(queues[d.lane(d.flows[i].link)], has)
}

// TestFluidTwin compares arrivals with a model in continuous time.
func TestFluidTwin(t *testing.T) {
	worst := 0.0
	for seed := range uint64(1000) {
		d := draw(rand.New(rand.NewPCG(seed, 3)))
		got := play(fabric(t, d.config), d.flows)
		arrives, _ := d.fluid()
		for i, want := range arrives {
			diff := math.Abs(got[i].arrives.Seconds()-want) * 1e9
			worst = max(worst, diff)
			if !(diff <= 3) {
				t.Fatalf("network %d: message %d of %d arrives at %v, in continuous time at %.9f s",
					seed, i, len(got), got[i].arrives, want)
			}
		}
	}
	t.Logf("the greatest difference is %.2f ns", worst)
}

// TestBusyLaneForgetsArrivedMessages checks that a connection that is never idle does not keep arrived messages.
func TestBusyLaneForgetsArrivedMessages(t *testing.T) {
	f := fabric(t, over([]PhysicalLink{{BitsPerSecond: 1e6}}, [][]int{{0}})).(*Shared)
	now, most := sim.Time(0), 0
	for k := range uint64(2) {
		f.Start(now, Transfer{Seq: k, Cast: k, Bytes: 125})
	}
	for k := uint64(2); k < 5000; k++ { // one arrives, and another begins
		now = f.Settle(now)
		if got := f.Finish(now, nil); now != sim.Time(k-1)*ms || len(got) != 1 || got[0].Seq != k-2 {
			t.Fatalf("at %v arrive %v", now, got)
		}
		f.Start(now, Transfer{Seq: k, Cast: k, Bytes: 125})
		most = max(most, cap(f.lanes[0].jobs))
	}
	if most > 200 {
		t.Errorf("room for %d messages, but two are under way", most)
	}
}
