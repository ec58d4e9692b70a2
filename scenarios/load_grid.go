package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The grid of a study: its sweep and its list of points.

// maxPoints bounds the points of a grid.
const maxPoints = 10000

// pointsKey is the key of the list of points.
const pointsKey = "points"

// gridAxis is a key and its values, still as nodes. The axis of a list of points has
// no key of its own: its values are maps of keys to values.
type gridAxis struct {
	key    string
	keyPos Position
	steps  []step
	values []*node
}

// change is what an axis does to the tree at one of its values.
type change struct {
	key   string
	value *node
}

// changes returns what the axis changes at its i-th value.
func (a gridAxis) changes(i int) []change {
	if a.key != pointsKey {
		return []change{{a.key, a.values[i]}}
	}
	var all []change
	for _, e := range a.values[i].entries {
		all = append(all, change{e.key, e.value})
	}
	return all
}

type grid []gridAxis

// readGrid reads a map of keys to lists of values.
func (r *reader) readGrid(path string, e *entry, example string) grid {
	if e.value.kind != mapNode || len(e.value.entries) == 0 {
		r.wrongKind(path, e.value, e.keyPos, "a map of keys to lists of values", "write "+example)
		return nil
	}
	var g grid
	points := 1
	for i := range e.value.entries {
		a := &e.value.entries[i]
		at := joinKey(path, a.key)
		if a.value.kind != listNode || len(a.value.items) == 0 {
			r.wrongKind(at, a.value, a.keyPos, "a list of values", "write "+a.key+": [...]")
			continue
		}
		r.distinct(at, a.value.items)
		if points *= len(a.value.items); points > maxPoints {
			r.fail(a.keyPos, at, "", "the grid has more than %d points", maxPoints)
			return nil
		}
		g = append(g, gridAxis{key: a.key, keyPos: a.keyPos, values: a.value.items})
	}
	return g
}

func (r *reader) distinct(path string, values []*node) {
	seen := map[string]bool{}
	for i, v := range values {
		t := flow(v)
		if v.kind == nullNode {
			r.fail(v.pos, fmt.Sprintf("%s[%d]", path, i), "", "the value is empty")
		}
		if seen[t] {
			r.fail(v.pos, fmt.Sprintf("%s[%d]", path, i), "remove one of the two", "the value %s is given twice", t)
		}
		seen[t] = true
	}
}

