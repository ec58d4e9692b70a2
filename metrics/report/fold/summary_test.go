package fold_test

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics"
	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/views"
	"tallynet/sim"
	"tallynet/sim/golden"
)

// runs returns two methods on three graphs with four seeds. The bytes to accuracy are
// those below; time is their square root in seconds. On the largest graph B misses the
// target at the third seed, and A diverges at the fourth.
func runs(t *testing.T) []result.Run {
	bytes := map[string][3][4]int64{
		"A": {{12100, 9800, 14200, 11000}, {25000, 21000, 27500, 23000}, {52000, 40000, 55000, 1}},
		"B": {{30200, 27900, 41000, 33100}, {90000, 70000, 99000, 81000}, {250000, 210000, 300000, 230000}},
	}
	var all []result.Run
	for i, nodes := range []int{8, 16, 32} {
		for seed := range 4 {
			for _, label := range []string{"A", "B"} {
				status := result.Reached
				switch {
				case i == 2 && seed == 2 && label == "B":
					status = result.Completed
				case i == 2 && seed == 3 && label == "A":
					status = result.Diverged
				}
				all = append(all, run(t, label, nodes, uint64(seed+1), status, bytes[label][i][seed]))
			}
		}
	}
	return all
}

// run returns three samples: the start, one at half the bytes, and one at all of them,
// which meets g <= 0.01 if the status is reached.
func run(t *testing.T, label string, nodes int, seed uint64, status result.Status, bytes int64) result.Run {
	t.Helper()
	at, err := result.NewSetting("topology.nodes", nodes)
	if err != nil {
		t.Fatal(err)
	}
	r := result.Run{Algorithm: strings.ToLower(label), Label: label, Seed: seed, Point: result.Settings{at},
		Status: status, Metrics: []string{"g", "share"}}
	last := 0.02
	if status == result.Reached {
		last = 0.01
	}
	for k, g := range []float64{1, 0.5, last} {
		paid := bytes * int64(k) / 2
		r.Samples = append(r.Samples, result.Sample{Values: []float64{g, 1 - g}, Moment: metrics.Moment{Iteration: 10 * k,
			Totals: metrics.Totals{
				Time: sim.Time(1e9 * math.Sqrt(float64(paid))), Rounds: 20 * int64(k),
				Traffic: metrics.Traffic{Carried: metrics.Carried{Payload: metrics.KindBytes{metrics.Vector: paid}}},
				Oracle:  metrics.OracleCounts{GradG: int64(nodes) * int64(k)},
			}}})
	}
	r.Finish()
	r.Targets = []result.Attempt{r.Reach(result.Target{Conditions: []result.Condition{{Metric: "g", Relation: "<=",
		Value: 0.01}}})}
	return r
}

// sum adds the runs to a collector, and overwrites each run once it is added.
func sum(t *testing.T, o fold.Options, all []result.Run) *fold.Summary {
	t.Helper()
	c := fold.New(o)
	for _, r := range all {
		r.Samples, r.Point, r.Final.Values = slices.Clone(r.Samples), slices.Clone(r.Point), slices.Clone(r.Final.Values)
		if err := c.Add(&r); err != nil {
			t.Fatal(err)
		}
		for i := range r.Samples {
			r.Samples[i] = result.Sample{Values: []float64{0, 0}}
		}
		r.Point[0].Key = "overwritten"
		for i := range r.Final.Values {
			r.Final.Values[i].Value = math.NaN()
		}
	}
	return c.Summary()
}

func outcome(t *testing.T, s *fold.Summary, id string) int {
	t.Helper()
	i := slices.IndexFunc(s.Outcomes, func(o fold.Outcome) bool { return o.ID == id })
	if i < 0 {
		t.Fatalf("there is no outcome %s", id)
	}
	return i
}

func same(x jsonio.Real, y float64) bool {
	return float64(x) == y || math.Abs(float64(x)-y) <= 1e-9*math.Abs(y) || math.IsNaN(float64(x)) && math.IsNaN(y)
}

func checkEstimate(t *testing.T, name string, e fold.Estimate, value, low, high float64, n int, method string) {
	t.Helper()
	if !same(e.Value, value) || !same(e.Low, low) || !same(e.High, high) || e.N != n || e.Method != method {
		t.Errorf("%s: %+v, want %v [%v, %v] of %d by %s", name, e, value, low, high, n, method)
	}
}

