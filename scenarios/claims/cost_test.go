package claims

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics"
	"tallynet/metrics/report/result"
)

// generated returns a run of random length, values, costs and status.
func generated(random *rand.Rand) result.Run {
	endings := []result.Status{
		result.Completed, result.Reached, result.Diverged, result.Stalled, result.Failed, result.Interrupted,
	}
	r := result.Run{Label: "DAGM", Seed: 1, Status: endings[random.IntN(len(endings))]}
	r.Metrics = []string{"grad_norm2", "test_accuracy"}
	var m metrics.Moment
	for k := range 1 + random.IntN(8) {
		m.Iteration = 2 * k
		for _, c := range metrics.CostItems() {
			if c.Field != nil {
				*c.Field(&m.Totals) += random.Int64N(1000)
			}
			if c.Real != nil {
				*c.Real(&m.Totals) += random.Float64()
			}
		}
		values := []float64{float64(random.IntN(6)), float64(random.IntN(6)) / 5}
		if random.IntN(10) == 0 {
			values[random.IntN(2)] = math.NaN()
		}
		r.Samples = append(r.Samples, result.Sample{Moment: m, Values: values})
	}
	r.Finish()
	return r
}

// TestCostIsReach: checks compute the cost to a target as Run.Reach does, which all
// other readers use: for each cost, for targets of one and two conditions, reached first
// or kept, and for runs with any status.
func TestCostIsReach(t *testing.T) {
	scope, _ := single()
	scope.Labels = scope.Labels[:1]
	random := rand.New(rand.NewPCG(9, 10))
	reached, never := 0, 0
	for range 300 {
		run := generated(random)
		conditions := []result.Condition{
			{Metric: "grad_norm2", Relation: "<=", Value: float64(random.IntN(6))},
			{Metric: "test_accuracy", Relation: ">=", Value: float64(random.IntN(6)) / 5},
		}[random.IntN(2):]
		target := result.Target{Conditions: conditions[:1+random.IntN(len(conditions))], Kept: random.IntN(2) == 0}
		scope.Targets = []result.Target{target}
		item := metrics.CostItems()[random.IntN(len(metrics.CostItems()))]
		want, at := math.Inf(1), run.Reach(target).At
		if at != nil {
			want = item.Value(at)
		}

		brief := run.Brief(func() (*result.Run, error) { return &run, nil })
		stated := brief
		stated.Targets = []result.Attempt{run.Reach(target)}
		stated.Load = func() (*result.Run, error) { return nil, fmt.Errorf("the run itself states the target") }
		named := "cost"
		if target.Kept {
			named = "kept"
		}
		for _, c := range target.Conditions {
			named += fmt.Sprintf(", %q, %v", c.Metric, c.Value)
		}
		named = strings.Replace(named, ",", fmt.Sprintf("(dagm, %q,", item.ID), 1) + ")"
		for _, c := range []struct {
			text string
			run  result.Run
		}{
			{named, run}, {named, brief}, {fmt.Sprintf("cost(dagm, %q)", item.ID), run},
			{fmt.Sprintf("cost(dagm, %q)", item.ID), brief}, {fmt.Sprintf("cost(dagm, %q)", item.ID), stated},
		} {
			o := mustCompile(t, c.text+" >= -1", scope).Evaluate([]result.Run{c.run})
			if run.Status == result.Failed || run.Status == result.Interrupted {
				if o.Verdict != result.Undecided {
					t.Fatalf("%s of a run that %s: %s", c.text, run.Status, o.Verdict)
				}
				continue
			}
			if o.Verdict != result.Holds || len(o.Measured) != 1 || o.Measured[0].Value != want {
				t.Fatalf("%s: %s %s %v, want %v", c.text, o.Verdict, o.Reason, o.Measured, want)
			}
			if at != nil {
				reached++
			} else {
				never++
			}
		}
	}
	if reached < 100 || never < 100 {
		t.Errorf("the generator is one-sided: %d reached, %d did not", reached, never)
	}
}

