package build_test

import (
	"strings"
	"testing"

	"tallynet/algorithms"
	"tallynet/scenarios/build"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
)

// TestEveryEntry builds every graph, mixing matrix, problem and algorithm of the
// catalog from a file, and checks its description.
func TestEveryEntry(t *testing.T) {
	t.Parallel()
	graph := map[string]string{
		"grid": "rows: 2", "regular": "degree: 3", "erdos-renyi": "p: 0.5", "watts-strogatz": "k: 4, beta: 0.2",
		"barabasi-albert": "m: 2", "geometric": "radius: 0.6",
		"edges": "edges: [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7]]",
		"tree":  "arity: 3",
	}
	nodes := map[string]string{"torus": "12"}
	weights := map[string]string{"ring-a": "{kind: ring-a, a: 0.4}",
		"explicit": "{matrix: [[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.25, 0.25, 0.5]]}"}
	problem := map[string]string{"quadratic": "p: 3, q: 4", "consensus": "dim: 3"}
	or := func(m map[string]string, name, other string) string {
		if v, ok := m[name]; ok {
			return v
		}
		return other
	}
	var texts []string
	add := func(topology, problem, method string) {
		texts = append(texts, "version: 1\ntopology: "+topology+"\nproblem: "+problem+"\nalgorithms: ["+method+"]\n")
	}
	c := scenariotest.Catalog()
	for _, e := range catalog.Entries(c.Topologies) {
		add("{kind: "+e.Name+", nodes: "+or(nodes, e.Name, "8")+", "+graph[e.Name]+"}", "{kind: consensus, dim: 2}",
			"gossip")
	}
	for _, e := range catalog.Entries(c.Weights) {
		add("{kind: ring, nodes: 3, weights: "+or(weights, e.Name, e.Name)+"}", "{kind: consensus, dim: 2}", "gossip")
	}
	for _, e := range catalog.Entries(c.Problems) {
		m := "{name: dagm, inner: 2, neumann: 3, alpha: 0.1, beta: 0.1}"
		if e.Name == "consensus" || e.Name == "least-squares" || e.Name == "logistic" {
			m = "gossip"
		}
		add("{kind: ring, nodes: 4}", "{kind: "+e.Name+", "+problem[e.Name]+"}", m)
	}
	for _, e := range c.Algorithms {
		s := scenariotest.Parse(t, "version: 1\ntopology: {kind: ring, nodes: 4}\nproblem: {kind: consensus, dim: 2}\n"+
			"algorithms: ["+scenariotest.Shortest(e)+"]\n")
		if m, err := e.New(s.Algorithms[0].Args); err != nil || algorithms.Iterations(m) == 0 {
			t.Errorf("%s: %v, %v", e.Name, m, err)
		}
	}
	for _, text := range texts {
		if _, err := build.Build(scenariotest.Parse(t, text), 1, &scenariotest.Data); err != nil {
			t.Errorf("%v\nof\n%s", err, text)
		}
	}
	for _, es := range [][]keys.Entry{catalog.Entries(c.Algorithms), catalog.Entries(c.Problems),
		catalog.Entries(c.Topologies), catalog.Entries(c.Weights)} {
		for _, e := range es {
			if e.Summary == "" || strings.HasSuffix(e.Summary, ".") {
				t.Errorf("%s: the summary is %q", e.Name, e.Summary)
			}
			for _, p := range e.Params {
				if p.About == "" || p.Required && p.Example == "" || (p.Kind == keys.Enum) != (len(p.Enum) > 0) {
					t.Errorf("%s.%s lacks a text, an example or its names", e.Name, p.Name)
				}
			}
		}
	}
}

// TestPreset: an alias sets parameters, which the file must not contradict.
func TestPreset(t *testing.T) {
	c := *scenariotest.Catalog()
	c.Algorithms = []catalog.AlgorithmEntry{{
		Entry: keys.Entry{
			Name: "own", Label: "Own method",
			Aliases: []keys.Alias{{Name: "fast", Label: "Fast",
				Preset: []keys.Preset{{Param: "mode", Value: "quick"}}}},
			Params: []keys.Param{{Name: "mode", Kind: keys.Enum, Default: "slow", Enum: []string{"slow", "quick"},
				About: "how"}},
		},
		New: func(keys.Args) (algorithms.Method, error) { return nil, nil },
	}}
	head := "version: 1\ntopology: {kind: ring, nodes: 4}\nproblem: {kind: consensus, dim: 2}\n"
	s, err := spec.Parse("a.yaml", []byte(head+"algorithms: [own, fast]\n"), &c, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, b := s.Algorithms[0], s.Algorithms[1]
	if a.Label != "Own method" || a.Args.String("mode") != "slow" || b.Label != "Fast" ||
		b.Args.String("mode") != "quick" || b.Name != "fast" {
		t.Errorf("%+v, %+v", a, b)
	}
	if e := c.Algorithm("fast"); e != &c.Algorithms[0] {
		t.Error("the alias is not found")
	}
	if _, err := spec.Parse("a.yaml", []byte(head+"algorithms: [{name: fast, mode: quick}]\n"), &c, nil); err != nil {
		t.Error(err)
	}
	_, err = spec.Parse("a.yaml", []byte(head+"algorithms: [{name: fast, mode: slow}]\n"), &c, nil)
	if err == nil || !strings.Contains(err.Error(), "a.yaml:4:27: algorithms[0].mode: fast means mode: quick") {
		t.Error(err)
	}
}
