package answer

import (
	"math"
	"slices"

	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
)

// effects compares each value of each key of the settings with the key's first value in a cost, for each choice and
// each setting of the other keys.
func (g *grid) effects(by string) []result.Effect {
	target := g.Main
	if !isCost(by) {
		target = fold.TheEnd
	}
	var all []result.Effect
	for _, key := range g.along {
		if key < 0 {
			continue
		}
		others := slices.DeleteFunc(slices.Clone(g.along), func(a int) bool { return a == key })
		first := map[string]*fold.Group{}
		for _, of := range g.ranked[by] {
			at := g.place(of, others) + g.place(of, g.choose)
			value := g.Points[of.Point].Values[key]
			if first[at] == nil || value < g.Points[first[at].Point].Values[key] {
				first[at] = of
			}
		}
		for _, of := range g.ranked[by] {
			base := first[g.place(of, others)+g.place(of, g.choose)]
			if base == of {
				continue
			}
			e := result.Effect{By: by, Key: g.Keys[key].Name, Of: g.choice(of), Factor: g.ratio(of, base, by, target),
				Value: g.Keys[key].Labels[g.Points[of.Point].Values[key]]}
			e.At, _ = g.setting(of, others)
			all = append(all, e)
		}
	}
	return all
}

// crossings returns where the best choice changes along a numeric key, between two of its values, and along the level.
func (g *grid) crossings(a *result.Answer) []result.Crossover {
	var all []result.Crossover
	for i := range a.Cells {
		x := &a.Cells[i]
		for j := range a.Cells {
			y := &a.Cells[j]
			if x.By != y.By || x.Best != 1 || y.Best != 1 || x.Choices[0].Name == y.Choices[0].Name {
				continue
			}
			if x.Level == y.Level && x.Level != nil && !x.Level.Equal(*g.q.To) {
				continue // along a key only at the level that was asked for
			}
			if c, ok := g.between(x, y); ok {
				c.By, c.Below, c.Above = x.By, x.Choices[0].Name, y.Choices[0].Name
				all = append(all, c)
			}
		}
	}
	return all
}

// between returns the crossover between two cells if they are neighbours along one numeric key or the level, the
// first having the smaller value.
func (g *grid) between(x, y *result.Cell) (result.Crossover, bool) {
	if x.Level != nil && x.At.Equal(y.At) {
		return g.narrowed(x, y)
	}
	key := slices.IndexFunc(g.Keys, func(k fold.Key) bool { return x.At.Without(k.Name).Equal(y.At.Without(k.Name)) })
	if key < 0 || g.Keys[key].Numbers == nil || x.Level != y.Level {
		return result.Crossover{}, false
	}
	k := &g.Keys[key]
	number := func(c *result.Cell) float64 {
		if text, _ := c.At.Get(k.Name); slices.Contains(k.Values, text) {
			return k.Numbers[slices.Index(k.Values, text)]
		}
		return math.NaN()
	}
	low, high := number(x), number(y)
	if !(low < high) || slices.ContainsFunc(k.Numbers, func(v float64) bool { return v > low && v < high }) {
		return result.Crossover{}, false
	}
	return result.Crossover{Along: k.Name, At: x.At.Without(k.Name).Text(" "), Value: low + (high-low)/2, Low: low,
		High: high, Of: len(g.Seeds), Method: "grid"}, true
}

// narrowed returns the level at which the best choice changes, between the levels of two cells: y is harder to reach.
func (g *grid) narrowed(x, y *result.Cell) (result.Crossover, bool) {
	at := func(c *result.Cell) int {
		return slices.IndexFunc(g.Levels, func(l int) bool { return g.Targets[l].Equal(*c.Level) })
	}
	if at(y) != at(x)+1 || x.Level.Conditions[0].Value <= 0 || y.Level.Conditions[0].Value <= 0 {
		return result.Crossover{}, false
	}
	easy, hard := x.Level.Conditions[0].Value, y.Level.Conditions[0].Value
	for range 10 {
		if g.Finer == nil || math.Abs(math.Log(easy/hard)) < 0.01 {
			break
		}
		middle := result.Target{Conditions: slices.Clone(x.Level.Conditions), Kept: x.Level.Kept}
		for i := range middle.Conditions { // a bound on the agreement may follow the level
			if c := &middle.Conditions[i]; i == 0 || c.Value == x.Level.Conditions[0].Value {
				c.Value = math.Sqrt(easy * hard)
			}
		}
		f, err := g.Finer(middle)
		if err != nil {
			break
		}
		finer := *g
		finer.Study = Study{Fold: f, Summary: f.Summary()}
		finer.Summary = finer.Study.Summary
		best := ""
		for _, c := range finer.cells(x.By) {
			if c.At.Equal(x.At) && c.Best > 0 {
				best = c.Choices[0].Name
			}
		}
		switch best {
		case x.Choices[0].Name:
			easy = middle.Conditions[0].Value
		case y.Choices[0].Name:
			hard = middle.Conditions[0].Value
		default: // a third choice is best in between
			return result.Crossover{}, false
		}
	}
	return result.Crossover{Along: result.TheLevel, At: x.At.Text(" "), Value: math.Sqrt(easy * hard),
		Low: min(easy, hard), High: max(easy, hard), Of: len(g.Seeds), Method: "curves"}, true
}

// chart chooses the first picture: a map of the settings, lines along one numeric key, curves if the answer depends on
// the level, and the costs of the choices otherwise.
func (g *grid) chart() result.Chart {
	axes := slices.DeleteFunc(slices.Clone(g.along), func(a int) bool { return a == level })
	c := result.Chart{Kind: "scatter", X: g.q.By[0], Color: result.TheMethod}
	if rest := slices.DeleteFunc(slices.Clone(g.choose), func(a int) bool { return a == method }); len(rest) > 0 {
		c.Shape = g.Keys[rest[0]].Name
	}
	switch {
	case slices.Contains(g.along, level):
		c.Kind, c.X, c.Y = "curves", g.q.By[0], g.q.To.Conditions[0].Metric
	case len(axes) == 1 && axes[0] >= 0 && len(g.Keys[axes[0]].Numbers) > 2 && g.effect:
		c.Kind, c.X, c.Y = "lines", g.Keys[axes[0]].Name, g.q.By[0]
	case len(axes) > 0:
		c.Kind, c.X = "map", g.words(axes)[0]
	case len(g.q.By) > 1:
		c.Y = g.q.By[1]
	}
	return c
}
