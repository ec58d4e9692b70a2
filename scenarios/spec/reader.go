package spec

import (
	"slices"

	"tallynet/metrics/jsonio"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
)

// declaration returns the declaration of a key that is there.
func declaration(all []keys.Param, name string) *keys.Param {
	return &all[slices.IndexFunc(all, func(p keys.Param) bool { return p.Name == name })]
}

// A method may run at some grid points only: one for a server where the topology has one, one
// that forms matrices where they are small.

const placeName = "at"

// The grid of a study: its sweep and its list of points.

// maxPoints bounds the points of a grid.
const maxPoints = 10000

// pointsKey is the key of the list of points.
const pointsKey = "points"

// pointName is the key of a listed point's name, which changes nothing.
const pointName = "name"

func mapSchema() jsonio.Object { return jsonio.Of("type", "object", "minProperties", 1) }

// gridSchema is the schema of a map of keys to lists of values.
func gridSchema() jsonio.Object {
	return append(mapSchema(), jsonio.Of("additionalProperties",
		jsonio.Of("type", "array", "minItems", 1, "uniqueItems", true))...)
}

// form is how a scenario is read.
type form uint8

const (
	wholeFile    form = iota // as it is in the file: all of it is checked
	smallFile                // its small form
	changedFile              // with overrides: its small form, claims and settings may no longer fit
	resolvedFile             // with all defaults written out, as a result has it
)

// reader reads a scenario: the keys by their declarations, and then what must fit
// together.
type reader struct {
	*keys.Reader
	cat *catalog.Catalog
	as  form
}

// at returns a reader of a grid point, with the same declarations: ten thousand points
// share one copy of them.
func (r *reader) at(point string) *reader {
	return &reader{Reader: &keys.Reader{Src: r.Src, GridPoint: point, Keys: r.Keys}, cat: r.cat}
}
