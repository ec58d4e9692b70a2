package result

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tallynet/metrics"
	"tallynet/metrics/jsonio"
	"tallynet/sim"
	"tallynet/sim/golden"
)

// point returns a Point of alternating keys and values.
func point(t *testing.T, pairs ...any) Settings {
	t.Helper()
	var p Settings
	for i := 0; i < len(pairs); i += 2 {
		s, err := NewSetting(pairs[i].(string), pairs[i+1])
		if err != nil {
			t.Fatal(err)
		}
		p = append(p, s)
	}
	return p
}

// example returns two runs that differ in everything: one has all parts, the
// other broke off before it had any.
func example(t *testing.T) *Report {
	t.Helper()
	totals := func(k int64) metrics.Totals {
		return metrics.Totals{
			Time: sim.Time(k)*2_064_000 + 1, Compute: sim.Time(k) * 4_000_000, Wait: sim.Time(k) * 4_256_000, Rounds: 3 * k,
			Traffic: metrics.Traffic{
				Carried: metrics.Carried{Messages: 12 * k, Payload: metrics.KindBytes{8 * k, 800 * k, 64_000 * k},
					Overhead: 480 * k, Retransmitted: 72 * k, LostBytes: 80 * k, LostMessages: k},
				Broadcast: metrics.Elements{Scalar: k, Vector: 50 * k, Matrix: 4000 * k},
				Wire:      metrics.Elements{Scalar: 2 * k, Vector: 100 * k, Matrix: 8000 * k},
			},
			Oracle: metrics.OracleCounts{GradF: 8 * k, GradG: 4 * k, HVP: 40 * k, JVP: 4 * k, Hessian: k, Jacobian: 2 * k,
				Solve: 3 * k, Value: 5 * k, Samples: 5700 * k},
			Path: metrics.Path{Compute: sim.Time(k) * 1_000_000, Transfer: sim.Time(k)*64_000 + 1,
				Latency: sim.Time(k) * 1_000_000},
		}
	}
	iteration := metrics.Cost{Rounds: 3, Messages: 12, Broadcast: metrics.Elements{Scalar: 1, Vector: 50, Matrix: 4000},
		Wire:   metrics.Elements{Scalar: 2, Vector: 100, Matrix: 8000},
		Oracle: metrics.OracleCounts{GradF: 8, GradG: 4, HVP: 40, JVP: 4, Hessian: 1, Jacobian: 2, Solve: 3, Value: 5}}
	full := Run{
		Algorithm: "dgbo", Label: "DGBO (b=5), <full>", Seed: math.MaxUint64,
		Point:      point(t, "topology.nodes", 4, "network.latency", "0.1ms", "algorithms.x", []float64{1, 0.5}),
		Numbers:    new(point(t, "network.latency_s", 1e-4)),
		Parameters: point(t, "alpha", 0.01, "solve", "cg", "warm", true),
		Status:     Reached, Reason: "grad_norm2 <= 0.0003", Notes: []string{"graph drawn 3 times"}, Hash: "a1b2c3d4",
		Predicted: &metrics.Prediction{PerIteration: iteration, Total: iteration.Times(2),
			Paper: &metrics.PaperCount{ElementsPerNode: 1012.5, Formula: "b*q^2 + p*q", Source: "Table 1",
				Note: "counts one broadcast per sender"}},
		Tuning: &Tuning{Rule: "least payload to the target", Trials: []Trial{
			{point(t, "alpha", 0.01), Reached, 129616, true}, {point(t, "alpha", 1), Diverged, jsonio.Real(math.NaN()),
				false}}},
		X: Iterates{{1, 2.5, -1e-300}, {1.0 / 3, math.NaN(), 1e300}}, Y: Iterates{{0}, {}},
		Metrics:     []string{"objective", "grad_norm2", "consensus_error"},
		NodeMetrics: []string{"own_loss", "consensus_error"},
		Samples: []Sample{
			{Moment: metrics.Moment{Iteration: 0, Totals: totals(0)}, Values: []float64{0.7, 1e-2, 0}},
			{Moment: metrics.Moment{Iteration: 1, Totals: totals(1)}, Values: []float64{math.Inf(1), math.NaN(), 1e-20}},
			{Moment: metrics.Moment{Iteration: 2, Totals: totals(2)}, Values: []float64{0.1, 2.5e-4, 0.30000000000000004}},
		},
		Links: []LinkRow{{From: 0, To: 1, Carried: metrics.Carried{Messages: 24,
			Payload:  metrics.KindBytes{16, 1600, 128_000},
			Overhead: 960, Retransmitted: 144, LostMessages: 2, LostBytes: 160}, Busy: 123_456_789}, {From: 1}},
		Nodes: []NodeRow{{0, 2_000_000, 1, 1_037_000, 6, 24, 129_616, 960, metrics.OracleCounts{GradF: 4, Samples: 9},
			metrics.Waits{Elsewhere: 1_000_000, Latency: 30_000, Link: 5_000, Timer: 2_000},
			metrics.Charge{Joules: 12.5, Money: 0.25}, metrics.Charge{Joules: 1e-9},
			40, 20, "no: 31; yes: 29", []float64{0.25, math.NaN()}}},
		Phases: []PhaseRow{{"inner, y", "y", metrics.Vector, 50, 1, 8, 100, 200, 1600}, {"outer", "hessian", metrics.Matrix,
			50, 50, 16, 8000, 16000, 128_000}},
	}
	full.SetPhysical(
		[]metrics.PhysicalLink{{Name: "node 0 up", BitsPerSecond: 1e9, Messages: 24, Bytes: 130_576, Busy: 1_037_000},
			{Name: "rack, 1", BitsPerSecond: -1, Messages: 24, Bytes: 130_576, Busy: 2_000_000}},
		[]metrics.Crossing{{From: 0, To: 1, Link: 0, Messages: 24, Bytes: 130_576, Bottleneck: 900_000},
			{From: 0, To: 1, Link: 1, Messages: 24, Bytes: 130_576}, {From: 0, To: 1, Link: -1, Messages: 24, Bytes: 130_576,
				Bottleneck: 137_000}},
		&metrics.CriticalPath{Steps: 6, Whole: true, Total: 4_128_001, Nodes: []metrics.Share{{Index: 0, Time: 2_000_000}},
			Links: []metrics.Share{{Index: 0, Time: 128_001}}, Latency: 2_000_000}, -1, 4_128_001)
	full.Timeline = &Timeline{Until: 3_000_001, MessagesUntil: 2_000_000, LeftOut: 7}
	full.Happenings = []Happening{{Computing, 0, 0, "", 0, 1_000_000, 0, 0},
		{Waiting, 1, 0, "inner, y", 5, 2_064_001, 0, 0}, {Idling, 0, 0, "", 1_000_000, 3_000_001, 0, 0},
		{Sending, 0, 1, "inner, y", 1_000_000, 2_064_001, 1_000_000, 816}, {CriticalComputing, 0, 0, "", 0, 1_000_000, 0, 0},
		{CriticalSending, 0, 1, "inner, y", 1_000_000, 2_064_001, 1_000_000, 0}}
	full.Finish()
	reach := func(metric, relation string, value float64) Target {
		return Target{Conditions: []Condition{{Metric: metric, Relation: relation, Value: value}}}
	}
	both := reach("grad_norm2", "<=", 3e-4)
	both.Conditions = append(both.Conditions, Condition{Metric: "objective", Relation: "<=", Value: 1})
	for _, t := range []Target{reach("grad_norm2", "<=", 3e-4), reach("objective", ">=", 5), reach("test_accuracy", ">=",
		0.9), both, {both.Conditions, true}} {
		full.Targets = append(full.Targets, full.Reach(t))
	}
	broken := Run{Algorithm: "dagm", Label: "DAGM", Seed: 1, Point: point(t, "topology.nodes", 10, "wire", "float32"),
		Status: Failed, Reason: "node 3: a \"bad\" thing\nhappened",
		Metrics: []string{"grad_norm2", "test_accuracy"}, Samples: []Sample{{Moment: metrics.Moment{Iteration: 0,
			Totals: totals(0)}, Values: []float64{1, 0.5}}}}
	return &Report{
		Schema: Schema, Scenario: json.RawMessage(`{"version":1,"name":"example","sweep":{"topology.nodes":[4,10]}}`),
		Provenance: Provenance{Version: "v0.1.0", Commit: "0123abcd", Modified: true, GoVersion: "go1.26.0",
			Platform:    "linux/amd64",
			CommandLine: []string{"simulate", "run", "a b.yaml"}, Seeds: []uint64{1, math.MaxUint64}},
		Runs: []Run{full, broken},
		Claims: []Claim{{Text: "DAGM sends no matrices", Source: "Table 2", Printed: json.RawMessage(`0`),
			Check:    "dagm.totals.matrix_bytes == 0",
			Measured: Values{{"dagm.totals.matrix_bytes", 0}}, Verdict: Undecided, Reason: "dagm failed"}},
	}
}

