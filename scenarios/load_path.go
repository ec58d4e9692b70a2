package scenarios

import (
	"fmt"
	"strconv"
	"strings"
)

// A path names a value of a scenario: keys joined by dots, list items by [index],
// algorithms also by label or name, what contains dots or brackets in quotes:
//
//	network.latency   algorithms[0].alpha   algorithms.dagm.alpha   algorithms["DGBO (b=5)"].alpha
type step struct {
	key     string
	index   int
	isIndex bool
}

func (s step) String() string {
	if s.isIndex {
		return fmt.Sprintf("[%d]", s.index)
	}
	return s.key
}

// parsePath reads a path.
func parsePath(path string) ([]step, error) {
	var steps []step
	rest := path
	for first := true; rest != ""; first = false {
		if rest[0] == '[' {
			s, n, err := bracketStep(rest)
			if err != nil || first {
				return nil, fmt.Errorf("%q is no path: write it as in network.latency, algorithms[0].alpha or algorithms.dagm.alpha", path)
			}
			steps, rest = append(steps, s), rest[n:]
			continue
		}
		if !first {
			if rest[0] != '.' {
				return nil, fmt.Errorf("%q is no path: a dot is missing after a bracket", path)
			}
			rest = rest[1:]
		}
		n := strings.IndexAny(rest, ".[")
		if n < 0 {
			n = len(rest)
		}
		if strings.TrimSpace(rest[:n]) == "" {
			return nil, fmt.Errorf("%q is no path: a key is empty", path)
		}
		steps, rest = append(steps, step{key: strings.TrimSpace(rest[:n])}), rest[n:]
	}
	if len(steps) == 0 {
		return nil, fmt.Errorf("the path is empty: write it as in network.latency")
	}
	return steps, nil
}

// bracketStep reads [3] or ["label"] at the start of s and returns its length.
func bracketStep(s string) (step, int, error) {
	if len(s) > 1 && (s[1] == '"' || s[1] == '\'') {
		end := strings.Index(s[2:], string(s[1])+"]")
		if end < 0 {
			return step{}, 0, fmt.Errorf("no end quote")
		}
		return step{key: s[2 : 2+end]}, end + 4, nil
	}
	end := strings.IndexByte(s, ']')
	if end < 0 {
		return step{}, 0, fmt.Errorf("no closing bracket")
	}
	i, err := strconv.Atoi(s[1:end])
	if err != nil || i < 0 {
		return step{}, 0, fmt.Errorf("no index")
	}
	return step{index: i, isIndex: true}, end + 1, nil
}

// override is one change to the tree, from --set or from a point of the sweep.
type override struct {
	path  string
	steps []step
	value *node
	where Position
}

// parseOverride reads the text of a --set.
func parseOverride(file, text string) (override, *FileError) {
	o := override{where: Position{File: file, Set: "--set " + text}}
	fail := func(hint, format string, args ...any) (override, *FileError) {
		return o, &FileError{Position: o.where, Message: fmt.Sprintf(format, args...), Hint: hint}
	}
	eq := equalsSign(text)
	if eq < 0 {
		return fail("write --set network.latency=2ms", "there is no = between a key and its value")
	}
	o.path = strings.TrimSpace(text[:eq])
	steps, err := parsePath(o.path)
	if err != nil {
		return fail("", "%v", err)
	}
	o.steps = steps
	src := newSource(file, []byte(text[eq+1:]))
	src.set = o.where.Set
	value, ferr := src.parse()
	if ferr != nil {
		ferr.Path = o.path
		return o, ferr
	}
	if value == nil || value.kind == nullNode {
		return fail("write --set "+o.path+"=VALUE", "there is no value after the =")
	}
	o.value = value
	return o, nil
}

// equalsSign returns the index of the first = outside of brackets, or -1.
func equalsSign(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '[':
			depth++
		case ']':
			depth--
		case '=':
			if depth <= 0 {
				return i
			}
		}
	}
	return -1
}

