package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"tallynet/algorithms"
	"tallynet/metrics"
	"tallynet/metrics/report/result"
	"tallynet/node"
	"tallynet/scenarios/build"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/execute"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/spec"
	"tallynet/sim/slow"
)

func TestEveryEntryHasAnExampleThatRuns(t *testing.T) {
	slow.Skip(t, "each entry of the catalog is built, and each method runs")
	a := &app{catalog: catalog.New()}
	for _, s := range a.sections() {
		for _, e := range s.entries {
			for _, name := range e.Names() {
				found := a.find(name)
				if len(found) == 0 {
					t.Errorf("%s %s is not found", s.name, name)
				}
				for _, d := range found {
					example := d.example()
					scenario, err := spec.Parse("example.yaml", []byte(example), a.catalog, nil)
					if err != nil {
						t.Errorf("%s %s: %v", d.what, name, err)
						continue
					}
					if strings.Contains(example, "file: ") { // the user's own file, which does not exist here
						continue
					}
					in, err := build.Build(scenario, 1, &a.loader)
					if err != nil {
						t.Errorf("%s %s: %v", d.what, name, err)
						continue
					}
					if d.what == "algorithm" { // a first try should not diverge
						m := scenario.Algorithms[0]
						if run := execute.Run(t.Context(), in, m, m.Args, nil); run.Status != result.Completed {
							t.Errorf("the example of %s: %s: %s", name, run.Status, run.Reason)
						}
					}
					if !strings.Contains(example, name) {
						t.Errorf("the example of %s does not have it:\n%s", name, example)
					}
				}
			}
		}
	}
}

// silent is a user's method that panics, as new methods do.
type silent struct{}

func (silent) Iterations() int                            { return 3 }
func (silent) Needs() algorithms.Requirements             { return algorithms.Requirements{} }
func (silent) Cost(int, algorithms.Dims) (c metrics.Cost) { return c }
func (silent) Run(p *node.Proc, _ algorithms.Oracle)      { panic("not finished yet") }

func TestUsersOwnMethod(t *testing.T) {
	enter(t)
	cat := catalog.New()
	cat.Algorithms = append(cat.Algorithms, catalog.AlgorithmEntry{
		Entry: keys.Entry{Name: "mine", Summary: "does nothing", Params: []keys.Param{{Name: "outer",
			Kind: keys.Int, Default: 3}}},
		Iterations: "outer",
		New:        func(keys.Args) (algorithms.Method, error) { return silent{}, nil },
	})
	call := func(args ...string) (string, string, int) {
		var out, errs bytes.Buffer
		code := runArgs(context.Background(), cat, args, streams{Out: &out, Err: &errs})
		return out.String(), errs.String(), code
	}
	if out, _, _ := call("list", "algorithms"); !strings.Contains(out, "  mine               does nothing") {
		t.Errorf("list: %s", out)
	}
	if out, errs, code := call("describe", "mine"); code != codeDone || !strings.Contains(out, "- {name: mine}") {
		t.Errorf("describe: code %d: %s%s", code, out, errs)
	}
	// A method that panics makes its run fail; the program does not crash.
	out, errs, code := call("run", "two.yaml", "--set", "algorithms[0]={name: mine}")
	if code != codeFailed || !strings.Contains(out, "not finished yet") || strings.Contains(out+errs, "goroutine") {
		t.Errorf("code %d: %s%s", code, out, errs)
	}
	if !strings.Contains(out, "DGBO (b=3)  yes") {
		t.Errorf("the other run is lost:\n%s", out)
	}
}

func TestStrict(t *testing.T) {
	enter(t)
	for _, c := range []struct {
		args []string
		want int
	}{
		{[]string{"diverges.yaml"}, codeFailed},
		{[]string{"diverges.yaml", "--set", "seeds=2"}, codeDone}, // a result of the study
		{[]string{"diverges.yaml", "--set", "seeds=2", "--strict"}, codeFailed},
		{[]string{"two.yaml", "diverges.yaml"}, codeFailed},
		{[]string{"two.yaml", "--strict"}, codeDone},
	} {
		if _, errs, code := simulate(append([]string{"run"}, c.args...)...); code != c.want {
			t.Errorf("%v: code %d, want %d: %s", c.args, code, c.want, errs)
		}
	}
}

func TestNewWritesAScenarioThatRuns(t *testing.T) {
	enter(t)
	mustSimulate(t, "new", "mine.yaml")
	mustSimulate(t, "run", "mine.yaml")
	if out := mustSimulate(t, "version"); !strings.Contains(out, "go       go1") {
		t.Error(out)
	}
}

func TestDataListsEverySet(t *testing.T) {
	out := mustSimulate(t, "data")
	for _, want := range []string{"mnist: 60,000", "\nfashion-mnist: ", "problem.folder", "\nmushroom: 8,124",
		"part of this program: complete"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
}