func TestReportGoldens(t *testing.T) {
	folder := t.TempDir()
	report := example(t)
	if err := WriteFiles(folder, append(report.Files(), File{"runs.csv", report.WriteRuns}), nil); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"result.json", "runs.csv", "iterations.csv", "links.csv", "nodes.csv", "phases.csv",
		"platform_links.csv",
		"platform_flows.csv", "timeline.csv"} {
		content, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		golden.Check(t, filepath.Join("testdata", name), string(content))
	}
}

var equateNaNs = cmp.Options{cmpopts.EquateNaNs(), cmpopts.IgnoreFields(Attempt{}, "Values"), // not stored
	cmp.Comparer(func(a, b jsonio.Real) bool {
		return a == b ||
			a != a && b != b
	})}

// stored returns the report without the parts that only the CSV files have, and
// with infinities as NaN, which is how null reads.
func stored(r *Report) *Report {
	s := *r
	s.Runs = nil
	for _, run := range r.Runs {
		run.Metrics, run.NodeMetrics, run.Samples, run.Links, run.Nodes, run.Phases = nil, nil, nil, nil, nil, nil
		run.PlatformLinks, run.Crossings, run.Happenings = nil, nil, nil
		s.Runs = append(s.Runs, run)
	}
	return &s
}

func TestReportReadsBack(t *testing.T) {
	report := example(t)
	var b bytes.Buffer
	if err := report.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	content := b.String()
	got, err := ReadReport(&b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(stored(report), got, equateNaNs); diff != "" {
		t.Error(diff)
	}
	var again bytes.Buffer
	if err := got.WriteJSON(&again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(content, again.String()); diff != "" {
		t.Error(diff)
	}
	// The decoder is strict: the struct has every key of the file.
	decoder := json.NewDecoder(strings.NewReader(content))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(new(Report)); err != nil {
		t.Error(err)
	}
	// Readers in other languages see the same JSON, however its lines are broken.
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(content)); err != nil {
		t.Fatal(err)
	}
	want, err := jsonio.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), compact.String()); diff != "" {
		t.Error(diff)
	}
}