// TestUntilHelpersAreCosts: helpers with their own names are costs of the table.
func TestUntilHelpersAreCosts(t *testing.T) {
	scope, runs := single()
	for _, check := range []string{
		`first(dagm, "grad_norm2", 2) == cost(dagm, "iterations", "grad_norm2", 2)`,
		`to_time(dagm, "grad_norm2", 2) == cost(dagm, "time_s", "grad_norm2", 2)`,
		`to_rounds(dagm, "grad_norm2", 2) == cost(dagm, "rounds", "grad_norm2", 2)`,
		`to_bytes(dagm, "grad_norm2", 2) == cost(dagm, "payload_bytes", "grad_norm2", 2)`,
		`to_bytes(dagm, "grad_norm2", 2, "vector") == cost(dagm, "vector_bytes", "grad_norm2", 2)`,
		`to_calls(dagm, "grad_norm2", 2) == cost(dagm, "oracle_calls", "grad_norm2", 2)`,
		`to_calls(dagm, "grad_norm2", 2, "hvp", "hvp") == cost(dagm, "oracle.hvp", "grad_norm2", 2)`,
		`cost(dagm, "rounds", "grad_norm2", 4, "test_accuracy", 0.8) == 4`,
		`kept(dagm, "rounds", "grad_norm2", 4, "test_accuracy", 0.9) == 6`,
		`dagm.totals.oracle_calls == 24 && dagm.totals.oracle.samples_of.hvp == 0 && dagm.totals.iterations == 8`,
	} {
		if o := mustCompile(t, check, scope).Evaluate(runs); o.Verdict != result.Holds {
			t.Errorf("%s: %s %s %v", check, o.Verdict, o.Reason, o.Measured)
		}
	}
	for check, want := range map[string]string{
		`cost(dagm, "payload_byte", "grad_norm2", 2) > 0`: "no cost called payload_byte; did you mean payload_bytes?",
		`kept(dagm, "rouns", "grad_norm2", 2) > 0`:        "no cost called rouns; did you mean rounds?",
		`cost(dagm, "rounds") > 0`:                        "the scenario has no target: name one; as in cost(run, ",
		`cost(dagm, "rounds", "grad_norm2") > 0`:          "the arguments of cost are: cost(run, COST, METRIC, value, ",
		`kept(dagm, "rounds") > 0`:                        "the arguments of kept are: kept(run, COST, METRIC, value, ",
		`cost(3, "rounds", "grad_norm2", 2) > dagm.seed`:  "cost wants a run, not a number; ",
	} {
		_, err := Compile(check, scope)
		e, ok := err.(*Error)
		if !ok || !strings.Contains(e.Message+"; "+e.Hint, want) {
			t.Errorf("%s: %+v, want %s", check, err, want)
		}
	}
}

// TestHelpersAreDocumented: the reference has every helper and function.
func TestHelpersAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/scenario.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Concat(slices.Sorted(maps.Keys(helpers)), builtinNames()) {
		if !strings.Contains(string(text), "`"+name+"`") && !strings.Contains(string(text), "`"+name+"(") {
			t.Errorf("docs/scenario.md does not have %s", name)
		}
	}
}

// TestBudgetOfSteps: an expression has two million steps, and a hundred more per run.
func TestBudgetOfSteps(t *testing.T) {
	for runs, limit := range map[int]int{0: 2_000_000, 1: 2_000_100, 300: 2_030_000} {
		e := evaluation{runs: make([]*runView, runs)}
		refused := func(steps int) (refused bool) {
			defer func() { refused = recover() != nil }()
			e.step(steps)
			return false
		}
		if refused(1) || refused(limit-1) || !refused(1) {
			t.Errorf("with %d runs: %d steps are spent of %d", runs, e.steps, limit)
		}
	}
}
