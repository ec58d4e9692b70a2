package answer

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"tallynet/metrics"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/quantity"
)

// Fewer returns the word for a smaller cost: fewer bytes, less time.
func Fewer(c *metrics.CostItem) string {
	return map[bool]string{true: "fewer", false: "less"}[c.Counted()]
}

// Less says how much less of a cost something needs; the cost is named once in a sentence.
func Less(c *metrics.CostItem, factor string, again bool) string {
	if again {
		return fmt.Sprintf("%s times %s than ", factor, Fewer(c))
	}
	return fmt.Sprintf("%s times %s %s than ", factor, Fewer(c), c.Name)
}

// lead names the method with the least cost and its margin over the others or, if it depends
// on the grid point, at how many points it leads and where.
func (t *teller) lead(c *metrics.CostItem) (fact, bool) {
	o := t.outcome(c.ID)
	if o < 0 || len(t.Labels) < 2 {
		return fact{}, false
	}
	wins := make([][]int, len(t.Labels)) // points
	decided, points, comparable, widest := 0, 0, 0, 1.0
	for p := range t.Points {
		if from, to := t.At(p); to-from < 2 {
			continue
		}
		points++
		if n, spread := t.spread(p, o); n > 1 {
			comparable, widest = comparable+1, max(widest, spread)
		}
		if best := t.winner(p, o); best >= 0 {
			wins[best] = append(wins[best], p)
			decided++
		}
	}
	if decided == 0 {
		return t.undecided(c, comparable, widest)
	}
	leader := 0
	for label := range wins {
		if len(wins[label]) > len(wins[leader]) {
			leader = label
		}
	}
	picture := Picture{View: Curves, Outcome: o}
	if len(t.Axes()) > 0 {
		picture = Picture{View: Parameter, Outcome: o, Key: t.byWorth()[0]}
	}
	if len(wins[leader]) == points {
		text := t.Labels[leader] + " gets" + t.goal + " "
		switch {
		case t.goal == "":
			text = t.Labels[leader] + " needs "
		case c.ID != "time_s":
			text += "with "
		}
		margins := t.margins(leader, c, o)
		if margins == "" {
			return fact{}, false
		}
		if points > 1 {
			margins += ", at " + allOf(points) + t.certainty()
		} else {
			margins += t.oneSeed()
		}
		return fact{text + margins + t.shares(o) + ".", picture}, true
	}
	var words []string
	for _, label := range slices.Concat([]int{leader}, others(len(wins), leader)) {
		if n := len(wins[label]); n > 0 {
			at := fmt.Sprintf("%s at %d", t.Labels[label], n)
			if label == leader {
				at += fmt.Sprintf(" of %s", quantity.Plural(points, "grid point"))
			}
			words = append(words, at+t.where(wins[label]))
		}
	}
	if n := points - decided; n > 0 {
		words = append(words, fmt.Sprintf("no clear difference at %d", n))
	}
	return fact{fmt.Sprintf("%s%s: %s%s%s%s.", SentenceCase(bestOf(c)), t.goal, some(words), t.certainty(),
		t.lost(leader, o), t.shares(o)), picture}, true
}

// spread returns how many groups at a point have a positive number of an outcome, and the ratio of the largest to the
// least.
func (t *teller) spread(point, outcome int) (n int, spread float64) {
	least, most := math.Inf(1), 0.0
	from, to := t.At(point)
	for g := from; g < to; g++ {
		if v := t.value(g, outcome); v > 0 && !math.IsInf(v, 0) {
			least, most, n = min(least, v), max(most, v), n+1
		}
	}
	return n, most / least
}

// undecided states that no method is clearly the best anywhere. Widest is the largest ratio of two methods at a point.
func (t *teller) undecided(c *metrics.CostItem, points int, widest float64) (fact, bool) {
	if points == 0 {
		return fact{}, false
	}
	text, at := "No method clearly needs the least "+c.Name+t.goal, ""
	if len(t.Seeds) == 1 && Factor(widest) == "1.0" {
		text = "A tie in " + c.Name + t.goal + ": the methods differ by less than 5 %"
	}
	if points > 1 {
		at = " at any grid point"
	}
	return fact{text + at + t.certainty() + t.shares(t.outcome(c.ID)) + ".", Picture{View: Curves}}, true
}

// certainty explains the word "clearly": " (95 % intervals, 10 seeds)".
func (t *teller) certainty() string {
	if n := len(t.Seeds); n > 1 {
		return fmt.Sprintf(" (%.0f %% intervals, %d seeds)", 100*t.Level, n)
	}
	return " (one seed)"
}

// lost states how far the leader is behind at points where another method is first.
func (t *teller) lost(leader, outcome int) string {
	worst := 1.0
	for p := range t.Points {
		least, own := math.Inf(1), math.NaN()
		from, to := t.At(p)
		for g := from; g < to; g++ {
			v := t.value(g, outcome)
			if v < least {
				least = v
			}
			if t.Groups[g].Label == leader {
				own = v
			}
		}
		if own > 0 && least > 0 && !math.IsInf(own, 0) {
			worst = max(worst, own/least)
		}
	}
	if worst < 1.05 {
		return ""
	}
	return fmt.Sprintf("; %s is never more than %s times behind", t.Labels[leader], Factor(worst))
}

