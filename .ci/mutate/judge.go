package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
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

// memoryKB bounds the address space of a test, so that a mutant that appends forever
// takes nothing else with it.
const memoryKB = 8 << 20

// judge runs tests against mutants.
type judge struct {
	folder string // of the files that replace others
	limit  time.Duration
	sound  map[string]bool // steps that pass without a mutant
}

func newJudge(limit time.Duration) (*judge, error) {
	folder, err := os.MkdirTemp("", "mutate")
	return &judge{folder: folder, limit: limit, sound: map[string]bool{}}, err
}

func (j *judge) close() { os.RemoveAll(j.folder) }

// judge returns what becomes of a mutant. It returns an error where the tests also fail
// without it, and where the command cannot be run.
func (j *judge) judge(ctx context.Context, m mutant) (outcome, error) {
	file, overlay := filepath.Join(j.folder, "mutant.go"), filepath.Join(j.folder, "overlay.json")
	original := filepath.Join(root(), filepath.FromSlash(m.file))
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {original: file}})
	if err != nil {
		return 0, err
	}
	if err := os.WriteFile(file, m.mutated(), 0o644); err != nil {
		return 0, err
	}
	if err := os.WriteFile(overlay, replace, 0o644); err != nil {
		return 0, err
	}
	for _, step := range m.target.steps() {
		what, _, err := j.test(ctx, step, "-overlay="+overlay)
		if err != nil || what == broken {
			return what, err
		}
		if what != survived {
			return what, j.check(ctx, step)
		}
	}
	return survived, nil
}

// check returns an error where a step fails without any mutant.
func (j *judge) check(ctx context.Context, step string) error {
	if j.sound[step] {
		return nil
	}
	what, output, err := j.test(ctx, step)
	if err != nil {
		return err
	}
	if what != survived {
		return fmt.Errorf("go test %s fails without a mutant:\n%s", step, output)
	}
	j.sound[step] = true
	return nil
}

// test runs go test with the arguments of a step.
func (j *judge) test(ctx context.Context, step string, more ...string) (outcome, []byte, error) {
	args := append([]string{"test", "-vet=off", "-short", "-failfast", "-timeout=" + j.limit.String()}, more...)
	args = append(args, strings.Fields(step)...)
	cmd := exec.CommandContext(ctx, "go", args...)
	if runtime.GOOS == "linux" {
		script := fmt.Sprintf(`ulimit -v %d; exec go "$@"`, memoryKB)
		cmd = exec.CommandContext(ctx, "sh", append([]string{"-c", script, "go"}, args...)...)
	}
	cmd.Dir = root()
	output, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return 0, output, ctx.Err()
	case err == nil:
		return survived, output, nil
	case bytes.Contains(output, []byte("[build failed]")), bytes.Contains(output, []byte("[setup failed]")):
		return broken, output, nil
	case bytes.Contains(output, []byte("panic: test timed out")):
		return timedOut, output, nil
	case bytes.Contains(output, []byte("FAIL")):
		return killed, output, nil
	}
	return 0, output, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, output)
}

// root returns the root of the repository: the folder of the module.
func root() string { return filepath.Join(toolFile(""), "..", "..") }

// toolFile returns the path of a file beside this one.
func toolFile(name string) string {
	_, here, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(here), name)
}
