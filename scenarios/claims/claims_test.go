package claims

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tallynet/metrics"
	"tallynet/metrics/report/result"
	"tallynet/sim"
)

// handMade is a run of five samples at iterations 0, 2, 4, 6, 8: after iteration k it
// took k seconds, k rounds, 10 k scalar, 100 k vector and 1000 k matrix bytes, k
// Hessians and 2 k products.
func handMade(label string, seed uint64, point result.Settings, grad ...float64) result.Run {
	r := result.Run{Label: label, Seed: seed, Point: point, Status: result.Completed}
	r.Metrics = []string{"grad_norm2", "test_accuracy"}
	for i, g := range grad {
		k := int64(2 * i)
		m := metrics.Moment{Iteration: int(k), Totals: metrics.Totals{
			Time: sim.Time(k) * sim.Second, Rounds: k, Traffic: metrics.Traffic{
				Carried:   metrics.Carried{Messages: 7 * k, Payload: metrics.KindBytes{10 * k, 100 * k, 1000 * k}},
				Broadcast: metrics.Elements{Matrix: 5 * k}},
			Oracle: metrics.OracleCounts{Hessian: k, HVP: 2 * k}, Path: metrics.Path{Compute: sim.Time(k)},
		}}
		r.Samples = append(r.Samples, result.Sample{Values: []float64{g, 1 - g/10}, Moment: m})
	}
	r.Finish()
	r.Predicted = &metrics.Prediction{
		PerIteration: metrics.Cost{Rounds: 1, Oracle: metrics.OracleCounts{HVP: 2}},
		Paper:        &metrics.PaperCount{ElementsPerNode: 12.5},
	}
	return r
}

func testMetrics() []Metric {
	return []Metric{{Name: "grad_norm2"}, {Name: "objective"}, {Name: "test_accuracy", More: true}}
}

// single is a study of one run for each of two labels.
func single() (Scope, []result.Run) {
	s := Scope{Labels: []string{"DAGM", "DGBO (b = 1)"}, Points: []result.Settings{nil}, Seeds: []uint64{1}}
	s.Metrics = testMetrics()
	return s, []result.Run{handMade("DAGM", 1, nil, 8, 4, 2, 1, 0.5), handMade("DGBO (b = 1)", 1, nil, 8, 8, 8, 4, 4)}
}

// grid returns a study of three points and two seeds with the given final values.
func grid(t *testing.T) (Scope, []result.Run) {
	t.Helper()
	s := Scope{Labels: []string{"DAGM"}, Seeds: []uint64{1, 2}, Metrics: testMetrics()}
	var runs []result.Run
	for i, n := range []int{10, 20, 40} {
		set, err := result.NewSetting("topology.nodes", n)
		if err != nil {
			t.Fatal(err)
		}
		wire, err := result.NewSetting("wire", "float64")
		if err != nil {
			t.Fatal(err)
		}
		p := result.Settings{set, wire}
		s.Points = append(s.Points, p)
		for seed := range uint64(2) {
			runs = append(runs, handMade("DAGM", seed+1, p, 9, float64(int(1)<<(2*i))+float64(seed)))
		}
	}
	return s, runs
}

func mustCompile(t *testing.T, text string, s Scope) *Check {
	t.Helper()
	c, err := Compile(text, s)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return c
}

