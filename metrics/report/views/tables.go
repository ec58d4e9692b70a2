package views

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/escape"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/table"
)

// maxSentences is the largest number of sentences above the tables; summary.txt has all.
const maxSentences = 8

// maxRows is how many rows a table for people may have; CSV has all.
const maxRows = 60

// tables returns what people want to see, in the order of interest.
func (s *StudyView) tables() []table.Table {
	shown := s.groups[:min(len(s.groups), maxRows)]
	var tables []table.Table
	for t := range s.Summary.Targets {
		tables = append(tables, s.costs(t, shown))
	}
	// A run that stops at a target has nothing more to say about its end.
	if beyond := slices.DeleteFunc(slices.Clone(shown), s.endsAtTarget); len(beyond) > 0 {
		tables = append(tables, s.costs(theEnd, beyond))
	}
	first := theEnd
	if len(s.Summary.Targets) > 0 {
		first = 0
	}
	tables = append(tables, s.work(first, shown))
	if p := s.tariffs(first, shown); len(p.Columns) > 0 {
		tables = append(tables, p)
	}
	if p := s.physical(shown); len(p.Rows) > 0 {
		tables = append(tables, p)
	}
	if p := s.predictions(); len(p.Rows) > 0 {
		tables = append(tables, p)
	}
	if n := len(s.groups) - len(shown); n > 0 {
		tables[0].Notes = append(tables[0].Notes, fmt.Sprintf("%d more rows are in table.csv.", n))
	}
	return append(tables, s.parameters())
}

// endsAtTarget reports whether every run of the group ends where it reaches one of the targets.
func (s *StudyView) endsAtTarget(g *group) bool {
	iterations := cost("iterations", "")
	for t := range s.Summary.Targets {
		to, end := s.measure(g, t, iterations), s.measure(g, theEnd, iterations)
		if to.Reached == len(g.runs) && to.Min == end.Min && to.Max == end.Max && to.Value == end.Value {
			return true
		}
	}
	return false
}

// lead returns the columns that name a row, and their cells.
func (s *StudyView) lead() ([]table.Column, func(g *group) []table.Cell) {
	columns := []table.Column{{Name: "method"}}
	a := answerOf(s.Summary)
	for _, k := range a.Axes() {
		columns = append(columns, table.Column{Name: ShortKey(a.Keys[k].Name, s.keys())})
	}
	return columns, func(g *group) []table.Cell {
		return append([]table.Cell{table.Text(g.label)}, a.keyCells(g.Point)...)
	}
}

// ranked returns the groups in the order of the bytes that they need to the target,
// those that never get there last, within each grid point. To their ends, runs stay in
// the order of the file: how far they got differs.
func (s *StudyView) ranked(t int, groups []*group) []*group {
	if t == theEnd {
		return groups
	}
	bytes := map[*group]float64{}
	for _, g := range groups {
		bytes[g] = math.Inf(1)
		if m := s.measure(g, t, cost("payload_bytes", "")); m.Value.Finite() {
			bytes[g] = float64(m.Value)
		}
	}
	ordered := slices.Clone(groups)
	slices.SortStableFunc(ordered, func(a, b *group) int {
		return cmp.Or(cmp.Compare(a.Point, b.Point), cmp.Compare(bytes[a], bytes[b]))
	})
	return ordered
}

