package cli

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/render"
	"tallynet/metrics/result"
	"tallynet/metrics/study"
	"tallynet/scenarios"
)

// maxSentences is how many sentences stand above the tables; summary.txt has all.
const maxSentences = 8

// maxRows is how many rows a table for people may have; CSV has all.
const maxRows = 60

// overview is what the tables of a study are made from.
type overview struct {
	scenario *scenarios.Scenario
	runs     []result.Run
	groups   []*group
	targets  []target
	metrics  []string
	keys     []string // swept
	seeds    bool     // several
	facts    []string // of the graph and the problem
	claims   []result.Claim
	papers   []result.PaperTable
	// statistics are of all runs. Of a study they are written; of one run of each method
	// the page takes what it needs.
	statistics *study.Summary
}

func summarize(s *scenarios.Scenario, runs []result.Run, facts []string) (*overview, error) {
	sum := &overview{scenario: s, runs: runs, targets: targetsOf(s), metrics: metricsOf(runs), facts: facts}
	var err error
	if sum.groups, err = groupRuns(runs, sum.targets); err != nil {
		return nil, err
	}
	sum.keys = keysOf(sum.groups)
	sum.seeds = len(s.Seeds) > 1
	sum.statistics, err = statisticsOf(s, runs)
	return sum, err
}

// isStudy reports whether there are several seeds or grid points.
func (s *overview) isStudy() bool { return s.seeds || len(s.keys) > 0 }

// tables returns what people want to see, in the order of interest.
func (s *overview) tables() []render.Table {
	shown := s.groups[:min(len(s.groups), maxRows)]
	var tables []render.Table
	for _, t := range s.targets {
		tables = append(tables, s.costs(t, shown))
	}
	// A run that stops at a target has no more to tell of its end.
	beyond := slices.DeleteFunc(slices.Clone(shown), func(g *group) bool { return slices.ContainsFunc(s.targets, g.endsAt) })
	if len(beyond) > 0 {
		tables = append(tables, s.costs(target{}, beyond))
	}
	first := target{}
	if len(s.targets) > 0 {
		first = s.targets[0]
	}
	tables = append(tables, s.work(first, shown))
	if p := s.predictions(); len(p.Rows) > 0 {
		tables = append(tables, p)
	}
	if n := len(s.groups) - len(shown); n > 0 {
		tables[0].Notes = append(tables[0].Notes, fmt.Sprintf("%d more rows are in table.csv.", n))
	}
	return append(tables, s.parameters())
}

// endsAt reports whether every run of the group ends where it meets the target.
func (g *group) endsAt(t target) bool {
	return !slices.ContainsFunc(g.at(t), func(m meeting) bool { return !m.counts || !m.last })
}

// lead returns the columns that name a row, and their cells.
func (s *overview) lead() ([]render.Column, func(g *group) []render.Cell) {
	columns := []render.Column{{Name: "method"}}
	for _, k := range s.keys {
		columns = append(columns, render.Column{Name: shortKey(k, s.keys)})
	}
	return columns, func(g *group) []render.Cell {
		cells := []render.Cell{render.Text(g.label)}
		for _, k := range s.keys {
			value, ok := g.point.Get(k)
			if !ok {
				value = "-"
			}
			cells = append(cells, render.Text(value))
		}
		return cells
	}
}

// shortKey returns the last part of a swept key, or all of it if that would be
// ambiguous.
func shortKey(key string, keys []string) string {
	last := func(k string) string { return k[strings.LastIndexByte(k, '.')+1:] }
	n := 0
	for _, k := range keys {
		if last(k) == last(key) {
			n++
		}
	}
	if n > 1 {
		return key
	}
	return last(key)
}

// ranked returns the groups in the order of the bytes that they need to the target,
// those that never get there last, within each grid point. To their ends, runs stay in
// the order of the file: how far they got differs.
func (s *overview) ranked(t target, groups []*group) []*group {
	if t.isEnd() {
		return groups
	}
	type rank struct {
		point int
		bytes float64
	}
	ranks := map[*group]rank{}
	var points []*group // the first of each grid point
	for _, g := range groups {
		i := slices.IndexFunc(points, func(p *group) bool { return equalPoints(p.point, g.point) })
		if i < 0 {
			i = len(points)
			points = append(points, g)
		}
		r := rank{i, math.Inf(1)}
		if views, failed := g.views(t); failed < len(g.runs) {
			r.bytes = payload().mean(views)
		}
		ranks[g] = r
	}
	ordered := slices.Clone(groups)
	slices.SortStableFunc(ordered, func(a, b *group) int {
		return cmp.Or(cmp.Compare(ranks[a].point, ranks[b].point), cmp.Compare(ranks[a].bytes, ranks[b].bytes))
	})
	return ordered
}

