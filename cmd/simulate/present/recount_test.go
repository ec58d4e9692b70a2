package present

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"tallynet/metrics"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/keys"
)

// recount computes the answer of a result anew from its runs and samples. It shares no code with what made the answer.
type recount struct {
	*result.Report
	q     *result.Question
	more  []string // metrics to maximize
	label func(result.Setting) string
	held  []*held
	order map[string]int // of methods, points and values: by first appearance
	wrong []string
}

// held is the runs of one method at one grid point.
type held struct {
	method string
	point  result.Settings
	runs   []*result.Run
}

// known is what is known of a number of a run.
type known struct {
	value float64
	state int
}

const (
	unasked = iota
	beyond  // it is larger than the value, which may be infinite
	exact
)

// require records what is wrong unless ok.
func (c *recount) require(ok bool, format string, args ...any) {
	if !ok {
		c.wrong = append(c.wrong, fmt.Sprintf(format, args...))
	}
}

// gather groups the runs by grid point, then method.
func (c *recount) gather() {
	c.order = map[string]int{}
	for i := range c.Runs {
		r := &c.Runs[i]
		names := []string{r.Label, r.Point.Text("=")}
		for _, s := range r.Point {
			names = append(names, s.Key+string(s.Value))
		}
		for _, name := range names {
			if _, seen := c.order[name]; !seen {
				c.order[name] = len(c.order)
			}
		}
		if c.of(r.Label, r.Point) == nil {
			c.held = append(c.held, &held{method: r.Label, point: r.Point})
		}
		h := c.of(r.Label, r.Point)
		h.runs = append(h.runs, r)
	}
	slices.SortStableFunc(c.held, func(a, b *held) int {
		return cmp.Or(c.order[a.point.Text("=")]-c.order[b.point.Text("=")], c.order[a.method]-c.order[b.method])
	})
}

// of returns a group; nil if there is none.
func (c *recount) of(method string, point result.Settings) *held {
	for _, h := range c.held {
		if h.method == method && h.point.Equal(point) {
			return h
		}
	}
	return nil
}

func ended(r *result.Run) bool { return r.Status == "completed" || r.Status == "reached" }

// none reports whether x is no number.
func none(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }

// near reports whether numbers are equal but for rounding.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(a) || none(a) && none(b) }

func within(key, section string) bool { return key == section || strings.HasPrefix(key, section+".") }

// pick returns some settings as text.
func pick(of result.Settings, keep func(key string) bool) string {
	some := slices.DeleteFunc(slices.Clone(of), func(s result.Setting) bool { return !keep(s.Key) })
	slices.SortFunc(some, func(a, b result.Setting) int { return cmp.Compare(a.Key, b.Key) })
	return some.Text("=")
}

// reach returns the sample at which a run gets to a target; -1 if it never does.
func (c *recount) reach(r *result.Run, t *result.Target) int {
	at := -1
	for i := 0; i < len(r.Samples) && ended(r); i++ {
		met := r.Samples[i].Iteration > 0
		for _, bound := range t.Conditions {
			if bound.Floor {
				bound.Value *= c.floor(r, bound.Metric)
			}
			v := r.Samples[i].Values[slices.Index(r.Metrics, bound.Metric)]
			met = met && (bound.Relation == "<=" && v <= bound.Value || bound.Relation == ">=" && v >= bound.Value)
		}
		switch {
		case met && at < 0:
			at = i
		case !met && t.Kept:
			at = -1
		}
	}
	return at
}

// floor returns the least value at which a run of the same seed and problem ends.
func (c *recount) floor(r *result.Run, metric string) float64 {
	problem := func(key string) bool { return key == "topology.nodes" || within(key, "problem") }
	least := math.NaN()
	for i := range c.Runs {
		o := &c.Runs[i]
		same := o.Seed == r.Seed && pick(o.Point, problem) == pick(r.Point, problem)
		if v, ok := o.Final.Values.Get(metric); ok && ended(o) && same && !(v >= least) {
			least = v
		}
	}
	return least
}

func isMetric(by string) bool { return by != "gradients" && metrics.FindCost(by) == nil }

