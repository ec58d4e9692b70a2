package cli

import (
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// linked returns the modules in the program for a system, with their versions.
func linked(t *testing.T, system string) map[string]string {
	t.Helper()
	c := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Version}}{{end}}", "..")
	c.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0")
	out, err := c.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	modules := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, version, _ := strings.Cut(strings.TrimSpace(line), " ")
		if version != "" { // excludes this module and Go
			modules[path] = version
		}
	}
	return modules
}

var (
	firstCell = regexp.MustCompile(`(?m)^\| ([^|]+) \|.*$`)
	majorPath = regexp.MustCompile(`/v[0-9]+$`)
	untagged  = regexp.MustCompile(`-[0-9]{14}-[0-9a-f]{12}$`)
)

// TestDependencies: docs/dependencies.md names exactly the modules that are linked into
// the program, with a reason for each module that has no version tag.
func TestDependencies(t *testing.T) {
	page := readText(t, "../../../docs/dependencies.md")
	mod := readText(t, "../../../go.mod")
	text, _, _ := strings.Cut(string(page), "## The charting library")
	text, reasons, found := strings.Cut(text, "| untagged module |")
	if !found {
		t.Fatal("the page has no table of modules without a tag")
	}
	named := names(text)
	modules := linked(t, "linux")
	maps.Copy(modules, linked(t, "windows"))
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		short := majorPath.ReplaceAllString(path, "")
		if !named[short] {
			t.Errorf("%s %s is linked into the program, and docs/dependencies.md does not say why", path, modules[path])
		}
		if untagged.MatchString(modules[path]) && !names(reasons)[short] {
			t.Errorf("%s %s has no tag, and docs/dependencies.md does not say why it stays", path, modules[path])
		}
	}
	for name := range named {
		if !strings.Contains(string(mod), name) {
			t.Errorf("docs/dependencies.md names %s, which go.mod does not", name)
		}
	}
}

// names returns the first cells of tables; a cell can name several modules.
func names(tables string) map[string]bool {
	out := map[string]bool{}
	for _, row := range firstCell.FindAllStringSubmatch(tables, -1) {
		folder := ""
		for name := range strings.SplitSeq(row[1], ", ") {
			if !strings.Contains(name, "/") { // "github.com/a/b, c" names two modules of one owner
				name = folder + name
			}
			folder = name[:strings.LastIndex(name, "/")+1]
			if strings.Contains(name, ".") {
				out[name] = true
			}
		}
	}
	return out
}
