package scenarios

import (
	"math"
	"math/big"
	"sort"

	"tallynet/algorithms"
	"tallynet/metrics"
	"tallynet/metrics/report/result"
	"tallynet/node"
)

// iterations returns how many iterations of a method a run has at most: those after which stop.time or
// stop.payload ends it. What links, stragglers and waiting take is left out, so that a run may have fewer.
func (in *Instance) iterations(m algorithms.Method, w workload, batch float64) int {
	stop, all := in.Scenario.Stop, m.Iterations()
	until, payload := stop.Duration("time"), int64(stop.Size("payload"))
	over := func(k int) bool {
		terms := algorithms.CostTerms(m, in.dims(), k)
		if until > 0 && in.computing(terms, w, batch) >= until.Seconds() {
			return true
		}
		f := result.Forecast{Iterations: k, Prediction: &metrics.Prediction{Terms: terms}}
		if payload > 0 {
			in.forecastBytes(&f, m)
		}
		return payload > 0 && f.PayloadBytes.Cmp(big.NewInt(payload)) >= 0
	}
	return min(all, 1+sort.Search(all, func(k int) bool { return over(k + 1) }))
}

// computing returns the simulated seconds that calls and rounds take on the fastest of the nodes, if all call
// as often.
func (in *Instance) computing(terms metrics.Terms, w workload, batch float64) float64 {
	count := func(of func(*metrics.Cost) int64) float64 {
		n, _ := terms.Of(of).Float64()
		return n
	}
	nodes := float64(in.Scenario.Topology.DataNodes())
	least := math.Inf(1)
	for _, m := range in.Scenario.machines() {
		seconds := m.Round.Seconds() * count(func(k *metrics.Cost) int64 { return k.Rounds })
		for c := range metrics.NumCalls {
			calls := count(func(k *metrics.Cost) int64 { return k.Oracle.Of(c) }) / nodes
			switch each := m.Calls[c]; {
			case each != node.ByFlops:
				seconds += calls * each.Seconds()
			case m.FlopsPerSecond > 0:
				seconds += calls * w.flops(c, w.samples(batch)) / float64(m.FlopsPerSecond)
			}
		}
		least = min(least, seconds)
	}
	return least
}
