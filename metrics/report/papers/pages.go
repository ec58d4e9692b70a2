package papers

import (
	"cmp"
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strings"

	"tallynet/metrics/escape"
	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/quantity"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// Pages is the Markdown pages about papers: README.md, which is the index, one page per paper with its pictures, and
// reproduction.json, which has the same for programs.
type Pages struct {
	Command string // that made them
	Small   bool   // the small forms of the scenarios were run

	papers []*page
	all    []Verified
}

// page is the page of a paper.
type page struct {
	*Paper
	facts []Judged
	items []*item
	all   []Verified // its scenarios
}

// NewPages returns the pages of the papers of some scenarios.
func NewPages(all []Verified, command string, small bool) (*Pages, error) {
	p, files := &Pages{Command: command, Small: small, all: all}, fileNames{}
	for i := range all {
		of := all[i].Paper
		if of == nil || slices.ContainsFunc(p.papers, func(g *page) bool { return g.ID == of.ID }) {
			continue
		}
		g := &page{Paper: of}
		for _, v := range all {
			if v.Paper != nil && v.Paper.ID == of.ID {
				g.all = append(g.all, v)
			}
		}
		var err error
		if g.facts, err = of.Judge(all); err != nil {
			return nil, err
		}
		g.items = items(g.facts, all, of, files)
		p.papers = append(p.papers, g)
	}
	return p, nil
}

// Claims returns the claims that count: what is printed once, whatever the number of readings, and our own.
func (p *Pages) Claims() []result.Claim {
	var all []result.Claim
	for _, v := range p.all {
		if v.Reading == "" {
			all = append(all, v.Claims...)
		}
	}
	return all
}

// Tallies returns a line for each paper, with the facts that nothing covers.
func (p *Pages) Tallies() []string {
	var lines []string
	for _, g := range p.papers {
		line := g.Cite + ": " + quantity.Plural(len(g.facts), "fact") + ", " + Tally(pointers(g.facts))
		var bare []string
		for _, f := range g.facts {
			if f.Verdict == notCovered && g.Whole {
				bare = append(bare, f.ID)
			}
		}
		switch {
		case bare == nil:
		case p.Small:
			line += "; the small forms do not judge " + strings.Join(bare, ", ") + g.full(bare)
		default:
			line += "; " + notCovered + ": " + strings.Join(bare, ", ")
		}
		lines = append(lines, line)
	}
	ours := slices.DeleteFunc(p.Claims(), func(c result.Claim) bool { return c.Fact != "" })
	if len(ours) > 0 {
		lines = append(lines, fmt.Sprintf("ours: %d, of which %s", len(ours), CountClaims(ours).Short()))
	}
	return lines
}

// full returns the verdicts of full runs of some facts; stale are those of scenarios or facts that changed since.
func (g *page) full(ids []string) string {
	var of []*Judged
	var stale []string
	for i := range g.Full {
		j := &g.Full[i]
		if !slices.Contains(ids, j.ID) {
			continue
		}
		of = append(of, j)
		if !slices.ContainsFunc(g.all, func(v Verified) bool { return v.Hash == j.Hash }) {
			stale = append(stale, j.ID)
		}
	}
	if of == nil {
		return ""
	}
	text := "; the last full runs: " + Tally(of)
	if stale != nil {
		text += "; stale, since their scenarios have changed: " + strings.Join(stale, ", ")
	}
	return text
}

// Uncovered reports whether nothing covers a fact.
func (p *Pages) Uncovered() bool {
	return slices.ContainsFunc(p.papers, func(g *page) bool {
		return g.Whole && slices.ContainsFunc(g.facts, func(f Judged) bool { return f.Verdict == notCovered })
	})
}

// Files returns the files of the pages; the index is the last.
func (p *Pages) Files() []result.File {
	var files []result.File
	for _, g := range p.papers {
		for _, it := range g.items {
			for _, f := range it.drawn {
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
		files = append(files, result.File{Name: g.file(), Write: func(w io.Writer) error {
			_, err := io.WriteString(w, g.text(p.Small))
			return err
		}})
	}
	return append(files, result.File{Name: "reproduction.json", Write: p.writeJSON},
		result.File{Name: "README.md", Write: p.writeIndex})
}

func (g *page) file() string { return g.ID + ".md" }

// writeJSON writes the facts with their verdicts for programs.
func (p *Pages) writeJSON(w io.Writer) error {
	list := Reproduction{Schema: "tallynet/reproduction/v1", Small: p.Small}
	for _, g := range p.papers {
		list.Papers = append(list.Papers, JudgedPaper{g.Paper, g.facts})
	}
	return jsonio.Write(w, list)
}

// Reproduction is the content of reproduction.json.
type Reproduction struct {
	Schema string        `json:"schema"`
	Small  bool          `json:"small,omitempty"` // the small forms of the scenarios were run
	Papers []JudgedPaper `json:"papers"`
}

// JudgedPaper is a paper with the verdicts of its facts.
type JudgedPaper struct {
	*Paper
	Facts []Judged `json:"facts"`
}

// pointers returns the facts of a list as pointers.
func pointers(facts []Judged) []*Judged {
	var all []*Judged
	for i := range facts {
		all = append(all, &facts[i])
	}
	return all
}

const smallRuns = " **The small forms of the scenarios were run.**"

func (p *Pages) writeIndex(w io.Writer) error {
	var b strings.Builder
	b.WriteString("# Reproduction\n\nThe printed facts of the papers, each judged once by its class and margin.")
	if p.Small {
		b.WriteString(smallRuns)
	}
	fmt.Fprintf(&b, " %s writes these pages; `reproduction.json` has the same for programs.\n", code(p.Command))
	for _, g := range p.papers {
		fmt.Fprintf(&b, "\n## [%s](%s)\n\n%s: %s.\n\n", escape.Markdown(g.Cite), g.file(),
			quantity.Plural(len(g.facts), "fact"), Tally(pointers(g.facts)))
		t := table.Table{Columns: table.WordColumns("item", "facts", "verdicts")}
		for _, it := range g.items {
			if len(it.facts) > 0 {
				t.Rows = append(t.Rows, []table.Cell{table.Marked(it.name, link(it.name, g.file()+"#"+anchor(it.name))),
					table.Integer(int64(len(it.facts))), table.Text(Tally(it.facts))})
			}
		}
		b.WriteString(t.Markdown())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// anchor returns the name of an item in links.
func anchor(name string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(name)), "-")
}

// link returns a link in Markdown.
func link(text, to string) string { return "[" + escape.Markdown(text) + "](" + to + ")" }

// text returns the page of a paper: ten lines for its authors, and then its items.
func (g *page) text(small bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n[All papers](README.md).", escape.Markdown(g.Cite))
	if small {
		b.WriteString(smallRuns)
	}
	b.WriteString("\n\n" + g.summary())
	for _, it := range g.items {
		it.write(&b, g)
	}
	b.WriteString(g.runs())
	return b.String()
}

// summary says what comes out, what does not, and what could not be known, on at most ten lines.
func (g *page) summary() string {
	lines := []string{fmt.Sprintf("**%s**: %s.", quantity.Plural(len(g.facts), "printed fact"),
		Tally(pointers(g.facts)))}
	list := func(head string, most int, fits func(*Judged) bool, words func(*Judged) string) {
		var some []string
		for i := range g.facts {
			if fits(&g.facts[i]) {
				some = append(some, words(&g.facts[i]))
			}
		}
		if len(some) > 0 {
			rest := ""
			if len(some) > most {
				rest = fmt.Sprintf("; %d more below", len(some)-most)
			}
			lines = append(lines, "**"+head+"**: "+strings.Join(some[:min(most, len(some))], "; ")+rest+".")
		}
	}
	says := func(j *Judged) string {
		return link(j.Place, "#"+anchor(j.Item())) + ": " + escape.Markdown(j.Says)
	}
	is := func(words ...string) func(*Judged) bool {
		return func(j *Judged) bool { return slices.Contains(words, j.Verdict) }
	}
	var out []string
	for _, it := range g.items {
		if n := it.good(); n > 0 && n == it.judged() {
			out = append(out, link(it.name, "#"+anchor(it.name)))
		}
	}
	if out != nil {
		lines = append(lines, "**Comes out whole**: "+strings.Join(out, ", ")+".")
	}
	list("Does not come out", 4, is("differs", "contradicted"), says)
	list("Depends on what the paper leaves open", 2, is(depends), says)
	list("Undecided", 2, is("undecided"), says)
	list("Printed against itself", 2, func(j *Judged) bool { return j.Slip != "" }, func(j *Judged) string {
		return escape.Markdown(j.Place + ": " + j.Slip)
	})
	var open []string
	for _, r := range g.Readings {
		if r.Main == "" {
			open = append(open, escape.Markdown(r.Open))
		}
	}
	if open != nil {
		lines = append(lines, "**We could not know**: "+strings.Join(open, "; ")+".")
	}
	if g.Answer != "" {
		lines = append(lines, "**The authors**: "+escape.Markdown(g.Answer))
	}
	return "- " + strings.Join(lines, "\n- ") + "\n"
}

// judged counts the facts of an item that runs judge, and good those that come out.
func (it *item) judged() int {
	n := 0
	for _, f := range it.facts {
		if f.Scenario != "" {
			n++
		}
	}
	return n
}

func (it *item) good() int {
	n := 0
	for _, f := range it.facts {
		if good(f.Verdict) {
			n++
		}
	}
	return n
}

// most is the number of rows of an item that are not folded.
const most = 6

// write writes an item: its verdict, a picture, at most six rows, one sentence on what differs, and the rest folded.
func (it *item) write(b *strings.Builder, g *page) {
	fmt.Fprintf(b, "\n<a id=\"%s\"></a>\n\n## %s\n\n", anchor(it.name), escape.Markdown(it.name))
	if len(it.facts) == 0 {
		b.WriteString("Ours: no printed fact.\n")
	} else {
		fmt.Fprintf(b, "%s: **%s**.\n", quantity.Plural(len(it.facts), "fact"), Tally(it.facts))
	}
	var folded strings.Builder
	for i, f := range it.drawn {
		to := b
		if i > 0 {
			to = &folded
		}
		to.WriteString("\n" + picture(f.Title, f.file+".svg") + "\n")
	}
	var cells, others, settings []*Judged
	for _, f := range it.facts {
		switch {
		case f.Class == result.ASetting:
			settings = append(settings, f)
		case f.Column != "":
			cells = append(cells, f)
		default:
			others = append(others, f)
		}
	}
	rows := factRows(others)
	if grid, height := factGrid(cells); height > 0 {
		to := b
		if height > most {
			to = &folded
		}
		to.WriteString("\n" + grid.Markdown())
		if height <= most {
			rows = rest(b, &folded, rows, most-height)
		}
	}
	rest(b, &folded, rows, most)
	it.writeWhy(b, &folded)
	if t := settingRows(settings); len(t.Rows) > 0 {
		folded.WriteString("\n" + t.Markdown())
	}
	if t := underRows(it.facts, g); len(t.Rows) > 0 {
		folded.WriteString("\n" + t.Markdown())
	}
	for _, t := range it.tables {
		folded.WriteString("\n" + PaperTable(t.PaperTable).Markdown())
		folded.WriteString("\n" + link("LaTeX", t.file+".tex") + ", " + link("numbers", t.file+".csv") + "\n")
		if figure, ok := paperFigure(t.PaperTable); ok {
			folded.WriteString("\n" + picture(figure.Title, t.file+".svg") + "\n")
		}
	}
	if folded.Len() > 0 {
		b.WriteString("\n<details><summary>More</summary>\n" + folded.String() + "\n</details>\n")
	}
}

// picture returns a picture that leaves room on a screen.
func picture(title, file string) string {
	words := html.EscapeString(strings.Join(strings.Fields(escape.Plain(title)), " "))
	return fmt.Sprintf(`<a href="%s"><img src="%s" alt="%s" height="360"></a>`, file, file, words)
}

// rest writes at most n of the rows, and the others folded. It returns none, since all are written.
func rest(b, folded *strings.Builder, rows table.Table, n int) table.Table {
	shown, others := rows, rows
	n = max(0, min(n, len(rows.Rows)))
	shown.Rows, others.Rows = rows.Rows[:n], rows.Rows[n:]
	if len(shown.Rows) > 0 {
		b.WriteString("\n" + shown.Markdown())
	}
	if len(others.Rows) > 0 {
		folded.WriteString("\n" + others.Markdown())
	}
	return table.Table{}
}

// factRows has a row for each fact: those that do not come out first, and those that nothing judges last.
func factRows(facts []*Judged) table.Table {
	t := table.Table{Columns: table.WordColumns("fact", "printed", "here", "verdict")}
	order := slices.Clone(facts)
	slices.SortStableFunc(order, func(x, y *Judged) int { return cmp.Compare(x.rank(), y.rank()) })
	for _, f := range order {
		t.Rows = append(t.Rows, []table.Cell{table.Text(f.Says), table.Text(f.printedText()),
			table.Text(cellsText(f.Measured)), verdictCell(f)})
	}
	return t
}

// rank orders facts by what a reader looks for: what differs, what is open, what comes out, and the rest.
func (j *Judged) rank() int {
	switch j.Verdict {
	case "differs", "contradicted":
		return 0
	case "undecided", depends:
		return 1
	case notJudged, notCovered:
		return 3
	}
	return 2
}

// verdictCell shows a verdict, with the share of readings under which the fact comes out.
func verdictCell(f *Judged) table.Cell {
	text, marked := f.Verdict, f.Verdict
	if !good(f.Verdict) {
		marked = "**" + marked + "**"
	}
	if yes, of := f.Share(); of > 1 {
		share := fmt.Sprintf(" (%d of %d readings)", yes, of)
		text, marked = text+share, marked+share
	}
	return table.Marked(text, marked)
}

// printedText returns what is printed, as a relation to a value.
func (f *Judged) printedText() string {
	var words []string
	if f.Formula != "" {
		words = append(words, f.Formula)
		if f.Limits != nil {
			words = append(words, "= "+cellsText(f.Limits))
		}
	}
	words = append(words, cellsText(result.Cells(f.Value...)))
	text := strings.TrimSpace(strings.Join(words, " "))
	if f.Unjudged != "" && text == "" {
		return ""
	}
	if f.Relation != result.Equal {
		text = f.Relation + " " + text
	}
	return strings.TrimSpace(text)
}

// cellsText returns what was measured: of a long list, the ends.
func cellsText(cells []result.PaperCell) string {
	const longest = 5
	var words []string
	for i, c := range cells {
		if len(cells) > longest && i > 1 && i < len(cells)-2 {
			if i == 2 {
				words = append(words, "...")
			}
			continue
		}
		words = append(words, cellText(c))
	}
	return strings.Join(words, ", ")
}

// factGrid is the table of the paper: for each of its rows what is printed and, below, what was measured. height is
// the number of its lines.
func factGrid(facts []*Judged) (t table.Table, height int) {
	if len(facts) == 0 {
		return t, 0
	}
	t.Columns = []table.Column{{Name: "row"}, {}}
	var heads []string
	var names []string
	for _, f := range facts {
		if !slices.Contains(heads, f.Column) {
			heads = append(heads, f.Column)
			t.Columns = append(t.Columns, table.Column{Name: f.Column})
		}
		if !slices.Contains(names, f.Row) {
			names = append(names, f.Row)
		}
	}
	for _, name := range names {
		printed, here := []table.Cell{table.Text(name), table.Text("printed")}, []table.Cell{table.Text(""),
			table.Text("here")}
		for _, head := range heads {
			i := slices.IndexFunc(facts, func(f *Judged) bool { return f.Row == name && f.Column == head })
			if i < 0 {
				printed, here = append(printed, table.Missing()), append(here, table.Missing())
				continue
			}
			f := facts[i]
			text := cellsText(f.Measured)
			if off := f.off(); off != "" {
				text += ", " + off
			}
			marked := escape.Markdown(text)
			if !good(f.Verdict) {
				marked = "**" + marked + " " + f.Verdict + "**"
			}
			printed, here = append(printed, table.Text(f.printedText())), append(here, table.Marked(text, marked))
		}
		t.Rows = append(t.Rows, printed, here)
	}
	return t, len(t.Rows)
}

// off returns how far the mean is from a printed number, in per cent.
func (f *Judged) off() string {
	if f.Class != result.Number || len(f.Measured) != 1 || len(f.Value) != 1 || f.Value[0] == 0 {
		return ""
	}
	off := 100 * (float64(f.Measured[0].Value)/f.Expected(0) - 1)
	if math.IsNaN(off) || math.IsInf(off, 0) {
		return ""
	}
	return fmt.Sprintf("%+.0f %%", off)
}

// writeWhy writes why facts do not come out: the first reason in sight, and all others folded.
func (it *item) writeWhy(b, folded *strings.Builder) {
	var reasons []string
	facts := slices.Clone(it.facts)
	slices.SortStableFunc(facts, func(x, y *Judged) int { return cmp.Compare(x.rank(), y.rank()) })
	for _, f := range facts {
		if f.Why != "" && f.Class != result.ASetting && !slices.Contains(reasons, f.Why) {
			reasons = append(reasons, f.Why)
		}
	}
	for i, why := range reasons {
		to := b
		if i > 0 || facts[0].rank() > 1 {
			to = folded
		}
		fmt.Fprintf(to, "\nWhy: %s.\n", escape.Markdown(strings.TrimSuffix(why, ".")))
	}
}

// settingRows lists the settings that were changed.
func settingRows(facts []*Judged) table.Table {
	t := table.Table{Columns: table.WordColumns("setting", "printed", "here", "why")}
	for _, f := range facts {
		if f.setting != nil && f.setting.Differs {
			t.Rows = append(t.Rows, []table.Cell{table.Text(f.setting.Name), table.Text(f.Says),
				table.Text(f.setting.Here), table.Text(f.setting.Reason)})
		}
	}
	return t
}

// underRows lists the readings under which facts of an item come out otherwise.
func underRows(facts []*Judged, g *page) table.Table {
	t := table.Table{Columns: table.WordColumns("reading", "facts that come out", "flips")}
	type row struct {
		yes, of int
		flips   []string
	}
	rows := map[string]*row{}
	var names []string
	for _, f := range facts {
		for _, u := range f.Under {
			if rows[u.Reading] == nil {
				names, rows[u.Reading] = append(names, u.Reading), &row{}
			}
			r := rows[u.Reading]
			if r.of++; good(u.Outcome) {
				r.yes++
			}
			if good(u.Outcome) != good(f.Verdict) {
				r.flips = append(r.flips, f.ID)
			}
		}
	}
	for _, name := range names {
		r := rows[name]
		t.Rows = append(t.Rows, []table.Cell{table.Text(name), table.Text(fmt.Sprintf("%d of %d", r.yes, r.of)),
			table.Text(strings.Join(r.flips, ", "))})
	}
	return t
}

// runs lists the scenarios of the paper and its readings, folded.
func (g *page) runs() string {
	var b strings.Builder
	b.WriteString("\n## Runs\n")
	if g.Readings != nil {
		t := table.Table{Columns: table.WordColumns("reading", "open", "main", "supported by")}
		for _, r := range g.Readings {
			t.Rows = append(t.Rows, []table.Cell{table.Text(r.Name), table.Text(r.Open), table.Text(cmp.Or(r.Main, "none")),
				table.Text(r.Support)})
		}
		b.WriteString("\n" + t.Markdown())
	}
	b.WriteString("\n<details><summary>Scenarios</summary>\n\n")
	for _, v := range g.all {
		if v.Reading != "" {
			continue
		}
		words := []string{code(cmp.Or(v.File, v.Scenario))}
		if v.Missing != "" {
			words = append(words, "**"+v.Missing+"**")
		}
		if v.Program != "" {
			words = append(words, "run by "+escape.Markdown(v.Program))
		}
		if took := timeText(v.Seconds); took != "" {
			words = append(words, "in "+took)
		}
		b.WriteString("- " + strings.Join(words, "; ") + "\n")
	}
	b.WriteString("\n</details>\n")
	return b.String()
}

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

// code returns a code span on one line.
func code(s string) string {
	return "`" + strings.ReplaceAll(strings.Join(strings.Fields(escape.Plain(s)), " "), "`", "'") + "`"
}
