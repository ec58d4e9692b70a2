package algorithms_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tallynet/algorithms"
	"tallynet/metrics"
	"tallynet/node"
	"tallynet/sim"
)

// moment is the state of a run at a moment.
type moment struct {
	at                             sim.Time
	x, y                           [][]float64
	iteration                      int
	gradients, messages, computing int64
}

// onClock runs a method without rounds on the clock. A gradient of f takes the given time on each node, and a
// message the given time on each link.
func onClock(t *testing.T, w world, m algorithms.Method, interval, until sim.Time, gradient []sim.Time,
	latency func(from, to int) sim.Time) []moment {
	t.Helper()
	cfg := w.config()
	cfg.Machines = nil
	for _, d := range gradient {
		cfg.Machines = append(cfg.Machines, node.Machine{Calls: machineCalls(d)})
	}
	cfg.Link = func(from, to int) (sim.Time, int64) { return latency(from, to), 1e18 }
	cfg.Reports = &node.Reports{Last: algorithms.Iterations(m), P: w.on.p, Q: w.on.q}
	var net *node.Network
	var all []moment
	cfg.Clock = &node.Clock{Interval: interval, First: 1, GoOn: true, Each: func(s *metrics.Snapshot) bool {
		all = append(all, moment{s.At, s.X, s.Y, s.Iteration, s.Oracle.GradF,
			net.Ledger().Traffic(s.Tallies).Messages, int64(s.Compute)})
		return true
	}}
	net = network(t, cfg, func(i int) node.Handler { return handler(w, m, i) })
	if _, err := net.Run(context.Background(), node.Limits{Until: until}); err != nil {
		t.Fatal(err)
	}
	if err := net.CheckConservation(); err != nil {
		t.Error(err)
	}
	if cfg.Clock.Interval != interval {
		t.Errorf("the run changed the caller's interval to %v", cfg.Clock.Interval)
	}
	end, last := net.Total(), all[len(all)-1]
	if sent := net.Ledger().Traffic(end.Tallies).Messages; sent != last.messages ||
		int64(end.Compute) != last.computing || end.Oracle.GradF != last.gradients {
		t.Errorf("at the end %d messages and %d gradients in %v; the last sample has %+v", sent, end.Oracle.GradF,
			end.Compute, last)
	}
	return all
}

// machineCalls is a machine on which a gradient of f takes time, and nothing else.
func machineCalls(gradient sim.Time) (d [metrics.NumCalls]sim.Time) {
	d[metrics.CallGradF] = gradient
	return d
}

// TestTwoNodesByHand follows async DGD event by event. With f = x²/2, W = 1/2 and alpha = 1/2, a step sets x to half
// of what was heard, or of x. Messages take 1.5 ms. A step takes 1 ms on node 0 and 4 ms on node 1:
//
//	0    0 sends 16, 1 sends 64         5    0: 64/2 = 32 again
//	1    0: 16/2 = 8, and sends it      5.5  0 hears 32
//	1.5  0 hears 64, 1 hears 16         6    0: 32, begun before it heard
//	2    0: 8/2 = 4                     7    0: 32/2 = 16
//	3    0: 64/2 = 32                   8    0: 16; 1: 4/2 = 2, of what was heard at 3.5
//	4    0: 32; 1: 64/2 = 32            The run ends: both have made two steps.
func TestTwoNodesByHand(t *testing.T) {
	on := split{p: 1, local: func(int) algorithms.Local { return alone{a: [][]float64{{1}}, lin: []float64{0}} },
		start: func(i int) (x, y []float64) { return []float64{[2]float64{16, 64}[i]}, nil }}
	const ms = sim.Millisecond
	// A step that begins at a moment has begun its gradient then, after a message.
	start := moment{0, [][]float64{{16}, {64}}, nil, 0, 2, 2, 0}
	end := moment{8 * ms, [][]float64{{16}, {2}}, nil, 2, 9 + 3, 9 + 3, int64(16 * ms)}
	for interval, want := range map[sim.Time][]moment{
		3 * ms: {start, {3 * ms, [][]float64{{32}, {64}}, nil, 0, 4 + 1, 4 + 1, int64(6 * ms)},
			{6 * ms, [][]float64{{32}, {32}}, nil, 1, 7 + 2, 7 + 2, int64(12 * ms)}, end},
		// Not given: it becomes the 4 ms after which both have made a step.
		0: {start, {4 * ms, [][]float64{{32}, {32}}, nil, 1, 5 + 2, 5 + 2, int64(8 * ms)}, end},
	} {
		got := onClock(t, world{w: path(2), on: on}, algorithms.AsyncDGD{Outer: 2, Alpha: .5}, interval, 0,
			[]sim.Time{ms, 4 * ms}, func(int, int) sim.Time { return 3 * ms / 2 })
		for i := range got {
			got[i].y = nil
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("samples\n%v, want\n%v", got, want)
		}
	}
}

// The twins of methods without rounds, on a ring of four nodes of which the first takes 29 times as long.
const (
	clockPause   = 7 * sim.Microsecond
	clockSample  = 31 * sim.Millisecond
	clockSamples = 10
	clockAlpha   = 0.02
)

