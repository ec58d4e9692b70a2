package study

import (
	"context"
	"strings"
	"testing"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/predict"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
)

const placed = `version: 1
seeds: 2
topology: {kind: ring, nodes: 4}
problem: {kind: quadratic, p: 2, q: 3}
algorithms:
  - {name: dagm, at: {topology.kind: ring}, outer: 3, inner: 1, neumann: 1, alpha: 0.01, beta: 0.05}
  - {name: fednest, at: {topology.kind: star}, outer: 2, inner: 1, neumann: 1, alpha: 0.02, beta: 0.05, lipschitz: 10}
  - {name: extra, label: lone, outer: 3, alpha: 0.1, at: {topology.nodes: 9}}
points:
  - {topology.kind: ring, topology.nodes: 4}
  - {topology.kind: star, topology.nodes: 5, topology.center: server}
claims:
  - {text: each where it runs, source: here, check: 'len(runs("DAGM")) == 2 && len(runs("FedNest")) == 2'}
  - text: across grid points
    source: here
    check: 'at("FedNest", {"topology.kind": "star"})[0].iterations < at("DAGM", {"topology.nodes": 4})[0].iterations'
`

// TestMethodsAtPoints runs a method for a server and one for peers in one study.
func TestMethodsAtPoints(t *testing.T) {
	src := strings.Replace(placed, "  - {name: extra, label: lone, outer: 3, alpha: 0.1, at: {topology.nodes: 9}}\n", "",
		1)
	s := scenariotest.Parse(t, src)
	study, err := New(s, &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := study.Run(context.Background(), Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(runs) != 4 {
		t.Errorf("%d runs, want 4", len(runs))
	}
	for _, r := range runs {
		kind, _ := r.Point.Get("topology.kind")
		if want := map[string]string{"DAGM": "ring", "FedNest": "star"}[r.Label]; kind != want {
			t.Errorf("%s runs at %s, want %s", r.Label, kind, want)
		}
	}
	for _, c := range study.Claims(runs) {
		if c.Verdict != result.Holds {
			t.Errorf("%s: %s: %s", c.Text, c.Verdict, c.Reason)
		}
	}
	again, err := s.YAML()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := spec.ParseResolved("x.yaml", again, scenariotest.Catalog()); err != nil {
		t.Errorf("the resolved scenario does not load: %v", err)
	}
	if forecasts, _, err := predict.Forecasts(s, &scenariotest.Data); err != nil || len(forecasts) != 2 {
		t.Errorf("%d forecasts, want 2; %v", len(forecasts), err)
	}
}

func TestMethodsAtNoPoint(t *testing.T) {
	for src, want := range map[string]string{
		placed: "8:54: algorithms[2].at: no grid point of the study has these values, so lone would never run",
		strings.NewReplacer("kind: star, t", "kind: grid, t", "nodes: 9", "nodes: 4", ", topology.center: server", "").
			Replace(placed): "no method runs at the grid point topology.kind = grid",
		strings.Replace(placed, "{topology.nodes: 9}", "9", 1): "a map of keys to values",
	} {
		_, err := spec.Parse("x.yaml", []byte(src), scenariotest.Catalog(), nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