func spent(by string, m metrics.Moment) float64 {
	if by == "gradients" {
		return float64(m.Totals.Oracle.GradF + m.Totals.Oracle.GradG)
	}
	return metrics.FindCost(by).Value(&m)
}

// number returns what is known of a cost of a run to a target, or of all of it without one, or of a metric at its end.
// What is better the more there is has the other sign.
func (c *recount) number(r *result.Run, by string, t *result.Target) known {
	lacks := func(bound result.Condition) bool { return !slices.Contains(r.Metrics, bound.Metric) }
	end := metrics.Moment{Iteration: r.Iterations, Totals: r.Totals}
	switch v, _ := r.Final.Values.Get(by); {
	case !ended(r):
		return known{math.Inf(1), beyond}
	case isMetric(by) && none(v), t != nil && slices.ContainsFunc(t.Conditions, lacks):
		return known{}
	case slices.Contains(c.more, by):
		return known{-v, exact}
	case isMetric(by):
		return known{v, exact}
	case t == nil:
		return known{spent(by, end), exact}
	}
	if i := c.reach(r, t); i >= 0 {
		return known{spent(by, r.Samples[i].Moment), exact}
	}
	return known{spent(by, end), beyond}
}

// typical returns the mean if all runs have a number, else the Kaplan-Meier median; NaN if fewer than half do.
func (c *recount) typical(h *held, by string, t *result.Target) float64 {
	var all []known
	sum, have := 0.0, 0
	for _, r := range h.runs {
		k := c.number(r, by, t)
		if k.state != unasked {
			all = append(all, k)
		}
		if k.state == exact {
			sum, have = sum+k.value, have+1
		}
	}
	switch {
	case 2*have < len(all):
		return math.NaN()
	case have < len(all):
		return kaplanMeier(all)[0]
	}
	return sum / float64(have)
}

// kaplanMeier returns the median of costs of which some are only known to be larger, and its interval: where the share
// that is not there yet, and the ends of its log-log interval, cross one half.
func kaplanMeier(all []known) (ends [3]float64) {
	slices.SortFunc(all, func(a, b known) int { return cmp.Compare(a.value, b.value) })
	inf := math.Inf(1)
	half, below := [3]float64{inf, inf, inf}, [3]float64{inf, inf, inf} // the costs at which it is one half, and below
	s, variance := 1.0, 0.0
	for i := 0; i < len(all); {
		atRisk, there, cost := float64(len(all)-i), 0.0, all[i].value
		for ; i < len(all) && all[i].value == cost; i++ {
			there += float64(all[i].state - beyond)
		}
		s, variance = s*(1-there/atRisk), variance+there/atRisk/(atRisk-there)
		width := 1.959963984540054 * math.Sqrt(variance) / math.Log(s)
		for k, p := range []float64{s, math.Pow(s, math.Exp(-width)), math.Pow(s, math.Exp(width))} {
			switch {
			case there == 0:
			case p < 0.5-1e-9:
				below[k] = min(below[k], cost)
			case p < 0.5+1e-9:
				half[k] = min(half[k], cost)
			}
		}
	}
	for k := range ends {
		switch ends[k] = min(half[k], below[k]); {
		case half[k] < below[k] && below[k] < inf:
			ends[k] = (half[k] + below[k]) / 2
		}
	}
	return ends
}

// pairs counts the common seeds at which both, one or neither has a number, and returns the ratios but of neither.
func (c *recount) pairs(a, b *held, by string, t *result.Target) (both, onlyA, onlyB, neither float64,
	ratios []known) {
	for _, r := range a.runs {
		i := slices.IndexFunc(b.runs, func(o *result.Run) bool { return o.Seed == r.Seed })
		if i < 0 {
			continue
		}
		x, y := c.number(r, by, t), c.number(b.runs[i], by, t)
		switch {
		case x.state == exact && y.state == exact:
			both++
		case x.state == exact:
			onlyA++
		case y.state == exact:
			onlyB++
		default:
			neither++
			continue
		}
		ratios = append(ratios, known{x.value / y.value, max(x.state, beyond)})
	}
	return both, onlyA, onlyB, neither, ratios
}

