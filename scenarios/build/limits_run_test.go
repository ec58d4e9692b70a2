package build_test

import (
	"strings"
	"testing"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/build"
	"tallynet/scenarios/execute"
	"tallynet/scenarios/scenariotest"
)

// TestRunNeeds: nodes, links and samples that exceed the memory limit are refused before
// anything is built. The error says what would fit.
func TestRunNeeds(t *testing.T) {
	const src = `version: 1
topology: {kind: ring, nodes: 6}
problem: {kind: quadratic, p: 2, q: 2}
algorithms:
  - {name: dagm, outer: 5, inner: 1, neumann: 1, alpha: 0.01, beta: 0.01}
`
	const long = "algorithms.dagm.outer=1000000000"
	for _, c := range []struct {
		set  []string
		want string // "" is no error
	}{
		{[]string{"topology.nodes=9000000"}, "9000000 nodes need about 144 GB of memory; the limit is 8.59 GB"},
		{[]string{"topology={kind: complete, nodes: 3500}"}, "3500 nodes with 6123250 edges need about 8.63 GB of memory"},
		{[]string{long}, "DAGM: the samples of 1000000000 iterations need about 3 TB of memory; the limit is 8.59 GB"},
		{[]string{long, "record.every=1000"}, ""},
		{[]string{long, "stop.grad_norm2=0.1"}, ""},
		{[]string{long, "stop.time=1s"}, ""},
		{[]string{"algorithms.dagm.outer=2000000", "record.iterates=all"}, "about 6.38 GB"},
		{[]string{"algorithms.dagm.outer=3000000", "record.iterates=all"}, "need about 9.58 GB of memory"},
	} {
		s := scenariotest.Parse(t, src, c.set...)
		_, err := build.Build(s, 1, &scenariotest.Data)
		if fits := c.want == "" || c.want == "about 6.38 GB"; fits != (err == nil) {
			t.Errorf("%v: error %v, want %q", c.set, err, c.want)
		} else if err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want %q", c.set, err, c.want)
		}
	}
	// The hint's value fits.
	s := scenariotest.Parse(t, src, long)
	_, err := build.Build(s, 1, &scenariotest.Data)
	if err == nil || !strings.Contains(err.Error(), "record.every: 350;") {
		t.Errorf("error %v, want what would fit", err)
	}
	if _, err := build.Build(scenariotest.Parse(t, src, long, "record.every=350"), 1, &scenariotest.Data); err != nil {
		t.Errorf("what should fit: %v", err)
	}
	if _, err := build.Build(scenariotest.Parse(t, src, long, "record.every=349"), 1, &scenariotest.Data); err == nil {
		t.Error("a little less should not fit")
	}
}

// TestSamplesEndARun: a run that its stop rule does not end fails when its samples exceed
// the memory limit. Its results until then stay.
func TestSamplesEndARun(t *testing.T) {
	s := scenariotest.Parse(t, `version: 1
topology: {kind: ring, nodes: 4}
problem: {kind: quadratic, p: 1, q: 1}
algorithms:
  - {name: dagm, outer: 1000000, inner: 1, neumann: 1, alpha: 0.01, beta: 0.01}
stop: {time: 100h}
`)
	s.Limits.Bytes = 100 * 3000
	in, err := build.Build(s, 1, &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	run := execute.Run(t.Context(), in, s.Algorithms[0], s.Algorithms[0].Args, nil)
	const want = "its 101 samples need more memory than the limit of 300 kB; with record.every: 10205 there is room " +
		"for all " +
		"1000000 iterations, or --max-memory raises the limit"
	if run.Status != result.Failed || run.Reason != want || len(run.Samples) != 101 {
		t.Errorf("%s after %d samples: %q, want %q", run.Status, len(run.Samples), run.Reason, want)
	}
	if run.NodeMetrics != nil || run.Nodes[0].Final != nil { // after a failure the problem is not evaluated
		t.Errorf("its nodes have %v, %v", run.NodeMetrics, run.Nodes[0].Final)
	}
}
