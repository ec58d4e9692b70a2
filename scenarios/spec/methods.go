package spec

import (
	"fmt"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/measure"
)

// The list algorithms: the methods to compare, and how they are tuned.

func algorithmsKey(cat *catalog.Catalog) keys.Param {
	return keys.Param{Name: "algorithms", Kind: keys.VariantList, Custom: true, Required: true,
		Example: "[{name: dagm, outer: 100, inner: 10, neumann: 3, alpha: 0.02, beta: 0.02}]",
		About:   "the methods to compare",
		Variants: &keys.Variants{Key: "name", What: "algorithm", Entries: cat.AlgorithmEntries(),
			First: []keys.Param{{Name: "label", Kind: keys.String, Example: "DGBO (b=5)",
				About: "the name in tables and plots", Derived: "from the name"}},
			Last: []keys.Param{tuneKey(cat), placeKey()}}}
}

func tuneKey(cat *catalog.Catalog) keys.Param {
	return keys.Param{Name: "tune", Kind: keys.Section, Custom: true,
		About: "a search for the best parameters", Params: []keys.Param{
			{Name: "grid", Kind: keys.Any, Custom: true, Required: true, Example: "{alpha: [0.1, 1]}",
				Schema: gridSchema(), Takes: "a map of keys to lists of values",
				About: "the parameters to try, each with its values"},
			{Name: "by", Kind: keys.Enum, Required: true, Example: "payload_bytes",
				Enum:  append(costs(), measure.Names(cat.Metrics)...),
				About: "the quantity that the best trial has least of (or most, for an accuracy)"},
			{Name: "to", Kind: keys.Section, Example: "{grad_norm2: 1e-4}", Params: metricKeys(cat.Metrics),
				About: "the target: a metric and its value, or several that hold at once; reached when they hold to " +
					"the end of the trial"},
		}}
}

// costs returns what a run can be tuned to need least of.
func costs() []string {
	var ids []string
	for _, c := range metrics.CostItems() {
		ids = append(ids, c.ID)
	}
	return ids
}

// algorithms reads the list.
func (r *reader) algorithms(f *keys.Field) []AlgorithmSpec {
	if f.Value.Shape != keys.List || len(f.Value.Items) == 0 {
		r.WrongKind("algorithms", f.Value, f.KeyPos, "a list of algorithms",
			"write one line \"- {name: ..., ...}\" for each; simulate list algorithms names them")
		return nil
	}
	var all []AlgorithmSpec
	for i, item := range f.Value.Items {
		path := fmt.Sprintf("algorithms[%d]", i)
		a, ok := r.algorithm(path, item, f.KeyPos)
		if !ok {
			continue
		}
		for _, b := range all {
			if strings.EqualFold(a.Label, b.Label) {
				r.Fail(a.pos(), path, "give this one a label of its own, as in label: "+a.Label+" (2)",
					"two algorithms have the label %s; the first is at %v", a.Label, b.pos())
			}
		}
		a.Index = i
		all = append(all, a)
	}
	return all
}

// methods are the declarations of the methods, which all points of a grid share.
func (r *reader) methods() *keys.Variants { return declaration(r.Keys(), "algorithms").Variants }

// pos returns where the algorithm is named in the file.
func (a *AlgorithmSpec) pos() keys.FilePosition {
	if a.Args.Given("label") {
		return a.Args.PosOf("label")
	}
	return a.Args.PosOf("name")
}

// algorithm reads an item of the list: with the first value of each axis of its tuning
// grid, and then at the other points of that grid.
func (r *reader) algorithm(path string, n *keys.Value, keyPos keys.FilePosition) (AlgorithmSpec, bool) {
	if n.Shape == keys.Null {
		r.WrongKind(path, n, keyPos, "an algorithm", "write {name: ..., ...}")
		return AlgorithmSpec{}, false
	}
	var grid []gridAxis
	if t := n.Child("tune"); t != nil {
		n, grid = r.tuneGrid(path, n, t)
	}
	variants := r.methods()
	before := len(r.Errs)
	args, ok := r.Variant(path, &keys.Field{KeyPos: n.Pos, Value: n}, variants)
	if !args.Read() {
		return AlgorithmSpec{}, false
	}
	a := AlgorithmSpec{Name: args.Kind(), Label: args.String("label"), Args: args}
	if a.Label == "" {
		a.Label = r.cat.Algorithm(a.Name).LabelOf(a.Name)
		a.Args = args.With("label", a.Label)
	}
	if t := n.Child("tune"); ok && t != nil && len(r.Errs) == before {
		a.Tune = r.tune(path, n, t, grid, a.Label, variants)
	}
	if at := n.Child(placeName); ok && at != nil {
		a.At = r.place(path+"."+placeName, at)
	}
	return a, true
}

// tuneGrid reads the grid of an algorithm's tune and returns the algorithm with the
// first value of each axis in place, so that it can be checked like any other.
func (r *reader) tuneGrid(path string, n *keys.Value, t *keys.Field) (*keys.Value, grid) {
	e := t.Value.Child("grid")
	if e == nil {
		return n, nil
	}
	at := path + ".tune.grid"
	g := r.readGrid(at, e, "grid: {alpha: [0.1, 1]}")
	for k := range g {
		a := &g[k]
		a.steps = []keys.PathStep{{Key: a.key}}
		if slices.Contains([]string{"name", "label", "tune", placeName}, a.key) {
			r.Fail(a.keyPos, keys.JoinKey(at, a.key), "", "%s cannot be tuned", a.key)
			return n, nil
		}
		if given := n.Child(a.key); given != nil {
			r.Fail(given.KeyPos, keys.JoinKey(path, a.key), "keep one of the two", "%s is given, and tuned at %v",
				a.key, a.keyPos)
			return n, nil
		}
	}
	return g.on(n, g.first()), g
}