// costs is the main table: what each of the groups costs to the target.
func (s *StudyView) costs(t int, groups []*group) table.Table {
	columns, lead := s.lead()
	out := table.Table{Title: s.costsTitle(t, groups), Columns: append(columns, table.Column{Name: "reached"})}
	if t == theEnd {
		out.Columns[len(out.Columns)-1].Name = "status"
	}
	sent := []observable{cost("iterations", ""), cost("rounds", ""), cost("vector_bytes", ""), cost("matrix_bytes", "")}
	time := cost("time_s", "simulated time")
	// Among the runs that did not get somewhere, none is the best.
	ratios := s.comparable() && len(groups) == min(len(s.groups), maxRows)
	add := func(qs []observable, ratio string) {
		for _, q := range qs {
			out.Columns = append(out.Columns, q.column)
		}
		if ratio != "" && ratios {
			out.Columns = append(out.Columns, table.Column{Name: ratio, Unit: table.Ratio})
		}
	}
	add(sent, "bytes vs. best")
	add([]observable{time}, "time vs. best")
	add(s.quality(), "")
	censored, medians := false, false
	for _, g := range s.ranked(t, groups) {
		iterations := s.measure(g, t, sent[0])
		censored = censored || t != theEnd && s.reached(g, t) < len(g.runs)
		outcome := s.outcome(g, t)
		if iterations.Statistic == fold.Median {
			outcome, medians = outcome+" (medians)", true
		}
		row := append(lead(g), table.Text(outcome))
		cells := func(qs []observable, compared observable) {
			for _, q := range qs {
				row = append(row, s.cell(g, t, q))
			}
			if ratios && compared.Costs != nil {
				row = append(row, s.ratio(g, t, compared))
			}
		}
		cells(sent, cost("payload_bytes", ""))
		cells([]observable{time}, time)
		cells(s.quality(), observable{})
		out.Rows = append(out.Rows, row)
	}
	out.Notes = append(s.costNotes(censored, medians, ratios), s.missedNotes(t, groups)...)
	return out
}

// missedNotes say how close the groups came in which no run reached the target, and, of
// whole runs, which metrics were never finite.
func (s *StudyView) missedNotes(t int, groups []*group) []string {
	const most = 12
	var notes []string
	for _, g := range groups {
		name := g.label
		if len(g.point) > 0 {
			name += " at " + s.shortPoint(g, " = ")
		}
		missed := slices.DeleteFunc(slices.Clone(g.Missed), func(m fold.Miss) bool { return m.Target != t })
		if t != theEnd && s.reached(g, t) == 0 && len(missed) > 0 {
			notes = append(notes, fmt.Sprintf("%s never reached %s: at best %s.", name, s.targetName(t), missedWords(missed)))
		}
		if t == theEnd && len(g.NeverFinite) > 0 {
			notes = append(notes, fmt.Sprintf("%s: never a finite number: %s.", name, strings.Join(g.NeverFinite, ", ")))
		}
	}
	if n := len(notes) - most; n > 0 {
		notes = append(notes[:most], fmt.Sprintf("The same holds for %d more rows; summary.json lists all.", n))
	}
	return notes
}

func (s *StudyView) costNotes(censored, medians, ratios bool) []string {
	if !s.seeds() {
		if censored {
			return []string{"A dash: the run ended before it got there."}
		}
		return nil
	}
	notes := []string{fmt.Sprintf("Means over the seeds (%d). Runs that diverged, stalled, failed or were "+
		"interrupted enter none of them.", len(s.Summary.Seeds))}
	if medians {
		notes = append(notes,
			"(medians): some runs ended before the target; costs to it are Kaplan-Meier medians, which count them. Metrics "+
				"are means over the runs that got there.")
	}
	if censored {
		notes = append(notes, "A dash: half of the runs or more did not get there.")
	}
	if ratios {
		notes = append(notes,
			"\"vs. best\" divides these numbers; the ratios in the sentences are geometric means over common seeds.")
	}
	return notes
}

func (s *StudyView) costsTitle(t int, groups []*group) string {
	switch {
	case t != theEnd:
		return "Cost to reach " + s.targetName(t)
	case len(s.Summary.Targets) > 0 && len(groups) < min(len(s.groups), maxRows):
		return "Cost of the whole runs that do not stop at a target"
	}
	return "Cost of the whole runs"
}

