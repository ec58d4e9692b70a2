package sections

import (
	"path"
	"slices"
	"strings"

	"tallynet/scenarios/keys"
)

// What the sections network and compute share: keys whose value is that of the section
// around if they are left out, and lists of nodes that differ.

func withDefault(p keys.Param, v any) keys.Param { p.Default = v; return p }

func required(p keys.Param) keys.Param { p.Required = true; return p }

// inherited is p with the value of the section around as its default.
func inherited(p keys.Param, section string) keys.Param {
	p.Derive = func(_, around keys.Args) any { return around.Value(p.Name) }
	p.Derived = "as " + section + "." + p.Name
	return p
}

func nodeKey() keys.Param {
	return keys.Param{Name: "node", Kind: keys.Ints, Required: true, Example: "0", Range: keys.AtLeast(0),
		About: "a node, or a list of nodes"}
}

// checkExceptions checks a list of nodes that differ: in one of the keys at least, and each
// node once.
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

// checkNodes checks that the node or nodes of a key exist and are different.
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

// named reports whether a link has a name that fits a pattern, or is it.
func named(pattern, name string) bool {
	fits, err := path.Match(pattern, name)
	return err == nil && fits || name == pattern
}
