package papers

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/escape"
	"tallynet/metrics/report/quantity"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// Pages is the Markdown pages about papers: README.md, which is the index, and one page per paper, with their tables
// and pictures.
type Pages struct {
	Command string // that made them
	Small   bool   // the small forms of the scenarios were run

	groups []*paperGroup
	items  []*paperItem
	all    []Verified
}

// NewPages returns the pages of some scenarios.
func NewPages(all []Verified, command string, small bool) *Pages {
	items := itemsOf(all)
	return &Pages{Command: command, Small: small, groups: groupsOf(items), items: items, all: all}
}

// Files returns the files of the pages; the index is the last.
func (p *Pages) Files() []result.File {
	var files []result.File
	for _, it := range p.items {
		for _, f := range it.figures {
			files = append(files, Drawn{f.file, AsDrawn(f.PaperFigure).Figure}.PictureFiles()...)
		}
		for _, t := range it.tables {
			named := *t.PaperTable
			named.Name = t.file
			files = append(files, slices.DeleteFunc(PaperFiles([]result.PaperTable{named}), func(f result.File) bool {
				return strings.HasSuffix(f.Name, ".txt") || strings.HasSuffix(f.Name, ".md") // the page has it
			})...)
		}
	}
	for _, name := range p.names() {
		files = append(files, result.File{Name: name, Write: func(w io.Writer) error { return p.writePaper(w, name) }})
	}
	return append(files, result.File{Name: "README.md", Write: p.writeIndex})
}

