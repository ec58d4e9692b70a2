package views

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/metrics"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
	"tallynet/sim"
)

// priced returns a run that takes some iterations to grad_norm2 <= 1, at the given cost per iteration.
func priced(t *testing.T, label string, seed uint64, iterations int, bytes int64, latency, transfer sim.Time,
	point ...any) result.Run {
	t.Helper()
	r := result.Run{Label: label, Seed: seed, Status: result.Reached, Metrics: []string{"grad_norm2"}}
	for i := 0; i < len(point); i += 2 {
		set, err := result.NewSetting(point[i].(string), point[i+1])
		if err != nil {
			t.Fatal(err)
		}
		r.Point = append(r.Point, set)
	}
	for k := range iterations + 1 {
		s := result.Sample{Moment: metrics.Moment{Iteration: k}, Values: []float64{1 + float64(iterations-k)}}
		s.Totals.Payload[metrics.Vector] = bytes * int64(k)
		s.Totals.Path.Latency, s.Totals.Path.Transfer = latency*sim.Time(k), transfer*sim.Time(k)
		s.Totals.Time = (latency + transfer) * sim.Time(k)
		r.Samples = append(r.Samples, s)
	}
	r.Finish()
	return r
}

// answered returns the answer to a study of the runs, with the target grad_norm2 <= 1 or none.
func answered(t *testing.T, target bool, runs ...result.Run) *result.Answer {
	t.Helper()
	var o fold.Options
	if target {
		o.Targets = []result.Target{{Conditions: []result.Condition{condition("grad_norm2", "<=", 1)}}}
	}
	s, err := New(runs, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Ask(nil, nil); err != nil {
		t.Fatal(err)
	}
	a := s.Answer()
	if len(a.Sentences) > 6 {
		t.Errorf("%d sentences: %q", len(a.Sentences), a.Sentences)
	}
	for _, line := range a.Sentences {
		if !strings.HasSuffix(line, ".") || strings.Contains(line, "NaN") || strings.Contains(line, " 0.0 times") {
			t.Errorf("the answer says %q", line)
		}
	}
	return a
}

const ms = sim.Millisecond

// said fails the test unless the sentences are as wanted.
func said(t *testing.T, name string, a *result.Answer, chart string, want ...string) {
	t.Helper()
	if d := cmp.Diff(want, a.Sentences); d != "" || a.Chart.Kind != chart {
		t.Errorf("%s: chart %q, want %q; sentences (-want +got):\n%s", name, a.Chart.Kind, chart, d)
	}
}

// With several methods and seeds, the headline says how many times less the best one needs than the next, with its
// interval, and the next sentence what the other cost says.
func TestHeadlineOfMethods(t *testing.T) {
	var runs []result.Run
	for seed := range uint64(5) {
		runs = append(runs, priced(t, "A", seed, 10+int(seed%2), 100, 9*ms, ms),
			priced(t, "B", seed, 20, 800, ms, 9*ms), priced(t, "C", seed, 10, 150, ms, 8*ms))
	}
	a := answered(t, true, runs...)
	said(t, "methods", a, "scatter",
		"A sends 1.0 kB to grad_norm2 <= 1; C, the next, 44 % (95 %: 35 to 54) more.",
		"C is fastest: 90 ms, while A takes 104 ms, 15 % (95 %: 8.2 to 23) longer.")
	first := a.Cells[0].Choices[0]
	if first.Mostly != "latency" || math.Abs(first.Share-0.9) > 1e-9 || first.Arrived != 5 {
		t.Errorf("%+v", first)
	}
}

// What the study sweeps decides the question: sizes and networks are given, graphs and methods are chosen.
func TestQuestionFollowsWhatVaries(t *testing.T) {
	var sizes, networks, graphs, both []result.Run
	for i, n := range []int{8, 16, 32, 64} {
		sizes = append(sizes, priced(t, "A", 1, 5<<(2*i), 10, ms, 0, "topology.kind", "ring", "topology.nodes", n),
			priced(t, "A", 1, 50, 10, ms, 0, "topology.kind", "complete", "topology.nodes", n))
	}
	for _, slow := range []sim.Time{1, 10} {
		at := []any{"network.latency", fmt.Sprintf("%dms", slow)}
		networks = append(networks, priced(t, "A", 1, 100, 10, slow*9*ms, ms, at...))
		both = append(both, priced(t, "A", 1, 100, 10, slow*9*ms, ms, at...),
			priced(t, "B", 1, 100, 10, slow*ms, 20*ms, at...))
	}
	for i, kind := range []string{"ring", "torus", "complete"} {
		graphs = append(graphs, priced(t, "A", 1, []int{400, 100, 200}[i], 10, ms, 0, "topology.kind", kind))
	}
	for _, c := range []struct {
		name  string
		runs  []result.Run
		chart string
		want  []string
	}{
		{"sizes", sizes, "map", []string{
			"Ring sends least to grad_norm2 <= 1 at 8 or 16 nodes (2.5 to 10 times less than the next); " +
				"complete at 32 or 64 nodes (1.6 to 6.4 times less than the next) (one seed).",
			"Ring is fastest to the target at 8 or 16 nodes (2.5 to 10 times faster than the next); " +
				"complete at 32 or 64 nodes (1.6 to 6.4 times faster than the next)."}},
		{"networks", networks, "map", []string{
			"With latency 10 ms time to grad_norm2 <= 1 is, as a multiple of that with latency 1 ms, 9.1 for A (one seed)."}},
		{"methods on networks", both, "map", []string{
			"A is fastest to grad_norm2 <= 1 at latency 1 ms (2.1 times faster than the next); B at latency 10 ms " +
				"(3.0 times faster than the next) (one seed).",
			"A and B tie in bytes to the target at each latency."}},
		{"graphs", graphs, "scatter", []string{
			"Torus sends 1.0 kB to grad_norm2 <= 1, 2.0 times less than complete, the next (one seed).",
			"Torus also is fastest, with 100 ms; complete, the next, 2.0 times as long."}},
		{"one run", graphs[:1], "scatter", []string{"Ring sends 4.0 kB to grad_norm2 <= 1 (one seed).",
			"Ring takes 400 ms to the target."}},
	} {
		said(t, c.name, answered(t, true, c.runs...), c.chart, c.want...)
	}
}

// Of two keys of the network and the machines, the one that slows a method down most limits it, and another that does
// so nearly as much.
func TestTwoLimits(t *testing.T) {
	var runs []result.Run
	for _, latency := range []sim.Time{1, 10} {
		for _, speed := range []sim.Time{1, 10} {
			at := []any{"network.latency", fmt.Sprintf("%dms", latency), "compute.slowdown", int(speed)}
			runs = append(runs, priced(t, "A", 1, 100, 10, latency*100*ms, speed*97*ms, at...),
				priced(t, "B", 1, 100, 10, latency*100*ms, speed*70*ms, at...))
		}
	}
	target := []result.Target{{Conditions: []result.Condition{condition("grad_norm2", "<=", 1)}}}
	number := func(s result.Setting) (float64, bool) {
		x, err := strconv.ParseFloat(strings.TrimSuffix(s.Text(), "ms"), 64)
		return x, err == nil
	}
	s, err := New(runs, fold.Options{Targets: target, Number: number})
	if err != nil {
		t.Fatal(err)
	}
	q := result.Question{By: []string{"time_s"}, Effect: []string{"network", "compute"}, Of: []string{"algorithm"}}
	if err := s.Ask(&q, nil); err != nil {
		t.Fatal(err)
	}
	said(t, "limits", s.Answer(), "map", "Latency limits B (6.3 times at 10 ms) and A (5.6 times at 10 ms); "+
		"slowdown limits A (5.4 times at 10): factors of time to grad_norm2 <= 1, with one key changed at a time "+
		"(one seed).",
		"B is fastest to the target in all 4 settings (the next takes 2.5 to 34 % longer).")
}

// Without a target, methods are compared at levels on the way: a method that does little does not win, and the level
// is nobody's end. Where the order changes with the level, the answer says where.
func TestDoingLittleDoesNotWin(t *testing.T) {
	thorough, lazy := priced(t, "thorough", 1, 20, 10, ms, 0), priced(t, "lazy", 1, 40, 40, ms, 0)
	lazy.Samples = lazy.Samples[:3] // it ends after 2 iterations and 80 bytes, at 39
	lazy.Final, lazy.Totals = result.Final{}, metrics.Totals{}
	lazy.Finish()
	for i := range thorough.Samples { // thorough has this after 1 iteration and 10 bytes
		thorough.Samples[i].Values[0] = 40 / float64(i*i+1)
	}
	thorough.Final = result.Final{}
	thorough.Finish()
	a := answered(t, false, thorough, lazy)
	if c := a.Cells[0]; c.Best != 1 || c.Choices[0].Name != "thorough" || a.Question.To.Conditions[0].Value == 39 {
		t.Errorf("%+v to %v", c, a.Question.To)
	}
	// Different problems have no accuracy in common.
	a = answered(t, false, priced(t, "A", 1, 5, 10, ms, 0, "problem.p", "few"), lazyAt(t, "problem.p", "many"))
	said(t, "two problems", a, "map",
		"No target was set, and the runs end at different accuracies: their costs are not ranked.")
}

func lazyAt(t *testing.T, point ...any) result.Run {
	t.Helper()
	r := priced(t, "A", 1, 9, 10, ms, 0, point...)
	r.Samples[9].Values[0] = 0.25
	r.Final = result.Final{}
	r.Finish()
	return r
}

// If seeds leave the winner open, the answer does not name one.
func TestUnclearWinner(t *testing.T) {
	var runs []result.Run
	for seed := range uint64(4) {
		runs = append(runs, priced(t, "A", seed, 100+int(seed), 100, ms, 0), priced(t, "B", seed, 103-int(seed), 101, ms, 0))
	}
	said(t, "tie", answered(t, true, runs...), "scatter", "A and B tie at 10 kB to grad_norm2 <= 1.",
		"A and B tie at 102 ms to the target.")
}

// Arrival comes before speed: a method of which clearly fewer runs get there does not win by being fast where it does.
func TestArrivalComesFirst(t *testing.T) {
	var runs []result.Run
	for seed := range uint64(10) {
		fast := priced(t, "fast", seed, 100, 10, ms, 0)
		if seed%2 == 1 {
			fast.Status, fast.Samples = result.Completed, fast.Samples[:50]
			fast.Final = result.Final{}
			fast.Finish()
		}
		runs = append(runs, fast, priced(t, "sure", seed, 200, 10, ms, 0))
	}
	a := answered(t, true, runs...)
	said(t, "arrival", a, "scatter", "sure sends 2.0 kB to grad_norm2 <= 1.", "sure takes 200 ms to the target.",
		"Not every run gets to the target: fast in 5 of 10 runs; the others always.")
	if c := a.Cells[0].Choices[1]; c.Name != "fast" || c.Arrived != 5 || c.Runs != 10 {
		t.Errorf("%+v", c)
	}
}

// Runs that end badly or miss the target come first.
func TestNothingReached(t *testing.T) {
	bad := priced(t, "A", 1, 5, 10, ms, 0)
	bad.Status, bad.Samples = result.Diverged, bad.Samples[:3]
	short := priced(t, "A", 1, 5, 10, ms, 0)
	short.Status, short.Samples = result.Completed, short.Samples[:3]
	short.Final = result.Final{}
	short.Finish()
	said(t, "diverged", answered(t, true, bad), "scatter",
		"Not every run gets to grad_norm2 <= 1: A never (1 diverged; at best grad_norm2 4.0).")
	said(t, "short", answered(t, true, short), "scatter",
		"Not every run gets to grad_norm2 <= 1: A never (at best grad_norm2 4.0).")
	said(t, "none", answered(t, true), "scatter", "No runs.")
}
