package sections

import (
	"path"
	"slices"
	"strings"

	"tallynet/scenarios/keys"
)

func withDefault(p keys.Param, v any) keys.Param { p.Default = v; return p }

func required(p keys.Param) keys.Param { p.Required = true; return p }

// inherited returns p with a default that is the value of the same key in the enclosing section.
func inherited(p keys.Param, section string) keys.Param {
	p.Derive = func(_, around keys.Args) any { return around.Value(p.Name) }
	p.Derived = "as " + section + "." + p.Name
	return p
}

func nodeKey() keys.Param {
	return keys.Param{Name: "node", Kind: keys.Ints, Required: true, Example: "0", Range: keys.AtLeast(0),
		About: "a node, or a list of nodes"}
}

// endKey declares one of the two nodes of a link.
func endKey(name, example, about string) keys.Param {
	return keys.Param{Name: name, Kind: keys.Int, Example: example, Range: keys.AtLeast(0), About: about}
}

// checkExceptions checks a list of nodes that differ from the section around it. Each item must give one of the keys
// differing, and no node may occur twice.
func checkExceptions(r *keys.Reader, list []keys.Args, nodes int, what string, differing ...string) {
	for i, x := range list {
		if !slices.ContainsFunc(differing, x.Given) {
			r.Fail(x.Pos(), x.Path(""), "give "+strings.Join(differing, " or "), "the %s differs in nothing", what)
		}
		checkNodes(r, x, "node", nodes)
		for _, other := range list[:i] {
			for _, v := range x.Ints("node") {
				if slices.Contains(other.Ints("node"), v) {
					r.Fail(x.Pos(), x.Path(""), "name each node once", "the node %d was given above", v)
					break
				}
			}
		}
	}
}

// perNode returns the value of a section for each node: of the item of its list nodes that names the node, or else of
// the section itself.
func perNode[T any](a keys.Args, nodes int, of func(a keys.Args) T) []T {
	values := slices.Repeat([]T{of(a)}, nodes)
	for _, x := range a.Sections("nodes") {
		for _, i := range x.Ints("node") {
			values[i] = of(x)
		}
	}
	return values
}

// checkNodes checks that the nodes that a key gives exist and are distinct. The key holds one node or a list.
func checkNodes(r *keys.Reader, a keys.Args, key string, nodes int) {
	var list []int
	switch v := a.Value(key).(type) {
	case int:
		list = []int{v}
	case []int:
		list = v
	}
	for i, v := range list {
		at := a.PosOf(key)
		if f := a.Field(key); f != nil && f.Value.Shape == keys.List {
			at = f.Value.Items[i].Pos
		}
		switch {
		case nodes > 0 && v >= nodes:
			r.Fail(at, a.Path(key), "", "there is no node %d: the nodes are 0 to %d", v, nodes-1)
		case slices.Contains(list[:i], v):
			r.Fail(at, a.Path(key), "", "the node %d is given twice", v)
		}
	}
}

// checkPattern checks that the key name, if given, is a valid pattern.
func checkPattern(r *keys.Reader, a keys.Args) {
	if !a.Given("name") {
		return
	}
	if _, err := path.Match(a.String("name"), ""); err != nil {
		r.Fail(a.PosOf("name"), a.Path("name"), "", "%q is not a pattern: %v", a.String("name"), err)
	}
}
