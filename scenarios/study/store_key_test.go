package study

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
)

// TestDigests: a run depends on the content of the files that its scenario names.
func TestDigests(t *testing.T) {
	const base = "version: 1\ntopology: {kind: path, nodes: 2}\nproblem: {kind: consensus, dim: 10}\n" +
		"algorithms: [{name: gossip, rounds: 1}]\nplatform: {kind: regions, file: regions.csv}\n"
	dir := t.TempDir()
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "regions.csv"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("0,5ms\n5ms,0\n")
	s, err := spec.Parse(filepath.Join(dir, "x.yaml"), []byte(base),
		scenariotest.Catalog(), nil)
	if err != nil {
		t.Fatal(err)
	}
	before, err := digests(s)
	if err != nil {
		t.Fatal(err)
	}
	write("0,6ms\n6ms,0\n")
	if after, _ := digests(s); len(before) != 1 || fmt.Sprint(before) == fmt.Sprint(after) {
		t.Errorf("digests: %v, then %v", before, after)
	}
	// The platform's file comes before those of the faults.
	if err := os.WriteFile(filepath.Join(dir, "a.csv"), []byte("node,time,state\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err = spec.Parse(filepath.Join(dir, "x.yaml"), []byte(base+"faults: {trace: a.csv}\n"), scenariotest.Catalog(),
		nil)
	if err != nil {
		t.Fatal(err)
	}
	if both, err := digests(s); err != nil || len(both) != 2 || both[0].Key != before[0].Key {
		t.Errorf("digests: %v, %v, want the platform's first", both, err)
	}
}
