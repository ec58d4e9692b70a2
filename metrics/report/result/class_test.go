package result

import (
	"encoding/json"
	"slices"
	"testing"
)

// TestOutcomesOfClaims: a claim's outcome in the words of its class, and whether it is as expected.
func TestOutcomesOfClaims(t *testing.T) {
	for _, c := range []struct {
		claim   Claim
		outcome string
		wrong   bool
	}{
		{Claim{Verdict: Holds}, "holds", false},
		{Claim{Verdict: Fails}, "fails", true},
		{Claim{Verdict: Undecided}, "undecided", false},
		{Claim{Verdict: Holds, Class: Number}, "reproduced", false},
		{Claim{Verdict: Holds, Printed: json.RawMessage(`5`)}, "reproduced", false},
		{Claim{Verdict: Fails, Class: Order}, "differs", true},
		{Claim{Verdict: Fails, Class: Order, Expected: Differs}, "differs", false},
		{Claim{Verdict: Holds, Class: Bound}, "consistent", false},
		{Claim{Verdict: Fails, Class: Bound}, "contradicted", true},
		{Claim{Verdict: Fails, Class: LowerBound, Expected: Differs}, "contradicted", false},
		{Claim{Verdict: Undecided, Class: Bound}, "undecided", false},
		{Claim{Verdict: Holds, Class: Bound, Expected: Differs}, "consistent, not as expected", true},
		{Claim{Verdict: Holds, Class: Number, Construction: true}, "by construction", false},
		{Claim{Verdict: Fails, Class: Bound, Construction: true}, "contradicted", true},
		{Claim{Verdict: Fails, Expected: Differs}, "differs as expected", false},
		{Claim{Verdict: Holds, Expected: Differs}, "holds, not as expected", true},
		{Claim{Verdict: Undecided, Expected: Open}, "undecided", false},
		{Claim{Verdict: Fails, Expected: Open}, "fails, not as expected", true},
	} {
		if out := c.claim.Outcome(); out != c.outcome || c.claim.Wrong() != c.wrong {
			t.Errorf("%+v: %q, wrong: %v; want %q, %v", c.claim, out, c.claim.Wrong(), c.outcome, c.wrong)
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
