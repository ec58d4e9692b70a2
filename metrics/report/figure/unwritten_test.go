package figure

import "testing"

// A figure knows which of its letters an embedded font cannot write, wherever they stand.
func TestUnwritten(t *testing.T) {
	for text, want := range map[string]string{
		"DAGM_α=1e-3, ‖∇Φ‖² ≤ ½ ⁻⁴ ∞ → “q” é ß ł язык": "",
		"日本語 のラベル 日":    "日本語のラベル",
		"a عربي b":      "عربي",
		"עברית":         "עברית",
		"tab\tand \x1b": "",
	} {
		for name, f := range map[string]Figure{
			"title":  {Title: text, Panels: []Plot{{}}},
			"note":   {Notes: []string{text}, Panels: []Plot{{}}},
			"axis":   {Panels: []Plot{{}, {YLabel: text}}},
			"series": {Panels: []Plot{{Series: []Series{{Label: "a"}, {Label: text}}}}},
			"mark":   {Panels: []Plot{{Marks: []Mark{{Label: text}}}}},
		} {
			if got := string(f.Unwritten()); got != want {
				t.Errorf("%s %q: %q, want %q", name, text, got, want)
			}
		}
	}
}
