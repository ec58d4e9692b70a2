package scenarios

import (
	"fmt"
	"slices"
	"strings"
)

// reader checks a tree against tables of Params and collects what is wrong.
type reader struct {
	src  *source
	cat  *Catalog
	errs FileErrors
	// place tells where the errors of a point of the sweep come from; "" outside of one.
	place string
}

func (r *reader) fail(at Position, path, hint, format string, args ...any) {
	if len(r.errs) >= maxErrors {
		return
	}
	r.errs = append(r.errs, r.src.fail(at, path, hint, format, args...))
}

// section reads the keys of n: those of params, and nothing else. Keys of the kind
// special are left to the caller. keyPos is where a missing key is reported.
func (r *reader) section(path, owner string, n *node, keyPos Position, params []Param) Args {
	a := Args{owner: owner, params: params, values: map[string]any{}, given: map[string]bool{}, meant: map[string]bool{}}
	if n != nil && n.kind != mapNode {
		r.wrongKind(path, n, keyPos, "a section of keys", sectionExample(params))
		return a
	}
	if n != nil {
		for _, e := range n.entries {
			r.key(path, owner, e, params, &a)
		}
	}
	for _, p := range params {
		switch why := p.unused(a); {
		case why != "":
			if a.given[p.Name] {
				r.fail(n.child(p.Name).keyPos, joinKey(path, p.Name), "leave it out", "%s", why)
			}
			delete(a.values, p.Name)
		case a.given[p.Name] || a.values[p.Name] != nil:
		case p.Required && !a.meant[p.Name]:
			r.missing(path, keyPos, p)
		case p.Default != nil:
			a.values[p.Name] = p.Default
		case p.Kind == Section && p.Later == "":
			// A section that is left out has the defaults of its keys, if all of them have one.
			if sub, ok := r.defaults(joinKey(path, p.Name), p); ok {
				a.values[p.Name] = sub
			}
		}
	}
	return a
}

// unused says why p would change nothing beside the earlier keys; "" if it is used.
func (p Param) unused(a Args) string {
	if key, want, ok := strings.Cut(p.Only, ": "); ok && !slices.Contains(strings.Split(want, " or "), fmt.Sprint(a.values[key])) {
		if got, ok := a.values[key]; ok {
			return fmt.Sprintf("only %s uses %s; this has %s: %v", p.Only, p.Name, key, got)
		}
		return fmt.Sprintf("only %s uses %s", p.Only, p.Name)
	}
	if p.Unless != "" && a.given[p.Unless] {
		return fmt.Sprintf("%s is not used where %s is given", p.Name, p.Unless)
	}
	return ""
}

// defaults returns the section p with nothing given, unless a key of it is required
// or it has no default at all.
func (r *reader) defaults(path string, p Param) (Args, bool) {
	some := false
	for _, q := range p.Params {
		if q.Required {
			return Args{}, false
		}
		some = some || q.Default != nil
	}
	if !some {
		return Args{}, false
	}
	return r.section(path, p.Name, nil, Position{}, p.Params), true
}

func (r *reader) missing(path string, at Position, p Param) {
	hint := ""
	if p.Example != "" {
		hint = "write " + p.Name + ": " + p.Example
	}
	r.fail(at, path, hint, "%s is missing: %s", p.Name, p.About)
}

func (r *reader) key(path, owner string, e entry, params []Param, a *Args) {
	full := joinKey(path, e.key)
	var names []string
	for _, p := range params {
		if p.Name != e.key {
			if p.Later == "" {
				names = append(names, p.Name)
			}
			continue
		}
		a.given[p.Name] = true
		switch {
		case p.Later != "":
			r.fail(e.keyPos, full, "", "not yet: %s belongs to a later version", p.Later)
		case p.Kind == special:
		default:
			if v, ok := r.value(full, e, p); ok {
				a.values[p.Name] = v
			}
		}
		return
	}
	what := "the scenario has no such key"
	if owner != "" {
		what = owner + " has no such key"
	}
	if len(names) == 0 {
		r.fail(e.keyPos, full, "", "%s; it takes none", what)
		return
	}
	if meant := nearest(e.key, names); meant != "" {
		a.meant[meant] = true
	}
	r.fail(e.keyPos, full, didYouMean(e.key, names), "%s", what)
}