// TestHelpers compares each helper with values that were worked out by hand.
func TestHelpers(t *testing.T) {
	scope, runs := single()
	for _, check := range []string{
		`metric(dagm, "grad_norm2", 4) == 2 && metric(dagm, "grad_norm2", 0) == 8`,
		`metric_at_bytes(dagm, "grad_norm2", 0) == 8`,
		`sum(map([2, 4], metric(dagm, "grad_norm2", #))) == 4 + 2`, // whole numbers count as numbers
		`sum(map([2, 4], to_bytes(dagm, "grad_norm2", #, "vector"))) == 100 * (4 + 2)`,
		`all([2, 4], within(#, metric(dagm, "grad_norm2", #), 4))`,
		`first(dagm, "grad_norm2", 2) == 4`,
		`first(dagm, "grad_norm2", 3) == 4`,
		`first(dagm, "grad_norm2", 8) == 2`,           // the start does not count
		`first(dagm, "test_accuracy", 0.9) == 6`,      // higher is better
		`first(dagm, "grad_norm2", 0.4) > 1e300`,      // never
		`to_bytes(dagm, "grad_norm2", 2) == 4 * 1110`, // all kinds
		`to_bytes(dagm, "grad_norm2", 2, "vector") == 400`,
		`to_bytes(dagm, "grad_norm2", 2, "vector", "scalar") == 440`,
		`to_time(dagm, "grad_norm2", 1) == 6`,
		`to_rounds(dagm, "grad_norm2", 1) == 6`,
		`to_calls(dagm, "grad_norm2", 2, "hvp") == 8`,
		`to_calls(dagm, "grad_norm2", 2, "hvp", "hessian") == 12`,
		`to_calls(dagm, "grad_norm2", 2) == 12`,
		`metric_at_bytes(dagm, "grad_norm2", 4 * 1110) == 2`,
		`metric_at_bytes(dagm, "grad_norm2", 6 * 1110 - 1) == 2`,
		`metric_at_bytes(dagm, "grad_norm2", 1e12) == 0.5`,
		`metric_at_time(dagm, "grad_norm2", 3.9) == 4`,
		`within(dagm.final.grad_norm2, 0.55, 0.1) && not within(dagm.final.grad_norm2, 0.6, 0.1)`,
		`within(dagm.iterations - 8, 0, 0.1) && within(dagm.iterations, 4, 1) && within(-dagm.iterations, -4, 1)`,
		`ordered(1, 1, dagm.iterations) && not ordered(dagm.iterations, 1, 9) && ordered([1, dagm.iterations], 9)`,
		`mean(1, 2, [3, dagm.iterations]) == 3.5`,
		`min(3, [2, dagm.iterations]) == 2 && max(3, [2, dagm.iterations]) == 8`,
		`mean(1..4, dagm.iterations) == 3.6 && ordered(1..3, dagm.iterations) && ordered(1, dagm.iterations)`,
		`abs(1 - dagm.iterations) == 7 && floor(dagm.iterations / 3) == 2 && ceil(dagm.iterations / 3) == 3`,
		`round(dagm.iterations / 3) == 3 && round(-dagm.iterations / 16) == -1 && (dagm.iterations | floor()) == 8`,
		`not (dagm.iterations == 8 && dagm.iterations == 9) && not (dagm.iterations == 9 and dagm.iterations == 8)`,
		`dagm.iterations == 8 || dagm.iterations == 9`, `not (dagm.iterations == 9 or dagm.iterations == 7)`,
		`last([3, dagm.iterations]) == 8 && last(reverse([3, dagm.iterations])) == 3`,
		`sort([9, dagm.iterations, 1]) == [1, 8, 9] && sort([9, dagm.iterations, 10], "desc") == [10, 9, 8]`,
		`sort(["b", dagm.label, "a"]) == ["DAGM", "a", "b"] && sort([2, dagm.iterations], "asc") == [2, 8]`,
		`one([1, dagm.iterations], # > 1) && not one([2, dagm.iterations], # > 1) && not one([1, dagm.iterations], # > 8)`,
		`any([1, dagm.iterations], # > 1) && not any([1, dagm.iterations], # > 8)`,
		`all([2, dagm.iterations], # > 1) && not all([1, dagm.iterations], # > 1)`,
		`none([1, dagm.iterations], # > 8) && not none([1, dagm.iterations], # > 1)`,
		`count([1, 7, dagm.iterations], # > 1) == 2 && count([1, 7, dagm.iterations]) == 3`,
		`filter([7, 1, dagm.iterations], # > 1) == [7, 8] && sum([1, 7, dagm.iterations], # * 2) == 32`,
		`map([5, dagm.iterations], # + #index) == [5, 9] && len([dagm.iterations]) == 1`,
		`+dagm.iterations == 8 && dagm.label < "E" && not (dagm.label >= "E") && dagm.reason == ""`,
		`(dagm.seed > 1 ? 2 : 3) == 3 && (dagm.seed == 1 ? 2 : 3) == 2 && dagm.label contains "AG"`,
		`dagm.label startsWith "DA" && dagm.label endsWith "GM" && not (dagm.label contains "X")`,
		`8 in [1, dagm.iterations] && not (7 in [1, dagm.iterations])`,
		`run("DGBO (b = 1)").final.grad_norm2 == 4`,
		`DAGM.iterations == dagm.iterations`,
		`dagm.status == "completed" && dagm.label == "DAGM" && dagm.seed == 1`,
		`dagm.totals.matrix_bytes == 8000 && dagm.totals.payload_bytes == 8880 && dagm.totals.time_s == 8`,
		`dagm.totals.oracle.hvp == 16 && dagm.totals.broadcast_elements.matrix == 40`,
		`dagm.totals.critical_path.compute_ns == 8 && dagm.predicted.per_iteration.oracle.hvp == 2`,
		`dagm.predicted.paper.elements_per_node == 12.5 && not dagm.predicted.bound`,
		`dagm?.iterations == 8`,
	} {
		if o := mustCompile(t, check, scope).Evaluate(runs); o.Verdict != result.Holds {
			t.Errorf("%s: %s %s %v", check, o.Verdict, o.Reason, o.Measured)
		}
	}
}

