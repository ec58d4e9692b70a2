package figure

import "testing"

// Unwritten finds the characters that a format cannot show, wherever they are.
func TestUnwritten(t *testing.T) {
	for text, want := range map[string]string{
		"DAGM_α=1e-3, ‖∇Φ‖² ≤ ½ ⁻⁴ ∞ → “q” é ß ł": "",
		"a язык": "язык", // LaTeX has no commands for them

		"日本語 のラベル 日":    "日本語のラベル",
		"a عربي b":      "عربي",
		"עברית":         "עברית",
		"\U0001F600":    "\U0001F600",
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