func TestTrajectoryIsStored(t *testing.T) {
	report := example(t)
	for k := range report.Runs[0].Samples {
		report.Runs[0].Samples[k].X = Iterates{{float64(k), math.Inf(1)}, {0.1}}
	}
	var b bytes.Buffer
	if err := report.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	if report.Runs[0].Trajectory != nil {
		t.Error("writing changed the report")
	}
	got, err := ReadReport(&b)
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	want := []Iterate{{0, Iterates{{0, nan}, {0.1}}, Iterates{}}, {1, Iterates{{1, nan}, {0.1}}, Iterates{}}, {2,
		Iterates{{2, nan}, {0.1}}, Iterates{}}}
	if diff := cmp.Diff(want, got.Runs[0].Trajectory, equateNaNs); diff != "" {
		t.Error(diff)
	}
}

// The keys of DESIGN.md, section 7, by their paths.
func TestResultHasItsKeys(t *testing.T) {
	var b bytes.Buffer
	if err := example(t).WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := json.Unmarshal(b.Bytes(), &tree); err != nil {
		t.Fatal(err)
	}
	run := tree["runs"].([]any)[0]
	for _, path := range strings.Fields(`algorithm label seed point status reason iterations hash x y
		final.iteration final.time_s final.objective final.grad_norm2 final.consensus_error
		totals.time_s totals.compute_s totals.wait_s totals.rounds totals.messages totals.payload_bytes totals.scalar_bytes totals.vector_bytes
		totals.matrix_bytes totals.overhead_bytes totals.retransmitted_bytes totals.lost_bytes totals.lost_messages
		totals.broadcast_elements.scalar totals.broadcast_elements.vector totals.broadcast_elements.matrix
		totals.wire_elements.scalar totals.wire_elements.vector totals.wire_elements.matrix
		totals.oracle.grad_f totals.oracle.grad_g totals.oracle.hvp totals.oracle.jvp totals.oracle.hessian totals.oracle.jacobian
		totals.oracle.solve totals.oracle.samples totals.oracle.value
		predicted.initial.rounds predicted.per_iteration.broadcast_elements.matrix predicted.total.oracle.hvp predicted.bound predicted.paper.formula`) {
		at := run
		for key := range strings.SplitSeq(path, ".") {
			object, _ := at.(map[string]any)
			next, ok := object[key]
			if !ok {
				t.Errorf("runs[0].%s is not there", path)
				break
			}
			at = next
		}
	}
	totals := run.(map[string]any)["totals"].(map[string]any)
	if got, want := totals["payload_bytes"], 2*64_808.0; got != want {
		t.Errorf("payload_bytes %v, want %v", got, want)
	}
	if got, want := totals["time_s"], 0.004128001; got != want {
		t.Errorf("time_s %v, want %v", got, want)
	}
}

