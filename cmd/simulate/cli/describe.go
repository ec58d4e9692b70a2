package cli

import (
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"tallynet/metrics/render"
	"tallynet/scenarios/keys"
)

// text is a heading of a description and what stands below it.
type text struct{ heading, body string }

// description is an entry of the catalog with all that is known of it.
type description struct {
	entry   keys.Entry
	what    string // "algorithm"
	texts   []text
	example func() string // a scenario with the entry, or ""
}

func (a *app) describeCommand() *cobra.Command {
	return &cobra.Command{
		Use: "describe NAME", Short: "What an algorithm, problem, graph or rule of weights is and takes",
		Args: need(1, 1, "a name"),
		RunE: func(_ *cobra.Command, args []string) error {
			found := a.find(args[0])
			if len(found) == 0 {
				var names []string
				for _, s := range a.sections() {
					for _, e := range s.entries {
						names = append(names, entryNames(e)...)
					}
				}
				hint := "; simulate list shows what there is"
				if n := keys.Nearest(args[0], names); n != "" {
					hint = "; did you mean " + n + "?"
				}
				return fmt.Errorf("describe: nothing is called %q%s", args[0], hint)
			}
			for i, d := range found {
				if i > 0 {
					fmt.Fprintln(a.io.Out)
				}
				if err := a.describe(d); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func entryNames(e keys.Entry) []string {
	names := []string{e.Name}
	for _, alias := range e.Aliases {
		names = append(names, alias.Name)
	}
	return names
}

// find returns every entry with the name or alias.
func (a *app) find(name string) []description {
	var found []description
	if e := a.catalog.Algorithm(name); e != nil {
		found = append(found, description{e.Entry, "algorithm",
			[]text{{"Solves", e.Problem}, {"Updates", e.Updates}, {"Cost of an outer iteration", e.Cost}, {"Departures from the paper", e.Departures}, {"Source", e.Source}},
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
	return found
}

func (a *app) describe(d description) error {
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
				fmt.Fprintf(&b, "%s\n", wrapped(line, "  "))
			}
		}
	}
	if len(d.entry.Params) > 0 {
		b.WriteString("\nParameters\n")
		table := render.Table{Columns: []render.Column{{Name: "name"}, {Name: "value"}, {Name: "default"}, {Name: "meaning"}}}
		addParams(&table, d.entry.Params, "")
		if err := table.WriteText(&b); err != nil {
			return err
		}
	}
	if example := d.example(); example != "" {
		fmt.Fprintf(&b, "\nExample\n  %s\n", strings.ReplaceAll(strings.TrimSpace(example), "\n", "\n  "))
	}
	_, err := fmt.Fprint(a.io.Out, b.String())
	return err
}

// addParams adds a row for each parameter, and for those of a section below it.
func addParams(table *render.Table, params []keys.Param, prefix string) {
	for _, p := range params {
		if p.Later != "" {
			continue
		}
		value := strings.TrimPrefix(p.Kind.String(), "a ")
		if len(p.Enum) > 0 {
			value = strings.Join(p.Enum, " | ")
		} else if r := interval(p.Range); r != "" {
			value += " " + r
		}
		standard := written(p.Default)
		if p.Required {
			standard = "required"
		}
		meaning := p.About
		if p.Only != "" {
			meaning += "; only with " + p.Only
		}
		if p.Unless != "" {
			meaning += "; not with " + p.Unless
		}
		if p.Source != "" {
			meaning += " (" + p.Source + ")"
		}
		table.Rows = append(table.Rows, []render.Cell{render.Text(prefix + p.Name), render.Text(value), render.Text(standard), render.Text(meaning)})
		addParams(table, p.Params, prefix+p.Name+".")
	}
}

// interval returns a range as mathematicians write it, or "" where all is allowed.
func interval(r keys.Range) string {
	number := func(x float64) string { return strings.ReplaceAll(fmt.Sprintf("%g", x), "e+0", "e") }
	switch {
	case r.String() == "":
		return ""
	case math.IsInf(r.Max, 1) && r.OpenMin:
		return "> " + number(r.Min)
	case math.IsInf(r.Max, 1):
		return "≥ " + number(r.Min)
	}
	left, right := "[", "]"
	if r.OpenMin {
		left = "("
	}
	if r.OpenMax {
		right = ")"
	}
	return "in " + left + number(r.Min) + ", " + number(r.Max) + right
}

// written returns a default as it would stand in a file.
func written(v any) string {
	switch v := v.(type) {
	case nil:
		return "-"
	case string:
		return v
	case []string:
		return "[" + strings.Join(v, ", ") + "]"
	}
	return fmt.Sprint(v)
}
