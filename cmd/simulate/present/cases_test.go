package present

import (
	"strings"
	"testing"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/problems/data"
	"tallynet/scenarios/spec"
	"tallynet/scenarios/study"
)

// TestRunsThatDoNotGetThere holds what is said of runs that diverge, agree on nothing, end worse than they started,
// or differ by nothing.
func TestRunsThatDoNotGetThere(t *testing.T) {
	const head = "version: 1\nname: case\n"
	const survivors = head + `seeds: 14
topology: {kind: ring, nodes: 10}
problem: {kind: quadratic, p: 4, q: 5, heterogeneity: 0.3, condition: 4}
algorithms:
  - {name: sldbo, outer: 150, alpha: ALPHA, beta: 0.1, eta: 0.1}
  - {name: d-soba, outer: 600, alpha: 0.02, beta: 0.05, gamma: 0.05, theta: 1}
stop: {grad_norm2: 2e-3}
`
	const consensus = head + `topology: {kind: ring, nodes: 8}
problem: {kind: consensus, dim: 10}
`
	for name, c := range map[string]struct {
		scenario string
		says     []string
		not      []string
	}{
		"9 of 14 diverge": {strings.Replace(survivors, "ALPHA", "0.05", 1),
			[]string{"SLDBO in 5 of 14 runs (9 diverged)", "D-SOBA in 13 of 14 runs",
				"| SLDBO | 5/14 | - | - | - | - | - | - | - | - |",
				"| D-SOBA | 13/14 (medians) | 78.5 |", "| SLDBO | 5 reached, 9 diverged | - | - | - | - | - | - | - | - |"},
			[]string{"times", "SLDBO gets", "SLDBO waits"}},
		"all diverge": {strings.Replace(survivors, "ALPHA", "5", 1),
			[]string{"SLDBO never (14 diverged; at best grad_norm2 2.2)", "| SLDBO | 0/14 | - | - |"},
			[]string{"times", "SLDBO sends"}},
		"two seeds of two points": {strings.Replace(strings.Replace(survivors, "ALPHA", "0.05", 1), "seeds: 14",
			"seeds: [2, 3]\nsweep: {topology.nodes: [6, 10]}", 1),
			[]string{"SLDBO in 1 of 4 runs (3 diverged)"}, []string{"SLDBO at", "than SLDBO"}},
		"a level that all reach": {consensus + "seeds: 3\nalgorithms: [{name: dgd, alpha: 0.1, outer: 100}, " +
			"{name: gradient-tracking, alpha: 0.05, outer: 100}, {name: gossip, rounds: 100}]\n",
			[]string{"to grad_norm2 <= 1 and consensus_error <= 1"}, []string{"e-31", "1.0 times"}},
		"a level above rounding": {consensus + "algorithms: [{name: gradient-tracking, alpha: 0.05, outer: 300}, " +
			"{name: gossip, rounds: 300}]\n", []string{"to grad_norm2 <= 1e-10 and consensus_error <= 1e-10"},
			[]string{"1.0 times"}},
		"agreement alone": {consensus + "record: {metrics: [objective, consensus_error]}\nalgorithms: " +
			"[{name: dgd, alpha: 0.1, outer: 100}, {name: gossip, rounds: 50}]\n",
			[]string{"to consensus_error <= 0.1", "DGD never (at best consensus_error 0.25)"}, []string{"1.0 times"}},
		"worse": {head + "topology: {kind: ring, nodes: 6}\nproblem: {kind: logistic}\n" +
			"algorithms: [{name: gradient-tracking, outer: 200, alpha: 100}]\n",
			[]string{"the run ended worse than it started: objective went from 0.693 to "}, nil},
		"a metric of one method": {head + `topology: {kind: ring, nodes: 6}
problem: {kind: quadratic, p: 3, q: 4}
algorithms:
  - {name: dagm, label: A, outer: 10, inner: 1, neumann: 1, alpha: 0.01, beta: 0.05}
  - {name: dagm, label: B, outer: 10, inner: 1, neumann: 1, alpha: 0.02, beta: 0.05}
points: [{algorithms.A.outer: 10, algorithms.B.outer: 10}, {algorithms.A.outer: 20, algorithms.B.outer: 20}]
record: {metrics: []}
claims: [{text: a, source: this study, check: 'all(runs("B"), .final.running_grad_norm2 > 0)'}]
`, []string{"B, outer of A 10 and B, outer of A 20 tie at 5.3 kB to running_grad_norm2 <= 0.163"}, nil},
		"a named point": {head + `topology: {kind: ring, nodes: 6}
problem: {kind: quadratic, p: 3, q: 4}
algorithms: [{name: dagm, outer: 20, inner: 3, neumann: 10, alpha: 0.02, beta: 0.05}]
points:
  - {topology.kind: complete}
  - {name: my cliques, topology.kind: edges, topology.edges: [[0,1],[1,2],[2,0],[2,3],[3,4],[4,5],[5,3]]}
stop: {grad_norm2: 0.2}
`, []string{"| DAGM | my cliques | yes |", "| DAGM | complete | yes |", "My cliques sends 6.2 kB to grad_norm2 <= 0.2, 2.1 times less than complete, the next"},
			[]string{"1.0 times"}},
		"a tie": {consensus + "algorithms: [{name: gossip, rounds: 40}, {name: dgd, alpha: 0.1, outer: 40}]\n" +
			"record: {metrics: [objective]}\n",
			[]string{"DGD and Gossip tie at 51 kB in the whole run (one seed)."}, []string{"1.0 times"}},
	} {
		s, err := spec.Parse("case.yaml", []byte(c.scenario), catalog.New(), nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		of, err := study.New(s, new(data.Loader))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		runs, err := of.Run(t.Context(), study.Options{Workers: 1})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		view, err := Show(of, &result.Report{Runs: runs})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		answer := view.Answer()
		text := strings.Join(answer.Sentences, "\n") + "\n"
		for _, word := range c.not {
			if strings.Contains(text, word) {
				t.Errorf("%s: %q in\n%s", name, word, text)
			}
		}
		var b strings.Builder
		if err := view.Write(&b, "md"); err != nil {
			t.Fatal(err)
		}
		text += strings.Join(strings.Fields(b.String()), " ")
		for _, word := range c.says {
			if !strings.Contains(text, word) {
				t.Errorf("%s: want %q in\n%s", name, word, text)
			}
		}
	}
}