// gradientTime is how long a gradient of f takes; no two events fall together.
func gradientTime(i int) sim.Time { return [4]sim.Time{29_000_003, 1_000_007, 1_100_009, 900_001}[i] }

func clockLatency(from, to int) sim.Time {
	return 313*sim.Microsecond + sim.Time(1009*from+17*to)
}

// matVec returns b + A x, or its transpose.
func matVec(a [][]float64, transposed bool, x, b []float64) []float64 {
	out := slices.Clone(b)
	for r, row := range a {
		for c, v := range row {
			if transposed {
				out[c] += v * x[r]
			} else {
				out[r] += v * x[c]
			}
		}
	}
	return out
}

// add returns a + c b.
func add(a []float64, c float64, b []float64) []float64 {
	out := slices.Clone(a)
	for i := range out {
		out[i] += c * b[i]
	}
	return out
}

// version is what a node holds from a time on.
type version struct {
	from sim.Time
	x, y []float64
}

// staleTwin steps through the nodes of a method that mixes what it has heard. move returns what a node holds after a
// step in which it gets the mixed values; a step takes calls gradients of f.
func staleTwin(s stacked, calls int, move func(i int, now version, mixed []float64) version) (at []moment) {
	ring := ring(4)
	held := make([][]version, 4)
	begun := make([][]sim.Time, 4)
	next := slices.Repeat([]sim.Time{clockPause}, 4)
	for i := range held {
		held[i] = []version{{0, s.startX[i], s.startY[i]}}
	}
	for {
		i := slices.Index(next, slices.Min(next))
		t := next[i]
		if t > clockSamples*clockSample {
			break
		}
		now := held[i][len(held[i])-1]
		mixed := add(make([]float64, s.p), ring.Self(i), now.x)
		for k, j := range ring.Graph().Neighbors(i) {
			heard := now.x
			for _, v := range held[j] {
				if v.from+clockLatency(j, i) <= t {
					heard = v.x
				}
			}
			mixed = add(mixed, ring.Weights(i)[k], heard)
		}
		v := move(i, now, mixed)
		v.from = t + sim.Time(calls)*gradientTime(i)
		held[i], begun[i] = append(held[i], v), append(begun[i], t)
		next[i] = v.from + clockPause
	}
	for k := range clockSamples + 1 {
		m := moment{at: sim.Time(k) * clockSample, iteration: math.MaxInt}
		for i := range held {
			done := 0
			for done+1 < len(held[i]) && held[i][done+1].from <= m.at {
				done++
			}
			m.x, m.y = append(m.x, held[i][done].x), append(m.y, held[i][done].y)
			m.iteration = min(m.iteration, done)
			m.messages += int64(2 * (done + 1))
			for step, b := range begun[i] {
				for ; b <= m.at && b < held[i][step+1].from; b += gradientTime(i) {
					m.gradients++
					m.computing += int64(min(gradientTime(i), m.at-b))
				}
			}
		}
		at = append(at, m)
	}
	return at
}

// gossipTwin handles the events of a method that exchanges with random neighbours. Without gradients it is
// randomized gossip, on clocks of the given mean interval.
func gossipTwin(s stacked, interval sim.Time, gradients bool) (at []moment) {
	type event struct {
		at       sim.Time
		kind     string
		to, from int
		v        []float64
	}
	type host struct {
		x, g, sent    []float64
		partner       int // -1: it does not wait
		held          []event
		clock, choice *rand.Rand
		steps         int
		began         sim.Time
	}
	var queue []event
	var m moment
	hosts := make([]host, 4)
	send := func(t sim.Time, kind string, from, to int, v []float64) {
		m.messages++
		queue = append(queue, event{t + clockLatency(from, to), kind, to, from, slices.Clone(v)})
	}
	tick := func(t sim.Time, i int) {
		wait := interval.Seconds() * hosts[i].clock.ExpFloat64()
		queue = append(queue, event{t + sim.Seconds(wait), "tick", i, i, nil})
	}
	push := func(t sim.Time, i int) {
		h := &hosts[i]
		to := ring(4).Graph().Neighbors(i)[h.choice.IntN(2)]
		if h.partner < 0 {
			h.partner, h.sent = to, slices.Clone(h.x)
			send(t, "push", i, to, h.x)
		}
	}
	step := func(t sim.Time, i int) {
		push(t, i)
		h := &hosts[i]
		h.g, h.began = matVec(s.nodes[i].A, false, h.x, s.nodes[i].LinearFx), t
		m.gradients++
		queue = append(queue, event{t + gradientTime(i), "gradient", i, i, nil})
	}
	average := func(t sim.Time, i int, e event) {
		h := &hosts[i]
		delta := add(make([]float64, s.p), .5, add(e.v, -1, h.x))
		h.x = add(h.x, 1, delta)
		send(t, "reply", i, e.from, delta)
	}
	for i := range hosts {
		hosts[i] = host{x: s.startX[i], partner: -1, clock: sim.Stream(7, "gossip-clock", i),
			choice: sim.Stream(7, "gossip-choice", i)}
		if gradients {
			step(0, i)
		} else {
			tick(0, i)
		}
	}
	take := func() {
		s := m
		s.iteration = math.MaxInt
		for i := range hosts {
			s.x = append(s.x, hosts[i].x)
			s.iteration = min(s.iteration, hosts[i].steps)
			if gradients {
				s.computing += int64(sim.Time(hosts[i].steps)*gradientTime(i) + m.at - hosts[i].began)
			}
		}
		at = append(at, s)
		m.at += clockSample
	}
	for len(at) <= clockSamples {
		first := 0
		for k := range queue {
			if queue[k].at < queue[first].at {
				first = k
			}
		}
		e := queue[first]
		if e.at > m.at {
			take()
			continue
		}
		queue = slices.Delete(queue, first, first+1)
		h := &hosts[e.to]
		switch e.kind {
		case "tick":
			h.steps++
			push(e.at, e.to)
			tick(e.at, e.to)
		case "gradient":
			h.steps++
			h.x = add(h.x, -clockAlpha, h.g)
			step(e.at, e.to)
		case "push":
			switch {
			case h.partner < 0:
				average(e.at, e.to, e)
			case gradients && e.from == h.partner:
				h.x, h.partner = add(h.x, .5, add(e.v, -1, h.sent)), -1
			case gradients && e.from < e.to:
				h.held = append(h.held, e)
			default:
				send(e.at, "busy", e.to, e.from, nil)
			}
		case "reply":
			h.x, h.partner = add(h.x, -1, e.v), -1
		case "busy":
			h.partner = -1
		}
		if h.partner < 0 {
			for _, x := range h.held {
				average(e.at, e.to, x)
			}
			h.held = nil
		}
	}
	return at
}

