package keys

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/metrics/jsonio"
	"tallynet/sim"
)

// readKey reads the key k of a file with its declaration.
func readKey(t *testing.T, text string, p Param) (any, error) {
	t.Helper()
	p.Name = "k"
	src := NewSource("a.yaml", []byte(text))
	root, ferr := src.Parse()
	if ferr != nil {
		return nil, ferr
	}
	r := &Reader{Src: src}
	a := r.Section("", "", root, src.At(1, 1), []Param{p})
	if len(r.Errs) > 0 {
		return nil, r.Err()
	}
	return a.Value("k"), nil
}

// complaint describes an expected error: its line and column, its key, and parts of its message and hint.
type complaint struct {
	line, column        int
	path, message, hint string
}

func (c complaint) check(t *testing.T, about string, err error) {
	t.Helper()
	var e *FileError
	if !errors.As(err, &e) {
		t.Errorf("%s: %v, want an error with a place", about, err)
		return
	}
	if e.Line != c.line || e.Column != c.column || e.Path != c.path || !strings.Contains(e.Message, c.message) ||
		!strings.Contains(e.Hint, c.hint) {
		t.Errorf("%s: %d:%d %q: %q, hint %q; want %d:%d %q: %q, hint %q", about, e.Line, e.Column, e.Path, e.Message,
			e.Hint, c.line, c.column, c.path, c.message, c.hint)
	}
}

// TestValues reads one value of each kind.
func TestValues(t *testing.T) {
	for _, c := range []struct {
		text string
		p    Param
		want any
	}{
		{"k: 7", Param{Kind: Int}, 7}, {"k: 1e3", Param{Kind: Int}, 1000}, {"k: -0", Param{Kind: Int}, 0},
		{"k: 2147483647", Param{Kind: Int}, math.MaxInt32}, {"k: .5", Param{Kind: Float}, 0.5},
		{"k: +1.e-2", Param{Kind: Float}, 0.01}, {"k: true", Param{Kind: Bool}, true},
		{"k: 007", Param{Kind: String}, "007"}, {"k: 'true'", Param{Kind: String}, "true"},
		{"k: b", Param{Kind: Enum, Enum: []string{"a", "b"}}, "b"}, {"k: 3", Param{Kind: Ints}, []int{3}},
		{"k: [1, 2]", Param{Kind: Ints}, []int{1, 2}}, {"k: []", Param{Kind: Floats}, []float64{}},
		{"k: [a, 'b c']", Param{Kind: Strings}, []string{"a", "b c"}},
		{"k: [[1, 0], [0, 1]]", Param{Kind: Matrix}, [][]float64{{1, 0}, {0, 1}}},
		{"k: [[0, 1]]", Param{Kind: Edges}, [][2]int{{0, 1}}}, {"k: 2ms", Param{Kind: Duration}, sim.Time(2e6)},
		{"k: 0", Param{Kind: Duration}, sim.Time(0)}, {"k: unlimited", Param{Kind: Bandwidth}, Unlimited},
		{"k: unlimited", Param{Kind: Flops}, Instant}, {"k: 1KiB", Param{Kind: Bytes}, DataSize(1024)},
		{"k: 2m", Param{Kind: Distance}, Length(2000)}, {"k: 50W", Param{Kind: Watts}, Power(50e6)},
		{"k: 10nJ/B", Param{Kind: ByteEnergy}, EnergyPerByte(1e7)}, {"k: 0.5/h", Param{Kind: HourPrice},
			PricePerHour(5e8)}, {"k: 0.09/GB", Param{Kind: BytePrice}, PricePerGigabyte(9e7)},
		{"k: {a: 1, b: x}", Param{Kind: Free}, jsonio.Of("a", 1, "b", "x")},
	} {
		got, err := readKey(t, c.text, c.p)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v (%T), %v; want %v", c.text, got, got, err, c.want)
		}
	}
}

// TestComplaints gives each reader invalid values, and checks the place, the words and the hint.
func TestComplaints(t *testing.T) {
	small, fraction := Between(1, 5), Inside(0, 1)
	letters := []string{"alpha", "beta"}
	for _, c := range []struct {
		text string
		p    Param
		want complaint
	}{
		// whole numbers
		{"k: 6", Param{Kind: Int, Range: small}, complaint{1, 4, "k", "at least 1 and at most 5", ""}},
		{"k: 1.5", Param{Kind: Int}, complaint{1, 4, "k", "want a whole number, got 1.5", ""}},
		{"k: 9007199254740993", Param{Kind: Int}, complaint{1, 4, "k", "is too large", ""}},
		{"k: 1e400", Param{Kind: Int}, complaint{1, 4, "k", "too large", ""}},
		{"k: 1e-400", Param{Kind: Int}, complaint{1, 4, "k", "want a whole number", ""}},
		{"k: " + strings.Repeat("1", 500), Param{Kind: Int}, complaint{1, 4, "k", "too large", ""}},
		{"k: 012", Param{Kind: Int}, complaint{1, 4, "k", "want a whole number", "leading zero"}},
		{"k: 1_000", Param{Kind: Int}, complaint{1, 4, "k", "want a whole number", "write 1000"}},
		{"k: 0x10", Param{Kind: Int}, complaint{1, 4, "k", "want a whole number", "in decimal"}},
		{"k: '7'", Param{Kind: Int}, complaint{1, 4, "k", "got the text", "remove the quotes"}},
		{"k: true", Param{Kind: Int}, complaint{1, 4, "k", `want a whole number, got "true"`, ""}},
		{"k: [1]", Param{Kind: Int}, complaint{1, 4, "k", "want a whole number, got a list", ""}},
		{"k:\n  a: 1", Param{Kind: Int}, complaint{2, 3, "k", "got a section of keys", ""}},
		{"k: {}", Param{Kind: Int}, complaint{1, 4, "k", "got an empty section", ""}},
		{"k:", Param{Kind: Int}, complaint{1, 1, "k", "has no value", "a whole number"}},
		{"k: ~", Param{Kind: Int, Example: "3"}, complaint{1, 1, "k", "has no value", "k: 3"}},
		// numbers
		{"k: 1", Param{Kind: Float, Range: fraction}, complaint{1, 4, "k", "above 0 and below 1", ""}},
		{"k: .nan", Param{Kind: Float}, complaint{1, 4, "k", "want a number", "finite"}},
		{"k: -.inf", Param{Kind: Float}, complaint{1, 4, "k", "want a number", "finite"}},
		{"k: 1e999", Param{Kind: Float}, complaint{1, 4, "k", "too large for a number", ""}},
		{"k: 50%", Param{Kind: Float}, complaint{1, 4, "k", "want a number", "0.5 for 50%"}},
		{"k: 0,5", Param{Kind: Float}, complaint{1, 4, "k", "want a number", "decimal point"}},
		{"k: 5ms", Param{Kind: Float}, complaint{1, 4, "k", "want a number", "no unit"}},
		// words
		{"k: yes", Param{Kind: Bool}, complaint{1, 4, "k", "neither true nor false", "write true or false"}},
		{"k: 'true'", Param{Kind: Bool}, complaint{1, 4, "k", "neither true nor false", ""}},
		{"k: '  '", Param{Kind: String}, complaint{1, 4, "k", "the text is empty", ""}},
		{"k: alpah", Param{Kind: Enum, Enum: letters}, complaint{1, 4, "k", "is not known", "did you mean alpha?"}},
		{"k: Alpha", Param{Kind: Enum, Enum: letters}, complaint{1, 4, "k", "is not known", "alpha"}},
		{"k: zzz", Param{Kind: Enum, Enum: letters}, complaint{1, 4, "k", "is not known", "one of: alpha, beta"}},
		{"k: next", Param{Kind: Enum, Enum: letters, NotYet: []string{"next"}},
			complaint{1, 4, "k", "not yet: next", "one of: alpha, beta"}},
		{"k: {kind: beta}", Param{Kind: Enum, Enum: letters}, complaint{1, 4, "k", "want one of", "k: beta"}},
		// quantities
		{"k: 1", Param{Kind: Duration}, complaint{1, 4, "k", "has no unit", "1ms"}},
		{"k: 1 fortnight", Param{Kind: Duration}, complaint{1, 4, "k", "not a unit of a time", "use one of: ns"}},
		{"k: -1ms", Param{Kind: Duration, Range: AtLeast(0)}, complaint{1, 4, "k", "out of range", ""}},
		{"k: 2000000h", Param{Kind: Duration}, complaint{1, 4, "k", "too long: no run goes beyond", ""}},
		{"k: unlimited", Param{Kind: Bytes}, complaint{1, 4, "k", "is not a size in bytes", "8kB"}},
		{"k: [1ms]", Param{Kind: Duration}, complaint{1, 4, "k", "want a time, got a list", ""}},
		// lists
		{"k:\n  - 1\n  - x", Param{Kind: Ints}, complaint{3, 5, "k[1]", "want a whole number", ""}},
		{"k: [1, [2]]", Param{Kind: Ints}, complaint{1, 8, "k[1]", "got a list", ""}},
		{"k: {a: 1}", Param{Kind: Floats}, complaint{1, 4, "k", "want a list of numbers, got a section", ""}},
		{"k: [alpha, gamma]", Param{Kind: Strings, Enum: letters}, complaint{1, 12, "k[1]", "is not known", ""}},
		{"k: []", Param{Kind: Matrix}, complaint{1, 4, "k", "got an empty list", "[[0.5"}},
		{"k: [[1, 2], [3]]", Param{Kind: Matrix}, complaint{1, 13, "k[1]", "has 1 numbers, the first one 2", ""}},
		{"k: [1, 2]", Param{Kind: Matrix}, complaint{1, 5, "k[0]", "want a row of numbers", ""}},
		{"k: [[0, 1, 2]]", Param{Kind: Edges}, complaint{1, 5, "k[0]", "want a pair of nodes", "[0, 1]"}},
		{"k: [[0, -1]]", Param{Kind: Edges}, complaint{1, 9, "k[0][1]", "at least 0", ""}},
		{"k: x", Param{Kind: Edges}, complaint{1, 4, "k", `got "x"`, ""}},
		// sections
		{"k: 3", Param{Kind: Section, Params: []Param{{Name: "a", Kind: Int}}},
			complaint{1, 4, "k", "want a section of keys", ""}},
		{"k: {b: 3}", Param{Kind: Section, Params: []Param{{Name: "abc", Kind: Int}}},
			complaint{1, 5, "k.b", "k has no such key", "want one of: abc"}},
		{"k: {a: 3, b: 4}", Param{Kind: Section, Params: []Param{{Name: "a", Kind: Int}, {Name: "b", Kind: Int,
			Unless: "a"}}}, complaint{1, 11, "k.b", "not used where a is given", "leave it out"}},
		{"k: {b: 4}", Param{Kind: Section, Params: []Param{{Name: "a", Kind: Int}, {Name: "b", Kind: Int,
			With: "a"}}}, complaint{1, 5, "k.b", "only where a is given", "or give a too"}},
		{"k: {}", Param{Kind: Section, Params: []Param{{Name: "a", Kind: Int, Required: true, Example: "3",
			About: "how many"}}}, complaint{1, 1, "k", "a is missing: how many", "write a: 3"}},
		{"k: {a: 3}", Param{Kind: Sections}, complaint{1, 4, "k", "want a list of sections", "- {...}"}},
		{"k: [1]", Param{Kind: Free, Example: "{a: 1}"}, complaint{1, 4, "k", "got a list", "{a: 1}"}},
		{"x: 1", Param{Kind: Int}, complaint{1, 1, "x", "the scenario has no such key", "k"}},
	} {
		_, err := readKey(t, c.text, c.p)
		c.want.check(t, c.text, err)
	}
}

