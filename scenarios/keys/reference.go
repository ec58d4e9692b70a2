package keys

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Row is the line of one key in the reference.
type Row struct {
	Name    string // below the section, "nic.up", "links[].from"
	Takes   string // the type of its values, with their range
	Default string // as text of a file, "required", or ""
	Meaning string
}

// Rows returns a row for each key of a section and of the sections below it. Keys of Variants are listed by kind
// instead.
func Rows(params []Param) []Row { return rows(nil, params, "") }

func rows(all []Row, params []Param, prefix string) []Row {
	for i := range params {
		p := &params[i]
		if p.Later != "" {
			continue
		}
		all = append(all, Row{prefix + p.Name, p.takes(), p.standard(), p.meaning()})
		switch p.Kind {
		case Section:
			all = rows(all, p.Params, prefix+p.Name+".")
		case Sections:
			all = rows(all, p.Params, prefix+p.Name+"[].")
		}
	}
	return all
}

// takes describes the values: "number in (0, 1]", "peer | server".
func (p *Param) takes() string {
	switch {
	case p.Takes != "":
		return strings.TrimPrefix(p.Takes, "a ")
	case p.Kind == Enum:
		return strings.Join(p.Enum, " | ")
	case p.Kind == Variant:
		return strings.Join(EntryNames(p.Variants.Entries), " | ")
	case len(p.Enum) > 0:
		return "list of: " + strings.Join(p.Enum, " | ")
	}
	text := strings.TrimPrefix(p.Kind.String(), "a ")
	if r := p.interval(); r != "" {
		text += " " + r
	}
	return text
}

func (p *Param) standard() string {
	switch {
	case p.Required:
		return "required"
	case p.Derived != "":
		return p.Derived
	case p.Default == nil:
		return ""
	}
	if list, ok := p.Default.([]string); ok {
		return "[" + strings.Join(list, ", ") + "]"
	}
	return fmt.Sprint(p.Default)
}

func (p *Param) meaning() string {
	text := p.About
	if p.Only != "" {
		text += "; only with " + p.Only
	}
	if p.With != "" {
		text += "; only with " + p.With
	}
	if p.Unless != "" {
		text += "; not with " + p.Unless
	}
	if p.Source != "" {
		text += " (" + p.Source + ")"
	}
	return text
}

// interval returns the range in mathematical notation, or "" if it is unbounded.
func (p *Param) interval() string {
	r := p.Range
	quantity := func(x float64) string { return strings.ReplaceAll(fmt.Sprintf("%g", x), "e+0", "e") }
	switch {
	case r.String() == "":
		return ""
	case math.IsInf(r.Max, 1) && r.OpenMin:
		return "> " + quantity(r.Min)
	case math.IsInf(r.Max, 1):
		return "≥ " + quantity(r.Min)
	}
	left, right := "[", "]"
	if r.OpenMin {
		left = "("
	}
	if r.OpenMax {
		right = ")"
	}
	return "in " + left + quantity(r.Min) + ", " + quantity(r.Max) + right
}

// FindParam returns the declaration at a path such as "network.nic.up", or nil, and the paths of all keys beside it.
func FindParam(params []Param, path string) (found *Param, names []string) {
	steps := strings.Split(strings.ReplaceAll(path, "[]", ""), ".")
	prefix := ""
	for i, step := range steps {
		found, names = nil, nil
		for k := range params {
			if params[k].Later == "" {
				names = append(names, prefix+params[k].Name)
			}
			if params[k].Name == step && params[k].Later == "" {
				found = &params[k]
			}
		}
		if found == nil || i == len(steps)-1 {
			return found, names
		}
		params, prefix = found.Params, prefix+step+"."
		if v := found.Variants; v != nil {
			params = append(append([]Param{}, v.First...), v.Last...)
			for k := range v.Entries {
				params = append(params, v.Entries[k].Params...)
			}
		}
	}
	return found, names
}

// Markdown returns the reference of a file's keys: a heading and a table for each section. elsewhere maps paths of
// sections to a sentence on where their kinds are described. For these, Markdown lists the common keys only.
func Markdown(params []Param, elsewhere map[string]string) string {
	var b strings.Builder
	var top []Param
	for _, p := range params {
		top = append(top, p)
		top[len(top)-1].Params = nil
	}
	b.WriteString("### Sections\n\n")
	writeTable(&b, Rows(top))
	for i := range params {
		writeSection(&b, &params[i], params[i].Name, elsewhere)
	}
	return b.String()
}

func writeSection(b *strings.Builder, p *Param, path string, elsewhere map[string]string) {
	if p.Later != "" || p.Variants == nil && p.Params == nil {
		return
	}
	fmt.Fprintf(b, "\n### %s\n\n%s.", path, capital(p.About))
	if v := p.Variants; v != nil {
		fmt.Fprintf(b, " Its keys depend on its `%s`.", v.Key)
		if where := elsewhere[path]; where != "" {
			b.WriteString(" " + where)
		}
	}
	b.WriteString("\n\n")
	below := p.Params
	if v := p.Variants; v != nil {
		below = append(append([]Param{}, v.First...), v.Last...)
		kind := Param{Name: v.Key, Kind: String, Takes: "a name", Required: v.Fallback == "", About: "which " + v.What}
		if v.Fallback != "" {
			kind.Derived = v.Fallback
		}
		writeTable(b, Rows(append([]Param{kind}, below...)))
		if elsewhere[path] == "" {
			writeKinds(b, v)
		}
	} else {
		writeTable(b, Rows(p.Params))
	}
	below = append(below, p.Variants.nested()...)
	mark := "."
	if p.Kind == Sections {
		mark = "[]."
	}
	for i := range below {
		if below[i].Variants != nil {
			writeSection(b, &below[i], path+mark+below[i].Name, elsewhere)
		}
	}
}

// nested returns the Variants among the keys of the entries, each name once. Of several declarations it takes the one
// with the most keys.
func (v *Variants) nested() []Param {
	var all []Param
	if v == nil {
		return nil
	}
	size := func(p Param) (n int) {
		for i := range p.Variants.Entries {
			n += 1 + len(p.Variants.Entries[i].Params)
		}
		return n
	}
	for i := range v.Entries {
		for _, p := range v.Entries[i].Params {
			if p.Variants == nil {
				continue
			}
			k := slices.IndexFunc(all, func(q Param) bool { return q.Name == p.Name })
			switch {
			case k < 0:
				all = append(all, p)
			case size(p) > size(all[k]):
				all[k] = p
			}
		}
	}
	return all
}

func writeKinds(b *strings.Builder, v *Variants) {
	b.WriteString("\n| kind | key | value | default | meaning |\n| --- | --- | --- | --- | --- |\n")
	for i := range v.Entries {
		e := &v.Entries[i]
		fmt.Fprintf(b, "| `%s` | | | | %s |\n", strings.Join(e.Names(), "`, `"), cell(e.Summary))
		for _, r := range Rows(e.Params) {
			fmt.Fprintf(b, "| | `%s` | %s | %s | %s |\n", r.Name, cell(r.Takes), cell(r.Default), cell(r.Meaning))
		}
	}
}

func writeTable(b *strings.Builder, rows []Row) {
	b.WriteString("| key | value | default | meaning |\n| --- | --- | --- | --- |\n")
	for _, r := range rows {
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", r.Name, cell(r.Takes), cell(r.Default), cell(r.Meaning))
	}
}

func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
