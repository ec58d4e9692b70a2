package cli

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tallynet/metrics"
	"tallynet/metrics/render"
	"tallynet/metrics/result"
)

func (a *app) compareCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use: "compare A B [flags]", Short: "Two results side by side, run by run",
		Long: `Two results side by side: folders, or their result.json. Runs are paired by method,
grid point and seed, and the ratios B/A are geometric means over the pairs. Where
both results have the same target, the costs are those of reaching it.`,
		Args: need(2, 2, "a result"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkFormat("compare", format); err != nil {
				return err
			}
			return a.compare(args[0], args[1], format)
		},
	}
	formatFlag(c, &format)
	return c
}

// readResult reads a result.json, or that of a folder.
func readResult(path string) (*result.Report, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, "result.json")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("compare: %s: %w", path, cause(err))
	}
	report, err := result.ReadReport(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("compare: %s: %w", path, err)
	}
	return report, nil
}

func (a *app) compare(pathA, pathB, format string) error {
	x, err := readResult(pathA)
	if err != nil {
		return err
	}
	y, err := readResult(pathB)
	if err != nil {
		return err
	}
	costs, err := compareRuns(x, y)
	if err != nil {
		return err
	}
	costs.Title = fmt.Sprintf("A = %s, B = %s: %s", pathA, pathB, costs.Title)
	differences, err := compareScenarios(x, y)
	if err != nil {
		return err
	}
	tables := []render.Table{costs, differences}
	if format == "csv" {
		tables = tables[:1]
	}
	return writeTables(a.io.Out, format, tables)
}

// pair is a run of both results.
type pair struct{ a, b *result.Run }

// pairUp pairs the runs by label, point and seed, in A's order, and names those that
// only one of the results has.
func pairUp(x, y *result.Report) (groups [][]pair, alone []string) {
	same := func(r, o *result.Run) bool { return r.Label == o.Label && equalPoints(r.Point, o.Point) }
	used := map[*result.Run]bool{}
	for i := range x.Runs {
		r := &x.Runs[i]
		j := slices.IndexFunc(y.Runs, func(o result.Run) bool { return same(r, &o) && r.Seed == o.Seed })
		if j < 0 {
			alone = append(alone, "only in A: "+runName(r, true))
			continue
		}
		used[&y.Runs[j]] = true
		p := pair{r, &y.Runs[j]}
		g := slices.IndexFunc(groups, func(g []pair) bool { return same(g[0].a, r) })
		if g < 0 {
			g, groups = len(groups), append(groups, nil)
		}
		groups[g] = append(groups[g], p)
	}
	for i := range y.Runs {
		if !used[&y.Runs[i]] {
			alone = append(alone, "only in B: "+runName(&y.Runs[i], true))
		}
	}
	return groups, alone
}

// runNames names the first runs of a result.
func runNames(r *result.Report) string {
	var names []string
	for i := range r.Runs {
		if i == 3 {
			names = append(names, "...")
			break
		}
		names = append(names, runName(&r.Runs[i], true))
	}
	return strings.Join(names, "; ")
}

// moment is what a run had cost at some point, and its metric there.
type moment struct {
	iteration int
	totals    *metrics.Totals
}

// momentOf returns the run at its first target, or at its end.
func momentOf(r *result.Run, atTarget bool) (moment, bool) {
	if !atTarget {
		return moment{r.Iterations, &r.Totals}, ended(r.Status)
	}
	if len(r.Targets) == 0 || r.Targets[0].At == nil {
		return moment{}, false
	}
	return moment{r.Targets[0].At.Iteration, &r.Targets[0].At.Totals}, true
}

// commonTarget returns the first target of all runs, if they have the same one.
func commonTarget(groups [][]pair) (result.Attempt, bool) {
	var first *result.Attempt
	for _, g := range groups {
		for _, p := range g {
			for _, r := range []*result.Run{p.a, p.b} {
				if len(r.Targets) == 0 {
					return result.Attempt{}, false
				}
				t := &r.Targets[0]
				if first == nil {
					first = t
				}
				if !t.Equal(first.Target) {
					return result.Attempt{}, false
				}
			}
		}
	}
	if first == nil {
		return result.Attempt{}, false
	}
	return *first, true
}

