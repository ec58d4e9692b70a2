package fold

import (
	"math"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/jsonio"
	"tallynet/metrics/list"
	"tallynet/metrics/report/stats"
)

// fronts finds the Pareto front of each point, and of the grid.
func (w *work) fronts() {
	for _, objectives := range w.objectives() {
		for p := range w.Points {
			w.front(p, objectives)
		}
		if len(w.Points) > 1 {
			w.front(-1, objectives)
		}
	}
}

// objectives returns time and bytes to each target. Without targets it returns time, bytes and one final metric:
// ||∇Φ||², the objective, or a headline. Energy and money follow if a run has them.
func (w *work) objectives() [][]int {
	index := func(id string) int {
		return slices.IndexFunc(w.Outcomes, func(o Outcome) bool { return o.ID == id })
	}
	tariffs := func(of []int, prefix string) []int {
		for _, cost := range metrics.RankedCosts() {
			if i := index(prefix + cost.ID); i >= 0 && cost.Place == metrics.InPrices && cost.Main() {
				of = append(of, i)
			}
		}
		return of
	}
	var all [][]int
	for t := range w.Targets {
		all = append(all, tariffs([]int{index(toID(t, "time_s")), index(toID(t, "payload_bytes"))}, toID(t, "")))
	}
	if len(all) > 0 {
		return all
	}
	of := []int{index("totals.time_s"), index("totals.payload_bytes")}
	for _, id := range []string{"final.grad_norm2", "final.objective"} {
		if i := index(id); i >= 0 {
			return [][]int{tariffs(append(of, i), "totals.")}
		}
	}
	if i := slices.IndexFunc(w.Outcomes, func(o Outcome) bool { return o.Headline }); i >= 0 {
		of = append(of, i)
	} else if strings.HasPrefix(w.Outcomes[0].ID, "final.") {
		of = append(of, 0)
	}
	return [][]int{tariffs(of, "totals.")}
}

// front adds the front of a point, or of the grid if the point is -1. A single group has no front.
func (w *work) front(point int, objectives []int) {
	f := Front{Point: point, Objectives: objectives}
	var values [][]float64
	more := list.Map(objectives, func(o int) bool { return w.Outcomes[o].More })
	from, to := 0, len(w.Groups)
	if point >= 0 {
		from, to = w.At(point)
	}
	for i := from; i < to; i++ {
		m := Ranked{Group: i}
		var v []float64
		for _, o := range objectives {
			if x := w.Groups[i].Values[o].Value; x.Finite() {
				m.Values, v = append(m.Values, x), append(v, float64(x))
			}
		}
		if len(v) < len(objectives) {
			f.Without = append(f.Without, i)
			continue
		}
		f.Members, values = append(f.Members, m), append(values, v)
	}
	if len(f.Members)+len(f.Without) < 2 || len(f.Members) == 0 {
		return
	}
	for i, best := range stats.Pareto(values, more) {
		f.Members[i].Best = best
	}
	w.Fronts = append(w.Fronts, f)
}

// slopes fits each main outcome of each method over each numeric key.
func (w *work) slopes() {
	for k, key := range w.Keys {
		if key.Tied || len(key.Numbers) < 3 || slices.Min(key.Numbers) <= 0 {
			continue
		}
		for label := range w.Labels {
			for _, line := range w.lines(k, label) {
				for _, o := range w.mainColumns() {
					w.slope(k, label, o, line)
				}
			}
		}
	}
}

// lines returns the groups of a method whose points differ in one key only, line by line.
func (w *work) lines(key, label int) [][]int {
	var lines [][]int
	index := map[string]int{}
	for i, g := range w.Groups {
		if g.Label != label || w.Points[g.Point].Values[key] < 0 {
			continue
		}
		rest := w.PointName(g.Point, key)
		j, ok := index[rest]
		if !ok {
			j = len(lines)
			index[rest] = j
			lines = append(lines, nil)
		}
		lines[j] = append(lines[j], i)
	}
	return lines
}

func (w *work) slope(key, label, outcome int, line []int) {
	s := Slope{Label: label, Outcome: outcome, Key: key, Fixed: w.PointName(w.Groups[line[0]].Point, key)}
	var x, y []float64
	for _, i := range line {
		mean, ok := w.geometricMean(w.groups[i], outcome)
		if !ok {
			s.Without++
			continue
		}
		s.Groups = append(s.Groups, i)
		x = append(x, w.Keys[key].Numbers[w.Points[w.Groups[i].Point].Values[key]])
		y = append(y, mean)
	}
	if len(x) < 3 {
		return
	}
	s.Slope = estimate(stats.LogLogSlope(x, y))
	w.Slopes = append(w.Slopes, s)
}

// geometricMean returns the geometric mean over the runs of a group. It is not ok if one of them did not get there, or
// is not positive.
func (w *work) geometricMean(g *group, outcome int) (mean float64, ok bool) {
	log, n := 0.0, 0
	for i := range g.records {
		switch v, state := g.records[i].value(w.columns[outcome]); {
		case state == never || state == censored || state == have && v <= 0:
			return 0, false
		case state == have:
			log += math.Log(v)
			n++
		}
	}
	return math.Exp(log / float64(n)), n > 0
}

// importances computes how much the keys and the method explain of each main outcome.
func (w *work) importances() {
	factors := []int{} // keys; -1: the method
	if len(w.Labels) > 1 {
		factors = append(factors, -1)
	}
	if len(w.Points) > 1 {
		factors = append(factors, w.Axes()...)
	}
	if len(factors) == 0 {
		return
	}
	for _, o := range w.mainColumns() {
		w.importance(o, factors)
	}
}

func (w *work) importance(outcome int, factors []int) {
	im := Importance{Outcome: outcome, Log: true}
	var levels [][]int
	var y []float64
	for _, g := range w.groups {
		level := make([]int, len(factors))
		for i, k := range factors {
			level[i] = g.label
			if k >= 0 {
				level[i] = w.Points[g.point].Values[k] + 1 // a point without the key is a level too
			}
		}
		for i := range g.records {
			v, state := g.records[i].value(w.columns[outcome])
			if state != have {
				im.Left++
				continue
			}
			levels, y = append(levels, level), append(y, v)
			im.Log = im.Log && v > 0
		}
	}
	if len(y) < im.Left {
		return // most runs did not get there
	}
	if im.Log {
		for i := range y {
			y[i] = math.Log(y[i])
		}
	}
	e := stats.Explain(levels, y)
	if e.Method != stats.BetweenMeans {
		return // nothing is there, or nothing differs
	}
	im.Runs, im.Within, im.Balanced = len(y), jsonio.Real(e.Within), e.Balanced
	for i, k := range factors {
		name := "method"
		if k >= 0 {
			name = w.Keys[k].Name
		}
		im.Shares = append(im.Shares, VarianceShare{k, name, jsonio.Real(e.First[i]), jsonio.Real(e.Total[i])})
	}
	w.Importances = append(w.Importances, im)
}
