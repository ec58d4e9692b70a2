package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"tallynet/metrics"
)

// costs is the table of costs: those that methods are compared by come first.
var costs = func() []metrics.CostItem {
	all := metrics.CostItems()
	slices.SortStableFunc(all, func(a, b metrics.CostItem) int { return cmp.Compare(rank(a), rank(b)) })
	return all
}()

func rank(c metrics.CostItem) int {
	if c.Rank == 0 {
		return math.MaxInt
	}
	return c.Rank
}

// paid returns what a run has paid at a moment, by cost.
func paid(m *metrics.Moment) []float64 {
	p := make([]float64, len(costs))
	for i := range costs {
		p[i] = costs[i].Value(m)
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
		all = append(all, column{Outcome{ID: "final." + name, Name: "final " + name, Unit: metrics.Number, More: slices.Contains(c.options.More, name), Target: -1, Main: true}, i, -1})
	}
	add := func(target int, prefix, to string) {
		for i, k := range costs {
			if target >= 0 && !k.Main() && !slices.Contains(toTarget, k.ID) {
				continue
			}
			id := prefix + k.ID
			if target < 0 && k.ID == "iterations" {
				id = k.ID // as in result.json
			}
			main := k.Main() && (target >= 0 || len(c.targets) == 0)
			all = append(all, column{Outcome{ID: id, Name: k.Name + to, Unit: k.Unit, Target: target, Main: main}, -1, i})
		}
	}
	add(-1, "totals.", "")
	for t := range c.targets {
		add(t, toID(t, ""), " to "+c.targets[t].Name)
	}
	return slices.DeleteFunc(all, func(o column) bool { return !o.Main && !c.mainTotal(o) && c.allZero(o) })
}

// toID is the ID of a cost to a target.
func toID(target int, cost string) string { return fmt.Sprintf("to[%d].%s", target, cost) }

// mainTotal tells whether a column is one of the main costs, but in all.
func (c *Collector) mainTotal(o column) bool {
	return o.final < 0 && costs[o.cost].Main()
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
		case r.to[o.Target].reached:
			return r.to[o.Target].paid[o.cost], have
		case !r.ended:
			return none, failed
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
