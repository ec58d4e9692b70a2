package study

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/build"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
)

// textScenario deals texts of a.svm to three nodes, four to each.
const textScenario = `version: 1
topology: {kind: ring, nodes: 3}
problem: {kind: hyper-text, file: a.svm, %s, samples: {train: 2, val: 2}}
algorithms:
  - {name: dsbo, mode: homogeneous, outer: 5, inner: 5, jhip: 2, eta_x: 1, eta_y: 5, gamma: 1}
`

// Texts from files: the model learns a topic that one word identifies, and test texts
// come from the second file.
func TestTextsFromFiles(t *testing.T) {
	dir := t.TempDir()
	var train, test strings.Builder
	for k := range 30 {
		fmt.Fprintf(&train, "%d %d:1 9:0.5\n", k%2, k%2)
		fmt.Fprintf(&test, "%d %d:1 11:2\n", k%2, 1-k%2) // reversed
	}
	for name, text := range map[string]string{"a.svm": train.String(), "b.svm": test.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "texts.yaml")
	for keys, want := range map[string]float64{"first_index: 0": 1, "first_index: 0, test_file: b.svm": 0} {
		if err := os.WriteFile(path, []byte(fmt.Sprintf(textScenario, keys)), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, r := range runFile(t, path) {
			last := r.Samples[len(r.Samples)-1]
			for k, name := range r.Metrics {
				if name == "test_accuracy" && last.Values[k] != want {
					t.Errorf("%s: test accuracy %v, want %v", keys, last.Values[k], want)
				}
			}
			if r.Status != result.Completed {
				t.Errorf("%s: %s: %s", keys, r.Status, r.Reason)
			}
		}
	}
	for keys, want := range map[string]string{
		"first_index: 1": "file: " + filepath.Join(dir, "a.svm") +
			`: line 1: feature "0:1": the index is below 1, where indices start`,
		"first_index: 0, test_file: absent.svm": "test_file: there is no such file: " + filepath.Join(dir, "absent.svm") +
			"; docs/data.md says how to make one",
	} {
		s, err := spec.Parse(path, []byte(fmt.Sprintf(textScenario, keys)), scenariotest.Catalog(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := build.Build(s, 1, &scenariotest.Data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", keys, err, want)
		}
	}
}
