package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/metrics/render"
	"tallynet/metrics/result"
	"tallynet/scenarios"
)

// tableFormats are the formats of commands whose result is tables only.
func tableFormats() []string { return []string{"text", "md", "csv", "latex"} }

func checkFormat(command, format string) error {
	if !slices.Contains(tableFormats(), format) {
		return fmt.Errorf("%s: --format %s is not known%s", command, format, proposal(format, tableFormats()))
	}
	return nil
}

func formatFlag(c *cobra.Command, format *string) {
	c.Flags().StringVar(format, "format", "text", "of the tables: "+strings.Join(tableFormats(), ", "))
}

func (a *app) predictCommand() *cobra.Command {
	var set []string
	var format string
	c := &cobra.Command{
		Use: "predict FILE [flags]", Short: "What a scenario costs in closed form, without running it",
		Long: `What each method of a scenario costs in closed form, without running it: one outer
iteration, and all of them. Stop rules on a metric, on time or on payload end a run
earlier; what is not known before a run, as the time and the accuracy, is left out.`,
		Args: need(1, 1, "a scenario file"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkFormat("predict", format); err != nil {
				return err
			}
			return a.predict(args[0], set, format)
		},
	}
	c.Flags().StringArrayVar(&set, "set", nil, "change a value of the file, as in problem.p=100")
	formatFlag(c, &format)
	return c
}

func (a *app) predict(file string, set []string, format string) error {
	s, err := a.load(file, set)
	if err != nil {
		return err
	}
	points, err := s.Points()
	if err != nil {
		return err
	}
	var keys []string
	for _, p := range points {
		for _, set := range p.Values {
			if !slices.Contains(keys, set.Key) {
				keys = append(keys, set.Key)
			}
		}
	}
	var instances []*scenarios.Instance
	var costs []metrics.OracleCounts
	for _, p := range points {
		in, err := p.Scenario.Build(p.Scenario.Seeds[0], &a.loader)
		if err != nil {
			return err
		}
		instances = append(instances, in)
		for _, m := range in.Methods {
			costs = append(costs, scenarios.Predict(m, in.Dims(), m.Iterations()).Total.Oracle)
		}
	}
	used := usedCalls(slices.Values(costs))
	once, all := predictionTables(s, keys, used)
	for i, p := range points {
		in := instances[i]
		if i == 0 && format == "text" {
			pp, q := in.Problem.Dims()
			about := fmt.Sprintf("%s: %s, %s, %s; x has %d elements, y has %d; an element is %s.", s.Name, in.Graph.Name(), plural(in.Graph.Nodes(), "node"), plural(in.Graph.Edges(), "edge"), pp, q, s.Wire)
			if _, err := fmt.Fprintf(a.io.Out, "%s\n\n", wrapped(about, "")); err != nil {
				return err
			}
		}
		if err := predictPoint(p, in, keys, used, &once, &all); err != nil {
			return err
		}
	}
	return writeTables(a.io.Out, format, []render.Table{once, all})
}

// predictionTables returns the empty tables, for one iteration of a node and for all
// of the network.
func predictionTables(s *scenarios.Scenario, keys []string, used []callGroup) (once, all render.Table) {
	columns := []render.Column{{Name: "method"}}
	for _, k := range keys {
		columns = append(columns, render.Column{Name: shortKey(k, keys)})
	}
	once.Title = "One outer iteration of one node (broadcast elements)"
	once.Columns = append(append(slices.Clone(columns), render.Column{Name: ""}), costColumns(used)...)
	all.Title = "All iterations, the whole network"
	all.Columns = append(slices.Clone(columns), render.Column{Name: "iterations", Kind: render.IntegerColumn}, render.Column{Name: "rounds", Kind: render.IntegerColumn},
		render.Column{Name: "messages", Kind: render.IntegerColumn}, render.Column{Name: "vector bytes", Kind: render.ByteColumn},
		render.Column{Name: "matrix bytes", Kind: render.ByteColumn}, render.Column{Name: "payload", Kind: render.ByteColumn})
	for _, g := range used {
		all.Columns = append(all.Columns, render.Column{Name: g.name, Kind: render.IntegerColumn})
	}
	all.Columns = append(all.Columns, render.Column{Name: ""})
	all.Notes = []string{"Bytes count every receiver; headers are not in them."}
	for _, alg := range s.Algorithms {
		if alg.Tune != nil {
			all.Notes = append(all.Notes, alg.Label+": with the parameters of the first point of its tuning grid.")
		}
	}
	return once, all
}

func predictPoint(point scenarios.GridPoint, in *scenarios.Instance, keys []string, used []callGroup, once, all *render.Table) error {
	codec, err := channel.NewCodec(point.Scenario.Wire)
	if err != nil {
		return err
	}
	for i, m := range in.Methods {
		label := point.Scenario.Algorithms[i].Label
		lead := []render.Cell{render.Text(label)}
		for _, k := range keys {
			text := "-"
			if i := slices.IndexFunc(point.Values, func(v scenarios.GridValue) bool { return v.Key == k }); i >= 0 {
				set, err := result.NewSetting(k, point.Values[i].Value)
				if err != nil {
					return err
				}
				text = set.Text()
			}
			lead = append(lead, render.Text(text))
		}
		p := scenarios.Predict(m, in.Dims(), m.Iterations())
		what := ""
		if p.Bound {
			what = "at most"
		}
		row := append(append(slices.Clone(lead), render.Text(what)), costCells(p.PerIteration, used, point.Scenario.Topology, 1)...)
		once.Rows = append(once.Rows, row)
		if p.Varies {
			note(once, label+": the first iteration; later ones cost something else.")
		}
		if p.Paper != nil {
			cells := slices.Repeat([]render.Cell{render.Text("")}, len(once.Columns))
			cells[len(lead)] = render.Text("paper")
			cells[len(lead)+2] = wholeOr(p.Paper.ElementsPerNode)
			once.Rows = append(once.Rows, cells)
			note(once, paperNote(label, p.Paper))
		}
		c, size := p.Total, func(n int64) render.Cell { return render.Integer(codec.Size(int(n))) }
		row = append(lead, render.Integer(int64(m.Iterations())), render.Integer(c.Rounds), render.Integer(c.Messages),
			size(c.Wire.Vector), size(c.Wire.Matrix), size(c.Wire.Total()))
		for _, g := range used {
			row = append(row, render.Integer(g.in(c.Oracle)))
		}
		all.Rows = append(all.Rows, append(row, render.Text(what)))
	}
	return nil
}

// note adds a remark to a table, once.
func note(t *render.Table, text string) {
	if !slices.Contains(t.Notes, text) {
		t.Notes = append(t.Notes, text)
	}
}
