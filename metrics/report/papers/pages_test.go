package papers

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/result"
	"tallynet/sim/golden"
)

func TestItemOf(t *testing.T) {
	for source, want := range map[string][2]string{
		"Ji et al., Table 3: loss at k = 10, 50": {"Ji et al.", "Table 3"},
		"Nazari et al., Section S1":              {"Nazari et al.", "Section S1"},
		"somewhere":                              {"somewhere", ""},
	} {
		if paper, name := itemOf(source); paper != want[0] || name != want[1] {
			t.Errorf("%q: %q, %q", source, paper, name)
		}
	}
}

func TestPageOf(t *testing.T) {
	for paper, want := range map[string]string{
		"Nazari et al.": "nazari.md", "Readme and others": "paper-readme.md", "../../etc x": "etc.md", "中": "paper.md",
	} {
		if got := pageOf(paper); got != want {
			t.Errorf("%q: %q, want %q", paper, got, want)
		}
	}
}

// TestOrderOfItems: tables, figures, theorems, then the rest; each by number.
func TestOrderOfItems(t *testing.T) {
	var v Verified
	for _, name := range []string{"Section 6", "Theorem 2", "Figure 10", "Figure 2b", "Table 1", "Figure 2a", "Lemma 1"} {
		v.Claims = append(v.Claims, result.Claim{Source: "A, " + name})
	}
	var got []string
	for _, it := range itemsOf([]Verified{v}) {
		got = append(got, it.name)
	}
	if want := "Table 1, Figure 2a, Figure 2b, Figure 10, Lemma 1, Theorem 2, Section 6"; strings.Join(got,
		", ") != want {
		t.Error(got)
	}
}

// TestVerdictsOfItems counts claims by hand, each class separately.
func TestVerdictsOfItems(t *testing.T) {
	claim := func(class result.ClaimClass, change func(*result.Claim)) result.Claim {
		c := result.Claim{Source: "A, Table 1: x", Class: class, Verdict: result.Holds}
		change(&c)
		return c
	}
	plain := func(*result.Claim) {}
	exact := func(c *result.Claim) { c.Exact = true }
	differs := func(c *result.Claim) { c.Verdict, c.Expected = result.Fails, result.Differs }
	fails := func(c *result.Claim) { c.Verdict = result.Fails }
	open := func(c *result.Claim) { c.Verdict, c.Expected = result.Undecided, result.Open }
	undecided := func(c *result.Claim) { c.Verdict = result.Undecided }
	set := func(c *result.Claim) { c.Construction = true }
	const paper, bound, ours = result.OfPaper, result.OfBound, result.Ours
	for want, claims := range map[string][]result.Claim{
		"reproduced exactly":                       {claim(paper, exact), claim(paper, exact)},
		"reproduced":                               {claim(paper, exact), claim(paper, plain)},
		"differs":                                  {claim(paper, differs), claim(paper, differs)},
		"differs in 1 of 3":                        {claim(paper, exact), claim(paper, differs), claim(paper, plain)},
		"differs in 1 of 3, 1 undecided":           {claim(paper, open), claim(paper, differs), claim(paper, plain)},
		"1 of 2 undecided":                         {claim(paper, open), claim(paper, plain)},
		"undecided":                                {claim(bound, undecided), claim(bound, open)},
		"not as stated: 1 hold, 1 fail":            {claim(paper, plain), claim(paper, fails)},
		"not as stated: 1 otherwise than expected": {claim(ours, func(c *result.Claim) { c.Expected = result.Differs })},
		"consistent with the bound":                {claim(bound, plain), claim(bound, exact)},
		"consistent with the bound, 1 of 2 by construction": {claim(bound, plain), claim(bound, set)},
		"by construction": {claim(paper, set)},
		"2 of 2 hold":     {claim(ours, plain), claim(ours, exact)},
	} {
		items := itemsOf([]Verified{{Claims: claims}})
		if got := items[0].verdict(claims[0].Class); len(items) != 1 || got != want {
			t.Errorf("%d items, %q, want %q", len(items), got, want)
		}
		for _, other := range []result.ClaimClass{paper, bound, ours} {
			if got := items[0].verdict(other); other != claims[0].Class && got != "-" {
				t.Errorf("%s is counted as %s: %q", claims[0].Class, other, got)
			}
		}
	}
}

