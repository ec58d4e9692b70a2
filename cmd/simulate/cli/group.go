package cli

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/render"
	"tallynet/metrics/result"
	"tallynet/scenarios"
)

// group is the runs of one method at one grid point: one for each seed.
type group struct {
	label string
	point result.Settings
	runs  []*result.Run
	start []*result.Sample // by run; nil: nothing was recorded
	met   [][]meeting      // by target of the study, and by run: where it met it; the end comes last
}

// meeting is what a run, which may be brief, was at a target.
type meeting struct {
	sample *result.Sample // nil: it never met it
	counts bool           // among those that got there
	last   bool           // it is the run's last sample
}

// groupRuns puts runs together that differ in their seed only, in order of appearance,
// and looks up what they were at the targets and at their ends.
func groupRuns(runs []result.Run, targets []target) ([]*group, error) {
	var groups []*group
	known := map[string]*group{}
	for i := range runs {
		r := &runs[i]
		key := r.Label + "\x00" + pointText(r.Point, "=")
		g := known[key]
		if g == nil {
			g = &group{label: r.Label, point: r.Point, met: make([][]meeting, len(targets)+1)}
			known[key] = g
			groups = append(groups, g)
		}
		g.runs = append(g.runs, r)
		full, err := r.Full()
		if err != nil {
			return nil, err
		}
		g.start = append(g.start, nil)
		if len(full.Samples) > 0 {
			first := full.Samples[0]
			first.X, first.Y = nil, nil
			g.start[len(g.start)-1] = &first
		}
		for k, t := range append(slices.Clip(targets), target{}) {
			g.met[k] = append(g.met[k], t.meet(full))
		}
	}
	return groups, nil
}

func equalPoints(a, b result.Settings) bool {
	return slices.EqualFunc(a, b, func(x, y result.Setting) bool { return x.Key == y.Key && bytes.Equal(x.Value, y.Value) })
}

// target is what the cost of is asked for. The zero target is the end of the run.
type target struct {
	result.Target
	index int // among the targets of the study
}

func (t target) isEnd() bool { return len(t.Conditions) == 0 }

func (t target) String() string {
	if t.isEnd() {
		return "the end"
	}
	return t.Target.String()
}

// targetsOf returns what the scenario wants reached.
func targetsOf(s *scenarios.Scenario) []target {
	var ts []target
	for i, t := range s.Targets() {
		ts = append(ts, target{t, i})
	}
	return ts
}

func higherIsBetter(metric string) bool {
	return slices.ContainsFunc(scenarios.Metrics(), func(m scenarios.Metric) bool { return m.Name == metric && m.More })
}

// view is a run at one of its recorded iterations.
type view struct {
	run    *result.Run
	sample *result.Sample
}

// meet looks up where the run, a whole one, meets the target, or its end.
func (t target) meet(r *result.Run) meeting {
	n := len(r.Samples)
	if n == 0 {
		return meeting{}
	}
	at := func(i int, counts bool) meeting {
		s := r.Samples[i]
		s.X, s.Y = nil, nil
		return meeting{&s, counts, i == n-1}
	}
	if t.isEnd() {
		return at(n-1, r.Status == result.Completed || r.Status == result.Reached)
	}
	a := r.Reach(t.Target)
	if a.At == nil {
		return meeting{}
	}
	return at(slices.IndexFunc(r.Samples, func(s result.Sample) bool { return s.Iteration == a.At.Iteration }), true)
}

// at returns where the runs of the group met the target.
func (g *group) at(t target) []meeting {
	if t.isEnd() {
		return g.met[len(g.met)-1]
	}
	return g.met[t.index]
}

// views returns the runs of the group that count, at the target. A single run counts
// at its end however it ended.
func (g *group) views(t target) (views []view, failed int) {
	for i, m := range g.at(t) {
		if m.counts {
			views = append(views, view{g.runs[i], m.sample})
			continue
		}
		failed++
		if len(g.runs) == 1 && m.sample != nil {
			return []view{{g.runs[i], m.sample}}, failed
		}
	}
	return views, failed
}