// TestNumbers compares with R 4.2.2; the vectors A8, B8, ... are the rows of runs.
func TestNumbers(t *testing.T) {
	s := sum(t, fold.Options{}, runs(t))
	inf := math.Inf(1)
	bytes := outcome(t, s, "to[0].payload_bytes")
	if s.Runs != 24 || len(s.Groups) != 6 || len(s.Targets) != 1 || s.Targets[0].Name != "g <= 0.01" {
		t.Fatalf("%d runs, %d groups, targets %v", s.Runs, len(s.Groups), s.Targets)
	}
	// mean(A8); t.test(A8)$conf.int
	checkEstimate(t, "A at 8", s.Groups[0].Values[bytes].Estimate, 11775, 8799.86656396, 14750.13343604, 4, "Student")
	// summary(survfit(Surv(B32, c(1, 1, 0, 1)) ~ 1, conf.type = "log-log"))$table
	b32 := s.Groups[5].Values[bytes]
	checkEstimate(t, "B at 32", b32.Estimate, 240000, 210000, inf, 4, "Kaplan-Meier, log-log")
	if b32.Reached != 3 || b32.Censored != 1 || b32.Statistic != fold.Median || b32.Min != 210000 || b32.Max != 250000 {
		t.Errorf("B at 32: %+v", b32)
	}
	a32 := s.Groups[4]
	if m := a32.Values[bytes]; a32.Runs != 4 || a32.Ended != 3 || a32.Statuses[result.Diverged] != 1 ||
		m.Value != 53500 || m.Reached != 3 || m.Censored != 1 || m.Min != 40000 {
		t.Errorf("A at 32: %+v", a32)
	}

	// l <- t.test(log(A / B)); exp(c(l$estimate, l$conf.int)), of which at 32 two seeds are common
	var compared []fold.Comparison
	for _, c := range s.Comparisons {
		if c.Outcome == bytes && c.Key < 0 {
			compared = append(compared, c)
		}
	}
	if len(compared) != 3 {
		t.Fatalf("%d comparisons", len(compared))
	}
	checkEstimate(t, "A/B at 8", compared[0].Ratio, 0.356752783008, 0.313673357295, 0.405748672063, 4,
		"Student on log ratios")
	checkEstimate(t, "A/B at 16", compared[1].Ratio, 0.284734287404, 0.268742373825, 0.301677823520, 4,
		"Student on log ratios")
	// summary(survfit(Surv(c(R32, A32[4] / 260000, Inf), c(1, 1, 1, 0)) ~ 1, conf.type = "log-log"))$table
	checkEstimate(t, "A/B at 32", compared[2].Ratio, 0.199238095238, 0.183333333333, inf, 4,
		"Kaplan-Meier, log-log")
	if c := compared[2]; c.Pairs != 2 || c.AOnly != 1 || c.BOnly != 1 || c.Neither != 0 {
		t.Errorf("pairs at 32: %+v", c)
	}
	// mean(A8 - B8); t.test(A8, B8, paired = TRUE)$conf.int
	checkEstimate(t, "A-B at 8", compared[0].Difference, -21275, -27859.3768101, -14690.6231899, 4, "Student")

	if slices.ContainsFunc(s.Slopes, func(sl fold.Slope) bool { return sl.Outcome == bytes }) {
		t.Errorf("at 32 nodes some runs did not get there, and there are slopes: %+v", s.Slopes)
	}

	// With d the 22 runs that got there: ss <- function(f) sum((fitted(lm(f, d)) - mean(d$y))^2),
	// total <- sum((d$y - mean(d$y))^2); c(ss(y ~ L), ss(y ~ n)) / total;
	// (ss(y ~ L * n) - c(ss(y ~ n), ss(y ~ L))) / total; 1 - ss(y ~ L * n) / total
	i := slices.IndexFunc(s.Importances, func(im fold.Importance) bool { return im.Outcome == bytes })
	im := s.Importances[i]
	if x, y := im.Shares[0], im.Shares[1]; x.Name != "method" || !same(x.First, 0.454731727298) || !same(x.Total,
		0.467005409404) ||
		y.Name != "topology.nodes" || !same(y.First, 0.515374145753) || !same(y.Total, 0.527647827858) ||
		!same(im.Within, 0.0176204448434) || im.Balanced || !im.Log || im.Runs != 22 || im.Left != 2 {
		t.Errorf("importance: %+v", im)
	}

	// A is better in both at every point; time and bytes grow with the graph.
	if f := s.Fronts[2]; f.Point != 2 || !f.Members[0].Best || f.Members[1].Best {
		t.Errorf("front at 32: %+v", f)
	}
	if f := s.Fronts[3]; f.Point != -1 || len(f.Members) != 6 || slices.IndexFunc(f.Members,
		func(m fold.Ranked) bool { return m.Best && m.Group != 0 }) >= 0 || !f.Members[0].Best {
		t.Errorf("front of the grid: %+v", f)
	}
	r := s.Ranges[slices.IndexFunc(s.Ranges, func(r fold.Spread) bool { return r.Outcome == bytes && r.Label == 1 })]
	if r.Min != 33050 || r.MinAt != 1 || r.Max != 240000 || r.MaxAt != 5 || r.Groups != 3 {
		t.Errorf("range of B: %+v", r)
	}
	along := s.Comparisons[slices.IndexFunc(s.Comparisons, func(c fold.Comparison) bool {
		return c.Outcome == bytes &&
			c.Key == 0
	})]
	if s.Groups[along.A].Point != 1 || s.Groups[along.B].Point != 0 || s.Groups[along.A].Label != 0 || along.Pairs != 4 {
		t.Errorf("16 nodes against 8: %+v", along)
	}
	if got := s.Outcomes[outcome(t, s, "totals.payload_bytes")].Main; got {
		t.Error("the total is main beside the cost to a target")
	}
	for _, o := range s.Outcomes {
		if o.ID == "totals.matrix_bytes" || o.ID == "to[0].matrix_bytes" || o.ID == "totals.oracle.hvp" {
			t.Errorf("%s is 0 in all runs and shown", o.ID)
		}
	}
	if got := float64(s.Groups[1].Values[outcome(t, s, "final.share")].Value); got != 0.99 {
		t.Errorf("share %v", got)
	}
	checkEstimate(t, "share of A at 8", s.Groups[0].Values[outcome(t, s, "final.share")].Estimate, 0.99, 0.99, 0.99, 4,
		"all equal")
}

