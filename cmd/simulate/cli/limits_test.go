package cli

import (
	"strings"
	"testing"
)

// The limits of what a scenario may take are flags of one name in each command that reads
// scenarios, and what is refused names them.
func TestLimitFlags(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"run", "testdata/study.yaml", "--max-runs", "1"}, codeUsage, "--max-runs raises the limit"},
		{[]string{"predict", "testdata/study.yaml", "--max-runs", "1"}, codeUsage, "--max-runs raises the limit"},
		{[]string{"run", "testdata/two.yaml", "--max-memory", "1kB"}, codeUsage, "--max-memory raises the limit"},
		{[]string{"verify", "testdata/claims.yaml", "--max-memory", "1kB"}, codeUsage, "--max-memory raises the limit"},
		{[]string{"predict", "testdata/two.yaml", "--max-memory", "1kB"}, codeDone, "above the limit of 1 kB"},
		{[]string{"run", "testdata/two.yaml", "--max-memory", "32"}, codeUsage, "an amount of memory with its unit"},
		{[]string{"run", "testdata/two.yaml", "--max-runs", "0"}, codeUsage, "a whole number of at least 1"},
	} {
		out, errs, code := simulate(c.args...)
		if all := strings.Join(strings.Fields(out+errs), " "); code != c.code || !strings.Contains(all, c.want) {
			t.Errorf("%v: exit code %d, want %d and %q:\n%s%s", c.args, code, c.code, c.want, out, errs)
		}
	}
}