// quality returns the metrics that are shown beside the costs.
func (s *StudyView) quality() []observable {
	var qs []observable
	for _, m := range append(s.mainMetrics(), s.headlines()...) {
		q := metric(m)
		q.column.Name = s.fold.Title(m) // which can be broken over several lines
		qs = append(qs, q)
	}
	return qs
}

// comparable reports whether some grid point has two methods, so that ratios say something.
func (s *StudyView) comparable() bool {
	for i := range s.groups[:max(0, len(s.groups)-1)] {
		if s.groups[i].Point == s.groups[i+1].Point {
			return true
		}
	}
	return false
}

// ratio compares the group's number with the least at the same grid point.
func (s *StudyView) ratio(g *group, t int, q observable) table.Cell {
	least, own := math.Inf(1), math.NaN()
	from, to := s.Summary.At(g.Point)
	for _, h := range s.groups[from:to] {
		m := s.measure(h, t, q)
		if !m.Value.Finite() || t == theEnd && h.Ended == 0 {
			continue
		}
		least = min(least, float64(m.Value))
		if h == g {
			own = float64(m.Value)
		}
	}
	if math.IsNaN(own) || math.IsInf(least, 1) || least == 0 {
		return table.Missing()
	}
	return table.Number(own / least)
}

// work is the oracle calls, and what the critical path is made of.
func (s *StudyView) work(t int, groups []*group) table.Table {
	columns, lead := s.lead()
	used := s.usedCalls()
	out := table.Table{Title: "Oracle calls of all nodes, and what the simulated time is made of, to " +
		s.targetName(t), Columns: columns}
	if len(used) == 0 {
		out.Title = "What the simulated time is made of, to " + s.targetName(t)
	}
	var qs []observable
	for _, g := range used {
		qs = append(qs, costs(g.name, g.ids()...))
	}
	qs = append(qs, cost("critical_path.compute_s", "computing"), cost("critical_path.transfer_s", "sending"),
		cost("critical_path.latency_s", "latency"))
	idle := cost("critical_path.idle_s", "idle")
	if slices.ContainsFunc(groups, func(g *group) bool { return s.measure(g, t, idle).Value > 0 }) { // timers are rare
		qs = append(qs, idle)
	}
	for _, q := range qs {
		out.Columns = append(out.Columns, q.column)
	}
	if !s.seeds() {
		out.Columns = append(out.Columns, table.Column{Name: "hash of the run"})
	}
	for _, g := range groups {
		row := lead(g)
		for _, q := range qs {
			row = append(row, s.cell(g, t, q))
		}
		if !s.seeds() {
			row = append(row, table.Text(g.runs[0].Hash))
		}
		out.Rows = append(out.Rows, row)
	}
	out.Notes = append(out.Notes,
		"The last times are those of the critical path, the chain of work and messages that the end waited for; sending "+
			"includes queueing and jitter.")
	return out
}

// wide is the table for machines: every cost and metric, a row for each method, grid point
// and target.
func (s *StudyView) wide() table.Table {
	out := table.Table{Columns: []table.Column{{Name: "at"}, {Name: "method"}}}
	for _, k := range s.keys() {
		out.Columns = append(out.Columns, table.Column{Name: k})
	}
	out.Columns = append(out.Columns, table.Column{Name: "runs", Unit: metrics.Count},
		table.Column{Name: "runs_counted", Unit: metrics.Count}, table.Column{Name: "status"})
	var qs []observable
	for _, c := range metrics.CostItems() {
		if c.Column != "" || c.ID == "iterations" {
			qs = append(qs, cost(c.ID, columnName(&c)))
		}
	}
	for _, m := range s.fold.Metrics() {
		qs = append(qs, metric(m))
	}
	for _, q := range qs {
		out.Columns = append(out.Columns, q.column)
	}
	for t := theEnd; t < len(s.Summary.Targets); t++ {
		at := "end"
		if t != theEnd {
			at = s.targetName(t)
		}
		for _, g := range s.groups {
			row := []table.Cell{table.Text(at), table.Text(s.Summary.Labels[g.Label])}
			for k, v := range s.Summary.Points[g.Point].Values {
				value := ""
				if v >= 0 {
					value = s.Summary.Keys[k].Values[v]
				}
				row = append(row, table.Text(value))
			}
			row = append(row, table.Integer(int64(len(g.runs))), table.Integer(int64(s.reached(g, t))),
				table.Text(g.status()))
			for _, q := range qs {
				row = append(row, s.cell(g, t, q))
			}
			out.Rows = append(out.Rows, row)
		}
	}
	return out
}

