package node

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/sim"
)

var (
	schedules     = flag.Int("schedules", 400, "random fault schedules of TestRandomFaults")
	firstSchedule = flag.Int("schedule", 0, "the first of them")
)

// onHost is the downtime of one node.
func onHost(node int, spans ...channel.Span) func(int) channel.Downtime {
	return func(i int) channel.Downtime {
		if i != node {
			return channel.Downtime{}
		}
		return channel.Downtime{Spans: spans}
	}
}

// onLink is the downtime of one link, in both directions.
func onLink(a, b int, spans ...channel.Span) func(int, int) channel.Downtime {
	return func(from, to int) channel.Downtime {
		if min(from, to) != a || max(from, to) != b {
			return channel.Downtime{}
		}
		return channel.Downtime{Spans: spans}
	}
}

// rounds mixes a number and records the end of each round.
func rounds(k int, ends *[][]sim.Time) func(*Proc) {
	return func(p *Proc) {
		x := []float64{float64(p.ID())}
		for range k {
			p.Mix(x, "x", x)
			if ends != nil {
				(*ends)[p.ID()] = append((*ends)[p.ID()], p.Now())
			}
		}
	}
}

// TestFaultsByHand: a message of 1 kB takes 8 ms, and 1 ms of latency. Times are calculated by hand.
func TestFaultsByHand(t *testing.T) {
	again := &channel.Retransmission{Timeout: 10 * ms, Backoff: 2}
	span := func(from, until sim.Time) channel.Span { return channel.Span{From: from, Until: until} }
	for name, c := range map[string]struct {
		faults Faults
		want   []sim.Time // ends of the rounds of node 1
		again  int64      // retried messages
	}{
		"no fault": {Faults{}, []sim.Time{9 * ms, 18 * ms}, 0},
		// Both are cut at 5 ms, leave again at 15 ms and take 9 ms. Round 2 begins at 24 ms.
		"a link is cut": {Faults{Link: onLink(0, 1, span(5*ms, 6*ms))}, []sim.Time{24 * ms, 33 * ms}, 2},
		// At 15 ms and at 35 ms the link is still down; the third attempt leaves at 75 ms.
		"backoff": {Faults{Link: onLink(0, 1, span(5*ms, 40*ms))}, []sim.Time{84 * ms, 93 * ms}, 2},
		// A message that arrives at the instant of the failure is in time; one that leaves then is not.
		"at that moment": {Faults{Link: onLink(0, 1, span(9*ms, 10*ms))}, []sim.Time{9 * ms, 28 * ms}, 2},
		// Node 0 is down from 5 to 30 ms. Its own retry waits until it is up. Node 1's retry at
		// 15 ms meets a host that is down; the next one is at 35 ms.
		"a host is down": {Faults{Host: onHost(0, span(5*ms, 30*ms))}, []sim.Time{39 * ms, 53 * ms}, 2},
		// It starts late. Node 1 tries at 0, 10, 30, 70 ms.
		"a host starts late": {Faults{Host: onHost(0, span(0, 50*ms))}, []sim.Time{59 * ms, 88 * ms}, 0},
	} {
		c.faults.Retransmit = again
		ends := make([][]sim.Time, 2)
		cfg := Config{Peers: peers(2, [2]int{0, 1}), Faults: c.faults,
			Link: func(int, int) (sim.Time, int64) { return ms, 1e6 }}
		net := simulate(t, cfg, func(p *Proc) {
			x := make([]float64, 125)
			for range 2 {
				p.Mix(x, "x", x)
				ends[p.ID()] = append(ends[p.ID()], p.Now())
			}
		})
		if !slices.Equal(ends[1], c.want) {
			t.Errorf("%s: rounds of node 1 end at %v, want %v", name, ends[1], c.want)
		}
		if got := net.Total().Retransmitted; name != "a host starts late" && got != c.again*1000 {
			t.Errorf("%s: %d bytes were sent again, want %d", name, got, c.again*1000)
		}
	}
}

