package result

import (
	"reflect"
	"slices"
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
	for _, text := range [][2]*string{{&r.Algorithm, &o.Algorithm}, {&r.Label, &o.Label}, {&r.PointName, &o.PointName},
		{&r.Reason, &o.Reason}} {
		if *text[0] == *text[1] {
			*text[0] = *text[1]
		}
	}
	if r.Point.Equal(o.Point) {
		r.Point = o.Point
	}
	if r.Parameters.Equal(o.Parameters) {
		r.Parameters = o.Parameters
	}
	if slices.Equal(r.Defaults, o.Defaults) {
		r.Defaults = o.Defaults
	}
	if slices.Equal(r.Notes, o.Notes) {
		r.Notes = o.Notes
	}
	if slices.Equal(r.Metrics, o.Metrics) {
		r.Metrics = o.Metrics
	}
	if slices.Equal(r.NodeMetrics, o.NodeMetrics) {
		r.NodeMetrics = o.NodeMetrics
	}
	if reflect.DeepEqual(r.Predicted, o.Predicted) {
		r.Predicted = o.Predicted
	}
	r.Final.Values = slices.Clone(r.Final.Values) // others may be reading them
	for i := range r.Final.Values {
		if i < len(o.Final.Values) && r.Final.Values[i].Name == o.Final.Values[i].Name {
			r.Final.Values[i].Name = o.Final.Values[i].Name
		}
	}
	r.Targets = slices.Clone(r.Targets)
	for i := range r.Targets {
		if i < len(o.Targets) && r.Targets[i].Target.Equal(o.Targets[i].Target) {
			r.Targets[i].Target = o.Targets[i].Target
		}
	}
}
