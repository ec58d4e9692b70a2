package fold_test

import (
	"math"
	"testing"

	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
)

// If only a key of another method is swept, a method runs once and is compared with the other
// one at each of its points. If every method has the key, methods are compared within points.
func TestMethodsWithoutTheSweptKeyAreCompared(t *testing.T) {
	point := func(step float64) result.Settings {
		set, err := result.NewSetting("algorithms.A.alpha", step)
		if err != nil {
			t.Fatal(err)
		}
		return result.Settings{set}
	}
	run := func(label string, at result.Settings, grad float64) result.Run {
		r := result.Run{Label: label, Seed: 1, Point: at, Status: result.Completed, Metrics: []string{"grad_norm2"}}
		r.Samples = []result.Sample{{Values: []float64{1}}, {Values: []float64{grad}}}
		r.Samples[1].Iteration, r.Samples[1].Totals.Payload[1] = 1, 100
		r.Finish()
		return r
	}
	between := func(runs ...result.Run) int {
		f := fold.New(fold.Options{})
		for i := range runs {
			if err := f.Add(&runs[i]); err != nil {
				t.Fatal(err)
			}
		}
		s := f.Summary()
		n := 0
		for _, c := range s.Comparisons {
			if s.Outcomes[c.Outcome].ID == "totals.payload_bytes" && s.Groups[c.A].Label != s.Groups[c.B].Label {
				n++
			}
		}
		return n
	}
	both := append(point(1), point(1)...)
	both[1].Key = "algorithms.A.beta"
	if n := between(run("A", point(1), 0.5), run("A", both, 0.4), run("B", both, 0.1)); n != 1 {
		t.Errorf("%d comparisons of A with B, which share a point, want 1: A has both keys, if at one point only", n)
	}
	if n := between(run("A", point(1), 0.5), run("A", both, 0.4), run("B", point(1), 0.1)); n != 2 {
		t.Errorf("%d comparisons of A with B, which has no beta, want one at each of A's points", n)
	}
	a1, a2 := run("A", point(1), 0.5), run("A", point(2), 0.25)
	if n := between(a1, a2, run("B", nil, 0.1)); n != 2 {
		t.Errorf("%d comparisons of A with B, which has no alpha, want one at each of 2 points", n)
	}
	if n := between(a1, a2, run("B", point(1), 0.1), run("B", point(2), 0.2)); n != 2 {
		t.Errorf("%d comparisons of A with B at its own points, want 2", n)
	}
}

// TestMeasureOfOneRun: a single run counts at the end in any case, but for a target only if it ended well. Of two
// runs, a diverged one is infinite.
func TestMeasureOfOneRun(t *testing.T) {
	rounds := fold.Quantity{Costs: []string{"rounds"}}
	completed, diverged := run(t, "A", 8, 1, result.Completed, 1000), run(t, "A", 8, 2, result.Diverged, 1000)
	for _, c := range []struct {
		runs []result.Run
		end  float64 // the rounds
	}{
		{[]result.Run{completed}, 40}, {[]result.Run{diverged}, 40}, {[]result.Run{completed, diverged}, 40},
		{[]result.Run{diverged, diverged}, math.NaN()},
	} {
		f := fold.New(fold.Options{})
		for i, r := range c.runs {
			r.Seed = uint64(i)
			if err := f.Add(&r); err != nil {
				t.Fatal(err)
			}
		}
		end, goal := f.Measure(0, 0, -1, rounds), f.Measure(0, 0, 0, rounds)
		if n := len(c.runs); end.N != n || !same(end.Value, c.end) || goal.Reached != 0 || goal.Censored != n {
			t.Errorf("%d runs: %+v at the end, %+v to the target", len(c.runs), end, goal)
		}
	}
}