// TestCutFreesSharedLinks: two messages of 1 MB share an uplink of 1 MB/s. One is cut at 0.5
// s. The other, which has sent a quarter of its bytes, then has the link alone.
func TestCutFreesSharedLinks(t *testing.T) {
	cfg := Config{
		Peers: peers(3, [2]int{0, 1}, [2]int{0, 2}), Link: func(int, int) (sim.Time, int64) { return 0, channel.Unlimited },
		NICs:   []channel.NIC{{UpBitsPerSecond: 8e6, DownBitsPerSecond: channel.Unlimited}},
		Faults: Faults{Link: onLink(0, 1, channel.Span{From: sim.Second / 2, Until: sim.Never})},
	}
	var at sim.Time
	net := simulate(t, cfg, func(p *Proc) {
		switch p.ID() {
		case 0:
			p.Send(1, "x", channel.Vec("x", make([]float64, 125000)))
			p.Send(2, "x", channel.Vec("x", make([]float64, 125000)))
		case 2:
			p.Receive("x")
			at = p.Now()
		}
	})
	if want := 1250 * ms; at != want {
		t.Errorf("the other message arrives at %v, want %v", at, want)
	}
	if n := net.Total(); n.LostMessages != 1 || n.LostBytes != 1e6 || net.Lost() != 1 {
		t.Errorf("lost %d messages, %d bytes", n.LostMessages, n.LostBytes)
	}
}

// TestFaultsThatNeverHappen checks that enabled faults that never happen change nothing.
func TestFaultsThatNeverHappen(t *testing.T) {
	late := channel.Downtime{Spans: []channel.Span{{From: sim.Horizon / 2, Until: sim.Horizon}}}
	for _, nics := range [][]channel.NIC{nil, {{UpBitsPerSecond: 1e6, DownBitsPerSecond: 1e5}}} {
		digest := func(f Faults, s Silence) string {
			cfg := Config{Peers: ringPeers(7), NICs: nics, Faults: f, Silence: s, Link: lan, Machines: []Machine{gflops},
				Jitter: channel.Jitter{Kind: channel.Exponential, Mean: ms}}
			return simulate(t, cfg, rounds(20, nil)).Digest()
		}
		want := digest(Faults{}, Silence{})
		for _, f := range []Faults{
			{Loss: channel.Loss{Kind: channel.Independent}},
			{Loss: channel.Loss{Kind: channel.Bursts, Enter: .5, Leave: .5}, Retransmit: &channel.Retransmission{Timeout: 1,
				Backoff: 1}},
			{Host: func(int) channel.Downtime { return late }, Link: func(int, int) channel.Downtime { return late }},
		} {
			for _, s := range []Silence{{}, {Last, sim.Second * 100}, {Renormalize, sim.Second * 100}} {
				if got := digest(f, s); got != want {
					t.Errorf("%+v, %+v: digest %s, want %s", f, s, got, want)
				}
			}
		}
	}
}

// TestLossMovesNoOtherDraw checks that enabling loss does not change the delays of messages that arrive.
func TestLossMovesNoOtherDraw(t *testing.T) {
	const sends = 400
	delays := func(loss channel.Loss) map[int]sim.Time {
		all := map[int]sim.Time{}
		cfg := Config{Peers: peers(2, [2]int{0, 1}), Faults: Faults{Loss: loss}, Link: lan,
			Jitter: channel.Jitter{Kind: channel.Exponential, Mean: ms}}
		run(t, cfg, func(id int) Handler {
			return &script{
				start: func(c *Context) {
					for k := range sends {
						c.After(sim.Time(k)*sim.Second, k)
					}
				},
				wake: func(c *Context, tag int) {
					if c.ID() == 0 {
						c.Send(1, "x", one(float64(tag)))
					}
				},
				receive: func(c *Context, m *channel.Message) { all[int(m.Vec(0)[0])] = c.Now() - m.SentAt },
			}
		})
		return all
	}
	whole := delays(channel.Loss{})
	lossy := delays(channel.Loss{Kind: channel.Independent, P: .3})
	if len(whole) != sends || len(lossy) > sends*8/10 || len(lossy) < sends*6/10 {
		t.Fatalf("%d and %d messages arrive", len(whole), len(lossy))
	}
	for k, d := range lossy {
		if whole[k] != d {
			t.Errorf("message %d takes %v with loss, %v without", k, d, whole[k])
		}
	}
}

// TestAttemptsInExpectation checks that with retransmission all messages arrive once and in order, after
// 1/(1-p) attempts on average.
func TestAttemptsInExpectation(t *testing.T) {
	const n, k, p = 10, 500, .2
	for _, nics := range [][]channel.NIC{nil, {{UpBitsPerSecond: 1e7, DownBitsPerSecond: 1e7}}} {
		cfg := Config{Peers: ringPeers(n), Link: lan, NICs: nics, Faults: Faults{
			Loss:       channel.Loss{Kind: channel.Independent, P: p},
			Retransmit: &channel.Retransmission{Timeout: 5 * ms, Backoff: 1},
		}}
		net := simulate(t, cfg, rounds(k, nil))
		const messages = 2 * n * k
		c := net.Total()
		traffic := net.Ledger().Traffic(c.Tallies)
		if traffic.Messages != messages || c.LostMessages != 0 {
			t.Errorf("%d messages sent, %d lost", traffic.Messages, c.LostMessages)
		}
		got := 1 + float64(c.Retransmitted)/float64(traffic.PayloadBytes())
		want := 1 / (1 - p)
		// A geometric number of attempts has the variance p/(1-p)².
		if bound := 4 * math.Sqrt(p/((1-p)*(1-p)*messages)); !(math.Abs(got-want) <= bound) {
			t.Errorf("%g attempts a message, want %g +- %g", got, want, bound)
		}
	}
}

