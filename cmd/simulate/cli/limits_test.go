package cli

import (
	"strings"
	"testing"

	"tallynet/scenarios/problems/data"
	"tallynet/scenarios/spec"
	"tallynet/scenarios/study"
)

// Each limit of a scenario's needs is a flag with one name in every command that reads
// scenarios, and errors name the flag.
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

// A run says when memory allows fewer parallel runs than there are cores.
func TestWarnOfMemory(t *testing.T) {
	s, err := spec.Load("testdata/two.yaml", builtin(), []string{"problem.q=60", "seeds=2"})
	if err != nil {
		t.Fatal(err)
	}
	study, err := study.New(s, &data.Loader{})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	a := &app{io: streams{Err: &out}}
	a.warnOfMemory(study, 2)
	if out.Len() > 0 {
		t.Errorf("with enough memory: %q", out.String())
	}
	s.Limits.Bytes = 8e5
	a.warnOfMemory(study, 2)
	want := "memory: the problems of 2 runs at the same time need more than 800 kB together; 1 at a time"
	if !strings.HasPrefix(out.String(), want) {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
