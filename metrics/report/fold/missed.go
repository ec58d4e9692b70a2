package fold

import (
	"maps"
	"math"
	"slices"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/result"
)

// miss records how close a run came to a target that it did not reach. It ignores a run that met the target at some
// time but did not end well, or did not keep it.
func (g *group) miss(target int, t result.Target, r *result.Run) {
	best := make([]float64, len(t.Conditions))
	passed := true
	for k, c := range t.Conditions {
		best[k] = math.NaN()
		found := slices.Index(r.Metrics, c.Metric)
		for i := range r.Samples {
			if s := &r.Samples[i]; found >= 0 && s.Iteration > 0 {
				best[k] = better(c, best[k], s.Values[found])
			}
		}
		passed = passed && c.Met(best[k])
	}
	if passed || len(r.Samples) == 0 {
		return
	}
	for k, c := range t.Conditions {
		i := slices.IndexFunc(g.missed, func(m Miss) bool { return m.Target == target && m.Metric == c.Metric })
		if i < 0 {
			i = len(g.missed)
			g.missed = append(g.missed, Miss{Target: target, Metric: c.Metric, Best: jsonio.Real(math.NaN())})
		}
		g.missed[i].Runs++
		g.missed[i].Best = jsonio.Real(better(c, float64(g.missed[i].Best), best[k]))
	}
}

// better returns the value that is closer to meeting the condition. A value that is not finite is the farthest.
func better(c result.Condition, a, b float64) float64 {
	switch {
	case math.IsNaN(b) || math.IsInf(b, 0):
		return a
	case math.IsNaN(a):
		return b
	case c.Relation == ">=":
		return max(a, b)
	}
	return min(a, b)
}

// noteFinite records which metrics of a run were ever finite.
func (g *group) noteFinite(r *result.Run) {
	for m, name := range r.Metrics {
		if len(r.Samples) == 0 {
			continue
		}
		finite := slices.ContainsFunc(r.Samples, func(s result.Sample) bool {
			return !math.IsNaN(s.Values[m]) && !math.IsInf(s.Values[m], 0)
		})
		g.finite[name] = g.finite[name] || finite
	}
}

// neverFinite returns the metrics of which no run of the group has a finite number.
func (g *group) neverFinite() []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(g.finite)) {
		if !g.finite[name] {
			names = append(names, name)
		}
	}
	return names
}
