package study

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
)

const namedPoints = `version: 1
name: named
topology: {kind: ring, nodes: 4}
problem: {kind: quadratic, p: 2, q: 3}
algorithms:
  - {name: dagm, outer: 3, inner: 2, neumann: 2, alpha: 0.01, beta: 0.05}
points:
  - {name: a small ring, topology.nodes: 4}
  - {name: 大きな輪, topology.nodes: 6, algorithms.DAGM.alpha: 0.02}
  - {topology.nodes: 8}
`

// A point's name does not change its runs. It stays with them, also through the resolved
// scenario.
func TestPointsHaveNames(t *testing.T) {
	s := scenariotest.Parse(t, namedPoints)
	text, err := json.Marshal(s.Resolved())
	if err != nil {
		t.Fatal(err)
	}
	again, err := spec.ParseResolved("result.json", text, scenariotest.Catalog())
	if err != nil {
		t.Fatal(err)
	}
	bare := scenariotest.Parse(t, strings.NewReplacer("name: a small ring, ", "", "name: 大きな輪, ",
		"").Replace(namedPoints))
	var hashes [3][]string
	for i, of := range []*spec.Scenario{s, again, bare} {
		st, err := New(of, &scenariotest.Data)
		if err != nil {
			t.Fatal(err)
		}
		runs, err := st.Run(context.Background(), Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		for k, want := range []string{"a small ring", "大きな輪", ""} {
			if of == bare {
				want = ""
			}
			if runs[k].PointName != want {
				t.Errorf("scenario %d, run %d: the point is named %q, want %q", i, k, runs[k].PointName, want)
			}
			hashes[i] = append(hashes[i], runs[k].Hash)
		}
	}
	for i := range hashes {
		if strings.Join(hashes[i], " ") != strings.Join(hashes[2], " ") {
			t.Errorf("hashes %v, without names %v", hashes[i], hashes[2])
		}
	}
}

func TestNamesOfPointsThatAreWrong(t *testing.T) {
	for change, want := range map[[2]string]string{
		{"大きな輪", "a small ring"}: `points[1].name: two of them are called "a small ` +
			`ring"`,
		{"a small ring", "[1]"}: "points[0].name",
		{"{topology.nodes: 8}", "{name: third, topology.nodes: 4}"}: "is given twice",
		{"a small ring", `" "`}: "points[0].name",
		{"name: a small ring, topology.nodes: 4", "topology.name: 'x'"}: "topology.name",
	} {
		_, err := spec.Parse("x.yaml", []byte(strings.Replace(namedPoints, change[0], change[1], 1)),
			scenariotest.Catalog(), nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s for %s: %v, want %q", change[1], change[0], err, want)
		}
	}
}
