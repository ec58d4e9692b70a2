package views

import (
	"fmt"
	"strings"
	"testing"

	"tallynet/metrics"
	"tallynet/metrics/report/answer"
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
func answered(t *testing.T, target bool, runs ...result.Run) answer.Answer {
	t.Helper()
	var o fold.Options
	if target {
		o.Targets = []result.Target{{Conditions: []result.Condition{condition("grad_norm2", "<=", 1)}}}
	}
	s, err := New(runs, o)
	if err != nil {
		t.Fatal(err)
	}
	a := s.Answer()
	if len(a.Sentences) > 5 {
		t.Errorf("%d sentences: %q", len(a.Sentences), a.Sentences)
	}
	for _, line := range a.Lines() {
		if !strings.HasSuffix(line, ".") || strings.Contains(line, "NaN") || strings.Contains(line, " 0.0 times") {
			t.Errorf("the answer says %q", line)
		}
	}
	return a
}

const ms = sim.Millisecond

// With several methods and seeds, the headline says how many times less the best one needs,
// with its interval. A sentence says who waits for what.
func TestHeadlineOfMethods(t *testing.T) {
	var runs []result.Run
	for seed := range uint64(5) {
		runs = append(runs, priced(t, "A", seed, 10+int(seed%2), 100, 9*ms, ms),
			priced(t, "B", seed, 20, 800, ms, 9*ms), priced(t, "C", seed, 10, 150, ms, 9*ms))
	}
	a := answered(t, true, runs...)
	want := "A gets to grad_norm2 <= 1 with 1.4 times fewer bytes than C (95 %: 1.4–1.5, 5 seeds) " +
		"and 15 times fewer than B (95 %: 14–16, 5 seeds)."
	if a.Headline != want {
		t.Errorf("%q, want %q", a.Headline, want)
	}
	if a.Picture.View != answer.Curves {
		t.Errorf("its picture is %q", a.Picture.View)
	}
	waits := "A waits for latency (90 % of its time); B and C wait for bandwidth (90 % of their time)."
	if all := strings.Join(a.Sentences, "\n"); !strings.Contains(all, waits) {
		t.Errorf("want %q in\n%s", waits, all)
	}
}

// The question's subject comes first: the graph on several networks, or the networks of several graphs.
func TestHeadlineAnswersTheQuestion(t *testing.T) {
	var runs []result.Run
	for _, slow := range []sim.Time{1, 10} {
		for i, kind := range []string{"ring", "torus"} {
			runs = append(runs, priced(t, "A", 1, 10, 10, slow*sim.Time(9-i)*ms, ms, "topology.kind", kind,
				"network.latency", fmt.Sprintf("%dms", slow)))
		}
	}
	const graph = "Fastest to grad_norm2 <= 1: torus in 2 of 2 settings"
	const network = "Latency limits A (9.1 times slower at 10ms)"
	for about, want := range map[string]string{
		"":                                       network,
		"Which graph is best on two networks?":   graph,
		"Which topology is best?":                graph,
		"A slow latency.\n Which graph is best?": graph,
		"Which graph does best. What limits it?": network,
		"What do latency and graph cost?":        network,
	} {
		target := result.Target{Conditions: []result.Condition{condition("grad_norm2", "<=", 1)}}
		s, err := New(runs, fold.Options{Targets: []result.Target{target}})
		if err != nil {
			t.Fatal(err)
		}
		s.Ask(about)
		if got := s.Answer(); !strings.HasPrefix(got.Headline, want) || s.Summary.Sentences[0] != got.Headline {
			t.Errorf("%q: the headline is %q, and the summary begins with %q", about, got.Headline, s.Summary.Sentences[0])
		}
	}
}

// What the study sweeps decides the answer's subject.
func TestHeadlineFollowsTheQuestion(t *testing.T) {
	var sizes, networks, graphs []result.Run
	for i, n := range []int{8, 16, 32, 64} {
		sizes = append(sizes, priced(t, "A", 1, 5<<(2*i), 10, ms, 0, "topology.kind", "ring", "topology.nodes", n),
			priced(t, "A", 1, 5, 10, ms, 0, "topology.kind", "complete", "topology.nodes", n))
	}
	for _, slow := range []sim.Time{1, 10} {
		networks = append(networks,
			priced(t, "A", 1, 10, 10, slow*9*ms, ms, "network.latency", fmt.Sprintf("%dms", slow)),
			priced(t, "B", 1, 10, 10, slow*ms, 9*ms, "network.latency", fmt.Sprintf("%dms", slow)))
	}
	for i, kind := range []string{"ring", "torus", "complete"} {
		graphs = append(graphs, priced(t, "A", 1, []int{40, 10, 20}[i], 10, ms, 0, "topology.kind", kind))
	}
	for _, c := range []struct {
		name string
		runs []result.Run
		want string
		view answer.View
	}{
		{"sizes", sizes, "From 8 to 64 nodes, time to grad_norm2 <= 1 grows 64-fold with A on the ring graph (power 2.00",
			answer.Parameter},
		{"networks", networks, "Latency limits A (9.1 times slower at 10ms) and B (1.9 times slower at 10ms)",
			answer.MadeOf},
		{"graphs", graphs, "Fastest to grad_norm2 <= 1: torus; 4.0 times faster than the worst", answer.Parameter},
		{"one run", graphs[:1], "A gets to grad_norm2 <= 1 after 40 iterations (one seed), 400 B (one seed) and 40.0 ms",
			answer.Curves},
	} {
		if a := answered(t, true, c.runs...); !strings.HasPrefix(a.Headline, c.want) || a.Picture.View != c.view {
			t.Errorf("%s: %s view, %q, want %s, %q ...", c.name, a.Picture.View, a.Headline, c.view, c.want)
		}
	}
}

// A sentence is true of every grid point that it covers. A method that waits for latency at two of three points is
// reported with that count; a cost that hardly changes does not grow; and an interval with equal ends is not shown.
func TestWordsAreTrueEverywhere(t *testing.T) {
	var runs []result.Run
	for seed := range uint64(3) {
		for i, n := range []int{8, 16, 32} {
			latency := []sim.Time{9 * ms, 6 * ms, 1 * ms}[i]
			runs = append(runs, priced(t, "A", seed, 10*(1+i*i), 10, latency, 10*ms-latency, "topology.nodes", n),
				priced(t, "B", seed, 10, 100, 10*ms+sim.Time(seed), 0, "topology.nodes", n))
		}
	}
	a := answered(t, true, runs...)
	all := strings.Join(a.Lines(), "\n")
	for _, want := range []string{"From 8 to 32 nodes, time to grad_norm2 <= 1 grows 5.0-fold with A (",
		"and hardly changes with B (power ", "A at 2 of 3 grid points and B wait for latency (60–100 % of their time)"} {
		if !strings.Contains(all, want) {
			t.Errorf("want %q in\n%s", want, all)
		}
	}
	runs = nil
	for seed := range uint64(3) {
		for _, slow := range []sim.Time{1, 100} {
			runs = append(runs, priced(t, "A", seed, 10, 10, slow*ms+sim.Time(seed), 0, "network.latency",
				fmt.Sprintf("%dms", slow)))
		}
	}
	const want = "Latency limits A (100 times slower at 100ms, the same with 3 seeds), in time to grad_norm2 <= 1, " +
		"with one setting changed at a time."
	if a := answered(t, true, runs...); a.Headline != want {
		t.Errorf("the headline is %q", a.Headline)
	}
}

// A second limit that slows a method down nearly as much as the first is reported, too.
func TestTwoLimits(t *testing.T) {
	var runs []result.Run
	for _, latency := range []sim.Time{1, 10} {
		for _, speed := range []sim.Time{1, 10} {
			at := []any{"network.latency", fmt.Sprintf("%dms", latency), "compute.speed", fmt.Sprintf("1/%d", speed)}
			runs = append(runs, priced(t, "A", 1, 10, 10, latency*100*ms, speed*97*ms, at...),
				priced(t, "B", 1, 10, 10, latency*100*ms, speed*70*ms, at...))
		}
	}
	const want = "Latency limits A (5.6 times slower at 10ms) and B (6.3 times slower at 10ms); " +
		"speed limits A (5.4 times slower at 1/10), in time"
	if a := answered(t, true, runs...); !strings.HasPrefix(a.Headline, want) {
		t.Errorf("the headline is %q", a.Headline)
	}
}

// Without a target, methods are compared at the accuracy that all reached: a method that does
// little does not win.
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
	all := strings.Join(a.Lines(), "\n")
	if !strings.HasPrefix(a.Headline, "thorough gets to grad_norm2 <= 39 with 8.0 times fewer bytes than lazy") {
		t.Errorf("the answer is\n%s", all)
	}
	if !strings.Contains(all, "No target was set") {
		t.Errorf("the answer does not say where the costs are compared:\n%s", all)
	}
	// Different problems have no accuracy in common.
	a = answered(t, false, priced(t, "A", 1, 5, 10, ms, 0, "problem.p", "few"), lazyAt(t, "problem.p", "many"))
	if strings.Contains(strings.Join(a.Lines(), "\n"), "best") {
		t.Errorf("ranked over different problems:\n%s", strings.Join(a.Lines(), "\n"))
	}
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
		runs = append(runs, priced(t, "A", seed, 10+int(seed), 100, ms, 0), priced(t, "B", seed, 13-int(seed), 101, ms, 0))
	}
	a := answered(t, true, runs...)
	if want := "No method clearly needs the least bytes to grad_norm2 <= 1 (95 % intervals, 4 " +
		"seeds)."; a.Headline != want {
		t.Errorf("%q, want %q", a.Headline, want)
	}
}

// Runs that end badly or miss the target come first.
func TestNothingReached(t *testing.T) {
	bad := priced(t, "A", 1, 5, 10, ms, 0)
	bad.Status, bad.Samples = result.Diverged, bad.Samples[:3]
	if a := answered(t, true, bad); a.Headline != "No run ended well: 1 diverged." {
		t.Errorf("%q", a.Headline)
	}
	short := priced(t, "A", 1, 5, 10, ms, 0)
	short.Status, short.Samples = result.Completed, short.Samples[:3]
	short.Final = result.Final{}
	short.Finish()
	if a := answered(t, true, short); a.Headline != "No run reached grad_norm2 <= 1 (1 completed)." {
		t.Errorf("%q", a.Headline)
	}
	if a := answered(t, true); len(a.Lines()) != 1 || a.Sentences[0] != "No runs." {
		t.Errorf("%q", a.Lines())
	}
}
