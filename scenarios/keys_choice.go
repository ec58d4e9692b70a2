package scenarios

import (
	"slices"
	"strings"
)

// The sections whose `kind` (or `name`) chooses which other keys there are.

// choice is a section whose key selects an entry.
type Choice struct {
	Path     string
	Key      string // "kind" or "name"
	What     string // "topology"
	Entries  []Entry
	Common   []Param  // the keys that it has besides, whatever the kind
	Fallback string   // the kind where none is given; "" if it must be
	Later    []string // kinds that belong to a later version
}

// chosen is what was selected. entry is nil where that failed and was reported.
type Chosen struct {
	Name  string
	Entry *Entry
	Args  Args
	Value  *Value
}

// choose reads the section e. A single word stands for {kind: word}.
func (r *Reader) Choose(e *Field, c Choice) Chosen {
	n := e.Value
	if n.Shape == Scalar {
		n = &Value{Shape: Map, Pos: n.Pos, Size: 2, Fields: []Field{{c.Key, e.KeyPos, n}}}
	}
	if n.Shape != Map {
		r.WrongKind(c.Path, n, e.KeyPos, "a section of keys", "write "+c.Key+": and a name from: "+strings.Join(EntryNames(c.Entries), ", "))
		return Chosen{}
	}
	name, pos := c.Fallback, e.KeyPos
	if k := n.Child(c.Key); k != nil {
		if k.Value.Shape != Scalar {
			r.WrongKind(JoinKey(c.Path, c.Key), k.Value, k.KeyPos, "the name of a "+c.What, "")
			return Chosen{}
		}
		name, pos = k.Value.Text, k.Value.Pos
	} else if name == "" {
		r.Fail(n.Pos, c.Path, "write "+c.Key+": "+c.Entries[0].Name+", or another of: "+strings.Join(EntryNames(c.Entries), ", "), "%s is missing: which %s", c.Key, c.What)
		return Chosen{}
	}
	entry, alias := Lookup(c.Entries, name)
	if entry == nil {
		if slices.Contains(c.Later, name) {
			r.Fail(pos, JoinKey(c.Path, c.Key), "there are: "+strings.Join(EntryNames(c.Entries), ", "), "not yet: the %s %s belongs to a later version", c.What, name)
		} else {
			r.Fail(pos, JoinKey(c.Path, c.Key), DidYouMean(name, EntryNames(c.Entries)), "there is no %s called %s", c.What, Quote(name))
		}
		return Chosen{}
	}
	params := append([]Param{{Name: c.Key, Kind: Any, About: "which " + c.What}}, c.Common...)
	params = append(params, entry.Params...)
	if alias != nil {
		n = r.preset(c, n, pos, alias)
	}
	where := e.KeyPos
	if strings.HasSuffix(c.Path, "]") {
		where = pos // an item of a list has no key of its own
	}
	before := len(r.Errs)
	args := r.Section(c.Path, "the "+c.What+" "+name, n, where, params)
	if entry.Check != nil && len(r.Errs) == before {
		if e := entry.Check(args); e != nil {
			path := c.Path
			if k := n.Child(e.Param); k != nil {
				where, path = k.KeyPos, JoinKey(path, e.Param)
			}
			r.Fail(where, path, e.Hint, "%s", e.Message)
		}
	}
	return Chosen{name, entry, args, n}
}

// preset adds what the alias sets; the file may say the same, and nothing else.
func (r *Reader) preset(c Choice, n *Value, pos Position, alias *Alias) *Value {
	entries := slices.Clone(n.Fields)
	for _, p := range alias.Preset {
		if e := n.Child(p.Param); e != nil {
			if e.Value.Shape != Scalar || e.Value.Text != p.Value {
				r.Fail(e.KeyPos, JoinKey(c.Path, p.Param), "leave it out", "%s means %s: %s", alias.Name, p.Param, p.Value)
			}
			continue
		}
		entries = append(entries, Field{p.Param, pos, &Value{Shape: Scalar, Text: p.Value, Pos: pos, Size: 1}})
	}
	return &Value{Shape: Map, Pos: n.Pos, Fields: entries, Size: n.Size + len(alias.Preset)}
}