// TestHostileText reads texts that are not YAML, or too large.
func TestHostileText(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 9; i++ {
		fmt.Fprintf(&bomb, "a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), i-1)
	}
	for _, c := range []struct {
		about, text string
		want        complaint
	}{
		{"no UTF-8", "a: 1\nb: \xff", complaint{2, 4, "", "byte 0xff is not UTF-8", ""}},
		{"control character", "a: 1\r\nb: \x00", complaint{2, 4, "", "control character 0x00", ""}},
		{"tab", "a:\n\tb: 1", complaint{2, 1, "", "a tab in the indentation", "spaces"}},
		{"colon", "a: b: c", complaint{1, 4, "", "not valid YAML", "quotes"}},
		{"twice", "a: 1\nb: 2\na: 3", complaint{3, 1, "", "given twice, first at a.yaml:1:1", "remove"}},
		{"two documents", "a: 1\n---\nb: 2", complaint{3, 1, "", "second YAML document", "one file"}},
		{"tag", "a: !!int 3", complaint{1, 4, "", "the YAML tag !!int is not used", ""}},
		{"unknown alias", "a: *b", complaint{1, 4, "", "*b repeats nothing", "&b"}},
		{"merge of a number", "a: {<<: 3}", complaint{1, 5, "", "want a section whose keys << takes over", ""}},
		{"nested brackets", "a: " + strings.Repeat("[", 200), complaint{1, 104, "", "nested more than 100", ""}},
		{"nested dashes", strings.Repeat("- ", 200) + "1", complaint{1, 201, "", "nested more than 100", ""}},
	} {
		_, err := NewSource("a.yaml", []byte(c.text)).Parse()
		if err == nil {
			t.Errorf("%s: it is read", c.about)
			continue
		}
		c.want.check(t, c.about, err)
	}
	if _, err := NewSource("a.yaml", []byte(bomb.String())).Parse(); err == nil ||
		!strings.Contains(err.Message, "counting what aliases repeat") {
		t.Errorf("a billion laughs: %v", err)
	}
	if v, err := NewSource("a.yaml", []byte("\ufeff# nothing\n")).Parse(); v != nil || err != nil {
		t.Errorf("a file without a value: %v, %v", v, err)
	}
}

// TestPaths reads valid and invalid paths.
func TestPaths(t *testing.T) {
	for text, want := range map[string]string{
		"network.latency": "network|latency", "algorithms[0].alpha": "algorithms|[0]|alpha",
		`algorithms["DGBO (b=5).x"].alpha`: "algorithms|DGBO (b=5).x|alpha", "a['b']": "a|b", " a . b ": "a|b",
	} {
		steps, err := ParsePath(text)
		var got []string
		for _, s := range steps {
			got = append(got, s.String())
		}
		if err != nil || strings.Join(got, "|") != want {
			t.Errorf("%q: %q, %v; want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"": "empty", "a..b": "a key is empty", ".a": "a key is empty", "[0]": "not a path", "a[-1]": "not a path",
		"a[x]": "not a path", "a[1": "not a path", `a["b]`: "not a path", "a[0]b": "a dot is missing",
		"a[99999999999999999999]": "not a path",
	} {
		steps, err := ParsePath(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %q", text, steps, err, want)
		}
	}
}

// TestOverrides applies changes to a tree, and checks that the original does not change.
func TestOverrides(t *testing.T) {
	const file = "a: {b: 1}\nl:\n  - {name: x, v: 1}\n  - {name: y, v: 2}\n  - {name: y, v: 3}\nseeds: 3\n"
	root, ferr := NewSource("a.yaml", []byte(file)).Parse()
	if ferr != nil {
		t.Fatal(ferr)
	}
	before := Flow(root)
	for _, c := range []struct{ set, want, wrong string }{
		{"a.b=2", "{a: {b: 2}, ", ""}, {"a.c.d=[1, 2]", "{a: {b: 1, c: {d: [1, 2]}}, ", ""},
		{"l.X.v=7", "{name: x, v: 7}", ""}, {"l[2].v=8", "{name: y, v: 8}]", ""}, {"seed=4", "}], seed: 4}", ""},
		{"a={x: 'y=z'}", "{a: {x: y=z}, ", ""}, {"a", "", "there is no ="}, {"a.b=", "", "no value after the ="},
		{"=1", "", "the path is empty"}, {"a.b.c=1", "", "a.b is the single value \"1\" and has no key c"},
		{"a[0]=1", "", "a is a section of keys, not a list"}, {"l[3].v=1", "", "l has 3 items; the last one is [2]"},
		{"l.y.v=1", "", "several items called y: use their labels, or l[1], l[2]"},
		{"l.zzz.v=1", "", "l has no item called zzz; want one of: x, y, y"}, {"new[0]=1", "", "new is not a list"},
		{"a.b=[1", "", "not valid YAML"}, {"a.b={c: 1, c: 2}", "", "given twice"},
	} {
		var tree *Value
		o, ferr := ParseOverride("a.yaml", c.set)
		err := error(ferr)
		if ferr == nil {
			tree, err = o.Apply(root)
		}
		switch {
		case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
			t.Errorf("%s: %v, want %q", c.set, err, c.wrong)
		case c.wrong == "" && (ferr != nil || err != nil && tree == nil || !strings.Contains(Flow(tree), c.want)):
			t.Errorf("%s: %v, want %s", c.set, err, c.want)
		}
		if ferr != nil && ferr.Set != "--set "+c.set {
			t.Errorf("%s: the error is placed at %v", c.set, ferr.FilePosition)
		}
	}
	if diff := cmp.Diff(before, Flow(root)); diff != "" {
		t.Errorf("the tree itself is changed:\n%s", diff)
	}
}

// TestErrorsShowTheirLine: an error shows its line with a caret, even if the line is long or odd.
func TestErrorsShowTheirLine(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"k: x", "a.yaml:1:4: k: want a whole number, got \"x\"\n    1 | k: x\n      |    ^"},
		{"'ä': 1\nk: é", "a.yaml:2:4: k: want a whole number, got \"é\"\n    2 | k: é\n      |    ^"},
	} {
		_, err := readKey(t, c.text, Param{Kind: Int})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q:\n%v\nwant\n%s", c.text, err, c.want)
		}
	}
	_, err := readKey(t, "k: "+strings.Repeat("é", 5000), Param{Kind: Int})
	for line := range strings.Lines(err.Error()) {
		if len([]rune(line)) > 120 {
			t.Errorf("a line of %d characters", len([]rune(line)))
		}
	}
	_, err = readKey(t, "k: ["+strings.Repeat("x, ", 1000)+"x]", Param{Kind: Ints})
	var all FileErrors
	if !errors.As(err, &all) || len(all) != MaxErrors {
		t.Errorf("%d errors are reported, want %d", len(all), MaxErrors)
	}
}

// TestQuantity reads the numbers that a sweep may have.
func TestQuantity(t *testing.T) {
	for text, want := range map[string]float64{"10ms": 0.01, "1Gbit/s": 1e9, "8kB": 8000, "10GFLOP/s": 1e10, "50W": 50,
		"10nJ/B": 1e-8, "0.5/h": 0.5, "0.09/GB": 0.09, "-3.5": -3.5, "2m": math.NaN(), "ring": math.NaN(),
		"nan": math.NaN(), "": math.NaN()} {
		got, ok := Quantity(text)
		if ok == math.IsNaN(want) || ok && got != want {
			t.Errorf("%q: %v, %v; want %v", text, got, ok, want)
		}
	}
}
