package study

import (
	"slices"
	"strings"
	"testing"

	"tallynet/scenarios/spec"
)

// TestShippedSettings: every shipped scenario states the origin of each claim. One that
// reproduces a result of a paper states the paper's settings. The reader checks that they
// are complete.
func TestShippedSettings(t *testing.T) {
	t.Parallel()
	for _, f := range shippedFiles(t) {
		file, s := f.name, f.scenario
		if slices.Contains(withoutSettings(), strings.TrimSuffix(file, ".yaml")) {
			continue
		}
		reproduces := false
		for _, c := range s.Claims {
			if !c.Stated {
				t.Errorf("%s: %s: no class", file, c.Text)
			}
			reproduces = reproduces || c.Class != "ours"
		}
		for _, table := range s.Tables {
			reproduces = reproduces || slices.ContainsFunc(table.Rows, func(r spec.RowSpec) bool { return r.Printed != nil })
		}
		if (reproduces || len(s.Figures) > 0) && len(s.Settings) == 0 {
			t.Errorf("%s: no settings", file)
		}
	}
}

// withoutSettings are the scenarios from before settings and classes existed.
func withoutSettings() []string {
	return strings.Fields(`
		`)
}
