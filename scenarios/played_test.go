package scenarios

import (
	"context"
	"sync"
	"testing"

	"tallynet/metrics/result"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/problems/data"
)

// dataSets are read once for all tests: unpacking one takes longer than most runs.
var dataSets data.Loader

// played runs a scenario.
func played(t *testing.T, s *Scenario) (*Study, []result.Run) {
	t.Helper()
	p := play(s, nil)
	if p.err != nil {
		t.Fatal(p.err)
	}
	return p.study, p.runs
}

// playedStudy is a study with its runs.
type playedStudy struct {
	study *Study
	runs  []result.Run
	err   error
}

func play(s *Scenario, err error) (p playedStudy) {
	if p.err = err; err == nil {
		p.study, p.err = NewStudy(s, &dataSets)
	}
	if p.err == nil {
		p.runs, p.err = p.study.Run(context.Background(), Options{Workers: 2})
	}
	return p
}

// playedSmall returns the small form of a shipped scenario with its runs, which nobody may
// change.
func playedSmall(t *testing.T, file string) (*Study, []result.Run) {
	t.Helper()
	var p playedStudy
	if file == "quickstart.yaml" {
		p = quickstart()
	} else {
		p = play(LoadSmall(file, catalog.New()))
	}
	if p.err != nil {
		t.Fatal(p.err)
	}
	return p.study, p.runs
}

// quickstart runs once, though three tests read it.
var quickstart = sync.OnceValue(func() playedStudy { return play(LoadSmall("quickstart.yaml", catalog.New())) })
