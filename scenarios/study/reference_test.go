package study

import (
	"fmt"
	"slices"
	"strings"

	"tallynet/algorithms"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/spec"
)

// reference returns the reference of all keys in Markdown: a heading and a table for each section, and the table of
// what does not go together.
func reference(cat *catalog.Catalog) string {
	var b strings.Builder
	all := spec.Keys(cat)
	top := slices.Clone(all)
	for i := range top {
		top[i].Params = nil
	}
	b.WriteString("\n### Sections\n\n")
	writeKeys(&b, top)
	for i := range all {
		writeSection(&b, &all[i], all[i].Name)
	}
	b.WriteString("\n### What does not go together\n\nA scenario that has one of these is refused. Options of a " +
		"method, such as solve: cg of aid, can add others.\n\n")
	writeRow(&b, "setting", "does not go with", "why")
	writeRow(&b, "---", "---", "---")
	for _, row := range algorithms.Misfits() {
		var out, in []string
		for _, m := range algorithms.Methods() {
			name := code(m.Declare().Name)
			if row.Not == nil || row.Not(algorithms.Example(m)) {
				out = append(out, name)
			} else {
				in = append(in, name)
			}
		}
		who := strings.Join(out, " ")
		switch {
		case row.Not == nil:
			who = "any method"
		case out == nil:
			who = "a choice of a method"
		case len(in) < len(out):
			who = "all but " + strings.Join(in, " ")
		}
		writeRow(&b, code(row.Key)+": "+row.With, who, row.Why)
	}
	return b.String() + "\n"
}

// writeSection writes a section and the sections in it whose keys depend on their kind.
func writeSection(b *strings.Builder, p *keys.Param, path string) {
	v := p.Variants
	if p.Later != "" || v == nil && p.Params == nil {
		return
	}
	fmt.Fprintf(b, "\n### %s\n\n%s.", path, strings.ToUpper(p.About[:1])+p.About[1:])
	if v == nil {
		b.WriteString("\n\n")
		writeKeys(b, p.Params)
		writeSections(b, p.Params, path, p.Kind)
		return
	}
	fmt.Fprintf(b, " Its keys depend on its `%s`.", v.Key)
	if path == "algorithms" {
		b.WriteString(" `simulate list algorithms` names the methods, `simulate describe NAME` lists the parameters of one.")
	}
	b.WriteString("\n\n")
	below := slices.Concat(v.First, v.Last)
	writeKeys(b, append([]keys.Param{{Name: v.Key, Kind: keys.String, Takes: "a name", Required: v.Fallback == "",
		About: "which " + v.What, Derived: v.Fallback}}, below...))
	if path != "algorithms" {
		b.WriteString("\n")
		writeRow(b, "kind", "key", "value", "default", "meaning")
		writeRow(b, "---", "---", "---", "---", "---")
		for _, e := range v.Entries {
			fmt.Fprintf(b, "| %s | | | | %s |\n", code(strings.Join(e.Names(), "`, `")), cell(e.Summary))
			for _, r := range keys.Rows(e.Params) {
				b.WriteString("| ")
				writeRow(b, code(r.Name), r.Takes, r.Default, r.Meaning)
			}
		}
	}
	writeSections(b, append(below, nested(v)...), path, p.Kind)
}

func writeSections(b *strings.Builder, params []keys.Param, path string, kind keys.ParamKind) {
	for i := range params {
		switch {
		case params[i].Variants == nil:
		case kind == keys.Sections:
			writeSection(b, &params[i], path+"[]."+params[i].Name)
		default:
			writeSection(b, &params[i], path+"."+params[i].Name)
		}
	}
}

// nested returns the Variants among the keys of the entries, each name once. Of several declarations it takes the one
// with the most keys.
func nested(v *keys.Variants) (all []keys.Param) {
	size := func(p keys.Param) (n int) {
		for i := range p.Variants.Entries {
			n += 1 + len(p.Variants.Entries[i].Params)
		}
		return n
	}
	for i := range v.Entries {
		for _, p := range v.Entries[i].Params {
			k := slices.IndexFunc(all, func(q keys.Param) bool { return q.Name == p.Name })
			switch {
			case p.Variants == nil:
			case k < 0:
				all = append(all, p)
			case size(p) > size(all[k]):
				all[k] = p
			}
		}
	}
	return all
}

func writeKeys(b *strings.Builder, params []keys.Param) {
	writeRow(b, "key", "value", "default", "meaning")
	writeRow(b, "---", "---", "---", "---")
	for _, r := range keys.Rows(params) {
		writeRow(b, code(r.Name), r.Takes, r.Default, r.Meaning)
	}
}

func writeRow(b *strings.Builder, cells ...string) {
	for i := range cells {
		cells[i] = cell(cells[i])
	}
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

func code(text string) string { return "`" + text + "`" }

func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }
