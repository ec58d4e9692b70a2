package build_test

import (
	"slices"
	"strings"
	"testing"

	"tallynet/metrics/report/result"
	"tallynet/sim"
)

const asyncBase = "version: 1\ntopology: {kind: ring, nodes: 6}\nproblem: {kind: least-squares, dim: 4, " +
	"samples: 12}\n" +
	"record: {metrics: [grad_norm2, staleness, staleness_s]}\n"

// TestADPSGDComesNear: asynchronous gossip SGD ends near the optimum, and nearer with a smaller step.
func TestADPSGDComesNear(t *testing.T) {
	end := func(alpha string) float64 {
		r := faultRun(t, asyncBase+"algorithms: [{name: ad-psgd, ticks: 6000, alpha: "+alpha+", interval: 5ms}]\n")
		if r.Status != result.Completed {
			t.Fatalf("%s %s", r.Status, r.Reason)
		}
		return ending(r)[0]
	}
	if large, small := end("0.02"), end("0.002"); small > 1e-2 || small > large {
		t.Errorf("grad_norm2: %g with a step of 0.02, %g with one of 0.002", large, small)
	}
}

// TestStaleness: the age of mixed values is the latency, rounded up to whole steps.
func TestStaleness(t *testing.T) {
	at := func(latency string) []float64 {
		r := faultRun(t, asyncBase+"network: {latency: "+latency+", bandwidth: unlimited}\ncompute: {speed: unlimited}\n"+
			"algorithms: [{name: async-dgd, outer: 400, alpha: 0.01, pause: 1ms}]\n")
		if r.Status != result.Completed {
			t.Fatalf("%s %s", r.Status, r.Reason)
		}
		return ending(r)
	}
	// With 0.5 ms, mixed values were sent one step earlier: 1 ms. With 5.5 ms, 6 steps earlier.
	if e := at("0.5ms"); !near(e[1:], []float64{0, 0.001}, 1e-9) {
		t.Errorf("staleness %v, want 0 and 1 ms", e[1:])
	}
	if e := at("5.5ms"); !near(e[1:], []float64{5, 0.006}, 1e-6) {
		t.Errorf("staleness %v, want 5 and 6 ms", e[1:])
	}
	r := faultRun(t, asyncBase+"algorithms: [{name: dgd, outer: 4, alpha: 0.01}]\n")
	if e := ending(r); e[1] != 0 || e[2] != 0 {
		t.Errorf("a synchronous method has the staleness %v", e[1:])
	}
}

// TestStragglersDelayOnlyWaitingNodes: with one slow node the nodes of a synchronous method make as few steps as it
// does. Those of an asynchronous one go on, until the slow node has made its own; a gradient counts once it is begun.
func TestStragglersDelayOnlyWaitingNodes(t *testing.T) {
	gradients := func(method string) (fast, slow int64) {
		r := faultRun(t, asyncBase+"compute: {calls: {grad_f: 1ms}, straggler: {kind: constant, factor: 20, nodes: [0]}}\n"+
			"algorithms: [{name: "+method+", outer: 50, alpha: 0.01}]\n")
		if r.Status != result.Completed || r.Totals.Time < sim.Second || r.Totals.Time > 1002*sim.Millisecond ||
			r.Iterations != 50 || r.Ahead != nil {
			t.Errorf("%s: %s %s, %d iterations in %v, %+v later", method, r.Status, r.Reason, r.Iterations, r.Totals.Time,
				r.Ahead)
		}
		return r.Nodes[3].Oracle.GradF, r.Nodes[0].Oracle.GradF
	}
	if fast, slow := gradients("dgd"); fast != 50 || slow != 50 {
		t.Errorf("DGD: a fast node takes %d gradients, the slow one %d", fast, slow)
	}
	if fast, slow := gradients("async-dgd"); fast < 990 || fast > 1001 || slow != 51 {
		t.Errorf("async DGD: a fast node takes %d gradients, the slow one %d", fast, slow)
	}
}

// TestAllReduceNeedsARing if its collective is a ring.
func TestAllReduceNeedsARing(t *testing.T) {
	err := buildOf(
		strings.Replace(
			asyncBase,
			"ring",
			"complete",
			1,
		) + "algorithms: [{name: allreduce-gd, alpha: 0.1, collective: ring}]\n",
	)
	if err == nil || !strings.Contains(err.Error(), "collective: tree") {
		t.Error(err)
	}
	r := faultRun(t, asyncBase+"algorithms: [{name: allreduce-gd, outer: 2000, alpha: 0.1, collective: ring}]\n")
	if e := ending(r); r.Status != result.Completed || e[0] > 1e-20 {
		t.Errorf("%s %s: %v", r.Status, r.Reason, e)
	}
}

// TestSamplesAtMoments: one node of a ring is a hundred times slower. At 0.9 s the seven others have begun 900 steps
// of 1.001 ms, and it has begun nine of 100.001 ms. Each step begins with two messages of five numbers.
func TestSamplesAtMoments(t *testing.T) {
	r := faultRun(t, "version: 1\ntopology: {kind: ring, nodes: 8}\nnetwork: {latency: 50us}\n"+
		"compute: {calls: {grad_f: 1ms}, speed: unlimited, nodes: [{node: [0], calls: {grad_f: 100ms}}]}\n"+
		"problem: {kind: least-squares, dim: 5, samples: 30}\nstop: {time: 1s}\n"+
		"algorithms: [{name: async-dgd, outer: 100000, alpha: 0.1, pause: 1us}]\n")
	if len(r.Samples) != 101 || r.Totals.Time != sim.Second || r.Ahead != nil || r.Iterations != 9 {
		t.Errorf("%d samples up to %v, %d iterations, %+v later", len(r.Samples), r.Totals.Time, r.Iterations, r.Ahead)
	}
	s := r.Samples[90]
	if s.Totals.Time != 900*sim.Millisecond || s.Iteration != 8 || s.Totals.Oracle.GradF != 7*900+9 ||
		s.Totals.PayloadBytes() != 2*40*(7*900+9) {
		t.Errorf("at 0.9 s: %+v", s.Moment)
	}
}

// TestSamplesAfterARestart: node 0 is down from 5 to 10 ms and loses its state. Its second step of 4 ms ends at 13
// ms, and then it is where it started.
func TestSamplesAfterARestart(t *testing.T) {
	r := faultRun(t, strings.Split(asyncBase, "record")[0]+"compute: {calls: {grad_f: 4ms}, speed: unlimited}\n"+
		"stop: {time: 20ms}\nfaults: {state: lose, hosts: [{node: 0, down: 5ms, up: 10ms}]}\n"+
		"record: {interval: 1ms, iterates: all}\n"+
		"algorithms: [{name: async-dgd, outer: 50, alpha: 0.1}]\n")
	x := func(ms int) []float64 { return r.Samples[ms].X[0] }
	if !slices.Equal(x(15), x(0)) || slices.Equal(x(12), x(0)) {
		t.Errorf("node 0 starts at %v, is at %v after a step and at %v after the restart", x(0), x(12), x(15))
	}
}