// costs is the main table: what each of the groups costs to the target.
func (s *overview) costs(t target, groups []*group) render.Table {
	columns, lead := s.lead()
	table := render.Table{Title: s.costsTitle(t, groups), Columns: append(columns, render.Column{Name: "reached"})}
	if t.isEnd() {
		table.Columns[len(table.Columns)-1].Name = "status"
	}
	sent := []quantity{iterations(), count("rounds", func(t *metrics.Totals) int64 { return t.Rounds }),
		kindBytes("vector bytes", metrics.Vector), kindBytes("matrix bytes", metrics.Matrix)}
	took := []quantity{simulatedTime("simulated time")}
	// Among the runs that did not get somewhere, none is the best.
	ratios := s.comparable() && len(groups) == min(len(s.groups), maxRows)
	add := func(qs []quantity, ratio string) {
		for _, q := range qs {
			table.Columns = append(table.Columns, q.column)
		}
		if ratio != "" && ratios {
			table.Columns = append(table.Columns, render.Column{Name: ratio, Kind: render.RatioColumn})
		}
	}
	add(sent, "bytes vs. best")
	add(took, "time vs. best")
	add(s.quality(), "")
	censored := false
	for _, g := range s.ranked(t, groups) {
		views, failed := g.views(t)
		censored = censored || !t.isEnd() && failed > 0
		row := append(lead(g), render.Text(g.outcome(t, failed)))
		cells := func(qs []quantity, compared *quantity) {
			for _, q := range qs {
				row = append(row, q.cell(views))
			}
			if ratios && compared != nil {
				row = append(row, s.ratio(g, t, *compared))
			}
		}
		all := payload()
		cells(sent, &all)
		cells(took, &took[0])
		cells(s.quality(), nil)
		table.Rows = append(table.Rows, row)
	}
	if s.seeds {
		note := fmt.Sprintf("Means over the seeds (%d) whose runs got there; the others are counted in no mean.", len(s.scenario.Seeds))
		if censored {
			note += " summary.txt has medians that count them."
		}
		if ratios {
			note += " \"vs. best\" divides these means; the sentences' ratios are geometric means over common seeds."
		}
		table.Notes = append(table.Notes, note)
	} else if censored {
		table.Notes = append(table.Notes, "A dash: the run ended before it got there.")
	}
	return table
}

func (s *overview) costsTitle(t target, groups []*group) string {
	switch {
	case !t.isEnd():
		return "Cost to reach " + t.String()
	case len(s.targets) > 0 && len(groups) < min(len(s.groups), maxRows):
		return "Cost of the whole runs that do not stop at a target"
	}
	return "Cost of the whole runs"
}

// quality returns the metrics that stand beside the costs.
func (s *overview) quality() []quantity {
	var qs []quantity
	main := mainMetrics(s.targets, s.metrics)
	if slices.Contains(s.metrics, "test_accuracy") && !slices.Contains(main, "test_accuracy") {
		main = append(slices.Clip(main), "test_accuracy")
	}
	for _, m := range main {
		q := metric(m)
		if m == "test_accuracy" {
			q.column.Name = "test accuracy" // which can be broken over two lines
		}
		qs = append(qs, q)
	}
	return qs
}

// comparable reports whether some grid point has two methods, so that ratios say something.
func (s *overview) comparable() bool {
	seen := map[string]bool{}
	for _, g := range s.groups {
		key := pointText(g.point, "=")
		if seen[key] {
			return true
		}
		seen[key] = true
	}
	return false
}

// ratio compares the group's mean with the least mean at the same grid point.
func (s *overview) ratio(g *group, t target, q quantity) render.Cell {
	least, own := math.Inf(1), math.NaN()
	for _, h := range s.groups {
		if !equalPoints(g.point, h.point) {
			continue
		}
		views, failed := h.views(t)
		if len(views) == 0 || failed == len(h.runs) {
			continue
		}
		m := q.mean(views)
		least = min(least, m)
		if h == g {
			own = m
		}
	}
	if math.IsNaN(own) || math.IsInf(least, 1) || least == 0 {
		return render.Missing()
	}
	return render.Number(own / least)
}

// work is the oracle calls, and what the critical path is made of.
func (s *overview) work(t target, groups []*group) render.Table {
	columns, lead := s.lead()
	table := render.Table{Title: "Oracle calls of all nodes, and what the simulated time is made of, to " + t.String(), Columns: columns}
	if len(s.usedCalls()) == 0 {
		table.Title = "What the simulated time is made of, to " + t.String()
	}
	var qs []quantity
	for _, g := range s.usedCalls() {
		qs = append(qs, calls(g.name, g.kinds...))
	}
	qs = append(qs,
		seconds("computing", func(t *metrics.Totals) float64 { return t.Path.Compute.Seconds() }),
		seconds("sending", func(t *metrics.Totals) float64 { return t.Path.Transfer.Seconds() }),
		seconds("latency", func(t *metrics.Totals) float64 { return t.Path.Latency.Seconds() }),
	)
	idle := seconds("idle", func(t *metrics.Totals) float64 { return t.Path.Idle.Seconds() })
	if slices.ContainsFunc(groups, func(g *group) bool { v, _ := g.views(t); return idle.mean(v) > 0 }) { // timers are rare
		qs = append(qs, idle)
	}
	for _, q := range qs {
		table.Columns = append(table.Columns, q.column)
	}
	if !s.seeds {
		table.Columns = append(table.Columns, render.Column{Name: "hash of the run"})
	}
	for _, g := range groups {
		views, _ := g.views(t)
		row := lead(g)
		for _, q := range qs {
			row = append(row, q.cell(views))
		}
		if !s.seeds {
			row = append(row, render.Text(g.runs[0].Hash))
		}
		table.Rows = append(table.Rows, row)
	}
	table.Notes = append(table.Notes, "The last times are those of the critical path, the chain of work and messages that the end waited for; sending includes queueing and jitter.")
	return table
}

