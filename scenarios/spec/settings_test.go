package spec

import (
	"slices"
	"strings"
	"testing"
)

const compared = `version: 1
seeds: 3
topology: {kind: ring, nodes: 6}
problem: {kind: quadratic, p: 3, q: 4}
algorithms:
  - {name: dagm, outer: 20, inner: 3, neumann: 10, alpha: 0.02, beta: 0.05}
  - {name: dagm, label: D (b = 2.5), outer: 20, inner: 3, neumann: 10, tune: {grid: {alpha: [0.01, 0.02], beta: [0.05]}, by: grad_norm2}}
sweep:
  problem.q: [4, 8]
settings:
  - {name: nodes, paper: 6.0, key: topology.nodes}
  - {name: graph, paper: Ring, key: topology.kind}
  - {name: d1 and d2, paper: "4, 8", key: [problem.p, problem.q], reason: small}
  - {name: problem, paper: quadratic, key: problem, here: made at random, same: true}
  - {name: alpha, paper: 0.02, key: algorithms.*.alpha, reason: tuned for one}
  - {name: beta, paper: the best, key: 'algorithms["D (b = 2.5)"].beta', same: true}
  - {name: loops, paper: not stated, key: [algorithms.*.inner, algorithms.*.neumann], reason: enough}
  - {name: the rest of the first, paper: as here, key: "algorithms[0]", same: true}
  - {name: horizon, paper: 20, key: algorithms.*.outer}
  - {name: rule, paper: not stated, key: algorithms.*.tune, reason: simple}
  - {name: seeds, paper: 3, key: seed}
  - {name: metric, paper: gradient, here: gradient}
`

// TestCompared checks the values of keys, including swept and tuned ones, and which rows differ.
func TestCompared(t *testing.T) {
	s, err := Parse("s.yaml", []byte(compared), builtin(), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"nodes": "6", "graph": "ring", "d1 and d2": "*p 3; q 4, 8", "horizon": "20", "seeds": "3", "metric": "gradient",
		"alpha": "*DAGM: 0.02, D (b = 2.5): tuned over 0.01, 0.02", "beta": "tuned over 0.05",
		"loops": "*inner 3; neumann 10", "rule": "*least grad_norm2",
	}
	for _, row := range s.Compared() {
		got := row.Here
		if row.Differs {
			got = "*" + got
		}
		if w, ok := want[row.Name]; ok && got != w {
			t.Errorf("%s: %q, want %q", row.Name, got, w)
		}
		if row.Name == "problem" && (!strings.Contains(got, "kind quadratic") ||
			!strings.HasSuffix(got, "(made at random)")) {
			t.Errorf("problem: %q", got)
		}
	}
}

// TestSettingsOfAChangedScenario checks that rows have the values of --set, also after a round trip as a resolved
// scenario.
func TestSettingsOfAChangedScenario(t *testing.T) {
	s, err := Parse("s.yaml", []byte(compared), builtin(), []string{"topology.nodes=8"})
	if err != nil || s.Compared()[0].Here != "8" || !s.Compared()[0].Differs {
		t.Fatalf("%v: %+v", err, s)
	}
	text, err := s.YAML()
	if err != nil {
		t.Fatal(err)
	}
	back, err := ParseResolved("result.json", text, builtin())
	if err != nil || back.Compared()[0].Here != "8" || back.Compared()[0].Reason != "changed for this run" {
		t.Errorf("%v", err)
	}
	others := back.Settings[len(s.Settings):] // keys that no row of the file names
	if len(others) != 1 || others[0].Name != "others" || !slices.Contains(others[0].Keys, "topology.weights") {
		t.Errorf("the other settings are %+v", others)
	}
	if _, err := Parse("again.yaml", text, builtin(), nil); err != nil {
		t.Errorf("it does not load again: %v", err)
	}
}

// TestSameRuns checks that texts and claims do not affect runs, and that every other key does.
func TestSameRuns(t *testing.T) {
	s, err := Parse("s.yaml", []byte(compared), builtin(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		old, now string
		same     bool
	}{
		{"name: d1 and d2", "name: sizes", true},
		{"settings:", "about: x\nclaims: [{text: a, source: b, check: 'all(runs(\"DAGM\"), .iterations > 0)'}]\nsettings:",
			true},
		{"seeds: 3", "seeds: 4", false},
		{"neumann: 10", "neumann: 9", false},
		{"[0.01, 0.02]", "[0.01, 0.03]", false},
		{"problem.q: [4, 8]", "problem.q: [4, 16]", false},
		{"settings:", "record: {every: 2}\nsettings:", false},
	} {
		text := strings.Replace(compared, c.old, c.now, 1)
		other, err := Parse("s.yaml", []byte(strings.ReplaceAll(text, "paper: 3, key: seed",
			"paper: x, key: seed, same: true")),
			builtin(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if SameRuns(s, other) != c.same {
			t.Errorf("%s: same runs: %v", c.now, !c.same)
		}
	}
}

// TestIterationsByDefault: stop.iterations is the default of a method's own iterations, in each trial too, and what is
// in no file is a default.
func TestIterationsByDefault(t *testing.T) {
	const text = "version: 1\ntopology: {kind: ring, nodes: 4}\nproblem: {kind: least-squares, samples: 30, dim: 5}\n" +
		"algorithms: [{name: dgd, alpha: 0.1}, {name: extra, outer: 50, alpha: 0.1}, {name: gossip}, {name: " +
		"gradient-tracking, tune: {grid: {alpha: [0.1, 1]}, by: objective}}]\n"
	for stop, want := range map[string][]int{"": {100, 50, 100, 100}, "stop: {iterations: 500}\n": {500, 50, 500, 500},
		"stop: {iterations: 7}\n": {7, 50, 7, 7}, "stop: {time: 1s}\n": {100, 50, 100, 100}} {
		s, err := Parse("x.yaml", []byte(text+stop), builtin(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Algorithms {
			a := &s.Algorithms[i]
			key := s.Catalog.Algorithm(a.Name).Iterations
			if got := a.Args.Int(key); got != want[i] {
				t.Errorf("%s%s: %d iterations, want %d", stop, a.Label, got, want[i])
			}
			if a.Tune != nil && a.Tune.Points[1].Args.Int(key) != want[i] {
				t.Errorf("%s%s: %v", stop, a.Label, a.Tune.Points[1].Args)
			}
			if got := slices.Contains(s.Defaults(a, a.Args), key); got != (want[i] == 100) {
				t.Errorf("%s%s: %s is by default: %v", stop, a.Label, key, got)
			}
		}
	}
}
