package spec

import (
	"fmt"
	"slices"
	"strings"

	"tallynet/scenarios/keys"
)

// tuningWork estimates how many values the tuning grids make the reader read.
func tuningWork(tree *keys.Value) int {
	work := 0
	algorithms := tree.Child("algorithms")
	if algorithms == nil {
		return 0
	}
	for _, a := range algorithms.Value.Items {
		points := 1
		if t := a.Child("tune"); t != nil {
			if g := t.Value.Child("grid"); g != nil {
				for _, axis := range g.Value.Fields {
					points = min(points*max(1, len(axis.Value.Items)), maxPoints)
				}
			}
		}
		work += points * (a.Size + 20) // 20: the table of the method's parameters
	}
	return work
}

// gridAxis is a key and its values, still as nodes. The axis of a list of points has
// no key of its own: its values are maps of keys to values.
type gridAxis struct {
	key    string
	keyPos keys.FilePosition
	steps  []keys.PathStep
	values []*keys.Value
}

// change is what an axis does to the tree at one of its values.
type change struct {
	key   string
	value *keys.Value
}

// changes returns what the axis changes at its i-th value.
func (a gridAxis) changes(i int) []change {
	if a.key != pointsKey {
		return []change{{a.key, a.values[i]}}
	}
	var all []change
	for _, e := range a.values[i].Fields {
		if e.Key != pointName {
			all = append(all, change{e.Key, e.Value})
		}
	}
	return all
}

// named returns the name that the file gives to the axis' i-th value; "" if it gives none.
func (a gridAxis) named(i int) string {
	if a.key != pointsKey {
		return ""
	}
	if e := a.values[i].Child(pointName); e != nil {
		name, _ := keys.Plain(e.Value).(string)
		return name
	}
	return ""
}

type grid []gridAxis

// readGrid reads a map of keys to lists of values.
func (r *reader) readGrid(path string, e *keys.Field, example string) grid {
	if e.Value.Shape != keys.Map || len(e.Value.Fields) == 0 {
		r.WrongKind(path, e.Value, e.KeyPos, "a map of keys to lists of values", "write "+example)
		return nil
	}
	var g grid
	points := 1
	for i := range e.Value.Fields {
		a := &e.Value.Fields[i]
		at := keys.JoinKey(path, a.Key)
		if a.Value.Shape != keys.List || len(a.Value.Items) == 0 {
			r.WrongKind(at, a.Value, a.KeyPos, "a list of values", "write "+a.Key+": [...]")
			continue
		}
		r.distinct(at, a.Value.Items)
		if points *= len(a.Value.Items); points > maxPoints {
			r.Fail(a.KeyPos, at, "", "the grid has more than %d points", maxPoints)
			return nil
		}
		g = append(g, gridAxis{key: a.Key, keyPos: a.KeyPos, values: a.Value.Items})
	}
	return g
}

func (r *reader) distinct(path string, values []*keys.Value) {
	seen := map[string]bool{}
	for i, v := range values {
		t := keys.Flow(v)
		if v.Shape == keys.Null {
			r.Fail(v.Pos, fmt.Sprintf("%s[%d]", path, i), "", "the value is empty")
		}
		if seen[t] {
			r.Fail(v.Pos, fmt.Sprintf("%s[%d]", path, i), "remove one of the two", "the value %s is given twice", t)
		}
		seen[t] = true
	}
}

// axes returns the axes of g as the Scenario shows them; list returns its list of points.
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
		as = append(as, Axis{a.key, values})
	}
	return as
}

func (g grid) list() [][]GridValue {
	var points [][]GridValue
	for _, a := range g {
		if a.key != pointsKey {
			continue
		}
		for i := range a.values {
			points = append(points, grid{a}.settings([]int{i}))
		}
	}
	return points
}

// names returns the names of the listed points, "" where one has none.
func (g grid) names() []string {
	var names []string
	for _, a := range g {
		for i := range a.values {
			if a.key == pointsKey {
				names = append(names, a.named(i))
			}
		}
	}
	return names
}

// named returns the name of the listed point at a combination; "" if it has none.
func (g grid) named(index []int) string {
	for k, a := range g {
		if name := a.named(index[k]); name != "" {
			return name
		}
	}
	return ""
}

func (g grid) size() int {
	n := 1
	for _, a := range g {
		n *= len(a.values)
	}
	return n
}

// index returns the i-th combination; the first axis changes slowest.
func (g grid) index(i int) []int {
	idx := make([]int, len(g))
	for k := len(g) - 1; k >= 0; k-- {
		idx[k] = i % len(g[k].values)
		i /= len(g[k].values)
	}
	return idx
}

func (g grid) first() []int { return make([]int, len(g)) }

func (g grid) settings(index []int) []GridValue {
	var s []GridValue
	for k, a := range g {
		for _, c := range a.changes(index[k]) {
			s = append(s, GridValue{c.key, keys.Plain(c.value)})
		}
	}
	return s
}

// name writes a point: "topology.nodes = 10, network.latency = 1ms".
func (g grid) name(index []int) string {
	var parts []string
	for k, a := range g {
		for _, c := range a.changes(index[k]) {
			parts = append(parts, c.key+" = "+keys.Flow(c.value))
		}
	}
	return strings.Join(parts, ", ")
}

// path names what an axis changes in errors.
func (a gridAxis) path(key string, i int) string {
	if a.key == pointsKey {
		return fmt.Sprintf("%s[%d].%s", pointsKey, i, key)
	}
	return "sweep." + key
}

