package claims

import (
	"slices"
	"strings"
	"testing"

	"tallynet/metrics/report/result"
)

// TestStatementsOverEmptyLists: a statement about an empty list is undecided, and the reason
// names the list; its length is decided.
func TestStatementsOverEmptyLists(t *testing.T) {
	const none = `filter(runs("DAGM"), .iterations > 1000)`
	const empty = none + " is empty"
	gridScope, gridRuns := grid(t)
	for _, c := range []struct{ check, reason string }{
		{`all(` + none + `, .totals.matrix_bytes == 12345)`, empty},
		{`none(` + none + `, .totals.matrix_bytes == 12345)`, empty},
		{`any(` + none + `, .totals.matrix_bytes == 12345)`, empty},
		{`not any(` + none + `, .totals.matrix_bytes == 12345)`, empty},
		{`one(` + none + `, .totals.matrix_bytes == 12345)`, empty},
		{`count(` + none + `, .totals.matrix_bytes == 12345) == 0`, empty},
		{`count(map(` + none + `, .seed == 1)) == 0`, "is empty"},
		{`len(filter(` + none + `, .seed == 1)) == 0`, empty},
		{`all(runs("DAGM")[6:], .seed > 5)`, `runs("DAGM")[6:] is empty`},
		{`all(runs("DAGM")[2:2], .seed > 5)`, "is empty"},
		{`all(map(` + none + `, .seed), # > 5)`, "is empty"},
		{`all(sort(map(` + none + `, .seed)), # > 5)`, "is empty"},
		{`all(reverse(` + none + `), .seed > 5)`, "is empty"},
		{`all(1..0, # > 5) and len(runs("DAGM")) == 6`, "1..0 is empty"},
		{`all([], # > 5) and len(runs("DAGM")) == 6`, "[] is empty"},
		{`all(runs("DAGM"), all(filter(runs("DAGM"), .seed > 9), .seed > 5))`, "is empty"},
		{`any(runs("DAGM"), .seed == 1 or none(` + none + `, .seed > 5))`, empty},
		{`len(runs("DAGM")) == 6 or all(` + none + `, .seed > 5)`, empty},
		{`sum(` + none + `, .seed) == 0`, empty},
		{`sum(map(` + none + `, .seed)) == 0`, "is empty"},
		{`mean(map(` + none + `, .seed)) > 0`, "looks at nothing"},
		{`min(map(` + none + `, .seed)) > 0`, "looks at nothing"},
		{`not (max(map(` + none + `, .seed)) > 0)`, "looks at nothing"},
		{`ordered(map(` + none + `, .seed))`, "at least two numbers"},
		{`ordered(map(runs("DAGM")[:1], .seed))`, "at least two numbers"},
		{`slope(map(` + none + `, .seed), map(` + none + `, .seed)).low < 1`, "slope: "},
		{`ratio(map(` + none + `, .seed), map(` + none + `, .seed)).low < 1`, "ratio: "},
		{none + `[0].seed == 1`, "the list has 0 items"},
		{none + `[-1].seed != 1`, "the list has 0 items"},
		{`last(` + none + `).seed == 1`, "the list has 0 items"},
		{`map(` + none + `, .seed) == map(` + none + `, .seed)`, "is empty"},
		{`map(` + none + `, .seed) != [1]`, "is empty"},
		{`not (1 in map(` + none + `, .seed))`, "is empty"},
		{`all(runs("DAGM"), (.seed - .seed) / (.seed - .seed) < 1)`, "is not a number"},
		{`none(runs("DAGM"), (.seed - .seed) / (.seed - .seed) < 1)`, "is not a number"},
		{`len(runs("DAGM")) / (len(runs("DAGM")) - 6) > 1`, "divides by zero"},
		{`all(runs("DAGM"), .seed / (.seed - .seed) > 5)`, "divides by zero"},
		{`not (-1 / (len(runs("DAGM")) - 6) > 1)`, "divides by zero"},
		{`(0 / (len(runs("DAGM")) - 6)) != 1`, "is not a number"},
		{`ordered(1, 0 / (len(runs("DAGM")) - 6), 2)`, "is not a number"},
		{`within(0 / (len(runs("DAGM")) - 6), 1, 1)`, "is not a number"},
		{`within(1, 1, 0 / (len(runs("DAGM")) - 6))`, "is not a number"},
		{`first(runs("DAGM")[0], "grad_norm2", 0 / (len(runs("DAGM")) - 6)) > 5`, "is not a number"},
		{`last(sort([1, 0 / (len(runs("DAGM")) - 6)])) == 1`, "is not a number"},
		{`[0 / (len(runs("DAGM")) - 6)] == [1]`, "is not a number"},
		{`1 in [0 / (len(runs("DAGM")) - 6)]`, "is not a number"},
		{`all(runs("DAGM"), .final.objective < 5)`, "DAGM has no metric objective"},
		{`all(runs("DAGM"), first(#, "objective", 5) > 5)`, "DAGM does not measure all of objective <= 5"},
		{`count(runs("DAGM"), metric(#, "grad_norm2", 1) < 5) == 0`, "no recorded iteration 1"},
		{`all(runs("DAGM"), .predicted.paper.elements_per_node > 0)`, "the paper does not count"},
		{`all(runs("DAGM"), first(#, "grad_norm2", 1e-9) == first(#, "grad_norm2", 1e-8))`, "compares infinities"},
		{`all(runs("DAGM"), first(#, "grad_norm2", 1e-9) <= first(#, "grad_norm2", 1e-8))`, "compares infinities"},
		{`all(runs("DAGM"), first(#, "grad_norm2", 1e-9) / first(#, "grad_norm2", 1e-8) > 1)`, "is not a number"},
		{`all(runs("DAGM"), within(first(#, "grad_norm2", 1e-9), first(#, "grad_norm2", 0), 1))`, "compares infinities"},
		{`all(runs("DAGM"), ordered(first(#, "grad_norm2", 0), first(#, "grad_norm2", 1e-9)))`, "compares infinities"},

		// Statements on a count, or on a target that is not reached.
		{`len(` + none + `) == 0`, ""},
		{`count(` + none + `) == 0`, ""},
		{`count(runs("DAGM"), .iterations > 1000) == 0`, ""},
		{`count(map(runs("DAGM"), .seed == 1)) == 3 && count(runs("DAGM")) == 6`, ""},
		{`none(runs("DAGM"), .iterations > 1000)`, ""},
		{none + ` == []`, ""},
		{`len(map(` + none + `, .seed)) == 0`, ""},
		{`len(` + none + `) == 0 ? true : all(` + none + `, .seed > 5)`, ""},
		{`all(runs("DAGM"), first(#, "grad_norm2", 1e-9) > first(#, "grad_norm2", 1e9))`, ""},
		{`all(filter(runs("DAGM"), .seed == 1), .totals.matrix_bytes >= 0)`, ""},
		{`filter(runs("DAGM"), .seed == 2)[0].seed == 2`, ""}, // sample data lack this element
	} {
		runs := gridRuns
		if strings.Contains(c.check, "elements_per_node") {
			runs = append([]result.Run(nil), gridRuns...)
			runs[3].Predicted.Paper = nil
		}
		want := result.Undecided
		if c.reason == "" {
			want = result.Holds
		}
		o := mustCompile(t, c.check, gridScope).Evaluate(runs)
		if o.Verdict != want || !strings.Contains(o.Reason, c.reason) {
			t.Errorf("%s: %s %q, want %s %q", c.check, o.Verdict, o.Reason, want, c.reason)
		}
	}
}

