package scenarios

import (
	"fmt"
	"slices"
	"strings"
)

// The sections whose `kind` (or `name`) chooses which other keys there are.

// Entry is what all entries of the catalog have.
type Entry struct {
	Name    string
	Label   string // how it is shown; the upper-case name where empty
	Aliases []Alias
	Summary string // one line
	Params  []Param
	// Check finds what is wrong with parameters that are right one by one; may be nil.
	Check func(a Args) *ParamError
}

// ParamError is something wrong with one parameter. An empty Param is the whole section.
type ParamError struct{ Param, Message, Hint string }

func (e *ParamError) Error() string {
	if e.Param == "" {
		return e.Message
	}
	return e.Param + ": " + e.Message
}

// Alias is another name of an entry, with some of its parameters set.
type Alias struct {
	Name    string
	Label   string
	Summary string
	Preset  []Preset
}

// Preset is a parameter that an alias sets, as it would be written in a file.
type Preset struct{ Param, Value string }

func upper(name string) string { return strings.ToUpper(name) }

// label returns the display name of the entry under the given name or alias.
func (e *Entry) label(name string) string {
	for _, a := range e.Aliases {
		if a.Name == name && a.Label != "" {
			return a.Label
		}
	}
	if name == e.Name && e.Label != "" {
		return e.Label
	}
	return upper(name)
}

// lookup returns the entry with the name or alias, and the alias, or nil.
func lookup(entries []Entry, name string) (*Entry, *Alias) {
	for i := range entries {
		e := &entries[i]
		if e.Name == name {
			return e, nil
		}
		for j := range e.Aliases {
			if e.Aliases[j].Name == name {
				return e, &e.Aliases[j]
			}
		}
	}
	return nil, nil
}

func entryNames(entries []Entry) []string {
	var names []string
	for _, e := range entries {
		names = append(names, e.Name)
		for _, a := range e.Aliases {
			names = append(names, a.Name)
		}
	}
	return names
}

// choice is a section whose key selects an entry.
type choice struct {
	path     string
	key      string // "kind" or "name"
	what     string // "topology"
	entries  []Entry
	common   []Param  // the keys that it has besides, whatever the kind
	fallback string   // the kind where none is given; "" if it must be
	later    []string // kinds that belong to a later version
}

// chosen is what was selected. entry is nil where that failed and was reported.
type chosen struct {
	name  string
	entry *Entry
	args  Args
	node  *node
}

// choose reads the section e. A single word stands for {kind: word}.
func (r *reader) choose(e *entry, c choice) chosen {
	n := e.value
	if n.kind == scalarNode {
		n = &node{kind: mapNode, pos: n.pos, size: 2, entries: []entry{{c.key, e.keyPos, n}}}
	}
	if n.kind != mapNode {
		r.wrongKind(c.path, n, e.keyPos, "a section of keys", "write "+c.key+": and a name from: "+strings.Join(entryNames(c.entries), ", "))
		return chosen{}
	}
	name, pos := c.fallback, e.keyPos
	if k := n.child(c.key); k != nil {
		if k.value.kind != scalarNode {
			r.wrongKind(joinKey(c.path, c.key), k.value, k.keyPos, "the name of a "+c.what, "")
			return chosen{}
		}
		name, pos = k.value.text, k.value.pos
	} else if name == "" {
		r.fail(n.pos, c.path, "write "+c.key+": "+c.entries[0].Name+", or another of: "+strings.Join(entryNames(c.entries), ", "), "%s is missing: which %s", c.key, c.what)
		return chosen{}
	}
	entry, alias := lookup(c.entries, name)
	if entry == nil {
		if slices.Contains(c.later, name) {
			r.fail(pos, joinKey(c.path, c.key), "there are: "+strings.Join(entryNames(c.entries), ", "), "not yet: the %s %s belongs to a later version", c.what, name)
		} else {
			r.fail(pos, joinKey(c.path, c.key), didYouMean(name, entryNames(c.entries)), "there is no %s called %s", c.what, quoteShort(name))
		}
		return chosen{}
	}
	params := append([]Param{{Name: c.key, Kind: special, About: "which " + c.what}}, c.common...)
	params = append(params, entry.Params...)
	if alias != nil {
		n = r.preset(c, n, pos, alias)
	}
	where := e.keyPos
	if strings.HasSuffix(c.path, "]") {
		where = pos // an item of a list has no key of its own
	}
	before := len(r.errs)
	args := r.section(c.path, "the "+c.what+" "+name, n, where, params)
	if entry.Check != nil && len(r.errs) == before {
		if e := entry.Check(args); e != nil {
			path := c.path
			if k := n.child(e.Param); k != nil {
				where, path = k.keyPos, joinKey(path, e.Param)
			}
			r.fail(where, path, e.Hint, "%s", e.Message)
		}
	}
	return chosen{name, entry, args, n}
}

// preset adds what the alias sets; the file may say the same, and nothing else.
func (r *reader) preset(c choice, n *node, pos Position, alias *Alias) *node {
	entries := slices.Clone(n.entries)
	for _, p := range alias.Preset {
		if e := n.child(p.Param); e != nil {
			if e.value.kind != scalarNode || e.value.text != p.Value {
				r.fail(e.keyPos, joinKey(c.path, p.Param), "leave it out", "%s means %s: %s", alias.Name, p.Param, p.Value)
			}
			continue
		}
		entries = append(entries, entry{p.Param, pos, &node{kind: scalarNode, text: p.Value, pos: pos, size: 1}})
	}
	return &node{kind: mapNode, pos: n.pos, entries: entries, size: n.size + len(alias.Preset)}
}

