package study

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/metrics"
	"tallynet/metrics/report/result"
	"tallynet/node"
	"tallynet/scenarios/build"
	"tallynet/scenarios/execute"
	"tallynet/scenarios/problems"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
	"tallynet/sim"
)

func runStudy(t *testing.T, src string, workers int, overrides ...string) []result.Run {
	t.Helper()
	runs, err := tryStudy(t, context.Background(), src, workers, overrides...)
	if err != nil {
		t.Fatal(err)
	}
	return runs
}

func tryStudy(t *testing.T, ctx context.Context, src string, workers int, overrides ...string) ([]result.Run, error) {
	t.Helper()
	st, err := New(scenariotest.Parse(t, src, overrides...), &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	return st.Run(ctx, Options{Workers: workers})
}

// entries returns the runs as in result.json.
func entries(t *testing.T, runs []result.Run) []string {
	t.Helper()
	var out []string
	for _, r := range runs {
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(b)+fmt.Sprint(r.Happenings))
	}
	return out
}

func TestSameScenarioSameRuns(t *testing.T) {
	src := scenariotest.Study + "seeds: 2\nsweep: {network.latency: [1ms, 2ms]}\nrecord: {iterates: final}\n"
	want := entries(t, runStudy(t, src, 1))
	if len(want) != 12 {
		t.Fatalf("%d runs, want 2 points x 2 seeds x 3 algorithms", len(want))
	}
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	for _, procs := range []int{1, 2} {
		runtime.GOMAXPROCS(procs)
		for _, workers := range []int{1, 4} {
			if diff := cmp.Diff(want, entries(t, runStudy(t, src, workers))); diff != "" {
				t.Errorf("GOMAXPROCS %d, %d workers: %s", procs, workers, diff)
			}
		}
	}
}

func TestUnrelatedAlgorithmChangesNothing(t *testing.T) {
	alone := entries(t, runStudy(t, scenariotest.Study, 2))
	more := strings.Replace(scenariotest.Study, "algorithms:\n",
		"algorithms:\n  - {name: dagm, label: first, outer: 5, inner: 1, neumann: 0, alpha: 0.01, beta: 0.01}\n", 1)
	if diff := cmp.Diff(alone, entries(t, runStudy(t, more, 2))[1:]); diff != "" {
		t.Error(diff)
	}
}

// TestInputsMatter: a change of the input must change the output.
func TestInputsMatter(t *testing.T) {
	base := runStudy(t, scenariotest.Study, 1)[0]
	for _, set := range []string{"network.bandwidth=500kbit/s", "network.latency=2ms", "compute.calls.hessian=2ms",
		"network.jitter={kind: exponential, mean: 100us}", "compute.straggler={kind: constant, factor: 2}",
		"network.overhead={message: 40B}", "wire=float32", "network.contention=nic", "seed=2",
		"topology.weights=max-degree"} {
		overrides := []string{set}
		if set == "network.contention=nic" {
			overrides = append(overrides, "network.nic={up: 1Mbit/s, down: 1Mbit/s}")
		}
		if set == "topology.weights=max-degree" {
			set = "topology.weights={kind: ring-a, a: 0.5}"
			overrides = []string{set}
		}
		run := runStudy(t, scenariotest.Study, 1, overrides...)[0]
		if run.Status != result.Completed || run.Hash == base.Hash {
			t.Errorf("%s: status %s (%s), hash unchanged: %v", set, run.Status, run.Reason, run.Hash == base.Hash)
		}
		timeMoves := !strings.HasPrefix(set, "seed") && !strings.HasPrefix(set, "topology")
		if timeMoves && run.Totals.Time == base.Totals.Time {
			t.Errorf("%s: the simulated time is still %v", set, run.Totals.Time)
		}
	}
}

// TestCommonRandomNumbers: another network does not change the data, the start
// or the iterates of a synchronous method, only the times.
func TestCommonRandomNumbers(t *testing.T) {
	a := runStudy(t, scenariotest.Study, 1)
	b := runStudy(t, scenariotest.Study, 1, "network.jitter={kind: exponential, mean: 1ms}")
	for i := range a {
		for k := range a[i].Samples {
			if diff := cmp.Diff(a[i].Samples[k].Values, b[i].Samples[k].Values); diff != "" {
				t.Fatalf("%s at %d: %s", a[i].Label, k, diff)
			}
		}
		if b[i].Totals.Time <= a[i].Totals.Time {
			t.Errorf("%s: jitter made it faster: %v, %v without", a[i].Label, b[i].Totals.Time, a[i].Totals.Time)
		}
	}
}

