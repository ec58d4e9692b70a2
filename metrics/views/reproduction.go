package views

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"tallynet/metrics/escape"
	"tallynet/metrics/render"
	"tallynet/metrics/result"
)

// paperItem is a table, a figure or a theorem of a paper: what the sources of its claims
// begin with, up to the first colon.
type paperItem struct {
	paper, name string
	claims      []result.Claim
	scenarios   []*Verified
}

// itemOf returns the paper and the item that a source names: "Ji et al., Table 3: ...".
func itemOf(source string) (paper, name string) {
	head, _, _ := strings.Cut(source, ":")
	paper, name, _ = strings.Cut(head, ", ")
	return strings.TrimSpace(paper), strings.TrimSpace(name)
}

// itemsOf gathers the claims by paper and item, in the order of appearance within each
// paper.
func itemsOf(all []Verified) []*paperItem {
	var items []*paperItem
	for i := range all {
		v := &all[i]
		for _, c := range v.Claims {
			paper, name := itemOf(c.Source)
			k := slices.IndexFunc(items, func(it *paperItem) bool { return it.paper == paper && it.name == name })
			if k < 0 {
				k, items = len(items), append(items, &paperItem{paper: paper, name: name})
			}
			it := items[k]
			it.claims = append(it.claims, c)
			if !slices.Contains(it.scenarios, v) {
				it.scenarios = append(it.scenarios, v)
			}
		}
	}
	slices.SortStableFunc(items, func(a, b *paperItem) int { return strings.Compare(a.paper, b.paper) })
	return items
}

// outcome says how far the item comes out.
func (it *paperItem) outcome() string {
	t := TallyOf(it.claims)
	exact := !slices.ContainsFunc(it.claims, func(c result.Claim) bool { return !c.Exact })
	switch {
	case !t.Good():
		return fmt.Sprintf("not as stated here: %s", t)
	case t.differs == 0 && exact:
		return "reproduced exactly"
	case t.differs == 0:
		return "reproduced in its claim"
	case t.holds == 0:
		return "differs"
	}
	return fmt.Sprintf("differs in %d of %d claims", t.differs, len(it.claims))
}

// Verified is a scenario whose claims were checked.
type Verified struct {
	Scenario string // its name
	Claims   []result.Claim
	Tables   []result.PaperTable
}

// WriteReproduction writes what came of all tables and figures of the papers.
func WriteReproduction(w io.Writer, all []Verified, small bool, command string) error {
	var b strings.Builder
	b.WriteString("# Reproduction\n\nWhat comes out of the tables, figures and theorems that the scenarios reproduce. ")
	if small {
		b.WriteString("**The small forms of the scenarios were run.** ")
	}
	fmt.Fprintf(&b, "This page is written by\n`%s`; nothing on it is written by hand. The words of a\nclaim paraphrase its paper; a claim that does not come out stays, with the reason that was found.\n\n", command)
	b.WriteString("- *reproduced exactly*: printed numbers or formulas are met.\n- *reproduced in its claim*: the order or the trend that the paper states comes out; its numbers, where it has any, are\n  beside ours below.\n- *differs*: something comes out otherwise; the reason is below.\n\n")
	items := itemsOf(all)
	table := render.Table{Columns: []render.Column{{Name: "paper"}, {Name: "item"}, {Name: "outcome"}, {Name: "claims"},
		{Name: "scenario"}}}
	var total Tally
	for _, it := range items {
		t := TallyOf(it.claims)
		total = total.Plus(t)
		table.Rows = append(table.Rows, []render.Cell{render.Text(it.paper), render.Text(it.name), render.Text(it.outcome()),
			render.Text(t.short()), render.Text(it.files())})
	}
	if err := table.WriteMarkdown(&b); err != nil {
		return err
	}
	fmt.Fprintf(&b, "\n%s in %s: %s.\n", plural(total.All(), "claim"), plural(len(all), "scenario"), total)
	for _, it := range items {
		fmt.Fprintf(&b, "\n## %s, %s\n\n%s; in %s.\n\n", escape.Markdown(it.paper), escape.Markdown(it.name),
			strings.ToUpper(it.outcome()[:1])+it.outcome()[1:], escape.Markdown(it.files()))
		for i := range it.claims {
			b.WriteString(claimItem(&it.claims[i]))
		}
		for _, v := range it.scenarios {
			for k := range v.Tables {
				if paper, name := itemOf(v.Tables[k].Source); paper != it.paper || name != it.name {
					continue
				}
				b.WriteString("\n")
				if err := PaperTable(&v.Tables[k]).WriteMarkdown(&b); err != nil {
					return err
				}
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// short is the tally without what there is none of.
func (t Tally) short() string {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{{t.holds, "hold"}, {t.differs, "differ"}, {t.fails, "fail"}, {t.undecided, "undecided"}, {t.unexpected,
		"hold unexpectedly"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	return strings.Join(parts, ", ")
}

// files names the scenarios.
func (it *paperItem) files() string {
	var names []string
	for _, v := range it.scenarios {
		names = append(names, v.Scenario+".yaml")
	}
	return strings.Join(names, ", ")
}

// claimItem is a claim as an item of a Markdown list. Words of the files are not
// markup, what is measured is code.
func claimItem(c *result.Claim) string {
	var b strings.Builder
	fmt.Fprintf(&b, "- **%s**: %s.", c.Outcome(), escape.Markdown(strings.TrimSuffix(c.Text, ".")))
	if _, detail, ok := strings.Cut(c.Source, ":"); ok {
		fmt.Fprintf(&b, " (%s)", escape.Markdown(strings.TrimSpace(detail)))
	}
	if c.Printed != nil {
		fmt.Fprintf(&b, " Printed: %s.", escape.Markdown(strings.TrimSuffix(c.PrintedText(), ".")))
	}
	if why := reasonOf(c); why != "" {
		fmt.Fprintf(&b, " Why: %s.", escape.Markdown(strings.TrimSuffix(why, ".")))
	}
	b.WriteByte('\n')
	fmt.Fprintf(&b, "  - check: `%s`\n", code(c.Check))
	for _, m := range measuredParts(c, shortName, render.Measured) {
		fmt.Fprintf(&b, "  - `%s`\n", code(m))
	}
	return b.String()
}

// code makes text fit for a code span on one line.
func code(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(escape.Plain(s)), " "), "`", "'")
}
