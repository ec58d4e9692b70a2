package summary

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/render"
)

// told are the costs that sentences are about.
var told = []string{"payload_bytes", "time_s", "oracle_calls"}

// sentences is the answer in words: what was run, how the methods compare, what is not
// beaten, what grows how, and what matters most.
func (s *Summary) sentences() []string {
	if s.Runs == 0 {
		return []string{"There are no runs."}
	}
	out := []string{s.overview()}
	out = append(out, s.attained()...)
	about := s.toldOutcomes()
	for _, o := range about {
		out = append(out, s.compared(o)...)
		out = append(out, s.alongKey(o)...)
	}
	for i := range s.Fronts {
		if f := &s.Fronts[i]; f.Point < 0 && s.onePose() || len(s.Points) == 1 {
			out = append(out, s.unbeaten(f))
		}
	}
	for _, o := range about {
		out = append(out, s.grows(o)...)
	}
	for i := range s.Importances {
		if im := &s.Importances[i]; slices.Contains(about, im.Outcome) && len(im.Shares) > 1 {
			out = append(out, s.matters(im))
		}
	}
	return out
}

// toldOutcomes are the outcomes that sentences are about: the costs to each target;
// without targets the costs in all, and the metric on the front.
func (s *Summary) toldOutcomes() []int {
	var about []int
	for i, o := range s.Outcomes {
		_, cost, _ := strings.Cut(o.ID, ".")
		if o.Main && slices.Contains(told, cost) && !strings.HasPrefix(o.ID, "final.") {
			about = append(about, i)
		}
	}
	if len(s.Targets) == 0 && len(s.Fronts) > 0 && len(s.Fronts[0].Objectives) > 2 {
		about = append(about, s.Fronts[0].Objectives[2])
	}
	return about
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return render.Count(int64(n)) + " " + noun + "s"
}

// overview says what was run, and how it ended.
func (s *Summary) overview() string {
	text := fmt.Sprintf("%s: %s", plural(s.Runs, "run"), plural(len(s.Labels), "method"))
	if len(s.Keys) > 0 {
		text += " at " + plural(len(s.Points), "grid point")
	}
	return text + " over " + plural(len(s.Seeds), "seed") + "; " + s.Statuses.String() + "."
}

// endings are the ways in which runs end, in the order in which they are told.
var endings = []metrics.Status{metrics.Completed, metrics.Reached, metrics.Diverged, metrics.Stalled, metrics.Failed, metrics.Interrupted}

// String returns "8 completed, 2 diverged".
func (s Statuses) String() string {
	var words []string
	for _, status := range endings {
		if n := s[status]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, status))
		}
	}
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}

// attained says which methods did not always get to a target.
func (s *Summary) attained() []string {
	var out []string
	for t, target := range s.Targets {
		o := slices.IndexFunc(s.Outcomes, func(o Outcome) bool { return o.Target == t })
		var words []string
		all := 0
		for label, name := range s.Labels {
			reached, runs := 0, 0
			for _, g := range s.Groups {
				if m := g.Values[o]; g.Label == label {
					reached += m.Reached
					runs += m.Reached + m.Censored + g.Runs - g.Ended
				}
			}
			if reached < runs {
				words = append(words, fmt.Sprintf("%s in %d of %d runs%s", name, reached, runs, s.unwell(label)))
			} else if runs > 0 {
				all++
			}
		}
		if len(words) == 0 {
			continue
		}
		text := "Not every run gets to " + target.Name + ": " + strings.Join(words, ", ")
		if all > 0 {
			text += fmt.Sprintf("; the other %s always", plural(all, "method"))
			if all == 1 {
				text = strings.Replace(text, "the other 1 method always", "the other method always", 1)
			}
		}
		out = append(out, text+".")
	}
	return out
}

// unwell says how many runs of a method did not end well: " (2 diverged)".
func (s *Summary) unwell(label int) string {
	statuses := Statuses{}
	for _, g := range s.Groups {
		for _, status := range endings {
			if n := g.Statuses[status]; n > 0 && g.Label == label && !ended(status) {
				statuses[status] += n
			}
		}
	}
	if len(statuses) == 0 {
		return ""
	}
	return " (" + statuses.String() + ")"
}

