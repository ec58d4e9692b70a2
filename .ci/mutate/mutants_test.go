package main

import (
	"cmp"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
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

// TestDraw: every mutant is drawn once. Groups and kinds of edits take turns, and the
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

// TestSome: packages take turns, and none comes twice.
func TestSome(t *testing.T) {
	var groups [][]mutant
	for i := range 13 {
		groups = append(groups, []mutant{{line: i}})
	}
	seen := map[int]int{}
	for seed := range uint64(300) {
		drawn := some(groups, 3, seed)
		inOrder := slices.IsSortedFunc(drawn, func(a, b []mutant) int { return cmp.Compare(a[0].line, b[0].line) })
		if len(drawn) != 3 || !inOrder {
			t.Fatalf("seed %d: %v", seed, drawn)
		}
		for _, g := range drawn {
			seen[g[0].line]++
		}
		if again := some(groups, 3, seed); !reflect.DeepEqual(drawn, again) {
			t.Fatalf("seed %d: %v and %v", seed, drawn, again)
		}
	}
	for i := range groups { // 69 are expected, with a standard deviation of 7
		if seen[i] < 34 || seen[i] > 104 {
			t.Errorf("package %d is drawn %d times of 300", i, seen[i])
		}
	}
	for _, count := range []int{0, 13, 20} {
		if got := some(groups, count, 1); len(got) != 13 {
			t.Errorf("of %d packages: %d", count, len(got))
		}
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

// TestWeave runs a program that contains every mutant. The expected outputs are computed by hand.
func TestWeave(t *testing.T) {
	const src = `package main

import "fmt"

type counter struct{ n int }

func (c *counter) add(a int, _ string, more ...int) {
	c.n += a
	for _, m := range more {
		c.n += m
	}
}

func (counter) sum(int) int { return 4 + 3 }

func other[K comparable](a, b K) K {
	if a == b {
		return b
	}
	return a
}

func even(k int) (ok bool) {
	switch k {
	case 0:
		ok = true
	default:
		if k < 0 {
			k += 2
		}
		return k%2 == 0
	}
	return
}

func main() {
	var c counter
	c.add(1, "", 2, 3)
	fmt.Print(c.n, c.sum(0), other(5, 6), even(1))
}
`
	mutants, err := mutate(target{folder: "p"}, "p/a.go", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	mutants = slices.DeleteFunc(mutants, func(m mutant) bool {
		return m.function == "main" || m.key() == "p/a.go counter.add\n- c.n += m\n+\n"
	}) // the latter leaves a name unused
	woven, err := weave(mutants)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	woven["go.mod"] = []byte("module p\n\ngo 1.26\n")
	for name, text := range woven {
		if err := os.WriteFile(filepath.Join(folder, filepath.Base(name)), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-o", "program", ".")
	build.Dir = folder
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	prints := func(number int) string {
		program := exec.Command(filepath.Join(folder, "program"))
		program.Env = []string{selects + "=" + strconv.Itoa(number)}
		if number == 0 {
			program.Env = append(program.Env, traces+"="+filepath.Join(folder, "reached"))
		}
		output, err := program.CombinedOutput()
		if err != nil {
			t.Errorf("mutant %d: %v", number, err)
		}
		return string(output)
	}
	if got := prints(0); got != "6 7 5 false" {
		t.Errorf("without a mutant it prints %q", got)
	}
	const sum = "func (counter) sum(int) int { return "
	want := map[string]string{
		"c.n -= a": "4 7 5 false", "- c.n += a +": "5 7 5 false", "c.n -= m": "-4 7 5 false",
		sum + "4 - 3 }": "6 1 5 false", sum + "4 }": "6 4 5 false", sum + "5 + 3 }": "6 8 5 false",
		sum + "4 + 4 }": "6 8 5 false", "if a != b {": "6 7 6 false", "case 1:": "6 7 5 true",
		"- ok = true +": "6 7 5 false", "if k <= 0 {": "6 7 5 false", "if k < 1 {": "6 7 5 false",
		"k -= 2": "6 7 5 false", "- k += 2 +": "6 7 5 false", "k += 3": "6 7 5 false",
		"return k%2 != 0": "6 7 5 true", "return k/2 == 0": "6 7 5 true", "return k%3 == 0": "6 7 5 false",
		"return k%2 == 1": "6 7 5 true",
	}
	for i, m := range mutants {
		_, edit, _ := strings.Cut(strings.TrimSpace(m.key()), "\n")
		if before, after, _ := strings.Cut(edit, "\n"); after == "+" {
			edit = before + " +"
		} else {
			edit = strings.TrimPrefix(after, "+ ")
		}
		if got := prints(i + 1); got != want[edit] {
			t.Errorf("with %q it prints %q, want %q", edit, got, want[edit])
		}
		delete(want, edit)
	}
	if len(want) > 0 {
		t.Errorf("there are no mutants %q", want)
	}
	reached, err := os.ReadFile(filepath.Join(folder, "reached"))
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range mutants {
		got := slices.Contains(strings.Fields(string(reached)), strconv.Itoa(i+1))
		if want := m.line != 26 && m.line != 29; got != want { // ok = true; k += 2
			t.Errorf("%s is reached: %t", m.place(), got)
		}
	}
}

// TestRounds: a mutant meets the tests that reach it, in rounds of 0.2, 0.4, ... seconds, and tests that need it
// compiled alone.
func TestRounds(t *testing.T) {
	var suite []tested
	for i := range 9 {
		suite = append(suite, tested{name: string(rune('a' + i)), cpu: 150 * time.Millisecond,
			reaches: map[int]bool{7: i != 1, 8: i == 3}})
	}
	suite = append(suite, tested{name: "z", reaches: map[int]bool{7: true}, alone: true})
	for number, want := range map[int]string{7: "ac def ghi", 8: "d", 9: ""} {
		var got []string
		for some := range rounds(suite, number) {
			var names string
			for _, t := range some {
				names += t.name
			}
			got = append(got, names)
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("mutant %d meets %q, want %q", number, got, want)
		}
		if got := pattern(lone(suite, number)); got != map[bool]string{true: "^(z)$", false: "^()$"}[number == 7] {
			t.Errorf("mutant %d alone meets %s", number, got)
		}
	}
}

// TestChoose: mutants that are listed as equivalent or do not compile do not count.
func TestChoose(t *testing.T) {
	var all []mutant
	for i := range 9 {
		all = append(all, mutant{file: string(rune('a' + i)), src: []byte("\n")})
	}
	fails := func(some []mutant) (map[int]bool, error) {
		bad := map[int]bool{}
		for i, m := range some {
			bad[i] = m.file == "a" || m.file == "d"
		}
		return bad, nil
	}
	known := map[string]bool{all[1].key(): true, all[4].key(): true}
	const first = "a broken, b equivalent, c survived, d broken, e equivalent, f survived, g survived"
	for count, want := range map[int]string{0: "", 3: first, 20: first + ", h survived, i survived"} {
		chosen, err := choose(slices.Values(all), known, count, fails)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, v := range chosen {
			got = append(got, v.file+" "+v.what.String())
		}
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("of %d: %s, want %s", count, got, want)
		}
	}
}

// TestBroken: mutants that leave a name unused do not compile. Mutants of a file that is
// not built here are never reported.
func TestBroken(t *testing.T) {
	const src = `package sim

func f(n int) int {
	for i, k := range []int{n} {
		n += i
		n += k / 1
	}
	return n / 1
}
`
	mutants, err := mutate(target{folder: "sim"}, "sim/a.go", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	c, err := newChecker([][]mutant{mutants})
	if err != nil {
		t.Fatal(err)
	}
	c.files["sim"] = []string{"a.go"}
	fails, err := c.broken(mutants)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, m := range mutants {
		if fails[i] {
			got = append(got, m.operator+": "+strings.Split(m.key(), "\n")[1])
		}
	}
	want := []string{"statement removed: - n += i", "statement removed: - n += k / 1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	c.files["sim"] = nil
	if fails, err = c.broken(mutants); err != nil || slices.Contains(slices.Collect(maps.Values(fails)), false) {
		t.Errorf("of a file that is not built: %v, %v", fails, err)
	}
}