func (r *reader) topology(e *entry) Topology {
	common := []Param{
		{Name: "nodes", Kind: Int, Required: true, Example: "8", Range: Between(1, 1e7), About: "the number of nodes"},
		{Name: "weights", Kind: special, About: "the mixing matrix"},
		{Name: "schedule", Later: "a graph that changes over time"},
		{Name: "directed", Later: "directed graphs"},
	}
	c := r.choose(e, choice{path: "topology", key: "kind", what: "topology", entries: r.cat.topologies(), common: common, later: laterTopologies()})
	if c.entry == nil {
		return Topology{}
	}
	t := Topology{Kind: c.name, Nodes: c.args.Int("nodes"), Args: c.args}
	if min := r.cat.Topology(c.name).MinNodes; t.Nodes > 0 && t.Nodes < min {
		hint := ""
		if t.Nodes == 1 {
			hint = "a single node is kind: complete"
		}
		r.fail(c.node.child("nodes").value.pos, "topology.nodes", hint, "a %s has at least %d nodes, this is %d", c.name, min, t.Nodes)
	}
	w := c.node.child("weights")
	if w == nil {
		w = &entry{"weights", e.keyPos, &node{kind: scalarNode, text: "metropolis", pos: e.value.pos, size: 1}}
	}
	t.Weights = r.weights(w, t.Nodes)
	return t
}

func (r *reader) weights(e *entry, nodes int) Weights {
	fallback := "metropolis"
	if e.value.child("matrix") != nil {
		fallback = "explicit"
	}
	c := r.choose(e, choice{path: "topology.weights", key: "kind", what: "mixing matrix", entries: r.cat.weights(), fallback: fallback, later: laterWeights()})
	if c.entry == nil {
		return Weights{}
	}
	if m := c.node.child("matrix"); m != nil && c.entry.Name == "explicit" {
		if w := c.args.Matrix("matrix"); nodes > 0 && len(w) > 0 && (len(w) != nodes || len(w[0]) != nodes) {
			r.fail(m.value.pos, "topology.weights.matrix", "", "the matrix is %d x %d; %d nodes need %d x %d", len(w), len(w[0]), nodes, nodes, nodes)
		}
	}
	return Weights{Kind: c.name, Args: c.args}
}

func (r *reader) problem(e *entry) Problem {
	c := r.choose(e, choice{path: "problem", key: "kind", what: "problem", entries: r.cat.problems(), later: laterProblems()})
	return Problem{Kind: c.name, Args: c.args}
}

func (r *reader) algorithms(e *entry) []Algorithm {
	if e.value.kind != listNode || len(e.value.items) == 0 {
		r.wrongKind("algorithms", e.value, e.keyPos, "a list of algorithms", "write one line \"- {name: ..., ...}\" for each; simulate list algorithms names them")
		return nil
	}
	var all []Algorithm
	var places []Position
	for i, item := range e.value.items {
		a, pos, ok := r.algorithm(fmt.Sprintf("algorithms[%d]", i), item, e.keyPos)
		if !ok {
			continue
		}
		for j, b := range all {
			if strings.EqualFold(a.Label, b.Label) {
				r.fail(pos, fmt.Sprintf("algorithms[%d]", i), "give this one a label of its own, as in label: "+a.Label+" (2)",
					"two algorithms have the label %s; the first is at %v", a.Label, places[j])
			}
		}
		all, places = append(all, a), append(places, pos)
	}
	return all
}

func (r *reader) algorithm(path string, n *node, keyPos Position) (Algorithm, Position, bool) {
	if n.kind == nullNode {
		r.wrongKind(path, n, keyPos, "an algorithm", "write {name: ..., ...}")
		return Algorithm{}, n.pos, false
	}
	var grid []gridAxis
	if t := n.child("tune"); t != nil {
		n, grid = r.tuneGrid(path, n, t)
	}
	common := []Param{
		{Name: "label", Kind: String, Example: "DGBO (b=5)", About: "the name in tables and plots"},
		{Name: "tune", Kind: special, About: "a search for the best parameters"},
	}
	before := len(r.errs)
	ch := choice{path: path, key: "name", what: "algorithm", entries: r.cat.algorithms(), common: common, later: laterAlgorithms()}
	c := r.choose(&entry{"", n.pos, n}, ch)
	if c.entry == nil {
		return Algorithm{}, n.pos, false
	}
	a := Algorithm{Name: c.name, Label: c.args.String("label"), Args: c.args}
	pos := n.pos
	if nm := c.node.child("name"); nm != nil {
		pos = nm.value.pos
	}
	if l := c.node.child("label"); l != nil {
		pos = l.value.pos
	}
	if a.Label == "" {
		a.Label = c.entry.label(c.name)
	}
	delete(a.Args.values, "label") // it is a.Label
	if t := n.child("tune"); t != nil && len(r.errs) == before {
		a.Tune = r.tune(path, n, t, grid, ch)
	}
	return a, pos, true
}
