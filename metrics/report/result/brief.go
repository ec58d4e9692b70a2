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
	mine, other := reflect.ValueOf(r).Elem(), reflect.ValueOf(o).Elem()
	for i := range mine.NumField() {
		if f := mine.Field(i); reflect.DeepEqual(f.Interface(), other.Field(i).Interface()) {
			f.Set(other.Field(i))
		}
	}
	r.Final.Values = slices.Clone(r.Final.Values) // others may be reading them
	for i := range min(len(r.Final.Values), len(o.Final.Values)) {
		if name := o.Final.Values[i].Name; r.Final.Values[i].Name == name {
			r.Final.Values[i].Name = name
		}
	}
	r.Targets = slices.Clone(r.Targets)
	for i := range min(len(r.Targets), len(o.Targets)) {
		if t := o.Targets[i].Target; r.Targets[i].Equal(t) {
			r.Targets[i].Target = t
		}
	}
}