// on returns n with the values of one point as keys, where the file's keys were.
func (g grid) on(n *keys.Value, index []int) *keys.Value {
	c := *n
	c.Fields = slices.Clone(n.Fields)
	for k, a := range g {
		v := a.values[index[k]]
		if i := slices.IndexFunc(c.Fields, func(e keys.Field) bool { return e.Key == a.key }); i >= 0 {
			c.Fields[i].Value = v
		} else {
			c.Fields = append(c.Fields, keys.Field{Key: a.key, KeyPos: a.keyPos, Value: v})
		}
	}
	return &c
}

// tune reads what is tuned for, and checks every point of the grid.
func (r *reader) tune(path string, n *keys.Value, t *keys.Field, g grid, label string, variants *keys.Variants) *Tune {
	a := r.Section(path+".tune", "tune", t.Value, t.KeyPos, declaration(variants.Last, "tune").Params)
	tune := &Tune{Grid: g.axes(), By: a.String("by")}
	tune.MoreBy = slices.Contains(measure.MoreIsBetter(r.cat.Metrics), tune.By)
	switch {
	case a.Has("to"):
		// In the order of the file, as the rule of the result says it.
		for _, m := range a.Field("to").Value.Fields {
			tune.To = append(tune.To, conditionOn(r.cat.Metrics, m.Key, a.Section("to").Float(m.Key)))
		}
		if tune.To == nil {
			r.Fail(a.Field("to").KeyPos, a.Path("to"), "write to: {grad_norm2: 1e-4}",
				"want a metric and its value, got an empty section")
		}
	case !a.Given("to") && slices.Contains(costs(), tune.By):
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

// resolved returns the algorithm as a file has it.
func (a AlgorithmSpec) resolved(onlyGiven bool) jsonio.Object {
	except := []string{"name", "label", placeName}
	if a.Tune != nil {
		for _, x := range a.Tune.Grid {
			except = append(except, x.Key)
		}
	}
	o := append(jsonio.Of("name", a.Name, "label", a.Label),
		a.Args.Resolved(keys.Which{OnlyGiven: onlyGiven, Except: except})...)
	if t := a.Tune; t != nil {
		tune := jsonio.Of("grid", resolvedAxes(t.Grid), "by", t.By)
		if t.To != nil {
			var to jsonio.Object
			for _, m := range t.To {
				to.Add(m.Metric, m.Value)
			}
			tune.Add("to", to)
		}
		o.Add("tune", tune)
	}
	if a.At != nil {
		o.Add(placeName, resolvedSettings(a.At))
	}
	return o
}

// MethodSettings returns the parameters of the method, by name.
func MethodSettings(args keys.Args) jsonio.Object {
	return args.Resolved(keys.Which{Except: []string{"name", "label", placeName}})
}

func placeKey() keys.Param {
	return keys.Param{Name: placeName, Kind: keys.Any, Custom: true, Schema: mapSchema(),
		Takes:   "a map of keys to values",
		Example: "{topology.kind: star}",
		About:   "the method runs only at the grid points of the study that have these values; by default at all"}
}

// place reads the values of the grid points where a method runs.
func (r *reader) place(path string, f *keys.Field) []GridValue {
	if f.Value.Shape != keys.Map || len(f.Value.Fields) == 0 {
		r.WrongKind(path, f.Value, f.KeyPos, "a map of keys to values", "write at: {topology.kind: star}")
		return nil
	}
	var all []GridValue
	for _, v := range f.Value.Fields {
		all = append(all, GridValue{v.Key, keys.Plain(v.Value)})
	}
	return all
}

// runsAt reports whether the method runs at a grid point with these values.
func (a *AlgorithmSpec) runsAt(values []GridValue) bool {
	for _, want := range a.At {
		if !slices.ContainsFunc(values, func(v GridValue) bool {
			return v.Key == want.Key && fmt.Sprint(v.Value) == fmt.Sprint(want.Value)
		}) {
			return false
		}
	}
	return true
}

// placed leaves the scenario of a grid point with the methods that run there.
func (s *Scenario) placed(values []GridValue) {
	s.Algorithms = slices.DeleteFunc(s.Algorithms, func(a AlgorithmSpec) bool { return !a.runsAt(values) })
}

// places returns, for each label that does not run everywhere, the grid points where it runs,
// and fails where that is none, or where a grid point has no method.
func (r *reader) places(s *Scenario, g grid) map[string][]result.Settings {
	all := map[string][]result.Settings{}
	empty := -1
	for i := range g.size() {
		values, some := g.settings(g.index(i)), false
		for k := range s.Algorithms {
			a := &s.Algorithms[k]
			if !a.runsAt(values) {
				continue
			}
			if some = true; a.At != nil {
				all[a.Label] = append(all[a.Label], SettingsOf(values))
			}
		}
		if !some && empty < 0 {
			empty = i
		}
	}
	for k := range s.Algorithms {
		if a := &s.Algorithms[k]; a.At != nil && all[a.Label] == nil {
			path := fmt.Sprintf("algorithms[%d].%s", a.Index, placeName)
			r.Fail(s.at(path), path, "name keys of the sweep or of points, with values that they have there",
				"no grid point of the study has these values, so %s would never run", a.Label)
		}
	}
	if empty >= 0 {
		r.Fail(s.at("algorithms"), "algorithms", "", "no method runs at the grid point %s", g.name(g.index(empty)))
	}
	return all
}
