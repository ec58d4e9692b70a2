package study

import (
	"context"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
)

// runText runs the first algorithm of a scenario.
func runText(t *testing.T, src string) result.Run {
	t.Helper()
	s, err := spec.Parse("x.yaml", []byte(src), scenariotest.Catalog(), nil)
	if err != nil {
		t.Fatal(err)
	}
	study, err := New(s, &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := study.Run(context.Background(), Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return runs[0]
}

// TestAgreement checks that averaging is judged by the nodes and not by their average,
// which is right from the start: with W = I no target is ever reached.
func TestAgreement(t *testing.T) {
	const identity = "{kind: edges, nodes: 2, edges: [[0, 1]], weights: {kind: explicit, matrix: [[1, 0], [0, 1]]}}"
	const swap = "{kind: edges, nodes: 2, edges: [[0, 1]], weights: {kind: explicit, matrix: [[0, 1], [1, 0]]}}"
	for _, c := range []struct {
		topology, algorithm, stop string
		status                    result.Status
		note                      bool
	}{
		{identity, "{name: gossip, rounds: 50}", "{grad_norm2: 1e-6}", result.Completed, true},
		{identity, "{name: gossip, rounds: 50}", "{objective: 1000}", result.Completed, true},
		{identity, "{name: gossip, rounds: 50}", "{target: {objective: 1000, grad_norm2: 1e-3}}", result.Completed, true},
		{identity, "{name: dgd, outer: 50, alpha: 0.1}", "{grad_norm2: 1e-6}", result.Completed, true},
		{swap, "{name: gossip, rounds: 50}", "{grad_norm2: 1e-6}", result.Completed, true},
		{"{kind: ring, nodes: 5}", "{name: gossip, rounds: 50}", "{grad_norm2: 1e-6}", result.Reached, false},
		{"{kind: ring, nodes: 5}", "{name: gossip, rounds: 50}", "{objective: 1000}", result.Reached, false},
		{identity, "{name: gossip, rounds: 50}", "{target: {grad_norm2: 1e-6, consensus_error: 100}}", result.Reached, true},
	} {
		r := runText(t, "version: 1\ntopology: "+c.topology+"\nproblem: {kind: consensus, dim: 3}\nalgorithms: ["+
			c.algorithm+"]\nstop: "+c.stop+"\n")
		if r.Status != c.status {
			t.Errorf("%s, %s, %s: %s: %s", c.topology, c.algorithm, c.stop, r.Status, r.Reason)
		}
		note := slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "spectral gap 0") })
		if note != c.note {
			t.Errorf("%s, %s: notes %q", c.topology, c.algorithm, r.Notes)
		}
		if c.status == result.Reached && r.Iterations < 2 && !c.note {
			t.Errorf("%s: reached after %d iterations", c.stop, r.Iterations)
		}
		if last := r.Samples[len(r.Samples)-1]; c.status == result.Reached && !c.note {
			if v, _ := r.Final.Values.Get("consensus_error"); !(v <= 1e-4) {
				t.Errorf("%s: reached at iteration %d with a consensus error of %g", c.stop, last.Iteration, v)
			}
		}
	}
}

// TestOverflowIsNoted: a run names the wire format if a number overflows it.
func TestOverflowIsNoted(t *testing.T) {
	const src = "version: 1\nwire: WIRE\ntopology: {kind: ring, nodes: 4}\n" +
		"problem: {kind: quadratic, p: 2, q: 3, x0: 1e5}\n" +
		"algorithms: [{name: dagm, outer: 5, inner: 2, neumann: 3, alpha: 0.02, beta: 0.05}]\n"
	r := runText(t, strings.Replace(src, "WIRE", "float16", 1))
	const want = "does not fit wire format float16: its largest number is 65504"
	if r.Status != result.Diverged || !strings.Contains(r.Reason, want) {
		t.Errorf("%s: %s", r.Status, r.Reason)
	}
	if r := runText(t, strings.Replace(src, "WIRE", "bfloat16", 1)); r.Status != result.Completed {
		t.Errorf("%s: %s", r.Status, r.Reason)
	}
}
