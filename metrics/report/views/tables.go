package views

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/list"
	"tallynet/metrics/report/answer"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/papers"
	"tallynet/metrics/report/table"
)

// maxSentences limits the sentences above the tables. summary.txt has all.
const maxSentences = 8

// maxRows limits the rows of a table for people. CSV has all.
const maxRows = 60

// Write writes the tables in one of the formats: text, md, latex or csv.
func (s *StudyView) Write(w io.Writer, format string) error {
	if format == "csv" {
		return s.wide().WriteCSV(w)
	}
	d := table.Document{Heading: s.Name, Facts: s.Facts, Tables: s.tables()}
	if s.About != "" {
		d.Heading += ": " + s.About
	}
	d.Findings = s.Summary.Sentences[:min(maxSentences, len(s.Summary.Sentences))]
	for i := range s.Papers {
		d.Tables = append(d.Tables, papers.PaperTable(&s.Papers[i]))
	}
	if len(s.Claims) > 0 {
		title := "Claims: " + papers.CountClaims(s.Claims).String()
		d.Tables = append(d.Tables, papers.ClaimsTable(title, s.Claims, format == "text"))
	}
	return d.Write(w, format)
}

// tables returns the tables for people, in the order of interest.
func (s *StudyView) tables() []table.Table {
	shown := s.groups[:min(len(s.groups), maxRows)]
	var tables []table.Table
	for t := range s.Summary.Targets {
		tables = append(tables, s.costs(t, shown))
	}
	// A run that stops at a target has nothing more to say about its end.
	if beyond := slices.DeleteFunc(slices.Clone(shown), s.endsAtTarget); len(beyond) > 0 {
		tables = append(tables, s.costs(fold.TheEnd, beyond))
	}
	first := fold.TheEnd
	if len(s.Summary.Targets) > 0 {
		first = 0
	}
	tables = append(tables, s.work(first, shown))
	for _, t := range []table.Table{s.tariffs(first, shown), s.physical(shown), s.predictions()} {
		if len(t.Rows) > 0 {
			tables = append(tables, t)
		}
	}
	if n := len(s.groups) - len(shown); n > 0 {
		tables[0].Notes = append(tables[0].Notes, fmt.Sprintf("%d more rows are in table.csv.", n))
	}
	return append(tables, s.parameters())
}

// endsAtTarget reports whether every run of the group ends where it reaches one of the targets.
func (s *StudyView) endsAtTarget(g *group) bool {
	iterations := cost("iterations")
	for t := range s.Summary.Targets {
		to, end := s.measure(g, t, iterations), s.measure(g, fold.TheEnd, iterations)
		if to.Reached == len(g.runs) && to.Min == end.Min && to.Max == end.Max && to.Value == end.Value {
			return true
		}
	}
	return false
}

// fields are the columns of a table with a row for each group.
type fields = table.Fields[*group]

// lead returns the fields that name a row: method and swept keys.
func (s *StudyView) lead() fields {
	var f fields
	f.Add(text("method"), func(g *group) table.Cell { return table.Text(g.label) })
	n := namedOf(s.Summary)
	for _, k := range n.Axes() {
		f.Add(text(n.Keys[k].Title), func(g *group) table.Cell { return n.keyCell(g.Point, k) })
	}
	return f
}

// leadTo returns the fields that name a row and, if not all runs of the groups got there, how many did.
func (s *StudyView) leadTo(t int, groups []*group) fields {
	f := s.lead()
	if s.seeds() && slices.ContainsFunc(groups, func(g *group) bool { return s.reached(g, t) < len(g.runs) }) {
		f.Add(text("runs"), func(g *group) table.Cell {
			return table.Text(fmt.Sprintf("%d/%d", s.reached(g, t), len(g.runs)))
		})
	}
	return f
}

// addAt adds the column of something that runs have at a target.
func (s *StudyView) addAt(f *fields, t int, q observable) {
	f.Add(q.column, func(g *group) table.Cell { return s.cell(g, t, q) })
}

// ranked returns the groups in the order of the bytes that they need to the target, within each grid point; groups
// that never reach it are last. Groups at their ends stay in the order of the file, since their accuracies differ.
func (s *StudyView) ranked(t int, groups []*group) []*group {
	if t == fold.TheEnd {
		return groups
	}
	bytes := map[*group]float64{}
	for _, g := range groups {
		bytes[g] = math.Inf(1)
		if m := s.measure(g, t, cost("payload_bytes")); m.Value.Finite() {
			bytes[g] = float64(m.Value)
		}
	}
	ordered := slices.Clone(groups)
	slices.SortStableFunc(ordered, func(a, b *group) int {
		return cmp.Or(cmp.Compare(a.Point, b.Point), cmp.Compare(bytes[a], bytes[b]))
	})
	return ordered
}

