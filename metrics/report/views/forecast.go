package views

import (
	"math/big"
	"slices"

	"tallynet/metrics"
	"tallynet/metrics/list"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// ForecastTables returns the predicted costs of runs: of one outer iteration of one node, beside the papers' own
// accounting, and of all iterations of the whole network. The options say what people call keys and values.
func ForecastTables(all []result.Forecast, o fold.Options) []table.Table {
	var keys []string
	for _, f := range all {
		keys = list.Add(keys, f.Point.Keys()...)
	}
	used := usedCalls(len(all), func(i int) metrics.OracleCounts { return all[i].Total.Oracle })
	var lead table.Fields[*result.Forecast]
	lead.Add(text("method"), func(f *result.Forecast) table.Cell { return table.Text(f.Label) })
	for i, title := range o.KeyTitles(keys) {
		lead.Add(text(title), func(f *result.Forecast) table.Cell {
			if k := slices.Index(f.Point.Keys(), keys[i]); k >= 0 {
				return table.Text(o.LabelOf(f.Point[k]))
			}
			return table.Text("-")
		})
	}
	rows := make([]*result.Forecast, len(all))
	once := table.Table{Title: "One outer iteration of one node (broadcast elements)",
		Columns: append(append(lead.Columns(), text("")), costColumns(used)...)}
	for i := range all {
		rows[i] = &all[i]
		forecastOnce(&all[i], &once, lead.Row(&all[i]), used)
	}
	return []table.Table{once, forecastWhole(lead, rows, used)}
}

// forecastOnce adds one iteration of one node, and the paper's count.
func forecastOnce(f *result.Forecast, once *table.Table, lead []table.Cell, used []observable) {
	cells := costCells(f.PerIteration, used, NetworkSize{f.Nodes, f.DataNodes}, 1)
	once.Rows = append(once.Rows, append(append(slices.Clone(lead), bound(f)), cells...))
	if f.Varies {
		once.Note(f.Label + ": the first iteration; later ones have another cost.")
	}
	if f.Paper == nil {
		return
	}
	row := slices.Repeat([]table.Cell{table.Text("")}, len(once.Columns))
	row[len(lead)] = table.Text("paper")
	row[len(lead)+2] = table.Measured(f.Paper.ElementsPerNode)
	once.Rows = append(once.Rows, row)
	once.Note(paperNote(f.Label, f.Paper))
}

// forecastWhole is the cost of all iterations of the whole network.
func forecastWhole(f table.Fields[*result.Forecast], rows []*result.Forecast, used []observable) table.Table {
	add := func(name string, u metrics.Unit, of func(*result.Forecast) *big.Int) {
		f.Add(table.Column{Name: name, Unit: u}, func(f *result.Forecast) table.Cell { return wide(of(f)) })
	}
	count := func(name string, of func(*metrics.Cost) int64) {
		add(name, metrics.Count, func(f *result.Forecast) *big.Int { return f.Terms.Of(of) })
	}
	f.Add(whole("iterations"), func(f *result.Forecast) table.Cell { return table.Integer(int64(f.Iterations)) })
	count("rounds", func(c *metrics.Cost) int64 { return c.Rounds })
	count("messages", func(c *metrics.Cost) int64 { return c.Messages })
	add("vector bytes", metrics.Bytes, func(f *result.Forecast) *big.Int { return f.VectorBytes })
	add("matrix bytes", metrics.Bytes, func(f *result.Forecast) *big.Int { return f.MatrixBytes })
	add("payload", metrics.Bytes, func(f *result.Forecast) *big.Int { return f.PayloadBytes })
	for _, q := range used {
		count(q.column.Name, func(c *metrics.Cost) int64 { return q.calls(c.Oracle) })
	}
	f.Add(text(""), bound)
	t := f.Table("All iterations, the whole network", rows)
	t.Note("Bytes count every receiver; headers are not in them.")
	for _, f := range rows {
		if f.GoesOn {
			t.Note(f.Label + ": if every node makes as many steps; faster nodes make more until the slowest is done.")
		}
		if f.Tuned {
			t.Note(f.Label + ": with the parameters of the first point of its tuning grid.")
		}
	}
	return t
}

// wide returns an exact count, or a rounded one if it has more than 64 bits.
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
