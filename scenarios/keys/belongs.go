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
	if p, _ := FindParam(all, section); p != nil && p.Variants != nil {
		if kinds := p.Variants.having(f.in); kinds != nil {
			return "", "it is a key of another kind: " + some(kinds, 3)
		}
	}
	found := findBelow(f, "", all, nil)
	switch {
	case found.path != "":
		top, _, _ = strings.Cut(found.path, ".")
		return top, fmt.Sprintf("%s: write %s: %s", found.why, top, found.example)
	case Named(all, f.Key) != nil && section != "":
		return f.Key, f.Key + " is a key of the scenario itself: write it at the top level"
	}
	return "", ""
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

// nearer returns the location that is nearer to the top, the first of equal ones.
func nearer(a, b location) location {
	if a.path == "" || b.path != "" && strings.Count(b.path, ".") < strings.Count(a.path, ".") {
		return b
	}
	return a
}

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
func find(f misplaced, p Param, path string) (found location) {
	if p.Later != "" {
		return location{}
	}
	at := func(example, where string) location {
		why := fmt.Sprintf("%s belongs in the section %s%s", f.Key, path, where)
		return location{path: path, why: why, example: example, item: p.list()}
	}
	switch p.Kind {
	case Section, Sections:
		if f.in(p.Params) {
			found = at(sample(p.Params, "", f.Key, f.text()), "")
			break
		}
		found = findBelow(f, path, p.Params, func(name, text string) string { return sample(nil, "", name, text) })
	case Variant, VariantList:
		found = findVariant(f, p, path, at)
	}
	if found.path != "" && p.list() {
		found.example = "[" + found.example + "]"
	}
	return found
}

// findVariant is find for a section that has kinds. It prefers the kind in use, then that of the example.
func findVariant(f misplaced, p Param, path string, at func(example, where string) location) (found location) {
	v := p.Variants
	if e, _ := Lookup(v.Entries, f.Key); e != nil {
		return location{path: path, why: fmt.Sprintf("%s is a kind of %s", f.Key, v.What),
			example: sample(v.Params(e), f.Key, "", ""), kind: true, item: p.list()}
	}
	if f.Key == v.Key {
		if e, _ := Lookup(v.Entries, f.Value.Text); e != nil {
			return at(sample(v.Params(e), f.Value.Text, f.Key, f.text()), "")
		}
	} else if e, _ := Lookup(v.Entries, f.kinds[path]); e != nil && f.in(v.Params(e)) {
		return at(sample(v.Params(e), e.Name, f.Key, f.text()), "")
	}
	for _, e := range v.usual(p.Example) {
		params := v.Params(e)
		if f.Key != v.Key && f.in(params) {
			return at(sample(params, e.Name, f.Key, f.text()), v.where(v.having(f.in)))
		}
		below := findBelow(f, path, params, func(name, text string) string { return sample(params, e.Name, name, text) })
		if near := nearer(found, below); near.path != found.path {
			found = near
			found.why += v.where(v.having(func(q []Param) bool { return findBelow(f, path, q, nil).path == near.path }))
		}
	}
	return found
}

func (p Param) list() bool { return p.Kind == Sections || p.Kind == VariantList }

// findBelow calls find for each key of the section at path. around, if not nil, writes the example of that section
// with one of its keys.
func findBelow(f misplaced, path string, params []Param, around func(name, text string) string) (found location) {
	for _, q := range params {
		in := find(f, q, JoinKey(path, q.Name))
		if around != nil {
			in.example = around(q.Name, in.example)
		}
		found = nearer(found, in)
	}
	return found
}

// in reports whether a section with these keys has the field's, and it can be used.
func (f Field) in(params []Param) bool {
	return slices.ContainsFunc(params, func(p Param) bool { return p.Name == f.Key && p.Later == "" })
}

// text returns the value as it was written, or "".
func (f Field) text() string {
	if f.Value == nil || f.Value.Shape == Null {
		return ""
	}
	return Flow(f.Value)
}

// having returns the kinds whose keys satisfy a condition.
func (v *Variants) having(it func(params []Param) bool) (kinds []string) {
	for i := range v.Entries {
		if it(v.Params(&v.Entries[i])) {
			kinds = append(kinds, v.Entries[i].Name)
		}
	}
	return kinds
}

// where names the kinds that have a key, unless all do, or only the one that the example shows.
func (v *Variants) where(kinds []string) string {
	if len(kinds) < 2 || len(kinds) == len(v.Entries) {
		return ""
	}
	return ", where these kinds have it: " + some(kinds, 4)
}

// some joins names, up to a number of them.
func some(names []string, most int) string {
	if len(names) > most {
		names = append(names[:most], "...")
	}
	return strings.Join(names, ", ")
}

// usual returns the entries, the one of the example first.
func (v *Variants) usual(example string) (all []*Entry) {
	for _, first := range []bool{true, false} {
		for i := range v.Entries {
			e := &v.Entries[i]
			if strings.Contains(example+",", v.Key+": "+e.Name+",") == first {
				all = append(all, e)
			}
		}
	}
	return all
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
