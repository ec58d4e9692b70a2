package scenarios

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestYAML reads what YAML offers besides plain keys and values.
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

// TestAliasBomb: aliases of aliases must not exhaust the machine.
func TestAliasBomb(t *testing.T) {
	var b strings.Builder
	b.WriteString("version: 1\nname: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 12; i++ {
		prev := "*a" + string(rune('a'+i-1))
		if i == 1 {
			prev = "*a0"
		}
		b.WriteString("k" + string(rune('a'+i)) + ": &a" + string(rune('a'+i)) + " [" + strings.Repeat(prev+", ", 9) +
			prev + "]\n")
	}
	_, err := Parse("bomb.yaml", []byte(b.String()), builtin(), nil)
	if err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("%v", err)
	}
}

// FuzzParse: whatever the text, an error has a place, and nothing panics.
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
				checkPositions(t, err)
				_ = err.Error()
				continue
			}
			js, err := json.Marshal(s.Resolved())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Parse("again.yaml", js, cat, nil); err != nil {
				t.Fatalf("%v\nof\n%s", err, src)
			}
		}
	})
}

// TestHostile: texts that would overflow a stack or take minutes are refused at once.
func TestHostile(t *testing.T) {
	for what, src := range map[string]string{
		"lists on one line":  strings.Repeat("- ", 1<<18),
		"open brackets":      strings.Repeat("[", 1<<18),
		"open braces":        strings.Repeat("{a: ", 1<<16),
		"complex keys":       strings.Repeat("? ", 1<<18),
		"tags":               strings.Repeat("!a ", 1<<18),
		"anchors":            strings.Repeat("&a ", 1<<18),
		"keys of one name":   strings.Repeat("a:\n", 1<<17),
		"keys in a section":  "network:\n" + strings.Repeat("  a: b\n\n", 1<<16),
		"quotes":             strings.Repeat("'", 1<<16),
		"a long line":        "name: " + strings.Repeat("é", 1<<18) + ": x",
		"many documents":     strings.Repeat("---\n", 1<<16),
		"a tab in an indent": "version: 1\n\ta: b\n",
	} {
		_, err := Parse("hostile.yaml", []byte(src), builtin(), nil)
		if err == nil {
			t.Errorf("%s: it loads", what)
			continue
		}
		checkPositions(t, err)
		if len(err.Error()) > 2000 {
			t.Errorf("%s: the message has %d bytes", what, len(err.Error()))
		}
	}
}
