package retime

import (
	"context"
	"errors"
	"math"
	"testing"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/build"
	"tallynet/scenarios/execute"
)

// TestCrossoversByHand finds where lines cross, and counts how often it looks.
func TestCrossoversByHand(t *testing.T) {
	never := math.Inf(1)
	for name, c := range map[string]struct {
		cost func(x float64) []float64
		want []Crossing // with Low and High at the exact place
		most int        // evaluations
	}{
		"latency": {func(x float64) []float64 { return []float64{3 + 10*x, 1 + 40*x} },
			[]Crossing{{1. / 15, 1. / 15, 1, 0}}, 14},
		"bandwidth": {func(x float64) []float64 { return []float64{3 + 10/x, 1 + 40/x} }, []Crossing{{15, 15, 0, 1}}, 14},
		"none":      {func(x float64) []float64 { return []float64{1 + x, 2 + x, never} }, nil, 7},
		"nobody":    {func(x float64) []float64 { return []float64{never, never} }, nil, 7},
		"three": {func(x float64) []float64 { return []float64{1, x, 0.1 + x/2} },
			[]Crossing{{0.2, 0.2, 1, 2}, {1.8, 1.8, 2, 0}}, 25},
		"two in a decade": {func(x float64) []float64 { return []float64{2 * x, 3 + x/2, 1 + x} },
			[]Crossing{{1, 1, 0, 2}, {4, 4, 2, 1}}, 30},
		"a jump": {func(x float64) []float64 { return []float64{max(0, math.Copysign(5, x-0.3)), 1} },
			[]Crossing{{0.3, 0.3, 0, 1}}, 7 + 13},
		"gets there late": {func(x float64) []float64 {
			if x < 0.3 {
				return []float64{never}
			}
			return []float64{1}
		}, []Crossing{{0.3, 0.3, -1, 0}}, 7 + 13},
	} {
		looks := 0
		got, err := Crossovers(func(x float64) ([]float64, error) { looks++; return c.cost(x), nil }, 1e-3, 1e3)
		if err != nil || looks > c.most || len(got) != len(c.want) {
			t.Errorf("%s: %+v in %d looks, %v, want %+v in %d", name, got, looks, err, c.want, c.most)
			continue
		}
		for i, g := range got {
			w := c.want[i]
			if g.From != w.From || g.To != w.To || !(g.Low <= w.Low && w.High <= g.High && g.High <= Narrow*g.Low) {
				t.Errorf("%s: %+v, want %+v", name, g, w)
			}
		}
	}
	// Between two powers of ten, a choice that is cheapest in their middle only is found at a given point.
	hidden := func(x float64) ([]float64, error) { return []float64{1, 0.9 + math.Abs(math.Log(x/3))}, nil }
	for want, points := range map[int][]float64{0: nil, 2: {3}} {
		if got, err := Crossovers(hidden, 1, 10, points...); err != nil || len(got) != want {
			t.Errorf("with %v: %v, %v", points, got, err)
		}
	}
	wrong := errors.New("wrong")
	for _, from := range []float64{0, 0.5, 5} {
		fails := func(x float64) ([]float64, error) {
			if x > from && x < 10 || from == 5 && x == 10 {
				return nil, wrong
			}
			return []float64{x, 1.5}, nil
		}
		if _, err := Crossovers(fails, 0.1, 10); !errors.Is(err, wrong) {
			t.Errorf("wrong from %g: %v", from, err)
		}
	}
}

// race is what TestCrossoversAreThoseOfRuns asks about.
const race = `version: 1
topology: {kind: ring, nodes: 8, weights: lazy-metropolis}
network: {latency: 10us, bandwidth: 1Gbit/s}
compute: {speed: 1GFLOP/s}
problem: {kind: quadratic, p: 20, q: 30, condition: 10, heterogeneity: 0.1}
algorithms:
  - {name: dagm, outer: 300, inner: 5, neumann: 20, alpha: 0.02, beta: 0.05}
  - {name: dgbo, outer: 300, terms: 10, alpha: 0.02, gamma: 0.05, beta: 0.5, lipschitz: 10}
stop: {grad_norm2: 0.25}
`

// racers runs and records the methods of the scenario text, and returns their times.
func racers(t *testing.T, text string) (in *build.Instance, traces []*Trace, times []float64) {
	t.Helper()
	ctx := context.Background()
	s, in, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, alg := range s.Algorithms {
		run := execute.Run(ctx, in, alg, alg.Args, nil)
		if run.Status != result.Reached {
			t.Fatalf("%s: %s %s", alg.Label, run.Status, run.Reason)
		}
		trace, err := Record(ctx, in, alg, alg.Args, run.Iterations)
		if err != nil {
			t.Fatal(err)
		}
		traces, times = append(traces, trace), append(times, run.Totals.Time.Seconds())
	}
	return in, traces, times
}

// TestCrossoversAreThoseOfRuns asks on a ring of 8 at what latency, bandwidth and speed DAGM becomes slower than DGBO.
// Runs at 2 % below and above the answer have opposite orders.
func TestCrossoversAreThoseOfRuns(t *testing.T) {
	t.Parallel()
	in, traces, _ := racers(t, race)
	for key, c := range map[string]struct {
		base     float64
		from, to int
	}{"network.latency": {1e-5, 0, 1}, "network.bandwidth": {1e9, 0, 1}, "compute.speed": {1e9, 1, 0}} {
		costs := Along(context.Background(), key, traces)
		got, err := Crossovers(costs, c.base/1000, c.base*1000)
		if err != nil || len(got) != 1 || got[0].From != c.from || got[0].To != c.to {
			t.Errorf("%s: %v, %v, want choice %d, then %d", key, got, err, c.from, c.to)
			continue
		}
		for best, x := range map[int]float64{c.from: got[0].At() / 1.02, c.to: got[0].At() * 1.02} {
			there, err := in.Scenario.WithNumber(key, x)
			if err != nil {
				t.Fatal(err)
			}
			text, err := there.YAML()
			if err != nil {
				t.Fatal(err)
			}
			if _, _, times := racers(t, string(text)); times[best] >= times[1-best] {
				t.Errorf("%s = %g: runs take %v, want choice %d to win", key, x, times, best)
			}
		}
	}
}

// TestCrossoversOverSeeds summarizes by hand: three of four seeds change from 0 to 1, one of them twice.
func TestCrossoversOverSeeds(t *testing.T) {
	at := func(x float64, from, to int) Crossing { return Crossing{x, x, from, to} }
	got := OverSeeds([][]Crossing{{at(4, 0, 1)}, {at(2, 0, 1), at(3, 1, 0), at(9, 0, 1)}, nil, {at(8, 0, 1)}})
	if len(got) != 2 {
		t.Fatalf("%+v", got)
	}
	back, over := got[0], got[1]
	if back.From != 1 || back.To != 0 || back.At.Value != 3 || back.At.HasInterval() || back.None != 3 {
		t.Errorf("back: %+v", back)
	}
	if over.From != 0 || over.To != 1 || over.At.Value != 4 || over.At.Low != 2 || over.At.High != 8 || over.None != 1 {
		t.Errorf("over: %+v", over)
	}
}
