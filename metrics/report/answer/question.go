package answer

import (
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/escape"
	"tallynet/metrics/list"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
)

// Study is what an answer is made from.
type Study struct {
	Fold    *fold.Fold
	Summary *fold.Summary // of Fold
	// Question is what the scenario asks. If it is nil, the question follows from what varies; what it lacks does, too.
	Question *result.Question
	// Levels are the indices of Summary.Targets among which the answer is looked for, from the easiest; Main is the
	// index of the one that is asked for, or fold.TheEnd.
	Levels []int
	Main   int
	// Finer returns a fold with one target, which crossovers along the level are narrowed by. It may be nil.
	Finer func(result.Target) (*fold.Fold, error)
	// Unranked is why costs are not compared, such as that runs end at different accuracies; "" if they are.
	Unranked string
	// OnlyEffects leaves out which choice is best.
	OnlyEffects bool
	// Crossovers were found along keys that need not be swept.
	Crossovers []result.Crossover
}

// An axis is a key, as an index into Summary.Keys, or one of these.
const (
	method = -1 - iota
	level
)

// grid is a study with the roles of its axes.
type grid struct {
	Study
	*fold.Summary
	names  []string // of the methods, for people
	q      result.Question
	choose []int // axes of what is decided, or what an effect acts on
	along  []int // axes of the settings
	effect bool
	ranked map[string][]*fold.Group // of an effect, by cost: the best group of each choice in each setting
}

// newGrid resolves the question of a study.
func newGrid(s Study) *grid {
	g := &grid{Study: s, Summary: s.Summary, names: escape.Names(s.Summary.Labels), ranked: map[string][]*fold.Group{}}
	if s.Question != nil {
		g.q = *s.Question
	}
	decided, given := g.defaults()
	if len(decided)+len(given) == 0 {
		decided = []int{method}
	}
	switch {
	case len(g.q.Effect) > 0 && len(g.q.Of) == 0:
		g.choose, g.along = g.axes(g.q.Effect), g.axes(g.q.Along)
	case len(g.q.Effect) > 0:
		g.effect, g.choose, g.along = true, g.axes(g.q.Of), g.axes(append(slices.Clone(g.q.Effect), g.q.Along...))
	case len(g.q.Choose) > 0:
		g.choose, g.along = g.axes(g.q.Choose), g.axes(g.q.Along)
	case len(decided) == 0 && len(given) > 0:
		g.effect, g.choose, g.along = true, []int{method}, given
		g.q.Effect, g.q.Of = g.words(given), []string{result.TheMethod}
	default:
		g.choose = decided
		g.q.Choose = g.words(decided)
		if g.along = g.axes(g.q.Along); len(g.q.Along) == 0 {
			g.along, g.q.Along = given, g.words(given)
		}
	}
	if len(g.q.By) == 0 {
		g.q.By = g.defaultBy()
	}
	if len(s.Levels) > 1 {
		g.along = append(g.along, level)
		g.q.Along = list.Add(g.q.Along, result.TheLevel)
	}
	if s.Main >= 0 {
		g.q.To = &s.Summary.Targets[s.Main].Target
	}
	g.rest()
	return g
}

// defaults splits the axes of the grid into what one can decide and what is given: networks, machines, faults, sizes
// and problems.
func (g *grid) defaults() (decided, given []int) {
	if len(g.Labels) > 1 {
		decided = append(decided, method)
	}
	for _, k := range g.Axes() {
		of := []int{k}
		if g.Keys[k].Name == fold.NameKey {
			of = of[:0]
			for i, key := range g.Keys {
				if key.Tied {
					of = append(of, i)
				}
			}
		}
		if len(of) > 0 && !slices.ContainsFunc(of, func(k int) bool { return !Given(g.Keys[k].Name) }) {
			given = append(given, k)
		} else {
			decided = append(decided, k)
		}
	}
	return decided, given
}

// Given reports whether a key describes circumstances, and not a decision.
func Given(key string) bool {
	section, _, _ := strings.Cut(key, ".")
	return key == "topology.nodes" || slices.Contains([]string{"network", "compute", "platform", "faults", "tariffs",
		"problem", "stop"}, section)
}

// defaultBy returns time and bytes; bytes first if nothing varies that decides how long messages take.
func (g *grid) defaultBy() []string {
	timed := slices.ContainsFunc(g.Keys, func(k fold.Key) bool {
		section, _, _ := strings.Cut(k.Name, ".")
		return slices.Contains([]string{"network", "compute", "platform", "place", "faults", "silence"}, section)
	})
	var by []string
	axis := 0
	for _, c := range metrics.AxisCosts() {
		paid := func(o fold.Group) bool {
			return g.Fold.Measure(o.Point, o.Label, fold.TheEnd, measured(c.ID)).Max > 0
		}
		if !c.PerMethod && c.Axis != axis && slices.ContainsFunc(g.Groups, paid) { // the first that is paid at each axis
			by, axis = append(by, c.ID), c.Axis
		}
	}
	if len(by) == 0 {
		return []string{"time_s"}
	}
	if i := slices.Index(by, "time_s"); timed && i > 0 {
		by = slices.Insert(slices.Delete(by, i, i+1), 0, "time_s")
	}
	return by
}

// axes returns the axes that names stand for: the method, a key, or the keys of a section.
func (g *grid) axes(names []string) []int {
	var all []int
	for _, name := range names {
		switch name {
		case result.TheMethod, result.TheParameters:
			all = append(all, method)
		case result.TheLevel:
		default:
			for k, key := range g.Keys {
				rest, within := strings.CutPrefix(key.Name, name)
				if within && (rest == "" || rest[0] == '.' || rest[0] == '[') {
					all = append(all, k)
				}
			}
		}
	}
	return all
}

// words returns the names of axes.
func (g *grid) words(axes []int) []string {
	var names []string
	for _, a := range axes {
		if a == method {
			names = append(names, result.TheMethod)
		} else {
			names = append(names, g.Keys[a].Name)
		}
	}
	return names
}

// rest gives the axes a role that the question does not name, as long as two groups have one place: the settings
// depend on them. Of an effect they are left open: the best of them stands.
func (g *grid) rest() {
	if g.effect {
		return
	}
	for _, a := range append(g.Axes(), method) {
		if slices.Contains(g.choose, a) || slices.Contains(g.along, a) {
			continue
		}
		seen, twice := map[string]bool{}, false
		for i := range g.Groups {
			at := g.place(&g.Groups[i], append(slices.Clone(g.choose), g.along...))
			twice = twice || seen[at]
			seen[at] = true
		}
		if twice {
			g.along = append(g.along, a)
		}
	}
}

// measured returns what a cost or a metric is measured by.
func measured(by string) fold.Quantity {
	switch {
	case by == "gradients":
		return fold.Quantity{Costs: []string{"oracle.grad_f", "oracle.grad_g"}}
	case metrics.FindCost(by) != nil:
		return fold.Quantity{Costs: []string{by}}
	}
	return fold.Quantity{Metric: by}
}

// isCost reports whether something is a cost, and not a metric at the end.
func isCost(by string) bool { return measured(by).Metric == "" }
