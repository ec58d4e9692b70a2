package study

import (
	"encoding/json"
	"slices"

	"tallynet/scenarios/keys"
	"tallynet/scenarios/spec"
)

// A swept key of one method makes points at which the other methods are the same. These run once: copies of a run are
// not replicates.

// own is what one algorithm takes from a grid point.
type own struct {
	values []spec.GridValue // those that the algorithm depends on
	first  int              // the first point with these values, where it runs
}

// depends returns, by point and algorithm, the values that each run depends on. An algorithm for which no two points
// are equal keeps all values of its points, since methods are compared at equal points.
func depends(points []spec.GridPoint) [][]own {
	all := make([][]own, len(points))
	seen, repeats := map[string]int{}, map[string]bool{}
	for i, p := range points {
		for a, alg := range p.Scenario.Algorithms {
			values := without(p, a)
			text, err := json.Marshal(spec.SettingsOf(values))
			if err != nil {
				panic("study: " + err.Error()) // SettingsOf makes only values that JSON can hold
			}
			id := alg.Label + "\x00" + string(text)
			first, known := seen[id]
			if !known {
				first, seen[id] = i, i
			}
			repeats[alg.Label] = repeats[alg.Label] || known
			all[i] = append(all[i], own{values, first})
		}
	}
	for i, p := range points {
		for a, alg := range p.Scenario.Algorithms {
			if !repeats[alg.Label] {
				all[i][a].values = p.Values
			}
		}
	}
	return all
}

// with returns the point with the values that a method depends on. If these are not all, its run stands for several
// points and has the name of none.
func with(p spec.GridPoint, values []spec.GridValue) spec.GridPoint {
	if len(values) < len(p.Values) {
		p.Name = ""
	}
	p.Values = values
	return p
}

// without returns the values of the point except those of algorithms other than the a-th.
func without(p spec.GridPoint, a int) []spec.GridValue {
	return slices.DeleteFunc(slices.Clone(p.Values), func(v spec.GridValue) bool {
		of := algorithmOf(p.Scenario, v.Key)
		return of >= 0 && of != a
	})
}

// algorithmOf returns the index of the algorithm that a key belongs to, or -1. The target of a tuning belongs to the
// whole scenario, since every run reports when it reached it.
func algorithmOf(s *spec.Scenario, key string) int {
	steps, err := keys.ParsePath(key)
	if err != nil || len(steps) < 3 || steps[0].Key != "algorithms" {
		return -1
	}
	if steps[2].Key == "tune" && (len(steps) == 3 || steps[3].Key == "to") {
		return -1
	}
	return s.AlgorithmOf(steps[1])
}
