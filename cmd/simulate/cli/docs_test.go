package cli

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics/report/fold"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/python"
	"tallynet/sim/golden"
	"tallynet/sim/slow"
)

// docPages lists the pages of docs/ that show output of commands, each with a lower bound on the number
// of its commands.
var docPages = []struct {
	name     string
	commands int
}{
	{"cli.md", 20},
	{"what-if.md", 12},
	{"results.md", 5},
	{"tutorial-algorithm.md", 7},
	{"tutorial-problem.md", 7},
	{"python.md", 5},
	{"clusters.md", 7},
}

// TestDocs runs the commands of the pages and compares their output. In a block that starts with ```console, a
// line that starts with $ is a command, and the following lines are its output, with standard error if the
// command ends with 2>&1. A block of another language whose first line is a comment with a file name is that
// file, and so is a block that starts with ```csv and a name. The commands of a page share a folder, which
// contains testdata/claims.yaml. The flag -update rewrites the pages.
func TestDocs(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	claims, printed := readText(t, "testdata/claims.yaml"), readText(t, "testdata/facts.yaml")
	for _, p := range docPages {
		t.Run(p.name, func(t *testing.T) {
			if !golden.Updating() {
				slow.Skip(t, "documented examples are run")
			}
			t.Chdir(t.TempDir())
			writeFile(t, "claims.yaml", string(claims))
			writeFile(t, "facts.yaml", printed)
			file := filepath.Join(root, "docs", p.name)
			text := readText(t, file)
			page := docPage{root: root}
			got := page.replay(t, string(text))
			if page.commands < p.commands {
				t.Errorf("the page has %d commands only: is it read at all?", page.commands)
			}
			page.checkLinks(t, string(text))
			if golden.Updating() {
				writeFile(t, file, got)
				return
			}
			if diff := goldenDiff(string(text), got); diff != "" {
				t.Errorf("docs/%s does not show what the commands print; rewrite it with -update (-page +real):\n%s", p.name, diff)
			}
		})
	}
}

// clone is the name of this repository's folder on the pages.
const clone = "/path/to/tallynet"

// docPage is a page whose commands run in the current folder.
type docPage struct {
	root     string // of the repository
	commands int    // so far
}

// fileName is the first line of a block that is a file.
var fileName = regexp.MustCompile(`^(?:#|//) ([\w-]+\.(?:go|yaml|json|py|R))$`)

// replay returns the page with the current output of its commands.
func (d *docPage) replay(t *testing.T, text string) string {
	lines := strings.Split(text, "\n")
	var out []string
	for i := 0; i < len(lines); i++ {
		out = append(out, lines[i])
		language, ok := strings.CutPrefix(lines[i], "```")
		if !ok {
			continue
		}
		n := slices.Index(lines[i+1:], "```")
		if n < 0 {
			t.Fatalf("line %d begins a block that does not end", i+1)
		}
		block := lines[i+1 : i+1+n]
		i += n + 1
		switch {
		case language == "console":
			out = append(out, d.session(t, block)...)
		case strings.HasPrefix(language, "csv ") || n > 0 && fileName.MatchString(block[0]):
			name, isTable := strings.CutPrefix(language, "csv ")
			if !isTable {
				name = fileName.FindStringSubmatch(block[0])[1]
			}
			writeFile(t, name, strings.Join(block, "\n")+"\n")
			out = append(out, block...)
		default:
			out = append(out, block...)
		}
		out = append(out, "```")
	}
	return strings.Join(out, "\n")
}

// session runs the commands of a block and returns the block with their current output.
func (d *docPage) session(t *testing.T, block []string) []string {
	var out []string
	for i := 0; i < len(block); {
		command, ok := strings.CutPrefix(block[i], "$ ")
		if !ok {
			t.Fatalf("%q is shown by no command", block[i])
		}
		end := i + 1
		for end < len(block) && !strings.HasPrefix(block[end], "$ ") {
			end++
		}
		out = append(out, block[i])
		if shown, ok := d.play(t, command); !ok {
			out = append(out, block[i+1:end]...)
		} else if shown != "" {
			out = append(out, strings.Split(strings.TrimRight(shown, "\n"), "\n")...)
		}
		i = end
		d.commands++
	}
	return out
}

// checkLinks looks for the files that the page links to.
func (d *docPage) checkLinks(t *testing.T, text string) {
	for _, part := range strings.Split(text, "](")[1:] {
		link, _, _ := strings.Cut(part, ")")
		link, _, _ = strings.Cut(link, "#")
		if link == "" || strings.HasPrefix(link, "https://") {
			continue
		}
		if _, err := os.Stat(filepath.Join(d.root, "docs", link)); err != nil {
			t.Errorf("a link leads nowhere: %v", err)
		}
	}
}

