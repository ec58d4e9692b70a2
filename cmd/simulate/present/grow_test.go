package present

import (
	"fmt"
	"math"
	"testing"

	"tallynet/metrics"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/scenariotest"
	"tallynet/sim"
)

// timed returns a run that reaches a target of 0.1 after a time.
func timed(label string, seed uint64, at result.Settings, seconds float64) result.Run {
	moment := func(iteration int) metrics.Moment {
		time := sim.Time(seconds * float64(iteration) * 1e6)
		return metrics.Moment{Iteration: iteration, Totals: metrics.Totals{Time: time}}
	}
	return result.Run{Label: label, Algorithm: label, Seed: seed, Point: at, Status: result.Completed, Iterations: 1000,
		Metrics: []string{"grad_norm2"}, Totals: moment(1000).Totals, Samples: []result.Sample{{Values: []float64{1}},
			{Moment: moment(999), Values: []float64{1}}, {Moment: moment(1000), Values: []float64{0.01}}}}
}

// TestDecided: the margin is decided by its interval at the given confidence, not at the usual one.
func TestDecided(t *testing.T) {
	s := scenariotest.Parse(t, scenariotest.Study, "seeds={until: 10%, most: 100}",
		"ask={choose: algorithm, by: [time, bytes], to: {grad_norm2: 0.1}}")
	for _, c := range []struct {
		mean, spread float64 // of the logarithm of the ratio; its five values are mean + spread * (-2..2)
		level        float64
		want         bool
	}{
		// With a spread of 0.1 half the width is 2.78 * 0.1 * sqrt(2.5 / 5) = 0.20 at 95 %, and 0.61 at 99.9 %.
		{0.7, 0.1, 0.95, true}, {0.7, 0.1, 0.999, true}, {0.5, 0.1, 0.95, true}, {0.5, 0.1, 0.999, false},
		{0.25, 0.1, 0.95, true}, {0.25, 0.1, 0.999, false},
		{0.15, 0.1, 0.95, false}, {0.01, 0.02, 0.95, true}, {0.01, 0.02, 0.999, false},
	} {
		var runs []result.Run
		for seed := range 5 {
			ratio := math.Exp(c.mean + c.spread*float64(seed-2))
			runs = append(runs, timed("DAGM", uint64(seed+1), nil, 1), timed("DGBO", uint64(seed+1), nil, ratio))
		}
		if got, err := Decided(s, runs, c.level); err != nil || got != c.want {
			t.Errorf("%+v: %t, %v", c, got, err)
		}
	}
}

// TestChanges: the answer changes where another choice is the best or where one begins to tie, and not within ties.
func TestChanges(t *testing.T) {
	s := scenariotest.Parse(t, scenariotest.Study, "ask={choose: algorithm, by: time, to: {grad_norm2: 0.1}, "+
		"along: network.latency}", "sweep={network.latency: [8ms, 1ms, 2ms, 4ms, 16ms]}")
	var runs []result.Run
	for latency, times := range map[string][2]float64{"1ms": {1, 2}, "2ms": {1, 1.2}, "4ms": {1.01, 1},
		"8ms": {1, 1.01}, "16ms": {2, 1}} {
		at, err := result.NewSetting("network.latency", latency)
		if err != nil {
			t.Fatal(err)
		}
		point := result.Settings{at}
		runs = append(runs, timed("DAGM", 1, point, times[0]), timed("DGBO", 1, point, times[1]))
	}
	gaps, err := Changes(s, runs)
	found := map[string]bool{}
	for _, g := range gaps {
		found[fmt.Sprintf("%s %g-%g", g.Key, g.Low, g.High)] = true
	}
	if err != nil || len(found) != 2 || !found["network.latency 0.002-0.004"] || !found["network.latency 0.008-0.016"] {
		t.Errorf("the answer changes at %v, %v", found, err)
	}
}
