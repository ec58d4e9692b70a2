package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadme runs the commands of the README that begin with ./simulate, one after
// the other in one folder, and looks for the files that the README names.
func TestReadme(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	text := readText(t, filepath.Join(root, "README.md"))
	t.Chdir(t.TempDir())
	commands := 0
	for line := range strings.SplitSeq(string(text), "\n") {
		command, ok := strings.CutPrefix(line, "./simulate ")
		if !ok {
			continue
		}
		commands++
		command, _, _ = strings.Cut(command, " #")
		if _, errs, code := simulate(split(command)...); code != 0 {
			t.Errorf("./simulate %s: exit code %d: %s", command, code, errs)
		}
	}
	if commands < 6 {
		t.Errorf("the README has %d commands only: is it read at all?", commands)
	}
	for _, part := range strings.Split(string(text), "](")[1:] {
		link, _, _ := strings.Cut(part, ")")
		if strings.HasPrefix(link, "https://") {
			continue
		}
		if _, err := os.Stat(filepath.Join(root, link)); err != nil {
			t.Errorf("the README links to %s: %v", link, err)
		}
	}
	for _, part := range strings.Split(string(text), "`") {
		if strings.HasSuffix(part, ".yaml") && !strings.Contains(part, " ") && !strings.HasPrefix(part, "my") {
			if _, err := os.Stat(filepath.Join(root, "scenarios", part)); err != nil {
				t.Errorf("the README names %s: %v", part, err)
			}
		}
	}
}
