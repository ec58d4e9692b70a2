package study

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"tallynet/metrics/trace"
	"tallynet/scenarios/execute"
	"tallynet/scenarios/scenariotest"
	"tallynet/sim"
)

// The trace of a run of 20 nodes has slices of each node that add up to its clock, and a flow for
// each delivered message. The critical path equals the result's, part by part. Tracing changes no
// hash.
func TestTraceAddsUp(t *testing.T) {
	s := scenariotest.Parse(t, `version: 1
topology: {kind: torus, nodes: 20}
network: {latency: 1ms, bandwidth: 1Mbit/s}
compute: {calls: {grad_g: 100us, hessian: 1ms}, straggler: {kind: lognormal, sigma: 0.5}}
problem: {kind: quadratic, p: 3, q: 4}
algorithms:
  - {name: dagm, outer: 6, inner: 3, neumann: 2, alpha: 0.02, beta: 0.05}
  - {name: ma-dbo, outer: 6, inner: 1, higp: 1, alpha: 0.02, eta_y: 0.1, gamma: 0.1, theta: 0.5}
`)
	st, err := New(s, &scenariotest.Data)
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
			Ph, Cat  string
			Pid, Tid int
			Dur      float64
			Args     struct {
				Latency  *float64 `json:"latency_us"`
				Critical float64  `json:"critical_us"`
			}
		}
	}
	if err := json.Unmarshal([]byte(b.String()), &file); err != nil {
		t.Fatal(err)
	}
	for k, run := range runs {
		clocks, flows, ends := make([]float64, 20), int64(0), int64(0)
		var path, computing, latency, marked float64 // of the critical path
		for _, e := range file.TraceEvents {
			switch {
			case e.Pid != k+1:
			case e.Ph == "X" && e.Tid == 20:
				path += e.Dur
				if e.Args.Latency != nil {
					latency += *e.Args.Latency
				} else {
					computing += e.Dur
				}
			case e.Ph == "X":
				clocks[e.Tid] += e.Dur
				if e.Cat == "compute,critical" {
					marked += e.Args.Critical
				}
			case e.Ph == "s":
				flows++
			case e.Ph == "f":
				ends++
			}
		}
		for i, n := range run.Nodes {
			if want := float64(n.Compute+n.Wait) / 1000; !(math.Abs(clocks[i]-want) <= 1e-6*want) {
				t.Errorf("%s: the slices of node %d take %v us, its clock %v us", run.Label, i, clocks[i], want)
			}
		}
		want, got := run.Totals.Path, []float64{path, computing, latency, marked}
		for i, part := range []sim.Time{run.Totals.Time, want.Compute, want.Latency, want.Compute} {
			if us := float64(part) / 1000; !(math.Abs(got[i]-us) <= 1e-6*us) {
				t.Errorf("%s: part %d of the critical path takes %v us in the trace, %v us in the result", run.Label, i,
					got[i], us)
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

// The path in the trace equals the result's critical path, up to the end of the whole run, also over a
// platform and with handlers.
func TestTracedPathOverPlatform(t *testing.T) {
	for _, method := range []string{"{name: gossip, rounds: 9}", "{name: randomized-gossip, ticks: 30, interval: 4ms}"} {
		s := scenariotest.Parse(t, `version: 1
topology: {kind: ring, nodes: 6}
platform: {kind: racks, racks: 2, hosts: 3, nic: 10Mbit/s, uplink: 5Mbit/s}
compute: {speed: 10MFLOP/s, straggler: {kind: lognormal, sigma: 0.5}}
problem: {kind: consensus, dim: 1000}
algorithms: [`+method+`]
`)
		st, err := New(s, &scenariotest.Data)
		if err != nil {
			t.Fatal(err)
		}
		runs, err := st.Run(context.Background(), Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		in := *st.First()
		p := trace.Window(6, trace.WindowSize{Slices: 1e6, Messages: 1e6})
		in.Engine.Tracer = p
		again := execute.Run(context.Background(), &in, s.Algorithms[0], s.Algorithms[0].Args, nil)
		if again.Hash != runs[0].Hash || again.Physical == nil {
			t.Fatalf("%s: another run, or none over a platform: %+v", method, again)
		}
		var compute, latency, idle, at sim.Time
		for _, l := range p.Path() {
			if l.From != at {
				t.Fatalf("%s: a leg begins at %v and the one before ends at %v", method, l.From, at)
			}
			at = l.At
			switch l.Activity {
			case trace.Computing:
				compute += l.At - l.From
			case trace.Idling:
				idle += l.At - l.From
			default:
				latency += l.Latency
			}
		}
		want := again.Physical.Path
		for _, n := range want.Nodes {
			compute -= sim.Time(n.Compute)
		}
		if !want.Whole || at != sim.Time(want.Total) || compute != 0 || latency != sim.Time(want.Latency) ||
			idle != sim.Time(want.Idle) {
			t.Errorf("%s: %v, of which %v latency and %v idle, computing differs by %v; want %+v", method, at, latency, idle,
				compute, want)
		}
	}
}
