package scenarios

import (
	"slices"
	"tallynet/metrics/result"
	"tallynet/scenarios/measure"
)

// tuningWork estimates how many values the tuning grids make the reader read.
func tuningWork(tree *node) int {
	work := 0
	algorithms := tree.child("algorithms")
	if algorithms == nil {
		return 0
	}
	for _, a := range algorithms.value.items {
		points := 1
		if g := inside(a.child("tune"), "grid"); g != nil {
			for _, axis := range g.value.entries {
				points = min(points*max(1, len(axis.value.items)), maxPoints)
			}
		}
		work += points * (a.size + 20) // 20: the table of the method's parameters
	}
	return work
}

// tuneGrid reads the grid of an algorithm's tune and returns the algorithm with the
// first value of each axis in place, so that it can be checked like any other.
func (r *reader) tuneGrid(path string, n *node, t *entry) (*node, grid) {
	e := t.value.child("grid")
	if e == nil {
		return n, nil
	}
	at := path + ".tune.grid"
	g := r.readGrid(at, e, "grid: {alpha: [0.1, 1]}")
	for k := range g {
		a := &g[k]
		a.steps = []step{{key: a.key}}
		if slices.Contains([]string{"name", "label", "tune"}, a.key) {
			r.fail(a.keyPos, joinKey(at, a.key), "", "%s is no parameter that could be tuned", a.key)
			return n, nil
		}
		if given := n.child(a.key); given != nil {
			r.fail(given.keyPos, joinKey(path, a.key), "keep one of the two", "%s is given, and tuned at %v", a.key, a.keyPos)
			return n, nil
		}
	}
	return g.on(n, g.first()), g
}

// on returns n with the values of one point as keys, where the file's keys were.
func (g grid) on(n *node, index []int) *node {
	c := *n
	c.entries = slices.Clone(n.entries)
	for k, a := range g {
		v := a.values[index[k]]
		if i := slices.IndexFunc(c.entries, func(e entry) bool { return e.key == a.key }); i >= 0 {
			c.entries[i].value = v
		} else {
			c.entries = append(c.entries, entry{a.key, a.keyPos, v})
		}
	}
	return &c
}

// tune reads what is tuned for, and checks every point of the grid.
func (r *reader) tune(path string, n *node, t *entry, g grid, c choice) *Tune {
	at := path + ".tune"
	a := r.section(at, "tune", t.value, t.keyPos, tuneParams())
	tune := &Tune{Grid: g.axes(), By: a.String("by")}
	if to := t.value.child("to"); to != nil {
		tune.To = r.target(at+".to", to)
	} else if slices.Contains(costs(), tune.By) {
		r.fail(t.keyPos, at, "write to: {grad_norm2: 1e-4}", "to is missing: %s is a cost, and needs a target that it is spent on", tune.By)
	}
	for i := range g.size() {
		if len(r.errs) > 0 || len(g) == 0 {
			return tune
		}
		index := g.index(i)
		p := r.choose(&entry{"", n.pos, g.on(n, index)}, c)
		delete(p.args.values, "label") // it is the algorithm's
		tune.Points = append(tune.Points, TunePoint{g.settings(index), p.args})
	}
	return tune
}

// target reads the target of a tuning: one metric and its value, or several that
// must hold at once.
func (r *reader) target(path string, e *entry) []result.Condition {
	var params []Param
	for _, m := range measure.Metrics() {
		params = append(params, Param{Name: m.Name, Kind: Float, Example: "1e-4", About: m.About})
	}
	before := len(r.errs)
	a := r.section(path, "to", e.value, e.keyPos, params)
	if len(r.errs) > before {
		return nil
	}
	if len(e.value.entries) == 0 {
		r.fail(e.keyPos, path, "write to: {grad_norm2: 1e-4}", "a metric and its value are asked")
		return nil
	}
	var to []result.Condition
	for _, m := range e.value.entries {
		to = append(to, condition(m.key, a.Float(m.key)))
	}
	return to
}
