package answer

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/list"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/stats"
)

// tie is the margin up to which two choices tie, unless one recorded step is larger.
const tie = 0.02

// Of answers the question of a study.
func Of(s Study) *result.Answer {
	g := newGrid(s)
	a := &result.Answer{Question: g.q, Cells: []result.Cell{}}
	for _, by := range g.q.By {
		if g.Unranked != "" {
			break
		}
		a.Cells = append(a.Cells, g.cells(by)...)
		if g.effect {
			a.Effects = append(a.Effects, g.effects(by)...)
		}
	}
	a.Crossovers = slices.DeleteFunc(g.crossings(a), func(c result.Crossover) bool { // those that were found more exactly
		return slices.ContainsFunc(s.Crossovers, func(o result.Crossover) bool {
			return o.By == c.By && o.Along == c.Along && o.At == c.At && c.Low <= o.Value && o.Value <= c.High
		})
	})
	a.Crossovers = append(a.Crossovers, s.Crossovers...)
	a.Chart = g.chart()
	a.Sentences = g.tell(a)
	return a
}

// candidate is a choice under comparison.
type candidate struct {
	result.Choice
	group *fold.Group
	value float64 // the cost, or what grows with how bad a metric is; +Inf: too few runs got there
}

// place is the values of a group on some axes, as text. It identifies a setting or a choice.
func (g *grid) place(of *fold.Group, axes []int) string {
	var b strings.Builder
	for _, a := range axes {
		switch a {
		case method:
			fmt.Fprintf(&b, "%d;", of.Label)
		case level:
		default:
			fmt.Fprintf(&b, "%d;", g.Points[of.Point].Values[a])
		}
	}
	return b.String()
}

// cells ranks the choices in each setting, for each level.
func (g *grid) cells(by string) []result.Cell {
	var settings []string
	in := map[string][]*fold.Group{}
	for i := range g.Groups {
		at := g.place(&g.Groups[i], g.along)
		if in[at] == nil {
			settings = append(settings, at)
		}
		in[at] = append(in[at], &g.Groups[i])
	}
	levels := []int{g.Main}
	if len(g.Levels) > 1 && isCost(by) {
		levels = g.Levels
	}
	var cells []result.Cell
	for _, target := range levels {
		if !isCost(by) {
			target = fold.TheEnd
		}
		for _, at := range settings {
			c := g.rank(in[at], by, target)
			c.At, c.Name = g.setting(in[at][0], g.along)
			if len(g.Levels) > 1 && target >= 0 {
				c.Level = &g.Targets[target].Target
				c.Name = strings.TrimPrefix(c.Name+", "+g.Targets[target].Name, ", ")
			}
			cells = append(cells, c)
		}
	}
	return cells
}

// rank ranks groups by a cost at a target. A choice of which clearly fewer runs get there than of another comes after
// those; among the others less cost is better. Equal costs keep their order.
func (g *grid) rank(groups []*fold.Group, by string, target int) result.Cell {
	all := list.Map(groups, func(of *fold.Group) candidate { return g.candidate(of, by, target) })
	share := func(c candidate) float64 { return float64(c.Arrived) / float64(max(1, c.Runs)) }
	top := slices.MaxFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(share(a), share(b)), cmp.Compare(b.value, a.value))
	})
	behind := func(c candidate) bool {
		d, ok := g.Fold.Compare(top.group, c.group, target, fold.Quantity{Costs: []string{"iterations"}})
		return math.IsInf(c.value, 1) ||
			ok && stats.Shares(d.Pairs, d.AOnly, d.BOnly, d.Neither).Low > 0
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		if x, y := behind(a), behind(b); x != y {
			return map[bool]int{true: 1, false: -1}[x]
		}
		return cmp.Compare(a.value, b.value)
	})
	if g.effect {
		seen := map[string]bool{}
		all = slices.DeleteFunc(all, func(c candidate) bool { // the best of what is left open
			at := g.place(c.group, g.choose)
			twice := seen[at]
			seen[at] = true
			if !twice && (target == g.Main || !isCost(by)) {
				g.ranked[by] = append(g.ranked[by], c.group)
			}
			return twice
		})
	}
	c := result.Cell{By: by}
	for i := range all {
		of := &all[i]
		of.Ratio = g.ratio(of.group, all[0].group, by, target)
		c.Choices = append(c.Choices, of.Choice)
		same := i == 0 || tied(of.Ratio, max(of.Resolved, all[0].Resolved))
		if !of.Ratio.Value.Finite() { // the least cost is 0
			same = of.value == all[0].value
		}
		if c.Best == i && !behind(*of) && same {
			c.Best++
		}
	}
	return c
}