// TestAttemptsEnd checks that a message is lost for good after the last attempt.
func TestAttemptsEnd(t *testing.T) {
	cfg := Config{Peers: peers(2, [2]int{0, 1}), Link: lan, Silence: Silence{Renormalize, sim.Second}, Faults: Faults{
		Loss:       channel.Loss{Kind: channel.Independent, P: 1},
		Retransmit: &channel.Retransmission{Timeout: 5 * ms, Backoff: 1, Attempts: 3},
	}}
	net := simulate(t, cfg, rounds(2, nil))
	if c := net.Total(); c.LostMessages != 4 || c.LostBytes != 32 || c.Retransmitted != 64 {
		t.Errorf("%+v", c.Faults)
	}
}

// TestStallNamesWho checks that a stall's error says which node waits for which, and why.
func TestStallNamesWho(t *testing.T) {
	cut := channel.Span{From: ms / 2, Until: 2 * ms}
	never := channel.Span{From: ms / 2, Until: sim.Never}
	onceLost := "node 1 has waited since 0s for message 0 of phase \"x\" from nodes [0] " +
		"(that of node 0 was lost at 500us)"
	hint := "messages were lost and not sent again: let links retransmit, or let nodes go on after a silence"
	for want, f := range map[string]Faults{
		onceLost:                    {Link: onLink(0, 1, cut)},
		"(node 0 is down for good)": {Host: onHost(0, never)},
		hint:                        {Link: onLink(0, 1, cut)},
	} {
		net := build(t, Config{Peers: chain(3), Link: lan, Faults: f}, rounds(3, nil))
		end, err := net.Run(background, Limits{})
		if end != Stalled || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("ended %d: %v, want %s", end, err, want)
		}
		if err := net.CheckConservation(); err != nil {
			t.Error(err)
		}
	}
}

