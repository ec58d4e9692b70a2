package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestMutate compares the mutants of a function with those by hand.
func TestMutate(t *testing.T) {
	const src = `package p

func (t *T) f(a, b float64, s string) (int, error) {
	if a < b && !t.ok {
		t.n += g(a, b)
		return 1, fmt.Errorf("%d", 3)
	}
	t.note("a" + s)
	x := a*0.5 - 0.0
	t.n++
	panic("p: " + s)
}
`
	found, err := mutate(target{folder: "p"}, "p/a.go", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range found {
		lines := strings.Split(m.key(), "\n")
		if lines[0] != "p/a.go T.f" {
			t.Errorf("the place is %q", lines[0])
		}
		if before := strings.Split(src, "\n")[m.line-1]; "- "+strings.TrimSpace(before) != lines[1] {
			t.Errorf("line %d is %q, the mutant has %q", m.line, before, lines[1])
		}
		if mutated := string(m.mutated()); strings.Count(mutated, "\n") != strings.Count(src, "\n") || mutated == src {
			t.Errorf("%s gives\n%s", m.place(), mutated)
		}
		got = append(got, m.operator+": "+strings.TrimPrefix(lines[2], "+ "))
	}
	want := []string{
		"&& becomes ||: if a < b || !t.ok {", "term dropped: if a < b {", "< becomes <=: if a <= b && !t.ok {",
		"! removed: if a < b && t.ok {", "+= becomes -=: t.n -= g(a, b)", "statement removed: +",
		"arguments swapped: t.n += g(b, a)", "constant raised: return 2, fmt.Errorf(\"%d\", 3)",
		"statement removed: +", "- becomes +: x := a*0.5 + 0.0",
		"term dropped: x := a*0.5", "* becomes /: x := a/0.5 - 0.0", "term dropped: x := a - 0.0",
		"constant doubled: x := a*(2*0.5) - 0.0", "constant doubled: x := a*0.5 - 1.0", "++ becomes --: t.n--",
		"statement removed: +",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestEquivalents: each mutant that is listed as equivalent exists.
func TestEquivalents(t *testing.T) {
	known, err := readEquivalents("equivalent.txt")
	if err != nil {
		t.Fatal(err)
	}
	groups, err := candidates("")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range slices.Concat(groups...) {
		delete(known, m.key())
	}
	for key := range known {
		t.Errorf("there is no such mutant:\n%s", key)
	}
}

// TestDraw: every mutant is drawn once, each group and each kind of edit in turn, and the
// seed decides.
func TestDraw(t *testing.T) {
	groups := [][]mutant{{}, {}}
	for i := range 40 {
		groups[i/20] = append(groups[i/20], mutant{file: string(rune('a' + i/20)), line: i,
			operator: string(rune('a' + i%20/16))})
	}
	drawn := func(seed uint64) (lines []int, files, kinds string) {
		for m := range draw(groups, seed) {
			lines, files, kinds = append(lines, m.line), files+m.file, kinds+m.operator
		}
		return lines, files, kinds
	}
	lines, files, kinds := drawn(1)
	if files[0] == files[1] || strings.Count(kinds[:8], "b") != 4 || strings.Repeat(files[:2], 20) != files {
		t.Errorf("files %s, kinds %s", files, kinds)
	}
	again, _, _ := drawn(1)
	other, _, _ := drawn(2)
	if !slices.Equal(lines, again) || slices.Equal(lines, other) {
		t.Errorf("seed 1 draws %v and %v, seed 2 %v", lines, again, other)
	}
	slices.Sort(lines)
	if len(slices.Compact(lines)) != 40 {
		t.Errorf("drawn: %v", lines)
	}
}

// TestPlan: each part of a regular expression names a test of its package.
func TestPlan(t *testing.T) {
	test := regexp.MustCompile(`(?m)^func (Test\w+)`)
	for _, target := range plan {
		for _, step := range target.steps() {
			folder, run, ok := strings.Cut(step, " -run=")
			files, err := filepath.Glob(filepath.Join(root(), folder, "*_test.go"))
			if err != nil || len(files) == 0 {
				t.Fatalf("%s has %d files of tests: %v", folder, len(files), err)
			}
			var names []string
			for _, file := range files {
				src, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				for _, match := range test.FindAllSubmatch(src, -1) {
					names = append(names, string(match[1]))
				}
			}
			for part := range strings.SplitSeq(run, "|") {
				if ok && !slices.ContainsFunc(names, regexp.MustCompile(part).MatchString) {
					t.Errorf("%s: no test of %s matches %s", target.folder, folder, part)
				}
			}
		}
	}
}
