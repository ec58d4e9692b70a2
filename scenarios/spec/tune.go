package spec

import (
	"slices"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/claims"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/measure"
)

// tuneKey declares the tuning of an algorithm.
func tuneKey(cat *catalog.Catalog) keys.Param {
	return keys.Param{Name: "tune", Kind: keys.Section, Custom: true,
		About: "a search for the best parameters", Params: []keys.Param{
			{Name: "grid", Kind: keys.Any, Custom: true, Required: true, Example: "{alpha: [0.1, 1]}",
				Schema: gridSchema(), Takes: "a map of keys to lists of values",
				About: "the parameters to try, each with its values"},
			{Name: "by", Kind: keys.Enum, Required: true, Example: "payload_bytes",
				Enum:  append(claims.CostIDs(), measure.Names(cat.Metrics)...),
				About: "the quantity that the best trial has least of (or most, for an accuracy)"},
			{Name: "to", Kind: keys.Section, Example: "{grad_norm2: 1e-4}", Params: metricKeys(cat.Metrics),
				About: "the target: a metric and its value, or several that hold at once; reached when they hold to " +
					"the end of the trial"},
		}}
}

// Tune is a search for the parameters that reach a target at the least cost.
type Tune struct {
	Grid   []Axis             // the first axis changes slowest
	By     string             // the cost or metric to optimize
	To     []result.Condition // the target, reached when all hold; nil: By is a metric, taken at the end of the run
	Points []TunePoint        // the points of the grid in order
	MoreBy bool               // By is a metric to maximize
}

// TunePoint is a point of a tuning grid.
type TunePoint struct {
	Values []GridValue
	Args   keys.Args
}

func (t *Tune) resolved() jsonio.Object {
	o := jsonio.Of("grid", resolvedAxes(t.Grid), "by", t.By)
	if t.To != nil {
		var to jsonio.Object
		for _, m := range t.To {
			to.Add(m.Metric, m.Value)
		}
		o.Add("to", to)
	}
	return o
}

// tuneGrid reads the tuning grid of the algorithm n. It returns the algorithm at the first point of the grid, so that
// it can be checked like any other.
func (r *reader) tuneGrid(path string, n *keys.Value, t *keys.Field) (*keys.Value, grid) {
	e := t.Value.Child("grid")
	if e == nil {
		return n, nil
	}
	at := path + ".tune.grid"
	g := r.readGrid(at, e, "grid: {alpha: [0.1, 1]}")
	for _, a := range g {
		if slices.Contains([]string{"name", "label", "tune", atKey}, a.key) {
			r.Fail(a.keyPos, keys.JoinKey(at, a.key), "", "%s cannot be tuned", a.key)
			return n, nil
		}
		if given := n.Child(a.key); given != nil {
			r.Fail(given.KeyPos, keys.JoinKey(path, a.key), "keep one of the two", "%s is given, and tuned at %v",
				a.key, a.keyPos)
			return n, nil
		}
	}
	return g.on(n, g.index(0)), g
}

// on returns the algorithm n with the values of a point of its tuning grid.
func (g grid) on(n *keys.Value, index []int) *keys.Value {
	for k, a := range g {
		n = n.With(keys.Field{Key: a.key, KeyPos: a.keyPos, Value: a.values[index[k]]})
	}
	return n
}

// tune reads the section tune and checks every point of its grid.
func (r *reader) tune(path string, n *keys.Value, t *keys.Field, g grid, label string, variants *keys.Variants) *Tune {
	a := r.Section(path+".tune", "tune", t.Value, t.KeyPos, keys.Named(variants.Last, "tune").Params)
	tune := &Tune{Grid: g.axes(), By: a.String("by")}
	tune.MoreBy = slices.Contains(measure.MoreIsBetter(r.cat.Metrics), tune.By)
	switch {
	case a.Has("to"):
		// The order of the file is that of the tuning rule in results.
		for _, m := range a.Field("to").Value.Fields {
			tune.To = append(tune.To, conditionOn(r.cat.Metrics, m.Key, a.Section("to").Float(m.Key)))
		}
		if tune.To == nil {
			r.Fail(a.Field("to").KeyPos, a.Path("to"), "write to: {grad_norm2: 1e-4}",
				"want a metric and its value, got an empty section")
		}
	case !a.Given("to") && slices.Contains(claims.CostIDs(), tune.By):
		r.Fail(t.KeyPos, a.Path(""), "write to: {grad_norm2: 1e-4}",
			"to is missing: %s is a cost, and needs the target whose cost is minimized", tune.By)
	}
	for i := range g.size() {
		if len(r.Errs) > 0 || len(g) == 0 {
			return tune
		}
		index := g.index(i)
		args, ok := r.Variant(path, &keys.Field{KeyPos: n.Pos, Value: g.on(n, index)}, variants)
		if !ok {
			return tune
		}
		tune.Points = append(tune.Points, TunePoint{g.settings(index), args.With("label", label)})
	}
	return tune
}

// tuningWork estimates the number of values to read for the points of all tuning grids.
func tuningWork(tree *keys.Value) int {
	work := 0
	algorithms := tree.Child("algorithms")
	if algorithms == nil {
		return 0
	}
	for _, a := range algorithms.Value.Items {
		points := 1
		if t := a.Child("tune"); t != nil {
			if g := t.Value.Child("grid"); g != nil {
				for _, axis := range g.Value.Fields {
					points = min(points*max(1, len(axis.Value.Items)), maxPoints)
				}
			}
		}
		work += points * (a.Size + 20) // 20: the table of the method's parameters
	}
	return work
}