// flow writes a value on one line, numbers in their shortest form.
func flow(n *node) string {
	var parts []string
	switch n.kind {
	case scalarNode:
		if f, ok := plain(n).(float64); ok {
			return formatFloat(f)
		}
		return n.text
	case listNode:
		for _, v := range n.items {
			parts = append(parts, flow(v))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case mapNode:
		for _, e := range n.entries {
			parts = append(parts, e.key+": "+flow(e.value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return "null"
}

// plain returns a value for a result file: scalars as a bool, int, float64 or
// string, lists as []any, sections as Ordered.
func plain(n *node) any {
	switch n.kind {
	case listNode:
		list := []any{}
		for _, v := range n.items {
			list = append(list, plain(v))
		}
		return list
	case mapNode:
		o := Ordered{}
		for _, e := range n.entries {
			o = append(o, Pair{e.key, plain(e.value)})
		}
		return o
	case nullNode:
		return nil
	}
	switch {
	case n.quoted:
	case n.text == "true" || n.text == "false":
		return n.text == "true"
	case plainNumber.MatchString(n.text) && (len(n.text) == 1 || n.text[0] != '0' || n.text[1] == '.'):
		if i, err := strconv.Atoi(n.text); err == nil {
			return i
		}
		if f, err := strconv.ParseFloat(n.text, 64); err == nil {
			return f
		}
	}
	return n.text
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
			values[i] = plain(v)
		}
		as = append(as, Axis{a.key, values})
	}
	return as
}

func (g grid) list() [][]Setting {
	var points [][]Setting
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

func (g grid) settings(index []int) []Setting {
	var s []Setting
	for k, a := range g {
		for _, c := range a.changes(index[k]) {
			s = append(s, Setting{c.key, plain(c.value)})
		}
	}
	return s
}

// place names a point: "topology.nodes = 10, network.latency = 1ms".
func (g grid) place(index []int) string {
	var parts []string
	for k, a := range g {
		for _, c := range a.changes(index[k]) {
			parts = append(parts, c.key+" = "+flow(c.value))
		}
	}
	return strings.Join(parts, ", ")
}

// place names what an axis changes in errors.
func (a gridAxis) place(key string, i int) string {
	if a.key == pointsKey {
		return fmt.Sprintf("%s[%d].%s", pointsKey, i, key)
	}
	return "sweep." + key
}

// point returns the tree at one point of a sweep, without the sweep.
func (g grid) point(s *source, tree *node, index []int) (*node, error) {
	if len(g) == 0 {
		return tree, nil
	}
	tree = without(without(tree, "sweep"), pointsKey)
	for k, a := range g {
		for _, c := range a.changes(index[k]) {
			steps, err := parsePath(c.key)
			if err != nil {
				return nil, s.fail(c.value.pos, a.place(c.key, index[k]), "", "%v", err)
			}
			o := override{path: c.key, steps: steps, value: c.value, where: c.value.pos}
			changed, err := o.apply(tree)
			if err != nil {
				return nil, s.fail(a.keyPos, a.place(c.key, index[k]), "", "%v", err)
			}
			tree = changed
		}
	}
	return tree, nil
}

// checked returns the points of a sweep that are read when the file is loaded:
// all of them, unless that would take long; then each value of each axis once.
func (g grid) checked(tree *node) [][]int {
	const maxWork = 3e6 // values read: about a second
	var points [][]int
	if len(g) == 0 {
		return nil
	}
	if float64(g.size())*float64(tree.size+tuningWork(tree)) <= maxWork {
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
func (r *reader) sweep(tree *node) grid {
	var g grid
	if e := tree.child(pointsKey); e != nil {
		g = r.points(e)
	}
	e := tree.child("sweep")
	if e == nil {
		return g
	}
	axes := r.readGrid("sweep", e, "sweep: {topology.nodes: [10, 20]}")
	for k := range axes {
		a := &axes[k]
		a.steps = r.sweepable("sweep."+a.key, a.key, a.keyPos)
		for _, b := range axes[:k] {
			if a.steps != nil && slices.Equal(b.steps, a.steps) {
				r.fail(a.keyPos, "sweep."+a.key, "", "swept twice, first at %v", b.keyPos)
			}
		}
		for _, p := range g {
			for i := range p.values {
				for _, c := range p.changes(i) {
					if steps, err := parsePath(c.key); err == nil && slices.Equal(steps, a.steps) {
						r.fail(a.keyPos, "sweep."+a.key, "", "the point at %v sets it too", p.values[i].pos)
						return g
					}
				}
			}
		}
	}
	g = append(g, axes...)
	if len(r.errs) == 0 && g.size() > maxPoints {
		r.fail(e.keyPos, "sweep", "", "the points times the grid are more than %d", maxPoints)
		return nil
	}
	return g
}

// points reads the list of points.
func (r *reader) points(e *entry) grid {
	example := "write points: [{topology.nodes: 10, network.latency: 1ms}, {topology.nodes: 20, network.latency: 2ms}]"
	if e.value.kind != listNode || len(e.value.items) == 0 {
		r.wrongKind(pointsKey, e.value, e.keyPos, "a list of points", example)
		return nil
	}
	if n := len(e.value.items); n > maxPoints {
		r.fail(e.keyPos, pointsKey, "", "the list has more than %d points", maxPoints)
		return nil
	}
	r.distinct(pointsKey, e.value.items)
	for i, p := range e.value.items {
		at := fmt.Sprintf("%s[%d]", pointsKey, i)
		if p.kind != mapNode || len(p.entries) == 0 {
			r.wrongKind(at, p, e.keyPos, "a map of keys to values", example)
			continue
		}
		for _, c := range p.entries {
			r.sweepable(at+"."+c.key, c.key, c.keyPos)
			if c.value.kind == nullNode {
				r.fail(c.keyPos, at+"."+c.key, "", "the value is empty")
			}
		}
	}
	if len(r.errs) > 0 {
		return nil
	}
	return grid{{key: pointsKey, keyPos: e.keyPos, values: e.value.items}}
}

// sweepable reads the path of a key that a study may change.
func (r *reader) sweepable(at, key string, pos Position) []step {
	steps, err := parsePath(key)
	if err != nil {
		r.fail(pos, at, "", "%v", err)
		return nil
	}
	switch top := steps[0].key; {
	case top == "seed" || top == "seeds":
		r.fail(pos, at, "write seeds: 10 or seeds: [1, 2, 3] beside the sweep", "replicates are no axis of a sweep")
	case slices.Contains([]string{"version", "name", "about", "sweep", pointsKey, "record", "claims", "tables", "small"}, top):
		r.fail(pos, at, "", "%s cannot be swept", top)
	}
	return steps
}

// Points returns the grid of the study, the first key of the sweep changing slowest.
// A scenario without a sweep is its own only point. Each point is checked as a
// scenario of its own; the error is a *FileError or FileErrors.
func (s *Scenario) Points() ([]Point, error) {
	if len(s.Sweep)+len(s.List) == 0 {
		return []Point{{Scenario: s}}, nil
	}
	r := &reader{src: s.src, cat: s.cat}
	g := r.sweep(s.tree)
	var points []Point
	for i := range g.size() {
		index := g.index(i)
		tree, err := g.point(s.src, s.tree, index)
		if err != nil {
			return nil, err
		}
		p := &reader{src: s.src, cat: s.cat, place: g.place(index)}
		sc := p.scenario(tree)
		if len(p.errs) > 0 {
			return nil, p.err()
		}
		sc.Claims, sc.Tables = s.Claims, s.Tables // they are over the whole study
		points = append(points, Point{g.settings(index), sc})
	}
	return points, nil
}
