package spec

import (
	"fmt"
	"strings"

	"tallynet/metrics/jsonio"
	"tallynet/scenarios/keys"
)

const (
	maxPoints = 10000    // of a grid
	pointsKey = "points" // the list of points
)

func mapSchema() jsonio.Object { return jsonio.Of("type", "object", "minProperties", 1) }

// gridSchema returns the schema of a map of keys to lists of values.
func gridSchema() jsonio.Object {
	return append(mapSchema(), jsonio.Of("additionalProperties",
		jsonio.Of("type", "array", "minItems", 1, "uniqueItems", true))...)
}

// ListedPoint is an item of the list of points.
type ListedPoint struct {
	Name   string // "" if the file gives none
	Values []GridValue
}

func (p *ListedPoint) resolved() jsonio.Object {
	var o jsonio.Object
	addNonZero(&o, "name", p.Name)
	return append(o, resolvedValues(p.Values)...)
}

// grid is the unchecked form of a study's or a tuning's grid: the axes, of which the first changes slowest. The list
// of points, if there is one, is the first axis. A point of the grid is an index into each axis.
type grid []gridAxis

// gridAxis is a key and its values as nodes of the tree. The list of points is an axis with the key pointsKey; each of
// its values maps several keys to values.
type gridAxis struct {
	key    string
	keyPos keys.FilePosition
	steps  []keys.PathStep
	values []*keys.Value // without their labels
	labels []string      // aligned with values, "" where the file gives none
}

// change is a key that an axis sets.
type change struct {
	key   string
	value *keys.Value
}

// changes returns what the axis sets at its i-th value.
func (a gridAxis) changes(i int) []change {
	if a.key != pointsKey {
		return []change{{a.key, a.values[i]}}
	}
	var all []change
	for _, e := range a.values[i].Fields {
		all = append(all, change{e.Key, e.Value})
	}
	return all
}

// path returns the path of what the axis sets, for errors.
func (a gridAxis) path(key string, i int) string {
	if a.key == pointsKey {
		return fmt.Sprintf("%s[%d].%s", pointsKey, i, key)
	}
	return "sweep." + key
}

// axes returns the axes of the sweep.
func (g grid) axes() []Axis {
	var as []Axis
	for _, a := range g {
		if a.key == pointsKey {
			continue
		}
		values := make([]any, len(a.values))
		for i, v := range a.values {
			values[i] = keys.Plain(v)
		}
		axis := Axis{Key: a.key, Values: values}
		if strings.Join(a.labels, "") != "" {
			axis.Labels = a.labels
		}
		as = append(as, axis)
	}
	return as
}

// list returns the listed points.
func (g grid) list() []ListedPoint {
	var points []ListedPoint
	for _, a := range g {
		for i := 0; a.key == pointsKey && i < len(a.values); i++ {
			points = append(points, ListedPoint{a.labels[i], grid{a}.settings([]int{i})})
		}
	}
	return points
}

func (g grid) size() int {
	n := 1
	for _, a := range g {
		n *= len(a.values)
	}
	return n
}

// index returns the i-th point.
func (g grid) index(i int) []int {
	idx := make([]int, len(g))
	for k := len(g) - 1; k >= 0; k-- {
		idx[k] = i % len(g[k].values)
		i /= len(g[k].values)
	}
	return idx
}

func (g grid) settings(index []int) []GridValue {
	var s []GridValue
	for k, a := range g {
		for _, c := range a.changes(index[k]) {
			s = append(s, GridValue{c.key, keys.Plain(c.value)})
		}
	}
	return s
}

// name formats a point, as in "topology.nodes = 10, network.latency = 1ms".
func (g grid) name(index []int) string {
	var parts []string
	for k, a := range g {
		for _, c := range a.changes(index[k]) {
			parts = append(parts, c.key+" = "+keys.Flow(c.value))
		}
	}
	return strings.Join(parts, ", ")
}

// point returns the tree at a point of the grid, without the sweep.
func (g grid) point(s *keys.Source, tree *keys.Value, index []int) (*keys.Value, error) {
	if len(g) == 0 {
		return tree, nil
	}
	tree = keys.Without(keys.Without(tree, "sweep"), pointsKey)
	for k, a := range g {
		for _, c := range a.changes(index[k]) {
			steps, err := keys.ParsePath(c.key)
			if err != nil {
				return nil, s.Fail(c.value.Pos, a.path(c.key, index[k]), "", "%v", err)
			}
			o := keys.Override{Path: c.key, Steps: steps, Value: c.value, Where: c.value.Pos}
			if tree, err = o.Apply(tree); err != nil {
				return nil, s.Fail(a.keyPos, a.path(c.key, index[k]), "", "%v", err)
			}
		}
	}
	return tree, nil
}

// checked returns the points to check when the file is loaded, without the first one. These are all points or, if that
// would take too long, the points that differ from the first in one axis.
func (g grid) checked(tree *keys.Value) [][]int {
	const maxWork = 3e6 // values read, about a second
	var points [][]int
	if float64(g.size())*float64(tree.Size+tuningWork(tree)) <= maxWork {
		for i := 1; i < g.size(); i++ {
			points = append(points, g.index(i))
		}
		return points
	}
	for k, a := range g {
		for j := 1; j < len(a.values); j++ {
			index := g.index(0)
			index[k] = j
			points = append(points, index)
		}
	}
	return points
}