// wide is the table for machines: every quantity, a row for each method, grid point
// and target.
func (s *overview) wide() render.Table {
	table := render.Table{Columns: []render.Column{{Name: "at"}, {Name: "method"}}}
	for _, k := range s.keys {
		table.Columns = append(table.Columns, render.Column{Name: k})
	}
	table.Columns = append(table.Columns, render.Column{Name: "runs", Kind: render.IntegerColumn}, render.Column{Name: "runs_counted", Kind: render.IntegerColumn}, render.Column{Name: "status"})
	qs := []quantity{
		iterations(), count("rounds", func(t *metrics.Totals) int64 { return t.Rounds }),
		count("messages", func(t *metrics.Totals) int64 { return t.Messages }), payload(),
		kindBytes("scalar", metrics.Scalar), kindBytes("vector", metrics.Vector), kindBytes("matrix", metrics.Matrix),
		amount("overhead", func(t *metrics.Totals) int64 { return t.Overhead }), simulatedTime("time"),
		seconds("path_compute", func(t *metrics.Totals) float64 { return t.Path.Compute.Seconds() }),
		seconds("path_transfer", func(t *metrics.Totals) float64 { return t.Path.Transfer.Seconds() }),
		seconds("path_latency", func(t *metrics.Totals) float64 { return t.Path.Latency.Seconds() }),
		seconds("path_idle", func(t *metrics.Totals) float64 { return t.Path.Idle.Seconds() }),
	}
	for c := range metrics.NumCalls {
		qs = append(qs, calls(c.String(), c))
	}
	for _, m := range s.metrics {
		qs = append(qs, metric(m))
	}
	for _, q := range qs {
		table.Columns = append(table.Columns, q.column)
	}
	for _, t := range append([]target{{}}, s.targets...) {
		for _, g := range s.groups {
			at := t.String()
			if t.isEnd() {
				at = "end"
			}
			row := []render.Cell{render.Text(at), render.Text(g.label)}
			for _, k := range s.keys {
				value, _ := g.point.Get(k)
				row = append(row, render.Text(value))
			}
			views, failed := g.views(t)
			row = append(row, render.Integer(int64(len(g.runs))), render.Integer(int64(len(g.runs)-failed)), render.Text(g.status()))
			for _, q := range qs {
				row = append(row, q.cell(views))
			}
			table.Rows = append(table.Rows, row)
		}
	}
	return table
}

// headline says what was run, above the tables.
func (s *overview) headline() string {
	text := s.scenario.Name
	if s.scenario.About != "" {
		text += ": " + strings.Join(strings.Fields(s.scenario.About), " ")
	}
	return text
}

// write writes the tables in one of the formats: text, md, latex or csv.
func (s *overview) write(w io.Writer, format string) error {
	if format == "csv" {
		return s.wide().WriteCSV(w)
	}
	head := ""
	switch format {
	case "text":
		head = wrapped(s.headline(), "") + "\n"
		for _, f := range s.facts {
			head += wrapped(f, "  ") + "\n"
		}
		head += "\n"
	case "md":
		head = "# " + s.headline() + "\n\n"
		for _, f := range s.facts {
			head += "- " + f + "\n"
		}
		head += "\n"
	case "latex":
		for _, f := range append([]string{s.headline()}, s.facts...) {
			head += "% " + f + "\n"
		}
	}
	if _, err := io.WriteString(w, head); err != nil {
		return err
	}
	if sentences := s.statistics.Sentences; s.isStudy() && format != "latex" && len(sentences) > 0 {
		for _, sentence := range sentences[:min(maxSentences, len(sentences))] {
			if _, err := fmt.Fprintln(w, "- "+strings.TrimPrefix(wrapped(sentence, "  "), "  ")); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
	}
	tables := s.tables()
	for i := range s.papers {
		tables = append(tables, paperTable(&s.papers[i]))
	}
	if len(s.claims) > 0 {
		tables = append(tables, claimsTable("Claims: "+tally(s.claims).String(), s.claims, format == "text"))
	}
	return writeTables(w, format, tables)
}

// writeTables writes tables one below the other.
func writeTables(w io.Writer, format string, tables []render.Table) error {
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

// wrapped breaks text between words into lines of at most 110 characters.
func wrapped(text, indent string) string {
	const width = 110
	var lines []string
	line := indent
	for _, word := range strings.Fields(text) {
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
