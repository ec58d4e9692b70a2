package main

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// outcome is what became of a mutant.
type outcome int

const (
	killed outcome = iota
	timedOut
	survived
	equivalent // listed, not run
	broken     // does not compile
	outcomes
)

func (o outcome) String() string {
	return [...]string{"killed", "timed out", "survived", "equivalent", "broken"}[o]
}

// A verdict is what became of a mutant.
type verdict struct {
	mutant
	what    outcome
	reached bool // by a test
}

// judge runs tests against mutants.
type judge struct {
	folder   string // of the files that replace others, and of test binaries
	limit    time.Duration
	lock     sync.Mutex
	binaries map[string]func() (string, error)   // by folder
	suites   map[string]func() ([]tested, error) // by step
}

// newJudge puts mutants into the program. The number of a mutant is its place in the list, from 1.
func newJudge(mutants []mutant, limit time.Duration) (*judge, error) {
	folder, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	j := judge{folder: folder, limit: limit, binaries: map[string]func() (string, error){},
		suites: map[string]func() ([]tested, error){}}
	return &j, j.write(mutants)
}

func (j *judge) close() { os.RemoveAll(j.folder) }

func (j *judge) overlay() string { return filepath.Join(j.folder, "overlay.json") }

// write writes the files with mutants in them, and what they replace.
func (j *judge) write(mutants []mutant) error {
	woven, err := weave(mutants)
	if err != nil {
		return err
	}
	replace := map[string]string{}
	for file, src := range woven {
		replace[file] = filepath.Join(j.folder, strings.ReplaceAll(file, "/", "-"))
		if err := os.WriteFile(replace[file], src, 0o644); err != nil {
			return err
		}
	}
	return writeOverlay(j.overlay(), replace)
}

// writeOverlay writes the overlay that puts files in place of those with paths from the root of the repository.
func writeOverlay(name string, replace map[string]string) error {
	full := map[string]string{}
	for file, with := range replace {
		full[filepath.Join(root(), filepath.FromSlash(file))] = with
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": full})
	if err != nil {
		return err
	}
	return os.WriteFile(name, overlay, 0o644)
}

// all judges mutants, as many at a time as there are cores, and hands each verdict on. No mutant begins when it is
// over.
func (j *judge) all(ctx context.Context, mutants []mutant, over func() bool, done func(verdict)) error {
	next := 0
	g, ctx := errgroup.WithContext(ctx)
	for range runtime.GOMAXPROCS(0) {
		g.Go(func() error {
			for {
				j.lock.Lock()
				i := next
				next++
				j.lock.Unlock()
				if i >= len(mutants) || ctx.Err() != nil || over() {
					return ctx.Err()
				}
				what, reached, err := j.judge(ctx, i+1, mutants[i])
				if err != nil {
					return err
				}
				j.lock.Lock()
				done(verdict{mutants[i], what, reached})
				j.lock.Unlock()
			}
		})
	}
	return g.Wait()
}

// judge returns what becomes of a mutant, and whether a test reaches it. It returns an error where the tests also
// fail without it, and where they cannot be run.
func (j *judge) judge(ctx context.Context, number int, m mutant) (what outcome, reached bool, err error) {
	for _, step := range m.target.steps() {
		suite, err := j.suite(ctx, step)
		if err != nil {
			return 0, reached, err
		}
		for some := range rounds(suite, number) {
			reached = true
			what, err := j.try(ctx, step, number, some)
			if err != nil || what != survived {
				return what, reached, err
			}
		}
		if some := lone(suite, number); len(some) > 0 {
			reached = true
			what, err := j.tryAlone(ctx, step, number, m, some)
			if err != nil || what != survived {
				return what, reached, err
			}
		}
	}
	return survived, reached, nil
}

// root returns the folder of the module that is mutated.
var root = sync.OnceValue(func() string {
	folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "tallynet").Output()
	if err != nil {
		log.Fatalf("mutate: where the module of the product lies: %v", err)
	}
	return strings.TrimSpace(string(folder))
})

// toolFile returns the path of a file beside this one.
func toolFile(name string) string { return filepath.Join(root(), ".ci", "mutate", name) }
