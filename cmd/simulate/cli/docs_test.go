package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestDocs runs the commands of docs/cli.md and compares what it shows. In a block
// that begins with ```console each line that begins with $ is a command, and what
// follows is what it prints; "| head -N" keeps the first N lines, and standard error
// is shown too if the command ends with 2>&1. Commands of one page share a folder,
// which has testdata/claims.yaml.
// With -update the page is written anew.
func TestDocs(t *testing.T) {
	page, err := filepath.Abs("../../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	claims, err := os.ReadFile("testdata/claims.yaml")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("claims.yaml", claims, 0o666); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	var out []string
	commands := 0
	for i := 0; i < len(lines); i++ {
		out = append(out, lines[i])
		if lines[i] != "```console" {
			continue
		}
		for i++; i < len(lines) && lines[i] != "```"; i++ {
			command, ok := strings.CutPrefix(lines[i], "$ ")
			if !ok {
				continue // shown before, and shown anew below
			}
			out = append(out, lines[i])
			if shown := play(t, command); shown != "" {
				out = append(out, strings.Split(strings.TrimRight(shown, "\n"), "\n")...)
			}
			commands++
		}
		out = append(out, "```")
	}
	if commands < 15 {
		t.Errorf("the page has %d commands only: is it read at all?", commands)
	}
	got := strings.Join(out, "\n")
	if *update {
		if err := os.WriteFile(page, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := goldenDiff(string(text), got); diff != "" {
		t.Errorf("docs/cli.md does not show what the commands print; rewrite it with -update (-page +real):\n%s", diff)
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

// play runs a line of a shell session: simulate, cat or ls.
func play(t *testing.T, line string) string {
	t.Helper()
	line, head, cut := strings.Cut(line, " | head -")
	line, both := strings.CutSuffix(line, " 2>&1")
	words := split(line)
	var text string
	switch words[0] {
	case "simulate":
		out, errs, _ := simulate(words[1:]...)
		text = out
		if both {
			text += errs
		}
	case "cat":
		content, err := os.ReadFile(words[1])
		if err != nil {
			t.Fatal(err)
		}
		text = string(content)
	case "ls":
		entries, err := os.ReadDir(words[1])
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			text += e.Name() + "\n"
		}
	default:
		t.Fatalf("docs/cli.md: %q is no command of this test", line)
	}
	if cut {
		n, err := strconv.Atoi(strings.TrimSpace(head))
		if err != nil {
			t.Fatalf("docs/cli.md: head -%s: %v", head, err)
		}
		all := strings.SplitAfter(text, "\n")
		text = strings.Join(all[:min(n, len(all))], "")
	}
	return text
}
