package keys

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// misplaced is a key that its section does not declare. kinds has the kinds of the sections in the file, by path.
type misplaced struct {
	Field
	kinds map[string]string
}

// belongs looks for a section that declares a misplaced key, or has a kind of that name. It returns the top-level key
// of that section and a hint with an example, or "" if there is none.
func belongs(f misplaced, section string, all []Param) (top, hint string) {
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
	if found.path == "" && Named(all, f.Key) != nil && section != "" {
		return f.Key, f.Key + " is a key of the scenario itself: write it at the top level"
	}
	if found.path == "" {
		return "", ""
	}
	return top, fmt.Sprintf("%s: write %s: %s", found.why, top, found.example)
}

// otherKinds returns the kinds of the section at the path that have the key, three at most.
func otherKinds(key string, path []string, all []Param) []string {
	p := Named(all, path[0])
	switch {
	case p == nil, p.Variants == nil && len(path) == 1:
		return nil
	case p.Variants == nil:
		return otherKinds(key, path[1:], p.Params)
	case len(path) > 1:
		return otherKinds(key, path[1:], slices.Concat(p.Variants.First, p.Variants.Last))
	}
	var kinds []string
	for i := range p.Variants.Entries {
		e := &p.Variants.Entries[i]
		if Named(e.Params, key) != nil {
			if kinds = append(kinds, e.Name); len(kinds) > 3 {
				kinds[3] = "..."
				break
			}
		}
	}
	return kinds
}

var index = regexp.MustCompile(`\[[0-9]+\]`)

// location is a section that declares a misplaced key.
type location struct {
	path    string // "network.overhead"
	why     string
	example string // the section with the key in it
	kind    bool   // the key is a kind of that section
	item    bool   // that section is an item of a list
}

func (p location) depth() int { return strings.Count(p.path, ".") }

// inside returns the path of the key in a section below the one where it was written, or "".
func inside(f misplaced, path string, params []Param) string {
	found := findBelow(f, path, params, nil)
	if found.path == "" || found.kind {
		return ""
	}
	if found.item {
		found.path += "[0]"
	}
	return JoinKey(found.path, f.Key)
}

// find looks for the key, or for a kind of that name, in the section p and below it. It prefers the location nearest
// to the top.
func find(f misplaced, p Param, path string) location {
	if p.Later != "" {
		return location{}
	}
	at := func(why, example string) location {
		return p.listed(location{path: path, why: why, example: example, item: p.list()})
	}
	switch p.Kind {
	case Section, Sections:
		if slices.ContainsFunc(p.Params, f.named) {
			return at(fmt.Sprintf("%s belongs in the section %s", f.Key, path), sample(p.Params, "", f.Key, f.text()))
		}
		return p.listed(findBelow(f, path, p.Params, func(name, text string) string {
			return sample(nil, "", name, text)
		}))
	case Variant, VariantList:
		v := p.Variants
		if e, _ := Lookup(v.Entries, f.Key); e != nil {
			found := at(fmt.Sprintf("%s is a kind of %s", f.Key, v.What), sample(v.Params(e), f.Key, "", ""))
			found.kind = true
			return found
		}
		e, _ := Lookup(v.Entries, f.kinds[path]) // the one in use
		if e != nil && f.Key != v.Key && slices.ContainsFunc(v.Params(e), f.named) {
			return at(fmt.Sprintf("%s belongs in the section %s", f.Key, path), sample(v.Params(e), e.Name, f.Key, f.text()))
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
				return at(fmt.Sprintf("%s belongs in the section %s%s", f.Key, path,
					v.having(func(q []Param) bool { return slices.ContainsFunc(q, f.named) })),
					sample(params, name, f.Key, f.text()))
			}
		}
		return p.listed(v.findInside(f, path, p.Example))
	}
	return location{}
}

func (p Param) list() bool { return p.Kind == Sections || p.Kind == VariantList }

// listed puts the example in brackets if p is a list.
func (p Param) listed(l location) location {
	if l.path != "" && p.list() {
		l.example = "[" + l.example + "]"
	}
	return l
}

// findBelow calls find for each key of the section at path. around, if not nil, writes the example of that section
// with one of its keys.
func findBelow(f misplaced, path string, params []Param, around func(name, text string) string) location {
	var found location
	for _, q := range params {
		in := find(f, q, path+"."+q.Name)
		if in.path == "" || found.path != "" && in.depth() >= found.depth() {
			continue
		}
		if found = in; around != nil {
			found.example = around(q.Name, in.example)
		}
	}
	return found
}

// findInside calls find for the keys of each kind.
func (v *Variants) findInside(f misplaced, path, example string) location {
	var found location
	for _, e := range v.usual(example) {
		params := v.Params(e)
		in := findBelow(f, path, params, func(name, text string) string { return sample(params, e.Name, name, text) })
		if in.path != "" && (found.path == "" || in.depth() < found.depth()) {
			found = in
			found.why += v.having(func(q []Param) bool { return findBelow(f, path, q, nil).path == in.path })
		}
	}
	return found
}

// named reports whether p has the field's name and can be used.
func (f Field) named(p Param) bool { return p.Name == f.Key && p.Later == "" }

// text returns the value as it was written, or "".
func (f Field) text() string {
	if f.Value == nil || f.Value.Shape == Null {
		return ""
	}
	return Flow(f.Value)
}

// having lists up to four kinds whose keys satisfy a condition. It returns "" if all kinds do, or only the one that
// the example shows.
func (v *Variants) having(it func(params []Param) bool) string {
	var kinds []string
	for i := range v.Entries {
		if it(v.Params(&v.Entries[i])) {
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

// usual returns the entries, the one of the example first.
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

// sample writes an example of a section: its required keys, and the key with and its value. An empty text stands for
// the example value of the declaration. kind names the kind of a Variant.
func sample(params []Param, kind, with, text string) string {
	shown := Named(params, with)
	if shown == nil && with != "" {
		return "{" + with + ": " + text + "}"
	}
	beside, only := "", "" // the other key that this one needs, and which value of it
	if shown != nil {
		beside = shown.With
		if key, values, ok := strings.Cut(shown.Only, ": "); ok {
			beside = key
			only, _, _ = strings.Cut(values, " or ")
		}
	}
	var parts []string
	for i, p := range params {
		switch {
		case kind != "" && i == 0:
			parts = append(parts, p.Name+": "+kind)
		case p.Name == with && text != "":
			parts = append(parts, p.Name+": "+text)
		case p.Name == beside && only != "":
			parts = append(parts, p.Name+": "+only)
		case p.Name == with || p.Name == beside || p.Required && p.Unless == "" && p.Only == "" ||
			p.Required && p.Unless != "" && with != p.Unless:
			parts = append(parts, p.Name+": "+p.Example)
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