func others(n, but int) []int {
	var all []int
	for i := range n {
		if i != but {
			all = append(all, i)
		}
	}
	return all
}

func allOf(points int) string {
	if points == 2 {
		return "both grid points"
	}
	return fmt.Sprintf("all %d grid points", points)
}

// bestOf names the best in a cost.
func bestOf(c *metrics.CostItem) string {
	if c.ID == "time_s" {
		return "fastest"
	}
	return map[bool]string{true: "fewest ", false: "least "}[c.Counted()] + c.Name
}

// winner returns the method that needs least at a point; -1 if there is none, or a tie.
func (t *teller) winner(point, outcome int) int {
	best, least := -1, math.Inf(1)
	from, to := t.At(point)
	finite := 0
	for g := from; g < to; g++ {
		v := t.value(g, outcome)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		finite++
		switch {
		case v < least:
			best, least = t.Groups[g].Label, v
		case v == least:
			best = -1
		}
	}
	if to-from < 2 || finite == 0 || best >= 0 && t.unclear(from, to, best, outcome) {
		return -1
	}
	return best
}

// unclear reports whether some other method at a point may need as little as the best one: it is not clear that it
// needs more, or it gets there in some runs, but too few for a number.
func (t *teller) unclear(from, to, best, outcome int) bool {
	return slices.ContainsFunc(t.Comparisons, func(c fold.Comparison) bool {
		if c.Outcome != outcome || c.Key >= 0 || c.A < from || c.A >= to || c.B < from || c.B >= to {
			return false
		}
		if t.Groups[c.A].Label == best {
			c = c.Inverse()
		}
		rival := t.Groups[c.A].Values[outcome]
		return t.Groups[c.B].Label == best && !clear(c.Ratio) && (rival.Value.Finite() || rival.Reached > 0)
	})
}

// clear reports whether a ratio is more than 1: as it is printed and, over several seeds, by its interval.
func clear(ratio fold.Estimate) bool {
	return ratio.Value.Finite() && Factor(float64(ratio.Value)) != "1.0" && ratio.Value > 1 &&
		(ratio.N == 1 || ratio.Low > 1)
}

// where states the settings that only these points have in common: " (network.latency = 1ms)".
func (t *teller) where(points []int) string {
	for _, k := range t.Axes() {
		v := t.Points[points[0]].Values[k]
		alike := func(p int) bool { return t.Points[p].Values[k] == v }
		if v < 0 || slices.ContainsFunc(points, func(p int) bool { return !alike(p) }) {
			continue
		}
		n := 0
		for p := range t.Points {
			if alike(p) {
				n++
			}
		}
		if n == len(points) {
			return " (" + t.settingOf(points[0], k) + ")"
		}
	}
	return ""
}

// margin is the leader's advantage over another method in a cost, over the grid.
type margin struct {
	label     int
	low, high float64
	only      *fold.Comparison // where there is one point
	missing   string           // that it does not get there at all of the points
}

// margins states the leader's advantage over the next best method and over the worst.
func (t *teller) margins(leader int, cost *metrics.CostItem, outcome int) string {
	var all []margin
	for _, label := range others(len(t.Labels), leader) {
		m := margin{label: label, low: math.Inf(1)}
		n, points := 0, 0
		for i := range t.Comparisons {
			c := t.Comparisons[i]
			a, b := t.Groups[c.A].Label, t.Groups[c.B].Label
			if c.Outcome != outcome || c.Key >= 0 || !(a == leader && b == label || a == label && b == leader) {
				continue
			}
			if a == leader {
				c = c.Inverse() // the other's cost over the leader's
			}
			points++
			if r := float64(c.Ratio.Value); !math.IsNaN(r) && !math.IsInf(r, 0) {
				m.low, m.high, m.only = min(m.low, r), max(m.high, r), &c
				n++
			}
		}
		if n > 1 {
			m.only = nil
		}
		if n < points {
			m.missing = fmt.Sprintf(" where that gets there (%d of %s)", n, quantity.Plural(points, "grid point"))
		}
		if n > 0 && m.low > 1 && Factor(m.low) != "1.0" {
			all = append(all, m)
		}
	}
	if len(all) == 0 {
		return ""
	}
	slices.SortStableFunc(all, func(a, b margin) int { return cmp.Compare(a.high, b.high) })
	text := func(m margin, again bool) string {
		out := Less(cost, span(m.low, m.high), again) + t.Labels[m.label]
		if cost.ID == "time_s" && t.goal != "" {
			out = span(m.low, m.high) + " times faster than " + t.Labels[m.label]
		}
		if m.only != nil && len(t.Seeds) > 1 {
			out += t.interval(m.only.Ratio, timesOf)
		}
		return out + m.missing
	}
	words := []string{text(all[0], false)}
	if last := len(all) - 1; last > 0 {
		words = append(words, text(all[last], true))
	}
	return Enumerated(words)
}
