package result

import (
	"reflect"
	"slices"

	"tallynet/metrics"
)

// A run of a large study has two parts: what tables of all runs need stays in memory, and its samples, iterates and
// ledgers stay where the run is stored.

// Brief returns the run without its samples, iterates and ledgers. Full calls load each time that it needs them, so
// that memory does not grow with them.
func (r *Run) Brief(load func() (*Run, error)) Run {
	b := *r
	b.X, b.Y, b.Trajectory, b.Samples, b.Links, b.Nodes, b.Phases = nil, nil, nil, nil, nil, nil, nil
	b.PlatformLinks, b.Crossings, b.Happenings = nil, nil, nil
	b.Load = load
	return b
}

// Full returns the run with all its parts: itself, or what Load returns. The caller must not change it.
func (r *Run) Full() (*Run, error) {
	if r.Load == nil {
		return r, nil
	}
	return r.Load()
}

// Share makes the run refer to the parts of another run that equal its own, so that memory holds them once:
// settings, notes, names and the prediction, which the seeds of a grid point have in common. The contents of both
// runs stay the same.
func (r *Run) Share(o *Run) {
	sameText := func(a, b string) bool { return a == b }
	share(&r.Algorithm, o.Algorithm, sameText)
	share(&r.Label, o.Label, sameText)
	share(&r.PointName, o.PointName, sameText)
	share(&r.Reason, o.Reason, sameText)
	share(&r.Point, o.Point, Settings.Equal)
	share(&r.Numbers, o.Numbers, func(a, b *Settings) bool { return a != nil && b != nil && a.Equal(*b) })
	share(&r.Parameters, o.Parameters, Settings.Equal)
	share(&r.Defaults, o.Defaults, slices.Equal[[]string])
	share(&r.Notes, o.Notes, slices.Equal[[]string])
	share(&r.Metrics, o.Metrics, slices.Equal[[]string])
	share(&r.NodeMetrics, o.NodeMetrics, slices.Equal[[]string])
	share(&r.Predicted, o.Predicted, func(a, b *metrics.Prediction) bool { return reflect.DeepEqual(a, b) })
	r.Final.Values = slices.Clone(r.Final.Values) // others may be reading them
	for i := range min(len(r.Final.Values), len(o.Final.Values)) {
		share(&r.Final.Values[i].Name, o.Final.Values[i].Name, sameText)
	}
	r.Targets = slices.Clone(r.Targets)
	for i := range min(len(r.Targets), len(o.Targets)) {
		share(&r.Targets[i].Target, o.Targets[i].Target, Target.Equal)
	}
}

// share sets mine to an equal value, so that memory holds it once.
func share[T any](mine *T, other T, equal func(a, b T) bool) {
	if equal(*mine, other) {
		*mine = other
	}
}