// compared compares the method that is best in an outcome, at the most points, with each other.
func (s *Summary) compared(outcome int) []string {
	leader := s.leader(outcome)
	var out []string
	for label := range s.Labels {
		var of []*Comparison
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
			out = append(out, s.Sentence(of[0]))
		case len(of) > 1:
			out = append(out, s.overPoints(of))
		}
	}
	return out
}

// alongKey compares the values of the only key, if it has few and they are no numbers.
func (s *Summary) alongKey(outcome int) []string {
	const most = 6
	var out []string
	if len(s.Keys) == 1 && len(s.Keys[0].Values) <= most && s.Keys[0].Numbers == nil {
		for i := range s.Comparisons {
			if c := &s.Comparisons[i]; c.Outcome == outcome && c.Key == 0 {
				out = append(out, s.Sentence(c))
			}
		}
	}
	return out
}

// leader is the method that has the best value at the most points.
func (s *Summary) leader(outcome int) int {
	wins := make([]int, len(s.Labels))
	for p := range s.Points {
		best := -1
		from, to := s.at(p)
		for i := from; i < to; i++ {
			if v := s.Groups[i].Values[outcome].Value; has(v) && (best < 0 || better(s.Outcomes[outcome], v, s.Groups[best].Values[outcome].Value)) {
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

func better(o Outcome, v, than metrics.Real) bool { return v != than && (v > than) == o.More }

// Inverse is the comparison of B with A. A ratio whose interval is not above 0 has no inverse.
func (c Comparison) Inverse() Comparison {
	c.A, c.B, c.AOnly, c.BOnly = c.B, c.A, c.BOnly, c.AOnly
	d := &c.Difference
	d.Value, d.Low, d.High = -d.Value, -d.High, -d.Low
	r := &c.Ratio
	if nan := metrics.Real(math.NaN()); r.Value <= 0 || r.Low <= 0 {
		r.Value, r.Low, r.High, r.Method = nan, nan, nan, "the denominators may be 0"
	}
	r.Value, r.Low, r.High = 1/r.Value, 1/r.High, 1/r.Low
	return c
}

// Sentence puts a comparison in words: "DAGM needs 0.31× the bytes of MA-DBO to
// grad_norm2 <= 0.0001, 95 % CI 0.28–0.34, over 10 seeds."
func (s *Summary) Sentence(c *Comparison) string {
	a, b, at := s.names(c)
	if c.Pairs == 0 {
		return at + s.unpaired(c, a, b) + "."
	}
	text := at + s.relation(c, a, b) + s.sureness(c)
	if c.AOnly+c.BOnly+c.Neither > 0 {
		text += "; " + s.censoring(c, a, b)
	}
	return text + "."
}

// names are what is compared, and where.
func (s *Summary) names(c *Comparison) (a, b, at string) {
	ga, gb := s.Groups[c.A], s.Groups[c.B]
	a, b = s.Labels[ga.Label], s.Labels[gb.Label]
	if c.Key < 0 {
		if name := s.Points[ga.Point].Name; name != "" {
			at = "At " + name + ": "
		}
		return a, b, at
	}
	setting := func(g Group) string {
		k := s.Keys[c.Key]
		return " at " + k.Name + " = " + k.Values[s.Points[g.Point].Values[c.Key]]
	}
	a, b = a+setting(ga), b+setting(gb)
	var rest metrics.Point
	for _, x := range s.Points[ga.Point].Settings {
		if x.Key != s.Keys[c.Key].Name {
			rest = append(rest, x)
		}
	}
	if len(rest) > 0 {
		at = "At " + pointName(rest) + ": "
	}
	return a, b, at
}

// relation is "A needs 0.31× the bytes of B to ...".
func (s *Summary) relation(c *Comparison, a, b string) string {
	if !has(c.Ratio.Value) {
		return s.phrase(c.Outcome, a, b, "", c.Difference.Value)
	}
	return s.phrase(c.Outcome, a, b, times(c.Ratio.Value), 0)
}

// phrase says that a has that many times what b has; or, without a ratio, how much more.
func (s *Summary) phrase(outcome int, a, b, ratio string, difference metrics.Real) string {
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
	return fmt.Sprintf("%s %s %s %s %s than %s%s", a, verb, amount(o.Unit, metrics.Real(math.Abs(float64(difference)))), word, noun, b, to)
}

// amount is a number with its unit.
func amount(u Unit, x metrics.Real) string {
	switch {
	case !has(x):
		return "-"
	case u == Bytes && math.Abs(float64(x)) < 1<<62:
		return render.Bytes(int64(math.Round(float64(x))))
	case u == Seconds:
		return render.Seconds(float64(x))
	case u == Count && x == metrics.Real(math.Trunc(float64(x))) && math.Abs(float64(x)) < 1<<53:
		return render.Count(int64(x))
	}
	return render.Float(float64(x), 3)
}

// times is a ratio: "0.31×".
func times(x metrics.Real) string { return plain(x) + "×" }

// plain is a number near 1 with two decimals, and any other with two or three digits.
func plain(x metrics.Real) string {
	switch v := math.Abs(float64(x)); {
	case math.IsInf(float64(x), 0) || v == 0:
		return render.Float(float64(x), 1)
	case v < 0.0995:
		return render.Float(float64(x), 2)
	case v < 9.995:
		return strconv.FormatFloat(float64(x), 'f', 2, 64)
	}
	return render.Float(float64(x), 3)
}

// interval is "0.28–0.34", or with "to" between numbers that have signs of their own.
func interval(low, high string) string {
	if strings.ContainsAny(low+high, "-−") {
		return low + " to " + high
	}
	return low + "–" + high
}

// sureness is ", 95 % CI 0.28–0.34, over 10 seeds".
func (s *Summary) sureness(c *Comparison) string {
	e, show, same := c.Ratio, plain, metrics.Real(1)
	if !has(e.Value) {
		e, same = c.Difference, 0
		show = func(x metrics.Real) string { return amount(s.Outcomes[c.Outcome].Unit, x) }
	}
	switch {
	case e.N == 1:
		return ", with one seed"
	case !has(e.Low) || !has(e.High):
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
func (s *Summary) censoring(c *Comparison, a, b string) string {
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
func (s *Summary) unpaired(c *Comparison, a, b string) string {
	seeds := c.AOnly + c.BOnly + c.Neither
	o := s.Outcomes[c.Outcome]
	what := "has a result for " + o.Name
	if o.Target >= 0 {
		what = "gets to " + s.Targets[o.Target].Name
	}
	return fmt.Sprintf("%s %s at %d of %s, %s at %d", a, what, c.AOnly, plural(seeds, "seed"), b, c.BOnly)
}

// overPoints sums up the comparisons of two methods over the grid.
func (s *Summary) overPoints(of []*Comparison) string {
	var least, most *Comparison
	below, above, equal, unclear, untold, without := 0, 0, 0, 0, 0, 0
	// In a study of one seed the ratios are all there is; among intervals, a ratio that
	// has none says nothing.
	plainly := !slices.ContainsFunc(of, func(c *Comparison) bool { return c.Ratio.N > 1 })
	for _, c := range of {
		r := c.Ratio
		if !has(r.Value) {
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
		if bare := !has(low) || !has(high); bare && !plainly {
			untold++
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
		return fmt.Sprintf("%s and %s: no ratio of %s at any of %d grid points.", a, b, s.Outcomes[of[0].Outcome].Name, len(of))
	}
	ratio := times(least.Ratio.Value)
	if least.Ratio.Value != most.Ratio.Value {
		ratio = fmt.Sprintf("%s (%s) to %s (%s)", times(least.Ratio.Value), s.Points[s.Groups[least.A].Point].Name, times(most.Ratio.Value), s.Points[s.Groups[most.A].Point].Name)
	}
	var counts []string
	for _, n := range []struct {
		n    int
		word string
	}{{below, "clearly less at %d"}, {above, "clearly more at %d"}, {equal, "the same at %d"}, {unclear, "no clear difference at %d"}, {untold, "no interval at %d"}, {without, "no common seed with a result at %d"}} {
		if n.n > 0 {
			word := n.word
			if plainly { // nothing is clear with one seed
				word = strings.TrimPrefix(word, "clearly ")
			}
			counts = append(counts, fmt.Sprintf(word, n.n))
		}
	}
	return fmt.Sprintf("%s: %s of %d grid points.", s.phrase(least.Outcome, a, b, ratio, 0), strings.Join(counts, ", "), len(of))
}

// onePose reports whether all points of the grid pose one problem: where the problem or
// the number of those who share it is swept, the smallest one would always win.
func (s *Summary) onePose() bool {
	return !slices.ContainsFunc(s.Keys, func(k Key) bool {
		return k.Name == "topology.nodes" || k.Name == "problem" || strings.HasPrefix(k.Name, "problem.")
	})
}

// unbeaten names what is on a front.
func (s *Summary) unbeaten(f *Front) string {
	var goals, names []string
	for _, o := range f.Objectives {
		goals = append(goals, s.noun(o))
	}
	for _, m := range f.Members {
		if m.Best {
			g := s.Groups[m.Group]
			name := s.Labels[g.Label]
			if at := s.Points[g.Point].Name; at != "" {
				name += " at " + at
			}
			names = append(names, name)
		}
	}
	to := ""
	if t := s.Outcomes[f.Objectives[0]].Target; t >= 0 {
		to = " to " + s.Targets[t].Name
	}
	const most = 5
	if len(names) > most {
		names = append(names[:most], fmt.Sprintf("and %d more", len(names)-most))
	}
	last := len(goals) - 1
	return fmt.Sprintf("Not beaten in %s and %s at once%s: %s.", strings.Join(goals[:last], ", "), goals[last], to, strings.Join(names, "; "))
}

// grows says with which power of a key an outcome grows.
func (s *Summary) grows(outcome int) []string {
	var out []string
	for k, key := range s.Keys {
		fitted, still := 0, 0
		for label, name := range s.Labels {
			var of []*Slope
			for i := range s.Slopes {
				if sl := &s.Slopes[i]; sl.Key == k && sl.Label == label && sl.Outcome == outcome && has(sl.Slope.Value) {
					of = append(of, sl)
				}
			}
			if len(of) == 0 {
				continue
			}
			fitted++
			if !slices.ContainsFunc(of, func(sl *Slope) bool { return math.Abs(float64(sl.Slope.Value)) > negligible }) {
				still++
				continue
			}
			verb := "grow"
			if u := s.Outcomes[outcome].Unit; u == Seconds || u == Number {
				verb = "grows"
			}
			text := fmt.Sprintf("%s: %s %s as %s to the power of ", name, s.Outcomes[outcome].Name, verb, key.Name)
			if len(of) == 1 {
				e := of[0].Slope
				text += fmt.Sprintf("%s, %.0f %% CI %s, over %d values.", plain(e.Value), 100*s.Level, interval(plain(e.Low), plain(e.High)), e.N)
			} else {
				low, high := of[0].Slope.Value, of[0].Slope.Value
				for _, sl := range of {
					low, high = min(low, sl.Slope.Value), max(high, sl.Slope.Value)
				}
				power := plain(low)
				if plain(high) != power {
					power += " to " + plain(high)
				}
				text += fmt.Sprintf("%s, over %d settings of the other keys.", power, len(of))
			}
			out = append(out, text)
		}
		if fitted > 1 && still == fitted {
			out = append(out, fmt.Sprintf("No method's %s change with %s.", s.Outcomes[outcome].Name, key.Name))
		}
	}
	return out
}

// negligible is a power that nobody would call one.
const negligible = 1e-6

// matters says which keys explain most of an outcome.
func (s *Summary) matters(im *Importance) string {
	shares := slices.Clone(im.Shares)
	slices.SortStableFunc(shares, func(a, b Share) int {
		switch {
		case a.Total > b.Total:
			return -1
		case a.Total < b.Total:
			return 1
		}
		return 0
	})
	var words []string
	for i, x := range shares[:min(3, len(shares))] {
		if i > 0 && x.Total < 0.01 {
			break
		}
		words = append(words, fmt.Sprintf("%s (%s by itself, %s with its interactions)", x.Name, percent(x.First), percent(x.Total)))
	}
	text := fmt.Sprintf("What matters most for %s: %s of the variance", s.Outcomes[im.Outcome].Name, strings.Join(words, ", then "))
	if im.Log {
		text += " of its logarithm"
	}
	if len(s.Seeds) > 1 {
		text += fmt.Sprintf(", %s being between seeds", percent(im.Within))
	}
	if im.Left > 0 {
		text += fmt.Sprintf("; without %s that have no such number", plural(im.Left, "run"))
	}
	if !im.Balanced {
		text += "; the grid is not balanced, so shares overlap"
	}
	return text + "."
}

func percent(x metrics.Real) string { return strconv.FormatFloat(100*float64(x), 'f', 0, 64) + " %" }