// names returns the names of the papers' pages.
func (p *Pages) names() []string {
	var names []string
	for _, it := range p.items {
		if name := pageOf(it.paper); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (p *Pages) writeIndex(w io.Writer) error {
	var b strings.Builder
	b.WriteString("# Reproduction\n\nThe tables, figures and theorems of the papers, rebuilt from runs. ")
	if p.Small {
		b.WriteString("**The small forms of the scenarios were run.** ")
	}
	fmt.Fprintf(&b, "%s writes these pages; nothing on them is written by hand.\n\n", code(p.Command))
	b.WriteString("A statement of a paper is *reproduced* (*exactly*, if printed numbers or formulas match) or " +
		"*differs*, with\nthe reason that was found. An upper bound predicts nothing: a result is *consistent* with it. " +
		"What the scenario\nitself sets holds *by construction*. Our own statements are counted separately.\n\n")
	columns := table.WordColumns("paper", "item", "the paper's", "bounds", "ours", "picture")
	index := table.Table{Columns: append(columns, table.Column{Name: "time to run", Unit: metrics.Seconds})}
	for _, g := range p.groups {
		it, picture := g.whole, table.Text("")
		if file := it.picture(); file != "" {
			picture = table.Marked("svg", link("svg", file+".svg"))
		}
		index.Rows = append(index.Rows, []table.Cell{table.Text(it.paper),
			table.Marked(it.title(), it.link(pageOf(it.paper))), table.Text(it.verdict(result.OfPaper)),
			table.Text(it.verdict(result.OfBound)), table.Text(it.verdict(result.Ours)), picture,
			table.Text(timeText(it.seconds()))})
	}
	var claims []result.Claim
	for _, it := range p.items {
		claims = append(claims, it.claims...)
	}
	b.WriteString(index.Markdown() + "\n" + table.FactLines(ClassTallies(claims), "md") + p.aside())
	_, err := io.WriteString(w, b.String())
	return err
}

// aside counts the claims that are about no paper, and so are on no page.
func (p *Pages) aside() string {
	var names []string
	n := 0
	for _, v := range p.all {
		own := 0
		for i := range v.Claims {
			if paper, _ := itemOf(v.Claims[i].Source); paper == thisStudy {
				own++
			}
		}
		if own > 0 {
			n += own
			names = append(names, code(cmp.Or(v.File, v.Scenario)))
		}
	}
	if names == nil {
		return ""
	}
	return fmt.Sprintf("\n%d more claims are of no paper, and on none of these pages: `simulate verify` shows those of "+
		"%s.\n", n, strings.Join(names, ", "))
}

// classes are the classes of claims, with their names in tallies, as headings and in verdicts.
var classes = []struct {
	of                    result.ClaimClass
	tally, heading, found string
}{
	{result.OfPaper, "the papers' statements", "The paper's", "what the paper states"},
	{result.OfBound, "bounds", "Bounds", "its bounds"},
	{result.Ours, "ours", "Ours", "what we add"},
}

// ClassTallies returns a line with the outcomes of each class of claims.
func ClassTallies(claims []result.Claim) []string {
	var lines []string
	for _, class := range classes {
		it := paperItem{claims: claims}
		own := it.of(class.of)
		if len(own) == 0 {
			continue
		}
		set := 0
		for i := range own {
			if own[i].Construction {
				set++
			}
		}
		line := fmt.Sprintf("%s: %d, of which %s", class.tally, len(own), CountClaims(own).Short())
		if set > 0 {
			line += fmt.Sprintf(" (%d by construction)", set)
		}
		lines = append(lines, line)
	}
	return lines
}

func (it *paperItem) title() string  { return cmp.Or(it.name, it.paper) }
func (it *paperItem) anchor() string { return cmp.Or(slug(it.name), "item") }

// link returns a link in Markdown to the item on a page; "" is the page of the link.
func (it *paperItem) link(page string) string { return link(it.title(), page+"#"+it.anchor()) }

// link returns a link in Markdown.
func link(text, to string) string { return "[" + escape.Markdown(text) + "](" + to + ")" }

// timeText returns a time for people; "" if it is not known.
func timeText(seconds float64) string {
	switch {
	case seconds <= 0:
		return ""
	case seconds < 90:
		return fmt.Sprintf("%.0f s", max(seconds, 1))
	case seconds < 90*60:
		return fmt.Sprintf("%.0f min", seconds/60)
	}
	return fmt.Sprintf("%.1f h", seconds/3600)
}

// writePaper writes the page of a paper.
func (p *Pages) writePaper(w io.Writer, page string) error {
	var b strings.Builder
	shown := map[*Verified]string{} // the items whose sections have the settings
	for _, g := range p.groups {
		if pageOf(g.whole.paper) != page {
			continue
		}
		if b.Len() == 0 {
			fmt.Fprintf(&b, "# %s\n\n[All papers](README.md).", escape.Markdown(g.whole.paper))
			if p.Small {
				b.WriteString(" **The small forms of the scenarios were run.**")
			}
			b.WriteString("\n")
		}
		g.write(&b, p.Small, shown)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// write writes the section of a group: its outcome, then its parts.
func (g *paperGroup) write(b *strings.Builder, small bool, shown map[*Verified]string) {
	g.whole.writeHeading(b, "##", "")
	var also []string
	for _, it := range g.also {
		also = append(also, it.link(""))
	}
	if also != nil {
		fmt.Fprintf(b, "\nCounted here, and shown there: %s.\n", strings.Join(also, ", "))
	}
	for _, it := range g.parts {
		if it.name != g.whole.name {
			it.writeHeading(b, "###", g.claimed(it))
		}
		it.write(b, small, shown)
	}
}

// claimed refers an item without claims to the parts of the group that have claims.
func (g *paperGroup) claimed(it *paperItem) string {
	var at []string
	for _, other := range g.parts {
		if len(it.claims) == 0 && len(other.claims) > 0 {
			at = append(at, other.link(""))
		}
	}
	if at == nil {
		return ""
	}
	return "For its claims, see " + strings.Join(at, ", ") + "."
}

// writeHeading writes the name and the outcome, or without instead of the outcome.
func (it *paperItem) writeHeading(b *strings.Builder, mark, without string) {
	fmt.Fprintf(b, "\n<a id=\"%s\"></a>\n\n%s %s\n\n%s\n", it.anchor(), mark, escape.Markdown(it.title()),
		cmp.Or(without, it.sentence()))
}

// write writes the figures, tables, claims and settings of an item.
func (it *paperItem) write(b *strings.Builder, small bool, shown map[*Verified]string) {
	for _, f := range it.figures {
		f.write(b)
	}
	for _, t := range it.tables {
		t.write(b)
	}
	for _, class := range classes {
		claims := it.of(class.of)
		if len(claims) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n%s:\n\n", class.heading)
		for i := range claims {
			b.WriteString(claimItem(&claims[i]))
		}
	}
	it.writeExpressions(b)
	for _, v := range it.scenarios {
		v.writeSettings(b, it.link(""), small, shown)
	}
}

// sentence returns the verdict in words.
func (it *paperItem) sentence() string {
	var parts []string
	for _, class := range classes {
		if v := it.verdict(class.of); v != "-" {
			parts = append(parts, class.found+": **"+escape.Markdown(v)+"**")
		}
	}
	if len(parts) == 0 {
		return "Nothing is claimed about it."
	}
	text := strings.Join(parts, "; ") + "."
	return strings.ToUpper(text[:1]) + text[1:]
}

// picture returns a picture in Markdown, which links to its file.
func picture(title, file string) string { return "[!" + link(title, file) + "](" + file + ")" }

// write sets the printed figure and ours side by side.
func (f drawnFigure) write(b *strings.Builder) {
	here := picture(f.Title, f.file+".svg") + "<br>" + link("png", f.file+".png")
	t := table.Table{Columns: table.WordColumns("printed", "here"),
		Rows: [][]table.Cell{{table.Text(f.Printed), table.Marked(f.Title, here)}}}
	b.WriteString("\n" + t.Markdown())
}

// write writes a table with links to its files.
func (t drawnTable) write(b *strings.Builder) {
	b.WriteString("\n" + PaperTable(t.PaperTable).Markdown())
	b.WriteString("\n" + link("LaTeX", t.file+".tex") + ", " + link("numbers", t.file+".csv") + "\n")
	if figure, ok := paperFigure(t.PaperTable); ok {
		b.WriteString("\n" + picture(figure.Title, t.file+".svg") + "\n")
	}
}

// writeExpressions writes the checks and the measured values, collapsed.
func (it *paperItem) writeExpressions(b *strings.Builder) {
	if len(it.claims) == 0 {
		return
	}
	b.WriteString("\n<details><summary>Checks, and what was measured</summary>\n\n")
	for i := range it.claims {
		c := &it.claims[i]
		fmt.Fprintf(b, "- %s\n  - check: %s\n", escape.Markdown(c.Text), code(c.Check))
		for _, m := range measuredParts(c, shortName, quantity.Measured) {
			fmt.Fprintf(b, "  - %s\n", code(m))
		}
	}
	b.WriteString("\n</details>\n")
}

// writeSettings writes the settings of a scenario, once on a page, and the origin of its runs. Here is a link to the
// section.
func (v *Verified) writeSettings(b *strings.Builder, here string, small bool, shown map[*Verified]string) {
	name := escape.Markdown(v.Scenario)
	if v.Missing != "" {
		fmt.Fprintf(b, "\n%s: **%s**.\n", name, escape.Markdown(v.Missing))
	}
	if where := shown[v]; where != "" {
		fmt.Fprintf(b, "\nSettings of %s: see %s.\n", name, where)
		return
	}
	shown[v] = here
	if len(v.Settings) > 0 {
		t := table.Table{Columns: table.WordColumns("setting", "paper", "here", "why it differs")}
		for _, s := range v.Settings {
			here := escape.Markdown(s.Here)
			if s.Differs {
				here = "**" + here + "**"
			}
			t.Rows = append(t.Rows, []table.Cell{table.Text(s.Name), table.Text(s.Paper), table.Marked(s.Here, here),
				table.Text(s.Reason)})
		}
		fmt.Fprintf(b, "\nSettings of %s:\n\n%s", name, t.Markdown())
	}
	var facts []string
	if v.File != "" {
		facts = append(facts, code(v.File))
	}
	if v.Program != "" {
		facts = append(facts, "run by "+escape.Markdown(v.Program))
	}
	if took := timeText(v.Seconds); took != "" {
		facts = append(facts, "in "+took)
	}
	if v.Small != "" {
		verb := "its small form, which tests run, has"
		if small {
			verb = "this small form has"
		}
		facts = append(facts, verb+" "+escape.Markdown(v.Small))
	}
	if len(facts) > 0 {
		fmt.Fprintf(b, "\n%s: %s.\n", name, strings.Join(facts, "; "))
	}
}

// claimItem returns a claim as an item of a Markdown list. It escapes the words of the scenario.
func claimItem(c *result.Claim) string {
	var b strings.Builder
	fmt.Fprintf(&b, "- **%s**: %s.", escape.Markdown(c.Finding()), escape.Markdown(strings.TrimSuffix(c.Text, ".")))
	if _, detail, ok := strings.Cut(c.Source, ":"); ok {
		fmt.Fprintf(&b, " (%s)", escape.Markdown(strings.TrimSpace(detail)))
	}
	if c.Printed != nil {
		fmt.Fprintf(&b, " Printed: %s.", escape.Markdown(strings.TrimSuffix(c.PrintedText(), ".")))
	}
	for i := range c.Margins {
		if c.Of() != result.OfBound || i > 0 { // Finding has the first margin of a bound
			fmt.Fprintf(&b, " Measured: %s.", escape.Markdown(c.Margins[i].String()))
		}
	}
	if why := c.Why(); why != "" {
		fmt.Fprintf(&b, " Why: %s.", escape.Markdown(strings.TrimSuffix(why, ".")))
	}
	b.WriteByte('\n')
	return b.String()
}

// code returns a code span on one line.
func code(s string) string {
	return "`" + strings.ReplaceAll(strings.Join(strings.Fields(escape.Plain(s)), " "), "`", "'") + "`"
}
