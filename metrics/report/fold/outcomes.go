package fold

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/list"
	"tallynet/metrics/report/result"
)

// paid returns the costs of a run at a moment, in the order of Fold.costs.
func (f *Fold) paid(m *metrics.Moment) []float64 {
	p := make([]float64, len(f.costs))
	for i := range f.costs {
		p[i] = f.costs[i].Value(m)
	}
	return p
}

// column is an outcome with the place of its values in a record.
type column struct {
	Outcome
	metric int               // index into Fold.metrics, if there are no costs
	costs  []int             // indices into Fold.costs: their sum
	item   *metrics.CostItem // the cost, of an outcome of a summary
}

// columns returns the outcomes that any run has: final metrics, costs of the whole run, costs to each target.
func (f *Fold) columns() []column {
	var all []column
	headlines := f.Headlines()
	for i, name := range f.metrics {
		all = append(all, column{Outcome: Outcome{ID: "final." + name, Name: "final " + f.Title(name), Target: -1,
			Unit: metrics.Number, More: slices.Contains(f.options.More, name), Main: true,
			Headline: slices.Contains(headlines, name)}, metric: i})
	}
	add := func(target int, prefix, to string) {
		for i := range f.costs {
			k := &f.costs[i]
			if target >= 0 && !k.ToTargets() {
				continue
			}
			id := prefix + k.ID
			if target < 0 && k.ID == "iterations" {
				id = k.ID // as in result.json
			}
			main := k.Main() && (target >= 0 || len(f.targets) == 0)
			all = append(all, column{Outcome{ID: id, Name: k.Name + to, Unit: k.Unit, Main: main, Target: target}, -1,
				[]int{i}, k})
		}
	}
	add(-1, "totals.", "")
	for t := range f.targets {
		add(t, toID(t, ""), " to "+f.targets[t].Name)
	}
	return slices.DeleteFunc(all, func(o column) bool {
		return o.item != nil && (o.item.Place == metrics.InPrices || !o.item.Main()) && f.allZero(o)
	})
}

// toID returns the ID of a cost to a target.
func toID(target int, cost string) string { return fmt.Sprintf("to[%d].%s", target, cost) }

func (f *Fold) allZero(o column) bool {
	for _, g := range f.sorted() {
		for i := range g.records {
			if v, state := g.records[i].value(o); v != 0 && state >= censored {
				return false
			}
		}
	}
	return true
}

// state says what is known of an outcome of a run.
type state uint8

const (
	unasked  state = iota // nothing: the run was not asked, or has not recorded it
	never                 // it is the worst possible: the run diverged, stalled or failed
	censored              // it is larger than the value: the run had paid that much and was not there
	have                  // the value
)

// Worst returns the worst value: +Inf, or -Inf if more is better.
func Worst(more bool) float64 {
	if more {
		return math.Inf(-1)
	}
	return math.Inf(1)
}

// value returns the outcome of a run. A run that did not end well reaches nothing: its costs and metrics are infinite.
// One that ended by its budget, or that the user interrupted, would have paid more.
func (r *record) value(o column) (float64, state) {
	at, done := &r.end, r.status.Ended()
	if o.Target >= 0 {
		if o.Target >= len(r.to) || !r.to[o.Target].asked {
			return math.NaN(), unasked
		}
		if done = r.to[o.Target].reached; done {
			at = &r.to[o.Target].reading
		}
	}
	switch limited := r.status.Ended() || r.status == result.Interrupted; {
	case !done && limited && o.costs != nil:
		return r.end.sum(o.costs), censored
	case !done && r.status == result.Interrupted:
		return math.NaN(), unasked
	case !done:
		return Worst(o.More), never
	case o.costs != nil:
		return at.sum(o.costs), have
	case o.metric >= len(at.values) || math.IsNaN(at.values[o.metric]) || math.IsInf(at.values[o.metric], 0):
		return math.NaN(), unasked
	}
	return at.values[o.metric], have
}

// sum returns the sum of some costs.
func (r *reading) sum(costs []int) float64 {
	total := 0.0
	for _, c := range costs {
		total += r.paid[c]
	}
	return total
}