// TestClockTwins compares samples of methods without rounds with twins that handle events and know no network.
func TestClockTwins(t *testing.T) {
	s := twinCases()["four nodes, ring"]
	var v, dir [4][]float64
	for i := range v {
		v[i], dir[i] = make([]float64, s.q), make([]float64, s.p)
	}
	const beta, lambda = .03, .05
	for name, c := range map[string]struct {
		method algorithms.Method
		single bool
		want   []moment
	}{
		"async DGD": {algorithms.AsyncDGD{Outer: 1e6, Alpha: clockAlpha, Pause: clockPause}, true,
			staleTwin(s, 1, func(i int, now version, mixed []float64) version {
				g := matVec(s.nodes[i].A, false, now.x, s.nodes[i].LinearFx)
				return version{x: add(mixed, -clockAlpha, g)}
			})},
		"async L-PDBO": {algorithms.AsyncLPDBO{Outer: 1e6, Alpha: clockAlpha, Beta: beta, Lambda: lambda,
			Pause: clockPause}, false, staleTwin(s, 2, func(i int, now version, mixed []float64) version {
			n := s.nodes[i]
			fy := matVec(n.C, false, now.y, matVec(n.B, true, now.x, n.LinearFy))
			gy := matVec(n.H, false, now.y, matVec(n.P, true, now.x, n.LinearG))
			v[i] = add(add(v[i], -lambda, matVec(n.H, false, v[i], make([]float64, s.q))), lambda, fy)
			x, y := add(mixed, -clockAlpha, dir[i]), add(now.y, -beta, gy)
			fx := matVec(n.A, false, x, matVec(n.B, false, y, n.LinearFx))
			dir[i] = add(fx, -1, matVec(n.P, false, v[i], make([]float64, s.p)))
			return version{x: x, y: y}
		})},
		"AD-PSGD": {algorithms.ADPSGD{Ticks: 1e6, Alpha: clockAlpha}, true, gossipTwin(s, 0, true)},
		"randomized gossip": {algorithms.RandomizedGossip{Ticks: 1e6, Interval: 700_001}, true,
			gossipTwin(s, 700_001, false)},
	} {
		t.Run(name, func(t *testing.T) {
			on := s.split()
			if c.single {
				on = s.single()
			}
			times := make([]sim.Time, 4)
			for i := range times {
				times[i] = gradientTime(i)
			}
			got := onClock(t, world{w: ring(4), on: on}, c.method, clockSample, clockSamples*clockSample, times, clockLatency)
			if len(got) != len(c.want) {
				t.Fatalf("%d samples, want %d", len(got), len(c.want))
			}
			for k, want := range c.want {
				g := got[k]
				if g.at != want.at || g.iteration != want.iteration || g.gradients != want.gradients ||
					g.messages != want.messages || g.computing != want.computing {
					t.Fatalf("sample %d: %+v\nwant %+v", k, g, want)
				}
				for i := range want.x {
					same := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9 }
					if !slices.EqualFunc(g.x[i], want.x[i], same) || !c.single && !slices.EqualFunc(g.y[i], want.y[i], same) {
						t.Fatalf("sample %d: node %d is at %v, want %v\nall: %+v, want %+v", k, i, g.x[i], want.x[i], g, want)
					}
				}
			}
		})
	}
}
