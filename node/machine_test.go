package node

import (
	"math"
	"testing"

	"tallynet/metrics"
	"tallynet/sim"
)

// TestMachinesAreChecked covers the bounds of valid machines.
func TestMachinesAreChecked(t *testing.T) {
	calls := func(d sim.Time) (c [metrics.NumCalls]sim.Time) {
		c[metrics.CallHVP] = d
		return c
	}
	of := func(s Straggler) Machine { return Machine{Straggler: s} }
	for _, m := range []Machine{{}, {FlopsPerSecond: 1, Round: 1}, {Calls: calls(0)}, {Calls: calls(1)},
		{Calls: calls(ByFlops)}, of(Straggler{Kind: Constant, Factor: 0.5}),
		of(Straggler{Kind: LogNormal, Sigma: 0.1, Window: 1}),
		of(Straggler{Kind: Exponential, Mean: 0.1, Window: 1}), of(Straggler{Kind: Pareto, Shape: 0.1, Window: 1})} {
		if err := m.check(); err != nil {
			t.Errorf("%+v: %v", m, err)
		}
	}
	nan, inf := math.NaN(), math.Inf(1)
	bad := []Machine{{FlopsPerSecond: -1}, {Round: -1}, {FlopsPerSecond: -1, Round: -1}, {Calls: calls(-2)},
		of(Straggler{Kind: Pareto + 1, Window: 1})}
	for _, x := range []float64{0, -1, nan, inf, -inf} {
		bad = append(bad, of(Straggler{Kind: Constant, Factor: x, Window: 1}),
			of(Straggler{Kind: LogNormal, Sigma: x, Mean: 1, Shape: 1, Factor: 1, Window: 1}),
			of(Straggler{Kind: Exponential, Mean: x, Sigma: 1, Shape: 1, Factor: 1, Window: 1}),
			of(Straggler{Kind: Pareto, Shape: x, Sigma: 1, Mean: 1, Factor: 1, Window: 1}))
	}
	for _, w := range []sim.Time{0, -1} {
		bad = append(bad, of(Straggler{Kind: LogNormal, Sigma: 1, Window: w}))
	}
	for _, m := range bad {
		if m.check() == nil {
			t.Errorf("%+v is accepted", m)
		}
	}
}

// TestSlowdownsAreTheirFormulas checks each factor as a function of one draw from the stream of its seed, node
// and window.
func TestSlowdownsAreTheirFormulas(t *testing.T) {
	for window := range 20 {
		normal, exponential, uniform := sim.Stream(7, "straggler", 3, window).NormFloat64(),
			sim.Stream(7, "straggler", 3, window).ExpFloat64(), sim.Stream(7, "straggler", 3, window).Float64()
		for _, c := range []struct {
			Straggler
			want float64
		}{
			{Straggler{Kind: LogNormal, Sigma: 0.5}, math.Exp(normal / 2)},
			{Straggler{Kind: Exponential, Mean: 0.25}, 1 + exponential/4},
			{Straggler{Kind: Pareto, Shape: 2}, 1 / math.Sqrt(1-uniform)},
		} {
			if got := c.factor(7, 3, sim.Time(window)); !(math.Abs(got/c.want-1) <= 1e-14) {
				t.Errorf("%+v, window %d: %v, want %v", c.Straggler, window, got, c.want)
			}
		}
	}
}
