package views

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/study"
)

// compared compares the method that is best in an outcome, at the most points, with each other.
func (s *answer) compared(outcome int) []string {
	leader := s.leader(outcome)
	var out []string
	for label := range s.Labels {
		var of []*study.Comparison
		for i := range s.Comparisons {
			c := &s.Comparisons[i]
			a, b := s.Groups[c.A].Label, s.Groups[c.B].Label
			if c.Outcome == outcome && c.Key < 0 && (a == leader && b == label || a == label && b == leader) {
				if a == label { // the leader first
					inverse := c.Inverse()
					c = &inverse
				}
				of = append(of, c)
			}
		}
		switch {
		case len(of) == 1 && of[0].Pairs == 0 && s.Outcomes[outcome].Target >= 0: // attained says so
		case len(of) == 1:
			out = append(out, s.sentence(of[0]))
		case len(of) > 1:
			out = append(out, s.overPoints(of))
		}
	}
	return out
}

// alongKey compares the values of the only key, if they are few and not numbers.
func (s *answer) alongKey(outcome int) []string {
	const most = 6
	var out []string
	axes := s.Axes()
	if len(axes) == 1 && len(s.Keys[axes[0]].Values) <= most && s.Keys[axes[0]].Numbers == nil {
		for i := range s.Comparisons {
			if c := &s.Comparisons[i]; c.Outcome == outcome && c.Key == axes[0] {
				out = append(out, s.sentence(c))
			}
		}
	}
	return out
}

// leader is the method that has the best value at the most points.
func (s *answer) leader(outcome int) int {
	wins := make([]int, len(s.Labels))
	for p := range s.Points {
		best := -1
		from, to := s.At(p)
		for i := from; i < to; i++ {
			if v := s.Groups[i].Values[outcome].Value; v.Finite() && (best < 0 || better(s.Outcomes[outcome], v,
				s.Groups[best].Values[outcome].Value)) {
				best = i
			}
		}
		if best >= 0 {
			wins[s.Groups[best].Label]++
		}
	}
	leader := 0
	for label := range wins {
		if wins[label] > wins[leader] {
			leader = label
		}
	}
	return leader
}

func better(o study.Outcome, v, than jsonio.Real) bool { return v != than && (v > than) == o.More }

// sentence puts a comparison in words: "DAGM needs 0.31× the bytes of MA-DBO to
// grad_norm2 <= 0.0001, 95 % CI 0.28–0.34, over 10 seeds."
func (s *answer) sentence(c *study.Comparison) string {
	a, b, at := s.names(c)
	if c.Pairs == 0 {
		return at + s.unpaired(c, a, b) + "."
	}
	text := at + s.relation(c, a, b) + s.confidence(c)
	if c.AOnly+c.BOnly+c.Neither > 0 {
		text += "; " + s.censoring(c, a, b)
	}
	return text + "."
}

// names are what is compared, and where.
func (s *answer) names(c *study.Comparison) (a, b, at string) {
	ga, gb := s.Groups[c.A], s.Groups[c.B]
	a, b = s.Labels[ga.Label], s.Labels[gb.Label]
	if c.Key < 0 {
		if name := s.Points[ga.Point].Name; name != "" {
			at = "At " + name + ": "
		}
		return a, b, at
	}
	setting := func(g study.Group) string { return " at " + s.settingOf(g.Point, c.Key) }
	a, b = a+setting(ga), b+setting(gb)
	if rest := s.PointName(ga.Point, c.Key); rest != "" {
		at = "At " + rest + ": "
	}
	return a, b, at
}

// settingOf is a key with its value at a point, or the point's name.
func (s *answer) settingOf(point, key int) string {
	k := s.Keys[key]
	value := k.Values[s.Points[point].Values[key]]
	if k.Name == study.NameKey {
		return value
	}
	return k.Name + " = " + value
}

// relation is "A needs 0.31× the bytes of B to ...".
func (s *answer) relation(c *study.Comparison, a, b string) string {
	if !c.Ratio.Value.Finite() {
		return s.phrase(c.Outcome, a, b, "", c.Difference.Value)
	}
	return s.phrase(c.Outcome, a, b, times(c.Ratio.Value), 0)
}

// phrase says that a has that many times what b has; or, without a ratio, how much more.
func (s *answer) phrase(outcome int, a, b, ratio string, difference jsonio.Real) string {
	o := s.Outcomes[outcome]
	verb, noun, to := "uses", s.noun(outcome), ""
	switch {
	case o.Target >= 0:
		verb, to = "needs", " to "+s.Targets[o.Target].Name
	case strings.HasPrefix(o.ID, "final."):
		verb, noun = "ends with", strings.TrimPrefix(noun, "final ")
	}
	if ratio != "" {
		return fmt.Sprintf("%s %s %s the %s of %s%s", a, verb, ratio, noun, b, to)
	}
	word := "more"
	if difference < 0 {
		word = "less"
	}
	return fmt.Sprintf("%s %s %s %s %s than %s%s", a, verb, amount(o.Unit, jsonio.Real(math.Abs(float64(difference)))),
		word, noun, b, to)
}

