package predict

import (
	"fmt"
	"strings"
	"testing"

	"tallynet/scenarios/build"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
)

// TestLargeGraphsArePredictedAlike compares the prediction for a large graph that is not made with that for the
// same graph, made.
func TestLargeGraphsArePredictedAlike(t *testing.T) {
	for _, x := range []string{
		"topology: {kind: ring, nodes: 60000}",
		"topology: {kind: torus, nodes: 40000}\ndynamics: {kind: random-edges, p: 0.5}",
		"topology: {kind: star, nodes: 60000}\ndynamics: matching",
		"topology: {kind: exponential, nodes: 16384, weights: uniform-neighbor}\ndynamics: one-peer-exponential",
		"topology: {kind: regular, degree: 2, nodes: 60000, weights: {kind: ring-a, a: 0.4}}",
		"topology: {kind: barabasi-albert, m: 3, nodes: 30000}\nwire: {compress: top-k, share: 0.1}",
	} {
		s, err := spec.Parse("large.yaml", []byte("version: 1\n"+x+"\nproblem: {kind: quadratic, p: 2, q: 3}\n"+
			"algorithms: [{name: d-soba, outer: 7, alpha: 0.1, beta: 0.1, gamma: 0.1, theta: 1}]\n"), scenariotest.Catalog(),
			nil)
		if err != nil {
			t.Fatal(err)
		}
		sketched, _, err := build.Sketch(s)
		if err != nil || sketched == nil || sketched.Mixing != nil {
			t.Fatalf("%s: made, or %v", x, err)
		}
		made, err := build.Outline(s, s.Seeds[0])
		if err != nil {
			t.Fatal(err)
		}
		var got [2]string
		for i, in := range []*build.Instance{sketched, made} {
			in.P, in.Q = 2, 3
			if err := in.CheckProblems(); err != nil {
				t.Fatal(err)
			}
			all, err := forecasts(in, spec.GridPoint{Scenario: s})
			if err != nil {
				t.Fatal(err)
			}
			got[i] = fmt.Sprintf("%+v %v %v %v %v %s", all[0].Total, all[0].Bound, all[0].VectorBytes, all[0].PayloadBytes,
				in.Dims(), in.Memory(0))
		}
		if got[0] != got[1] {
			t.Errorf("%s: predicted without its edges\n%s, with them\n%s", x, got[0], got[1])
		}
	}
}

// TestMillionsOfNodesAreNotMade predicts ten million nodes for each family with a size. The text says that
// edges of random families are expected numbers.
func TestMillionsOfNodesAreNotMade(t *testing.T) {
	for kind, drawn := range map[string]bool{
		"ring": false, "path": false, "star": false, "grid": false, "torus": false, "tree": false,
		"regular, degree: 4": false, "watts-strogatz, k: 4, beta: 0.1": false, "barabasi-albert, m: 2": false,
		"geometric, radius: 0.0003": true, "erdos-renyi, p: 0.000001": true,
	} {
		s, err := spec.Parse("large.yaml", fmt.Appendf(nil, "version: 1\ntopology: {kind: %s, nodes: 10000000}\n"+
			"problem: {kind: consensus, dim: 3}\nalgorithms: [{name: gossip, rounds: 5}]\n", kind), scenariotest.Catalog(), nil)
		if err != nil {
			t.Fatal(err)
		}
		all, about, err := Forecasts(s, &scenariotest.Data)
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		in, _, err := build.Sketch(s)
		if err != nil || in == nil {
			t.Fatalf("%s: made, or %v", kind, err)
		}
		want := 5 * 2 * int64(in.Graph.Edges())
		if got := all[0].Total.Messages; got != want || want < 9e7 {
			t.Errorf("%s: %d messages, want %d", kind, got, want)
		}
		if strings.Contains(about, "expected one") != drawn || !strings.Contains(about, "would take long") {
			t.Errorf("%s: %s", kind, about)
		}
	}
}

// TestNamedEdgesOfLargeGraphs: a graph of millions of edges is not made for the edges that the scenario names.
// Their ends are checked, and the text says what is not.
func TestNamedEdgesOfLargeGraphs(t *testing.T) {
	const base = "version: 1\ntopology: {kind: complete, nodes: 10000}\nproblem: {kind: consensus, dim: 3}\n" +
		"algorithms: [{name: gossip, rounds: 5}]\n"
	for part, want := range map[string]string{
		"network: {links: [{from: 1, to: 9999, latency: 1s}]}":              "",
		"faults: {links: [{from: 1, to: 2, down: 1s}]}":                     "",
		"tariffs: {link: {links: [{from: 7, to: 8, price: 1/GB}]}}":         "",
		"faults: {hosts: [{node: 3, down: 1s}]}":                            "",
		"faults: {partitions: [{nodes: [3], down: 1s}]}":                    "",
		"dynamics: {kind: schedule, rounds: ['0-1 1-10000']}":               "round 0 has the edge [1 10000]",
		"dynamics: {kind: schedule, rounds: ['" + allInALine(10000) + "']}": "",
	} {
		s, err := spec.Parse("large.yaml", []byte(base+part+"\n"), scenariotest.Catalog(), nil)
		if err != nil {
			t.Fatal(err)
		}
		in, _, err := build.Sketch(s)
		if want != "" {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", part, err, want)
			}
			continue
		}
		if err != nil || in == nil {
			t.Fatalf("%.80s: made, or %v", part, err)
		}
		_, about, err := Forecasts(s, &scenariotest.Data)
		if says := strings.Contains(about, "A run checks whether"); err != nil || says != s.NamesEdges() {
			t.Errorf("%.80s: %v, %s", part, err, about)
		}
	}
}

// allInALine is a round of a schedule in which the next node is each node's neighbour.
func allInALine(nodes int) string {
	var b strings.Builder
	for i := range nodes - 1 {
		fmt.Fprintf(&b, "%d-%d ", i, i+1)
	}
	return b.String()
}

// TestEveryFamilyHasASize: predict would make graphs of a family without one, however large.
func TestEveryFamilyHasASize(t *testing.T) {
	for _, e := range scenariotest.Catalog().Topologies {
		if given := e.Name == "edges"; (e.Plan == nil) != given {
			t.Errorf("%s: a size %v, given edge by edge %v", e.Name, e.Plan != nil, given)
		}
	}
}