// TestGolden compares the sentences and tables.
func TestGolden(t *testing.T) {
	s := sum(t, fold.Options{More: []string{"share"}}, runs(t))
	var b strings.Builder
	b.WriteString(strings.Join(s.Sentences, "\n") + "\n")
	for _, table := range views.StatisticsTables(s) {
		b.WriteString("\n")
		b.WriteString(table.Text(110))
	}
	golden.Check(t, "testdata/summary.txt", b.String())
}

// TestJSON reads a summary back from its JSON.
func TestJSON(t *testing.T) {
	s := sum(t, fold.Options{}, runs(t))
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var back fold.Summary
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(&back)
	if err != nil {
		t.Fatal(err)
	}
	if string(again) != string(data) {
		t.Errorf("read back, it is another:\n%s\n%s", data, again)
	}
	empty, err := json.Marshal(fold.New(fold.Options{}).Summary())
	if err != nil || strings.Contains(string(empty), "null") {
		t.Errorf("of no runs: %s, %v", empty, err)
	}
}

// TestOrder adds the runs in another order, with the same first run. Only the order of
// lists may differ.
func TestOrder(t *testing.T) {
	all := runs(t)
	forth := sum(t, fold.Options{}, all)
	moved := slices.Clone(all)
	for i := range 4 { // seeds 2 to 4 of the first point backwards
		moved[2+i], moved[7-i] = all[7-i], all[2+i]
	}
	back := sum(t, fold.Options{}, moved)
	for g := range forth.Groups {
		for o, m := range forth.Groups[g].Values {
			if n := back.Groups[g].Values[o]; !same(m.Value, float64(n.Value)) || !same(m.Low, float64(n.Low)) || m.N != n.N {
				t.Errorf("group %d, %s: %+v, %+v", g, forth.Outcomes[o].ID, m, n)
			}
		}
	}
}

func TestOneSeed(t *testing.T) {
	all := runs(t)
	one := slices.DeleteFunc(all, func(r result.Run) bool { return r.Seed != 1 })
	s := sum(t, fold.Options{}, one)
	for _, g := range s.Groups {
		for i, m := range g.Values {
			if m.Low.Finite() || m.High.Finite() || !m.Value.Finite() || m.N != 1 || m.Method != "one observation" {
				t.Errorf("%s: %+v", s.Outcomes[i].ID, m)
			}
		}
	}
	for _, c := range s.Comparisons {
		if c.Ratio.Low.Finite() || c.Difference.High.Finite() || c.Pairs != 1 {
			t.Errorf("%+v", c)
		}
	}
	if len(s.Ranges) == 0 || len(s.Fronts) == 0 || len(s.Importances) == 0 || len(s.Slopes) == 0 {
		t.Error("the grid has no range, front, importance or slope")
	}
}