// tied reports whether a cost over that of the best is not clearly larger than 1.
func tied(r result.Interval, step float64) bool {
	return !r.Value.Finite() || r.N > 1 && r.Low.Finite() && r.Low <= 1 || float64(r.Value) <= 1+max(tie, step)+1e-9
}

// candidate measures a group.
func (g *grid) candidate(of *fold.Group, by string, target int) candidate {
	q := measured(by)
	m := g.Fold.Measure(of.Point, of.Label, target, q)
	c := candidate{group: of, value: math.Inf(1), Choice: result.Choice{Method: g.Labels[of.Label],
		Point: g.Points[of.Point].Settings, Runs: of.Runs, Arrived: of.Ended, Cost: interval(m.Estimate),
		Resolved: g.Fold.Resolution(of.Point, of.Label, target, q)}}
	c.Name = g.choice(of)
	if target >= 0 {
		c.Arrived = g.Fold.Measure(of.Point, of.Label, target, fold.Quantity{Costs: []string{"iterations"}}).Reached
		c.OverFloor = g.overFloor(of, target)
	}
	if target < 0 && of.Ended == 0 { // the end of a single run is measured however it ended
		nan := jsonio.Real(math.NaN())
		c.Cost = result.Interval{Value: nan, Low: nan, High: nan, N: of.Runs}
	} else if m.Value.Finite() {
		c.value = float64(m.Value)
		if g.more(by) {
			c.value = -c.value
		}
		c.Mostly, c.Share = g.mostly(of, target)
	}
	return c
}

// more reports whether more of a metric is better.
func (g *grid) more(by string) bool {
	i := slices.IndexFunc(g.Outcomes, func(o fold.Outcome) bool { return o.ID == "final."+by })
	return i >= 0 && g.Outcomes[i].More
}

// overFloor returns how many times the value at which a group ends the level of a target is, in the target's first
// condition; 0 if its runs stop there.
func (g *grid) overFloor(of *fold.Group, target int) float64 {
	c := g.Targets[target].Conditions[0]
	m := g.Fold.Measure(of.Point, of.Label, fold.TheEnd, fold.Quantity{Metric: c.Metric})
	if of.Statuses[result.Reached] > 0 || c.Floor || !m.Value.Finite() || m.Value == 0 {
		return 0
	}
	return c.Value / float64(m.Value)
}

// ratio returns the cost of a group over that of another. Where more is better, it is the other way round.
func (g *grid) ratio(a, b *fold.Group, by string, target int) result.Interval {
	if g.more(by) {
		a, b = b, a
	}
	c, ok := g.Fold.Compare(a, b, target, measured(by))
	if nan := jsonio.Real(math.NaN()); !ok {
		return result.Interval{Value: nan, Low: nan, High: nan}
	}
	return interval(c.Ratio)
}

func interval(e fold.Estimate) result.Interval {
	return result.Interval{Value: e.Value, Low: e.Low, High: e.High, N: e.N}
}

// parts are the parts of a run's time, with their names.
var parts = []struct{ id, name string }{
	{"critical_path.latency_s", "latency"},
	{"critical_path.transfer_s", "sending"},
	{"critical_path.compute_s", "computing"},
	{"critical_path.idle_s", "timers"},
}

// mostly returns the largest part of a group's time on the critical path, and its share.
func (g *grid) mostly(of *fold.Group, target int) (name string, share float64) {
	sum := 0.0
	for _, p := range parts {
		v := float64(g.Fold.Measure(of.Point, of.Label, target, measured(p.id)).Value)
		if v > share {
			name, share = p.name, v
		}
		if v > 0 {
			sum += v
		}
	}
	if sum == 0 || math.IsInf(sum, 0) {
		return "", 0
	}
	return name, share / sum
}