// point returns the tree at one point of a sweep, without the sweep.
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
			changed, err := o.Apply(tree)
			if err != nil {
				return nil, s.Fail(a.keyPos, a.path(c.key, index[k]), "", "%v", err)
			}
			tree = changed
		}
	}
	return tree, nil
}

// checked returns the points of a sweep that are read when the file is loaded:
// all of them, unless that would take long; then each value of each axis once.
func (g grid) checked(tree *keys.Value) [][]int {
	const maxWork = 3e6 // values read: about a second
	var points [][]int
	if len(g) == 0 {
		return nil
	}
	if float64(g.size())*float64(tree.Size+tuningWork(tree)) <= maxWork {
		for i := 1; i < g.size(); i++ {
			points = append(points, g.index(i))
		}
		return points
	}
	for k, a := range g {
		for j := 1; j < len(a.values); j++ {
			idx := g.first()
			idx[k] = j
			points = append(points, idx)
		}
	}
	return points
}

// sweep reads the grid of a study: the list of points first, which changes slowest,
// then the axes of the sweep.
func (r *reader) sweep(tree *keys.Value) grid {
	var g grid
	if e := tree.Child(pointsKey); e != nil {
		g = r.points(e)
	}
	e := tree.Child("sweep")
	if e == nil {
		return g
	}
	axes := r.readGrid("sweep", e, "sweep: {topology.nodes: [10, 20]}")
	for k := range axes {
		a := &axes[k]
		a.steps = r.sweepable("sweep."+a.key, a.key, a.keyPos)
		for _, b := range axes[:k] {
			if a.steps != nil && slices.Equal(b.steps, a.steps) {
				r.Fail(a.keyPos, "sweep."+a.key, "", "swept twice, first at %v", b.keyPos)
			}
		}
		for _, p := range g {
			for i := range p.values {
				for _, c := range p.changes(i) {
					if steps, err := keys.ParsePath(c.key); err == nil && slices.Equal(steps, a.steps) {
						r.Fail(a.keyPos, "sweep."+a.key, "", "the point at %v sets it too", p.values[i].Pos)
						return g
					}
				}
			}
		}
	}
	g = append(g, axes...)
	if len(r.Errs) == 0 && g.size() > maxPoints {
		r.Fail(e.KeyPos, "sweep", "", "the points times the grid are more than %d", maxPoints)
		return nil
	}
	return g
}

// points reads the list of points.
func (r *reader) points(e *keys.Field) grid {
	example := "write points: [{topology.nodes: 10, network.latency: 1ms}, {topology.nodes: 20, network.latency: 2ms}]"
	if e.Value.Shape != keys.List || len(e.Value.Items) == 0 {
		r.WrongKind(pointsKey, e.Value, e.KeyPos, "a list of points", example)
		return nil
	}
	if n := len(e.Value.Items); n > maxPoints {
		r.Fail(e.KeyPos, pointsKey, "", "the list has more than %d points", maxPoints)
		return nil
	}
	r.distinctPoints(e.Value.Items)
	for i, p := range e.Value.Items {
		at := fmt.Sprintf("%s[%d]", pointsKey, i)
		if p.Shape != keys.Map || len(p.Fields) == 0 {
			r.WrongKind(at, p, e.KeyPos, "a map of keys to values", example)
			continue
		}
		for _, c := range p.Fields {
			if c.Key == pointName {
				r.pointName(at, c)
				continue
			}
			r.sweepable(at+"."+c.Key, c.Key, c.KeyPos)
			if c.Value.Shape == keys.Null {
				r.Fail(c.KeyPos, at+"."+c.Key, "", "the value is empty")
			}
		}
	}
	if len(r.Errs) > 0 {
		return nil
	}
	return grid{{key: pointsKey, keyPos: e.KeyPos, values: e.Value.Items}}
}

// distinctPoints checks that no two points set the same, or have the same name.
func (r *reader) distinctPoints(points []*keys.Value) {
	var bare []*keys.Value
	names := map[string]bool{}
	for i, p := range points {
		b := p
		if c := p.Child(pointName); p.Shape == keys.Map && c != nil {
			b = keys.Without(p, pointName)
			if name, ok := keys.Plain(c.Value).(string); ok && names[name] {
				r.Fail(c.KeyPos, fmt.Sprintf("%s[%d].%s", pointsKey, i, pointName), "give each point a name of its own",
					"two points are named %q", name)
			} else if ok {
				names[name] = true
			}
		}
		bare = append(bare, b)
	}
	r.distinct(pointsKey, bare)
}

// pointName checks the name of a point.
func (r *reader) pointName(at string, c keys.Field) {
	if name, ok := keys.Plain(c.Value).(string); !ok || strings.TrimSpace(name) == "" {
		r.WrongKind(at+"."+pointName, c.Value, c.KeyPos, "a name in words", "write name: \"ring of 8\"")
	}
}

// sweepable reads the path of a key that a study may change.
func (r *reader) sweepable(at, key string, pos keys.FilePosition) []keys.PathStep {
	steps, err := keys.ParsePath(key)
	if err != nil {
		r.Fail(pos, at, "", "%v", err)
		return nil
	}
	switch top := steps[0].Key; {
	case top == "seed" || top == "seeds":
		r.Fail(pos, at, "write seeds: 10 or seeds: [1, 2, 3] beside the sweep", "replicates are not an axis of a sweep")
	case slices.Contains([]string{"version", "name", "about", "sweep", pointsKey, "record", "claims", "tables",
		"figures", "settings", "small"}, top):
		r.Fail(pos, at, "", "%s cannot be swept", top)
	}
	return steps
}
