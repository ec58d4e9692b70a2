package page

import (
	"math"
	"slices"

	"tallynet/metrics"
	"tallynet/metrics/result"
)

// nodeCost is something that differs between the nodes of a run, besides their time.
type nodeCost struct {
	quantity
	of func(*result.NodeRow) float64
}

func nodeCosts() []nodeCost {
	seconds := func(name string, of func(*metrics.Waits) float64) nodeCost {
		return nodeCost{quantity{Name: name, Unit: metrics.Seconds},
			func(n *result.NodeRow) float64 { return of(&n.Waits) }}
	}
	return []nodeCost{
		{quantity{Name: "bytes sent", Unit: metrics.Bytes},
			func(n *result.NodeRow) float64 { return float64(n.Payload + n.Overhead) }},
		{quantity{Name: "messages sent", Unit: metrics.Count},
			func(n *result.NodeRow) float64 { return float64(n.Messages) }},
		{quantity{Name: "rounds", Unit: metrics.Count}, func(n *result.NodeRow) float64 { return float64(n.Rounds) }},
		{quantity{Name: "samples touched", Unit: metrics.Count},
			func(n *result.NodeRow) float64 { return float64(n.Oracle.Samples) }},
		seconds("waiting until others send", func(w *metrics.Waits) float64 { return w.Elsewhere.Seconds() }),
		seconds("waiting for latency", func(w *metrics.Waits) float64 { return w.Latency.Seconds() }),
		seconds("waiting for the bits", func(w *metrics.Waits) float64 { return w.Link.Seconds() }),
		seconds("waiting for timers", func(w *metrics.Waits) float64 { return w.Timer.Seconds() }),
		{quantity{Name: "energy of the machine", Unit: metrics.Joules},
			func(n *result.NodeRow) float64 { return n.Machine.Joules }},
		{quantity{Name: "training samples held", Unit: metrics.Count},
			func(n *result.NodeRow) float64 { return float64(n.Train) }},
		{quantity{Name: "distance of its last x from the mean", Unit: metrics.Number}, nil},
	}
}

// moreOf returns the costs of a run's nodes; last, how far their iterates are from the mean, if they are recorded.
func moreOf(r *result.Run) []column {
	var all []column
	for _, c := range nodeCosts() {
		var values column
		for i := range r.Nodes {
			if c.of != nil {
				values = append(values, c.of(&r.Nodes[i]))
			}
		}
		if c.of == nil {
			values = distances(r.X, len(r.Nodes))
		}
		all = append(all, values)
	}
	return all
}

// distances returns how far each row is from the mean of all; nothing where there are not as many as nodes.
func distances(x result.Iterates, nodes int) column {
	if len(x) != nodes || nodes < 2 || slices.ContainsFunc(x, func(row []float64) bool { return len(row) != len(x[0]) }) {
		return nil
	}
	mean, out := make([]float64, len(x[0])), make(column, nodes)
	for _, row := range x {
		for k, v := range row {
			mean[k] += v / float64(nodes)
		}
	}
	for i, row := range x {
		for k, v := range row {
			out[i] = math.Hypot(out[i], v-mean[k])
		}
	}
	return out
}

// dropUnused takes out the costs of nodes that are 0, or missing, in all runs.
func (c *chartData) dropUnused() {
	var used []int
	for i, q := range nodeCosts() {
		if slices.ContainsFunc(c.Details, func(d runDetail) bool {
			return slices.ContainsFunc(d.More[i], func(v float64) bool { return v != 0 })
		}) {
			used = append(used, i)
			c.NodeCosts = append(c.NodeCosts, q.quantity)
		}
	}
	for i := range c.Details {
		c.Details[i].More = pick(c.Details[i].More, used)
	}
}
