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
	grace  = 2 * time.Second
)

// patience is how many times the limit a test has that runs without a mutant, where other things run, too.
const patience = 10

// tested is a test without a mutant.
type tested struct {
	name    string
	cpu     time.Duration
	reaches map[int]bool // numbers of mutants
	alone   bool         // it passes, but not with all mutants compiled in: as one that counts allocations
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
			cmd := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay="+j.overlay(),
				"-o", to, folder)
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
	list, err := j.command(ctx, step, 0, patience*j.limit, "-test.list="+run)
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
	cmd, err := j.command(ctx, step, 0, patience*j.limit, "-test.run=^"+name+"$")
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
	if output, err := cmd.CombinedOutput(); ctx.Err() != nil {
		return t, ctx.Err()
	} else if err != nil {
		if what, _, err := j.test(ctx, step, []tested{t}); err != nil || what != survived {
			return t, fmt.Errorf("%s of %s fails without a mutant: %w\n%s", name, step, err, output)
		}
		t.alone = true
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
			if !t.reaches[number] || t.alone {
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

// lone returns the tests of a suite that reach a mutant, and want it compiled by itself.
func lone(suite []tested, number int) []tested {
	var some []tested
	for _, t := range suite {
		if t.reaches[number] && t.alone {
			some = append(some, t)
		}
	}
	return some
}

// pattern returns the regular expression of some tests.
func pattern(some []tested) string {
	var names []string
	for _, t := range some {
		names = append(names, t.name)
	}
	return "^(" + strings.Join(names, "|") + ")$"
}

// try returns what becomes of a mutant in some tests of a step.
func (j *judge) try(ctx context.Context, step string, number int, some []tested) (outcome, error) {
	limit := grace
	for _, t := range some {
		limit += slower * t.cpu
	}
	cmd, err := j.command(ctx, step, number, limit, "-test.run="+pattern(some), "-test.failfast")
	if err != nil {
		return 0, err
	}
	output, err := cmd.CombinedOutput()
	return ended(ctx, output, err)
}

// ended returns what a test process says of a mutant.
func ended(ctx context.Context, output []byte, err error) (outcome, error) {
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case err == nil:
		return survived, nil
	case !errors.As(err, &exit), exit.ExitCode() > 2: // neither failed nor panicked: of the shell
		return 0, fmt.Errorf("%w\n%s", err, output)
	case bytes.Contains(output, []byte("panic: test timed out")), bytes.Contains(output, []byte("SIGXCPU")):
		return timedOut, nil
	}
	return killed, nil
}

// tryAlone returns what becomes of a mutant, compiled by itself, in some tests of a step.
func (j *judge) tryAlone(ctx context.Context, step string, number int, m mutant, some []tested) (outcome, error) {
	file := filepath.Join(j.folder, fmt.Sprintf("alone%d.go", number))
	if err := os.WriteFile(file, m.mutated(), 0o644); err != nil {
		return 0, err
	}
	overlay := file + ".json"
	if err := writeOverlay(overlay, map[string]string{m.file: file}); err != nil {
		return 0, err
	}
	what, _, err := j.test(ctx, step, some, "-overlay="+overlay)
	return what, err
}

// test runs some tests of a step by go test.
func (j *judge) test(ctx context.Context, step string, some []tested, more ...string) (outcome, []byte, error) {
	folder, _ := split(step)
	args := append([]string{"test", "-vet=off", "-short", "-failfast", "-timeout=" + j.limit.String(),
		"-run=" + pattern(some)}, more...)
	cmd := limited(ctx, j.limit, append([]string{"go"}, append(args, folder)...))
	cmd.Dir = root()
	output, err := cmd.CombinedOutput()
	if bytes.Contains(output, []byte("[build failed]")) { // an import is not used any more
		return survived, output, nil
	}
	what, err := ended(ctx, output, err)
	return what, output, err
}

// command returns the call of a step's test binary with a mutant on; 0 for none. It ends after the limit of CPU time,
// and with a mutant after that of the judge.
func (j *judge) command(ctx context.Context, step string, number int, limit time.Duration, more ...string) (
	*exec.Cmd, error) {
	folder, _ := split(step)
	binary, err := j.binary(ctx, folder)
	if err != nil {
		return nil, err
	}
	timeout := j.limit
	if number == 0 {
		timeout *= patience
	}
	args := append([]string{binary, "-test.short", "-test.paniconexit0", "-test.timeout=" + timeout.String()}, more...)
	cmd := limited(ctx, limit, args)
	cmd.Dir = filepath.Join(root(), filepath.FromSlash(folder))
	cmd.Env = append(os.Environ(), selects+"="+strconv.Itoa(number))
	return cmd, nil
}

// limited returns a command whose processes have so much CPU time each, and memoryKB, where the system can do that.
func limited(ctx context.Context, cpu time.Duration, args []string) *exec.Cmd {
	if runtime.GOOS == "linux" {
		script := fmt.Sprintf(`ulimit -v %d; ulimit -t %.0f; exec "$@"`, memoryKB, cpu.Seconds())
		args = append([]string{"sh", "-c", script, "test"}, args...)
	}
	return exec.CommandContext(ctx, args[0], args[1:]...)
}
