package page

import (
	"math"
	"slices"

	"tallynet/metrics"
	"tallynet/metrics/list"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
)

// nodeCost is a cost that differs between the nodes of a run, besides their time.
type nodeCost struct {
	measure
	of func(*result.NodeRow) float64
}

func nodeCosts() []nodeCost {
	seconds := func(name string, of func(*metrics.Waits) float64) nodeCost {
		return nodeCost{measure{Name: name, Unit: metrics.Seconds},
			func(n *result.NodeRow) float64 { return of(&n.Waits) }}
	}
	return []nodeCost{
		{measure{Name: "bytes sent", Unit: metrics.Bytes},
			func(n *result.NodeRow) float64 { return float64(n.Payload + n.Overhead) }},
		{measure{Name: "messages sent", Unit: metrics.Count},
			func(n *result.NodeRow) float64 { return float64(n.Messages) }},
		{measure{Name: "rounds", Unit: metrics.Count}, func(n *result.NodeRow) float64 { return float64(n.Rounds) }},
		{measure{Name: "samples touched", Unit: metrics.Count},
			func(n *result.NodeRow) float64 { return float64(n.Oracle.Samples) }},
		seconds("waiting until others send", func(w *metrics.Waits) float64 { return w.Elsewhere.Seconds() }),
		seconds("waiting for latency", func(w *metrics.Waits) float64 { return w.Latency.Seconds() }),
		seconds("waiting for the bits", func(w *metrics.Waits) float64 { return w.Link.Seconds() }),
		seconds("waiting for timers", func(w *metrics.Waits) float64 { return w.Timer.Seconds() }),
		{measure{Name: "energy of the machine", Unit: metrics.Joules},
			func(n *result.NodeRow) float64 { return n.Machine.Joules }},
		{measure{Name: "training samples held", Unit: metrics.Count},
			func(n *result.NodeRow) float64 { return float64(n.Train) }},
	}
}

// moreOf returns the costs of a run's nodes, followed by their final metrics.
func (b *Builder) moreOf(r *result.Run) []column {
	var all []column
	for _, c := range nodeCosts() {
		all = append(all, list.Map(r.Nodes, func(n result.NodeRow) float64 { return c.of(&n) }))
	}
	b.ofNodes = list.Add(b.ofNodes, r.NodeMetrics...)
	return append(all, list.Map(b.ofNodes, func(name string) column {
		return finals(r, slices.Index(r.NodeMetrics, name))
	})...)
}

// finals returns the k-th final metric of each node, NaN for a node without it. It returns nil if no node has it.
func finals(r *result.Run, k int) column {
	var values column
	some := false
	for i := range r.Nodes {
		v := math.NaN()
		if f := r.Nodes[i].Final; k >= 0 && k < len(f) {
			v = f[k]
		}
		values, some = append(values, v), some || !math.IsNaN(v)
	}
	if !some {
		return nil
	}
	return values
}

// dropUnused removes quantities that are zero or missing at all nodes of all runs.
func (b *Builder) dropUnused(c *chartData) {
	all := list.Map(nodeCosts(), func(q nodeCost) measure { return q.measure })
	for _, name := range b.ofNodes {
		all = append(all, measure{ID: name, Name: "final " + fold.MetricWords(name, ""), Unit: metrics.Number})
	}
	var used []int
	for i, q := range all {
		if slices.ContainsFunc(c.Details, func(d runDetail) bool {
			return i < len(d.More) && slices.ContainsFunc(d.More[i], func(v float64) bool { return v != 0 && !math.IsNaN(v) })
		}) {
			used = append(used, i)
			c.NodeCosts = append(c.NodeCosts, q)
		}
	}
	for i := range c.Details {
		d := &c.Details[i]
		d.More = append(slices.Clip(d.More), make([]column, len(all)-len(d.More))...) // the metric is new
		d.More = pick(d.More, used)
	}
}