func TestPredictedEqualsCounted(t *testing.T) {
	for _, topology := range []string{"{kind: ring, nodes: 6}", "{kind: star, nodes: 5}", "{kind: complete, nodes: 1}"} {
		for _, run := range runStudy(t, scenariotest.Study, 1, "topology="+topology) {
			if err := run.Predicted.Check(&run.Totals); err != nil {
				t.Errorf("%s on %s: %v", run.Label, topology, err)
			}
			if len(run.Notes) > 0 {
				t.Errorf("%s on %s: %v", run.Label, topology, run.Notes)
			}
		}
	}
	run := runStudy(t, scenariotest.Study, 1)[0]
	run.Totals.Wire.Vector++
	if run.Predicted.Check(&run.Totals) == nil {
		t.Error("a wrong count passes")
	}
}

func TestStopRules(t *testing.T) {
	full := runStudy(t, scenariotest.Study, 1)[0]
	g := full.Samples[7].Values[1] // grad_norm2 decreases, so this value is first reached at 7
	for _, c := range []struct {
		set, reason string
		status      result.Status
		iterations  int
	}{
		{"stop={iterations: 5}", "all 5 iterations", result.Completed, 5},
		{"stop={grad_norm2: " + jsonNumber(g) + "}", "grad_norm2 <= ", result.Reached, 7},
		// Each metric by itself ends a run, though not at the start, where all nodes
		// agree. A target requires all of them at once.
		{"stop={target: {grad_norm2: " + jsonNumber(g) + ", consensus_error: 1}}",
			" and consensus_error <= 1 at iteration 7", result.Reached, 7},
		{"stop={grad_norm2: " + jsonNumber(g) + ", consensus_error: 1}", "consensus_error <= 1 at iteration 1",
			result.Reached, 1},
		{"stop={payload: 1B}", "stop.payload", result.Completed, 1},
		{"stop={time: " + full.Samples[3].Totals.Time.String() + "}", "stop.time", result.Completed, 3},
		{"stop={time: 1ns}", "stop.time", result.Completed, 0},
	} {
		run := runStudy(t, scenariotest.Study, 1, c.set)[0]
		if run.Status != c.status || !strings.Contains(run.Reason, c.reason) || run.Iterations != c.iterations {
			t.Errorf("%s: %s after %d (%s)", c.set, run.Status, run.Iterations, run.Reason)
		}
		if err := run.Predicted.Check(&run.Totals); err != nil {
			t.Errorf("%s: totals are not those of the completed iterations: %v", c.set, err)
		}
	}
}

func jsonNumber(v float64) string {
	b, _ := json.Marshal(v)
	return string(b)
}

func TestDivergence(t *testing.T) {
	for _, set := range []string{"algorithms[0].beta=1", "algorithms[0].alpha=1e200", "stop.growth=1.0001",
		"stop={growth: 1e300}"} {
		overrides := []string{set, "algorithms[0].outer=500"}
		if strings.HasPrefix(set, "stop") {
			overrides = append(overrides, "algorithms[0].beta=1") // diverges in any case, sooner or later
		}
		run := runStudy(t, scenariotest.Study, 1, overrides...)[0]
		if run.Status != result.Diverged || !strings.Contains(run.Reason, "iteration") {
			t.Errorf("%s: %s: %s", set, run.Status, run.Reason)
		}
		// The smallest growth is noticed long before numbers overflow, and is relative to the first gradient.
		if grew := strings.Contains(run.Reason, "grad_norm2 grew from"); set == "stop.growth=1.0001" && !grew {
			t.Errorf("%s: %s", set, run.Reason)
		}
	}
}

// panicking is a problem with a bug.
type panicking struct{ problems.Problem }

func (panicking) Local(int) problems.Local { panic("no oracle today") }