// ratio returns the cost of a over that of b by pairs of equal seeds, and its interval: the geometric mean or, where
// one of a pair is not there, the Kaplan-Meier median.
func (c *recount) ratio(a, b *held, by string, t *result.Target) (r [3]float64, n float64) {
	if slices.Contains(c.more, by) {
		a, b = b, a
	}
	both, onlyA, onlyB, neither, pairs := c.pairs(a, b, by, t)
	n, nan := both+onlyA+onlyB, math.NaN()
	switch {
	case n == 0 || 2*(both+min(onlyA, onlyB)) < n+neither || isMetric(by) && both < n:
		return [3]float64{nan, nan, nan}, n
	case both < n:
		if r = kaplanMeier(pairs); n == 1 || none(r[1]) {
			r[1], r[2] = nan, nan
		}
		return r, n
	}
	var logs []float64
	for _, k := range pairs {
		logs = append(logs, math.Log(k.value))
	}
	mean, half := stat.Mean(logs, nil), nan
	if n > 1 {
		half = distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975) * stat.StdDev(logs, nil) / math.Sqrt(n)
	}
	return [3]float64{math.Exp(mean), math.Exp(mean - half), math.Exp(mean + half)}, n
}

// step returns the relative cost of one recorded step: the upper median over the runs that get there.
func (c *recount) step(h *held, by string, t *result.Target) float64 {
	steps := []float64{}
	for _, r := range h.runs {
		if t == nil || isMetric(by) || c.number(r, by, t).state != exact {
			continue
		}
		if i := c.reach(r, t); i > 0 && spent(by, r.Samples[i].Moment) != 0 {
			steps = append(steps, 1-spent(by, r.Samples[i-1].Moment)/spent(by, r.Samples[i].Moment))
		}
	}
	if len(steps) == 0 {
		return 0
	}
	slices.Sort(steps)
	return steps[len(steps)/2]
}

// beats reports whether a costs clearly less than b: by more than a tie, with an interval above 1.
func (c *recount) beats(a, b *held, by string, t *result.Target) bool {
	r, n := c.ratio(b, a, by, t)
	step := max(c.step(a, by, t), c.step(b, by, t))
	return r[0] > 1+max(0.02, step)+1e-9 && (n < 2 || !(r[1] <= 1))
}

// ranked is a choice in the order of its cell.
type ranked struct {
	*held
	cost    float64 // +Inf: none
	arrived int
	behind  bool
}

// rank ranks groups: those that clearly arrive less often than the one that does most come last, then less cost is
// better. The best group of each place stands. It returns how many tie for the best.
func (c *recount) rank(groups []*held, by string, t *result.Target) (all []ranked, best int) {
	for _, h := range groups {
		r := ranked{held: h, cost: c.typical(h, by, t)}
		if math.IsNaN(r.cost) {
			r.cost = math.Inf(1)
		}
		for _, run := range h.runs {
			r.arrived += c.number(run, "iterations", t).state / exact
		}
		all = append(all, r)
	}
	top := slices.MaxFunc(all, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.arrived*len(b.runs), b.arrived*len(a.runs)), cmp.Compare(b.cost, a.cost))
	})
	for i := range all {
		both, more, fewer, neither, _ := c.pairs(top.held, all[i].held, "iterations", t)
		n, d, differ := both+more+fewer+neither+2, more-fewer, more+fewer+1 // Agresti and Min
		all[i].behind = math.IsInf(all[i].cost, 1) || n > 3 && d > 1.959964*math.Sqrt(differ-d*d/n)
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		if a.behind != b.behind {
			return map[bool]int{true: 1, false: -1}[a.behind]
		}
		return cmp.Compare(a.cost, b.cost)
	})
	seen := map[string]bool{}
	all = slices.DeleteFunc(all, func(r ranked) bool {
		twice := seen[c.place(r.held)]
		seen[c.place(r.held)] = true
		return twice
	})
	for best < len(all) && !all[best].behind && (best == 0 || !c.beats(all[0].held, all[best].held, by, t)) {
		best++
	}
	return all, best
}