// columnName is the name of a cost's column in a table, whose head tells the unit.
func columnName(c *metrics.CostItem) string {
	name := strings.TrimPrefix(cmp.Or(c.Column, c.ID), "oracle_")
	return strings.TrimSuffix(strings.TrimSuffix(name, "_s"), "_bytes")
}

// headline says what was run, above the tables.
func (s *StudyView) headline() string {
	text := s.Name
	if s.About != "" {
		text += ": " + strings.Join(strings.Fields(s.About), " ")
	}
	return text
}

// Write writes the tables in one of the formats: text, md, latex or csv.
func (s *StudyView) Write(w io.Writer, format string) error {
	if format == "csv" {
		return s.wide().WriteCSV(w)
	}
	head := ""
	switch format {
	case "text":
		head = Wrapped(s.headline(), "") + "\n"
		for _, f := range s.Facts {
			head += Wrapped(f, "  ") + "\n"
		}
		head += "\n"
	case "md":
		head = "# " + escape.Markdown(escape.Words(s.headline())) + "\n\n"
		for _, f := range s.Facts {
			head += "- " + escape.Markdown(escape.Words(f)) + "\n"
		}
		head += "\n"
	case "latex":
		for _, f := range append([]string{s.headline()}, s.Facts...) {
			head += "% " + escape.LaTeX(escape.Words(f)) + "\n"
		}
	}
	if _, err := io.WriteString(w, head); err != nil {
		return err
	}
	if sentences := s.Summary.Sentences; s.isStudy() && format != "latex" && len(sentences) > 0 {
		for _, sentence := range sentences[:min(maxSentences, len(sentences))] {
			if _, err := io.WriteString(w, item(sentence, format)); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
	}
	tables := s.tables()
	for i := range s.Papers {
		tables = append(tables, PaperTable(&s.Papers[i]))
	}
	if len(s.Claims) > 0 {
		tables = append(tables, ClaimsTable("Claims: "+CountClaims(s.Claims).String(), s.Claims, format == "text"))
	}
	return WriteTables(w, format, tables)
}

// WriteTables writes tables one below the other.
func WriteTables(w io.Writer, format string, tables []table.Table) error {
	for i, t := range tables {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		var err error
		switch format {
		case "text":
			err = t.WriteText(w)
		case "md":
			err = t.WriteMarkdown(w)
		case "latex":
			err = t.WriteLaTeX(w)
		case "csv":
			err = t.WriteCSV(w)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// item is a sentence as an item of a list, in Markdown or, wrapped, in text.
func item(sentence, format string) string {
	if format == "md" {
		return "- " + escape.Markdown(escape.Words(sentence)) + "\n"
	}
	return "- " + strings.TrimPrefix(Wrapped(sentence, "  "), "  ") + "\n"
}

// Wrapped breaks text between words into lines of at most 110 characters, for a terminal.
// Control characters are escaped, and overlong words lose their middle.
func Wrapped(text, indent string) string {
	const width = 110
	var lines []string
	line := indent
	for _, word := range strings.Fields(escape.Plain(text)) {
		word = escape.Words(word)
		switch {
		case line == indent:
			line += word
		case len([]rune(line))+1+len([]rune(word)) > width:
			lines = append(lines, line)
			line = indent + "  " + word
		default:
			line += " " + word
		}
	}
	return strings.Join(append(lines, line), "\n")
}