// costs is the main table: what the groups cost to the target, and the metrics there.
func (s *StudyView) costs(t int, groups []*group) table.Table {
	outcome := text("reached")
	if t == fold.TheEnd {
		outcome = text("status")
	}
	medians := false
	f := s.lead()
	f.Add(outcome, func(g *group) table.Cell {
		if s.measure(g, t, cost("iterations")).Statistic == fold.Median {
			medians = true
			return table.Text(s.outcome(g, t) + " (medians)")
		}
		return table.Text(s.outcome(g, t))
	})
	// Ratios among runs that missed the target would name no best.
	ratios := s.comparable() && len(groups) == min(len(s.groups), maxRows)
	all := placed(metrics.InCosts)
	for _, u := range []metrics.Unit{metrics.Count, metrics.Bytes, metrics.Seconds, metrics.Joules, metrics.Money,
		metrics.Number} {
		for _, q := range all {
			if q.column.Unit == u {
				s.addAt(&f, t, q)
			}
		}
		for _, c := range metrics.Headlines() {
			if ratios && c.Unit == u && !c.PerMethod {
				s.addRatio(&f, t, &c)
			}
		}
	}
	for _, q := range s.quality() {
		s.addAt(&f, t, q)
	}
	out := f.Table(s.costsTitle(t, groups), s.ranked(t, groups))
	censored := (s.seeds() || t != fold.TheEnd) && slices.ContainsFunc(groups, func(g *group) bool {
		return s.reached(g, t) < len(g.runs)
	})
	out.Notes = append(s.costNotes(censored, medians, ratios), s.missedNotes(t, groups)...)
	return out
}