// TestStudyOutlastsAPanic: a run in which code panics fails with the panic's value.
func TestStudyOutlastsAPanic(t *testing.T) {
	s := scenariotest.Parse(t, scenariotest.Study)
	in, err := build.Build(s, 1, &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	in.Problem = panicking{in.Problem}
	r := execute.Run(t.Context(), in, s.Algorithms[0], s.Algorithms[0].Args, nil)
	if r.Status != result.Failed || r.Reason != "no oracle today" || r.Label != "DAGM" {
		t.Errorf("%s: %s %q", r.Label, r.Status, r.Reason)
	}
}

// TestStopConditions: the target's conditions come first, in the order of the metrics, and then the single ones.
func TestStopConditions(t *testing.T) {
	s := scenariotest.Parse(t, scenariotest.Study,
		"stop={grad_norm2: 1e-3, own_loss: 2, target: {inner_error: 3, consensus_error: 4}}")
	var got []string
	for _, c := range s.StopConditions() {
		got = append(got, c.String())
	}
	want := []string{"consensus_error <= 4", "inner_error <= 3", "grad_norm2 <= 0.001", "own_loss <= 2"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestStudyProgress: progress names the first metric of the first target, or grad_norm2, and its value if recorded.
func TestStudyProgress(t *testing.T) {
	for stop, want := range map[string]string{
		"stop={iterations: 2}": "grad_norm2", "stop={inner_error: 1e-9, iterations: 2}": "inner_error",
		"stop={iterations: 2, target: {own_loss: -1e9, consensus_error: 0}}": "consensus_error",
	} {
		s := scenariotest.Parse(t, scenariotest.Study, stop)
		in, err := build.Build(s, 1, &scenariotest.Data)
		if err != nil {
			t.Fatal(err)
		}
		var last execute.Progress
		r := execute.Run(t.Context(), in, s.Algorithms[0], s.Algorithms[0].Args, func(p execute.Progress) { last = p })
		value, ok := r.Final.Values.Get(want)
		if !ok || last.Metric != want || last.Value != value || last.Iteration != 2 || last.Iterations != 2 ||
			last.Label != "DAGM" {
			t.Errorf("%s: %+v, want %s = %g", stop, last, want, value)
		}
	}
}

// TestStopTargetsOfTuning: a tuning's target comes after those of the stop rules, once.
func TestStopTargetsOfTuning(t *testing.T) {
	src := strings.Replace(scenariotest.Study, "alpha: 0.02, beta: 0.05}",
		"beta: 0.05, tune: {grid: {alpha: [0.001, 0.02]}, by: iterations, to: {grad_norm2: 1e-2}}}", 1)
	for set, want := range map[string]int{"seeds=1": 1, "stop.grad_norm2=1e-2": 2, "stop.inner_error=1e-2": 2} {
		all := scenariotest.Parse(t, src, set).Targets()
		if len(all) != want || !all[want-1].Kept || want == 2 && all[0].Kept {
			t.Errorf("%s: targets %v, want %d", set, all, want)
		}
	}
	byFinal := strings.Replace(src, "by: iterations, to: {grad_norm2: 1e-2}", "by: grad_norm2", 1)
	if all := scenariotest.Parse(t, byFinal).Targets(); len(all) != 0 {
		t.Errorf("without a target: %v", all)
	}
	if all := scenariotest.Parse(t, scenariotest.Study).Targets(); len(all) != 0 {
		t.Errorf("without tuning: %v", all)
	}
}

// TestStudyHeadlines: consensus comes first if nodes can disagree.
func TestStudyHeadlines(t *testing.T) {
	const single = "version: 1\ntopology: {kind: ring, nodes: 3}\nproblem: {kind: consensus, dim: 2}\n" +
		"algorithms: [{name: dgd, outer: 2, alpha: 0.1}]\n"
	for _, c := range []struct {
		src      string
		recorded []string
		want     []string
	}{
		{single, []string{"own_loss", "consensus_error"}, []string{"consensus_error", "own_loss"}},
		{single, []string{"own_loss"}, []string{"own_loss"}},
		{scenariotest.Study, []string{"own_loss", "consensus_error"}, []string{"own_loss"}},
	} {
		if got := scenariotest.Parse(t, c.src).Headlines(c.recorded); !slices.Equal(got, c.want) {
			t.Errorf("of %q: %q, want %q", c.recorded, got, c.want)
		}
	}
}

// TestStudyDigests: a file's digest covers its name and content. A folder's digest covers its files in order,
// without subfolders.
func TestStudyDigests(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"b.txt", "a.txt", "sub/c.txt"} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("in "+name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	sum := func(text string) string {
		h := sha256.Sum256([]byte(text))
		return hex.EncodeToString(h[:])
	}
	for path, want := range map[string]string{
		"b.txt": sum("b.txt\nin b.txt"), "": sum("a.txt\nin a.txtb.txt\nin b.txt"), "sub": sum("c.txt\nin sub/c.txt"),
	} {
		if got, err := digest(filepath.Join(folder, path)); err != nil || got != want {
			t.Errorf("%q: %s, %v; want %s", path, got, err, want)
		}
	}
	if _, err := digest(filepath.Join(folder, "absent")); err == nil {
		t.Error("a file that is not there has a digest")
	}
}

// TestRecordedIterates: none, those of the end, or those of every sample, as copies.
func TestRecordedIterates(t *testing.T) {
	for kept, want := range map[string][2]bool{"none": {}, "final": {true, false}, "all": {true, true}} {
		r := runStudy(t, scenariotest.Study, 1, "record.iterates="+kept, "algorithms[0].outer=2")[0]
		if got := [2]bool{len(r.X) == 6 && len(r.Y) == 6, r.Samples[1].X != nil && r.Samples[1].Y != nil}; got != want {
			t.Errorf("%s: at the end and in samples: %v, want %v", kept, got, want)
		}
	}
}

// TestClientsStart: the server starts at the mean of its clients' starts, and has no data.
func TestClientsStart(t *testing.T) {
	s := scenariotest.Parse(t,
		"version: 1\ntopology: {kind: star, nodes: 4, center: server}\nproblem: {kind: quadratic, p: 3, "+
			"q: 2}\nalgorithms: [{name: soba, outer: 2, rho: 0.01, gamma: 0.01}]\n")
	in, err := build.Build(s, 1, &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	in.Problem = starting{in.Problem}
	for id, want := range [][2][]float64{
		{{1, 10, 0}, {3, 0}}, {{0, 10, 0}, {2, 0}}, {{1, 10, 0}, {3, 0}}, {{2, 10, 0}, {4, 0}},
	} {
		if x, y := in.Start(id); !slices.Equal(x, want[0]) || !slices.Equal(y, want[1]) {
			t.Errorf("node %d starts at %v, %v, want %v", id, x, y, want)
		}
	}
	if p, q := in.Local(0).Dims(); p != 3 || q != 2 {
		t.Errorf("the server's iterates have %d and %d numbers", p, q)
	}
	if roles := in.Engine.Roles; !slices.Equal(roles, []node.Role{node.Server, node.Client, node.Client, node.Client}) {
		t.Errorf("roles %v", roles)
	}
}

// starting is a problem whose node i starts at x = (i, 10, 0) and y = (i + 2, 0).
type starting struct{ problems.Problem }

func (starting) Start(i int) (x, y []float64) {
	return []float64{float64(i), 10, 0}, []float64{float64(i + 2), 0}
}

func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	st, err := New(scenariotest.Parse(t, scenariotest.Study, "algorithms[1].outer=1000000"), &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("the user said stop")
	runs, err := st.Run(ctx, Options{Workers: 1, Notify: func(e Event) {
		if e.Progress.Label == "DGBO" && e.Progress.Iteration == 10 {
			cancel(stop)
		}
	}})
	if !errors.Is(err, stop) || len(runs) != 2 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	if runs[0].Status != result.Completed || runs[1].Status != result.Interrupted {
		t.Errorf("%s, %s", runs[0].Status, runs[1].Status)
	}
	if k := runs[1].Iterations; k < 10 || k > 1000 {
		t.Errorf("interrupted at 10, ended after %d", k)
	}
}

func TestTune(t *testing.T) {
	src := strings.Replace(scenariotest.Study, "alpha: 0.02, beta: 0.05}",
		"beta: 0.05, tune: {grid: {alpha: [0.001, 0.02, 50]}, by: iterations, to: {grad_norm2: 1e-2}}}", 1)
	src = strings.Replace(src, "outer: 20", "outer: 2000", 1)
	run := runStudy(t, src, 2, "stop={grad_norm2: 1e-2}")[0]
	tn := run.Tuning
	if tn == nil || len(tn.Trials) != 3 || !tn.Trials[1].Chosen || tn.Trials[0].Chosen || tn.Trials[2].Chosen {
		t.Fatalf("%+v", tn)
	}
	if a, _ := run.Parameters.Get("alpha"); a != "0.02" {
		t.Errorf("the run has alpha %s", a)
	}
	// The measure is what the chosen run then needs.
	if float64(tn.Trials[1].Measure) != float64(run.Iterations) {
		t.Errorf("measured %v, ran %d", tn.Trials[1].Measure, run.Iterations)
	}
	st, err := New(scenariotest.Parse(t, strings.Replace(src, "[0.001, 0.02, 50]", "[50]", 1)), &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := st.Run(context.Background(), Options{}); err == nil || !strings.Contains(err.Error(), "test.yaml:8:") {
		t.Errorf("a grid without a winner: %v", err)
	}
}

func TestReportHoldsTheResolvedScenario(t *testing.T) {
	st, err := New(scenariotest.Parse(t, scenariotest.Study), &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := st.Run(context.Background(), Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	report, err := st.Report(runs, result.Provenance{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := report.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	// The stored scenario can be run again.
	again, err := spec.Parse("echo.json", report.Scenario, scenariotest.Catalog(), nil)
	if err != nil {
		t.Fatal(err)
	}
	st2, err := New(again, &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	runs2, err := st2.Run(context.Background(), Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i := range runs { // no parameter of the echoed scenario is by default
		runs[i].Defaults = nil
	}
	if diff := cmp.Diff(entries(t, runs), entries(t, runs2)); diff != "" {
		t.Error(diff)
	}
}

// TestTrialsThatDoNotCount: a trial that passes through the target and leaves it
// has not reached it, and one that diverges never counts.
func TestTrialsThatDoNotCount(t *testing.T) {
	run := func(status result.Status, values ...float64) *result.Run {
		r := &result.Run{Status: status, Metrics: []string{"grad_norm2"}}
		for k, v := range values {
			r.Samples = append(r.Samples, result.Sample{Moment: metrics.Moment{Iteration: k}, Values: []float64{v}})
		}
		r.Finish()
		return r
	}
	tune := &spec.Tune{By: "iterations", To: []result.Condition{{Metric: "grad_norm2", Relation: "<=", Value: 1}}}
	for _, c := range []struct {
		run  *result.Run
		want float64
	}{
		{run(result.Completed, 4, 3, 0.9, 0.8), 2},
		{run(result.Completed, 4, 0.5, 3, 0.8), 3},
		{run(result.Completed, 4, 0.5, 3), math.NaN()},
		{run(result.Reached, 4, 0.5), 1},
		{run(result.Diverged, 4, 0.5, 0.5), math.NaN()},
		{run(result.Failed, 4, 0.5), math.NaN()},
		{run(result.Completed), math.NaN()},
	} {
		if got := judge(tune, result.Target{Conditions: tune.To, Kept: true}, c.run); got != c.want &&
			!(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%s %v: %v, want %v", c.run.Status, c.run.Samples, got, c.want)
		}
	}
}

// TestStartAtTheOptimum: averaging starts at the optimum, so its first gradient is
// rounding noise. Growth from there is not divergence, for any wire format, and for
// methods with and without rounds.
func TestStartAtTheOptimum(t *testing.T) {
	const src = `
version: 1
topology: {kind: ring, nodes: 16}
problem: {kind: consensus, dim: 4}
algorithms:
  - {name: gossip, rounds: 30}
  - {name: randomized-gossip, ticks: 30, interval: 4ms}
  - {name: dgd, outer: 30, alpha: 0.1}
  - {name: gradient-tracking, outer: 30, alpha: 0.1}
  - {name: extra, outer: 30, alpha: 0.1}
`
	for _, wire := range []string{"float64", "float32", "float16", "bfloat16"} {
		for _, run := range runStudy(t, src, 2, "wire="+wire) {
			if run.Status != result.Completed {
				t.Errorf("%s, %s: %s: %s", run.Label, wire, run.Status, run.Reason)
			}
		}
	}
	for _, run := range runStudy(t, src, 2, "algorithms[2].alpha=50", "algorithms[2].outer=20")[2:3] {
		// Rounding noise grows 49² times in each iteration. After some ten its square is that of
		// the nodes' own gradients, and soon after the growth is noticed.
		if run.Status != result.Diverged || run.Iterations > 13 {
			t.Errorf("%s with a step of 50: %s after %d iterations", run.Label, run.Status, run.Iterations)
		}
	}
}

// TestLedgersAndTotals: links, nodes and phases each sum to the totals plus the
// bytes sent after the last sample.
func TestLedgersAndTotals(t *testing.T) {
	for _, set := range []string{"stop={iterations: 5}", "stop={grad_norm2: 1}", "stop={time: 20ms}"} {
		for _, r := range runStudy(t, scenariotest.Study, 2, set) {
			messages, bytes := r.Totals.Messages, r.Totals.PayloadBytes()
			if r.Ahead != nil {
				messages += r.Ahead.Messages
				bytes += r.Ahead.PayloadBytes
			}
			if whole := set == "stop={iterations: 5}"; whole && r.Ahead != nil || !whole && r.Label == "DAGM" &&
				r.Ahead == nil {
				t.Errorf("%s, %s: after the last sample: %v", set, r.Label, r.Ahead)
			}
			var links, nodes, phases [2]int64
			for _, l := range r.Links {
				links[0] += l.Messages
				links[1] += l.Payload[0] + l.Payload[1] + l.Payload[2]
			}
			for _, n := range r.Nodes {
				nodes[0] += n.Messages
				nodes[1] += n.Payload
			}
			for _, p := range r.Phases {
				phases[1] += p.Bytes
			}
			if want := [2]int64{messages, bytes}; links != want || nodes != want || phases[1] != bytes {
				t.Errorf("%s, %s: links %v, nodes %v, phases %v, want %v", set, r.Label, links, nodes, phases, want)
			}
		}
	}
}

// TestLedgersOfLinks: each direction of the four edges is busy for a microsecond per byte.
func TestLedgersOfLinks(t *testing.T) {
	r := runStudy(t, `version: 1
topology: {kind: ring, nodes: 4}
network: {bandwidth: 8Mbit/s}
problem: {kind: quadratic, p: 3, q: 2}
algorithms: [{name: dagm, outer: 3, inner: 1, neumann: 1, alpha: 0.01, beta: 0.01}]
`, 1)[0]
	if len(r.Links) != 8 {
		t.Fatalf("%d links", len(r.Links))
	}
	for _, l := range r.Links {
		if bytes := l.PayloadBytes() + l.Overhead; bytes == 0 || l.Busy != sim.Time(bytes)*sim.Microsecond ||
			(l.To-l.From+4)%2 != 1 {
			t.Errorf("from %d to %d: busy %v with %d bytes", l.From, l.To, l.Busy, bytes)
		}
		r.Nodes[l.From].Send -= l.Busy
	}
	for _, n := range r.Nodes {
		if n.Send != 0 {
			t.Errorf("node %d sends for %v longer than its links are busy", n.Node, n.Send)
		}
	}
}

// TestPointWithoutAWinner: at one of two points no trial reaches the target. The runs of
// that point fail; the others do not change.
func TestPointWithoutAWinner(t *testing.T) {
	const src = `
version: 1
seeds: 2
topology: {kind: ring, nodes: 4}
problem: {kind: quadratic, p: 2, q: 2}
algorithms:
  - {name: dagm, inner: 2, neumann: 5, beta: 0.05, tune: {grid: {alpha: [0.02, 0.05]}, by: iterations,
	to: {grad_norm2: 0.05}}}
`
	runs := runStudy(t, src+"sweep: {algorithms.DAGM.outer: [60, 1]}\n", 2)
	alone := runStudy(t, src, 2, "algorithms.DAGM.outer=60")
	if len(runs) != 4 || len(alone) != 2 {
		t.Fatalf("%d and %d runs", len(runs), len(alone))
	}
	for i, r := range runs[:2] {
		if r.Status != result.Completed || r.Hash != alone[i].Hash {
			t.Errorf("%v: %s, %s", r.Point, r.Status, r.Reason)
		}
	}
	for _, r := range runs[2:] {
		if r.Status != result.Failed || !strings.Contains(r.Reason, "no point of the grid of 2 reaches the target") ||
			r.Tuning == nil || len(r.Tuning.Trials) != 2 {
			t.Errorf("%v: %s, %s, %v", r.Point, r.Status, r.Reason, r.Tuning)
		}
	}
	for override, want := range map[string]string{
		"algorithms.DAGM.outer=1": "(best grad_norm2 at an end: 0.",
		"network.latency=1e9s":    ", 2 failed; the first that failed: node 0: simulated time exceeds",
		"algorithms.DAGM.beta=50": "2 diverged; the first that diverged: ",
	} {
		_, err := tryStudy(t, context.Background(), src, 1, override)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", override, err, want)
		}
	}
}
