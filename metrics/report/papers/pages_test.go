package papers

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics/report/result"
	"tallynet/sim/golden"
)

// paperOf returns a registry whose texts are the given one.
func paperOf(text string) *Paper {
	fact := func(id, place string, class result.ClaimClass, value ...float64) result.Fact {
		return result.Fact{ID: id, Place: place, Class: class, Says: text, Value: value, Unit: text, Margin: 0.1,
			Relation: result.Equal}
	}
	cell := func(row, column string, value float64) result.Fact {
		f := fact("t1-"+row+"-"+column, "Table I, "+row, result.Number, value)
		f.Row, f.Column = row, column
		return f
	}
	open := fact("start", "Figure 1", result.Order, 1)
	open.Open = []string{"start"}
	slip := fact("slip", "Theorem 2", result.Bound, -0.5)
	slip.Slip = text
	unjudged := fact("seen", "Figure 1", result.Shape, 1)
	unjudged.Unjudged = text
	return &Paper{ID: "niu", Cite: "Niu " + text, Answer: text, Whole: true,
		Readings: []Reading{{"start", text, "", ""}, {"base", text, "10", text}},
		Facts: []result.Fact{cell("a", "0.7", 10), cell("a", "0.8", 20), cell("b", "0.7", 30), open, slip, unjudged,
			fact("count", "Section 3", result.CostFormula, 7), fact("s-nodes", "Section 4", result.ASetting),
			fact("bare", "Section 3", result.Number, 1)}}
}

// verifiedOf returns scenarios that fill every part of a page with the given text.
func verifiedOf(text string) []Verified {
	p, level := paperOf(text), 0.5
	claim := func(id string, class result.ClaimClass, verdict result.Verdict, cells ...float64) result.Claim {
		c := result.Claim{Fact: id, Class: class, Text: text, Source: p.Cite + ": x", Verdict: verdict,
			Cells: result.Cells(cells...), Check: text}
		if verdict != result.Holds {
			c.Expected, c.Because = result.Differs, text
		}
		return c
	}
	main := Verified{Scenario: "table", File: "scenarios/" + text, Paper: p, Seconds: 125, Program: "tallynet " + text,
		Small: text, Settings: []result.Compared{{Fact: "s-nodes", Name: text, Paper: text, Here: text, Differs: true,
			Reason: text}},
		Claims: []result.Claim{claim("t1-a-0.7", result.Number, result.Holds, 10.5),
			claim("t1-a-0.8", result.Number, result.Fails, 30), claim("t1-b-0.7", result.Number, result.Undecided, 33),
			claim("start", result.Order, result.Holds, 1), claim("slip", result.Bound, result.Fails, -0.4),
			claim("count", result.CostFormula, result.Holds, 7),
			{Text: text, Source: "this study", Class: result.Ours, Verdict: result.Holds, Check: text}},
		Tables: []result.PaperTable{{Name: "ours", Title: text, Source: "Niu, Section 3", Corner: text,
			Columns: []string{text, "b"}, Rows: []result.PaperRow{{Name: text, Cells: result.Cells(3, 4)}}}},
		Figures: []result.PaperFigure{{Name: "figure-1", Title: text, Source: "Niu, Figure 1",
			Panels: []result.PaperPanel{{Title: text, X: "payload_bytes", Y: "grad_norm2", LogX: true, LogY: true,
				PerNode: true, Target: &level, Marks: []result.Mark{{Name: text, X: 8, Y: 1}},
				Curves: []result.PaperCurve{{Label: text, Runs: 3, X: []float64{0, 8, 16}, Mid: []float64{4, 2, 1},
					Low: []float64{3, 1, 0}, High: []float64{5, 4, 2}}, {Label: "none", Reason: text}}}}}}}
	far := Verified{Scenario: "table start = far", Paper: p, Reading: "start = far", Varies: []string{"start"},
		Claims: []result.Claim{claim("start", result.Order, result.Fails, 1), claim("slip", result.Bound, result.Fails, 1)}}
	e := Verified{Scenario: "table base = e", Paper: p, Reading: "base = e", Varies: []string{"base"},
		Claims: []result.Claim{claim("t1-a-0.8", result.Number, result.Holds, 20)}}
	return []Verified{main, far, e}
}

// TestOneVerdict: each fact has one verdict, whatever the number of readings. Only readings on which words and
// programs are silent leave it open.
func TestOneVerdict(t *testing.T) {
	all := verifiedOf("text")
	facts, err := all[0].Paper.Judge(all)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"reproduced", "differs", "undecided", depends, "contradicted", notJudged, "reproduced", changed,
		notCovered}
	for i, f := range facts {
		if f.Verdict != want[i] {
			t.Errorf("%s: %s, want %s", f.ID, f.Verdict, want[i])
		}
	}
	if yes, of := facts[1].Share(); yes != 1 || of != 2 {
		t.Errorf("%d of %d readings", yes, of)
	}
	if yes, of := facts[3].Share(); yes != 1 || of != 2 {
		t.Errorf("%d of %d readings", yes, of)
	}
	all = append(all, Verified{Scenario: "again", Paper: all[0].Paper, Claims: all[0].Claims[:1]})
	if _, err := all[0].Paper.Judge(all); err == nil || !strings.Contains(err.Error(), "again") {
		t.Errorf("a fact that two scenarios judge: %v", err)
	}
}

// written returns the files of the pages by name.
func written(t *testing.T, all []Verified, small bool) map[string]string {
	t.Helper()
	p, err := NewPages(all, "simulate verify x", small)
	if err != nil {
		t.Fatal(err)
	}
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
	files := written(t, verifiedOf("O(kappa^4)"), false)
	var names []string
	for name, got := range files {
		names = append(names, name)
		if !strings.HasSuffix(name, ".md") && !strings.HasSuffix(name, ".tex") {
			continue
		}
		golden.Check(t, filepath.Join("testdata", "pages", name), got)
	}
	slices.Sort(names)
	const want = "README.md niu.md reproduction.json table-figure-1.png table-figure-1.svg table-ours.csv table-ours.tex"
	if strings.Join(names, " ") != want {
		t.Errorf("%v", names)
	}
}

// TestHostilePages: pages have no markup but their own, for any texts.
func TestHostilePages(t *testing.T) {
	own := []*regexp.Regexp{
		regexp.MustCompile(`<a id="[a-z0-9-]+"></a>`), regexp.MustCompile(`</?details>`),
		regexp.MustCompile(`<summary>(More|Scenarios)</summary>`), regexp.MustCompile("`[^`\n]*`"),
		regexp.MustCompile(`\[[^\]\n]*\]\([a-z0-9-]*(README)?(\.[a-z]+)?(#[a-z0-9-]+)?\)`),
		regexp.MustCompile(`<a href="[a-z0-9-]+\.svg"><img src="[a-z0-9-]+\.svg" alt="[^"<>]*" height="\d+"></a>`),
	}
	for _, text := range []string{
		"</details><script>alert(1)</script> ![](http://evil/x.png) [x](javascript:y) | a `b` <b>",
		"\x1b[31m\u202e a\n# b\r\n- c", "=HYPERLINK(1)", `\input{/etc/passwd} $x$ & % # _ ~ ^`,
	} {
		for name, content := range written(t, verifiedOf(text), true) {
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
