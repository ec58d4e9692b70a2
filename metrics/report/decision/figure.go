package decision

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"tallynet/metrics/report/answer"
	"tallynet/metrics/report/figure"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// Figure draws the map, with a panel for each cost unless the rows are the costs. Its title is the answer.
func (m *Map) Figure() figure.Figure {
	const room = 70 // letters in all cells of a row
	f := figure.Figure{Title: m.title, Columns: 1}
	longest := 0
	for i := range m.Cells {
		for _, of := range m.Cells[i].Choices[:m.Cells[i].Best] {
			longest = max(longest, len([]rune(of.Name)))
		}
	}
	var known []string
	for by := range m.By {
		p := figure.Plot{XLabel: m.X.Name, YLabel: m.Y.Name, Tiles: &figure.Tiles{X: m.X.Values, Y: m.Y.Values}}
		if len(m.By) > 1 && !m.ByRows {
			p.Title = answer.SentenceCase(answer.CostName(m.By[by]))
		}
		for i := range m.Cells {
			c := &m.Cells[i]
			if c.By != by && !m.ByRows {
				continue
			}
			p.Tiles.Tiles = append(p.Tiles.Tiles, c.tile())
			for _, of := range c.Choices[:c.Best] {
				if len(m.X.Values)*longest > room && !slices.Contains(known, of.Name) {
					known = append(known, of.Name)
					p.Series = append(p.Series, figure.Series{Label: of.Name, Look: &figure.Look{Color: of.Color}})
				}
			}
		}
		f.Panels = append(f.Panels, p)
		if m.ByRows {
			break
		}
	}
	f.Notes = []string{"A cell names the choice that costs least, and how many times as much the next one costs. " +
		"Hatched: a tie. Grey: less than half of the runs of each choice get there."}
	return f
}

// tile draws a cell.
func (c *Cell) tile() figure.Tile {
	t := figure.Tile{X: c.X, Y: c.Y, Color: -1, Hatched: c.Best > 1}
	if c.Best > 0 {
		t.Color = c.Choices[0].Color
	}
	t.Lines = c.words()
	return t
}

// words returns the best choices of a cell and the margin.
func (c *Cell) words() []string {
	switch {
	case c.Best == 0:
		return []string{"none arrives"}
	case c.Best == 2:
		return []string{c.Choices[0].Name, "= " + c.Choices[1].Name}
	case c.Best > 2:
		return []string{c.Choices[0].Name, fmt.Sprintf("= %d others", c.Best-1)}
	case len(c.Choices) == 1:
		return []string{c.Choices[0].Name}
	}
	first, next := &c.Choices[0], &c.Choices[1]
	margin := fmt.Sprintf("%d of %d arrive, next %d", first.Arrived, first.Runs, next.Arrived)
	if ratio := float64(next.Ratio.Value); next.Ratio.Value.Finite() && ratio > 1 {
		margin = answer.Factor(ratio) + "×"
		if ratio < 1.2 {
			margin = fmt.Sprintf("%.2f×", ratio)
		}
	}
	return []string{first.Name, margin}
}

// WriteCSV writes a row for each cell. Numeric keys are numbers, in columns named like the quantities of runs, which
// end with the unit. Names of choices that tie are joined by " = ". The margin is the next choice's cost over that
// of the best.
func (m *Map) WriteCSV(w io.Writer, quantities result.Settings) error {
	var t table.Table
	var keys []int
	for k := range m.keys {
		if slices.ContainsFunc(m.Cells, func(c Cell) bool { return valueOf(c.cell, &m.keys[k]) >= 0 }) {
			name := m.keys[k].Name
			for _, q := range quantities {
				if strings.HasPrefix(q.Key, name+"_") {
					name = q.Key
				}
			}
			keys, t.Columns = append(keys, k), append(t.Columns, table.Column{Name: name})
		}
	}
	t.Columns = append(t.Columns, table.WordColumns("level", "setting", "by", "best", "tie", "cost", "margin", "low",
		"high", "arrived", "runs")...)
	for i := range m.Cells {
		c := &m.Cells[i]
		var row []table.Cell
		for _, k := range keys {
			switch v := valueOf(c.cell, &m.keys[k]); {
			case v < 0:
				row = append(row, table.Missing())
			case m.keys[k].Numbers != nil:
				row = append(row, table.Number(m.keys[k].Numbers[v]))
			default:
				row = append(row, table.Text(m.keys[k].Values[v]))
			}
		}
		t.Rows = append(t.Rows, append(row, c.row()...))
	}
	return t.WriteCSV(w)
}

// row returns what a cell has after its settings in the file of the map.
func (c *Cell) row() []table.Cell {
	level, first := table.Missing(), c.Choices[0]
	if c.cell.Level != nil {
		level = table.Number(c.cell.Level.Conditions[0].Value)
	}
	names := strings.Join(c.cell.BestNames(), " = ")
	row := []table.Cell{level, table.Text(c.cell.Name), table.Text(c.cell.By), table.Text(names),
		table.Truth(c.Best > 1), table.Measured(float64(first.Cost.Value)), {}, {}, {},
		table.Integer(int64(first.Arrived)), table.Integer(int64(first.Runs))}
	if len(c.Choices) > 1 {
		margin := c.Choices[1].Ratio
		row[6] = table.Measured(float64(margin.Value))
		row[7], row[8] = table.Measured(float64(margin.Low)), table.Measured(float64(margin.High))
	}
	return row
}
