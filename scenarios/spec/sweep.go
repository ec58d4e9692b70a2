package spec

import (
	"fmt"
	"slices"
	"strings"

	"tallynet/scenarios/keys"
)

// sweep reads the grid of a study: the list of points, then the axes of the sweep.
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
		var words []string
		if steps, _ := keys.ParsePath(a.Key); path == "sweep" && (len(steps) != 2 || steps[0].Key != "algorithms") {
			words = []string{"label"} // that of a whole method is part of it
		}
		values, labels := r.labelled(at, a.Value.Items, words...)
		for k, v := range values {
			switch value := v.Child("value"); {
			case labels[k] == "":
			case len(v.Fields) == 0:
				values[k] = &keys.Value{Pos: v.Pos}
			case len(v.Fields) == 1 && value != nil:
				values[k] = value.Value
			}
		}
		r.distinct(at, values)
		if points *= len(a.Value.Items); points > maxPoints {
			r.Fail(a.KeyPos, at, "", "the grid has more than %d points", maxPoints)
			return nil
		}
		g = append(g, gridAxis{key: a.Key, keyPos: a.KeyPos, values: values, labels: labels})
	}
	return g
}

// labelled separates values that are maps from their labels, which have one of some keys.
func (r *reader) labelled(path string, items []*keys.Value, words ...string) (values []*keys.Value, labels []string) {
	labels = make([]string, len(items))
	for i, v := range items {
		for _, word := range words {
			f := v.Child(word)
			if f == nil {
				continue
			}
			at := fmt.Sprintf("%s[%d].%s", path, i, word)
			label, ok := keys.Plain(f.Value).(string)
			switch {
			case !ok || strings.TrimSpace(label) == "":
				r.WrongKind(at, f.Value, f.KeyPos, "a name in words", "write "+word+": \"ring of 8\"")
			case labels[i] != "":
				r.Fail(f.KeyPos, at, "remove one of the two", "it has a label and a name")
			case slices.Contains(labels, label):
				r.Fail(f.KeyPos, at, "give each a "+word+" of its own", "two of them are called %q", label)
			}
			labels[i], v = label, keys.Without(v, word)
		}
		values = append(values, v)
	}
	return values, labels
}

// distinct checks that the values are neither empty nor repeated.
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

// points reads the list of points.
func (r *reader) points(e *keys.Field) grid {
	example := "write points: [{topology.nodes: 10, network.latency: 1ms}, {topology.nodes: 20, network.latency: 2ms}]"
	if e.Value.Shape != keys.List || len(e.Value.Items) == 0 {
		r.WrongKind(pointsKey, e.Value, e.KeyPos, "a list of points", example)
		return nil
	}
	if len(e.Value.Items) > maxPoints {
		r.Fail(e.KeyPos, pointsKey, "", "the list has more than %d points", maxPoints)
		return nil
	}
	values, labels := r.labelled(pointsKey, e.Value.Items, "label", "name")
	r.distinct(pointsKey, values)
	for i, p := range e.Value.Items {
		at := fmt.Sprintf("%s[%d]", pointsKey, i)
		if p.Shape != keys.Map || len(p.Fields) == 0 {
			r.WrongKind(at, p, e.KeyPos, "a map of keys to values", example)
			continue
		}
		for _, c := range values[i].Fields {
			r.sweepable(at+"."+c.Key, c.Key, c.KeyPos)
			if c.Value.Shape == keys.Null {
				r.Fail(c.KeyPos, at+"."+c.Key, "", "the value is empty")
			}
		}
	}
	if len(r.Errs) > 0 {
		return nil
	}
	return grid{{key: pointsKey, keyPos: e.KeyPos, values: values, labels: labels}}
}

// sweepable parses the path of a key and checks that a study may vary it.
func (r *reader) sweepable(at, key string, pos keys.FilePosition) []keys.PathStep {
	steps, err := keys.ParsePath(key)
	if err != nil {
		r.Fail(pos, at, "", "%v", err)
		return nil
	}
	switch top := steps[0].Key; {
	case top == "seed" || top == "seeds":
		r.Fail(pos, at, "write seeds: 10 or seeds: [1, 2, 3] beside the sweep", "replicates are not an axis of a sweep")
	case slices.Contains([]string{"version", "name", "about", "ask", "sweep", pointsKey, "record", "claims",
		"tables", "figures", "settings", "small"}, top):
		r.Fail(pos, at, "", "%s cannot be swept", top)
	}
	return steps
}
