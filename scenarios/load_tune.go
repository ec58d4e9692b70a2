package scenarios

import (
	"slices"
	"tallynet/metrics/result"
)

// tuningWork estimates how many values the tuning grids make the reader read.
func tuningWork(tree *Value) int {
	work := 0
	algorithms := tree.Child("algorithms")
	if algorithms == nil {
		return 0
	}
	for _, a := range algorithms.Value.Items {
		points := 1
		if g := Inside_(a.Child("tune"), "grid"); g != nil {
			for _, axis := range g.Value.Fields {
				points = min(points*max(1, len(axis.Value.Items)), maxPoints)
			}
		}
		work += points * (a.Size + 20) // 20: the table of the method's parameters
	}
	return work
}

// tuneGrid reads the grid of an algorithm's tune and returns the algorithm with the
// first value of each axis in place, so that it can be checked like any other.
func (r *reader) tuneGrid(path string, n *Value, t *Field) (*Value, grid) {
	e := t.Value.Child("grid")
	if e == nil {
		return n, nil
	}
	at := path + ".tune.grid"
	g := r.readGrid(at, e, "grid: {alpha: [0.1, 1]}")
	for k := range g {
		a := &g[k]
		a.steps = []Step{{Key: a.key}}
		if slices.Contains([]string{"name", "label", "tune"}, a.key) {
			r.Fail(a.keyPos, JoinKey(at, a.key), "", "%s is no parameter that could be tuned", a.key)
			return n, nil
		}
		if given := n.Child(a.key); given != nil {
			r.Fail(given.KeyPos, JoinKey(path, a.key), "keep one of the two", "%s is given, and tuned at %v", a.key, a.keyPos)
			return n, nil
		}
	}
	return g.on(n, g.first()), g
}

// on returns n with the values of one point as keys, where the file's keys were.
func (g grid) on(n *Value, index []int) *Value {
	c := *n
	c.Fields = slices.Clone(n.Fields)
	for k, a := range g {
		v := a.values[index[k]]
		if i := slices.IndexFunc(c.Fields, func(e Field) bool { return e.Key == a.key }); i >= 0 {
			c.Fields[i].Value = v
		} else {
			c.Fields = append(c.Fields, Field{a.key, a.keyPos, v})
		}
	}
	return &c
}

// tune reads what is tuned for, and checks every point of the grid.
func (r *reader) tune(path string, n *Value, t *Field, g grid, c Choice) *Tune {
	at := path + ".tune"
	a := r.Section(at, "tune", t.Value, t.KeyPos, tuneParams())
	tune := &Tune{Grid: g.axes(), By: a.String("by")}
	if to := t.Value.Child("to"); to != nil {
		tune.To = r.target(at+".to", to)
	} else if slices.Contains(costs(), tune.By) {
		r.Fail(t.KeyPos, at, "write to: {grad_norm2: 1e-4}", "to is missing: %s is a cost, and needs a target that it is spent on", tune.By)
	}
	for i := range g.size() {
		if len(r.Errs) > 0 || len(g) == 0 {
			return tune
		}
		index := g.index(i)
		p := r.Choose(&Field{"", n.Pos, g.on(n, index)}, c)
		delete(p.Args.Values, "label") // it is the algorithm's
		tune.Points = append(tune.Points, TunePoint{g.settings(index), p.Args})
	}
	return tune
}

// target reads the target of a tuning: one metric and its value, or several that
// must hold at once.
func (r *reader) target(path string, e *Field) []result.Condition {
	var params []Param
	for _, m := range Metrics() {
		params = append(params, Param{Name: m.Name, Kind: Float, Example: "1e-4", About: m.About})
	}
	before := len(r.Errs)
	a := r.Section(path, "to", e.Value, e.KeyPos, params)
	if len(r.Errs) > before {
		return nil
	}
	if len(e.Value.Fields) == 0 {
		r.Fail(e.KeyPos, path, "write to: {grad_norm2: 1e-4}", "a metric and its value are asked")
		return nil
	}
	var to []result.Condition
	for _, m := range e.Value.Fields {
		to = append(to, condition(m.Key, a.Float(m.Key)))
	}
	return to
}
