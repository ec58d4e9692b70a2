package keys

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// PathStep is one step of a path to a value of a scenario. Dots join keys. List items are named by [index], or by
// their label or name. Quotes enclose names that contain dots or brackets:
//
//	network.latency   algorithms[0].alpha   algorithms.dagm.alpha   algorithms["DGBO (b=5)"].alpha
type PathStep struct {
	Key     string
	Index   int
	IsIndex bool
}

func (s PathStep) String() string {
	if s.IsIndex {
		return fmt.Sprintf("[%d]", s.Index)
	}
	return s.Key
}

// ParsePath reads a path.
func ParsePath(path string) ([]PathStep, error) {
	var steps []PathStep
	rest := path
	for first := true; rest != ""; first = false {
		if rest[0] == '[' {
			m := bracketed.FindStringSubmatch(rest)
			if m == nil || first {
				return nil, fmt.Errorf("%q is not a path: write it as in network.latency, algorithms[0].alpha or "+
					"algorithms.dagm.alpha", path)
			}
			index, _ := strconv.Atoi(m[3]) // 0 for a label
			steps, rest = append(steps, PathStep{m[1] + m[2], index, m[3] != ""}), rest[len(m[0]):]
			continue
		}
		if !first {
			if rest[0] != '.' {
				return nil, fmt.Errorf("%q is not a path: a dot is missing after a bracket", path)
			}
			rest = rest[1:]
		}
		n := strings.IndexAny(rest, ".[")
		if n < 0 {
			n = len(rest)
		}
		if strings.TrimSpace(rest[:n]) == "" {
			return nil, fmt.Errorf("%q is not a path: a key is empty", path)
		}
		steps, rest = append(steps, PathStep{Key: strings.TrimSpace(rest[:n])}), rest[n:]
	}
	if len(steps) == 0 {
		return nil, fmt.Errorf("the path is empty: write it as in network.latency")
	}
	return steps, nil
}

// bracketed matches [3] or ["label"] at the start of a text.
var bracketed = regexp.MustCompile(`(?s)^\[(?:"(.*?)"|'(.*?)'|([0-9]{1,9}))\]`)

// Override is one change to the tree, from --set or from a point of the sweep.
type Override struct {
	Path  string
	Steps []PathStep
	Value *Value
	Where FilePosition
}

