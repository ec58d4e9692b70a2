package study

import (
	"strings"
	"testing"
)

// TestShippedSettings: a shipped scenario that redraws a figure of a paper states the paper's settings. The reader
// checks that they are complete, and that a scenario with a paper has them. A scenario without one makes no claim
// about a paper.
func TestShippedSettings(t *testing.T) {
	t.Parallel()
	for _, f := range shippedFiles(t) {
		s := f.scenario
		if len(s.Figures) > 0 && len(s.Settings) == 0 {
			t.Errorf("%s: no settings", f.name)
		}
		for _, c := range s.Claims {
			if c.Fact == nil && !strings.HasPrefix(c.Source, "this study") {
				t.Errorf("%s: %q is of %q, and no printed fact", f.name, c.Text, c.Source)
			}
		}
	}
}
