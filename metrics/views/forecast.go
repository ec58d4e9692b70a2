package views

import (
	"math/big"
	"slices"

	"tallynet/metrics"
	"tallynet/metrics/render"
	"tallynet/metrics/result"
)

// ForecastTables returns what runs would cost: one outer iteration of one node, beside
// the papers' own accounting, and all iterations of the whole network.
func ForecastTables(all []result.Forecast) []render.Table {
	var keys []string
	for _, f := range all {
		for _, set := range f.Point {
			if !slices.Contains(keys, set.Key) {
				keys = append(keys, set.Key)
			}
		}
	}
	used := usedCalls(func(yield func(metrics.OracleCounts) bool) {
		for _, f := range all {
			if !yield(f.Total.Oracle) {
				return
			}
		}
	})
	once, whole := forecastTables(keys, used)
	for i := range all {
		f := &all[i]
		lead := []render.Cell{render.Text(f.Label)}
		for _, k := range keys {
			value, ok := f.Point.Get(k)
			if !ok {
				value = "-"
			}
			lead = append(lead, render.Text(value))
		}
		forecastOnce(f, &once, lead, used)
		forecastWhole(f, &whole, lead, used)
	}
	return []render.Table{once, whole}
}

// forecastTables returns the empty tables.
func forecastTables(keys []string, used []callGroup) (once, whole render.Table) {
	columns := []render.Column{{Name: "method"}}
	for _, k := range keys {
		columns = append(columns, render.Column{Name: ShortKey(k, keys)})
	}
	once.Title = "One outer iteration of one node (broadcast elements)"
	once.Columns = append(append(slices.Clone(columns), render.Column{Name: ""}), costColumns(used)...)
	whole.Title = "All iterations, the whole network"
	whole.Columns = slices.Clone(columns)
	column := func(name string, kind render.ColumnKind) {
		whole.Columns = append(whole.Columns, render.Column{Name: name, Kind: kind})
	}
	column("iterations", render.IntegerColumn)
	column("rounds", render.IntegerColumn)
	column("messages", render.IntegerColumn)
	column("vector bytes", render.ByteColumn)
	column("matrix bytes", render.ByteColumn)
	column("payload", render.ByteColumn)
	for _, g := range used {
		column(g.name, render.IntegerColumn)
	}
	column("", render.TextColumn)
	whole.Notes = []string{"Bytes count every receiver; headers are not in them."}
	return once, whole
}

// forecastOnce adds one iteration of one node, and the paper's count.
func forecastOnce(f *result.Forecast, once *render.Table, lead []render.Cell, used []callGroup) {
	cells := costCells(f.PerIteration, used, NetworkSize{f.Nodes, f.DataNodes}, 1)
	once.Rows = append(once.Rows, append(append(slices.Clone(lead), bound(f)), cells...))
	if f.Varies {
		Note(once, f.Label+": the first iteration; later ones have another cost.")
	}
	if f.Paper == nil {
		return
	}
	row := slices.Repeat([]render.Cell{render.Text("")}, len(once.Columns))
	row[len(lead)] = render.Text("paper")
	row[len(lead)+2] = wholeOr(f.Paper.ElementsPerNode)
	once.Rows = append(once.Rows, row)
	Note(once, paperNote(f.Label, f.Paper))
}

// forecastWhole adds all iterations of the whole network.
func forecastWhole(f *result.Forecast, whole *render.Table, lead []render.Cell, used []callGroup) {
	row := slices.Clone(lead)
	rounds := f.Terms.Of(func(c *metrics.Cost) int64 { return c.Rounds })
	messages := f.Terms.Of(func(c *metrics.Cost) int64 { return c.Messages })
	row = append(row, render.Integer(int64(f.Iterations)))
	for _, n := range []*big.Int{rounds, messages, f.VectorBytes, f.MatrixBytes, f.PayloadBytes} {
		row = append(row, wide(n))
	}
	for _, g := range used {
		row = append(row, wide(f.Terms.Of(func(c *metrics.Cost) int64 { return g.in(c.Oracle) })))
	}
	whole.Rows = append(whole.Rows, append(row, bound(f)))
	if f.Tuned {
		Note(whole, f.Label+": with the parameters of the first point of its tuning grid.")
	}
}

// wide is an exact count, or a rounded one if it has more than 64 bits.
func wide(n *big.Int) render.Cell {
	if n.IsInt64() {
		return render.Integer(n.Int64())
	}
	x, _ := new(big.Float).SetInt(n).Float64()
	return render.Number(x)
}

func bound(f *result.Forecast) render.Cell {
	if f.Bound {
		return render.Text("at most")
	}
	return render.Text("")
}

// Note adds a remark to a table, once.
func Note(t *render.Table, text string) {
	if !slices.Contains(t.Notes, text) {
		t.Notes = append(t.Notes, text)
	}
}
