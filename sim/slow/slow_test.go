package slow_test

import (
	"strings"
	"testing"

	"tallynet/sim/slow"
)

// asked is a test that records why it is skipped, and continues.
type asked struct {
	testing.TB
	why string
}

func (a *asked) Helper()          {}
func (a *asked) Skip(args ...any) { a.why = args[0].(string) }

func TestSkip(t *testing.T) {
	for value, skipped := range map[string]bool{"": true, "1": false} {
		t.Setenv(slow.Variable, value)
		a := &asked{TB: t}
		slow.Skip(a, "it is an example")
		if (a.why != "") != skipped || skipped && !strings.HasSuffix(a.why, "is not set: it is an example") {
			t.Errorf("%s = %q: %q", slow.Variable, value, a.why)
		}
	}
}
