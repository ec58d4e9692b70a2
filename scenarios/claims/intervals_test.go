package claims

import (
	"math"
	"strings"
	"testing"

	"github.com/expr-lang/expr/ast"

	"tallynet/metrics/report/result"
)

// threeSeeds returns a study of two methods and three seeds with the given final values.
func threeSeeds() (Scope, []result.Run) {
	s := Scope{Labels: []string{"A", "B"}, Points: []result.Settings{nil}, Seeds: []uint64{1, 2, 3},
		Metrics: testMetrics()}
	var runs []result.Run
	for i, seed := range s.Seeds {
		runs = append(runs, handMade("A", seed, nil, []float64{1, 2, 3}[i]),
			handMade("B", seed, nil, []float64{2, 3.5, 4}[i]))
	}
	return s, runs
}

// TestIntervals: the final values of A are 1, 2, 3 and those of B 2, 3.5, 4. The mean of A is
// 2 ± 4.303 / sqrt(3) = 2 ± 2.484, and the paired difference -1.167 ± 0.717.
func TestIntervals(t *testing.T) {
	scope, runs := threeSeeds()
	const a, b = `map(runs("A"), .final.grad_norm2)`, `map(runs("B"), .final.grad_norm2)`
	for check, want := range map[string]result.Verdict{
		`within(interval(A).low, -0.484, 0.01) && within(interval(A).high, 4.484, 0.001)`: result.Holds,
		`within(difference(A, B).value, -1.1667, 0.001)`:                                  result.Holds,
		`median(A) == 2 && median(A, 4) == 2.5`:                                           result.Holds,

		`below(difference(A, B), 0)`:      result.Holds,
		`above(difference(A, B), 0)`:      result.Fails,
		`below(difference(A, B), -1)`:     result.Undecided,
		`below(interval(A), interval(B))`: result.Undecided, // unpaired, they overlap
		`above(interval(A), 1)`:           result.Undecided,
		`above(interval(A), -1)`:          result.Holds,
		`at_most(interval(A), 4)`:         result.Undecided,
		`at_most(interval(A), 5)`:         result.Holds,
		`at_least(interval(A), 5)`:        result.Fails,

		// Numbers are intervals of width 0; strict and non-strict comparisons differ.
		`below(min(A), 1)`:    result.Fails,
		`at_most(min(A), 1)`:  result.Holds,
		`above(min(A), 1)`:    result.Fails,
		`at_least(min(A), 1)`: result.Holds,

		`about(interval(A), 2, 3)`:   result.Holds,
		`about(interval(A), 2, 1)`:   result.Undecided,
		`about(interval(A), 9, 1)`:   result.Fails,
		`covers(interval(A), 4, 7)`:  result.Holds,
		`covers(interval(A), 4, 1)`:  result.Undecided,
		`covers(interval(A), 5, 10)`: result.Fails,
	} {
		text := strings.NewReplacer("(A", "("+a, "(B", "("+b, ", B)", ", "+b+")").Replace(check)
		o := mustCompile(t, text, scope).Evaluate(runs)
		if o.Verdict != want {
			t.Errorf("%s: %s (%s), want %s", check, o.Verdict, o.Reason, want)
		}
		if (o.Verdict == result.Undecided) != strings.Contains(o.Reason, "decides nothing") {
			t.Errorf("%s: %s: %q", check, o.Verdict, o.Reason)
		}
	}
}

// TestExponentIsUndecided: too few scale points give no verdict, and the reason says so.
func TestExponentIsUndecided(t *testing.T) {
	scope, runs := grid(t)
	const check = `at_most(exponent(map(runs("DAGM"), .point["topology.nodes"]), map(runs("DAGM"), ` +
		`.final.grad_norm2)), 2)`
	o := mustCompile(t, check, scope).Evaluate(runs)
	if o.Verdict != result.Undecided || !strings.Contains(o.Reason, "at least 5 different x, got 3") {
		t.Errorf("%s: %s", o.Verdict, o.Reason)
	}
}

