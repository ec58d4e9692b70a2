package fold

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/stats"
)

// work is a summary under construction: the groups in their order, with the records and columns behind them.
type work struct {
	*Summary
	groups  []*group
	columns []column
	seed    uint64
}

// Summary returns the statistics of the runs that were added. More may be added afterwards.
func (f *Fold) Summary() *Summary {
	s := &Summary{
		Schema: schema, Level: stats.Level, Statuses: maps.Clone(f.statuses),
		Seeds: append([]uint64{}, f.seeds...), Labels: append([]string{}, f.labels...), Keys: f.summedKeys(),
		Points:   f.summedPoints(),
		Outcomes: []Outcome{}, Targets: append([]NamedTarget{}, f.targets...), Groups: []Group{},
		Ranges: []Spread{}, Comparisons: []Comparison{}, Fronts: []Front{}, Slopes: []Slope{}, Importances: []Importance{},
		Sentences: []string{},
	}
	s.tie()
	w := &work{Summary: s, columns: f.columns(), seed: f.options.Seed}
	for _, o := range w.columns {
		s.Outcomes = append(s.Outcomes, o.Outcome)
	}
	w.groups = f.sorted()
	for _, g := range w.groups {
		s.Runs += len(g.records)
		s.Groups = append(s.Groups, w.group(g))
	}
	w.ranges()
	w.compare()
	w.fronts()
	w.slopes()
	w.importances()
	return s
}

// sorted returns the groups by point, then label.
func (f *Fold) sorted() []*group {
	return slices.SortedFunc(maps.Values(f.groups), func(a, b *group) int {
		return cmp.Or(cmp.Compare(a.point, b.point), cmp.Compare(a.label, b.label))
	})
}

// summedKeys drops the numbers of keys whose values are not all numbers.
func (f *Fold) summedKeys() []Key {
	keys := []Key{}
	titles := f.options.KeyTitles((&Summary{Keys: f.keys}).KeyNames())
	for i, k := range f.keys {
		k.Title, k.Labels = titles[i], distinct(k.Labels, k.Values)
		k.Values, k.Numbers = slices.Clone(k.Values), slices.Clone(k.Numbers)
		if slices.ContainsFunc(k.Numbers, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }) {
			k.Numbers = nil
		}
		keys = append(keys, k)
	}
	return keys
}

// summedPoints aligns the points with the keys: early points may lack keys of later ones.
func (f *Fold) summedPoints() []Point {
	points := []Point{}
	for _, p := range f.points {
		p.Values = append([]int{}, p.Values...)
		for len(p.Values) < len(f.keys) {
			p.Values = append(p.Values, -1)
		}
		points = append(points, p)
	}
	return points
}

func (w *work) group(g *group) Group {
	out := Group{Point: g.point, Label: g.label, Algorithm: g.algorithm, Runs: len(g.records),
		Statuses: maps.Clone(g.statuses), Values: []Measured{}, Missed: slices.Clone(g.missed), NeverFinite: g.neverFinite()}
	for i := range g.records {
		if g.records[i].status.Ended() {
			out.Ended++
		}
	}
	for _, o := range w.columns {
		out.Values = append(out.Values, measured(g.records, o, w.seed))
	}
	return out
}

// measured summarizes an outcome over runs.
func measured(records []record, o column, seed uint64) Measured {
	var values []float64
	var paid []stats.Payment
	sign := 1.0 // medians are of costs: of what is better the more there is, with the other sign
	if o.More {
		sign = -1
	}
	for i := range records {
		if v, s := records[i].value(o); s != unasked {
			paid = append(paid, stats.Payment{Paid: sign * v, Reached: s == have})
			if s == have {
				values = append(values, v)
			}
		}
	}
	m := Measured{Statistic: None, Min: jsonio.Real(math.NaN()), Max: jsonio.Real(math.NaN())}
	if m.Censored = len(paid) - len(values); m.Censored > 0 || o.Target >= 0 {
		m.Reached = len(values)
	}
	if len(values) > 0 {
		m.Min, m.Max = jsonio.Real(slices.Min(values)), jsonio.Real(slices.Max(values))
	}
	atTarget := o.Target >= 0 && o.costs == nil // a metric where the target is reached: elsewhere there is none
	switch {
	case 2*len(values) < len(paid):
		m.Estimate = estimate(stats.Few(len(paid)))
	case m.Censored == 0 || atTarget:
		m.Estimate, m.Statistic = estimate(stats.Mean(values, seed)), Mean
	default:
		m.Estimate, m.Statistic = estimate(stats.Reaching(paid, stats.Level)), Median
		if sign < 0 {
			m.Value, m.Low, m.High = -m.Value, -m.High, -m.Low
		}
	}
	if len(values) == 0 || !m.Value.Finite() && m.Censored > 0 {
		m.Statistic = None
	}
	return m
}

// At returns the range of the groups of a point, which are adjacent.
func (s *Summary) At(point int) (from, to int) {
	compare := func(g Group, p int) int { return cmp.Compare(g.Point, p) }
	from, _ = slices.BinarySearchFunc(s.Groups, point, compare)
	to, _ = slices.BinarySearchFunc(s.Groups, point+1, compare)
	return from, to
}

func estimate(e stats.Estimate) Estimate {
	return Estimate{jsonio.Real(e.Value), jsonio.Real(e.Low), jsonio.Real(e.High), e.N, e.Method}
}

// mainColumns returns the indices of the main outcomes.
func (w *work) mainColumns() []int {
	var main []int
	for i, o := range w.columns {
		if o.Main {
			main = append(main, i)
		}
	}
	return main
}

// ranges finds the extremes of each method over the grid.
func (w *work) ranges() {
	if len(w.Points) < 2 {
		return
	}
	for label := range w.Labels {
		for _, o := range w.mainColumns() {
			r := Spread{Label: label, Outcome: o, Min: jsonio.Real(math.Inf(1)), Max: jsonio.Real(math.Inf(-1))}
			for i, g := range w.Groups {
				v := g.Values[o].Value
				switch {
				case g.Label != label:
					continue
				case !v.Finite():
					r.Without++
					continue
				}
				r.Groups++
				if v < r.Min {
					r.Min, r.MinAt = v, i
				}
				if v > r.Max {
					r.Max, r.MaxAt = v, i
				}
			}
			if r.Groups > 0 {
				w.Ranges = append(w.Ranges, r)
			}
		}
	}
}