// verifiedOf returns a scenario that fills every part of a page with the given texts.
func verifiedOf(text string) []Verified {
	number := func(x float64) result.PaperCell {
		return result.PaperCell{Value: jsonio.Real(x), Low: jsonio.Real(x - 1), High: jsonio.Real(x + 1)}
	}
	printed, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	level := 0.5
	source := "Nazari et al., Table 2: " + text
	v := Verified{Scenario: "dagm " + text, File: "../../scenarios/" + text, Seconds: 125, Program: "tallynet " + text,
		Small: text,
		Settings: []result.Compared{{Name: "nodes " + text, Paper: text, Here: text + " here", Differs: true, Reason: text},
			{Name: "seeds", Paper: "10", Here: "10"}},
		Claims: []result.Claim{
			{Text: "the bound " + text, Source: source, Class: result.OfBound, Printed: printed, Verdict: result.Holds,
				Check: "at_most(" + text + ", 2)", Measured: result.Values{{Name: text, Value: 1}},
				Margins: []result.Margin{{Name: text, Value: 1, Low: 0.5, High: 1.5, Limit: 2}}},
			{Text: text, Source: source, Class: result.OfPaper, Printed: printed, Verdict: result.Fails,
				Expected: result.Differs, Because: text, Check: text},
			{Text: text, Source: source, Class: result.Ours, Verdict: result.Holds, Check: text},
			{Text: text, Source: source, Class: result.OfPaper, Printed: printed, Verdict: result.Holds, Construction: true,
				Because: text, Check: text},
		},
		Tables: []result.PaperTable{{Name: "table-2", Title: text, Source: source, Corner: text,
			Columns: []string{text, "b"},
			Rows: []result.PaperRow{
				{Name: text, Cells: []result.PaperCell{number(3), {Text: text}}, Printed: []json.RawMessage{printed, printed},
					Outcome: text},
				{Name: "not run", Printed: []json.RawMessage{printed, []byte("2")}, Outcome: text},
				{Name: "ours", Cells: []result.PaperCell{number(3), number(4)}},
			}}},
		Figures: []result.PaperFigure{{Name: "figure-1", Title: text, Source: "Nazari et al., Figure 1", Printed: text,
			Panels: []result.PaperPanel{{Title: text, X: "payload_bytes", Y: "grad_norm2", LogX: true, LogY: true,
				PerNode: true,
				Target:  &level, Curves: []result.PaperCurve{
					{Label: text, Runs: 3, X: []float64{0, 8, 16}, Mid: []float64{4, 2, 1}, Low: []float64{3, 1, 0},
						High: []float64{5, 4, 2}},
					{Label: "none", Reason: text},
				}}}}},
	}
	missing := Verified{Scenario: "other", Missing: "not run", Claims: []result.Claim{
		{Text: text, Source: "Nazari et al., Figure 3: x", Class: result.OfPaper, Printed: printed,
			Verdict: result.Undecided, Reason: "not run"},
		{Text: "again", Source: "Niu et al., Table I", Class: result.Ours, Verdict: result.Undecided, Reason: "not run"},
	}}
	return []Verified{v, missing}
}

// written returns the files of the pages by name.
func written(t *testing.T, p *Pages) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, f := range p.Files() {
		var b bytes.Buffer
		if err := f.Write(&b); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if files[f.Name] != "" {
			t.Errorf("two files are called %s", f.Name)
		}
		files[f.Name] = b.String()
	}
	return files
}