// split splits a line into words as a shell does, with single quotes.
func split(line string) []string {
	var words []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words[len(words)-1] += part
			continue
		}
		fields := strings.Fields(part)
		if i > 0 && len(fields) > 0 && part[0] != ' ' {
			words[len(words)-1] += fields[0]
			fields = fields[1:]
		}
		words = append(words, fields...)
		if strings.HasSuffix(part, " ") {
			words = append(words, "")
		}
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}

// play runs a line of a shell session. It returns false without the interpreter that the command needs.
func (d *docPage) play(t *testing.T, line string) (string, bool) {
	t.Helper()
	command, filters, _ := strings.Cut(line, " | ")
	command, both := strings.CutSuffix(command, " 2>&1")
	words := split(command)
	var text string
	switch words[0] {
	case "simulate":
		run := simulateDrawn
		if slices.Contains(words, "--allow-code") {
			if !needsPython(t) {
				t.Logf("%s is not tried: there is no python3 with numpy", line)
				return "", false
			}
			run = simulateWithPython
		}
		out, errs, _ := run(words[1:]...)
		text = out
		if both {
			text += errs
		}
	case "python3", "Rscript":
		if reason := d.lacks(words[0]); reason != "" {
			t.Logf("%s is not tried: %s", line, reason)
			return "", false
		}
		return d.shell(t, line, ""), true
	default:
		return d.shell(t, line, ""), true
	}
	if filters != "" {
		text = d.shell(t, filters, text)
	}
	return strings.ReplaceAll(text, d.root, clone), true
}

// simulateWithPython is simulate with problems and methods in Python.
func simulateWithPython(args ...string) (stdout, stderr string, code int) {
	var out, err bytes.Buffer
	code = runArgs(context.Background(), python.Add(catalog.New()), args, streams{Out: &out, Err: &err})
	return out.String(), err.String(), code
}

// needsPython finds a Python with numpy, and reports whether there is one.
func needsPython(t *testing.T) bool {
	for _, program := range []string{os.Getenv("TALLYNET_PYTHON"), "python3", "/usr/bin/python3"} {
		if program != "" && exec.Command(program, "-c", "import numpy").Run() == nil {
			t.Setenv("TALLYNET_PYTHON", program)
			return true
		}
	}
	return false
}

// lacks says why an interpreter cannot run the snippets of the pages; "" if it can.
func (d *docPage) lacks(interpreter string) string {
	probe := []string{"python3", "-c", "import csv, json"}
	if interpreter == "Rscript" {
		probe = []string{"Rscript", "-e", "library(jsonlite)"}
	}
	if err := exec.Command(probe[0], probe[1:]...).Run(); err != nil {
		return err.Error()
	}
	return ""
}

// shell runs a line of shell and returns its output. The line must succeed. Nothing is downloaded, and
// -trimpath lets clones of this repository share the build cache.
func (d *docPage) shell(t *testing.T, line, input string) string {
	t.Helper()
	c := exec.Command("sh", "-c", strings.ReplaceAll(line, clone, d.root))
	c.Env = append(os.Environ(), "GOFLAGS=-trimpath", "GOPROXY=off", "GOWORK=off", "LC_ALL=C")
	var out, errs bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(input), &out, &errs
	if err := c.Run(); err != nil {
		t.Fatalf("%s: %v\n%s%s", line, err, &out, &errs)
	}
	return strings.ReplaceAll(out.String(), d.root, clone)
}

// TestSummaryKeys looks for every key of summary.json on the page of results.
func TestSummaryKeys(t *testing.T) {
	page := readText(t, "../../../docs/results.md")
	keys := jsonKeys(reflect.TypeFor[fold.Summary](), map[string]bool{})
	if len(keys) < 50 {
		t.Fatalf("%d keys only: %v", len(keys), keys)
	}
	for key := range keys {
		if key != "schema" && !strings.Contains(string(page), "`"+key+"`") && !strings.Contains(string(page),
			"`"+key+"[]`") {
			t.Errorf("docs/results.md does not have %q", key)
		}
	}
}

// jsonKeys adds the keys of a type's JSON form, including nested ones.
func jsonKeys(t reflect.Type, keys map[string]bool) map[string]bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Pointer:
		return jsonKeys(t.Elem(), keys)
	case reflect.Struct:
		for _, f := range reflect.VisibleFields(t) {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
				keys[name] = true
				jsonKeys(f.Type, keys)
			}
		}
	}
	return keys
}
