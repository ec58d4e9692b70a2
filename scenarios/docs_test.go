package scenarios

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tallynet/metrics/result"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/problems/data"
)

// TestScenarioPage runs every example of docs/scenario.md for a few iterations.
func TestScenarioPage(t *testing.T) {
	page, err := os.ReadFile("../docs/scenario.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	json := blocks(string(page), "json")
	if len(json) != 1 {
		t.Fatalf("%d JSON examples", len(json))
	}
	if err := os.WriteFile(filepath.Join(dir, "quadratic.json"), []byte(json[0]), 0o666); err != nil {
		t.Fatal(err)
	}
	examples := blocks(string(page), "yaml")
	if len(examples) < 4 {
		t.Fatalf("%d YAML examples", len(examples))
	}
	for _, src := range examples {
		s, err := Parse(filepath.Join(dir, "example.yaml"), []byte(src), catalog.New(), nil)
		if err != nil {
			t.Error(err)
			continue
		}
		if strings.Contains(src, "tune:") {
			if _, err := s.Build(1, &data.Loader{}); err != nil {
				t.Error(err)
			}
			continue
		}
		path := filepath.Join(dir, "run.yaml")
		if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, r := range runFile(t, path) {
			if r.Status != result.Completed {
				t.Errorf("%s: %s: %s", r.Label, r.Status, r.Reason)
			}
		}
	}
}

// blocks returns the code blocks of a language on a Markdown page.
func blocks(page, language string) []string {
	var out []string
	for _, part := range strings.Split(page, "```"+language+"\n")[1:] {
		block, _, _ := strings.Cut(part, "```")
		out = append(out, block)
	}
	return out
}