// TestPages compares small pages with golden files.
func TestPages(t *testing.T) {
	files := written(t, NewPages(verifiedOf("O(kappa^4)"), "simulate verify x", false))
	var names []string
	for name, got := range files {
		names = append(names, name)
		if !strings.HasSuffix(name, ".md") && !strings.HasSuffix(name, ".tex") {
			continue
		}
		golden.Check(t, filepath.Join("testdata", "pages", name), got)
	}
	slices.Sort(names)
	const want = "README.md dagm-o-kappa-4-figure-1.png dagm-o-kappa-4-figure-1.svg dagm-o-kappa-4-table-2.csv " +
		"dagm-o-kappa-4-table-2.tex nazari.md niu.md"
	if strings.Join(names, " ") != want {
		t.Errorf("%v", names)
	}
}

// TestHostilePages: pages have no markup but their own, for any texts.
func TestHostilePages(t *testing.T) {
	own := []*regexp.Regexp{
		regexp.MustCompile(`<a id="[a-z0-9-]+"></a>`), regexp.MustCompile(`</?details>`),
		regexp.MustCompile(`<summary>Checks, and what was measured</summary>`), regexp.MustCompile("`[^`\n]*`"),
		regexp.MustCompile(`!?\[[^\]\n]*\]\([a-z0-9-]*(README)?(\.[a-z]+)?(#[a-z0-9-]+)?\)(<br>)?`),
		regexp.MustCompile(`\[|\]\([a-z0-9-]+\.svg\)(<br>)?`), // around a picture
	}
	for _, text := range []string{
		"</details><script>alert(1)</script> ![](http://evil/x.png) [x](javascript:y) | a `b` <b>",
		"\x1b[31m\u202e a\n# b\r\n- c", "=HYPERLINK(1)", `\input{/etc/passwd} $x$ & % # _ ~ ^`,
	} {
		for name, content := range written(t, NewPages(verifiedOf(text), text, true)) {
			if !strings.HasSuffix(name, ".md") {
				continue
			}
			plain := regexp.MustCompile(`\\.`).ReplaceAllString(content, "")
			for _, markup := range own {
				plain = markup.ReplaceAllString(plain, "")
			}
			for _, bad := range []string{"<", "](", "![", "://", "\x1b", "\u202e", "\r", "\n# b"} {
				if i := strings.Index(strings.ReplaceAll(plain, "< ", ""), bad); i >= 0 {
					t.Errorf("%q: %s has %q: %.200q", text, name, bad, plain[max(0, i-60):])
				}
			}
			for line := range strings.Lines(plain) {
				if strings.HasPrefix(line, "|") && strings.Count(line, "|") > 8 {
					t.Errorf("%q: %s has a torn row: %q", text, name, line)
				}
			}
		}
	}
}

func TestShortName(t *testing.T) {
	for name, want := range map[string]string{
		"dagm.totals.matrix_bytes": "dagm.totals.matrix_bytes",
		`slope(map(runs("DAGM"), .point["problem.q"]), map(runs("DAGM"), .totals.payload_bytes)).value`: "slope(...).value",
		`map(at("DAGM", {"network.latency": "1ms", "topology.nodes": 8}), .final.grad_norm2)[0]`:        "map(...)[0]",
		`10 * to_bytes(run("DGBO (b = 1)"), "grad_norm2", 5e-05) / max(dagm.totals.payload_bytes, ` +
			`dgbo.totals.time_s)`: "10 * to_bytes(...) / max(...)",
		`run("SPARKLE-ED").totals.broadcast_elements.vector / run("D-SOBA").iterations`: `run("SPARKLE-ED").totals.` +
			`broadcast_elements.vector / run("D-SOBA").iterations`,
	} {
		if got := shortName(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestBroken(t *testing.T) {
	if got := strings.Join(broken("ab cdefghij k", 4), "|"); got != "ab|cdef|ghij|k" {
		t.Error(got)
	}
	if got := broken("", 4); len(got) != 0 {
		t.Errorf("%q", got)
	}
}