// TestTargets asks for targets that the runs do not state: two conditions at once, and a
// metric that no run has.
func TestTargets(t *testing.T) {
	both := result.Target{Conditions: []result.Condition{{Metric: "g", Relation: "<=", Value: 0.5}, {Metric: "share",
		Relation: ">=", Value: 0.5}}}
	none := result.Target{Conditions: []result.Condition{{Metric: "h", Relation: "<=", Value: 0.5}}}
	start := result.Target{Conditions: []result.Condition{{Metric: "g", Relation: "<=",
		Value: 1}}} // true before anything was paid
	s := sum(t, fold.Options{Targets: []result.Target{both, none, start}, More: []string{"share"}}, runs(t))
	bytes := outcome(t, s, "to[0].payload_bytes")
	if m := s.Groups[0].Values[bytes]; m.Value != 11775/2. || m.Reached != 4 ||
		s.Outcomes[bytes].Name != "bytes to g <= 0.5 and share >= 0.5" {
		t.Errorf("both: %+v", m)
	}
	if m := s.Groups[0].Values[outcome(t, s, "to[1].payload_bytes")]; m.N != 0 || m.Reached != 0 || m.Censored != 0 ||
		m.Value.Finite() || m.Statistic != fold.None {
		t.Errorf("a metric that no run has: %+v", m)
	}
	if m := s.Groups[0].Values[outcome(t, s, "to[2].iterations")]; m.Value != 10 {
		t.Errorf("a target that holds at the start is reached at iteration %v", m.Value)
	}
	r := runs(t)[0]
	r.Samples = nil
	if err := fold.New(fold.Options{Targets: []result.Target{both}}).Add(&r); err == nil ||
		!strings.Contains(err.Error(), "A at topology.nodes = 8, seed 1: its samples are needed") {
		t.Errorf("without samples: %v", err)
	}
	if err := fold.New(fold.Options{Targets: []result.Target{none}}).Add(&r); err == nil ||
		!strings.Contains(err.Error(), "to tell when it reached h <= 0.5, and there are none") {
		t.Errorf("a metric that it does not have, without samples: %v", err)
	}
	c := fold.New(fold.Options{Targets: []result.Target{{Conditions: []result.Condition{{Metric: "g", Relation: "<=",
		Value: 0.01}}}}}) // stated by the run
	if err := c.Add(&r); err != nil {
		t.Error(err)
	}
	if err := c.Add(&r); err == nil || !strings.Contains(err.Error(), "two runs of A at topology.nodes = 8, seed 1") {
		t.Errorf("twice: %v", err)
	}
	if s := c.Summary(); s.Runs != 1 || s.Statuses[result.Reached] != 1 {
		t.Errorf("a run that was refused counts: %+v", s.Statuses)
	}
}

// TestUnwell has runs that end badly, though with numbers: all count, and two of six are too few.
func TestUnwell(t *testing.T) {
	var all []result.Run
	for i, status := range []result.Status{result.Reached, result.Diverged, result.Stalled, result.Failed,
		result.Interrupted, result.Reached} {
		r := run(t, "A", 8, uint64(i), status, 1000*int64(1+i*i))
		r.Targets = []result.Attempt{r.Reach(result.Target{Conditions: []result.Condition{{Metric: "g", Relation: "<=",
			Value: 0.5}}})} // all reached this before they ended
		all = append(all, r)
	}
	s := sum(t, fold.Options{}, all)
	g := s.Groups[0]
	if g.Runs != 6 || g.Ended != 2 || g.Statuses.String() != "2 reached, 1 diverged, 1 stalled, 1 failed, 1 interrupted" {
		t.Errorf("%+v", g)
	}
	for i, m := range g.Values {
		if m.N != 6 && m.N != 5 {
			t.Errorf("%s is over %d runs", s.Outcomes[i].ID, m.N)
		}
	}
	if m := g.Values[outcome(t, s, "totals.payload_bytes")]; m.Value.Finite() || m.Reached != 2 || m.Censored != 4 ||
		m.Min != 1000 || m.Max != 26000 {
		t.Errorf("%+v", m)
	}
}

