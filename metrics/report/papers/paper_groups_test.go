package papers

import (
	"fmt"
	"strings"
	"testing"

	"tallynet/metrics/report/result"
)

func TestReferences(t *testing.T) {
	for name, want := range map[string]string{
		"Table I":                          "[Table I]",
		"Figure 1a":                        "[Figure 1]",
		"Figure 1a to c":                   "[Figure 1]",
		"Figure 1d, e (text)":              "[Figure 1]",
		"Figure 5b and 5c":                 "[Figure 5]",
		"Figures 1a, 1b and 3":             "[Figure 1 Figure 3]",
		"Figures 1a and 2":                 "[Figure 1 Figure 2]",
		"Corollaries 1 to 4":               "[Corollary 1 Corollary 2 Corollary 3 Corollary 4]",
		"Corollary 6; Table 2":             "[Corollary 6 Table 2]",
		"Corollary 6; with the constant 1": "[Corollary 6]",
		"Corollary 10 and Table 1":         "[Corollary 10 Table 1]",
		"Theorem 4, Corollary 6":           "[Theorem 4 Corollary 6]",
		"Theorem 1 and Remark 1":           "[Theorem 1 Remark 1]",
		"Theorems 3.1 and 3.2":             "[Theorem 3.1 Theorem 3.2]",
		"Table 2, with another measure":    "[Table 2]",
		"Section S1":                       "[Section S1]",
		"Appendix A.1":                     "[Appendix A.1]",
		"Appendix on Corollaries 1 to 3":   "[Corollary 1 Corollary 2 Corollary 3]",
		"beside Table 1":                   "[Table 1]",
		"":                                 "[]",
		"somewhere else":                   "[]",
	} {
		if got := fmt.Sprint(references(name)); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

// TestGroups: there is a row for each printed table and figure. A claim about two figures counts in
// both and is written once. Theorems share one row, and the rest another.
func TestGroups(t *testing.T) {
	var v Verified
	for _, name := range []string{"Figure 2b", "Section 6", "Figures 1a and 2", "Table 1", "Theorem 2", "Figure 1a",
		"Figure 2",
		"Corollary 8", "Theorem 1", "Appendix A.1", "in passing"} {
		v.Claims = append(v.Claims, result.Claim{Text: "of " + name, Source: "A, " + name, Verdict: result.Holds,
			Class: result.Ours})
	}
	var got []string
	for _, g := range groupsOf(itemsOf([]Verified{v})) {
		got = append(got, fmt.Sprintf("%s: %d parts, %s", g.whole.name, len(g.parts), g.whole.verdict(result.Ours)))
	}
	want := `Table 1: 1 parts, 1 of 1 hold
Figure 1: 2 parts, 2 of 2 hold
Figure 2: 2 parts, 3 of 3 hold
Corollary 8; Theorems 1, 2: 3 parts, 3 of 3 hold
Appendix A.1; Section 6; in passing: 3 parts, 3 of 3 hold`
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	page := written(t, NewPages([]Verified{v}, "x", false))["a.md"]
	for _, name := range []string{"of Figures 1a and 2", "of Figure 2", "of Theorem 1"} {
		if n := strings.Count(page, "- **holds**: "+name+"."); n != 1 {
			t.Errorf("the page has %q %d times:\n%s", name, n, page)
		}
	}
}
