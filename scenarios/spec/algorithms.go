package spec

import (
	"fmt"
	"slices"
	"strings"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
)

// atKey is the key of the grid points where a method runs. A study may contain methods that do not run everywhere,
// such as one for a server where only some of the topologies have one.
const atKey = "at"

// algorithmsKey declares the methods to compare.
func algorithmsKey(cat *catalog.Catalog) keys.Param {
	return keys.Param{Name: "algorithms", Kind: keys.VariantList, Custom: true, Required: true,
		Example: "[{name: dagm, outer: 100, inner: 10, neumann: 3, alpha: 0.02, beta: 0.02}]",
		About:   "the methods to compare",
		Variants: &keys.Variants{Key: "name", What: "algorithm", Entries: catalog.Entries(cat.Algorithms),
			First: []keys.Param{{Name: "label", Kind: keys.String, Example: "DGBO (b=5)",
				About: "the name in tables and plots", Derived: "from the name"}},
			Last: []keys.Param{tuneKey(cat), {Name: atKey, Kind: keys.Any, Custom: true, Schema: mapSchema(),
				Takes:   "a map of keys to values",
				Example: "{topology.kind: star}",
				About:   "the method runs only at the grid points of the study that have these values; by default at all"}}}}
}

// AlgorithmSpec is a method with its parameters.
type AlgorithmSpec struct {
	Name  string    // as written: a name or an alias of the catalog
	Label string    // unique in the scenario
	Args  keys.Args // if tuned, at the first point of the tuning grid
	Tune  *Tune     // nil: not tuned
	// At restricts the method to the grid points with these values. nil: it runs at all points.
	At []GridValue

	Index int // in the file
}

// pos returns the position of the algorithm's label or name in the file.
func (a *AlgorithmSpec) pos() keys.FilePosition {
	if a.Args.Given("label") {
		return a.Args.PosOf("label")
	}
	return a.Args.PosOf("name")
}

// runsAt reports whether the method runs at a grid point with these values.
func (a *AlgorithmSpec) runsAt(values []GridValue) bool {
	return !slices.ContainsFunc(a.At, func(want GridValue) bool {
		return !slices.ContainsFunc(values, func(v GridValue) bool {
			return v.Key == want.Key && fmt.Sprint(v.Value) == fmt.Sprint(want.Value)
		})
	})
}

// resolved returns the algorithm as a file gives it.
func (a *AlgorithmSpec) resolved(onlyGiven bool) jsonio.Object {
	except := []string{"name", "label", atKey}
	if a.Tune != nil {
		for _, x := range a.Tune.Grid {
			except = append(except, x.Key)
		}
	}
	o := append(jsonio.Of("name", a.Name, "label", a.Label),
		a.Args.Resolved(keys.Which{OnlyGiven: onlyGiven, Except: except})...)
	if a.Tune != nil {
		o.Add("tune", a.Tune.resolved())
	}
	if a.At != nil {
		o.Add(atKey, resolvedValues(a.At))
	}
	return o
}

// MethodSettings returns the parameters of a method.
func MethodSettings(args keys.Args) jsonio.Object {
	return args.Resolved(keys.Which{Except: []string{"name", "label", atKey}})
}

// Defaults returns the parameters of a method that are not in the file.
func (s *Scenario) Defaults(a *AlgorithmSpec, args keys.Args) []string {
	var names []string
	for _, m := range MethodSettings(args) {
		stops := m.Key == s.Catalog.Algorithm(a.Name).Iterations && s.Stop.Int("iterations") > 0
		if !args.Given(m.Key) && !stops {
			names = append(names, m.Key)
		}
	}
	return names
}

// iterate makes stop.iterations the iterations of each method that has none in the file.
func (s *Scenario) iterate() {
	if !s.Stop.Read() || s.Stop.Int("iterations") == 0 {
		return
	}
	for i := range s.Algorithms {
		a := &s.Algorithms[i]
		key := s.Catalog.Algorithm(a.Name).Iterations
		if key == "" || a.Args.Given(key) {
			continue
		}
		a.Args = a.Args.With(key, s.Stop.Int("iterations"))
		for k := 0; a.Tune != nil && k < len(a.Tune.Points); k++ {
			p := &a.Tune.Points[k]
			p.Args = p.Args.With(key, s.Stop.Int("iterations"))
		}
	}
}

// algorithms reads the list of algorithms.
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

// algorithm reads an item of the list. A tuned algorithm is read at the first point of its tuning grid, then at the
// others.
func (r *reader) algorithm(path string, n *keys.Value, keyPos keys.FilePosition) (AlgorithmSpec, bool) {
	if n.Shape == keys.Null {
		r.WrongKind(path, n, keyPos, "an algorithm", "write {name: ..., ...}")
		return AlgorithmSpec{}, false
	}
	var grid []gridAxis
	if t := n.Child("tune"); t != nil {
		n, grid = r.tuneGrid(path, n, t)
	}
	variants := keys.Named(r.Keys(), "algorithms").Variants
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
	if at := n.Child(atKey); ok && at != nil {
		if at.Value.Shape != keys.Map || len(at.Value.Fields) == 0 {
			r.WrongKind(path+"."+atKey, at.Value, at.KeyPos, "a map of keys to values", "write at: {topology.kind: star}")
			return a, true
		}
		a.At = plainValues(at.Value)
	}
	return a, true
}

// restrictedPoints returns the grid points of each label that does not run at all of them. It reports labels without a
// grid point and grid points without a method.
func (r *reader) restrictedPoints(s *Scenario, g grid) map[string][]result.Settings {
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
			path := fmt.Sprintf("algorithms[%d].%s", a.Index, atKey)
			r.Fail(s.at(path), path, "name keys of the sweep or of points, with values that they have there",
				"no grid point of the study has these values, so %s would never run", a.Label)
		}
	}
	if empty >= 0 {
		r.Fail(s.at("algorithms"), "algorithms", "", "no method runs at the grid point %s", g.name(g.index(empty)))
	}
	return all
}