// TestStatistics: by hand, with t(1) = 12.7062 and t(4) = 2.77645.
func TestStatistics(t *testing.T) {
	scope, runs := grid(t)
	for _, check := range []string{
		`len(runs("DAGM")) == 6`,
		`len(at("DAGM", {"topology.nodes": 20})) == 2`,
		`all(at("DAGM", {"topology.nodes": 20}), .point["topology.nodes"] == 20)`,
		`at("DAGM", {"topology.nodes": 40, wire: "float64"})[1].final.grad_norm2 == 17`,
		`mean(map(at("DAGM", {"topology.nodes": 10}), .final.grad_norm2)) == 1.5`,
		// A pure power law, y = 3 x^2, has no residual.
		`within(slope(map(runs("DAGM"), .point["topology.nodes"]),
			map(runs("DAGM"), 3 * .point["topology.nodes"] ** 2)).value, 2, 1e-12)`,
		// log2 y = 0, 2, 1 at log2 x = 0, 1, 2: slope 1/2, residuals -1/2, 1, -1/2 (s^2 = 3/2), spread 2:
		// half width 12.7062 sqrt(3/4) = 11.0039.
		`within(slope([1, 2, 4], [1, 4, 2]).value, 0.5, 1e-12) && len(runs("DAGM")) > 0`,
		`within(slope([1, 2, 4], [1, 4, 2]).high, 11.50390, 1e-5) && len(runs("DAGM")) > 0`,
		`within(slope([1, 2, 4], [1, 4, 2]).low, -10.50390, 1e-5) && len(runs("DAGM")) > 0`,
		// x = 2, 6 and y = 1, 2: R = 8/3; d = -2/3, 2/3, sd 0.942809;
		// half width 12.7062 0.942809 / (sqrt 2 1.5) = 5.64720.
		`within(ratio([2, 6], [1, 2]).value, 2.449489742783178, 1e-12) && len(runs("DAGM")) > 0`,
		`within(ratio([2, 6], [1, 2]).high, 32.19596303519198, 1e-9) && len(runs("DAGM")) > 0`,
		`within(ratio([2, 6], [1, 2]).low, 0.18635876781948305, 1e-9) && len(runs("DAGM")) > 0`,
		// Proportional: no width.
		`ratio(map(runs("DAGM"), 3 * .final.grad_norm2), map(runs("DAGM"), .final.grad_norm2)).low == 3`,
	} {
		if o := mustCompile(t, check, scope).Evaluate(runs); o.Verdict != result.Holds {
			t.Errorf("%s: %s %s %v", check, o.Verdict, o.Reason, o.Measured)
		}
	}
}