// TestRandomFaults draws faults. Every run must end, every message must be delivered, lost or in flight, a
// stall must name the nodes that wait, and a second run must be the same.
func TestRandomFaults(t *testing.T) {
	before := runtime.NumGoroutine()
	ends := map[Ending]int{}
	for k := *firstSchedule; k < *firstSchedule+*schedules; k++ {
		a, textA := randomFaults(t, k)
		b, _ := randomFaults(t, k)
		ends[a.ending]++
		if a.digest != b.digest || a.ending != b.ending {
			t.Fatalf("schedule %d: digests %s and %s, endings %d and %d\n%s", k, a.digest, b.digest, a.ending, b.ending, textA)
		}
	}
	for range 10_000 { // a stopped coroutine may need a moment
		if runtime.NumGoroutine() <= before {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines before, %d after", before, n)
	}
	if ends[Finished] < *schedules/4 || ends[Stalled] < *schedules/20 {
		t.Errorf("endings: %v: want many that finish and some that stall", ends)
	}
	t.Logf("%d schedules: %d finished, %d stalled", *schedules, ends[Finished], ends[Stalled])
}

type faultyRun struct {
	digest string
	ending Ending
}

// randomFaults runs a random schedule of faults.
func randomFaults(t *testing.T, number int) (faultyRun, string) {
	r := sim.Stream(uint64(number), "schedule")
	n := 2 + r.IntN(6)
	var edges [][2]int
	for i := 1; i < n; i++ {
		edges = append(edges, [2]int{r.IntN(i), i})
	}
	for range r.IntN(n) {
		a, b := r.IntN(n), r.IntN(n)
		if e := [2]int{min(a, b), max(a, b)}; a != b && !slices.Contains(edges, e) {
			edges = append(edges, e)
		}
	}
	cfg := Config{Seed: uint64(number), Peers: peers(n, edges...), Verify: true, Machines: []Machine{gflops},
		Link: func(a, b int) (sim.Time, int64) {
			return sim.Time(a+b) * ms, []int64{1e5, 1e7, channel.Unlimited}[(a+b)%3]
		},
		Jitter: channel.Jitter{Kind: []channel.JitterKind{channel.NoJitter, channel.Exponential}[r.IntN(2)], Mean: ms}}
	switch r.IntN(3) {
	case 0:
		cfg.Platform = anyPlatform(r, n)
	case 1:
		cfg.NICs = []channel.NIC{{UpBitsPerSecond: 1e6, DownBitsPerSecond: 1e6}}
	}
	cfg.Faults = anyFaults(r, n)
	if kind := SilenceKind(r.IntN(3)); kind != Wait {
		cfg.Silence = Silence{kind, sim.Time(1+r.IntN(50)) * ms}
	}
	text := fmt.Sprintf("%d nodes, edges %v, silence %+v, faults %+v", n, edges, cfg.Silence, cfg.Faults)
	const last = 12
	cfg.Reports = &Reports{Last: last, P: 3}
	cfg.Recorder = metrics.NewRecorder(n, 1, last, func(*metrics.Snapshot) bool { return true })
	net := build(t, cfg, func(p *Proc) {
		x := []float64{float64(p.ID()), 1, 1}
		p.Report(0, x, nil)
		for k := 1; k <= last; k++ {
			p.Mix(x, "x", x)
			if p.Restarted() {
				x[0] = float64(p.ID())
			}
			p.Work(float64(1e6 * (1 + p.ID()%3)))
			if !close9(x[1:], []float64{1, 1}) {
				p.Fail(fmt.Errorf("the weights do not sum to one: %v", x))
			}
			p.Report(k, x, nil)
		}
	})
	end, err := net.Run(background, Limits{})
	switch {
	case end != Finished && end != Stalled,
		end == Stalled && !strings.Contains(fmt.Sprint(err), "has waited since"),
		end == Stalled && cfg.Silence.Kind != Wait:
		t.Errorf("schedule %d ended %d: %v\n%s", number, end, err, text)
	}
	if f := cfg.Faults; end == Stalled && f.Retransmit != nil && f.Retransmit.Attempts == 0 && len(net.Gone()) == 0 &&
		net.Lost() == 0 {
		t.Errorf("schedule %d stalled without a loss: %v\n%s", number, err, text)
	}
	if err := net.CheckConservation(); err != nil {
		t.Errorf("schedule %d: %v\n%s", number, err, text)
	}
	if held := net.pool.Live(); end == Finished && held > 0 && net.nothingLeft() {
		t.Errorf("schedule %d: %d messages are held\n%s", number, held, text)
	}
	return faultyRun{net.Digest(), end}, text
}

// anyFaults draws faults of all kinds.
func anyFaults(r *rand.Rand, n int) Faults {
	var f Faults
	switch r.IntN(3) {
	case 0:
		f.Loss = channel.Loss{Kind: channel.Independent, P: .3 * r.Float64()}
	case 1:
		f.Loss = channel.Loss{Kind: channel.Bursts, Enter: .2 * r.Float64(), Leave: .1 + .9*r.Float64(), Bad: r.Float64()}
	}
	if r.IntN(2) == 0 {
		f.Retransmit = &channel.Retransmission{
			Timeout:  sim.Time(1+r.IntN(20)) * ms,
			Backoff:  1 + .3*r.Float64(),
			Attempts: r.IntN(4),
		}
	}
	spans := func() []channel.Span {
		var all []channel.Span
		for range r.IntN(3) {
			from := sim.Time(r.IntN(100)) * ms
			all = append(all, channel.Span{From: from + 1, Until: from + 2 + sim.Time(r.IntN(60))*ms})
		}
		if r.IntN(12) == 0 {
			all = append(all, channel.Span{From: sim.Time(1 + r.IntN(int(100*ms))), Until: sim.Never})
		}
		return all
	}
	random := r.IntN(2) == 0
	down := func() channel.Downtime {
		d := channel.Downtime{Spans: spans()}
		if random {
			d.MeanUp, d.MeanDown = 40*ms, 5*ms
		}
		return d
	}
	if r.IntN(2) == 0 {
		all := make([]channel.Downtime, n)
		for i := range all {
			all[i] = down()
		}
		f.Host = func(i int) channel.Downtime { return all[i] }
		f.Forget = r.IntN(2) == 0
	}
	if r.IntN(2) == 0 {
		all := make([]channel.Downtime, n*n)
		for i := range all {
			all[i] = down()
		}
		f.Link = func(a, b int) channel.Downtime { return all[min(a, b)*n+max(a, b)] }
	}
	return f
}
