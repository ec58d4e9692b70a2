package study

import (
	"strings"
	"testing"

	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
)

// TestRepeatedEdges: if the file asks for it, repeated edges are merged and the run equals the one
// with single edges. Otherwise the error says where the edge was first given, and how to merge.
func TestRepeatedEdges(t *testing.T) {
	const src = `version: 1
topology: {kind: edges, nodes: 4, edges: EDGES}
problem: {kind: quadratic, p: 2, q: 2}
algorithms:
  - {name: dagm, outer: 2, inner: 1, neumann: 1, alpha: 0.01, beta: 0.01}
`
	const repeated = "[[0, 1], [1, 2], [1, 0], [2, 3], [1, 2], [0, 3]]"
	once, err := tryStudy(t, t.Context(), strings.Replace(src, "EDGES", "[[0, 1], [1, 2], [2, 3], [0, 3]]", 1), 1)
	if err != nil {
		t.Fatal(err)
	}
	merged, err := tryStudy(t, t.Context(), strings.Replace(src, "EDGES", repeated+", repeated: merge", 1), 1)
	if err != nil {
		t.Fatal(err)
	}
	if merged[0].Hash != once[0].Hash || merged[0].Totals.Messages != once[0].Totals.Messages {
		t.Errorf("the merged edges give hash %s, given once they give %s", merged[0].Hash, once[0].Hash)
	}
	for edges, want := range map[string]string{
		repeated: "edges[2]: (1, 0) is already edges[0]; an undirected edge is given once, unless topology has repeated: " +
			"merge",
		"[[0, 1], [1, 0], [2, 2]], repeated: merge": "edges[2]: (2, 2) joins a node to itself",
		"[[0, 1], [1, 0], [2, 7]], repeated: merge": "edges[2]: (2, 7): there is no node 7",
	} {
		s, err := spec.Parse("test.yaml", []byte(strings.Replace(src, "EDGES", edges, 1)), scenariotest.Catalog(), nil)
		if err == nil {
			_, err = New(s, &scenariotest.Data)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", edges, err, want)
		}
	}
}
