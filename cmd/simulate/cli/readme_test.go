package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tallynet/sim/golden"
	"tallynet/sim/slow"
)

// TestReadme runs the commands of the README that begin with ./simulate, in order
// and in one folder, and looks for the files that the README names.
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
	checkPaths(t, root, "README.md")
	for _, part := range strings.Split(string(text), "`") {
		if strings.HasSuffix(part, ".yaml") && !strings.Contains(part, " ") && !strings.HasPrefix(part, "my") {
			if _, err := os.Stat(filepath.Join(root, "scenarios", part)); err != nil {
				t.Errorf("the README names %s: %v", part, err)
			}
		}
	}
}

// TestReadmeAnswer compares what the README's first command prints on a terminal with the block that shows it. The
// flag -update rewrites the block.
func TestReadmeAnswer(t *testing.T) {
	if !golden.Updating() {
		slow.Skip(t, "the quickstart is run")
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	readme := filepath.Join(root, "README.md")
	t.Chdir(t.TempDir())
	out, errs, code := simulateWith(streams{Terminal: true, Blank: drawn}, "run",
		filepath.Join(root, "scenarios", "quickstart.yaml"))
	if code != codeDone || errs != "" {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	head, rest, found := strings.Cut(readText(t, readme), "question:\n\n```\n")
	block, tail, ended := strings.Cut(rest, "```\n")
	switch {
	case !found || !ended:
		t.Fatal("the README does not show the answer")
	case golden.Updating():
		writeFile(t, readme, head+"question:\n\n```\n"+out+"```\n"+tail)
	case block != out:
		t.Errorf("the README shows\n%s\nand the quickstart prints\n%s", block, out)
	}
}

// TestTour looks for the files that pages on the code name.
func TestTour(t *testing.T) {
	checkPaths(t, "../../..", "docs/architecture.md")
	checkPaths(t, "../../..", "CONTRIBUTING.md")
}

// namedPath matches the links of a page, and paths in backquotes.
var namedPath = regexp.MustCompile("\\]\\(([^)#]+)[^)]*\\)|`([a-z]+/[a-z/]+(?:\\.go)?)`")

// checkPaths looks for the files and folders that a page mentions: links are relative to its own folder,
// names to the root of the repository.
func checkPaths(t *testing.T, root, page string) {
	t.Helper()
	found := namedPath.FindAllStringSubmatch(readText(t, filepath.Join(root, page)), -1)
	for _, m := range found {
		link, path := m[1], filepath.Join(root, m[2])
		if link != "" {
			path = filepath.Join(root, filepath.Dir(page), link)
		}
		if strings.HasPrefix(link, "https:") || strings.HasPrefix(m[2], "results/") {
			continue
		}
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%s names %s: %v", page, link+m[2], err)
		}
	}
	if len(found) < 5 {
		t.Errorf("%s names %d files: is it read at all?", page, len(found))
	}
}
