package study

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
)

// played runs a scenario.
func played(t *testing.T, s *spec.Scenario) (*Study, []result.Run) {
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

func play(s *spec.Scenario, err error) (p playedStudy) {
	if p.err = err; err == nil {
		p.study, p.err = New(s, &scenariotest.Data)
	}
	if p.err == nil {
		p.runs, p.err = p.study.Run(context.Background(), Options{Workers: 2})
	}
	return p
}

// playedSmall returns the small form of a shipped scenario with its runs, which callers
// must not change.
func playedSmall(t *testing.T, file string) (*Study, []result.Run) {
	t.Helper()
	p, shared := smallStudies[file]
	if !shared {
		p = func() playedStudy { return play(spec.LoadSmall(shippedPath(file), scenariotest.Catalog())) }
	}
	small := p()
	if small.err != nil {
		t.Fatal(small.err)
	}
	return small.study, small.runs
}

// smallStudies are studies that several tests read. Each runs once.
var smallStudies = func() map[string]func() playedStudy {
	studies := map[string]func() playedStudy{}
	for _, name := range []string{"quickstart", "fat-tree", "topology-networks", "topology-size", "two-racks",
		"wan-regions", "what-limits", "bome-theorem1", "dagm-table1", "dagm-table2", "loops-floor", "loops-table3",
		"loops-tables-1-2", "lpdbo-table1"} {
		file := name + ".yaml"
		studies[file] = sync.OnceValue(func() playedStudy {
			return play(spec.LoadSmall(shippedPath(file), scenariotest.Catalog()))
		})
	}
	return studies
}()

// shippedFile is a scenario of this folder.
type shippedFile struct {
	name     string
	scenario *spec.Scenario
}

// shippedFiles reads the scenarios of this folder, once for all tests. Callers must not change them.
func shippedFiles(t *testing.T) []shippedFile {
	t.Helper()
	files, err := shippedOnce()
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	return files
}

var shippedOnce = sync.OnceValues(func() (files []shippedFile, err error) {
	for _, path := range shippedPaths() {
		s, wrong := spec.Load(path, scenariotest.Catalog(), nil)
		files, err = append(files, shippedFile{filepath.Base(path), s}), errors.Join(err, wrong)
	}
	return files, err
})

// shippedPaths returns the paths of all scenarios of this folder.
var shippedPaths = sync.OnceValue(func() (paths []string) {
	err := keys.EachFile(os.DirFS(".."), func(name string) error {
		paths = append(paths, filepath.Join("..", name))
		return nil
	})
	if err != nil || len(paths) < 62 {
		panic(fmt.Sprintf("%d scenarios are shipped: %v", len(paths), err))
	}
	return paths
})

// shippedPath returns the path of the shipped scenario with that file name.
func shippedPath(name string) string {
	paths := shippedPaths()
	at := slices.IndexFunc(paths, func(path string) bool { return filepath.Base(path) == name })
	if at < 0 {
		panic("no scenario is shipped as " + name)
	}
	return paths[at]
}
