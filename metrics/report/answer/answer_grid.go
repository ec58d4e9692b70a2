package answer

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/fold"
)

// growth states the exponent of a cost in a key, of time or, if time is constant, of bytes,
// for the settings in which it grows most and least.
func (t *teller) growth(key int) (fact, bool) {
	for _, c := range slices.Backward(metrics.Headlines()) {
		o := t.outcome(c.ID)
		var of []*fold.Slope
		for i := range t.Slopes {
			sl := &t.Slopes[i]
			if sl.Key == key && sl.Outcome == o && sl.Slope.Value.Finite() {
				of = append(of, sl)
			}
		}
		if len(of) == 0 {
			continue
		}
		slices.SortStableFunc(of, func(a, b *fold.Slope) int { return cmp.Compare(b.Slope.Value, a.Slope.Value) })
		most, least := of[0], of[len(of)-1]
		if math.Abs(float64(most.Slope.Value)) < 0.05 && math.Abs(float64(least.Slope.Value)) < 0.05 {
			continue
		}
		k := &t.Keys[key]
		low, high := slices.Min(k.Numbers), slices.Max(k.Numbers)
		from, to := k.Values[slices.Index(k.Numbers, low)], k.Values[slices.Index(k.Numbers, high)]
		text := fmt.Sprintf("From %s = %s to %s", k.Name, from, to)
		if k.Name == "nodes" {
			text = fmt.Sprintf("From %s to %s nodes", from, to)
		}
		text += fmt.Sprintf(", %s%s %s", t.Noun(o), t.goal, t.grown(most, true))
		if least != most {
			text += " and " + t.grown(least, false)
		}
		return fact{text + ".", Picture{View: Parameter, Outcome: o, Key: key}}, true
	}
	return fact{}, false
}

// grown states the growth of a cost in one setting: "grows 88-fold with DAGM on the ring graph (power 1.59,
// 95 %: 1.39–1.80)".
func (t *teller) grown(sl *fold.Slope, first bool) string {
	last := len(sl.Groups) - 1
	ends := t.value(sl.Groups[last], sl.Outcome) / t.value(sl.Groups[0], sl.Outcome)
	text := "grows " + Factor(ends) + "-fold"
	switch {
	case Factor(ends) == "1.0" || Factor(1/ends) == "1.0":
		text = "hardly changes"
	case ends < 1:
		text = "shrinks " + Factor(1/ends) + "-fold"
	}
	text += " with " + t.Labels[sl.Label]
	if sl.Fixed != "" {
		text += t.place(t.Groups[sl.Groups[0]].Point, sl.Key)
	}
	e := sl.Slope
	text += " (power " + plain(e.Value)
	if e.Low.Finite() && e.High.Finite() && plain(e.Low) != plain(e.High) {
		text += fmt.Sprintf(", %.0f %%: %s", 100*t.Level, interval(plain(e.Low), plain(e.High)))
	}
	if first {
		return text + fmt.Sprintf(", %d sizes)", e.N)
	}
	return text + ")"
}

// slowdown is the factor by which a method is slower if one key of the network or the
// machines has another value than the first, and all other keys have their first values.
type slowdown struct {
	label, key int
	ratio      fold.Estimate
	value      string
}

// alike is the share of the largest slowdown above which another key limits a method, too.
const alike = 0.9

// sensitivity names the limits of each method: the key of the network or the machines that
// slows it down most, and keys that do so nearly as much.
func (t *teller) sensitivity() (fact, bool) {
	o := t.outcome("time_s")
	if o < 0 {
		return fact{}, false
	}
	var most []slowdown            // one for each label and key
	worst := map[int]jsonio.Real{} // by label
	for i := range t.Comparisons {
		c := &t.Comparisons[i]
		r := float64(c.Ratio.Value)
		if c.Key < 0 || c.Outcome != o || !t.isNetwork(c.Key) || math.IsNaN(r) || !t.atFirst(c.B) {
			continue
		}
		if !clear(c.Ratio) && !clear(c.Inverse().Ratio) {
			continue
		}
		label := t.Groups[c.A].Label
		value := func(group int) string { return t.Keys[c.Key].Values[t.Points[t.Groups[group].Point].Values[c.Key]] }
		s := slowdown{label, c.Key, c.Ratio, value(c.A)}
		if r < 1 { // the first value is the slower one
			s.ratio, s.value = c.Inverse().Ratio, value(c.B)
		}
		switch k := slices.IndexFunc(most, func(o slowdown) bool { return o.label == s.label && o.key == s.key }); {
		case k < 0:
			most = append(most, s)
		case s.ratio.Value > most[k].ratio.Value:
			most[k] = s
		}
		worst[label] = max(worst[label], s.ratio.Value)
	}
	if len(most) == 0 {
		return fact{}, false
	}
	byKey := map[int][]slowdown{}
	for _, s := range most {
		if s.ratio.Value >= alike*worst[s.label] {
			byKey[s.key] = append(byKey[s.key], s)
		}
	}
	var words []string
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		var names []string
		slices.SortFunc(byKey[key], func(a, b slowdown) int { return a.label - b.label })
		for _, s := range byKey[key] {
			names = append(names, fmt.Sprintf("%s (%s times slower at %s%s)", t.Labels[s.label],
				Factor(float64(s.ratio.Value)), s.value, t.briefly(s.ratio)))
		}
		words = append(words, fmt.Sprintf("%s limits %s", t.Keys[key].Name, some(names)))
	}
	goal := t.goal
	if goal == "" {
		goal = " of whole runs"
	}
	text := SentenceCase(strings.Join(words, "; ")) + ", in time" + goal + ", with one setting changed at a time" +
		t.oneSeed() + t.shares(o) + "."
	return fact{text, Picture{View: MadeOf, Outcome: o}}, true
}

