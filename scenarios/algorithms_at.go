package scenarios

import (
	"fmt"
	"slices"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/keys"
)

// A method may run at some grid points only: one for a server where the topology has one, one
// that forms matrices where they are small.

const placeName = "at"

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
				all[a.Label] = append(all[a.Label], pointOf(values))
			}
		}
		if !some && empty < 0 {
			empty = i
		}
	}
	for k := range s.Algorithms {
		if a := &s.Algorithms[k]; a.At != nil && all[a.Label] == nil {
			path := fmt.Sprintf("algorithms[%d].%s", a.index, placeName)
			r.Fail(s.at(path), path, "name keys of the sweep or of points, with values that they have there",
				"no grid point of the study has these values, so %s would never run", a.Label)
		}
	}
	if empty >= 0 {
		r.Fail(s.at("algorithms"), "algorithms", "", "no method runs at the grid point %s", g.name(g.index(empty)))
	}
	return all
}
