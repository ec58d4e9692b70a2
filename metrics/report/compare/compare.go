package compare

import (
	"fmt"
	"slices"
	"strings"

	"tallynet/metrics"
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
	c := comparison{pairs: pairs}
	o := fold.Options{Seed: a.Runs[0].Seed}
	if t, ok := commonTarget(pairs); ok {
		o.Targets, c.atTarget, c.target = []result.Target{t}, 1, t
		for _, condition := range t.Conditions {
			if condition.Relation == ">=" {
				o.More = append(o.More, condition.Metric)
			}
		}
	}
	c.fold = fold.New(o)
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
	var names []string
	for i := range r.Runs[:min(most, len(r.Runs))] {
		names = append(names, r.Runs[i].Name())
	}
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
	fold     *fold.Fold
	pairs    []pair
	atTarget int // how many targets there are: none or one
	target   result.Target
}

// table has a row for each method and grid point: A, B and B/A of the main costs, where the runs ended, and whether
// they are equal.
func (c *comparison) table() table.Table {
	title, at, main := "whole runs", fold.TheEnd, "grad_norm2"
	if c.atTarget > 0 {
		title, at, main = "to "+c.target.String(), 0, c.target.Conditions[0].Metric
	}
	var f table.Fields[int] // of A's groups, by index
	f.Add(table.Column{Name: "method"}, func(i int) table.Cell { return table.Text(c.Labels[c.Groups[i].Label]) })
	if len(c.Axes()) > 1 {
		key := slices.IndexFunc(c.Keys, func(k fold.Key) bool { return k.Name == resultKey })
		f.Add(table.Column{Name: "point"}, func(i int) table.Cell { return table.Text(c.PointName(c.Groups[i].Point, key)) })
	}
	f.Add(table.Column{Name: "pairs"}, func(i int) table.Cell { return table.Text(c.reachedByBoth(i, at)) })
	measured := func(name string, u metrics.Unit, at int, q fold.Quantity) {
		f.Add(table.Column{Name: name + " A", Unit: u}, func(i int) table.Cell { return c.measured(&c.Groups[i], at, q) })
		f.Add(table.Column{Name: "B", Unit: u}, func(i int) table.Cell {
			return c.measured(c.partner(&c.Groups[i]), at, q)
		})
	}
	for _, item := range metrics.Headlines() {
		measured(item.Header(), item.Unit, at, fold.Quantity{Costs: []string{item.ID}})
		f.Add(table.Column{Name: "B/A", Unit: table.Ratio}, func(i int) table.Cell { return c.ratio(i, at, item.ID) })
	}
	measured("final "+main, metrics.Number, fold.TheEnd, fold.Quantity{Metric: main})
	f.Add(table.Column{Name: "runs"}, func(i int) table.Cell { return table.Text(c.equal(&c.Groups[i])) })
	var rows []int
	for i := range c.Groups {
		if c.partner(&c.Groups[i]) != nil {
			rows = append(rows, i)
		}
	}
	t := f.Table(title, rows)
	t.Notes = []string{
		"A and B are what each result says by itself; B/A is the geometric mean over the pairs or, if runs did not get " +
			"there, their median, in which a run that diverged, stalled or failed is infinite."}
	return t
}

// measured returns a quantity of a group.
func (c *comparison) measured(g *fold.Group, at int, q fold.Quantity) table.Cell {
	return table.Measured(float64(c.fold.Measure(g.Point, g.Label, at, q).Value))
}

// rest returns the grid point of a group without the result.
func (c *comparison) rest(g *fold.Group) result.Settings {
	p := c.Points[g.Point].Settings
	return p[:len(p)-1]
}

// side returns whose runs a group holds: A's or B's.
func (c *comparison) side(g *fold.Group) string {
	p := c.Points[g.Point].Settings
	return p[len(p)-1].Text()
}

// partner returns B's group for one of A's; nil for one of B's.
func (c *comparison) partner(a *fold.Group) *fold.Group {
	if c.side(a) != "A" {
		return nil
	}
	i := slices.IndexFunc(c.Groups, func(b fold.Group) bool {
		return c.side(&b) == "B" && b.Label == a.Label && c.rest(&b).Equal(c.rest(a))
	})
	return &c.Groups[i] // only pairs were added
}

// between returns the comparison of B with A, A being group i, in a cost; nil if no pair has both.
func (c *comparison) between(i, at int, id string) *fold.Comparison {
	outcome := slices.IndexFunc(c.Outcomes, func(o fold.Outcome) bool {
		return o.Target == at && strings.HasSuffix("."+o.ID, "."+id)
	})
	k := slices.IndexFunc(c.Comparisons, func(d fold.Comparison) bool {
		return d.B == i && d.Outcome == outcome && d.Key >= 0 && c.Keys[d.Key].Name == resultKey
	})
	if k < 0 {
		return nil
	}
	return &c.Comparisons[k]
}

// reachedByBoth returns how many pairs got there, and how many runs of each result if these are more.
func (c *comparison) reachedByBoth(i, at int) string {
	d := c.between(i, at, "payload_bytes")
	switch {
	case d == nil:
		return fmt.Sprintf("0/%d", c.Groups[i].Runs)
	case d.AOnly+d.BOnly == 0:
		return fmt.Sprintf("%d/%d", d.Pairs, d.Pairs+d.Neither)
	}
	return fmt.Sprintf("%d/%d (A %d, B %d)", d.Pairs, d.Pairs+d.AOnly+d.BOnly+d.Neither, d.Pairs+d.BOnly, d.Pairs+d.AOnly)
}

// ratio returns B/A of a cost, A being group i.
func (c *comparison) ratio(i, at int, id string) table.Cell {
	d := c.between(i, at, id)
	switch {
	case d == nil:
		return table.Missing()
	case !d.Ratio.Value.Finite() && d.Difference.Low == 0 && d.Difference.High == 0 && d.Difference.Value == 0:
		return table.Integer(1) // 0 and 0
	}
	return table.Measured(float64(d.Ratio.Value))
}

// equal returns how many pairs of a group have equal hashes.
func (c *comparison) equal(a *fold.Group) string {
	n, all := 0, 0
	for _, p := range c.pairs {
		if p.a.Label == c.Labels[a.Label] && p.a.Point.Equal(c.rest(a)) {
			all++
			if p.a.Hash == p.b.Hash {
				n++
			}
		}
	}
	switch n {
	case all:
		return "equal"
	case 0:
		return "differ"
	}
	return fmt.Sprintf("%d equal", n)
}
