package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Grids: the sweep of a study and the tuning of an algorithm.

// maxPoints bounds the points of a grid.
const maxPoints = 10000

// gridAxis is a key and its values, still as nodes.
type gridAxis struct {
	key    string
	keyPos Position
	steps  []step
	values []*node
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

// axes returns g as the Scenario shows it.
func (g grid) axes() []Axis {
	var as []Axis
	for _, a := range g {
		values := make([]any, len(a.values))
		for i, v := range a.values {
			values[i] = plain(v)
		}
		as = append(as, Axis{a.key, values})
	}
	return as
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
		s = append(s, Setting{a.key, plain(a.values[index[k]])})
	}
	return s
}

// place names a point: "topology.nodes = 10, network.latency = 1ms".
func (g grid) place(index []int) string {
	var parts []string
	for k, a := range g {
		parts = append(parts, a.key+" = "+flow(a.values[index[k]]))
	}
	return strings.Join(parts, ", ")
}

// point returns the tree at one point of a sweep, without the sweep.
func (g grid) point(s *source, tree *node, index []int) (*node, error) {
	if len(g) == 0 {
		return tree, nil
	}
	tree = without(tree, "sweep")
	for k, a := range g {
		v := a.values[index[k]]
		o := override{path: a.key, steps: a.steps, value: v, where: v.pos}
		changed, err := o.apply(tree)
		if err != nil {
			return nil, s.fail(a.keyPos, "sweep."+a.key, "", "%v", err)
		}
		tree = changed
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

// tuningWork estimates how many values the tuning grids make the reader read.
func tuningWork(tree *node) int {
	work := 0
	algorithms := tree.child("algorithms")
	if algorithms == nil {
		return 0
	}
	for _, a := range algorithms.value.items {
		points := 1
		if g := inside(a.child("tune"), "grid"); g != nil {
			for _, axis := range g.value.entries {
				points = min(points*max(1, len(axis.value.items)), maxPoints)
			}
		}
		work += points * (a.size + 20) // 20: the table of the method's parameters
	}
	return work
}

// sweep reads the axes of a study.
func (r *reader) sweep(tree *node) grid {
	e := tree.child("sweep")
	if e == nil {
		return nil
	}
	g := r.readGrid("sweep", e, "sweep: {topology.nodes: [10, 20]}")
	for k := range g {
		a := &g[k]
		at := "sweep." + a.key
		steps, err := parsePath(a.key)
		if err != nil {
			r.fail(a.keyPos, at, "", "%v", err)
			continue
		}
		a.steps = steps
		switch top := steps[0].key; {
		case top == "seed" || top == "seeds":
			r.fail(a.keyPos, at, "write seeds: 10 or seeds: [1, 2, 3] beside the sweep", "replicates are no axis of a sweep")
		case slices.Contains([]string{"version", "name", "about", "sweep", "record", "claims"}, top):
			r.fail(a.keyPos, at, "", "%s cannot be swept", top)
		}
		for _, b := range g[:k] {
			if slices.Equal(b.steps, steps) {
				r.fail(a.keyPos, at, "", "swept twice, first at %v", b.keyPos)
			}
		}
	}
	return g
}

// Points returns the grid of the study, the first key of the sweep changing slowest.
// A scenario without a sweep is its own only point. Each point is checked as a
// scenario of its own; the error is a *FileError or FileErrors.
func (s *Scenario) Points() ([]Point, error) {
	if len(s.Sweep) == 0 {
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
		sc.Claims = s.Claims // their checks are over the whole study
		points = append(points, Point{g.settings(index), sc})
	}
	return points, nil
}

// tuneGrid reads the grid of an algorithm's tune and returns the algorithm with the
// first value of each axis in place, so that it can be checked like any other.
func (r *reader) tuneGrid(path string, n *node, t *entry) (*node, grid) {
	e := t.value.child("grid")
	if e == nil {
		return n, nil
	}
	at := path + ".tune.grid"
	g := r.readGrid(at, e, "grid: {alpha: [0.1, 1]}")
	for k := range g {
		a := &g[k]
		a.steps = []step{{key: a.key}}
		if slices.Contains([]string{"name", "label", "tune"}, a.key) {
			r.fail(a.keyPos, joinKey(at, a.key), "", "%s is no parameter that could be tuned", a.key)
			return n, nil
		}
		if given := n.child(a.key); given != nil {
			r.fail(given.keyPos, joinKey(path, a.key), "keep one of the two", "%s is given, and tuned at %v", a.key, a.keyPos)
			return n, nil
		}
	}
	return g.on(n, g.first()), g
}

// on returns n with the values of one point as keys, where the file's keys were.
func (g grid) on(n *node, index []int) *node {
	c := *n
	c.entries = slices.Clone(n.entries)
	for k, a := range g {
		v := a.values[index[k]]
		if i := slices.IndexFunc(c.entries, func(e entry) bool { return e.key == a.key }); i >= 0 {
			c.entries[i].value = v
		} else {
			c.entries = append(c.entries, entry{a.key, a.keyPos, v})
		}
	}
	return &c
}

// tune reads what is tuned for, and checks every point of the grid.
func (r *reader) tune(path string, n *node, t *entry, g grid, c choice) *Tune {
	at := path + ".tune"
	a := r.section(at, "tune", t.value, t.keyPos, tuneParams())
	tune := &Tune{Grid: g.axes(), By: a.String("by")}
	if to := t.value.child("to"); to != nil {
		tune.To = r.target(at+".to", to)
	} else if slices.Contains(costs(), tune.By) {
		r.fail(t.keyPos, at, "write to: {grad_norm2: 1e-4}", "to is missing: %s is a cost, and needs a target that it is spent on", tune.By)
	}
	for i := range g.size() {
		if len(r.errs) > 0 || len(g) == 0 {
			return tune
		}
		index := g.index(i)
		p := r.choose(&entry{"", n.pos, g.on(n, index)}, c)
		delete(p.args.values, "label") // it is the algorithm's
		tune.Points = append(tune.Points, TunePoint{g.settings(index), p.args})
	}
	return tune
}

// target reads the target of a tuning: one metric and its value, or several that
// must hold at once.
func (r *reader) target(path string, e *entry) []Threshold {
	var params []Param
	for _, m := range Metrics() {
		params = append(params, Param{Name: m.Name, Kind: Float, Example: "1e-4", About: m.About})
	}
	before := len(r.errs)
	a := r.section(path, "to", e.value, e.keyPos, params)
	if len(r.errs) > before {
		return nil
	}
	if len(e.value.entries) == 0 {
		r.fail(e.keyPos, path, "write to: {grad_norm2: 1e-4}", "a metric and its value are asked")
		return nil
	}
	var to []Threshold
	for _, m := range e.value.entries {
		to = append(to, Threshold{m.key, a.Float(m.key)})
	}
	return to
}
