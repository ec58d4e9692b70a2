package escape

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// labels are unlikely names of methods that somebody will use all the same.
var labels = []string{
	"", "DAGM", "\x1b[31mred\x1b[2J\x07 \u202ertl \x00", "a\u0085b\u009b31m", "\u2066x\u2069", "bad \xff\xfe utf8",
	"\ufffe\uffff\ufdd0", "=1+1", "'=1", "''=1", "'quoted'", "+cmd|' /C calc'!A0", "-1+2", "-0.5", "@SUM(A1)", "\t=x",
	"\r=x", " =x", "\n=x", `\u001b`, `\\u001b`, `\x41\U0001F600`,
	"line\u2028separator", "a\nb", "\v\f\b\x7f\"\\/", "\U000e0041tag",
	"<script>alert(1)</script>", "![](http://evil/x.png)", "[x](javascript:alert(1))", "|a|`b`", "- item", "1. item",
	"# heading", "www.evil.com", "=====", "---", "α ≤ β², é ½ ✓ 中 \"quoted\"", "a & b % $ # _ { } ~ ^ \\",
	strings.Repeat("x", 10_000),
}

func TestPlainIsOneSafeLine(t *testing.T) {
	for _, label := range labels {
		got := Plain(label)
		for _, r := range got {
			if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) || r&0xfffe == 0xfffe {
				t.Errorf("%q has %q", got, r)
			}
		}
		if !utf8.ValidString(got) || Plain(got) != got {
			t.Errorf("Plain(%q) = %q", label, got)
		}
	}
	if got, want := Plain("a\n\x1b[0m\u202e\xff\U000e0041"), `a \u001b[0m\u202e\xff\U000e0041`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := Block("a\n\tb\x1b\r"), "a\n\tb\\u001b\\u000d"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCSVReadsBack(t *testing.T) {
	for _, label := range labels {
		cell := CSV(label)
		if got := FromCSV(cell); got != label {
			t.Errorf("%q is written as %q and read as %q", label, cell, got)
		}
		number := label == "-0.5"
		if trimmed := strings.TrimSpace(cell); trimmed != "" && strings.ContainsRune("=+-@", rune(trimmed[0])) != number {
			t.Errorf("%q is written as %q", label, cell)
		}
		for _, r := range cell {
			if unicode.IsControl(r) && r != '\n' || unicode.Is(unicode.Cf, r) {
				t.Errorf("%q has %q", cell, r)
			}
		}
	}
}

func FuzzCSVReadsBack(f *testing.F) {
	for _, label := range labels {
		f.Add(label)
	}
	f.Fuzz(func(t *testing.T, label string) {
		if got := FromCSV(CSV(label)); got != label {
			t.Errorf("%q is written as %q and read as %q", label, CSV(label), got)
		}
	})
}

func TestMarkdown(t *testing.T) {
	for s, want := range map[string]string{
		"<script>":               `\<script\>`,
		"![](http://evil/x.png)": `!\[\](http\://evil/x.png)`,
		"a|b`c`":                 "a\\|b\\`c\\`",
		"- item":                 `\- item`,
		"1. item":                `1\. item`,
		"12) item":               `12\) item`,
		"0.5 and -1":             `0.5 and -1`,
		"---":                    `\---`,
		"www.evil.com":           `www\.evil.com`,
		"grad_norm2 x_ -1":       `grad_norm2 x\_ -1`,
		"\x1b[2J\n# x":           `\\u001b\[2J \# x`,
	} {
		if got := Markdown(s); got != want {
			t.Errorf("Markdown(%q) = %s, want %s", s, got, want)
		}
	}
}

func TestLaTeXIsPlainASCII(t *testing.T) {
	for _, label := range labels {
		for _, r := range LaTeX(label) {
			if r < ' ' || r >= unicode.MaxASCII {
				t.Errorf("LaTeX(%q) has %q", label, r)
			}
		}
	}
	for s, want := range map[string]string{
		`say "a" & "b"`: "say ``a'' \\& ``b''",
		"α é ï ç ½ 中":   `$\alpha$ \'{e} \"{\i} \c{c} $\frac12$ {[}U+4E2D{]}`,
		"a--b ''c":      "a-{}-b '{}'c",
		"\x1b[0m":       `\textbackslash{}u001b{[}0m`,
	} {
		if got := LaTeX(s); got != want {
			t.Errorf("LaTeX(%q) = %s, want %s", s, got, want)
		}
	}
}

func TestJSON(t *testing.T) {
	for _, label := range labels {
		document, err := json.Marshal(map[string]string{"label": label})
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]string
		if err := json.Unmarshal(JSON(document), &got); err != nil {
			t.Errorf("%q: %v", label, err)
		}
		if want := Plain(strings.ToValidUTF8(label, "\ufffd")); len(label) != 0 && !strings.Contains(label, "\xff") &&
			got["label"] != want {
			t.Errorf("%q: got %q, want %q", label, got["label"], want)
		}
	}
}

func TestNames(t *testing.T) {
	long := strings.Repeat("a", 5000) + "1" + strings.Repeat("b", 5000)
	got := Names([]string{"DAGM", long, strings.Replace(long, "1", "2", 1)})
	if got[0] != "DAGM" || len([]rune(got[1])) != maxName || !strings.Contains(got[1], "a…b") || got[2] != got[1]+" (2)" {
		t.Errorf("got %q", got)
	}
}

// A character may arrive in pieces.
func TestWriter(t *testing.T) {
	const text = "α ≤ 中\U0001F600 \x1b[2J\n\ttab\r\u202e \xff"
	for size := 1; size < 8; size++ {
		var b strings.Builder
		w := &Writer{Raw: &b}
		for i := 0; i < len(text); i += size {
			piece := text[i:min(i+size, len(text))]
			if n, err := w.Write([]byte(piece)); n != len(piece) || err != nil {
				t.Fatalf("wrote %d of %d: %v", n, len(piece), err)
			}
		}
		if _, err := w.Write([]byte("\xe4\xb8")); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if got, want := b.String(), Block(text+"\xe4\xb8"); got != want {
			t.Errorf("in pieces of %d: %q, want %q", size, got, want)
		}
	}
}