// confidence is ", 95 % CI 0.28–0.34, over 10 seeds".
func (s *answer) confidence(c *study.Comparison) string {
	e, show, same := c.Ratio, plain, jsonio.Real(1)
	if !e.Value.Finite() {
		e, same = c.Difference, 0
		show = func(x jsonio.Real) string { return amount(s.Outcomes[c.Outcome].Unit, x) }
	}
	switch {
	case e.N == 1:
		return ", with one seed"
	case !e.Low.Finite() || !e.High.Finite():
		return fmt.Sprintf(", over %s, no interval: %s", plural(e.N, "seed"), e.Method)
	case e.Low == e.High:
		return fmt.Sprintf(", the same over %s", plural(e.N, "seed"))
	}
	text := fmt.Sprintf(", %.0f %% CI %s, over %s", 100*s.Level, interval(show(e.Low), show(e.High)), plural(e.N, "seed"))
	if e.Low <= same && same <= e.High {
		text += ": no clear difference"
	}
	return text
}

// censoring says at how many seeds there is no pair.
func (s *answer) censoring(c *study.Comparison, a, b string) string {
	doing := "has a result"
	if s.Outcomes[c.Outcome].Target >= 0 {
		doing = "gets there"
	}
	var words []string
	for _, w := range []struct {
		n   int
		who string
	}{{c.AOnly, "only " + a + " " + doing}, {c.BOnly, "only " + b + " " + doing}, {c.Neither, "neither " + doing}} {
		if w.n > 0 {
			words = append(words, fmt.Sprintf("at %s %s", plural(w.n, "more seed"), w.who))
		}
	}
	return strings.Join(words, ", ")
}

// unpaired is said of methods of which no seed has both.
func (s *answer) unpaired(c *study.Comparison, a, b string) string {
	seeds := c.AOnly + c.BOnly + c.Neither
	o := s.Outcomes[c.Outcome]
	what := "has a result for " + o.Name
	if o.Target >= 0 {
		what = "gets to " + s.Targets[o.Target].Name
	}
	return fmt.Sprintf("%s %s at %d of %s, %s at %d", a, what, c.AOnly, plural(seeds, "seed"), b, c.BOnly)
}

// overPoints sums up the comparisons of two methods over the grid.
func (s *answer) overPoints(of []*study.Comparison) string {
	var least, most *study.Comparison
	below, above, equal, unclear, noInterval, without := 0, 0, 0, 0, 0, 0
	// In a study of one seed the ratios are all there is; among intervals, a ratio that
	// has none says nothing.
	plainly := !slices.ContainsFunc(of, func(c *study.Comparison) bool { return c.Ratio.N > 1 })
	for _, c := range of {
		r := c.Ratio
		if !r.Value.Finite() {
			without++
			continue
		}
		if least == nil || r.Value < least.Ratio.Value {
			least = c
		}
		if most == nil || r.Value > most.Ratio.Value {
			most = c
		}
		low, high := r.Low, r.High
		if bare := !low.Finite() || !high.Finite(); bare && !plainly {
			noInterval++
			continue
		} else if bare {
			low, high = r.Value, r.Value
		}
		switch {
		case high < 1:
			below++
		case low > 1:
			above++
		case low == 1 && high == 1:
			equal++
		default:
			unclear++
		}
	}
	a, b, _ := s.names(of[0])
	if least == nil {
		return fmt.Sprintf("%s and %s: no ratio of %s at any of %d grid points.", a, b, s.Outcomes[of[0].Outcome].Name,
			len(of))
	}
	ratio := times(least.Ratio.Value)
	if least.Ratio.Value != most.Ratio.Value {
		ratio = fmt.Sprintf("%s (%s) to %s (%s)", times(least.Ratio.Value), s.Points[s.Groups[least.A].Point].Name,
			times(most.Ratio.Value), s.Points[s.Groups[most.A].Point].Name)
	}
	var counts []string
	for _, n := range []struct {
		n    int
		word string
	}{{below, "clearly less at %d"}, {above, "clearly more at %d"}, {equal, "the same at %d"}, {unclear,
		"no clear difference at %d"}, {noInterval, "no interval at %d"}, {without, "no common seed with a result at %d"}} {
		if n.n > 0 {
			word := n.word
			if plainly { // nothing is clear with one seed
				word = strings.TrimPrefix(word, "clearly ")
			}
			counts = append(counts, fmt.Sprintf(word, n.n))
		}
	}
	return fmt.Sprintf("%s: %s of %d grid points.", s.phrase(least.Outcome, a, b, ratio, 0), strings.Join(counts, ", "),
		len(of))
}