// TestSettingsAreEqual: equality covers keys, values, and their order.
func TestSettingsAreEqual(t *testing.T) {
	of := func(key string, value any) Setting {
		s, err := NewSetting(key, value)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	a, b := of("a", 1), of("b", 1)
	for i, c := range []struct {
		p, o Settings
		want bool
	}{
		{Settings{a, b}, Settings{of("a", 1), b}, true}, {Settings{a, b}, Settings{b, a}, false}, {nil, Settings{}, true},
		{Settings{a}, Settings{b}, false}, {Settings{a}, Settings{of("a", 2)}, false}, {Settings{a}, Settings{a, b}, false},
	} {
		if got := c.p.Equal(c.o); got != c.want {
			t.Errorf("%d: %v and %v: %v", i, c.p, c.o, got)
		}
	}
}

func TestWriteReportErrors(t *testing.T) {
	report := example(t)
	report.Runs[0].Final.Values = Values{{"time_s", 1}}
	if err := report.WriteJSON(io.Discard); err == nil || !strings.Contains(err.Error(), `"time_s" appears twice`) {
		t.Errorf("a metric named as a key of final: %v", err)
	}
	report = example(t)
	report.Runs[0].Metrics[0] = "rounds"
	if err := iterationFile.file(report).Write(io.Discard); err == nil || !strings.Contains(err.Error(),
		`two columns are named "rounds"`) {
		t.Errorf("a metric named as a column: %v", err)
	}
	full := writerFunc(func([]byte) (int, error) { return 0, syscall.ENOSPC })
	report = example(t)
	for name, write := range map[string]func(io.Writer) error{
		"json": report.WriteJSON, "iterations": iterationFile.file(report).Write, "links": linkFile.file(report).Write,
		"nodes": nodeFile.file(report).Write, "phases": phaseFile.file(report).Write,
	} {
		if err := write(full); err == nil || !strings.Contains(err.Error(), syscall.ENOSPC.Error()) {
			t.Errorf("%s on a full disk: %v", name, err)
		}
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