func compareRuns(x, y *result.Report) (render.Table, error) {
	groups, alone := pairUp(x, y)
	if len(groups) == 0 {
		return render.Table{}, fmt.Errorf("compare: no run of A has a partner in B with the same label, grid point and seed: A has %s; B has %s", runNames(x), runNames(y))
	}
	target, atTarget := commonTarget(groups)
	main := "grad_norm2"
	table := render.Table{Title: "whole runs"}
	if atTarget {
		main = target.Conditions[0].Metric
		table.Title = "to " + target.String()
	}
	column := func(name string, kind render.ColumnKind) {
		table.Columns = append(table.Columns, render.Column{Name: name, Kind: kind})
	}
	points := slices.ContainsFunc(groups, func(g []pair) bool { return len(g[0].a.Point) > 0 })
	column("method", render.TextColumn)
	if points {
		column("point", render.TextColumn)
	}
	column("pairs", render.TextColumn)
	for _, name := range []string{"iterations", "payload", "time"} {
		kind := map[string]render.ColumnKind{"iterations": render.IntegerColumn, "payload": render.ByteColumn, "time": render.SecondColumn}[name]
		column(name+" A", kind)
		column("B", kind)
		column("B/A", render.RatioColumn)
	}
	column("final "+main+" A", render.FloatColumn)
	column("B", render.FloatColumn)
	column("runs", render.TextColumn)
	for _, g := range groups {
		table.Rows = append(table.Rows, compareGroup(g, points, atTarget, main))
	}
	const most = 10
	if len(alone) > most {
		alone = append(alone[:most], fmt.Sprintf("and %d more without a partner", len(alone)-most))
	}
	table.Notes = alone
	return table, nil
}

// compareGroup is the row of one method at one grid point.
func compareGroup(g []pair, points, atTarget bool, main string) []render.Cell {
	row := []render.Cell{render.Text(g[0].a.Label)}
	if points {
		row = append(row, render.Text(pointText(g[0].a.Point, "=")))
	}
	var a, b []moment
	identical := 0
	for _, p := range g {
		ma, okA := momentOf(p.a, atTarget)
		mb, okB := momentOf(p.b, atTarget)
		if okA && okB {
			a, b = append(a, ma), append(b, mb)
		}
		if p.a.Hash == p.b.Hash {
			identical++
		}
	}
	row = append(row, render.Text(fmt.Sprintf("%d/%d", len(a), len(g))))
	whole := func(of func(m moment) float64) {
		row = append(row, compared(a, b, of)...)
	}
	whole(func(m moment) float64 { return float64(m.iteration) })
	whole(func(m moment) float64 { return float64(m.totals.PayloadBytes()) })
	whole(func(m moment) float64 { return m.totals.Time.Seconds() })
	var finals [2][]float64
	for _, p := range g {
		for k, r := range []*result.Run{p.a, p.b} {
			if v, ok := r.Final.Values.Get(main); ok {
				finals[k] = append(finals[k], v)
			}
		}
	}
	for _, f := range finals {
		if len(f) == 0 {
			row = append(row, render.Missing())
		} else {
			row = append(row, render.Number(mean(f)))
		}
	}
	same := "differ"
	switch {
	case identical == len(g):
		same = "equal"
	case identical > 0:
		same = fmt.Sprintf("%d equal", identical)
	}
	return append(row, render.Text(same))
}

// compared returns the means of a quantity in A and B and the geometric mean of B/A.
func compared(a, b []moment, of func(m moment) float64) []render.Cell {
	if len(a) == 0 {
		return []render.Cell{render.Missing(), render.Missing(), render.Missing()}
	}
	var xs, ys []float64
	logs := 0.0
	for i := range a {
		xs, ys = append(xs, of(a[i])), append(ys, of(b[i]))
		if xs[i] == ys[i] {
			continue // 0/0 too
		}
		logs += math.Log(ys[i] / xs[i])
	}
	ratio := render.Number(math.Exp(logs / float64(len(a))))
	if math.IsInf(logs, 0) || math.IsNaN(logs) {
		ratio = render.Missing()
	}
	return []render.Cell{wholeOr(mean(xs)), wholeOr(mean(ys)), ratio}
}

func wholeOr(x float64) render.Cell {
	if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
		return render.Integer(int64(x))
	}
	return render.Number(x)
}

func mean(xs []float64) float64 {
	m := 0.0
	for i, x := range xs {
		m += (x - m) / float64(i+1)
	}
	return m
}