func TestNothingPredicted(t *testing.T) {
	scope, runs := single()
	runs[0].Predicted = nil
	for _, check := range []string{
		`dagm.predicted.per_iteration.rounds == 0`, `not dagm.predicted.bound`,
		`dagm.predicted.paper.elements_per_node == 0`,
	} {
		o := mustCompile(t, check, scope).Evaluate(runs)
		if o.Verdict != result.Undecided || o.Reason != "no costs are predicted for DAGM" {
			t.Errorf("%s: %s %q", check, o.Verdict, o.Reason)
		}
	}
}

// TestHostileChecks: no expression exhausts the machine's memory or time.
func TestHostileChecks(t *testing.T) {
	scope, runs := single()
	doubled := func(start, step string) string {
		return strings.Repeat("map(", 60) + start + strings.Repeat(", "+step+")", 60)
	}
	loops := strings.Repeat("count(1..1000, ", 8) + "true" + strings.Repeat(") > 0", 8)
	chain := "dagm.iterations"
	for range 60 {
		chain = "(1 < " + chain + " < 2)"
	}
	slopes := "dagm.iterations"
	for range 40 {
		slopes = "slope([1, 2, 3], [1, 2, " + slopes + "]).low"
	}
	for _, c := range []struct{ check, message string }{
		{`len(1..1000000000) > dagm.iterations`, "steps"},
		{`len(1..1e300) > dagm.iterations`, "1e+300, not a whole number"},
		{`len(-9223372036854775807..9223372036854775807) > dagm.iterations`, "not a whole number"},
		{`len(map(1..10000, 1..10000)) > dagm.iterations`, "steps"},
		{loops + " and dagm.iterations > 0", "steps"},
		{`mean(` + doubled("[1]", "[#, #]") + `) > dagm.iterations`, "steps"},
		{doubled("[1]", "[#, #]") + ` == ` + doubled("[1]", "[#, #]") + ` and dagm.iterations > 0`, "steps"},
		{`mean(` + doubled("[1]", "[[], []]") + `) > dagm.iterations`, ""},
		{`len(` + doubled("[dagm.label]", "# + #") + `) > dagm.iterations`, "want a number"},
		{`dagm.label + dagm.label == 1`, "want a number"},
		{chain, "two values at a time"},
		{slopes + " > 1", ""},
		{strings.Repeat("[", 1900) + "dagm.iterations" + strings.Repeat("]", 1900), "true or false"},
		{strings.Repeat("[", 900) + strings.Repeat("[1],", 500) + strings.Repeat("]", 900) + " == dagm.iterations", ""},
		{strings.Repeat("[1],", 5000), "characters"},
		{strings.Repeat("(", 3900), ""},
		{strings.Repeat("-", 3900) + "dagm.iterations > 0", ""},
		{strings.Repeat("1 + ", 900) + "dagm.iterations > 0", ""},
		{strings.Repeat("true == (", 390) + "dagm.iterations > 0" + strings.Repeat(")", 390), ""},
		{"dagm.iterations > 0" + strings.Repeat(" and dagm.iterations > 0", 160), ""},
	} {
		compiled, err := Compile(c.check, scope)
		if err == nil {
			compiled.Evaluate(runs)
		}
		if c.message != "" && (err == nil || !strings.Contains(err.Error(), c.message)) {
			t.Errorf("%.60s: %v, want %q", c.check, err, c.message)
		}
	}
	// An expression's cost may depend on the runs.
	scope2 := scope
	check := mustCompile(t, `len(1..1000 * (dagm.iterations - 2) ** 2) > 0`, scope2)
	runs[0].Iterations = 1000
	if o := check.Evaluate(runs); o.Verdict != result.Undecided || !strings.Contains(o.Reason, "steps") {
		t.Errorf("%s %s", o.Verdict, o.Reason)
	}
	scope.Seeds = make([]uint64, 10_000)
	scope.Points = make([]result.Settings, 10_000)
	_, err := Compile(`len(runs("DAGM")) > 0`, scope)
	if err == nil || !strings.Contains(err.Error(), "200000000 runs") {
		t.Errorf("a huge study: %v", err)
	}
}