// choice names what a group chooses: "MA-DBO on the ring, random".
func (g *grid) choice(of *fold.Group) string {
	if k := g.nameKey(); k >= 0 && g.isNamed(of, g.choose) {
		name := g.Keys[k].Labels[g.Points[of.Point].Values[k]]
		if slices.Contains(g.choose, method) {
			return g.names[of.Label] + ", " + name
		}
		return name
	}
	var who string
	var words []string
	for _, a := range g.choose {
		switch {
		case a == method:
			who = g.names[of.Label]
		case g.Keys[a].Name == "topology.kind" && slices.Contains(g.choose, method) && g.Points[of.Point].Values[a] >= 0:
			words = slices.Insert(words, 0, "on the "+g.Keys[a].Labels[g.Points[of.Point].Values[a]]+" graph")
		case g.Keys[a].Name != fold.NameKey:
			words = append(words, g.value(of, a))
		}
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	if who == "" || len(words) == 0 {
		return who + strings.Join(words, ", ")
	}
	if strings.HasPrefix(words[0], "on the ") {
		return who + " " + strings.Join(words, ", ")
	}
	return who + ", " + strings.Join(words, ", ")
}

// value is the value of a group on a key; a number has the key's name before it.
func (g *grid) value(of *fold.Group, key int) string {
	k := &g.Keys[key]
	switch v := g.Points[of.Point].Values[key]; {
	case v < 0 && strings.HasPrefix(g.Keys[key].Name, "algorithms"): // of another method
		return ""
	case v < 0:
		return "no " + k.Title
	case k.Numbers != nil || k.Values[v] == "true" || k.Values[v] == "false":
		return g.worded(key, k.Labels[v])
	default:
		return k.Labels[v]
	}
}

// worded writes a key with its value: "latency 1 ms", "8 nodes".
func (g *grid) worded(key int, label string) string {
	k := &g.Keys[key]
	one := fold.Key{Name: k.Name, Title: k.Title, Numbers: k.Numbers, Labels: []string{label}}
	return one.Setting(0, " ")
}

// setting returns the values of a group on some axes, and their name: that of the point, if it identifies the values,
// or the values in words.
func (g *grid) setting(of *fold.Group, axes []int) (result.Settings, string) {
	var all result.Settings
	var words []string
	point := &g.Points[of.Point]
	for _, a := range axes {
		switch {
		case a == method:
			words = append(words, g.names[of.Label])
		case a == level || g.Keys[a].Name == fold.NameKey:
		default:
			i := slices.IndexFunc(point.Settings, func(s result.Setting) bool { return s.Key == g.Keys[a].Name })
			if i >= 0 {
				all = append(all, point.Settings[i])
			}
			if word := g.value(of, a); word != "" {
				words = append(words, word)
			}
		}
	}
	if k := g.nameKey(); k >= 0 && g.isNamed(of, axes) {
		words = []string{g.Keys[k].Labels[point.Values[k]]}
	}
	return all, strings.Join(words, ", ")
}

// nameKey returns the key of the points' names; -1 if they have none.
func (g *grid) nameKey() int {
	return slices.IndexFunc(g.Keys, func(k fold.Key) bool { return k.Name == fold.NameKey })
}

// isNamed reports whether the name of a group's point says the same as its values on some axes.
func (g *grid) isNamed(of *fold.Group, axes []int) bool {
	k := g.nameKey()
	if k < 0 {
		return false
	}
	listed := slices.ContainsFunc(axes, func(a int) bool { return a == k || a >= 0 && g.Keys[a].Tied })
	here := g.Points[of.Point].Values[k]
	keys := slices.DeleteFunc(slices.Clone(axes), func(a int) bool { return a < 0 || a == k })
	for i := range g.Groups {
		same := g.place(&g.Groups[i], keys) == g.place(of, keys)
		if listed && here >= 0 && len(keys) > 0 && same != (g.Points[g.Groups[i].Point].Values[k] == here) {
			return false
		}
	}
	return listed && here >= 0
}