// place returns what an effect acts on; otherwise each group is a choice.
func (c *recount) place(h *held) string {
	of := func(key string) bool {
		return len(c.q.Of) == 0 || slices.ContainsFunc(c.q.Of, func(of string) bool { return within(key, of) })
	}
	if len(c.q.Of) == 0 || slices.Contains(c.q.Of, "algorithm") {
		return h.method + pick(h.point, of)
	}
	return pick(h.point, of)
}

// target returns the accuracy of a cell.
func (c *recount) target(cell *result.Cell) *result.Target {
	switch {
	case isMetric(cell.By):
		return nil
	case cell.Level != nil:
		return cell.Level
	}
	return c.q.To
}

// inCell returns the groups of a cell, for an effect with those for which another one stands.
func (c *recount) inCell(cell *result.Cell) (groups []*held) {
	along := func(key string) bool {
		return slices.ContainsFunc(c.Answer.Cells, func(o result.Cell) bool { _, has := o.At.Get(key); return has })
	}
	for _, h := range c.held {
		fits := pick(h.point, along) == pick(cell.At, along) &&
			(!slices.Contains(c.q.Effect, "algorithm") || h.method == cell.Choices[0].Method)
		in := slices.ContainsFunc(cell.Choices, func(x result.Choice) bool { return c.of(x.Method, x.Point) == h })
		c.require(fits || !in, "%s at %s is not in the setting %s", h.method, h.point.Text("="), cell.Name)
		if in || fits && len(c.q.Of) > 0 {
			groups = append(groups, h)
		}
	}
	return groups
}

// checkCells compares each cell with the ranking of its runs, up to its first difference.
func (c *recount) checkCells() {
	choices := map[string]int{}
	for i := range c.Answer.Cells {
		cell, wrong := &c.Answer.Cells[i], len(c.wrong)
		t, level := c.target(cell), ""
		if cell.Level != nil {
			level = cell.Level.String()
		}
		choices[cell.By+level] += len(cell.Choices)
		all, best := c.rank(c.inCell(cell), cell.By, t)
		c.require(best == cell.Best && len(all) == len(cell.Choices), "%s %s: %d of %d are best, want %d of %d", cell.By,
			cell.Name, cell.Best, len(cell.Choices), best, len(all))
		for k := 0; k < len(all) && len(c.wrong) == wrong; k++ {
			c.checkChoice(cell, &cell.Choices[k], all[k], all[0].held, t)
		}
	}
	for level, n := range choices {
		c.require(len(c.q.Of) > 0 || n == len(c.held), "%s: %d choices, want %d", level, n, len(c.held))
	}
}

func (c *recount) checkChoice(cell *result.Cell, x *result.Choice, want ranked, first *held, t *result.Target) {
	who := fmt.Sprintf("%s %s: %s", cell.By, cell.Name, x.Name)
	c.require(c.of(x.Method, x.Point) == want.held, "%s stands where %s at %s should", who, want.method,
		want.point.Text("="))
	c.require(x.Runs == len(want.runs) && x.Arrived == want.arrived, "%s: %d of %d arrive, want %d of %d", who, x.Arrived,
		x.Runs, want.arrived, len(want.runs))
	cost := float64(x.Cost.Value)
	if slices.Contains(c.more, cell.By) {
		cost = -cost
	}
	c.require(near(cost, want.cost), "%s costs %g, want %g", who, cost, want.cost)
	r, n := c.ratio(want.held, first, cell.By, t)
	got := [3]float64{float64(x.Ratio.Value), float64(x.Ratio.Low), float64(x.Ratio.High)}
	c.require(isMetric(cell.By) && none(r[0]) || near(got[0], r[0]) && near(got[1], r[1]) && near(got[2], r[2]) &&
		(none(r[0]) || x.Ratio.N == int(n)), "%s has the ratio %g of %d, want %g of %g", who, got, x.Ratio.N, r, n)
	c.require(near(x.Resolved, c.step(want.held, cell.By, t)), "%s resolves %g", who, x.Resolved)
	sum, parts := 0.0, map[string]float64{}
	for id, name := range map[string]string{"latency": "latency", "transfer": "sending", "compute": "computing",
		"idle": "timers"} {
		parts[name] = max(0, c.typical(want.held, "critical_path."+id+"_s", t))
		sum += parts[name]
	}
	if x.Mostly != "" {
		most := max(parts["latency"], parts["sending"], parts["computing"], parts["timers"])
		c.require(parts[x.Mostly] == most && near(x.Share, most/sum), "%s: %s has %g of the time, want %v of %g", who,
			x.Mostly, x.Share, parts, sum)
	}
}

