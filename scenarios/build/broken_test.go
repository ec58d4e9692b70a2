package build_test

import (
	"path/filepath"
	"strings"
	"testing"

	"tallynet/scenarios/build"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
	"tallynet/sim/golden"
)

// TestBrokenBuild builds scenarios that load, and compares each error with its
// golden file. One scenario fails only when it runs.
func TestBrokenBuild(t *testing.T) {
	files, err := filepath.Glob("testdata/broken_build/*.yaml")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d broken scenarios, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		if name == "diverging_inner_step" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			s, err := spec.Load(file, scenariotest.Catalog(), nil)
			if err != nil {
				t.Fatal(err)
			}
			_, err = build.Build(s, 1, &scenariotest.Data)
			if err == nil {
				t.Fatal("it builds")
			}
			golden.Check(t, strings.TrimSuffix(file, ".yaml")+".txt",
				strings.ReplaceAll(err.Error(), "testdata/broken_build/", "")+"\n")
		})
	}
}

// TestIdleMethodsHaveNoGraph: a study of several graphs may include a method of one node. The
// method makes no iteration on graphs that it cannot use.
func TestIdleMethodsHaveNoGraph(t *testing.T) {
	const src = `version: 1
topology: {kind: ring, nodes: 4}
problem: {kind: conditioned, dim: 2}
algorithms:
  - {name: ba, outer: OUTER, alpha: 1, beta: 0.01}
`
	if _, err := build.Build(scenariotest.Parse(t, strings.Replace(src, "OUTER", "0", 1)), 1, nil); err != nil {
		t.Error(err)
	}
	_, err := build.Build(scenariotest.Parse(t, strings.Replace(src, "OUTER", "1", 1)), 1, nil)
	if err == nil || !strings.Contains(err.Error(), "the method is for one node") {
		t.Errorf("one iteration: %v", err)
	}
}
