package keys

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// belongs returns the top-level key below which a misplaced key of a section belongs, and a
// hint that says so with an example; "" where no section has such a key or such a kind.
func belongs(f Field, section string, all []Param) (top, hint string) {
	section = index.ReplaceAllString(section, "")
	if kinds := otherKinds(f.Key, strings.Split(section, "."), all); kinds != nil {
		return "", fmt.Sprintf("it is a key of another kind: %s", strings.Join(kinds, ", "))
	}
	var found location
	for _, p := range all {
		if at := find(f, p, p.Name); at.path != "" && at.path != section &&
			(found.path == "" || at.depth() < found.depth()) {
			found, top = at, p.Name
		}
	}
	if found.path == "" && slices.ContainsFunc(all, func(p Param) bool { return p.Name == f.Key }) && section != "" {
		return f.Key, f.Key + " is a key of the scenario itself: write it at the top level"
	}
	if found.path == "" {
		return "", ""
	}
	example := found.example
	steps := strings.Split(found.path, ".")
	for _, step := range slices.Backward(steps) {
		example = step + ": " + example
		if step != steps[0] {
			example = "{" + example + "}"
		}
	}
	return top, fmt.Sprintf("%s: write %s", found.why, example)
}

// otherKinds returns the kinds of the section at the path that have the key, three at most.
func otherKinds(key string, path []string, all []Param) []string {
	i := slices.IndexFunc(all, func(p Param) bool { return p.Name == path[0] })
	if i < 0 {
		return nil
	}
	p := all[i]
	if p.Variants == nil || len(path) > 1 {
		if len(path) == 1 {
			return nil
		}
		below := p.Params
		if p.Variants != nil {
			below = slices.Concat(p.Variants.First, p.Variants.Last)
		}
		return otherKinds(key, path[1:], below)
	}
	var kinds []string
	for i := range p.Variants.Entries {
		e := &p.Variants.Entries[i]
		if slices.ContainsFunc(e.Params, func(q Param) bool { return q.Name == key }) {
			if kinds = append(kinds, e.Name); len(kinds) > 3 {
				kinds[3] = "..."
				break
			}
		}
	}
	return kinds
}

var index = regexp.MustCompile(`\[[0-9]+\]`)

// location is a section that a key belongs to.
type location struct {
	path    string // "network.overhead"
	why     string
	example string // of the section, with the key in it
}

func (p location) depth() int { return strings.Count(p.path, ".") }

// find looks for the key, or for a kind of that name, in the section p and below; the
// location nearest to the top is found first.
func find(f Field, p Param, path string) location {
	if p.Later != "" {
		return location{}
	}
	list := p.Kind == Sections || p.Kind == VariantList
	at := func(why, example string) location {
		if list {
			example = "[" + example + "]"
		}
		return location{path, why, example}
	}
	var below []Param
	switch p.Kind {
	case Section, Sections:
		if slices.ContainsFunc(p.Params, f.named) {
			return at(fmt.Sprintf("%s belongs in the section %s", f.Key, path), sample(p.Params, "", f))
		}
		below = p.Params
	case Variant, VariantList:
		v := p.Variants
		if e, _ := Lookup(v.Entries, f.Key); e != nil {
			return at(fmt.Sprintf("%s is a kind of %s", f.Key, v.What), sample(v.Params(e), f.Key, Field{}))
		}
		for _, e := range v.usual(p.Example) {
			params, name := v.Params(e), e.Name
			if f.Key == v.Key {
				if !slices.Contains(e.Names(), f.Value.Text) {
					continue
				}
				name = f.Value.Text
			}
			if slices.ContainsFunc(params, f.named) {
				return at(fmt.Sprintf("%s belongs in the section %s%s", f.Key, path, v.having(f)), sample(params, name, f))
			}
		}
		below = slices.Concat(v.First, v.Last)
	}
	var found location
	for _, q := range below {
		if in := find(f, q, path+"."+q.Name); in.path != "" && (found.path == "" || in.depth() < found.depth()) {
			if list {
				in = location{} // a key below an item of a list: no short example shows it
			}
			found = in
		}
	}
	return found
}

// named reports whether a key that can be used has the field's name.
func (f Field) named(p Param) bool { return p.Name == f.Key && p.Later == "" }

// having says which kinds have a key, four at most: the one that an example shows is not
// the only one. It is "" where all have it, or one alone.
func (v *Variants) having(f Field) string {
	var kinds []string
	for i := range v.Entries {
		if slices.ContainsFunc(v.Params(&v.Entries[i]), f.named) {
			kinds = append(kinds, v.Entries[i].Name)
		}
	}
	if len(kinds) < 2 || len(kinds) == len(v.Entries) {
		return ""
	}
	if len(kinds) > 4 {
		kinds = append(kinds[:4], "...")
	}
	return fmt.Sprintf(", where these kinds have it: %s", strings.Join(kinds, ", "))
}

// usual returns the entries, that of the example first.
func (v *Variants) usual(example string) []*Entry {
	var first, others []*Entry
	for i := range v.Entries {
		e := &v.Entries[i]
		if strings.Contains(example+",", v.Key+": "+e.Name+",") {
			first = append(first, e)
		} else {
			others = append(others, e)
		}
	}
	return append(first, others...)
}

// sample writes a section with its required keys, and with a key as the user wrote it. kind
// is that of a Variant, whose first key names it.
func sample(params []Param, kind string, with Field) string {
	var parts []string
	beside := "" // which the key needs
	if i := slices.IndexFunc(params, func(p Param) bool { return p.Name == with.Key }); i >= 0 {
		beside = params[i].With
	}
	for i, p := range params {
		switch {
		case kind != "" && i == 0:
			parts = append(parts, p.Name+": "+kind)
		case p.Name == with.Key && with.Value != nil && with.Value.Shape != Null:
			parts = append(parts, p.Name+": "+Flow(with.Value))
		case p.Name == with.Key || p.Name == beside || p.Required && p.Unless == "" && p.Only == "" ||
			p.Required && p.Unless != "" && with.Key != p.Unless:
			parts = append(parts, p.Name+": "+p.Example)
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