func TestVerdicts(t *testing.T) {
	scope, runs := single()
	ending := func(s result.Status) []result.Run {
		changed := slices.Clone(runs)
		changed[0].Status, changed[0].Reason = s, "a reason"
		return changed
	}
	for _, c := range []struct {
		check  string
		runs   []result.Run
		want   result.Verdict
		reason string
	}{
		{`dagm.totals.matrix_bytes == 0`, runs, result.Fails, ""},
		{`[dagm.iterations, 1] == [8, 1]`, runs, result.Holds, ""},
		{`[dagm.iterations, 1] == [9, 1]`, runs, result.Fails, ""}, // the first elements are compared, too
		{`[1, dagm.iterations] == [1, 9]`, runs, result.Fails, ""},
		{`run("DGBO (b = 1)").iterations == 8`, ending(result.Failed), result.Holds, ""}, // the other run
		{`dagm.iterations == 8`, ending(result.Interrupted), result.Undecided, "DAGM did not finish: interrupted"},
		{`dagm.status == "interrupted"`, ending(result.Interrupted), result.Undecided, "did not"},
		{`dagm.status == "stalled"`, ending(result.Stalled), result.Holds, ""},
		{`dagm.status == "failed"`, ending(result.Failed), result.Holds, ""},
		{`dagm.iterations == 8`, ending(result.Stalled), result.Undecided, "did not finish"},
		{`first(dagm, "grad_norm2", 2) == 4`, ending(result.Failed), result.Undecided, "did not finish"},
		{`dagm.status == "diverged"`, ending(result.Diverged), result.Holds, ""},
		{`first(dagm, "grad_norm2", 2) == 4`, ending(result.Diverged), result.Fails, ""}, // it reaches nothing
		{`first(dagm, "grad_norm2", 2) > 1e300`, ending(result.Diverged), result.Holds, ""},
		{`cost(dagm, "time_s", "grad_norm2", 2) > 1e300`, ending(result.Stalled), result.Holds, ""},
		{`kept(dagm, "time_s", "grad_norm2", 2) > 1e300`, ending(result.Interrupted), result.Undecided, "did not"},
		{`metric(dagm, "grad_norm2", 4) == 2`, ending(result.Diverged), result.Holds, ""},
		{`metric(dagm, "grad_norm2", 4) == 2`, ending(result.Stalled), result.Undecided, "did not finish"},
		{`dagm.totals.payload_bytes > 0`, ending(result.Diverged), result.Undecided, "did not"},
		{`all([dagm, run("DGBO (b = 1)")], .iterations == 8)`, ending(result.Diverged), result.Undecided, "did not"},
		{`dagm.iterations == 8`, runs[1:], result.Undecided, "0 of the 1 runs of DAGM were made"},
		{`metric(dagm, "grad_norm2", 3) < 5`, runs, result.Undecided, "DAGM has no recorded iteration 3"},
		{`!(metric(dagm, "grad_norm2", 3) < 5)`, runs, result.Undecided, "no recorded iteration"},
		{`metric(dagm, "objective", 2) < 5`, runs, result.Undecided, "DAGM has no metric objective"},
		{`metric_at_time(dagm, "grad_norm2", -1) < 5`, runs, result.Undecided, "no sample with time_s <= -1"},
		{`slope([1, 2], [1, dagm.iterations]).value > 0`, runs, result.Undecided, "at least 3 points"},
		{`slope([1, 2, 3], [1, 0, dagm.iterations]).value > 0`, runs, result.Undecided, "no logarithm"},
		{`ratio([1], [dagm.iterations]).value > 0`, runs, result.Undecided, "ratio: one observation"},
		{`(dagm.iterations - 8) / (dagm.iterations - 8) < 1`, runs, result.Undecided, "is not a number"},
		{`[[1], dagm.label][0] == [[1], dagm.label][1]`, runs, result.Fails, ""}, // a list and a text
		{`[dagm.label, [1]][0] == [dagm.label, [1]][1]`, runs, result.Fails, ""},
		{`[dagm.seed == 1, dagm.label][dagm.iterations - 8]`, runs, result.Holds, ""}, // sample data lack this index
		{`[dagm.seed == 1, dagm.label][dagm.iterations - 7]`, runs, result.Undecided, "it came to a text, not to true"},
		{`[1, 2][dagm.iterations / (dagm.iterations - 8) * 0] == 1`, runs, result.Undecided, "is not a number"},
		{`at_most(growth([1, 2, 3], [1, 2, dagm.seed], dagm.seed - 1), 1)`, runs, result.Undecided,
			"growth wants a positive power, got 0"},
		{`["a", 1, dagm.iterations][2] == 8`, runs, result.Holds, ""}, // a list of different types
		{`[1, 2][dagm.iterations / 16] == 1`, runs, result.Undecided, "0.5, not a whole number"},
		{`within(dagm.iterations, first(dagm, "grad_norm2", 0), 1)`, runs, result.Fails, ""}, // never is not near
		{`within(dagm.iterations, -first(dagm, "grad_norm2", 0), 1)`, runs, result.Fails, ""},
		{`-first(dagm, "grad_norm2", 0) == -first(dagm, "grad_norm2", 1e-9)`, runs, result.Undecided, "infinities"},
		{`about(dagm.iterations, 8, (dagm.iterations - 8) / (dagm.iterations - 8))`, runs, result.Undecided,
			"the tolerance of about"},
		{`covers((dagm.iterations - 8) / (dagm.iterations - 8), 8, 1)`, runs, result.Undecided, "a part of covers"},
		{`about(1 / (dagm.iterations - 8), 8, 1)`, runs, result.Undecided, "divides by zero"},
		// Never is not less.
		{`to_bytes(dagm, "grad_norm2", 1e-9) < to_bytes(run("DGBO (b = 1)"), "grad_norm2", 4)`, runs, result.Fails, ""},
	} {
		o := mustCompile(t, c.check, scope).Evaluate(c.runs)
		if o.Verdict != c.want || !strings.Contains(o.Reason, c.reason) {
			t.Errorf("%s: %s %q, want %s %q", c.check, o.Verdict, o.Reason, c.want, c.reason)
		}
	}
}

// TestOnePointDiverges: divergence at one grid point does not affect claims on others.
func TestOnePointDiverges(t *testing.T) {
	scope, runs := grid(t)
	runs[5].Status = result.Diverged
	for check, want := range map[string]result.Verdict{
		`at("DAGM", {"topology.nodes": 10})[0].iterations == 2`: result.Holds,
		`at("DAGM", {"topology.nodes": 40})[0].iterations == 2`: result.Undecided,
		`all(runs("DAGM"), .iterations == 2)`:                   result.Undecided,
		`count(runs("DAGM"), .status == "diverged") == 1`:       result.Holds,
	} {
		if o := mustCompile(t, check, scope).Evaluate(runs); o.Verdict != want {
			t.Errorf("%s: %s %s", check, o.Verdict, o.Reason)
		}
	}
}

