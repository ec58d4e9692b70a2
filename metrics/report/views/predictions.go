package views

import (
	"fmt"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/list"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// calls returns the oracle calls of the observable's kinds.
func (q observable) calls(o metrics.OracleCounts) int64 {
	m := metrics.Moment{Totals: metrics.Totals{Oracle: o}}
	var n int64
	for _, id := range q.Costs {
		n += metrics.FindCost(id).Of(&m)
	}
	return n
}

// usedCalls returns the kinds of oracle calls that some of n costs have.
func usedCalls(n int, cost func(i int) metrics.OracleCounts) []observable {
	return slices.DeleteFunc(placed(metrics.InCalls), func(q observable) bool {
		for i := range n {
			if q.calls(cost(i)) > 0 {
				return false
			}
		}
		return true
	})
}

// usedCalls returns the kinds of oracle calls that some run makes.
func (s *StudyView) usedCalls() []observable {
	return usedCalls(len(s.runs), func(i int) metrics.OracleCounts { return s.runs[i].Totals.Oracle })
}

// costColumns returns the columns in which predictions, counts and papers are compared.
func costColumns(used []observable) []table.Column {
	columns := []table.Column{whole("rounds"), whole("elements"), whole("vector elements"), whole("matrix elements")}
	return append(columns, list.Map(used, func(q observable) table.Column { return q.column })...)
}

// costCells returns the cells for a cost of the whole network, divided by its nodes and by a number of iterations.
// Rounds are not divided by the nodes, and oracle calls only by the nodes that hold data.
func costCells(c metrics.Cost, used []observable, of NetworkSize, iterations int) []table.Cell {
	share := func(n int64, parts int) table.Cell { return table.Measured(float64(n) / float64(parts)) }
	b, each := c.Broadcast, of.Nodes*iterations
	cells := []table.Cell{share(c.Rounds, iterations), share(b.Total(), each), share(b.Vector, each), share(b.Matrix,
		each)}
	for _, q := range used {
		cells = append(cells, share(q.calls(c.Oracle), of.DataNodes*iterations))
	}
	return cells
}

// NetworkSize is the size of a network.
type NetworkSize struct {
	Nodes     int
	DataNodes int // of these, those that hold data
}

// counted returns the cost of the iterations after the initial point, whose cost the closed form has.
func counted(r *result.Run) metrics.Cost {
	t, initial := &r.Totals, r.Predicted.Initial.Times(-1)
	c := metrics.Cost{Rounds: t.Rounds, Messages: t.Messages, Broadcast: t.Broadcast, Wire: t.Wire, Oracle: t.Oracle}
	return c.Plus(initial)
}

// predictions compares, for each method at the first grid point, the closed form with the count and with the paper's
// count.
func (s *StudyView) predictions() table.Table {
	out := table.Table{Title: "One outer iteration of one node, on average: predicted, counted, and as the papers " +
		"count"}
	used := s.usedCalls()
	out.Columns = append([]table.Column{{Name: "method"}, {Name: ""}}, costColumns(used)...)
	out.Columns = append(out.Columns, table.Column{Name: "verdict"})
	equal, bound, checked := 0, 0, 0
	for _, g := range s.groups {
		for _, r := range g.runs {
			if r.Predicted == nil || r.Recorded == 0 {
				continue
			}
			checked++
			switch {
			case r.Predicted.Check(&r.Totals) != nil:
			case r.Predicted.Bound:
				bound++
			default:
				equal++
			}
		}
	}
	var notes []string
	for _, g := range s.groups {
		r := g.runs[0]
		if r.Predicted == nil || r.Iterations == 0 || g.Point != s.groups[0].Point {
			continue
		}
		out.Rows = append(out.Rows, predictedRows(r, used, s.Network)...)
		if p := r.Predicted.Paper; p != nil {
			notes = append(notes, paperNote(g.label, p))
		}
	}
	verdict := fmt.Sprintf("Of the whole runs, the initial point included, %d of %d cost exactly what the closed "+
		"form says.", equal, checked)
	switch {
	case bound == 1:
		verdict += " 1 more stays within its bound."
	case bound > 1:
		verdict += fmt.Sprintf(" %d more stay within their bounds.", bound)
	}
	out.Notes = append([]string{verdict}, notes...)
	if len(s.Summary.Keys) > 0 {
		out.Notes = append(out.Notes, "The rows are those of the first grid point.")
	}
	return out
}

func predictedRows(r *result.Run, used []observable, of NetworkSize) [][]table.Cell {
	p := r.Predicted
	verdict := "equal"
	switch err := p.Check(&r.Totals); {
	case err != nil:
		verdict = "differs"
	case p.Bound:
		verdict = "within the bound"
	}
	// The average over all iterations; each one costs as much unless the cost varies.
	total := p.Total.Plus(p.Initial.Times(-1))
	row := func(label, what string, cells []table.Cell, verdict string) []table.Cell {
		return slices.Concat([]table.Cell{table.Text(label), table.Text(what)}, cells, []table.Cell{table.Text(verdict)})
	}
	what := "predicted"
	if p.Bound {
		what = "at most"
	}
	rows := [][]table.Cell{row(r.Label, what, costCells(total, used, of, r.Iterations), "")}
	rows = append(rows, row("", "counted", costCells(counted(r), used, of, r.Iterations), verdict))
	if p.Paper != nil {
		cells := slices.Repeat([]table.Cell{table.Text("")}, len(costColumns(used)))
		cells[1] = table.Measured(p.Paper.ElementsPerNode)
		verdict := "differs"
		if p.Paper.ElementsPerNode*float64(of.Nodes) == float64(p.PerIteration.Broadcast.Total()) {
			verdict = "equal"
		}
		rows = append(rows, row("", "paper", cells, verdict))
	}
	return rows
}

// paperNote gives the paper's formula, and why it differs from the true count.
func paperNote(label string, p *metrics.PaperCount) string {
	text := fmt.Sprintf("%s, paper: %s (%s)", label, p.Formula, p.Source)
	if !strings.HasPrefix(p.Note, "equals") {
		text += ": " + strings.TrimSuffix(p.Note, ".")
	}
	return text + "."
}

// parameters lists the parameters of each method and their origin, with remarks about its runs.
func (s *StudyView) parameters() table.Table {
	out := table.Table{Title: "Parameters", Columns: table.WordColumns("method", "parameters", "from")}
	var remarks []string
	remark := func(text string) { remarks = list.Add(remarks, text) }
	seen := map[string]bool{}
	for _, g := range s.groups {
		r := g.runs[0]
		text, from := r.Parameters.Text(" "), origin(r)
		if t := r.Tuning; t != nil {
			remark(fmt.Sprintf("%s tuned: %s; found %s.", runName(r, false), t.Rule, chosen(t)))
		}
		// Over a sweep the parameters are mostly the same.
		if key := g.label + "\x00" + text + "\x00" + from; !seen[key] {
			seen[key] = true
			out.Rows = append(out.Rows, []table.Cell{table.Text(g.label), table.Text(text), table.Text(from)})
		}
		for _, r := range g.runs {
			if !r.Status.Ended() {
				reason, _, _ := strings.Cut(r.Reason, "\n")
				remark(fmt.Sprintf("%s: %s: %s", runName(r, s.seeds()), r.Status, reason))
			}
			for _, n := range r.Notes {
				if strings.HasPrefix(n, "the graph was drawn") && !s.seeds() && len(s.Summary.Keys) == 0 {
					remark("All methods: " + n + ".") // they run on one instance
				} else {
					remark(fmt.Sprintf("%s: %s.", runName(r, s.seeds()), n))
				}
			}
		}
	}
	if n := len(out.Rows) - maxRows; n > 0 {
		out.Rows = out.Rows[:maxRows]
		remarks = append(remarks, fmt.Sprintf("The parameters of %d more grid points are in result.json.", n))
	}
	const most = 12
	if len(remarks) > most {
		remarks = append(remarks[:most], fmt.Sprintf("%d more remarks are in result.json.", len(remarks)-most))
	}
	out.Notes = remarks
	return out
}

// origin says where the parameters of a run are from.
func origin(r *result.Run) string {
	from, defaults := "the file", len(r.Defaults)
	if r.Tuning != nil {
		from = fmt.Sprintf("tuned, best of %d", len(r.Tuning.Trials))
	} else if defaults > 0 && defaults == len(r.Parameters) {
		return "by default"
	}
	if defaults > 0 {
		from += "; by default: " + strings.Join(r.Defaults, ", ")
	}
	return from
}

// chosen returns the winner of a tuning grid: "alpha 0.1, neumann 3".
func chosen(t *result.Tuning) string {
	for _, trial := range t.Trials {
		if trial.Chosen {
			return trial.Parameters.Text(" ")
		}
	}
	return ""
}

// runName returns the name of a run: "DGBO, topology.nodes=8, seed 3".
func runName(r *result.Run, seeds bool) string {
	name := r.Label
	if len(r.Point) > 0 {
		name += ", " + r.Point.Text("=")
	}
	if seeds {
		name += fmt.Sprintf(", seed %d", r.Seed)
	}
	return name
}