// ParseOverride reads the text of a --set.
func ParseOverride(file, text string) (Override, *FileError) {
	o := Override{Where: FilePosition{File: file, Set: "--set " + text}}
	fail := func(hint, format string, args ...any) (Override, *FileError) {
		return o, &FileError{FilePosition: o.Where, Message: fmt.Sprintf(format, args...), Hint: hint}
	}
	eq := equalsSign(text)
	if eq < 0 {
		return fail("write --set network.latency=2ms", "there is no = between a key and its value")
	}
	o.Path = strings.TrimSpace(text[:eq])
	steps, err := ParsePath(o.Path)
	if err != nil {
		return fail("", "%v", err)
	}
	o.Steps = steps
	src := NewSource(file, []byte(text[eq+1:]))
	src.set = o.Where.Set
	value, ferr := src.Parse()
	if ferr != nil {
		ferr.Path = o.Path
		return o, ferr
	}
	if value == nil || value.Shape == Null {
		return fail("write --set "+o.Path+"=VALUE", "there is no value after the =")
	}
	o.Value = value
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

// Apply returns a copy of the tree n with o's value at o's path. It adds missing keys on the way. n does not change.
func (o Override) Apply(n *Value) (*Value, error) {
	o.Steps = o.onAxis(n)
	n, err := o.set(n, o.Steps, "")
	if err != nil || len(o.Steps) != 1 {
		return n, err
	}
	// seed and seeds exclude each other: the later one replaces the earlier one.
	switch o.Steps[0].Key {
	case "seed":
		if many := n.Child("seeds"); many != nil && many.Value.Child("data") != nil { // which stays
			one := &Value{Shape: List, Pos: o.Value.Pos, Size: 1, Items: []*Value{o.Value}}
			runs := Override{Value: one, Path: "seeds.run"}
			return runs.set(Without(n, "seed"), []PathStep{{Key: "seeds"}, {Key: "run"}}, "")
		}
		n = Without(n, "seeds")
	case "seeds":
		n = Without(n, "seed")
	}
	return n, nil
}

// onAxis returns the steps of the path, with those that name an axis of the sweep joined, since its keys are paths.
func (o Override) onAxis(n *Value) []PathStep {
	key, ok := strings.CutPrefix(o.Path, "sweep.")
	if !ok {
		return o.Steps
	}
	steps := o.Steps[1:]
	if sweep := n.Child("sweep"); sweep != nil {
		for _, axis := range sweep.Value.Fields {
			path, err := ParsePath(axis.Key)
			k := len(path)
			if err == nil && k <= len(steps) && slices.Equal(path, steps[:k]) && (k == len(steps) || steps[k].IsIndex) {
				return slices.Concat(o.Steps[:1], []PathStep{{Key: axis.Key}}, steps[k:])
			}
		}
	}
	return []PathStep{o.Steps[0], {Key: key}}
}

func (o Override) set(n *Value, steps []PathStep, done string) (*Value, error) {
	if len(steps) == 0 {
		return o.Value, nil
	}
	s := steps[0]
	switch {
	case n == nil || n.Shape == Null:
		if s.IsIndex {
			return nil, fmt.Errorf("%s is not a list", nameOf(done))
		}
		n = &Value{Shape: Map, Pos: o.Where, Size: 1}
	case n.Shape == Scalar:
		return nil, fmt.Errorf("%s is the single value %s and has no key %s", nameOf(done), quote(n.Text), s)
	}
	if n.Shape == List {
		i, err := itemIndex(n, s, done)
		if err != nil {
			return nil, err
		}
		v, err := o.set(n.Items[i], steps[1:], joinPath(done, PathStep{Index: i, IsIndex: true}))
		if err != nil {
			return nil, err
		}
		c := *n
		c.Items = slices.Clone(n.Items)
		c.Items[i] = v
		return &c, nil
	}
	if s.IsIndex {
		return nil, fmt.Errorf("%s is a section of keys, not a list", nameOf(done))
	}
	at := o.Where
	var old *Value
	if e := n.Child(s.Key); e != nil {
		if old = e.Value; len(steps) > 1 {
			at = e.KeyPos
		}
	}
	v, err := o.set(old, steps[1:], joinPath(done, s))
	if err != nil {
		return nil, err
	}
	return n.With(Field{s.Key, at, v}), nil
}

func nameOf(path string) string { return cmp.Or(path, "the scenario") }

func joinPath(path string, s PathStep) string {
	if s.IsIndex {
		return path + s.String()
	}
	return JoinKey(path, s.Key)
}

// itemIndex returns the index of a list item that a step names by index, label or name.
func itemIndex(n *Value, s PathStep, path string) (int, error) {
	if s.IsIndex {
		if s.Index >= len(n.Items) {
			return 0, fmt.Errorf("%s has %d items; the last one is [%d]", nameOf(path), len(n.Items), len(n.Items)-1)
		}
		return s.Index, nil
	}
	var names []string
	for _, key := range []string{"label", "name"} {
		var found []int
		for i, item := range n.Items {
			if e := item.Child(key); e != nil && e.Value.Shape == Scalar {
				names = append(names, e.Value.Text)
				if strings.EqualFold(e.Value.Text, s.Key) {
					found = append(found, i)
				}
			}
		}
		switch {
		case len(found) == 1:
			return found[0], nil
		case len(found) > 1:
			return 0, fmt.Errorf("%s has several items called %s: use their labels, or %s[%d], %s[%d]", path, s.Key,
				path, found[0], path, found[1])
		}
	}
	hint := ""
	if h := DidYouMean(s.Key, names); h != "" {
		hint = "; " + h
	}
	return 0, fmt.Errorf("%s has no item called %s%s", nameOf(path), s.Key, hint)
}

// Find follows a path into the tree. It returns the position of the value, or of the deepest key found, and whether
// the whole path exists.
func Find(root *Value, steps []PathStep) (FilePosition, bool) {
	n, pos := root, root.Pos
	for i, s := range steps {
		switch n.Shape {
		case List:
			j, err := itemIndex(n, s, "")
			if err != nil {
				return pos, false
			}
			n = n.Items[j]
			pos = n.Pos
		case Map:
			e := n.Child(s.Key)
			if s.IsIndex || e == nil {
				return pos, false
			}
			n, pos = e.Value, e.KeyPos
			if i == len(steps)-1 && n.Shape == Scalar {
				pos = n.Pos
			}
		default:
			return pos, false
		}
	}
	return pos, true
}
