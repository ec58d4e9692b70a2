package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// memoryKB bounds the address space of a test, so that a mutant that appends forever
// takes nothing else with it.
const memoryKB = 8 << 20

// A mutant has the first rounds of tests last about firstRound of CPU time, and each next round twice as long: what
// starting a process costs stays small beside it, and what comes behind a failure, too.
const firstRound = 200 * time.Millisecond

// Tests have failed, too, that take slower times the CPU time that they take without a mutant, and grace more.
const (
	slower = 10
	grace  = 10 * time.Second
)

// tested is a test without a mutant.
type tested struct {
	name    string
	cpu     time.Duration
	reaches map[int]bool // numbers of mutants
}

// split returns the folder of a step, and the regular expression of its tests.
func split(step string) (folder, run string) {
	folder, run, ok := strings.Cut(step, " -run=")
	if !ok {
		run = "."
	}
	return folder, run
}

// binary returns the test binary of a folder, with all mutants in it.
func (j *judge) binary(ctx context.Context, folder string) (string, error) {
	j.lock.Lock()
	build, ok := j.binaries[folder]
	if !ok {
		build = sync.OnceValues(func() (string, error) {
			to := filepath.Join(j.folder, strings.ReplaceAll(folder[2:], "/", "-")+".test")
			cmd := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-overlay="+j.overlay(), "-o", to, folder)
			cmd.Dir = root()
			if output, err := cmd.CombinedOutput(); err != nil {
				return "", fmt.Errorf("%s: %w\n%s", cmd, err, output)
			}
			return to, nil
		})
		j.binaries[folder] = build
	}
	j.lock.Unlock()
	return build()
}

// suite returns the tests of a step, the quickest first.
func (j *judge) suite(ctx context.Context, step string) ([]tested, error) {
	j.lock.Lock()
	trace, ok := j.suites[step]
	if !ok {
		trace = sync.OnceValues(func() ([]tested, error) { return j.trace(ctx, step) })
		j.suites[step] = trace
	}
	j.lock.Unlock()
	return trace()
}

// trace runs each test of a step alone, without a mutant, and notes which mutants it reaches. That takes about as
// long as the step does in one process, and asks at the same time whether the tests pass.
func (j *judge) trace(ctx context.Context, step string) ([]tested, error) {
	_, run := split(step)
	list, err := j.command(ctx, step, 0, j.limit, "-test.list="+run)
	if err != nil {
		return nil, err
	}
	names, err := list.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("tests of %s: %w\n%s", step, err, names)
	}
	var suite []tested
	for name := range strings.Lines(string(names)) {
		name = strings.TrimSpace(name)
		if strings.HasPrefix(name, "Benchmark") {
			continue
		}
		t, err := j.traceTest(ctx, step, name)
		if err != nil {
			return nil, err
		}
		suite = append(suite, t)
	}
	slices.SortStableFunc(suite, func(a, b tested) int { return cmp.Compare(a.cpu, b.cpu) })
	return suite, nil
}

// traceTest runs a test without a mutant.
func (j *judge) traceTest(ctx context.Context, step, name string) (tested, error) {
	t := tested{name: name, reaches: map[int]bool{}}
	cmd, err := j.command(ctx, step, 0, j.limit, "-test.run=^"+name+"$")
	if err != nil {
		return t, err
	}
	notes, err := os.CreateTemp(j.folder, "reached")
	if err != nil {
		return t, err
	}
	defer os.Remove(notes.Name())
	defer notes.Close()
	cmd.Env = append(cmd.Env, traces+"="+notes.Name())
	if output, err := cmd.CombinedOutput(); err != nil {
		return t, fmt.Errorf("%s of %s fails without a mutant: %w\n%s", name, step, err, output)
	}
	t.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	lines := bufio.NewScanner(notes)
	for lines.Scan() {
		number, err := strconv.Atoi(lines.Text())
		if err != nil {
			return t, err
		}
		t.reaches[number] = true
	}
	return t, lines.Err()
}

// rounds yields the tests of a suite that reach a mutant, those that run in one process together.
func rounds(suite []tested, number int) iter.Seq[[]tested] {
	return func(yield func([]tested) bool) {
		var some []tested
		var sum time.Duration
		least := firstRound
		for _, t := range suite {
			if !t.reaches[number] {
				continue
			}
			if some, sum = append(some, t), sum+t.cpu; sum < least {
				continue
			}
			if !yield(some) {
				return
			}
			some, sum, least = nil, 0, 2*least
		}
		if len(some) > 0 {
			yield(some)
		}
	}
}

// try returns what becomes of a mutant in some tests of a step.
func (j *judge) try(ctx context.Context, step string, number int, some []tested) (outcome, error) {
	limit := grace
	var names []string
	for _, t := range some {
		limit += slower * t.cpu
		names = append(names, t.name)
	}
	cmd, err := j.command(ctx, step, number, limit, "-test.run=^("+strings.Join(names, "|")+")$", "-test.failfast")
	if err != nil {
		return 0, err
	}
	output, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case err == nil:
		return survived, nil
	case !errors.As(err, &exit):
		return 0, err
	case bytes.Contains(output, []byte("panic: test timed out")), bytes.Contains(output, []byte("SIGXCPU")):
		return timedOut, nil
	}
	return killed, nil
}

// command returns the call of a step's test binary with a mutant on. It ends after the limit of CPU time, and after
// that of the judge.
func (j *judge) command(ctx context.Context, step string, number int, limit time.Duration, more ...string) (
	*exec.Cmd, error) {
	folder, _ := split(step)
	binary, err := j.binary(ctx, folder)
	if err != nil {
		return nil, err
	}
	args := append([]string{binary, "-test.short", "-test.paniconexit0", "-test.timeout=" + j.limit.String()}, more...)
	if runtime.GOOS == "linux" {
		script := fmt.Sprintf(`ulimit -v %d; ulimit -t %.0f; exec "$@"`, memoryKB, limit.Seconds())
		args = append([]string{"sh", "-c", script, "test"}, args...)
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = filepath.Join(root(), filepath.FromSlash(folder))
	cmd.Env = append(os.Environ(), selects+"="+strconv.Itoa(number))
	return cmd, nil
}