func joinKey(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func sectionExample(params []Param) string {
	for _, p := range params {
		if p.Example != "" {
			return "write it as {" + p.Name + ": " + p.Example + ", ...}"
		}
	}
	return ""
}

func (r *reader) wrongKind(path string, n *node, keyPos Position, want, hint string) {
	at := n.pos
	got := n.kind.String()
	if len(n.items)+len(n.entries) == 0 {
		got = strings.Replace(strings.Replace(got, "a list", "an empty list", 1), "a section", "an empty section", 1)
	}
	switch n.kind {
	case scalarNode:
		got = quoteShort(n.text)
	case nullNode:
		at, got = keyPos, "no value"
	}
	r.fail(at, path, hint, "%s is asked, this is %s", want, got)
}

// value reads the value of one key. It reports what is wrong and returns false.
func (r *reader) value(path string, e entry, p Param) (any, bool) {
	n := e.value
	if n.kind == nullNode {
		hint := "leave the key out, or write " + p.Kind.String()
		if p.Example != "" {
			hint = "leave the key out, or write " + p.Name + ": " + p.Example
		}
		r.fail(e.keyPos, path, hint, "the key has no value")
		return nil, false
	}
	switch p.Kind {
	case Int, Float, Bool, String, Enum, Path, Duration, Bandwidth, Bytes, Flops:
		return r.scalar(path, n, e.keyPos, p)
	case Ints:
		return listOf[int](r, path, n, e.keyPos, p, Int)
	case Floats:
		return listOf[float64](r, path, n, e.keyPos, p, Float)
	case Strings:
		kind := String
		if len(p.Enum) > 0 {
			kind = Enum
		}
		return listOf[string](r, path, n, e.keyPos, p, kind)
	case Matrix:
		return r.matrix(path, n, e.keyPos, p)
	case Edges:
		return r.edges(path, n, e.keyPos, p)
	case Section:
		if n.kind == scalarNode && len(p.Each) > 0 {
			all := &node{kind: mapNode, pos: n.pos, size: 1}
			for _, key := range p.Each {
				all.entries = append(all.entries, entry{key, n.pos, n})
			}
			n = all
		}
		before := len(r.errs)
		a := r.section(path, path, n, e.keyPos, p.Params)
		return a, len(r.errs) == before
	case Sections:
		return r.sections(path, n, e.keyPos, p)
	}
	panic(fmt.Sprintf("scenarios: parameter %s has the unknown kind %d", path, p.Kind))
}

func (r *reader) sections(path string, n *node, keyPos Position, p Param) (any, bool) {
	if n.kind != listNode {
		r.wrongKind(path, n, keyPos, "a list of sections", "write one line \"- {...}\" for each")
		return nil, false
	}
	before := len(r.errs)
	var all []Args
	for i, item := range n.items {
		at := fmt.Sprintf("%s[%d]", path, i)
		all = append(all, r.section(at, path, item, item.pos, p.Params))
	}
	return all, len(r.errs) == before
}

// listOf reads a list whose items are of the given kind; a single item stands for a list of one.
func listOf[T any](r *reader, path string, n *node, keyPos Position, p Param, kind Kind) (any, bool) {
	one := p
	one.Kind = kind
	items := n.items
	single := n.kind == scalarNode
	if single {
		items = []*node{n}
	} else if n.kind != listNode {
		r.wrongKind(path, n, keyPos, p.Kind.String(), "")
		return nil, false
	}
	list, ok := make([]T, 0, len(items)), true
	for i, item := range items {
		at := path
		if !single {
			at = fmt.Sprintf("%s[%d]", path, i)
		}
		v, good := r.scalar(at, item, keyPos, one)
		if !good {
			if ok = false; len(r.errs) >= maxErrors {
				break
			}
			continue
		}
		list = append(list, v.(T))
	}
	return list, ok
}

func (r *reader) matrix(path string, n *node, keyPos Position, p Param) (any, bool) {
	if n.kind != listNode || len(n.items) == 0 {
		r.wrongKind(path, n, keyPos, p.Kind.String(), "write [[0.5, 0.5], [0.5, 0.5]]")
		return nil, false
	}
	rows := make([][]float64, 0, len(n.items))
	for i, row := range n.items {
		at := fmt.Sprintf("%s[%d]", path, i)
		if row.kind != listNode {
			r.wrongKind(at, row, keyPos, "a row of numbers", "write [[0.5, 0.5], [0.5, 0.5]]")
			return nil, false
		}
		v, ok := listOf[float64](r, at, row, keyPos, p, Float)
		if !ok {
			return nil, false
		}
		if got := v.([]float64); i > 0 && len(got) != len(rows[0]) {
			r.fail(row.pos, at, "all rows have the same length", "this row has %d numbers, the first one %d", len(got), len(rows[0]))
			return nil, false
		}
		rows = append(rows, v.([]float64))
	}
	return rows, true
}

func (r *reader) edges(path string, n *node, keyPos Position, p Param) (any, bool) {
	if n.kind != listNode {
		r.wrongKind(path, n, keyPos, p.Kind.String(), "write [[0, 1], [1, 2]]")
		return nil, false
	}
	edges := make([][2]int, 0, len(n.items))
	for i, item := range n.items {
		at := fmt.Sprintf("%s[%d]", path, i)
		if item.kind != listNode || len(item.items) != 2 {
			r.wrongKind(at, item, keyPos, "a pair of nodes", "write [0, 1]")
			return nil, false
		}
		v, ok := listOf[int](r, at, item, keyPos, Param{Kind: Ints, Range: AtLeast(0)}, Int)
		if !ok {
			return nil, false
		}
		ends := v.([]int)
		edges = append(edges, [2]int{ends[0], ends[1]})
	}
	return edges, true
}