// status says how the runs of the group ended: "reached", "9 reached, 1 diverged".
func (g *group) status() string {
	var names []string
	counts := map[string]int{}
	for _, r := range g.runs {
		s := string(r.Status)
		if counts[s] == 0 {
			names = append(names, s)
		}
		counts[s]++
	}
	if len(g.runs) == 1 {
		return names[0]
	}
	for i, n := range names {
		names[i] = fmt.Sprintf("%d %s", counts[n], n)
	}
	return strings.Join(names, ", ")
}

// outcome says whether the runs reached the target, or how they ended.
func (g *group) outcome(t target, failed int) string {
	switch {
	case t.isEnd():
		return g.status()
	case len(g.runs) > 1:
		return fmt.Sprintf("%d/%d", len(g.runs)-failed, len(g.runs))
	case failed == 0:
		return "yes"
	case ended(g.runs[0].Status):
		return "no"
	}
	return g.status()
}

// quantity is something that a run has at each recorded iteration.
type quantity struct {
	column render.Column
	of     func(v view) float64
}

func count(name string, of func(t *metrics.Totals) int64) quantity {
	return quantity{render.Column{Name: name, Kind: render.IntegerColumn}, func(v view) float64 { return float64(of(&v.sample.Totals)) }}
}

func amount(name string, of func(t *metrics.Totals) int64) quantity {
	q := count(name, of)
	q.column.Kind = render.ByteColumn
	return q
}

func seconds(name string, of func(t *metrics.Totals) float64) quantity {
	return quantity{render.Column{Name: name, Kind: render.SecondColumn}, func(v view) float64 { return of(&v.sample.Totals) }}
}

func metric(name string) quantity {
	return quantity{render.Column{Name: name, Kind: render.FloatColumn}, func(v view) float64 {
		if i := slices.Index(v.run.Metrics, name); i >= 0 {
			return v.sample.Values[i]
		}
		return math.NaN()
	}}
}

func iterations() quantity {
	return quantity{render.Column{Name: "iterations", Kind: render.IntegerColumn}, func(v view) float64 { return float64(v.sample.Iteration) }}
}

func calls(name string, kinds ...metrics.Call) quantity {
	return count(name, func(t *metrics.Totals) int64 {
		var n int64
		for _, k := range kinds {
			n += t.Oracle.Of(k)
		}
		return n
	})
}

func kindBytes(name string, k metrics.Kind) quantity {
	return amount(name, func(t *metrics.Totals) int64 { return t.Payload[k] })
}

func payload() quantity { return amount("payload", (*metrics.Totals).PayloadBytes) }

func simulatedTime(name string) quantity {
	return seconds(name, func(t *metrics.Totals) float64 { return t.Time.Seconds() })
}

// mean returns the average of a quantity, exact where all values are equal.
func (q quantity) mean(views []view) float64 {
	m := 0.0
	for i, v := range views {
		m += (q.of(v) - m) / float64(i+1)
	}
	return m
}

// cell shows the average of a quantity: a whole number as one, where it is.
func (q quantity) cell(views []view) render.Cell {
	if len(views) == 0 {
		return render.Missing()
	}
	m := q.mean(views)
	if k := q.column.Kind; (k == render.IntegerColumn || k == render.ByteColumn) && m == math.Trunc(m) && math.Abs(m) < 1<<53 {
		return render.Integer(int64(m))
	}
	return render.Number(m)
}

// metricsOf returns the names of all metrics of the runs, in order of appearance.
func metricsOf(runs []result.Run) []string {
	var names []string
	for i := range runs {
		for _, n := range runs[i].Metrics {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	return names
}

// mainMetrics returns the metrics that tell how far a run is: those of the targets, or
// grad_norm2, or the first that there is.
func mainMetrics(targets []target, names []string) []string {
	var main []string
	for _, t := range targets {
		for _, th := range t.Conditions {
			if !slices.Contains(main, th.Metric) {
				main = append(main, th.Metric)
			}
		}
	}
	switch {
	case len(main) > 0:
		return main
	case slices.Contains(names, "grad_norm2") || len(names) == 0:
		return []string{"grad_norm2"}
	}
	return names[:1]
}

// keysOf returns the swept keys of the groups.
func keysOf(groups []*group) []string {
	var keys []string
	for _, g := range groups {
		for _, s := range g.point {
			if !slices.Contains(keys, s.Key) {
				keys = append(keys, s.Key)
			}
		}
	}
	return keys
}
