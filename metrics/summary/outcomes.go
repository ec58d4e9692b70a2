package summary

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tallynet/metrics"
)

// cost is something that a run pays as it goes on.
type cost struct {
	id   string // as in result.json, below totals
	name string
	unit Unit
	main bool
	of   func(t *metrics.Totals) float64
}

// costs are the costs of a run in the order in which they are shown. Those that are not
// main are left out where they are 0 in all runs.
var costs = func() []cost {
	bytes := func(id, name string, main bool, of func(t *metrics.Totals) int64) cost {
		return cost{id, name, Bytes, main, func(t *metrics.Totals) float64 { return float64(of(t)) }}
	}
	count := func(id, name string, main bool, of func(t *metrics.Totals) int64) cost {
		return cost{id, name, Count, main, func(t *metrics.Totals) float64 { return float64(of(t)) }}
	}
	seconds := func(id, name string, main bool, of func(t *metrics.Totals) float64) cost {
		return cost{id, name, Seconds, main, of}
	}
	all := []cost{
		bytes("payload_bytes", "bytes", true, func(t *metrics.Totals) int64 { return t.PayloadBytes() }),
		seconds("time_s", "time", true, func(t *metrics.Totals) float64 { return t.Time.Seconds() }),
		count("rounds", "rounds", true, func(t *metrics.Totals) int64 { return t.Rounds }),
		count("oracle_calls", "oracle calls", true, oracleCalls),
	}
	for k := range metrics.NumKinds {
		all = append(all, bytes(k.String()+"_bytes", k.String()+" bytes", false, func(t *metrics.Totals) int64 { return t.Payload[k] }))
	}
	all = append(all,
		bytes("overhead_bytes", "overhead bytes", false, func(t *metrics.Totals) int64 { return t.Overhead }),
		bytes("retransmitted_bytes", "retransmitted bytes", false, func(t *metrics.Totals) int64 { return t.Retransmitted }),
		bytes("lost_bytes", "lost bytes", false, func(t *metrics.Totals) int64 { return t.LostBytes }),
		count("messages", "messages", false, func(t *metrics.Totals) int64 { return t.Messages }),
		seconds("compute_s", "computing", false, func(t *metrics.Totals) float64 { return t.Compute.Seconds() }),
		seconds("wait_s", "waiting", false, func(t *metrics.Totals) float64 { return t.Wait.Seconds() }),
		seconds("critical_path.compute_s", "critical path: computing", false, func(t *metrics.Totals) float64 { return t.Path.Compute.Seconds() }),
		seconds("critical_path.transfer_s", "critical path: transfer", false, func(t *metrics.Totals) float64 { return t.Path.Transfer.Seconds() }),
		seconds("critical_path.latency_s", "critical path: latency", false, func(t *metrics.Totals) float64 { return t.Path.Latency.Seconds() }),
		seconds("critical_path.idle_s", "critical path: idle", false, func(t *metrics.Totals) float64 { return t.Path.Idle.Seconds() }),
	)
	for c := range metrics.NumCalls {
		all = append(all, count("oracle."+c.String(), c.String()+" calls", false, func(t *metrics.Totals) int64 { return t.Oracle.Of(c) }))
	}
	return append(all, count("oracle.samples", "samples", false, func(t *metrics.Totals) int64 { return t.Oracle.Samples }))
}()

func oracleCalls(t *metrics.Totals) int64 {
	var n int64
	for c := range metrics.NumCalls {
		n += t.Oracle.Of(c)
	}
	return n
}

// width is how many numbers are kept of one moment of a run: iterations and the costs.
var width = 1 + len(costs)

// paid returns what a run has paid at a moment.
func paid(iteration int, t *metrics.Totals) []float64 {
	p := make([]float64, 0, width)
	p = append(p, float64(iteration))
	for _, c := range costs {
		p = append(p, c.of(t))
	}
	return p
}

// column is an outcome with where its values come from.
type column struct {
	Outcome
	final int // index into record.finals; -1: a cost
	cost  int // index into what paid returns
}

// toTarget are the costs that are told of each target, beside those that are main.
var toTarget = []string{"scalar_bytes", "vector_bytes", "matrix_bytes"}

// columns are the outcomes that any run has: final metrics, costs in all, costs to each target.
func (c *Collector) columns() []column {
	var all []column
	for i, name := range c.finals {
		all = append(all, column{Outcome{ID: "final." + name, Name: "final " + name, Unit: Number, More: slices.Contains(c.options.More, name), Target: -1, Main: true}, i, -1})
	}
	add := func(target int, iterations, prefix, to string) {
		main := target >= 0 || len(c.targets) == 0
		all = append(all, column{Outcome{ID: iterations, Name: "iterations" + to, Unit: Count, Target: target, Main: main}, -1, 0})
		for i, k := range costs {
			if target < 0 || k.main || slices.Contains(toTarget, k.id) {
				all = append(all, column{Outcome{ID: prefix + k.id, Name: k.name + to, Unit: k.unit, Target: target, Main: main && k.main}, -1, 1 + i})
			}
		}
	}
	add(-1, "iterations", "totals.", "")
	for t := range c.targets {
		add(t, toID(t, "iterations"), toID(t, ""), " to "+c.targets[t].Name)
	}
	return slices.DeleteFunc(all, func(o column) bool { return !o.Main && !c.mainTotal(o) && c.allZero(o) })
}

// toID is the ID of a cost to a target.
func toID(target int, cost string) string { return fmt.Sprintf("to[%d].%s", target, cost) }

// mainTotal tells whether a column is one of the main costs, but in all.
func (c *Collector) mainTotal(o column) bool {
	return o.final < 0 && (o.cost == 0 || costs[o.cost-1].main)
}

func (c *Collector) allZero(o column) bool {
	for _, g := range c.sorted() {
		for i := range g.records {
			if v, _ := g.records[i].value(o); v != 0 && !math.IsNaN(v) {
				return false
			}
		}
	}
	return true
}

// state tells whether a run has an outcome.
type state uint8

const (
	unasked  state = iota // it was not asked, or is not recorded
	failed                // the run did not end well
	censored              // it ended before; the value is what it had paid by then
	have
)

// value returns the outcome of a run, NaN if it has none.
func (r *record) value(o column) (float64, state) {
	none := math.NaN()
	switch {
	case o.Target >= 0:
		switch {
		case o.Target >= len(r.to) || !r.to[o.Target].asked:
			return none, unasked
		case !r.ended:
			return none, failed
		case r.to[o.Target].reached:
			return r.to[o.Target].paid[o.cost], have
		}
		return r.to[o.Target].paid[o.cost], censored
	case !r.ended:
		return none, failed
	case o.final < 0:
		return r.totals[o.cost], have
	case o.final >= len(r.finals) || math.IsNaN(r.finals[o.final]) || math.IsInf(r.finals[o.final], 0):
		return none, unasked
	}
	return r.finals[o.final], have
}

// String returns "grad_norm2 <= 0.0001".
func (c Condition) String() string { return fmt.Sprintf("%s %s %g", c.Metric, c.Relation, c.Value) }

// met tells whether a value meets the condition; NaN meets none.
func (c Condition) met(v float64) bool {
	if c.Relation == ">=" {
		return v >= c.Value
	}
	return v <= c.Value
}

// String joins the conditions by "and".
func (t Target) String() string {
	var words []string
	for _, c := range t.Conditions {
		words = append(words, c.String())
	}
	return strings.Join(words, " and ")
}