// oneSeed reports that there is no interval.
func (t *teller) oneSeed() string {
	if len(t.Seeds) > 1 {
		return ""
	}
	return " (one seed)"
}

// briefly is an interval within other brackets.
func (t *teller) briefly(e fold.Estimate) string {
	low, high := timesOf(e.Low), timesOf(e.High)
	switch {
	case e.N <= 1 || !e.Low.Finite() || !e.High.Finite():
		return ""
	case low == high:
		return fmt.Sprintf(", the same with %d seeds", e.N)
	}
	return fmt.Sprintf(", %.0f %%: %s", 100*t.Level, interval(low, high))
}

// atFirst reports whether the keys of a group's point have their first values, ignoring keys
// that the point lacks.
func (t *teller) atFirst(group int) bool {
	for k, v := range t.Points[t.Groups[group].Point].Values {
		if v > 0 && !t.Keys[k].Tied {
			return false
		}
	}
	return true
}

// bestValue states the value of a key at which most methods are fastest, for most values of
// the other keys, and the factor over the worst value.
func (t *teller) bestValue(key int) (fact, bool) {
	for _, c := range slices.Backward(metrics.Headlines()) {
		o := t.outcome(c.ID)
		if o < 0 {
			continue
		}
		if text, ok := t.bestIn(key, &c, o); ok {
			return fact{text, Picture{View: Parameter, Outcome: o, Key: key}}, true
		}
	}
	return fact{}, false
}

func (t *teller) bestIn(key int, c *metrics.CostItem, o int) (string, bool) {
	k := &t.Keys[key]
	wins := make([]int, len(k.Values))
	low, high := math.Inf(1), 0.0
	lines := 0
	for _, line := range t.linesAlong(key) {
		line = slices.DeleteFunc(line, func(g int) bool { return !t.Groups[g].Values[o].Value.Finite() })
		slices.SortStableFunc(line, func(a, b int) int { return cmp.Compare(t.value(a, o), t.value(b, o)) })
		if len(line) < 2 || !t.apart(line[0], line[1], o) {
			continue
		}
		least, worst := t.value(line[0], o), t.value(line[len(line)-1], o)
		lines++
		wins[t.Points[t.Groups[line[0]].Point].Values[key]]++
		low, high = min(low, worst/least), max(high, worst/least)
	}
	if lines == 0 {
		return "", false
	}
	order := make([]int, len(wins))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return wins[b] - wins[a] })
	var words []string
	for _, v := range order {
		if wins[v] == 0 {
			continue
		}
		switch first := len(words) == 0; {
		case lines == 1:
			words = append(words, k.Setting(v, " = "))
		case first:
			words = append(words, fmt.Sprintf("%s in %d of %d settings", k.Setting(v, " = "), wins[v], lines))
		default:
			words = append(words, fmt.Sprintf("%s in %d", k.Values[v], wins[v]))
		}
	}
	better := Fewer(c)
	if c.ID == "time_s" {
		better = "faster"
	}
	return fmt.Sprintf("%s%s: %s; %s times %s than the worst%s%s.", SentenceCase(bestOf(c)), t.goal, some(words),
		span(low, high), better, t.certainty(), t.shares(o)), true
}

// apart reports whether group a of a method clearly needs less than group b: by their comparison or, if there is none,
// because their intervals do not overlap.
func (t *teller) apart(a, b, outcome int) bool {
	for _, c := range t.Comparisons {
		switch {
		case c.Outcome == outcome && c.A == b && c.B == a:
			return clear(c.Ratio)
		case c.Outcome == outcome && c.A == a && c.B == b:
			return clear(c.Inverse().Ratio)
		}
	}
	x, y := t.Groups[a].Values[outcome], t.Groups[b].Values[outcome]
	return clear(fold.Estimate{Value: y.Value / x.Value, Low: y.Low / x.High, N: max(x.N, y.N)})
}

// linesAlong returns, for each method and each setting of the other keys, the groups along a key.
func (t *teller) linesAlong(key int) [][]int {
	index := map[string]int{}
	var lines [][]int
	for g := range t.Groups {
		if t.Points[t.Groups[g].Point].Values[key] < 0 {
			continue
		}
		name := t.Labels[t.Groups[g].Label] + "\x00" + t.PointName(t.Groups[g].Point, key)
		i, ok := index[name]
		if !ok {
			i = len(lines)
			index[name], lines = i, append(lines, nil)
		}
		lines[i] = append(lines[i], g)
	}
	return slices.DeleteFunc(lines, func(line []int) bool { return len(line) < 2 })
}

// timesOf writes a factor for an interval.
func timesOf(x jsonio.Real) string { return Factor(float64(x)) }
