package views

import (
	"math/big"
	"slices"

	"tallynet/metrics"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// ForecastTables returns what runs would cost: one outer iteration of one node, beside
// the papers' own accounting, and all iterations of the whole network.
func ForecastTables(all []result.Forecast) []table.Table {
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
		lead := []table.Cell{table.Text(f.Label)}
		for _, k := range keys {
			value, ok := f.Point.Get(k)
			if !ok {
				value = "-"
			}
			lead = append(lead, table.Text(value))
		}
		forecastOnce(f, &once, lead, used)
		forecastWhole(f, &whole, lead, used)
	}
	return []table.Table{once, whole}
}

// forecastTables returns the empty tables.
func forecastTables(keys []string, used []callGroup) (once, whole table.Table) {
	columns := []table.Column{{Name: "method"}}
	for _, k := range keys {
		columns = append(columns, table.Column{Name: ShortKey(k, keys)})
	}
	once.Title = "One outer iteration of one node (broadcast elements)"
	once.Columns = append(append(slices.Clone(columns), table.Column{Name: ""}), costColumns(used)...)
	whole.Title = "All iterations, the whole network"
	whole.Columns = slices.Clone(columns)
	column := func(name string, unit metrics.Unit) {
		whole.Columns = append(whole.Columns, table.Column{Name: name, Unit: unit})
	}
	column("iterations", metrics.Count)
	column("rounds", metrics.Count)
	column("messages", metrics.Count)
	column("vector bytes", metrics.Bytes)
	column("matrix bytes", metrics.Bytes)
	column("payload", metrics.Bytes)
	for _, g := range used {
		column(g.name, metrics.Count)
	}
	column("", "")
	whole.Notes = []string{"Bytes count every receiver; headers are not in them."}
	return once, whole
}

// forecastOnce adds one iteration of one node, and the paper's count.
func forecastOnce(f *result.Forecast, once *table.Table, lead []table.Cell, used []callGroup) {
	cells := costCells(f.PerIteration, used, NetworkSize{f.Nodes, f.DataNodes}, 1)
	once.Rows = append(once.Rows, append(append(slices.Clone(lead), bound(f)), cells...))
	if f.Varies {
		Note(once, f.Label+": the first iteration; later ones have another cost.")
	}
	if f.Paper == nil {
		return
	}
	row := slices.Repeat([]table.Cell{table.Text("")}, len(once.Columns))
	row[len(lead)] = table.Text("paper")
	row[len(lead)+2] = wholeOr(f.Paper.ElementsPerNode)
	once.Rows = append(once.Rows, row)
	Note(once, paperNote(f.Label, f.Paper))
}

// forecastWhole adds all iterations of the whole network.
func forecastWhole(f *result.Forecast, whole *table.Table, lead []table.Cell, used []callGroup) {
	row := slices.Clone(lead)
	rounds := f.Terms.Of(func(c *metrics.Cost) int64 { return c.Rounds })
	messages := f.Terms.Of(func(c *metrics.Cost) int64 { return c.Messages })
	row = append(row, table.Integer(int64(f.Iterations)))
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
func wide(n *big.Int) table.Cell {
	if n.IsInt64() {
		return table.Integer(n.Int64())
	}
	x, _ := new(big.Float).SetInt(n).Float64()
	return table.Number(x)
}

func bound(f *result.Forecast) table.Cell {
	if f.Bound {
		return table.Text("at most")
	}
	return table.Text("")
}

// Note adds a remark to a table, once.
func Note(t *table.Table, text string) {
	if !slices.Contains(t.Notes, text) {
		t.Notes = append(t.Notes, text)
	}
}
