package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReplacedResultIsAnnounced: before replacing a result with other values, the
// command says what differs.
func TestReplacedResultIsAnnounced(t *testing.T) {
	enter(t)
	run := func(args ...string) string {
		t.Helper()
		_, errs, code := simulate(append([]string{"run", "two.yaml", "--quiet"}, args...)...)
		if code != codeDone {
			t.Fatalf("code %d: %s", code, errs)
		}
		return errs
	}
	if got := run(); got != "" {
		t.Errorf("the first time: %s", got)
	}
	if got := run("--set", "about=another question"); got != "" {
		t.Errorf("a key that changes no run: %s", got)
	}
	want := "simulate: " + filepath.Join("results", "two") +
		" holds a result of two with other values; it will be replaced (--out keeps both):\n" +
		"  network.latency: 1ms there, 10ms now\n"
	if got := run("--set", "network.latency=10ms"); got != want {
		t.Errorf("another latency: %s", got)
	}
	got := run("--set", "algorithms=[{name: dagm, outer: 90, inner: 6, neumann: 16, alpha: 0.04, beta: 0.04}]")
	if lines := strings.Count(got, "\n"); lines != 2+shownDifferences || !strings.Contains(got, "more keys\n") {
		t.Errorf("many keys: %d lines: %s", lines, got)
	}
	if got := run("--set", "seeds=[1, 2]", "--out", "seeds"); got != "" {
		t.Errorf("a new folder: %s", got)
	}
	if got := run("--set", "seeds=[2, 1]", "--out", "seeds"); got != "" {
		t.Errorf("the same seeds in another order: %s", got)
	}
}

// TestNewNamesTheScenarioAfterItsFile: two new scenarios do not share a folder.
func TestNewNamesTheScenarioAfterItsFile(t *testing.T) {
	t.Chdir(t.TempDir())
	for file, folder := range map[string]string{"one.yaml": "one", "true.yaml": "true", "a: b.yaml": "a- b"} {
		mustSimulate(t, "new", file)
		mustSimulate(t, "run", file, "--quiet", "--set", "stop.iterations=2")
		if _, err := os.Stat(filepath.Join("results", folder, "result.json")); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// TestTopologyTableSurvivesABadFile: the table and the other file are still written.
func TestTopologyTableSurvivesABadFile(t *testing.T) {
	t.Chdir(t.TempDir())
	out, errs, code := simulate("topology", "ring", "--svg", "nowhere/x.svg", "--dot", "x.dot")
	if code != codeFailed || !strings.Contains(out, "spectral") || !strings.Contains(errs, "nowhere/x.svg") {
		t.Errorf("code %d: %s%s", code, out, errs)
	}
	if _, err := os.Stat("x.dot"); err != nil {
		t.Error(err)
	}
}

func TestVersionFlag(t *testing.T) {
	if flag, command := mustSimulate(t, "--version"), mustSimulate(t, "version"); flag != command {
		t.Errorf("--version prints %q, version %q", flag, command)
	}
}
