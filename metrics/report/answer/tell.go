package answer

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/quantity"
	"tallynet/metrics/report/result"
)

// tellEffects says which key changes the cost of which choice by how much. Of keys of the network and the machines it
// names the one that limits each choice; of a size it tells the growth; of others each value.
func (g *grid) tellEffects(a *result.Answer) []string {
	var limits []int
	var said []string
	for _, key := range g.along {
		if key >= 0 && Given(g.Keys[key].Name) && g.Keys[key].Numbers != nil && len(g.along) > 1 {
			limits = append(limits, key)
		}
	}
	if len(limits) < 2 {
		limits = nil
	}
	told := g.q.By[:1]
	if g.OnlyEffects {
		told = g.q.By
	}
	for _, by := range told {
		of := slices.DeleteFunc(slices.Clone(a.Effects), func(e result.Effect) bool { return e.By != by })
		said = append(said, g.tellLimits(of, limits))
		for _, key := range g.along {
			if key >= 0 && !slices.Contains(limits, key) {
				said = append(said, g.tellEffect(of, key))
			}
		}
	}
	return said
}

// isClear reports whether a factor is above 1 by more than a tie.
func isClear(f result.Interval) bool {
	return f.Value.Finite() && !tied(f, 0)
}

// isNoise reports whether a factor differs from 1 by more than a tie, but its interval contains 1.
func isNoise(f result.Interval) bool {
	return f.N > 1 && f.Low <= 1 && f.High >= 1 && math.Abs(math.Log(float64(f.Value))) > math.Log(1+tie)
}

// tellLimits names, for each choice, the keys that raise its cost most, one changed at a time: "latency limits MA-DBO
// (8.7 times at 1 ms)".
func (g *grid) tellLimits(all []result.Effect, keys []int) string {
	worst := map[string]float64{}
	base := func(e *result.Effect) bool { return e.At.Text("=") == g.baseOf(e.Key) }
	slices.SortStableFunc(all, func(x, y result.Effect) int { return cmp.Compare(y.Factor.Value, x.Factor.Value) })
	for i := range all {
		if e := &all[i]; base(e) && isClear(e.Factor) {
			worst[e.Of] = max(worst[e.Of], float64(e.Factor.Value))
		}
	}
	const alike = 0.9 // of the largest factor: that key limits the choice, too
	var words []string
	for _, key := range keys {
		var whom []string
		for i := range all {
			e := &all[i]
			if v := float64(e.Factor.Value); e.Key == g.Keys[key].Name && base(e) && isClear(e.Factor) &&
				v >= alike*worst[e.Of] {
				whom = append(whom, fmt.Sprintf("%s (%s at %s)", e.Of, Margin(e.Factor), e.Value))
			}
		}
		if len(whom) > 0 {
			words = append(words, fmt.Sprintf("%s limits %s", g.Keys[key].Title, some(whom)))
		}
	}
	if len(words) == 0 {
		return ""
	}
	return SentenceCase(strings.Join(words, "; ")) + ": factors of " + CostName(all[0].By) +
		g.goal(all[0].By) + ", with one key changed at a time."
}

// baseOf returns the setting in which all keys but one have their first values.
func (g *grid) baseOf(key string) string {
	others := slices.DeleteFunc(slices.Clone(g.along), func(k int) bool { return k < 0 || g.Keys[k].Name == key })
	at, _ := g.setting(&g.Groups[0], others)
	return at.Text("=")
}

// tellEffect tells what the values of a key do to the cost of each choice.
func (g *grid) tellEffect(all []result.Effect, key int) string {
	k := &g.Keys[key]
	values := k.Labels[1:]
	if len(k.Numbers) > 2 { // growth over the whole range
		last := slices.Index(k.Numbers, slices.Max(k.Numbers))
		if last == 0 {
			last = slices.Index(k.Numbers, slices.Min(k.Numbers))
		}
		values = k.Labels[last : last+1]
	}
	first := k.Labels[0]
	if slices.ContainsFunc(g.Groups, func(of fold.Group) bool { return g.Points[of.Point].Values[key] < 0 }) {
		values, first = k.Labels, "" // of a point without the key
	}
	var words []string
	for _, value := range values {
		var order []string // of the choices
		low, high := map[string]float64{}, map[string]float64{}
		for i := range all {
			e := &all[i]
			if e.Key != g.Keys[key].Name || e.Value != value || !e.Factor.Value.Finite() || isNoise(e.Factor) {
				continue
			}
			f := float64(e.Factor.Value)
			if _, known := low[e.Of]; !known {
				order, low[e.Of], high[e.Of] = append(order, e.Of), f, f
			}
			low[e.Of], high[e.Of] = min(low[e.Of], f), max(high[e.Of], f)
		}
		slices.SortStableFunc(order, func(x, y string) int { return cmp.Compare(high[y], high[x]) })
		var whom, unchanged []string
		for _, of := range order {
			if high[of] <= 1+tie && low[of] >= 1/(1+tie) {
				unchanged = append(unchanged, of)
				continue
			}
			whom = append(whom, fmt.Sprintf("%s for %s", spread(twoDigits(low[of]), twoDigits(high[of])), of))
		}
		if len(whom) == 0 {
			continue
		}
		if len(unchanged) > 0 {
			whom = append(whom, "the same for "+some(unchanged))
		}
		at := func(label string) string {
			if label == "" {
				return "no " + k.Title
			}
			return g.worded(key, label)
		}
		cost, is := CostName(all[0].By)+g.goal(all[0].By), "is"
		if c := metrics.FindCost(all[0].By); c != nil && c.Counted() || all[0].By == "payload_bytes" {
			is = "are"
		}
		words = append(words, fmt.Sprintf("with %s %s %s, as a multiple of that with %s, %s", at(value), cost, is, at(first),
			some(whom)))
	}
	if len(words) == 0 {
		return ""
	}
	return SentenceCase(strings.Join(words, "; ")) + "."
}

