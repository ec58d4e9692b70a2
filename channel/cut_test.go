package channel

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tallynet/sim"
)

// cut cuts a link at a given time.
type cut struct {
	link int
	at   sim.Time
}

// broadcasts adds a medium with a sender and up to three receivers, and some messages to them.
func (d *drawn) broadcasts(r *rand.Rand) {
	links := append(d.config.Platform.Links, PhysicalLink{BitsPerSecond: int64(1+r.IntN(9)) * 1e6, Medium: true})
	routes := d.routes
	first := len(routes)
	d.heard = map[int]int{}
	for k := range 1 + r.IntN(3) {
		routes = append(routes, []int{len(links) - 1})
		d.heard[first+k] = first
	}
	c := over(links, routes)
	copy(c.Links, d.config.Links)
	c.Links[first].Latency = sim.Time(r.IntN(2)) * sim.Time(r.IntN(1000)) * us
	for i := first; i < len(routes); i++ { // a transmission has one latency
		c.Links[i].From = c.Links[first].From
	}
	d.config, d.routes = c, routes
	for message := range int32(1 + r.IntN(8)) {
		x := flow{ready: sim.Time(r.IntN(4)) * ms, bytes: int64(r.IntN(5)) * int64(r.IntN(1000)), message: 1 + message}
		for _, i := range r.Perm(len(routes) - first)[r.IntN(len(routes)-first):] {
			x.link = first + i
			d.flows = append(d.flows, x)
		}
	}
	slices.SortStableFunc(d.flows, func(a, b flow) int { return cmp.Compare(a.ready, b.ready) })
}

// interrupt draws cuts, at random times and at the very instants at which a message may flow.
func (d *drawn) interrupt(r *rand.Rand) {
	for range 1 + r.IntN(6) {
		c := cut{r.IntN(len(d.routes)), sim.Time(r.IntN(8_000_000))}
		if r.IntN(2) == 0 {
			x := d.flows[r.IntN(len(d.flows))]
			c = cut{x.link, x.ready + d.config.Links[d.lane(x.link)].Latency}
		}
		d.cuts = append(d.cuts, c)
	}
	slices.SortStableFunc(d.cuts, func(a, b cut) int { return cmp.Compare(a.at, b.at) })
}

// playCut plays flows and cuts by the global clock. It checks which messages are under way, and that the times
// of a message's bottlenecks add up. A message that is cut arrives at -1.
func (d *drawn) playCut(t *testing.T, f Fabric) []flow {
	flows := slices.Clone(d.flows)
	var due, fly []int
	sent, cuts, next := 0, d.cuts, sim.Never
	for {
		now := next
		if sent < len(flows) {
			now = min(now, flows[sent].ready)
		}
		for _, i := range due {
			now = min(now, flows[i].first)
		}
		if len(cuts) > 0 {
			now = min(now, cuts[0].at)
		}
		if now == sim.Never {
			return flows
		}
		land := func(i int) {
			flows[i].arrives = now
			fly = slices.DeleteFunc(fly, func(k int) bool { return k == i })
		}
		arrived := f.Finish(now, nil)
		for i, x := range arrived {
			land(int(x.Seq))
			later := func(o Transfer) bool { return d.lane(int(o.Link)) == d.lane(int(x.Link)) }
			if slices.ContainsFunc(arrived[i+1:], later) {
				continue
			}
			_, causes := f.Held(int(x.Link))
			took := now - flows[x.Seq].first
			for _, c := range causes {
				took -= c
			}
			if took != 0 {
				t.Fatalf("message %d was held up for %v, from %v to %v", x.Seq, causes, flows[x.Seq].first, now)
			}
		}
		for ; sent < len(flows) && flows[sent].ready == now; sent++ {
			x := &flows[sent]
			x.arrives = -1
			x.first, _ = f.Send(now, x.transfer(sent))
			due = append(due, sent)
		}
		for _, i := range slices.Clone(due) {
			if flows[i].first == now {
				due = slices.DeleteFunc(due, func(k int) bool { return k == i })
				fly = append(fly, i)
				if f.Start(now, flows[i].transfer(i)) {
					land(i)
				}
			}
		}
		for ; len(cuts) > 0 && cuts[0].at == now; cuts = cuts[1:] {
			f.Cut(now, cuts[0].link)
			gone := func(i int) bool { return flows[i].link == cuts[0].link }
			due, fly = slices.DeleteFunc(due, gone), slices.DeleteFunc(fly, gone)
		}
		next = f.Settle(now)
		var under []int
		for x := range f.UnderWay() {
			under = append(under, int(x.Seq))
		}
		slices.Sort(under)
		slices.Sort(fly)
		if !slices.Equal(under, fly) {
			t.Fatalf("at %v: messages %v are under way, want %v", now, under, fly)
		}
	}
}