// One of a key's three values is left out, because a run missed the target. Two points
// give no slope.
func TestNoSlopeThroughTwoPoints(t *testing.T) {
	var all []result.Run
	for _, nodes := range []int{8, 16, 32} {
		status := result.Reached
		if nodes == 32 {
			status = result.Completed
		}
		all = append(all, run(t, "A", nodes, 1, status, int64(1000*nodes)))
	}
	s := sum(t, fold.Options{}, all)
	bytes := outcome(t, s, "to[0].payload_bytes")
	for _, sl := range s.Slopes {
		if sl.Outcome == bytes {
			t.Errorf("slope %+v", sl)
		}
	}
	all[2] = run(t, "A", 32, 1, result.Reached, 32000)
	s = sum(t, fold.Options{}, all)
	if !slices.ContainsFunc(s.Slopes, func(sl fold.Slope) bool { return sl.Outcome == bytes && len(sl.Groups) == 3 }) {
		t.Errorf("no slope through three points: %+v", s.Slopes)
	}
}

// For a target, the summary covers the costs that compare methods, and the bytes by
// kind. Costs that are 0 in all runs are left out.
func TestCostsToATarget(t *testing.T) {
	for _, tariffs := range []bool{false, true} {
		all := runs(t)
		for i := range all {
			for k := range all[i].Samples {
				if m := &all[i].Samples[k].Totals; tariffs {
					m.Energy, m.Money = float64(k+1)/2, float64(k+1)/8
				}
			}
			all[i].Totals = all[i].Samples[len(all[i].Samples)-1].Totals
			for k := range all[i].Targets {
				all[i].Targets[k] = all[i].Reach(all[i].Targets[k].Target)
			}
		}
		var got []string
		for _, o := range sum(t, fold.Options{}, all).Outcomes {
			if cost, ok := strings.CutPrefix(o.ID, "to[0]."); ok {
				got = append(got, cost)
			}
		}
		slices.Sort(got)
		want := []string{"vector_bytes"}
		for _, c := range metrics.RankedCosts() {
			if c.Main() && (tariffs || c.Place != metrics.InPrices) {
				want = append(want, c.ID)
			}
		}
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("tariffs %v: costs %v, want %v", tariffs, got, want)
		}
	}
}

// Without targets, methods are compared by time, bytes and the gradient;
// without a gradient, by the objective or the first recorded metric.
func TestFrontWithoutTargets(t *testing.T) {
	for _, c := range []struct{ first, second, want string }{
		{"grad_norm2", "objective", "final.grad_norm2"}, {"objective", "grad_norm2", "final.grad_norm2"},
		{"g", "objective", "final.objective"}, {"objective", "g", "final.objective"}, {"g", "share", "final.g"},
		{"g", "", "final.g"},
	} {
		var all []result.Run
		for _, label := range []string{"A", "B"} {
			r := run(t, label, 8, 1, result.Completed, 1000)
			r.Targets, r.Metrics = nil, []string{c.first, c.second}
			if c.second == "" {
				r.Metrics = r.Metrics[:1]
				for k := range r.Samples {
					r.Samples[k].Values = r.Samples[k].Values[:1]
				}
			}
			r.Finish()
			all = append(all, r)
		}
		s := sum(t, fold.Options{}, all)
		want := []int{outcome(t, s, "totals.time_s"), outcome(t, s, "totals.payload_bytes"), outcome(t, s, c.want)}
		if len(s.Fronts) == 0 || !slices.Equal(s.Fronts[0].Objectives, want) {
			t.Errorf("metrics %s and %s: fronts %+v, want objectives %v", c.first, c.second, s.Fronts, want)
		}
	}
}

// A point where a run pays nothing has no logarithm: the slope uses the other points.
func TestSlopeWithoutZeros(t *testing.T) {
	var all []result.Run
	for _, nodes := range []int{1, 8, 16, 32} {
		bytes := int64(1000 * nodes)
		if nodes == 1 {
			bytes = 0
		}
		all = append(all, run(t, "A", nodes, 1, result.Reached, bytes))
	}
	s := sum(t, fold.Options{}, all)
	bytes := outcome(t, s, "to[0].payload_bytes")
	i := slices.IndexFunc(s.Slopes, func(sl fold.Slope) bool { return sl.Outcome == bytes })
	if i < 0 || s.Slopes[i].Without != 1 || len(s.Slopes[i].Groups) != 3 || !same(s.Slopes[i].Slope.Value, 1) {
		t.Errorf("slopes %+v", s.Slopes)
	}
}