// missedNotes returns how close the groups came in which no run reached the target, and which metrics of whole runs
// were never finite.
func (s *StudyView) missedNotes(t int, groups []*group) []string {
	const most = 12
	var notes []string
	for _, g := range groups {
		name := g.label
		if len(g.point) > 0 {
			name += " at " + s.Summary.Points[g.Point].Name
		}
		missed := slices.DeleteFunc(slices.Clone(g.Missed), func(m fold.Miss) bool { return m.Target != t })
		if t != fold.TheEnd && s.reached(g, t) == 0 && len(missed) > 0 {
			notes = append(notes, fmt.Sprintf("%s never reached %s: at best %s.", name, s.targetName(t),
				answer.MissedWords(missed)))
		}
		if t == fold.TheEnd && len(g.NeverFinite) > 0 {
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
	notes := []string{fmt.Sprintf("Means over the seeds (%d).", len(s.Summary.Seeds))}
	if medians {
		notes = append(notes,
			"(medians): some runs did not get there; numbers are Kaplan-Meier medians, which count them. A run that diverged, "+
				"stalled or failed counts as infinite, one that ended by its limit as more than it paid. Ratios in the "+
				"sentences are then medians, too. Metrics at a target are means over the runs that got there.")
	}
	if censored {
		notes = append(notes, "A dash: fewer than half of the runs got there.")
	}
	if ratios {
		notes = append(notes,
			"\"vs. best\" divides these numbers; the ratios in the sentences are geometric means over common seeds.")
	}
	return notes
}

func (s *StudyView) costsTitle(t int, groups []*group) string {
	switch {
	case t != fold.TheEnd:
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
		q.column.Name = s.fold.Title(m) // unlike a metric's name, it can wrap
		qs = append(qs, q)
	}
	return qs
}

// comparable reports whether some grid point has two methods, so that ratios are meaningful.
func (s *StudyView) comparable() bool {
	for i := range s.groups[:max(0, len(s.groups)-1)] {
		if s.groups[i].Point == s.groups[i+1].Point {
			return true
		}
	}
	return false
}

// addRatio adds the column that compares a cost with the least of all groups at the same grid point.
func (s *StudyView) addRatio(f *fields, t int, c *metrics.CostItem) {
	q := cost(c.ID)
	f.Add(table.Column{Name: c.Name + " vs. best", Unit: table.Ratio}, func(g *group) table.Cell {
		least, own := math.Inf(1), math.NaN()
		from, to := s.Summary.At(g.Point)
		for _, h := range s.groups[from:to] {
			m := s.measure(h, t, q)
			if !m.Value.Finite() || t == fold.TheEnd && h.Ended == 0 {
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
	})
}

// work is the oracle calls, and the parts of the critical path.
func (s *StudyView) work(t int, groups []*group) table.Table {
	f, title := s.leadTo(t, groups), "What the simulated time is made of, to "
	for _, q := range s.usedCalls() {
		title = "Oracle calls of all nodes, and what the simulated time is made of, to "
		s.addAt(&f, t, q)
	}
	for _, q := range placed(metrics.InTime, metrics.InTimeIfAny) {
		if q.place == metrics.InTime || s.paid(t, groups, q) {
			s.addAt(&f, t, q)
		}
	}
	if !s.seeds() {
		f.Add(text("hash of the run"), func(g *group) table.Cell { return table.Text(g.runs[0].Hash) })
	}
	out := f.Table(title+s.targetName(t), groups)
	out.Notes = []string{
		"The last times are those of the critical path, the chain of work and messages that the end waited for; sending " +
			"includes queueing and jitter."}
	return out
}

// paid reports whether some group pays a cost until the target.
func (s *StudyView) paid(t int, groups []*group, q observable) bool {
	return slices.ContainsFunc(groups, func(g *group) bool { return s.measure(g, t, q).Value > 0 })
}

// tariffs is the price of machines and links until the target. It has no rows if nobody pays.
func (s *StudyView) tariffs(t int, groups []*group) table.Table {
	f := s.leadTo(t, groups)
	free := len(f)
	for _, q := range placed(metrics.InPrices) {
		if s.paid(t, groups, q) {
			s.addAt(&f, t, q)
		}
	}
	if len(f) == free {
		return table.Table{}
	}
	out := f.Table("Energy and money, to "+s.targetName(t), s.ranked(t, groups))
	out.Notes = []string{"Of all machines, from the beginning to that moment, and of all that was sent for it."}
	return out
}

// physical is the load of the network that the links share, and what a faster part of it would save. It has a row for
// each group whose first run used a platform.
func (s *StudyView) physical(groups []*group) table.Table {
	lead := s.lead()
	seconds := func(name string) table.Column { return table.Column{Name: name, Unit: metrics.Seconds} }
	out := table.Table{Title: "The platform, to the end", Columns: append(lead.Columns(), text("busiest link"),
		seconds("busy"), table.Column{Name: "utilisation", Unit: metrics.Number, Digits: 2}, text("held up by"),
		seconds("10x link saves"), text("machine"), seconds("10x machine saves"))}
	for _, g := range groups {
		p := g.runs[0].Physical
		if p == nil || len(p.Busiest) == 0 {
			continue
		}
		b := p.Busiest[0]
		link, linkGain := table.Text("nothing"), table.Missing()
		if links := p.Path.Links; len(links) > 0 {
			link, linkGain = table.Text(links[0].Link), table.Number(links[0].Gain.Float())
		}
		node, nodeGain := table.Text("none"), table.Missing()
		if nodes := p.Path.Nodes; len(nodes) > 0 {
			node, nodeGain = table.Text(fmt.Sprintf("node %d", nodes[0].Node)), table.Number(nodes[0].Gain.Float())
		}
		out.Rows = append(out.Rows, append(lead.Row(g), table.Text(b.Link), table.Number(b.Busy.Float()),
			table.Number(float64(b.Utilisation)), link, linkGain, node, nodeGain))
	}
	out.Note("The critical path is the chain of work and messages that the end waited for. " +
		"The link that held it up longest, and the machine that computed longest on it, would shorten it by at most so " +
		"much if they were ten times as fast: another chain may then be the longest.")
	if slices.ContainsFunc(groups, func(g *group) bool { return len(g.runs) > 1 }) {
		out.Note("Of several seeds it is the first.")
	}
	return out
}

// wide is the table for programs: every cost and metric, with a row for each method, grid point and target.
func (s *StudyView) wide() table.Table {
	columns := []table.Column{text("at"), text("method")}
	columns = append(columns, list.Map(s.Summary.KeyNames(), text)...)
	columns = append(columns, whole("runs"), whole("runs_counted"), text("status"))
	var qs fields
	at := fold.TheEnd
	for _, c := range metrics.CostItems() {
		if c.Column != "" || c.ID == "iterations" {
			q := cost(c.ID)
			q.column.Name = c.Header()
			qs.Add(q.column, func(g *group) table.Cell { return s.cell(g, at, q) })
		}
	}
	for _, m := range s.fold.Metrics() {
		qs.Add(metric(m).column, func(g *group) table.Cell { return s.cell(g, at, metric(m)) })
	}
	for _, g := range s.groups {
		for _, set := range g.runs[0].Quantities() {
			if !slices.ContainsFunc(qs, func(f table.Field[*group]) bool { return f.Name == set.Key }) {
				qs.Add(number(set.Key), func(g *group) table.Cell { return g.runs[0].Quantities().Cell(set.Key) })
			}
		}
	}
	out := table.Table{Columns: append(columns, qs.Columns()...)}
	for ; at < len(s.Summary.Targets); at++ {
		name := "end"
		if at != fold.TheEnd {
			name = s.targetName(at)
		}
		for _, g := range s.groups {
			row := []table.Cell{table.Text(name), table.Text(s.Summary.Labels[g.Label])}
			for k, key := range s.Summary.Keys {
				cell := table.Missing()
				if v := s.Summary.Points[g.Point].Values[k]; v >= 0 {
					cell = table.Text(key.Values[v])
				}
				row = append(row, cell)
			}
			row = append(row, table.Integer(int64(len(g.runs))), table.Integer(int64(s.reached(g, at))),
				table.Text(g.status()))
			out.Rows = append(out.Rows, append(row, qs.Row(g)...))
		}
	}
	return out
}