// TestMeasured: both sides of comparisons are reported, but no constants; texts are reported separately.
func TestMeasured(t *testing.T) {
	scope, runs := single()
	check := `dagm.totals.rounds <= 2 * run("DGBO (b = 1)").totals.rounds or dagm.status == "reached"
		or ordered(1, dagm.iterations)`
	o := mustCompile(t, check, scope).Evaluate(runs)
	want := result.Values{
		{Name: "dagm.totals.rounds", Value: 8}, {Name: `2 * run("DGBO (b = 1)").totals.rounds`, Value: 16},
		{Name: "dagm.iterations", Value: 8},
	}
	if !reflect.DeepEqual(o.Measured, want) {
		t.Errorf("measured %v", o.Measured)
	}
	if s, _ := o.Observed.Get("dagm.status"); len(o.Observed) != 1 || s != "completed" {
		t.Errorf("observed %v", o.Observed)
	}
	check = `dagm.iterations > 1 and dagm.iterations > 2 and (dagm.seed > 1 ? dagm.totals.rounds > 1 : true)`
	o = mustCompile(t, check, scope).Evaluate(runs) // evaluated once; the part that is not needed, never
	if want := (result.Values{{Name: "dagm.iterations", Value: 8}, {Name: "dagm.seed", Value: 1}}); !reflect.DeepEqual(
		o.Measured, want) {
		t.Errorf("measured %v, want %v", o.Measured, want)
	}
	gridScope, gridRuns := grid(t)
	check = `slope(map(runs("DAGM"), .point["topology.nodes"]), map(runs("DAGM"), .final.grad_norm2)).low > 9`
	o = mustCompile(t, check, gridScope).Evaluate(gridRuns)
	if len(o.Measured) != 3 || !strings.HasSuffix(o.Measured[0].Name, ").value") || o.Verdict != result.Fails {
		t.Errorf("an interval: %s %v", o.Verdict, o.Measured)
	}
	check = `all(map(at("DAGM", {"topology.nodes": 10}), .final.grad_norm2), # < 3)`
	o = mustCompile(t, check, gridScope).Evaluate(gridRuns)
	if len(o.Measured) != 2 || o.Measured[1].Value != 2 {
		t.Errorf("a list: %v", o.Measured)
	}
	check = `all(runs("DAGM"), .iterations == 2) and all([runs("DAGM"), runs("DAGM")], len(#) == 6)
		and all(map(1..7, # * len(runs("DAGM"))), # < 99)`
	o = mustCompile(t, check, gridScope).Evaluate(gridRuns)
	first := `map(runs("DAGM"), .iterations)[0]`
	if len(o.Measured) != 6+2+2 || o.Measured[0].Name != first || o.Measured[9].Value != 42 || o.Verdict != result.Holds {
		t.Errorf("of each item: %s %s %v", o.Verdict, o.Reason, o.Measured)
	}
}

// TestTotalsHasEveryKey: a check can name every key of totals and predictions in result.json.
func TestTotalsHasEveryKey(t *testing.T) {
	scope, _ := single()
	walkKeys(t, metrics.Totals{}, "dagm.totals", scope)
	walkKeys(t, metrics.Cost{}, "dagm.predicted.per_iteration", scope)
}

func walkKeys(t *testing.T, value any, prefix string, scope Scope) {
	t.Helper()
	raw, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil {
		t.Fatal(err)
	}
	if len(object) < 3 {
		t.Fatalf("%s has %d keys", prefix, len(object))
	}
	for key, v := range object {
		if v[0] == '{' {
			walkKeys(t, v, prefix+"."+key, scope)
			continue
		}
		if _, err := Compile(prefix+"."+key+" >= 0", scope); err != nil {
			t.Errorf("%s.%s: %v", prefix, key, err)
		}
	}
}

// TestNoWayOut: expressions cannot use Expr's clock or outside texts.
func TestNoWayOut(t *testing.T) {
	scope, _ := single()
	for _, text := range []string{
		`now().Unix() > dagm.iterations`, `fromJSON("1") < dagm.iterations`, `get(dagm, "iterations") > 1`,
		`$env["dagm"].iterations > 1`, `dagm["iter" + "ations"] > 1`, `dagm.final[dagm.label] > 1`, `(dagm).run == nil`,
		`dagm.Label == ""`, `1 > `, ``, `"a"`, `dagm`, `true`, `find([dagm], .iterations > 1).seed == 1`,
		`reduce([dagm], #acc + 1, 0) > 1`, `# == dagm`, `dagm == dagm`, `dagm.status > 1`, `{a: dagm} == 1`,
		`dagm.seed | abs() == nil`, `all([dagm]) == true`, `abs(1, dagm.seed) > 1`, `dagm.label matches "D"`,
		strings.Repeat("(", 20000), strings.Repeat("1 + ", 20000) + "dagm.iterations > 0",
	} {
		if _, err := Compile(text, scope); err == nil {
			t.Errorf("%.60s: compiles", text)
		}
	}
}

