package scenarios

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"tallynet/metrics/trace"
	"tallynet/scenarios/problems/data"
)

// The trace of a run of 20 nodes: the slices of each node add up to its clock, and there is a
// flow for each message that was delivered. Tracing changes no hash.
func TestTraceAddsUp(t *testing.T) {
	s := mustParse(t, `version: 1
topology: {kind: torus, nodes: 20}
network: {latency: 1ms, bandwidth: 1Mbit/s}
compute: {calls: {grad_g: 100us, hessian: 1ms}, straggler: {kind: lognormal, sigma: 0.5}}
problem: {kind: quadratic, p: 3, q: 4}
algorithms:
  - {name: dagm, outer: 6, inner: 3, neumann: 2, alpha: 0.02, beta: 0.05}
  - {name: ma-dbo, outer: 6, inner: 1, higp: 1, alpha: 0.02, eta_y: 0.1, gamma: 0.1, theta: 0.5}
`)
	st, err := NewStudy(s, new(data.Loader))
	if err != nil {
		t.Fatal(err)
	}
	runs, err := st.Run(context.Background(), Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	tr := trace.New(trace.Most)
	if err := st.Trace(context.Background(), runs, tr); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := tr.Write(&b); err != nil {
		t.Fatal(err)
	}
	var file struct {
		TraceEvents []struct {
			Ph       string
			Pid, Tid int
			Dur      float64
		}
	}
	if err := json.Unmarshal([]byte(b.String()), &file); err != nil {
		t.Fatal(err)
	}
	for k, run := range runs {
		clocks, flows, ends := make([]float64, 20), int64(0), int64(0)
		for _, e := range file.TraceEvents {
			switch {
			case e.Pid != k+1:
			case e.Ph == "X":
				clocks[e.Tid] += e.Dur
			case e.Ph == "s":
				flows++
			case e.Ph == "f":
				ends++
			}
		}
		for i, n := range run.Nodes {
			if want := float64(n.Compute+n.Wait) / 1000; math.Abs(clocks[i]-want) > 1e-6*want {
				t.Errorf("%s: the slices of node %d take %v us, its clock %v us", run.Label, i, clocks[i], want)
			}
		}
		sent := int64(0)
		for _, l := range run.Links {
			sent += l.Messages
		}
		if flows != ends || flows != sent {
			t.Errorf("%s: %d flows begin and %d end, %d messages were sent", run.Label, flows, ends, sent)
		}
	}
	runs[1].Hash = "another"
	err = st.Trace(context.Background(), runs, trace.New(10))
	if err == nil || !strings.Contains(err.Error(), "is not the run") {
		t.Errorf("a run with another hash: %v", err)
	}
}