// TestGrowth: two replicates of (a + 3x)^2 with different a for each x; the plain exponent is not 2.
func TestGrowth(t *testing.T) {
	scope, runs := single()
	const costs = "map([1, 2, 3, 4, 5, 6], [(3 * # - 2 * dagm.final.grad_norm2 * 2) ** 2, (3 * # - 1) ** 2])"
	for check, want := range map[string]result.Verdict{
		`within(growth([1, 2, 3, 4, 5, 6], ` + costs + `, 2).high, 2, 1e-9)`: result.Holds,
		`at_most(growth([1, 2, 3, 4, 5, 6], ` + costs + `, 2), 1.9)`:         result.Fails,
		// five points
		`at_most(growth([1, 2, 3, 4, 5], [1, 1, 2, 2, 3, 3, 4, 4, 5, dagm.iterations], 1), 1.1)`: result.Undecided,
		`at_most(growth([1, 2, 3, 4, 5, 6], ` + costs + `, 0), 1.9)`:                             result.Undecided,
	} {
		if o := mustCompile(t, check, scope).Evaluate(runs); o.Verdict != want {
			t.Errorf("%s: %s (%s), want %s", check, o.Verdict, o.Reason, want)
		}
	}
}

// TestKeysOfSomePoints: the points of a list may set different keys.
func TestKeysOfSomePoints(t *testing.T) {
	scope, runs := grid(t)
	other, err := result.NewSetting("problem.q", 4)
	if err != nil {
		t.Fatal(err)
	}
	scope.Points = append(scope.Points, result.Settings{other})
	runs = append(runs, handMade("DAGM", 1, result.Settings{other}, 7), handMade("DAGM", 2, result.Settings{other}, 7))
	o := mustCompile(t, `all(at("DAGM", {"problem.q": 4}), .final.grad_norm2 == 7)`, scope).Evaluate(runs)
	if o.Verdict != result.Holds {
		t.Errorf("%s: %s", o.Verdict, o.Reason)
	}
	if _, err := Compile(`all(at("DAGM", {"problem.p": 4}), true)`, scope); err == nil {
		t.Error("a key of no point was accepted")
	}
}

// TestEnds: an interval covers its ends, and is about a number if it ends within the tolerance.
func TestEnds(t *testing.T) {
	type verdict struct{ yes, no bool }
	of := func(yes, no bool) verdict { return verdict{yes, no} }
	a := Interval{Value: 2, Low: 1, High: 3}
	for _, c := range []struct {
		x, tolerance   float64
		covers, around verdict
	}{
		{1, 2, verdict{yes: true}, verdict{yes: true}},
		{3, 2, verdict{yes: true}, verdict{yes: true}},
		{2, 1, verdict{yes: true}, verdict{yes: true}},
		{2, 0.5, verdict{}, verdict{}},
		{0.5, 0.5, verdict{no: true}, verdict{}},
		{0.5, 2.5, verdict{no: true}, verdict{yes: true}},
		{0, 0.5, verdict{no: true}, verdict{no: true}},
		{4, 1, verdict{no: true}, verdict{}},
	} {
		if got := of(covers(a, c.x, c.tolerance)); got != c.covers {
			t.Errorf("covers %v within %v: %+v, want %+v", c.x, c.tolerance, got, c.covers)
		}
		if got := of(about(a, c.x, c.tolerance)); got != c.around {
			t.Errorf("about %v within %v: %+v, want %+v", c.x, c.tolerance, got, c.around)
		}
	}
}

// TestDecidedOfNumbers: if an end or a value of an interval is not a number, the comparison is undecided.
func TestDecidedOfNumbers(t *testing.T) {
	for i := range 7 {
		ends := []float64{2, 1, 3, 5, 4, 6, 0}
		ends[i] = math.NaN()
		e := &evaluation{here: &ast.NilNode{}}
		yes := e.decided("below", true, false, Interval{ends[0], ends[1], ends[2]}, Interval{ends[3], ends[4], ends[5]})
		if whole := i == 6; yes != whole || (len(e.remarks) == 0) != whole {
			t.Errorf("number %d is none: %v, %q", i, yes, e.remarks)
		}
	}
}