// TestHintsOnSeveralRuns: the hint proposes at() if there are several grid points, but not for seeds only.
func TestHintsOnSeveralRuns(t *testing.T) {
	several, _ := grid(t)
	one := several
	one.Points = several.Points[:1]
	seeds := several
	seeds.Points = []result.Settings{nil}
	first := several // changes nothing, and cannot be named
	first.Points = []result.Settings{nil, several.Points[1]}
	const list = `write runs("DAGM") for the list of them`
	for _, c := range []struct {
		scope Scope
		hint  string
	}{
		{several, list + `, or at("DAGM", {"topology.nodes": 10}) for those of a grid point`}, {one, list}, {seeds, list},
		{first, list},
	} {
		_, err := Compile("dagm.iterations > 1", c.scope)
		var wrong *Error
		if !errors.As(err, &wrong) || wrong.Hint != c.hint {
			t.Errorf("%d points: error %#v, want the hint %s", len(c.scope.Points), err, c.hint)
		}
	}
}

// FuzzCompile: an error has a place in the text. A check that compiles names runs of
// the scope, and gives the same verdict twice, with a reason if it is undecided.
func FuzzCompile(f *testing.F) {
	for _, s := range []string{
		`dagm.iterations == 8`, `all(runs("DAGM"), .totals.oracle.hvp > 0)`, `slope([1,2,3],[1,2,dagm.seed]).low < 3`,
		`map(1..3, #)[dagm.seed] == 1`, `dagm?.final?.grad_norm2 ?? 1 > 0`,
		`sort(filter([dagm.seed], # in 1..2), "desc")[:1] == []`,
		`kept(dagm, "time_s", "grad_norm2", 1) > (dagm.status contains "e" ? 1 : 2)`,
		"dagm.seed >\n\u00e9", "\xff dagm", `1 > `, `dagm.final[dagm.label] > 1`, `reduce([dagm], #acc + 1, 0) > 1`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		scope, runs := single()
		c, err := Compile(text, scope)
		var wrong *Error
		if err != nil {
			if n := utf8.RuneCountInString(text); !errors.As(err, &wrong) || wrong.Message == "" || wrong.Offset < 0 ||
				wrong.Offset > n {
				t.Errorf("%#v, of a text of %d characters", err, n)
			}
			return
		}
		for _, label := range c.Labels() {
			if !slices.Contains(scope.Labels, label) {
				t.Errorf("it needs runs of %q", label)
			}
		}
		o := c.Evaluate(runs)
		if undecided := o.Verdict == result.Undecided; undecided != (o.Reason != "") {
			t.Errorf("%s, with reason %q", o.Verdict, o.Reason)
		}
		if diff := cmp.Diff(o, c.Evaluate(runs), cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("evaluated again, it differs:\n%s", diff)
		}
		if o := c.Evaluate(nil); o.Verdict != result.Undecided || o.Reason == "" {
			t.Errorf("without runs: %+v", o)
		}
	})
}

