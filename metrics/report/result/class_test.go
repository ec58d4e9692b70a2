package result

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"tallynet/metrics/jsonio"
)

// TestOutcomesOfClaims: a claim's outcome in the words of its class, and whether it is as expected.
func TestOutcomesOfClaims(t *testing.T) {
	margin := []Margin{{Name: "s", Value: 1.03, Low: 0.9, High: 1.16, Limit: 2}}
	for _, c := range []struct {
		claim            Claim
		outcome, finding string
		wrong            bool
	}{
		{Claim{Verdict: Holds}, "holds", "holds", false},
		{Claim{Verdict: Fails}, "fails", "fails", true},
		{Claim{Verdict: Undecided}, "undecided", "undecided", false},
		{Claim{Verdict: Holds, Class: OfPaper}, "holds", "reproduced", false},
		{Claim{Verdict: Holds, Class: OfPaper, Exact: true}, "holds", "reproduced exactly", false},
		{Claim{Verdict: Holds, Printed: json.RawMessage(`5`)}, "holds", "reproduced", false},
		{Claim{Verdict: Holds, Class: Ours, Exact: true}, "holds", "holds", false},
		{Claim{Verdict: Fails, Class: OfPaper, Exact: true}, "fails", "fails", true},
		{Claim{Verdict: Holds, Class: OfBound}, "consistent with the bound", "consistent with the bound", false},
		{Claim{Verdict: Holds, Class: OfBound, Margins: margin}, "consistent with the bound",
			"consistent with the bound (1.03 [0.9, 1.16], 0.97 below 2)", false},
		{Claim{Verdict: Holds, Class: Ours, Margins: margin}, "holds", "holds", false},
		{Claim{Verdict: Fails, Class: OfBound, Margins: margin}, "not consistent with the bound",
			"not consistent with the bound", true},
		{Claim{Verdict: Undecided, Class: OfBound}, "undecided", "undecided", false},
		{Claim{Verdict: Fails, Class: OfBound, Expected: Differs}, "differs as expected", "differs", false},
		{Claim{Verdict: Holds, Class: OfBound, Expected: Open}, "holds, not as expected", "holds, not as expected", true},
		{Claim{Verdict: Holds, Construction: true}, "by construction", "by construction", false},
		{Claim{Verdict: Fails, Construction: true}, "fails", "fails", true},
		{Claim{Verdict: Fails, Expected: Differs}, "differs as expected", "differs", false},
		{Claim{Verdict: Holds, Expected: Differs}, "holds, not as expected", "holds, not as expected", true},
		{Claim{Verdict: Undecided, Expected: Differs}, "undecided", "undecided", false},
		{Claim{Verdict: Undecided, Expected: Open}, "undecided as expected", "undecided", false},
		{Claim{Verdict: Fails, Expected: Open}, "fails, not as expected", "fails, not as expected", true},
	} {
		if out, found := c.claim.Outcome(), c.claim.Finding(); out != c.outcome || found != c.finding ||
			c.claim.Wrong() != c.wrong {
			t.Errorf("%+v: %q, %q, wrong: %v; want %q, %q, %v", c.claim, out, found, c.claim.Wrong(), c.outcome,
				c.finding, c.wrong)
		}
	}
	for printed, want := range map[string]string{"": "", `"five"`: "five", `[1,2]`: "[1,2]", `0.5`: "0.5"} {
		c := Claim{}
		if printed != "" {
			c.Printed = json.RawMessage(printed)
		}
		if got := c.PrintedText(); got != want {
			t.Errorf("%s is printed as %q, want %q", printed, got, want)
		}
	}
}

