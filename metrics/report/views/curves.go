package views

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/escape"
	"tallynet/metrics/list"
	"tallynet/metrics/report/figure"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
)

// curve is a metric of a group over its costs: of one run, or of all runs; see fold.FoldCurves.
type curve struct {
	label  string
	look   *figure.Look // nil: by the order of the labels
	over   [][]float64  // by axis
	values []float64
	low    []float64 // the quartiles around them; nil for one run
	high   []float64
	failed bool // it is of one run, which did not end well
	// reached are the costs to the target that has the metric, by axis, as in tables. It is nil without such a
	// target, and not finite if the target was not reached.
	reached []float64
}

// curve reports false if the group has no curve of the metric.
func (s *StudyView) curve(g *group, name string, withPoint bool) (curve, bool, error) {
	c := curve{label: g.label}
	if withPoint && len(g.point) > 0 {
		c.label += ", " + escape.Name(s.Summary.Points[g.Point].Name)
	}
	target := s.targetOf(name)
	if n := s.reached(g, target); n < len(g.runs) && len(g.runs) > 1 {
		c.label += fmt.Sprintf(" (%d of %d runs)", n, len(g.runs))
	}
	var tracks []fold.Track
	for _, r := range g.runs {
		if !slices.Contains(r.Metrics, name) && len(r.Metrics) > 0 || r.Status == result.Interrupted && len(g.runs) > 1 {
			continue
		}
		full, err := r.Full()
		if err != nil {
			return c, false, err
		}
		t := s.track(full, name)
		if !r.Status.Ended() && len(g.runs) > 1 {
			t.Worst = []float64{fold.Worst(s.moreIsBetter(name))}
		}
		if len(t.Iterations) > 0 || t.Worst != nil {
			tracks = append(tracks, t)
		}
	}
	folded := fold.FoldCurves(tracks)
	if len(folded.Iterations) == 0 {
		return c, false, nil
	}
	c.failed = len(g.runs) == 1 && !g.runs[0].Status.Ended()
	c.over, c.values = folded.Costs, folded.Mid[0]
	if len(tracks) > 1 {
		c.low, c.high = folded.Low[0], folded.High[0]
	}
	if target >= 0 && !c.failed {
		c.reached = list.Map(metrics.AxisCosts(), func(over metrics.CostItem) float64 {
			return float64(s.measure(g, target, cost(over.ID)).Value)
		})
	}
	return c, true, nil
}

// targetOf returns the first target with a metric, or -1.
func (s *StudyView) targetOf(metric string) int {
	return slices.IndexFunc(s.Summary.Targets, func(t fold.NamedTarget) bool { return t.Names(metric) })
}

// height returns the height of a curve at x, interpolated on linear or logarithmic axes; NaN beyond its ends.
func height(xs, ys []float64, x float64, logX, logY bool) float64 {
	i, exact := slices.BinarySearch(xs, x)
	if exact {
		return ys[i]
	}
	if i == 0 || i == len(xs) {
		return math.NaN()
	}
	part := between(xs[i-1], xs[i], x, logX)
	if logY {
		return math.Pow(ys[i-1], 1-part) * math.Pow(ys[i], part)
	}
	return ys[i-1] + part*(ys[i]-ys[i-1])
}

// between returns the position of x between a, which is 0, and b, which is 1.
func between(a, b, x float64, log bool) float64 {
	if log {
		return math.Log(x/a) / math.Log(b/a)
	}
	return (x - a) / (b - a)
}

// track is a metric of a run over the costs of all axes.
func (s *StudyView) track(r *result.Run, name string) fold.Track {
	over := metrics.AxisCosts()
	t := fold.Track{Costs: make([][]float64, len(over)), Values: make([][]float64, 1)}
	m := slices.Index(r.Metrics, name)
	if m < 0 {
		return fold.Track{}
	}
	for k := range r.Samples {
		sample := &r.Samples[k]
		if s.moreIsBetter(name) && sample.Iteration == 0 {
			continue // a model of zeros classifies nothing, and would set the scale
		}
		t.Iterations = append(t.Iterations, sample.Iteration)
		t.Values[0] = append(t.Values[0], sample.Values[m])
		for i := range over {
			t.Costs[i] = append(t.Costs[i], over[i].Value(&sample.Moment))
		}
	}
	return t
}

// drawnAxes returns the axes of a figure, as indices of metrics.AxisCosts: iterations, bytes and time. If nothing is
// sent, as by a single node, oracle calls replace bytes. Costs that nobody pays are left out, except for the first.
func drawnAxes(rows [][]curve) (drawn []int) {
	paid := func(axis int) bool {
		return slices.ContainsFunc(slices.Concat(rows...), func(c curve) bool {
			return len(c.over[axis]) > 0 && c.over[axis][len(c.over[axis])-1] > 0
		})
	}
	last := 0
	for i, c := range metrics.AxisCosts() {
		if c.Axis > last && (i == 0 || paid(i)) {
			drawn, last = append(drawn, i), c.Axis
		}
	}
	return drawn
}

// logarithmic reports whether a metric is drawn on a logarithmic axis. Runs that did not end well count only if no
// other run has a curve.
func (s *StudyView) logarithmic(metric string, curves []curve) bool {
	var values []float64
	for _, c := range setting(curves) {
		values = append(values, c.values...)
	}
	return !s.moreIsBetter(metric) && figure.Logarithmic(values)
}

// setting returns the curves that determine the scales: those of runs that ended well, or all if there are none.
func setting(curves []curve) []curve {
	if well := slices.DeleteFunc(slices.Clone(curves), func(c curve) bool { return c.failed }); len(well) > 0 {
		return well
	}
	return curves
}

// limited cuts the curves of runs that did not end well where they leave the range of the others, and returns a note
// about it. It cuts nothing if no run ended well.
func limited(curves []curve, log bool) (out []curve, note string) {
	var well []float64
	for _, c := range curves {
		if !c.failed {
			well = append(well, c.values...)
		}
	}
	within := figure.Reach(well, log)
	var cut []string
	out = slices.Clone(curves)
	for i := range out {
		c := &out[i]
		if !c.failed {
			continue
		}
		inside := slices.IndexFunc(c.values, func(v float64) bool { return !within(v) })
		if inside < 0 {
			continue
		}
		c.values = c.values[:inside]
		c.low, c.high = nil, nil
		c.over = slices.Clone(c.over)
		for k := range c.over {
			c.over[k] = c.over[k][:inside]
		}
		cut = append(cut, c.label)
	}
	if len(cut) == 0 {
		return out, ""
	}
	return out, fmt.Sprintf("Cut where it leaves the range of the runs that ended well: %s.", strings.Join(cut, "; "))
}