// TestErrorsOfChecks: errors say what is wrong, and propose the intended name or form.
func TestErrorsOfChecks(t *testing.T) {
	one, _ := single()
	several, _ := grid(t)
	for text, want := range map[string]string{
		`runs("DAGM").seed > 1`:                        "a list has no seed: its items may",
		`dagm.final.grad_norm > 1`:                     "there is no metric called grad_norm",
		`to_bytes(dagm, "grad_norm2", 2, "vectr") > 1`: "to_bytes has no kind called vectr",
		`run("DAGMM").seed > 0`:                        "there is no run with the label DAGMM",
		`metric(dagm, dagm.label, 1) > 1`:              "must be a text in quotes here",
		`len(dagm.seed) > 0`:                           "len takes a list; dagm.seed is a number",
		`all([dagm], .seed)`:                           "all wants true or false of each item, not a number",
		`sum([dagm]) > 1`:                              "sum wants numbers, not ",
		`sum([dagm.label]) > 1`:                        "sum wants numbers, not ",
		`sort([1, dagm.label]) == [1]`:                 "sort wants numbers or texts, not ",
		`dagm.seed and true`:                           "dagm.seed is a number; want true or false",
		`dagm.label contains 1`:                        "contains wants a text on both sides",
		`dagm.label > 1`:                               "dagm.label is a text and 1 is a number: they cannot be compared",
		`within(dagm.label, 1, 1)`:                     "within wants a number, not a text",
		`mean([dagm, dagm]) > 1`:                       "write map(runs(LABEL), .totals.payload_bytes)",
		`slope([1, 2], [1, dagm.seed, 3]).low > 0`:     "two lists of the same length; these have 2 and 3 numbers",
		`at("DAGM", dagm)[0].seed > 0`:                 "the grid point must be written out here",
		`dagm.totals.matrix_byte > 0`:                  "dagm.totals has no matrix_byte",
		`dagm.predicted.per_iteration.oracle.hvps > 0`: "has no hvps",
		`map([dagm], .seeds) == [1]`:                   "has no seeds",
		`dagm.seed + dagm.label > 1`:                   "number",
		`dagm.iterations`:                              "a check is true or false, not a number",
		`# == dagm.seed`:                               "unexpected token Operator(\"#\")", // outside a predicate
		`.seed == 1`:                                   "unexpected token Operator(\".\")",
		`all([dagm], #at == 1)`:                        "there is no #at",
		`dagm(1) == 1`:                                 "dagm is a run, not a helper",
		`at("DAGM", {(dagm.label): 1})[0].seed > 0`:    "the swept key must be a text in quotes",
		`at("DAGM", {x: 1})[0].seed > 0`:               "the sweep has no key x",
		`let x = 1; dagm.seed == x`:                    "one expression, without variables",
		`{a: 1} == dagm.seed`:                          "is written in braces",
		`filter([dagm], .seed > 9) + 1 > 1`:            ".seed > 9) is a list; want a number",
		`[1, dagm.seed][0] == "a"`:                     "[1, dagm.seed][0] is a number and \"a\" is a text: they cannot",
		`[dagm] + 1 > 1`:                               "[dagm] is a list of runs; want a number",
		`first(run(), "grad_norm2", 1) > 1`:            "the arguments of run are: run(LABEL)",
		`dagm.seed ?? 1`:                               "a check cannot use the operator ??",
		`1 < dagm.seed < 3`:                            "a check compares two values at a time",
		`[1, dagm.label][0] < [1, dagm.label][1]`:      "< compares two numbers or two texts, not a number with a text",
		`[dagm, 1][1].seed == 1`:                       "[dagm, 1][1] is a number, which has no seed",
		`[dagm][1].seed == 1`:                          "the list has 1 item",
		`[1, 2][1500000000] == dagm.seed`:              "is 1.5e+09, not a whole number of reasonable size",
		`[1, 2][1000000000] == dagm.seed`:              "the list has 2 items",
		`[dagm, dagm][2].seed == 1`:                    "the list has 2 items",
		`dagm == dagm`:                                 "== compares values, not a run",
		`dagm in [1, 2]`:                               "in compares values, not a run",
		`dagm.totals == dagm.totals`:                   "== compares values, not a group of values",
		`len([1, [2]][0]) == dagm.seed`:                "[1, [2]][0] is a number; want a list",
		`slope([1, 2, 3], [1, 2, 3]) > dagm.seed`:      "is an interval, which has .value, .low and .high and",
		`below(dagm.label, 1)`:                         "below wants a number or an interval, not a text",
		`mean(dagm.label) > 1`:                         "mean wants numbers, not a text",
		`mean(dagm) > 1`:                               "mean wants numbers, not a run: write map(runs(LABEL)",
		`metric(dagm.seed, "grad_norm2", 1) > 1`:       "metric wants a run, not a number",
	} {
		if _, err := Compile(text, one); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
	for text, want := range map[string]string{
		`run("DAGM").seed > 0`:                           "DAGM",
		`at("DAGM", {"topology.node": 20})[0].seed > 0`:  "topology.node",
		`at("DAGM", {"topology.nodes": 21})[0].seed > 0`: "the sweep has no such grid point for DAGM",
	} {
		if _, err := Compile(text, several); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

// TestPlacesOfErrors: the position of an error in characters, and its hint.
func TestPlacesOfErrors(t *testing.T) {
	one, _ := single()
	several, _ := grid(t)
	spaced := one
	spaced.Labels = []string{"DGBO (b = 1)", "DAGM"}
	for _, c := range []struct {
		scope  Scope
		text   string
		offset int
		hint   string
	}{
		{one, `1 == dagm.iteration`, 10, "did you mean iterations?"},
		{one, `dagm.seed > dgam.seed`, 12, "did you mean DAGM?"},
		{one, `dagm.seed`, 0, "as in dagm.totals.matrix_bytes == 0"},
		{one, `1 == 1`, 0, "as in dagm.totals.matrix_bytes == 0"},
		{spaced, `1 == 1`, 0, `as in run("DGBO (b = 1)").totals.matrix_bytes == 0`},
		{several, `1 == 1`, 0, `as in all(runs("DAGM"), .totals.matrix_bytes == 0)`},
		{one, `len(1..1e9) > dagm.seed`, 0, ""},
		{one, strings.Repeat(" ", 4001), 0, ""},
		{one, `dagm.seed == [1, 2][5]`, 0, ""},
		{one, `dagm.seed > "a" + 1`, 12, ""},
		{one, `len(dagm.point) == 1`, 9, ""},
	} {
		_, err := Compile(c.text, c.scope)
		var wrong *Error
		if !errors.As(err, &wrong) || wrong.Offset != c.offset || wrong.Hint != c.hint {
			t.Errorf("%.40s: %#v, want offset %d and hint %q", c.text, err, c.offset, c.hint)
		}
	}
	huge := Scope{Labels: []string{"A"}, Points: make([]result.Settings, 1001), Seeds: make([]uint64, 1000)}
	var wrong *Error
	if _, err := Compile(`len(runs("A")) == 1`, huge); !errors.As(err, &wrong) || wrong.Offset != 0 ||
		wrong.Hint != "sweep fewer values" {
		t.Errorf("1,001,000 runs: %#v", err)
	}
	if _, err := CompileList(`[dagm, 1]`, 2, one); !errors.As(err, &wrong) || wrong.Offset != 0 {
		t.Errorf("a list: %#v", err)
	}
	if _, err := CompileSelection(`dagm.seed`, one); !errors.As(err, &wrong) || wrong.Offset != 0 ||
		wrong.Hint != `as in runs("DAGM")` {
		t.Errorf("a selection: %#v", err)
	}
	// A text of the largest allowed length is read.
	if _, err := Compile(`dagm.seed == 1`+strings.Repeat(" ", 4000-14), one); err != nil {
		t.Errorf("4000 characters: %v", err)
	}
}

// TestPointsOfLabels: a label that runs at some points only has runs there, and is complete with these.
func TestPointsOfLabels(t *testing.T) {
	scope, runs := grid(t)
	scope.At = map[string][]result.Settings{"DAGM": scope.Points[1:]}
	for text, want := range map[string]result.Verdict{
		`len(runs("DAGM")) == 4`:                          result.Holds,
		`at("DAGM", {"topology.nodes": 20})[1].seed == 2`: result.Holds,
	} {
		if o := mustCompile(t, text, scope).Evaluate(runs[2:]); o.Verdict != want {
			t.Errorf("%s: %s %s", text, o.Verdict, o.Reason)
		}
		if o := mustCompile(t, text, scope).Evaluate(runs[3:]); o.Reason != "3 of the 4 runs of DAGM were made" {
			t.Errorf("%s of three runs: %s %s", text, o.Verdict, o.Reason)
		}
	}
	if _, err := Compile(`at("DAGM", {"topology.nodes": 10})[0].seed == 1`, scope); err == nil {
		t.Error("a point where the label does not run is accepted")
	}
}

// TestSharedRuns: a run that belongs to several points is one run in lists of all points and of these points.
func TestSharedRuns(t *testing.T) {
	scope, runs := grid(t)
	for i := range runs {
		runs[i].Shares = &runs[i%4] // points 1 and 3 share theirs
	}
	for text, holds := range map[string]bool{
		`len(runs("DAGM")) == 4`: true, `len(at("DAGM", {wire: "float64"})) == 4`: true,
		`len(at("DAGM", {"topology.nodes": 40})) == 2`: true,
	} {
		if o := mustCompile(t, text, scope).Evaluate(runs); (o.Verdict == result.Holds) != holds {
			t.Errorf("%s: %s %s %v", text, o.Verdict, o.Reason, o.Measured)
		}
	}
}

// TestValuesOfKeys: a swept key is a number, a boolean or a text.
func TestValuesOfKeys(t *testing.T) {
	scope, runs := single()
	for value, want := range map[any]string{true: "true", false: "false", 2.5: "2.5", "a": `"a"`, "null": `"null"`} {
		set, err := result.NewSetting("k", value)
		if err != nil {
			t.Fatal(err)
		}
		scope.Points = []result.Settings{{set}}
		runs[0].Point, runs[1].Point = scope.Points[0], scope.Points[0]
		text := `at("DAGM", {k: ` + want + `})[0].seed == 1`
		if o := mustCompile(t, text, scope).Evaluate(runs); o.Verdict != result.Holds {
			t.Errorf("%s: %s %s", text, o.Verdict, o.Reason)
		}
		for _, other := range []string{"true", "false", "2", `"b"`, "[1]"} {
			if _, err := Compile(`at("DAGM", {k: `+other+`})[0].seed == 1`, scope); other != want && err == nil {
				t.Errorf("%v is %s", value, other)
			}
		}
	}
	null := result.Setting{Key: "k", Value: []byte("null")}
	if x, ok := number(null); ok {
		t.Errorf("null is the number %v", x)
	}
}
