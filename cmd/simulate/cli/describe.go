package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tallynet/metrics/report/table"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/spec"
)

// text is a heading of a description and the lines below it.
type text struct{ heading, body string }

// description is an entry of the catalog with the texts that describe it.
type description struct {
	entry   keys.Entry
	what    string // "algorithm"
	texts   []text
	example func() string // returns a scenario that uses the entry, or ""
}

func (a *app) describeCommand() *cobra.Command {
	return &cobra.Command{
		Use: "describe NAME", Short: "Describe an algorithm, problem, graph, mixing rule, network or scenario key, with " +
			"its parameters",
		Args: need(1, 1, "a name"),
		RunE: func(_ *cobra.Command, args []string) error {
			found := a.find(args[0])
			key, names := keys.FindParam(spec.Keys(a.catalog), args[0])
			if len(found) == 0 && key == nil {
				names = slices.Clone(names)
				for _, s := range a.sections() {
					for _, e := range s.entries {
						names = append(names, e.Names()...)
					}
				}
				hint := "; simulate list shows what there is"
				if n := keys.Nearest(args[0], names); n != "" {
					hint = "; did you mean " + n + "?"
				}
				return fmt.Errorf("describe: nothing is called %q%s", args[0], hint)
			}
			var texts []string
			for _, d := range found {
				texts = append(texts, d.text())
			}
			if key != nil {
				texts = append(texts, keyText(args[0], key))
			}
			_, err := fmt.Fprint(a.io.Out, strings.Join(texts, "\n"))
			return err
		},
	}
}

// find returns all entries with the name or alias.
func (a *app) find(name string) []description {
	var found []description
	if e := a.catalog.Algorithm(name); e != nil {
		found = append(found, description{e.Entry, "algorithm",
			[]text{{"Solves", e.Problem}, {"Updates", e.Updates}, {"Cost of an outer iteration", e.CostInWords()},
				{"Does not go with", e.Misfits}, {"Departures from the paper", e.Departures}, {"Source", e.Source}},
			func() string { return a.exampleOf(exampleParts{algorithm: name, problem: e.ExampleProblem}) }})
	}
	if e := a.catalog.Problem(name); e != nil {
		found = append(found, description{e.Entry, "problem", []text{{"Formula", e.Formula}, {"Source", e.Source}},
			func() string { return a.exampleOf(exampleParts{problem: name}) }})
	}
	if e := a.catalog.Topology(name); e != nil {
		about := fmt.Sprintf("at least %d nodes", e.MinNodes)
		if e.Random {
			about += "; drawn at random, from the scenario's seed"
		}
		found = append(found, description{e.Entry, "topology", []text{{"Nodes", about}},
			func() string { return a.exampleOf(exampleParts{topology: name}) }})
	}
	if e := a.catalog.WeightsRule(name); e != nil {
		found = append(found, description{e.Entry, "weights", []text{{"Formula", e.Formula}, {"Source", e.Source}},
			func() string { return a.exampleOf(exampleParts{weights: name}) }})
	}
	if e := a.catalog.Platform(name); e != nil {
		found = append(found, description{e.Entry, "platform", nil,
			func() string { return platformExample(&e.Entry, name) }})
	}
	return found
}

// text describes the entry.
func (d *description) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s): %s\n", d.entry.Name, d.what, d.entry.Summary)
	for _, alias := range d.entry.Aliases {
		fmt.Fprintf(&b, "Also %s: %s\n", alias.Name, alias.Summary)
	}
	for _, t := range d.texts {
		if t.body == "" {
			continue
		}
		fmt.Fprintf(&b, "\n%s\n", t.heading)
		for line := range strings.SplitSeq(t.body, "\n") {
			if len([]rune(line)) < 110 {
				fmt.Fprintf(&b, "  %s\n", line) // formulas keep their spaces
			} else {
				fmt.Fprintf(&b, "%s\n", table.Wrapped(line, "  "))
			}
		}
	}
	if len(d.entry.Params) > 0 {
		writeRows(&b, "Parameters", keys.Rows(d.entry.Params))
	}
	if example := d.example(); example != "" {
		fmt.Fprintf(&b, "\nExample\n  %s\n", strings.ReplaceAll(strings.TrimSpace(example), "\n", "\n  "))
	}
	return b.String()
}

// writeRows writes a heading, and rows of keys as a table.
func writeRows(b *strings.Builder, heading string, rows []keys.Row) {
	b.WriteString("\n" + heading + "\n")
	out := table.Table{Columns: table.WordColumns("name", "value", "default", "meaning")}
	for _, r := range rows {
		out.Rows = append(out.Rows, []table.Cell{table.Text(r.Name), table.Text(r.Takes),
			table.Text(cmp.Or(r.Default, "-")), table.Text(r.Meaning)})
	}
	b.WriteString(out.Text(table.TextWidth))
}

// keyText describes a key of scenario files and the keys below it.
func keyText(path string, p *keys.Param) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (key of a scenario): %s\n", path, p.About)
	kinds, rows := p.Variants, keys.Rows([]keys.Param{*p})
	switch {
	case kinds != nil:
		rows = keys.Rows(slices.Concat(kinds.First, kinds.Last))
	case p.Params != nil:
		rows = keys.Rows(p.Params)
	}
	if len(rows) > 0 {
		writeRows(&b, "Keys", rows)
	}
	if kinds != nil {
		fmt.Fprintf(&b, "\nKinds (%s)\n", kinds.Key)
		for i := range kinds.Entries {
			e := &kinds.Entries[i]
			b.WriteString(item(strings.Join(e.Names(), ", "), e.Summary, 21))
		}
		small := []keys.Row{}
		for i := range kinds.Entries {
			for _, r := range keys.Rows(kinds.Entries[i].Params) {
				r.Name = kinds.Entries[i].Name + ": " + r.Name
				small = append(small, r)
			}
		}
		if len(small) > 0 && len(small) < 30 {
			writeRows(&b, "Keys of a kind", small)
		}
	}
	return b.String()
}