// Slopes over one key are computed for constant values of the other keys.
func TestSlopesAtFixedKeys(t *testing.T) {
	var all []result.Run
	for _, dim := range []int{5, 10} {
		for _, nodes := range []int{8, 16, 32} {
			r := run(t, "A", nodes, 1, result.Reached, int64(dim*nodes*nodes))
			other, err := result.NewSetting("problem.dim", dim)
			if err != nil {
				t.Fatal(err)
			}
			r.Point = append(r.Point, other)
			all = append(all, r)
		}
	}
	s := sum(t, fold.Options{}, all)
	bytes := outcome(t, s, "to[0].payload_bytes")
	got := map[string]float64{}
	for _, sl := range s.Slopes {
		if sl.Outcome == bytes && s.Keys[sl.Key].Name == "topology.nodes" {
			got[sl.Fixed] = math.Round(float64(sl.Slope.Value)*1e6) / 1e6
		}
	}
	if want := map[string]float64{"dim = 5": 2, "dim = 10": 2}; !maps.Equal(got, want) {
		t.Errorf("slopes %v, want %v", got, want)
	}
}

// TestNothingToCompare: there is no comparison if one method was not asked for the outcome, or if neither method
// has it at any common seed.
func TestNothingToCompare(t *testing.T) {
	all := runs(t)
	for name, c := range map[string]struct {
		asked [2]bool // of A and B
		seed  uint64  // both reach the target at 1; at 3 A alone does
		fail  bool
		want  bool
	}{
		"both": {[2]bool{true, true}, 1, false, true}, "A alone": {[2]bool{true, true}, 3, false, true},
		"A is not asked": {[2]bool{false, true}, 1, false, false}, "B is not asked": {[2]bool{true, false}, 1, false, false},
		"both fail":                  {[2]bool{true, true}, 1, true, false},
		"A is not asked, and failed": {[2]bool{false, true}, 4, false, false},
	} {
		var some []result.Run
		for _, r := range all {
			if r.Seed != c.seed || r.Point[0].Text() != "32" {
				continue
			}
			if !c.asked[map[string]int{"A": 0, "B": 1}[r.Label]] {
				r.Targets = nil
			}
			if c.fail {
				r.Status, r.Targets = result.Diverged, slices.Clone(r.Targets)
				r.Targets[0].At = nil
			}
			some = append(some, r)
		}
		s := sum(t, fold.Options{}, some)
		bytes := outcome(t, s, "to[0].payload_bytes")
		of := func(c fold.Comparison) bool { return c.Outcome == bytes }
		if got := slices.ContainsFunc(s.Comparisons, of); got != c.want {
			t.Errorf("%s: compared %v, want %v", name, got, c.want)
		}
	}
}

// TestPairs: of the seeds at 32 nodes both methods reach the target at 1 and 2, only A at 3, and only B at 4. Each set
// of seeds counts only the seeds that both methods have.
func TestPairs(t *testing.T) {
	all := runs(t)
	for a := 1; a < 1<<4; a++ {
		for _, b := range []int{a, 0b1111, 0b1010, 0b0100} {
			var some []result.Run
			for _, r := range all {
				if of := map[string]int{"A": a, "B": b}[r.Label]; of>>(r.Seed-1)&1 == 1 && r.Point[0].Text() == "32" {
					some = append(some, r)
				}
			}
			s := sum(t, fold.Options{}, some)
			bytes := outcome(t, s, "to[0].payload_bytes")
			i := slices.IndexFunc(s.Comparisons, func(c fold.Comparison) bool { return c.Outcome == bytes })
			if (i < 0) != (a&b == 0) {
				t.Errorf("seeds %04b and %04b: comparison %d", a, b, i)
			}
			if i < 0 {
				continue
			}
			c := s.Comparisons[i]
			if s.Labels[s.Groups[c.A].Label] == "B" {
				c.AOnly, c.BOnly = c.BOnly, c.AOnly
			}
			if set := a & b; c.Pairs != set&1+set>>1&1 || c.AOnly != set>>2&1 || c.BOnly != set>>3&1 || c.Neither != 0 {
				t.Errorf("seeds %04b and %04b: %+v", a, b, c)
			}
		}
	}
}
