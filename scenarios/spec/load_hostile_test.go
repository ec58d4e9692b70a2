package spec

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"tallynet/scenarios/keys"
	"tallynet/scenarios/sections"
)

// TestYAML reads directives, block scalars, anchors, merge keys and several line ends.
func TestYAML(t *testing.T) {
	s := mustParse(t, "\ufeff%YAML 1.2\n---\r\nversion: 1\r\nname: 12\nabout: >\n  Two lines\n  of text.\n"+
		"topology: &t {kind: ring, nodes: 8}\nproblem: {kind: quadratic, p: 3, q: 5}\n"+
		"algorithms:\n- &a {name: dagm, inner: 2, neumann: 3, alpha: +1e-2, beta: .5}\n- {<<: *a, label: 'Twice', "+
		"alpha: 2}\n...\n")
	if s.Name != "12" || s.About != "Two lines of text." || s.Topology.Nodes != 8 {
		t.Errorf("%q, %q, %d", s.Name, s.About, s.Topology.Nodes)
	}
	a, b := s.Algorithms[0], s.Algorithms[1]
	if a.Args.Float("alpha") != 0.01 || a.Args.Float("beta") != 0.5 || b.Args.Float("alpha") != 2 ||
		b.Args.Int("neumann") != 3 || b.Label != "Twice" {
		t.Errorf("%v, %v", a, b)
	}
}

// TestLineEnds checks the positions of errors with each of YAML's three line ends.
func TestLineEnds(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		for text, want := range map[string]string{
			"topolog: {kind: ring}": "a.yaml:3:1: ", "about: é\x01": "a.yaml:3:9: ", "about: é\xff": "a.yaml:3:9: ",
			"topology: {kind: rin, nodes: 4}": "a.yaml:3:18: ", "seeds: [": "a.yaml:3:8: ",
		} {
			src := strings.Join([]string{"version: 1", "problem: {kind: consensus, dim: 2}", text,
				"algorithms: [{name: gossip, rounds: 3}]"}, end)
			_, err := Parse("a.yaml", []byte(src), builtin(), nil)
			if err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%q: %v, want one at %s", src, err, want)
			}
		}
	}
}

// TestAliasBomb checks that exponentially growing aliases are rejected.
func TestAliasBomb(t *testing.T) {
	var b strings.Builder
	b.WriteString("version: 1\nk0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := range 11 {
		alias := fmt.Sprintf("*a%d", i)
		fmt.Fprintf(&b, "k%d: &a%d [%s%s]\n", i+1, i+1, strings.Repeat(alias+", ", 9), alias)
	}
	_, err := Parse("bomb.yaml", []byte(b.String()), builtin(), nil)
	if err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("%v", err)
	}
}

// lineEnds matches the line ends of YAML.
var lineEnds = regexp.MustCompile("\r\n|\r|\n")

// checkInside fails unless every error in err has a position in src.
func checkInside(t *testing.T, src string, err error) {
	t.Helper()
	checkPositions(t, err)
	lines := lineEnds.Split(strings.TrimPrefix(src, "\ufeff"), -1)
	var one *keys.FileError
	var list keys.FileErrors
	if errors.As(err, &one) && !errors.As(err, &list) {
		list = keys.FileErrors{one}
	}
	for _, e := range list {
		if e.Set == "" && (e.Line > len(lines) || e.Column > utf8.RuneCountInString(lines[e.Line-1])+1) {
			t.Errorf("%s:%d:%d is outside of the file, which has %d lines", e.File, e.Line, e.Column, len(lines))
		}
	}
}

