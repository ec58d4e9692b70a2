package views

import (
	"math"
	"slices"
	"strings"

	"tallynet/metrics/report/result"
)

// floorKey identifies the runs that share a floor: those of one seed and problem.
type floorKey struct {
	metric, problem string
	seed            uint64
}

// atFloors returns a function that resolves the conditions of a target that are multiples of a floor: the least value
// at which a run of the same seed and problem ends.
func atFloors(runs []result.Run, targets []result.Target) func(*result.Run, result.Target) result.Target {
	if !slices.ContainsFunc(targets, result.Target.Relative) {
		return nil
	}
	floors := map[floorKey]float64{}
	for i := range runs {
		r := &runs[i]
		for _, v := range r.Final.Values {
			key := floorKey{v.Name, problemOf(r), r.Seed}
			if floor, known := floors[key]; r.Status.Ended() && (!known || v.Value < floor) {
				floors[key] = v.Value
			}
		}
	}
	return func(r *result.Run, t result.Target) result.Target {
		own := result.Target{Conditions: slices.Clone(t.Conditions), Kept: t.Kept}
		for i := range own.Conditions {
			if c := &own.Conditions[i]; c.Floor {
				floor, known := floors[floorKey{c.Metric, problemOf(r), r.Seed}]
				if !known {
					floor = math.NaN() // nobody meets it
				}
				c.Value, c.Floor = c.Value*floor, false
			}
		}
		return own
	}
}

// problemOf returns the settings of a run that decide its problem, as text.
func problemOf(r *result.Run) string {
	var own result.Settings
	for _, s := range r.Point {
		if s.Key == "topology.nodes" || s.Key == "problem" || strings.HasPrefix(s.Key, "problem.") {
			own = append(own, s)
		}
	}
	return own.Text("=")
}
