package cli

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tallynet/scenarios"
	"tallynet/scenarios/problems/data"
)

// slowClock is a clock by which everything takes long.
func slowClock() func() time.Time {
	at := time.Unix(0, 0)
	return func() time.Time { at = at.Add(time.Millisecond); return at }
}

// A study that takes long says so before it begins, and what would take less.
func TestForewarn(t *testing.T) {
	const text = "version: 1\ntopology: {kind: ring, nodes: 4}\nproblem: {kind: quadratic, p: 10, q: 60}\n" +
		"algorithms: [{name: dagm, outer: 1000000, inner: 2, neumann: 3, alpha: 0.1, beta: 0.1}]\nseeds: 2\n"
	s, err := scenarios.Parse("x.yaml", []byte(text), builtin(), nil)
	if err != nil {
		t.Fatal(err)
	}
	study, err := scenarios.NewStudy(s, &data.Loader{})
	if err != nil {
		t.Fatal(err)
	}
	said := func(wanted int) string {
		var out bytes.Buffer
		a := &app{io: streams{Err: &out, Now: slowClock()}}
		if err := a.forewarn(study, wanted); err != nil {
			t.Error(err)
		}
		return out.String()
	}
	if text := said(2); !strings.HasPrefix(text, "time: about ") ||
		!strings.Contains(text, "for 2 runs, 2 at the same time") ||
		!strings.Contains(text, "  With outer: ") {
		t.Errorf("a long study: %q", text)
	}
	study.Scenario.Limits.Bytes = 8e5
	if text := said(2); !strings.HasPrefix(text,
		"memory: the problems of 2 runs at the same time need more than 800 kB") {
		t.Errorf("with little memory: %q", text)
	}
}

// predict says how long the runs take where there is a clock, in text alone.
func TestPredictTime(t *testing.T) {
	for format, want := range map[string]bool{"text": true, "csv": false} {
		var out, errs bytes.Buffer
		code := execute(context.Background(), builtin(), []string{"predict", "testdata/two.yaml", "--format", format},
			streams{Out: &out, Err: &errs, Now: slowClock()})
		said := strings.Contains(strings.Join(strings.Fields(out.String()), " "), "Time on this machine: about ")
		if code != codeDone || said != want {
			t.Errorf("%s: exit code %d\n%s%s", format, code, &out, &errs)
		}
	}
}

// A run that is quick is not announced.
func TestQuickRunIsQuiet(t *testing.T) {
	text := readText(t, "testdata/two.yaml")
	t.Chdir(t.TempDir())
	writeFile(t, "two.yaml", string(text))
	var out, errs bytes.Buffer
	code := execute(context.Background(), builtin(), []string{"run", "two.yaml", "--out", filepath.Join(".", "out")},
		streams{Out: &out, Err: &errs, Now: time.Now, Blank: drawn})
	if code != codeDone || strings.Contains(errs.String(), "time: about") {
		t.Errorf("exit code %d\n%s", code, &errs)
	}
}