// FuzzParse checks that errors have a position in the file, and that the resolved form of an accepted scenario loads
// and resolves to itself.
func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/broken/*.yaml")
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(src), "network.latency=2ms")
	}
	f.Add(full, `algorithms["DGTBO"].gamma=1`)
	f.Add(small, "seeds=[1, 2]")
	f.Add(string(Template(builtin())), "sweep={wire: [float16]}")
	cat := builtin()
	f.Fuzz(func(t *testing.T, src, set string) {
		for _, sets := range [][]string{nil, {set}} {
			s, err := Parse("fuzz.yaml", []byte(src), cat, sets)
			if err != nil {
				checkInside(t, src, err)
				_ = err.Error()
				continue
			}
			first, err := json.Marshal(s.Resolved())
			if err != nil {
				t.Fatal(err)
			}
			again, err := Parse("again.yaml", first, cat, nil)
			if err != nil {
				t.Fatalf("%v\nof\n%s", err, src)
			}
			second, err := json.Marshal(again.Resolved())
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(first), string(second)); d != "" {
				t.Errorf("resolved again:\n%s", d)
			}
		}
	})
}

// FuzzTopology checks that a section topology is rejected with a position in the file, or yields a connected graph
// with a symmetric, doubly stochastic mixing matrix.
func FuzzTopology(f *testing.F) {
	for _, e := range builtin().Topologies {
		text := "{kind: " + e.Name + ", nodes: 16"
		for _, p := range e.Params {
			text += fmt.Sprintf(", %s: %s", p.Name, p.Example)
		}
		for _, weights := range []string{"metropolis", "lazy-metropolis", "max-degree", "uniform-neighbor",
			"{kind: ring-a, a: 0.5}"} {
			f.Add(text + ", weights: " + weights + "}")
		}
	}
	f.Add("{kind: complete, nodes: 2, weights: {matrix: [[0.75, 0.25], [0.25, 0.75]]}}")
	f.Add("{kind: complete, nodes: 2, weights: {matrix: [[0.75, 0.5], [0.25, 0.75]]}}")
	f.Add("\r\r\r n\xd1") // each begins a line
	f.Add("{kind: edges, nodes: 4, edges: [[0, 1], [2, 3]]}")
	cat := builtin()
	f.Fuzz(func(t *testing.T, section string) {
		src := "version: 1\nproblem: {kind: consensus, dim: 2}\nalgorithms: [{name: gossip, rounds: 3}]\ntopology: " +
			section + "\n"
		s, err := Parse("fuzz.yaml", []byte(src), cat, nil)
		if err != nil {
			checkInside(t, src, err)
			return
		}
		if s.Topology.Nodes > 50 {
			return // valid, but too slow for a fuzzer
		}
		at := sections.Site{Seed: 1, Topology: s.Topology, Dir: s.Dir(), Fail: s.Errorf}
		if err := at.SetGraph(cat); err != nil {
			checkInside(t, src, err)
			return
		}
		g, w := at.Graph, at.Mixing
		if g.Nodes() != s.Topology.Nodes || w.Nodes() != g.Nodes() {
			t.Fatalf("%d nodes, a matrix for %d, want %d", g.Nodes(), w.Nodes(), s.Topology.Nodes)
		}
		if err := g.CheckConnected(); err != nil {
			t.Error(err)
		}
		for i := range g.Nodes() {
			sum := 0.0
			for j := range g.Nodes() {
				v := w.At(i, j)
				if !(v >= 0) || v != w.At(j, i) || v != 0 && i != j && !g.HasEdge(i, j) {
					t.Fatalf("w(%d, %d) is %v, w(%d, %d) is %v", i, j, v, j, i, w.At(j, i))
				}
				sum += v
			}
			if !(math.Abs(sum-1) <= 1e-9) {
				t.Fatalf("row %d sums to %v", i, sum)
			}
		}
	})
}

// TestHostile checks that texts that would overflow a stack or take minutes are rejected quickly.
func TestHostile(t *testing.T) {
	const deep, many = "nested more than 100 levels deep", "more than 10000 keys in one section"
	for what, c := range map[string]struct{ src, want string }{
		"lists on one line":  {strings.Repeat("- ", 1<<16), deep},
		"open brackets":      {strings.Repeat("[", 1<<16), deep},
		"open braces":        {strings.Repeat("{a: ", 1<<15), deep},
		"complex keys":       {strings.Repeat("? ", 1<<18), deep},
		"tags":               {strings.Repeat("!a ", 1<<15), deep},
		"anchors":            {strings.Repeat("&a ", 1<<15), deep},
		"keys of one name":   {strings.Repeat("a:\n", 1<<15), many},
		"keys in a section":  {"network:\n" + strings.Repeat("  a: b\n\n", 1<<15), many},
		"quotes":             {strings.Repeat("'", 1<<16), "want a section of keys"},
		"a long line":        {"name: " + strings.Repeat("é", 1<<18) + ": x", "mapping value is not allowed in"},
		"many documents":     {strings.Repeat("---\n", 1<<15), many},
		"a tab in an indent": {"version: 1\n\ta: b\n", "a tab in the indentation"},
	} {
		_, err := Parse("hostile.yaml", []byte(c.src), builtin(), nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %.100v, want %s", what, err, c.want)
			continue
		}
		checkPositions(t, err)
		if len(err.Error()) > 2000 {
			t.Errorf("%s: the message has %d bytes", what, len(err.Error()))
		}
	}
}