// TestHostileCells: likewise for the rows of a table.
func TestHostileCells(t *testing.T) {
	scope, _ := single()
	nested := strings.Repeat("map(", 60) + "[dagm.iterations]" + strings.Repeat(", [#, #])", 60)
	for text, want := range map[string]string{
		nested: "steps", "dagm.label": "the number of cells is 1; want 2",
		"[dagm, 1]":               "a row wants numbers, intervals or texts, not a run",
		"[1, dagm.iterations, 3]": "the number of cells is 3; want 2",
	} {
		if _, err := CompileList(text, 2, scope); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, want %q", text, err, want)
		}
	}
}

// TestImaginedRunsAreFinite: a check is tried on runs whose metrics fall from 1, so no division is by 0.
func TestImaginedRunsAreFinite(t *testing.T) {
	runs := imagined(&Scope{Labels: []string{"A", "B"}, Points: []result.Settings{nil}, Seeds: []uint64{1, 2},
		Metrics: []Metric{{Name: "grad_norm2"}, {Name: "objective"}}})
	if len(runs) != 4 {
		t.Fatalf("%d runs, want one of each method and seed", len(runs))
	}
	for k, want := range []float64{1, 0.5, 1. / 3} {
		s := runs[0].run.Samples[k]
		if !slices.Equal(s.Values, []float64{want, want}) || s.Iteration != k || s.Totals.Rounds != int64(k) {
			t.Errorf("sample %d: values %v at iteration %d in round %d, want %g twice", k, s.Values, s.Iteration,
				s.Totals.Rounds, want)
		}
	}
}