// apply returns a tree with o's value in its place; keys that are missing on the
// way are added. n itself is left as it is.
func (o override) apply(n *node) (*node, error) {
	n, err := o.set(n, o.steps, "")
	if err != nil || len(o.steps) != 1 {
		return n, err
	}
	// seed and seeds say the same thing in two ways: the later word counts.
	switch o.steps[0].key {
	case "seed":
		n = without(n, "seeds")
	case "seeds":
		n = without(n, "seed")
	}
	return n, nil
}

func (o override) set(n *node, steps []step, done string) (*node, error) {
	if len(steps) == 0 {
		return o.value, nil
	}
	s := steps[0]
	switch {
	case n == nil || n.kind == nullNode:
		if s.isIndex {
			return nil, fmt.Errorf("%s is no list", nameOf(done))
		}
		n = &node{kind: mapNode, pos: o.where, size: 1}
	case n.kind == scalarNode:
		return nil, fmt.Errorf("%s is the single value %s and has no key %s", nameOf(done), quoteShort(n.text), s)
	}
	c := *n
	if n.kind == listNode {
		i, err := itemIndex(n, s, done)
		if err != nil {
			return nil, err
		}
		v, err := o.set(n.items[i], steps[1:], joinPath(done, step{index: i, isIndex: true}))
		if err != nil {
			return nil, err
		}
		c.items = append([]*node(nil), n.items...)
		c.items[i] = v
		return &c, nil
	}
	if s.isIndex {
		return nil, fmt.Errorf("%s is a section of keys, not a list", nameOf(done))
	}
	e := n.child(s.key)
	var old *node
	if e != nil {
		old = e.value
	}
	v, err := o.set(old, steps[1:], joinPath(done, s))
	if err != nil {
		return nil, err
	}
	c.entries = append([]entry(nil), n.entries...)
	for i := range c.entries {
		if c.entries[i].key == s.key {
			c.entries[i].value = v
			if len(steps) == 1 {
				c.entries[i].keyPos = o.where
			}
			return &c, nil
		}
	}
	c.entries = append(c.entries, entry{s.key, o.where, v})
	return &c, nil
}

func without(n *node, key string) *node {
	c := *n
	c.entries = nil
	for _, e := range n.entries {
		if e.key != key {
			c.entries = append(c.entries, e)
		}
	}
	return &c
}

func nameOf(path string) string {
	if path == "" {
		return "the scenario"
	}
	return path
}

func joinPath(path string, s step) string {
	if s.isIndex || path == "" {
		return path + s.String()
	}
	return path + "." + s.key
}

// itemIndex finds an item of a list by index, or by its label or name.
func itemIndex(n *node, s step, path string) (int, error) {
	if s.isIndex {
		if s.index >= len(n.items) {
			return 0, fmt.Errorf("%s has %d items; the last one is [%d]", nameOf(path), len(n.items), len(n.items)-1)
		}
		return s.index, nil
	}
	var names []string
	for _, key := range []string{"label", "name"} {
		var found []int
		for i, item := range n.items {
			if e := item.child(key); e != nil && e.value.kind == scalarNode {
				names = append(names, e.value.text)
				if strings.EqualFold(e.value.text, s.key) {
					found = append(found, i)
				}
			}
		}
		switch {
		case len(found) == 1:
			return found[0], nil
		case len(found) > 1:
			return 0, fmt.Errorf("%s has several items called %s: use their labels, or %s[%d], %s[%d]", path, s.key, path, found[0], path, found[1])
		}
	}
	hint := ""
	if h := didYouMean(s.key, names); h != "" {
		hint = "; " + h
	}
	return 0, fmt.Errorf("%s has no item called %s%s", nameOf(path), s.key, hint)
}

// find follows the path as far as the tree goes. It returns the position of the
// value, or of the deepest key on the way, and whether the whole path is there.
func find(root *node, steps []step) (Position, bool) {
	n, pos := root, root.pos
	for i, s := range steps {
		switch n.kind {
		case listNode:
			j, err := itemIndex(n, s, "")
			if err != nil {
				return pos, false
			}
			n = n.items[j]
			pos = n.pos
		case mapNode:
			e := n.child(s.key)
			if s.isIndex || e == nil {
				return pos, false
			}
			n, pos = e.value, e.keyPos
			if i == len(steps)-1 && n.kind == scalarNode {
				pos = n.pos
			}
		default:
			return pos, false
		}
	}
	return pos, true
}
