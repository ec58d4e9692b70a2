package compare

import (
	"fmt"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/list"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// resultKey is the swept key of the study that two results make. A scenario cannot have a key of this name.
const resultKey = "result"

// Compared is two results side by side: the costs of the runs that both have, to the first target that all of them
// state or of whole runs, and the differences of the scenarios. The numbers are those of a study that sweeps the
// result.
type Compared struct {
	Title   string
	Answer  *result.Answer
	Summary *fold.Summary
	Runs    []*result.Run // of both results, which are at A and B of one more key
	Tables  []table.Table
}

// New compares two results.
func New(nameA, nameB string, a, b *result.Report) (*Compared, error) {
	pairs, alone := pairUp(a, b)
	if len(pairs) == 0 {
		return nil, fmt.Errorf("no run of A has a partner in B with the same label, grid point and seed: A has %s; B has %s",
			runNames(a), runNames(b))
	}
	o, at := fold.Options{Seed: a.Runs[0].Seed}, fold.TheEnd
	if t, ok := commonTarget(pairs); ok {
		o.Targets, at = []result.Target{t}, 0
		for _, condition := range t.Conditions {
			if condition.Relation == ">=" {
				o.More = append(o.More, condition.Metric)
			}
		}
	}
	c := comparison{fold: fold.New(o), pairs: pairs, at: at}
	var runs []*result.Run
	for _, p := range pairs {
		for side, r := range []*result.Run{p.a, p.b} {
			marked := *r
			set, err := result.NewSetting(resultKey, string(rune('A'+side)))
			if err != nil {
				return nil, err
			}
			marked.Point = append(slices.Clip(r.Point), set)
			if err := c.fold.Add(&marked); err != nil {
				return nil, err
			}
			runs = append(runs, &marked)
		}
	}
	c.Summary = c.fold.Summary()
	costs := c.table()
	costs.Title = fmt.Sprintf("A = %s, B = %s: %s", nameA, nameB, costs.Title)
	const most = 10
	if len(alone) > most {
		alone = append(alone[:most], fmt.Sprintf("and %d more without a partner", len(alone)-most))
	}
	costs.Notes = append(costs.Notes, alone...)
	differences, err := compareScenarios(a, b)
	if err != nil {
		return nil, err
	}
	found, err := c.told(a, b)
	if err != nil {
		return nil, err
	}
	return &Compared{Title: fmt.Sprintf("A = %s, B = %s", nameA, nameB), Answer: found, Summary: c.Summary, Runs: runs,
		Tables: []table.Table{costs, differences}}, nil
}

// pair is a run of both results.
type pair struct{ a, b *result.Run }

// pairUp pairs the runs by label, point and seed, in A's order. It names the runs that only one of the results has.
func pairUp(x, y *result.Report) (pairs []pair, alone []string) {
	partners := map[string]*result.Run{}
	for i := range y.Runs {
		partners[y.Runs[i].Name()] = &y.Runs[i]
	}
	used := map[string]bool{}
	for i := range x.Runs {
		r := &x.Runs[i]
		if partner := partners[r.Name()]; partner != nil {
			used[r.Name()] = true
			pairs = append(pairs, pair{r, partner})
		} else {
			alone = append(alone, "only in A: "+r.Name())
		}
	}
	for i := range y.Runs {
		if name := y.Runs[i].Name(); !used[name] {
			alone = append(alone, "only in B: "+name)
		}
	}
	return pairs, alone
}

// runNames lists the first runs of a result.
func runNames(r *result.Report) string {
	const most = 3
	names := list.Map(r.Runs[:min(most, len(r.Runs))], func(r result.Run) string { return r.Name() })
	if len(r.Runs) > most {
		names = append(names, "...")
	}
	return strings.Join(names, "; ")
}

// commonTarget returns the first target of the first run that all runs report.
func commonTarget(pairs []pair) (result.Target, bool) {
	for _, own := range pairs[0].a.Targets {
		lacks := func(p pair) bool { return !reports(p.a, own.Target) || !reports(p.b, own.Target) }
		if !slices.ContainsFunc(pairs, lacks) {
			return own.Target, true
		}
	}
	return result.Target{}, false
}

// reports says whether a run states its cost to reach a target.
func reports(r *result.Run, t result.Target) bool {
	_, known := r.Attempt(t)
	return known && (len(r.Samples) == 0 || r.Measures(t))
}

// comparison is the study of two results.
type comparison struct {
	*fold.Summary
	fold  *fold.Fold
	pairs []pair
	at    int // the target that all runs state, which is the only one, or fold.TheEnd
}

// row is a method at a grid point: its groups of both results, and its pairs of runs.
type row struct {
	a, b  *fold.Group
	pairs []pair
}

// rows returns the methods at the grid points, in order.
func (c *comparison) rows() []row {
	var rows []row
	for i := range c.Groups {
		g := &c.Groups[i]
		at := c.Points[g.Point].Settings
		rest, side := at[:len(at)-1], at[len(at)-1].Text()
		k := slices.IndexFunc(rows, func(r row) bool {
			return c.Labels[g.Label] == r.pairs[0].a.Label && rest.Equal(r.pairs[0].a.Point)
		})
		if k < 0 {
			other := func(p pair) bool { return p.a.Label != c.Labels[g.Label] || !p.a.Point.Equal(rest) }
			k, rows = len(rows), append(rows, row{pairs: slices.DeleteFunc(slices.Clone(c.pairs), other)})
		}
		if side == "A" {
			rows[k].a = g
		} else {
			rows[k].b = g
		}
	}
	return rows
}

// table has a row for each method and grid point: A, B and B/A of the main costs, where the runs ended, and whether
// they are equal.
func (c *comparison) table() table.Table {
	title, main := "whole runs", "grad_norm2"
	if c.at >= 0 {
		title, main = "to "+c.Targets[c.at].Name, c.Targets[c.at].Conditions[0].Metric
	}
	var f table.Fields[row]
	f.Add(table.Column{Name: "method"}, func(r row) table.Cell { return table.Text(c.Labels[r.a.Label]) })
	if len(c.Axes()) > 1 {
		key := slices.IndexFunc(c.Keys, func(k fold.Key) bool { return k.Name == resultKey })
		f.Add(table.Column{Name: "point"}, func(r row) table.Cell { return table.Text(c.PointName(r.a.Point, key)) })
	}
	f.Add(table.Column{Name: "pairs"}, func(r row) table.Cell { return table.Text(c.reachedByBoth(r)) })
	measured := func(name string, u metrics.Unit, at int, q fold.Quantity) {
		value := func(g *fold.Group) table.Cell {
			return table.Measured(float64(c.fold.Measure(g.Point, g.Label, at, q).Value))
		}
		f.Add(table.Column{Name: name + " A", Unit: u}, func(r row) table.Cell { return value(r.a) })
		f.Add(table.Column{Name: "B", Unit: u}, func(r row) table.Cell { return value(r.b) })
	}
	for _, item := range metrics.Headlines() {
		cost := fold.Quantity{Costs: []string{item.ID}}
		measured(item.Header(), item.Unit, c.at, cost)
		f.Add(table.Column{Name: "B/A", Unit: table.Ratio}, func(r row) table.Cell { return c.ratio(r, cost) })
	}
	measured("final "+main, metrics.Number, fold.TheEnd, fold.Quantity{Metric: main})
	f.Add(table.Column{Name: "runs"}, func(r row) table.Cell { return table.Text(r.equal()) })
	t := f.Table(title, c.rows())
	t.Notes = []string{
		"A and B are what each result says by itself; B/A is the geometric mean over the pairs or, if runs did not get " +
			"there, their median, in which a run that diverged, stalled or failed is infinite."}
	return t
}

// reachedByBoth returns how many pairs got there, and how many runs of each result if these are more.
func (c *comparison) reachedByBoth(r row) string {
	d, ok := c.fold.Compare(r.b, r.a, c.at, fold.Quantity{Costs: []string{"payload_bytes"}})
	switch {
	case !ok:
		return fmt.Sprintf("0/%d", r.a.Runs)
	case d.AOnly+d.BOnly == 0:
		return fmt.Sprintf("%d/%d", d.Pairs, d.Pairs+d.Neither)
	}
	return fmt.Sprintf("%d/%d (A %d, B %d)", d.Pairs, d.Pairs+d.AOnly+d.BOnly+d.Neither, d.Pairs+d.BOnly, d.Pairs+d.AOnly)
}

// ratio returns B/A of a cost.
func (c *comparison) ratio(r row, cost fold.Quantity) table.Cell {
	d, ok := c.fold.Compare(r.b, r.a, c.at, cost)
	switch {
	case !ok:
		return table.Missing()
	case !d.Ratio.Value.Finite() && d.Difference.Low == 0 && d.Difference.High == 0 && d.Difference.Value == 0:
		return table.Integer(1) // 0 and 0
	}
	return table.Measured(float64(d.Ratio.Value))
}

// equalPairs counts the pairs whose runs have one hash.
func equalPairs(pairs []pair) int {
	n := 0
	for _, p := range pairs {
		if p.a.Hash == p.b.Hash {
			n++
		}
	}
	return n
}

// equal returns how many pairs are equal.
func (r row) equal() string {
	switch n := equalPairs(r.pairs); n {
	case len(r.pairs):
		return "equal"
	case 0:
		return "differ"
	default:
		return fmt.Sprintf("%d equal", n)
	}
}
