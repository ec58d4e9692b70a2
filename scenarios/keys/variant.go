package keys

import (
	"slices"
	"strings"
)

// Variants declares a section whose kind determines its other keys.
type Variants struct {
	Key      string // that names the kind: "kind" or "name"
	What     string // "topology"
	Entries  []Entry
	First    []Param           // keys of every kind, before those of the entry
	Last     []Param           // and after them
	Fallback string            // the default kind; "" if the kind is required
	Implied  map[string]string // keys that imply a kind if the section names none
	Later    []string          // kinds that belong to a later version
}

// Params returns the keys of one kind.
func (v *Variants) Params(e *Entry) []Param {
	kind := Param{Name: v.Key, Kind: Enum, Custom: true, Required: true, Enum: e.Names(), About: "which " + v.What}
	return slices.Concat([]Param{kind}, v.First, e.Params, v.Last)
}

// Variant reads the section f by the declarations of its kind. It reports false after an error. A single word stands
// for {kind: word}.
func (r *Reader) Variant(path string, f *Field, v *Variants) (Args, bool) {
	a, ok := r.variant(path, f, v)
	a.derive(Args{})
	return a, ok
}

func (r *Reader) variant(path string, f *Field, v *Variants) (Args, bool) {
	n := f.Value
	if n.Shape == Scalar {
		n = &Value{Shape: Map, Pos: n.Pos, Size: 2, Fields: []Field{{v.Key, f.KeyPos, n}}}
	}
	names := strings.Join(EntryNames(v.Entries), ", ")
	if n.Shape != Map {
		r.WrongKind(path, n, f.KeyPos, "a section of keys", "write "+v.Key+": and a name from: "+names)
		return Args{}, false
	}
	name, pos, ok := r.kindOf(path, n, f, v)
	if !ok {
		return Args{}, false
	}
	entry, alias := Lookup(v.Entries, name)
	at := JoinKey(path, v.Key)
	switch {
	case entry != nil:
	case slices.Contains(v.Later, name):
		r.Fail(pos, at, "want one of: "+names, "not yet: the %s %s belongs to a later version", v.What, name)
		return Args{}, false
	default:
		r.Fail(pos, at, DidYouMean(name, EntryNames(v.Entries)), "there is no %s called %s", v.What, quote(name))
		return Args{}, false
	}
	if alias != nil {
		n = r.preset(path, n, pos, alias)
	}
	where := f.KeyPos
	if strings.HasSuffix(path, "]") {
		where = pos // an item of a list has no key of its own
	}
	before := len(r.Errs)
	a := r.section(path, "the "+v.What+" "+name, name, n, where, v.Params(entry))
	if entry.Check != nil && len(r.Errs) == before {
		if wrong := entry.Check(a); wrong != nil {
			if k := n.Child(wrong.Param); k != nil {
				where, path = k.KeyPos, JoinKey(path, wrong.Param)
			}
			r.Fail(where, path, wrong.Hint, "%s", wrong.Message)
		}
	}
	return a, len(r.Errs) == before
}

// kindOf returns the kind of the section and its position.
func (r *Reader) kindOf(path string, n *Value, f *Field, v *Variants) (string, FilePosition, bool) {
	k := n.Child(v.Key)
	switch {
	case k != nil && k.Value.Shape != Scalar:
		r.WrongKind(JoinKey(path, v.Key), k.Value, k.KeyPos, "the name of a "+v.What, "")
		return "", FilePosition{}, false
	case k != nil:
		return k.Value.Text, k.Value.Pos, true
	}
	for _, field := range n.Fields {
		if kind, ok := v.Implied[field.Key]; ok {
			return kind, f.KeyPos, true
		}
	}
	if v.Fallback != "" {
		return v.Fallback, f.KeyPos, true
	}
	r.Fail(n.Pos, path, "write "+v.Key+": "+v.Entries[0].Name+", or another of: "+strings.Join(EntryNames(v.Entries),
		", "),
		"%s is missing: which %s", v.Key, v.What)
	return "", FilePosition{}, false
}

// preset adds the parameters that the alias sets. The file may repeat them, but not change them.
func (r *Reader) preset(path string, n *Value, pos FilePosition, alias *Alias) *Value {
	fields := slices.Clone(n.Fields)
	for _, p := range alias.Preset {
		if e := n.Child(p.Param); e != nil {
			if e.Value.Shape != Scalar || e.Value.Text != p.Value {
				r.Fail(e.KeyPos, JoinKey(path, p.Param), "leave it out", "%s means %s: %s", alias.Name, p.Param,
					p.Value)
			}
			continue
		}
		fields = append(fields, Field{p.Param, pos, &Value{Shape: Scalar, Text: p.Value, Pos: pos, Size: 1}})
	}
	return &Value{Shape: Map, Pos: n.Pos, Fields: fields, Size: n.Size + len(alias.Preset)}
}