// TestMargins: a value with its distance to its limit.
func TestMargins(t *testing.T) {
	nan, inf := jsonio.Real(math.NaN()), jsonio.Real(math.Inf(1))
	for want, m := range map[string]Margin{
		"1.03 [0.9, 1.16], 0.97 below 2": {Value: 1.03, Low: 0.9, High: 1.16, Limit: 2},
		"3 [2, 4], 1 above 2":            {Value: 3, Low: 2, High: 4, Limit: 2},
		"2, at 2":                        {Value: 2, Low: 2, High: 2, Limit: 2},
		"1.23e+03, 1.23e+03 above 1":     {Value: 1234, Low: nan, High: nan, Limit: 1},
		"1 [0, +Inf]":                    {Value: 1, Low: 0, High: inf, Limit: inf},
		"-Inf":                           {Value: -inf, Low: nan, High: nan, Limit: 1},
		"1":                              {Value: 1, Low: nan, High: nan, Limit: -inf},
		"NaN":                            {Value: nan, Low: nan, High: nan, Limit: 1},
	} {
		if got := m.String(); got != want {
			t.Errorf("%+v: %q, want %q", m, got, want)
		}
	}
}

// TestPathOf: the path of one node is in the plane of y if y has two numbers, of x if x has, or of both.
func TestPathOf(t *testing.T) {
	for _, c := range []struct {
		name string
		x, y Iterates // of the first sample; the second adds 10 to each number
		want Trajectory
	}{
		{"both", Iterates{{1}}, Iterates{{2}},
			Trajectory{X: []float64{1, 11}, Y: []float64{2, 12}, XLabel: "x", YLabel: "y"}},
		{"y", Iterates{{1, 5}}, Iterates{{2, 3}},
			Trajectory{X: []float64{2, 12}, Y: []float64{3, 13}, XLabel: "y₁", YLabel: "y₂",
				OfY: true}},
		{"x", Iterates{{1, 5}}, Iterates{{}},
			Trajectory{X: []float64{1, 11}, Y: []float64{5, 15}, XLabel: "x₁", YLabel: "x₂"}},
		{"too many numbers", Iterates{{1, 2, 3}}, Iterates{{4, 5, 6}}, Trajectory{}},
		{"one number", Iterates{{1}}, Iterates{{}}, Trajectory{}},
		{"two nodes", Iterates{{1}, {2}}, Iterates{{1}, {2}}, Trajectory{}},
		{"two nodes' y", Iterates{{1}}, Iterates{{1}, {2}}, Trajectory{}},
		{"nothing kept", nil, nil, Trajectory{}},
	} {
		var read, run Run
		for k := range 2 {
			moved := func(of Iterates) Iterates {
				var out Iterates
				for _, v := range of {
					w := slices.Clone(v)
					for i := range w {
						w[i] += float64(10 * k)
					}
					out = append(out, w)
				}
				return out
			}
			run.Samples = append(run.Samples, Sample{X: moved(c.x), Y: moved(c.y)})
			read.Trajectory = append(read.Trajectory, Iterate{X: moved(c.x), Y: moved(c.y)})
		}
		for _, r := range []*Run{&run, &read} {
			got := PathOf(r)
			if !slices.Equal(got.X, c.want.X) || !slices.Equal(got.Y, c.want.Y) || got.XLabel != c.want.XLabel ||
				got.YLabel != c.want.YLabel || got.OfY != c.want.OfY {
				t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
			}
		}
	}
	first := Iterates{{1}}
	for _, r := range []Run{{Samples: []Sample{{X: first, Y: first}}}, {Trajectory: []Iterate{{X: first, Y: first}}}} {
		if got := PathOf(&r); !slices.Equal(got.X, first[0]) || !slices.Equal(got.Y, first[0]) {
			t.Errorf("one sample: %+v", got)
		}
	}
	if got := PathOf(&Run{Samples: []Sample{{X: Iterates{{1}, {2}}, Y: first}}}); got.XLabel != "" {
		t.Errorf("two nodes' x: %+v", got)
	}
	if got := PathOf(&Run{}); got.XLabel != "" {
		t.Errorf("no samples: %+v", got)
	}
}