// TestCutTwin compares arrivals and busy times with a model in continuous time, with links that are cut.
// The times of a connection's bottlenecks must add up to its busy time.
func TestCutTwin(t *testing.T) {
	played := 0
networks:
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 4))
		d := draw(r)
		if r.IntN(2) == 0 {
			d.broadcasts(r)
		}
		d.interrupt(r)
		want, busy := d.fluid()
		for _, at := range want {
			for _, c := range d.cuts {
				if diff := math.Abs(at-c.at.Seconds()) * 1e9; diff < 10 {
					continue networks // rounding decides which of the two is first
				}
			}
		}
		played++
		f := fabric(t, d.config).(*Shared)
		got := d.playCut(t, f)
		for i := range want {
			at := got[i].arrives
			if math.IsNaN(want[i]) != (at < 0) || at >= 0 && !(math.Abs(at.Seconds()-want[i]) <= 5e-9) {
				t.Fatalf("network %d: message %d of %d arrives at %v, in continuous time at %.9f s",
					seed, i, len(got), at, want[i])
			}
		}
		const end = 1000 * sim.Second
		held := make([]sim.Time, len(d.routes))
		_, crossings := f.Physical(end)
		for _, c := range crossings {
			held[c.From/2] += c.Bottleneck
		}
		for i := range d.routes {
			if d.lane(i) != i {
				continue
			}
			took := f.Busy(i, end)
			if !(math.Abs(took.Seconds()-busy[i]) <= 1e-8) || f.Sending(2*i, end) != took || held[i] != took {
				t.Fatalf("network %d: connection %d is busy for %v, its sender for %v, held up for %v; want %.9f s",
					seed, i, took, f.Sending(2*i, end), held[i], busy[i])
			}
		}
	}
	if played < 400 {
		t.Errorf("%d networks", played)
	}
}

// TestCutFreesTheLink checks that after a cut the next message takes as long as if it were alone.
func TestCutFreesTheLink(t *testing.T) {
	for _, p := range []*Platform{nil, {Links: []PhysicalLink{{BitsPerSecond: 1e9}},
		Route: func(int, int) ([]int, error) { return []int{0}, nil }}} {
		link := func() Fabric {
			return fabric(t, FabricConfig{Nodes: 2, Links: []Link{{0, 1, ms, 1e9}}, Platform: p, Seed: 3,
				Jitter: Jitter{Kind: Uniform, Mean: ms}})
		}
		alone, hasty := link(), link()
		for i := range 50 {
			rare, often := sim.Time(i)*sim.Second, sim.Time(i)*us
			want := send(alone, 0, rare, 8000) - rare
			if got := send(hasty, 0, often, 8000) - often; got != want {
				t.Fatalf("message %d takes %v, alone %v", i, got, want)
			}
			hasty.Cut(often, 0)
		}
	}
}

// TestCutTakesTheBookingBack checks that a link that is cut was busy only until the cut.
func TestCutTakesTheBookingBack(t *testing.T) {
	f := fabric(t, FabricConfig{Nodes: 2, Links: []Link{{0, 1, ms, 1e9}}})
	send(f, 0, 0, 8000) // 64 us
	f.Cut(50*us, 0)
	if got := f.Busy(0, ms); got != 50*us {
		t.Errorf("busy for %v", got)
	}
	if got := send(f, 0, 50*us, 8000); got != 50*us+ms+64*us {
		t.Errorf("the next message arrives at %v", got)
	}
	f.Cut(ms, 0) // long after its bits have left
	if got := f.Busy(0, ms); got != 114*us {
		t.Errorf("busy for %v", got)
	}
}

// TestBusySoFar: a message of 1 MB that takes from 1 ms to 9 ms, and is cut at 5 ms.
func TestBusySoFar(t *testing.T) {
	f := fabric(t, over([]PhysicalLink{{BitsPerSecond: 1e9}}, [][]int{{0}}))
	f.Start(ms, Transfer{Bytes: 1e6})
	f.Settle(ms)
	for at, want := range map[sim.Time]sim.Time{ms: 0, 2 * ms: ms, 5 * ms: 4 * ms} {
		links, crossings := f.Physical(at)
		if l, c := links[0], crossings[0]; l.Bytes != 1e6 || l.Messages != 1 || c.Bytes != 1e6 || c.Messages != 1 {
			t.Errorf("the link carried %+v, of the connection %+v", l, c)
		}
		if got := f.Busy(0, at); got != want || f.Sending(0, at) != want || links[0].Busy != want {
			t.Errorf("busy for %v, the sender for %v, the link for %v by %v; want %v", got, f.Sending(0, at), links[0].Busy,
				at, want)
		}
	}
	f.Cut(5*ms, 0)
	if next := f.Settle(5 * ms); next != sim.Never || f.Busy(0, 20*ms) != 4*ms {
		t.Errorf("after the cut the next arrival is at %v, and the link was busy for %v", next, f.Busy(0, 20*ms))
	}
}
