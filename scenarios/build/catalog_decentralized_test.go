package build_test

import (
	"strings"
	"testing"

	"tallynet/scenarios/build"
	"tallynet/scenarios/execute"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
)

// serverScenario is a star with a server and 4 clients.
const serverScenario = `
version: 1
topology: {kind: star, nodes: 5, center: server}
problem: {kind: quadratic, p: 3, q: 4}
algorithms:
  - {name: fednest, outer: 300, inner: 3, neumann: 30, alpha: 0.1, beta: 0.1, lipschitz: 10}
  - {name: centralized-dagm, outer: 50, inner: 2, neumann: 3, alpha: 0.05, beta: 0.05}
record: {iterates: final}
`

// With a server, the other nodes have the problem and the metrics, and the counts
// equal the closed form.
func TestServer(t *testing.T) {
	s := scenariotest.Parse(t, serverScenario)
	in, err := build.Build(s, 1, &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	if in.Problem.Nodes() != 4 || in.Dims().DataNodes() != 4 || in.Dims().Nodes != 5 {
		t.Errorf("the problem is on %d nodes, dims %+v", in.Problem.Nodes(), in.Dims())
	}
	for _, a := range s.Algorithms {
		run := execute.Run(t.Context(), in, a, a.Args, nil)
		if run.Status != "completed" || len(run.Notes) != 0 {
			t.Fatalf("%s: %s: %s %v", a.Label, run.Status, run.Reason, run.Notes)
		}
		if len(run.X) != 4 || len(run.Nodes) != 5 || run.Nodes[0].Oracle.GradG != 0 || run.Nodes[1].Oracle.GradG == 0 {
			t.Errorf("%s: %d rows of x, nodes %+v", a.Label, len(run.X), run.Nodes)
		}
		if g := run.Samples[len(run.Samples)-1].Values; a.Name == "fednest" {
			for i, name := range run.Metrics {
				if name == "grad_norm2" && !(g[i] < 1e-3) || name == "consensus_error" && g[i] != 0 {
					t.Errorf("%s: %s ends at %g", a.Label, name, g[i])
				}
			}
		}
	}
}

// A method for a server fails with an explanation if there is none.
func TestServerIsMissing(t *testing.T) {
	text := strings.Replace(serverScenario, ", center: server", "", 1)
	_, err := build.Build(scenariotest.Parse(t, text), 1, &scenariotest.Data)
	if err == nil || !strings.Contains(err.Error(), "FedNest: the method is for a server and its clients") {
		t.Error(err)
	}
}

// MDBO's momentum is a weight.
func TestMomentumAtMostOne(t *testing.T) {
	head := "version: 1\ntopology: {kind: ring, nodes: 4}\nproblem: {kind: quadratic, p: 2, q: 2}\nalgorithms: [{name: "
	tail := ", alpha_1: 3, alpha_2: 1, beta_1: 0.1, beta_2: 0.1, eta: 0.5, neumann: 3, lipschitz: 10}]\n"
	if _, err := spec.Parse("a.yaml", []byte(head+"mdbo"+tail), scenariotest.Catalog(), nil); err == nil ||
		!strings.Contains(err.Error(),
			"algorithms[0].alpha_1: the weight that it gives") {
		t.Error(err)
	}
	if _, err := spec.Parse("a.yaml", []byte(head+"vrdbo"+tail), scenariotest.Catalog(), nil); err != nil {
		t.Error(err)
	}
}

// TestWrongInnerProblemIsNoted: a run notes if its metrics are for another problem than the method solves.
func TestWrongInnerProblemIsNoted(t *testing.T) {
	for _, c := range []struct{ inner, method, note string }{
		{"shared", "l-pdbo", "each node has its own y"},
		{"shared", "l-pdbo}]\nrecord: {metrics: [objective]}\n#", "each node has its own y"},
		{"shared", "l-pdbo}]\nrecord: {metrics: [grad_norm2]}\n#", "each node has its own y"},
		{"shared", "l-pdbo}]\nrecord: {metrics: [consensus_error]}\n#", ""},
		{"personal", "l-pdbo", ""},
		{"shared", "mdbo, alpha_1: 1, alpha_2: 1, beta_1: 0.01, beta_2: 0.01, eta: 0.5, neumann: 3, lipschitz: 10",
			"the same inner problem"},
		{"shared", "dbo, mode: homogeneous, inner: 1, jhip: 1, eta_x: 0.01, eta_y: 0.01", "the same inner problem"},
		{"shared", "dbo, mode: homogeneous, inner: 1, jhip: 1, eta_x: 0.01, eta_y: 0.01}]\n" +
			"record: {metrics: [consensus_error]}\n#", ""},
		{"shared", "dbo, inner: 1, jhip: 1, eta_x: 0.01, eta_y: 0.01", ""},
	} {
		s := scenariotest.Parse(t, "version: 1\ntopology: {kind: ring, nodes: 4}\nproblem: {kind: quadratic, p: 2, q: 2, "+
			"inner: "+c.inner+"}\n"+
			"algorithms: [{outer: 3, name: "+c.method+"}]\n")
		in, err := build.Build(s, 1, &scenariotest.Data)
		if err != nil {
			t.Fatal(err)
		}
		run := execute.Run(t.Context(), in, s.Algorithms[0], s.Algorithms[0].Args, nil)
		notes := strings.Join(run.Notes, "\n")
		if run.Status != "completed" || !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
			t.Errorf("%s, %s: %s, notes %q, want %q", c.method, c.inner, run.Status, notes, c.note)
		}
	}
}

// TestNotesOfNetworks: a single node has no y of its own, and the weights of a star with an
// averaging server need not mix: those below make the server and its only client swap their values.
func TestNotesOfNetworks(t *testing.T) {
	const fednest = "fednest, inner: 1, outer_steps: 1, neumann: 1, alpha: 0.01, beta: 0.1, lipschitz: 10"
	for _, c := range []struct{ topology, method, note string }{
		{"kind: complete, nodes: 1", "l-pdbo", ""},
		{"kind: path, nodes: 2", "l-pdbo", "each node has its own y"},
		{"kind: path, nodes: 2, weights: {matrix: [[0, 1], [1, 0]]}", "dbo, inner: 1, jhip: 1, eta_x: 0.01, eta_y: 0.01",
			"two halves of the nodes swap their values"},
		{"kind: star, center: server, nodes: 2, weights: {matrix: [[0, 1], [1, 0]]}", fednest, ""},
	} {
		s := scenariotest.Parse(t, "version: 1\ntopology: {"+c.topology+"}\nproblem: {kind: quadratic, p: 2, q: 2}\n"+
			"algorithms: [{outer: 2, name: "+c.method+"}]\n")
		in, err := build.Build(s, 1, &scenariotest.Data)
		if err != nil {
			t.Fatal(err)
		}
		run := execute.Run(t.Context(), in, s.Algorithms[0], s.Algorithms[0].Args, nil)
		notes := strings.Join(run.Notes, "\n")
		if !strings.Contains(notes, c.note) || len(run.Notes) > 1 || c.note == "" && notes != "" {
			t.Errorf("%s: %s: notes %q, want one: %q", c.topology, run.Reason, notes, c.note)
		}
	}
}