// checkEffects compares each factor with that of the runs over the first value of its key.
func (c *recount) checkEffects() {
	for i, e := range c.Answer.Effects {
		c.require(!slices.ContainsFunc(c.Answer.Effects[:i], func(o result.Effect) bool {
			return o.By == e.By && o.Key == e.Key && o.Value == e.Value && o.Of == e.Of && o.At.Equal(e.At)
		}), "the effect %+v is there twice", e)
		var at, base *result.Cell
		for _, cell := range c.main(e.By) {
			k := slices.IndexFunc(cell.At, func(s result.Setting) bool { return s.Key == e.Key })
			if k < 0 || choice(cell, e.Of) == nil || !besides(cell.At, k).Equal(e.At) {
				continue
			}
			value := func(of *result.Cell) int { return c.order[e.Key+string(of.At[k].Value)] }
			if base == nil || value(cell) < value(base) {
				base = cell
			}
			if c.label(cell.At[k]) == e.Value {
				at = cell
			}
		}
		if at == nil {
			c.require(false, "no cell has the effect %+v", e)
			continue
		}
		x, y := choice(at, e.Of), choice(base, e.Of)
		r, _ := c.ratio(c.of(x.Method, x.Point), c.of(y.Method, y.Point), e.By, c.target(at))
		c.require(near(float64(e.Factor.Value), r[0]) && near(float64(e.Factor.Low), r[1]) &&
			near(float64(e.Factor.High), r[2]), "the effect %+v has the factor %g", e, r)
	}
}

// choice returns a choice of a cell by its name; nil if it has none.
func choice(cell *result.Cell, name string) *result.Choice {
	for i := range cell.Choices {
		if cell.Choices[i].Name == name {
			return &cell.Choices[i]
		}
	}
	return nil
}

// checkCrossovers evaluates both sides of each crossover of the grid and along the level of accuracy.
func (c *recount) checkCrossovers() {
	for _, x := range c.Answer.Crossovers {
		c.require(x.Low <= x.Value && x.Value <= x.High, "%+v is not within its bracket", x)
		for _, cell := range c.main(x.By) {
			k := slices.IndexFunc(cell.At, func(s result.Setting) bool { return s.Key == x.Along })
			if x.Method == "curves" && cell.At.Text(" ") == x.At {
				easy, hard := x.High, x.Low
				if cell.Level.Conditions[0].Relation == ">=" {
					easy, hard = hard, easy
				}
				c.best(cell, x, x.Below, easy)
				c.best(cell, x, x.Above, hard)
			} else if x.Method == "grid" && k >= 0 && besides(cell.At, k).Text(" ") == x.At {
				v, _ := keys.Quantity(cell.At[k].Text())
				both := choice(cell, x.Below) != nil && choice(cell, x.Above) != nil
				c.require(v < x.Low || v > x.High || both && (v == x.Low && cell.Choices[0].Name == x.Below ||
					v == x.High && cell.Choices[0].Name == x.Above), "%s is best in %s, within the crossover %+v",
					cell.Choices[0].Name, cell.Name, x)
			}
		}
	}
}

// best requires that a choice is the best of a cell at another level of accuracy.
func (c *recount) best(cell *result.Cell, x result.Crossover, name string, level float64) {
	t := result.Target{Conditions: slices.Clone(cell.Level.Conditions), Kept: cell.Level.Kept}
	for k := range t.Conditions { // a bound on the agreement may follow the level
		if k == 0 || t.Conditions[k].Value == cell.Level.Conditions[0].Value {
			t.Conditions[k].Value = level
		}
	}
	all, best := c.rank(c.inCell(cell), x.By, &t)
	of := choice(cell, name)
	c.require(best > 0 && of != nil && c.of(of.Method, of.Point) == all[0].held, "%s: at %s %s is best", name, t.String(),
		all[0].method)
}