// Quantity identifies something that a run has at any moment: the sum of some costs, by the IDs of their cost items,
// or a metric if there are no costs.
type Quantity struct {
	Costs  []string
	Metric string
}

// Measure summarizes a quantity over the runs of a method (an index into Labels) at a grid point (into Points), at
// the time when they reach a target (into Targets) or at TheEnd. It agrees with the summary where that has the
// quantity. The end of a single run counts however it ended. Measure panics if a cost is unknown. A metric that no
// run has gives no value.
func (f *Fold) Measure(point, label, target int, q Quantity) Measured {
	g := f.groupAt(point, label)
	o, known := f.quantity(target, q)
	if g == nil || !known {
		return measured(nil, o, 0)
	}
	records := g.records
	if target < 0 && len(records) == 1 {
		alone := records[0]
		alone.status = result.Completed
		records = []record{alone}
	}
	return measured(records, o, f.options.Seed)
}

// MeasureAt is Measure for the method and the grid point of these names, at a target; nil is the end of the runs.
func (f *Fold) MeasureAt(label string, point result.Settings, to *result.Target, q Quantity) Measured {
	target := TheEnd
	if to != nil {
		target = slices.IndexFunc(f.targets, func(t NamedTarget) bool { return t.Equal(*to) })
	}
	return f.Measure(f.byName[point.Text(" = ")], slices.Index(f.labels, label), target, q)
}

// quantity returns the column of a quantity. It reports false for a metric that no run has.
func (f *Fold) quantity(target int, q Quantity) (column, bool) {
	o := column{Outcome: Outcome{Target: target, More: slices.Contains(f.options.More, q.Metric)},
		metric: slices.Index(f.metrics, q.Metric)}
	for _, id := range q.Costs {
		cost := slices.IndexFunc(f.costs, func(c metrics.CostItem) bool { return c.ID == id })
		if cost < 0 {
			panic("fold: unknown cost " + id)
		}
		o.costs = append(o.costs, cost)
	}
	return o, o.costs != nil || o.metric >= 0
}

// Resolution returns the relative cost of one recorded step: the median, over the runs of a group that reached a
// target, of the share of the cost that came with the last sample before they did. It is 0 if no run tells.
func (f *Fold) Resolution(point, label, target int, q Quantity) float64 {
	g := f.groupAt(point, label)
	o, known := f.quantity(target, q)
	if g == nil || !known || o.costs == nil || target < 0 {
		return 0
	}
	var steps []float64
	for i := range g.records {
		if to := g.records[i].to; target < len(to) && to[target].reached && to[target].before.paid != nil {
			if at := to[target].sum(o.costs); at > 0 {
				steps = append(steps, (at-to[target].before.sum(o.costs))/at)
			}
		}
	}
	if len(steps) == 0 {
		return 0
	}
	slices.Sort(steps)
	return steps[len(steps)/2]
}

// Runs returns the runs of a group, as indices in the order of Add.
func (f *Fold) Runs(point, label int) []int {
	if g := f.groupAt(point, label); g != nil {
		return list.Map(g.records, func(r record) int { return r.index })
	}
	return nil
}

// Headlines returns the metrics of the runs that are shown by default.
func (f *Fold) Headlines() []string {
	if f.options.Headlines != nil {
		return f.options.Headlines(f.metrics)
	}
	return slices.DeleteFunc(f.Metrics(), func(name string) bool { return !slices.Contains(f.options.More, name) })
}

// Title returns the name of a metric for people.
func (f *Fold) Title(metric string) string {
	if title := f.options.Titles[metric]; title != "" {
		return title
	}
	return metric
}

// MetricWords returns a metric's name for pictures: its title, if it has one, or its name in words.
func MetricWords(metric, title string) string {
	switch {
	case title != "" && title != metric:
		return title
	case metric == "grad_norm2":
		return "squared gradient norm"
	}
	return strings.ReplaceAll(metric, "_", " ")
}

// Metrics returns the names of all metrics of the runs, in order of appearance.
func (f *Fold) Metrics() []string { return slices.Clone(f.metrics) }