// twoDigits writes a factor that may be near 1.
func twoDigits(x float64) string {
	if x >= byFactor {
		return Factor(x)
	}
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", x), "0"), ".")
}

// tellArrival says how many runs of which choices got to the target, or ended well, where not all did.
func (g *grid) tellArrival(a *result.Answer) string {
	type arrival struct{ arrived, runs int }
	of := map[string]arrival{}
	var order []string
	if len(g.q.By) == 0 {
		return ""
	}
	for _, c := range g.atMain(a, g.q.By[0]) {
		for _, x := range c.Choices {
			n, known := of[x.Name]
			if !known {
				order = append(order, x.Name)
			}
			of[x.Name] = arrival{n.arrived + x.Arrived, n.runs + x.Runs}
		}
	}
	var words []string
	late := slices.DeleteFunc(slices.Clone(order), func(name string) bool { return of[name].arrived == of[name].runs })
	for _, name := range late {
		often := " never"
		if n := of[name]; n.arrived > 0 {
			often = fmt.Sprintf(" in %d of %d runs", n.arrived, n.runs)
		}
		words = append(words, name+often+g.fate(name, len(late) <= 2))
	}
	if len(words) == 0 {
		return ""
	}
	goal, always := "Not every run ends well: ", ""
	if g.q.To != nil {
		goal = "Not every run gets to " + g.q.To.String() + ": "
	}
	if len(words) < len(order) {
		always = "; the others always"
	}
	return goal + some(words) + always + "."
}

// fate says how the runs of a choice ended that did not get there: " (1 diverged; at best grad_norm2 0.012)". The best
// values are those of a choice of which no run got there, if they are wanted.
func (g *grid) fate(name string, near bool) string {
	bad, reached := fold.Statuses{}, false
	var best []fold.Miss
	for i := range g.Groups {
		of := &g.Groups[i]
		if g.choice(of) != name {
			continue
		}
		for _, status := range fold.Endings() {
			if n := of.Statuses[status]; n > 0 && !status.Ended() {
				bad[status] += n
			}
		}
		reached = reached || g.Main < 0 || g.Fold.Measure(of.Point, of.Label, g.Main, measured("iterations")).Reached > 0
		for _, m := range of.Missed {
			k := slices.IndexFunc(best, func(o fold.Miss) bool { return o.Metric == m.Metric })
			switch more := g.more(m.Metric); {
			case m.Target != g.Main:
			case k < 0:
				best = append(best, m)
			case m.Best.Finite() && (!best[k].Best.Finite() || more == (m.Best > best[k].Best)):
				best[k] = m
			}
		}
	}
	var words []string
	if len(bad) > 0 {
		words = append(words, bad.String())
	}
	if near && !reached && len(best) > 0 {
		words = append(words, "at best "+MissedWords(best))
	}
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, "; ") + ")"
}

// MissedWords are the best values of runs that missed a target.
func MissedWords(all []fold.Miss) string {
	var words []string
	for _, m := range all {
		if m.Best.Finite() {
			words = append(words, m.Metric+" "+quantity.Float(float64(m.Best), 2))
		} else {
			words = append(words, "no finite "+m.Metric)
		}
	}
	return strings.Join(words, " and ")
}

// tellCrossover says where the best choice changes.
func (g *grid) tellCrossover(c result.Crossover) string {
	best := wordingOf(c.By).best
	write := func(x float64) string { return quantity.In(c.Unit, x, 3) }
	seeds := ""
	if c.Of > 1 {
		seeds = fmt.Sprintf(", %d of %d seeds", c.Seeds, c.Of)
	} else { // the bracket is narrow
		write = func(x float64) string { return quantity.In(c.Unit, x, 4) }
	}
	if c.Along == result.TheLevel {
		m := g.q.To.Conditions[0]
		return fmt.Sprintf("Down to %s %s %s %s, beyond it %s.", m.Metric, quantity.Float(c.Value, 3), c.Below, best,
			c.Above)
	}
	var where []string
	for part := range strings.SplitSeq(c.At, ", ") {
		name, value, _ := strings.Cut(part, " ")
		for k := range g.Keys {
			if v := slices.Index(g.Keys[k].Values, value); g.Keys[k].Name == name && v >= 0 {
				where = append(where, g.worded(k, g.Keys[k].Labels[v]))
			}
		}
	}
	at := ""
	if len(where) > 0 {
		at = " at " + Enumerated(where)
	}
	along := c.Along[strings.LastIndexByte(c.Along, '.')+1:]
	bracket := fmt.Sprintf(" (%s%s)", spread(write(c.Low), write(c.High)), seeds)
	return fmt.Sprintf("%s %s below %s %s%s%s, above it %s.", c.Below, best, along,
		quantity.In(c.Unit, c.Value, 3), bracket, at, c.Above)
}

// SameProblem reports whether all points of the grid pose the same problem. If the problem or
// the number of nodes that share it is swept, the smallest one would always win.
func SameProblem(s *fold.Summary) bool {
	return !slices.ContainsFunc(s.Keys, func(k fold.Key) bool {
		return k.Name == "topology.nodes" || k.Name == "problem" || strings.HasPrefix(k.Name, "problem.")
	})
}
