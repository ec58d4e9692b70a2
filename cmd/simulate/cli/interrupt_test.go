package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tallynet/algorithms"
	"tallynet/metrics"
	"tallynet/metrics/report/result"
	"tallynet/node"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
)

// terminal collects output, and calls a function when certain texts have appeared.
type terminal struct {
	mu    sync.Mutex
	text  bytes.Buffer
	seen  []string // the texts to wait for
	call  func()
	fired bool
}

func (s *terminal) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.Write(p)
	if s.call != nil && !s.fired && s.shows(s.seen) {
		s.fired = true
		s.call()
	}
	return len(p), nil
}

func (s *terminal) shows(texts []string) bool {
	all := s.text.String()
	return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(all, text) })
}

func (s *terminal) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// interruptLong runs the endless scenario. It interrupts it when the short one of the two runs has
// finished and the long one has started.
func interruptLong(t *testing.T, args ...string) (*terminal, int) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	screen := &terminal{seen: []string{"runs  1/2", "/1000000  grad_norm2"}, call: func() { cancel(errInterrupted) }}
	code := runArgs(ctx, builtin(), append([]string{"run", "endless.yaml"}, args...), streams{Out: io.Discard,
		Err: screen, Progress: true, Blank: drawn})
	return screen, code
}

func TestInterruptSavesFinishedRuns(t *testing.T) {
	enter(t)
	screen, code := interruptLong(t)
	if code != codeInterrupted {
		t.Errorf("code %d", code)
	}
	for _, want := range []string{"runs", "/1000000", "grad_norm2", "left", "1/2"} {
		if !strings.Contains(screen.String(), want) {
			t.Errorf("progress does not show %q:\n%q", want, screen.String())
		}
	}
	if !strings.Contains(screen.String(), "the runs so far are in "+filepath.Join("results", "endless")) {
		t.Errorf("does not say where the results are: %q", screen.String())
	}
	report, err := result.ReadFolder("results/endless")
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Runs) != 2 || report.Runs[0].Status != result.Completed || report.Runs[1].Status != result.Interrupted {
		t.Fatalf("runs: %d, %s, %s", len(report.Runs), report.Runs[0].Status, report.Runs[1].Status)
	}
	if last := report.Runs[1]; last.Iterations == 0 || len(last.Samples) != last.Iterations+1 {
		t.Errorf("the interrupted run has %d iterations and %d samples", last.Iterations, len(last.Samples))
	}
}

func TestInterruptLeavesAnEarlierResult(t *testing.T) {
	enter(t)
	mustSimulate(t, "run", "endless.yaml", "--set", "stop.iterations=3")
	before := contents(t, "results/endless")["result.json"]
	if _, code := interruptLong(t, "--workers", "1"); code != codeInterrupted {
		t.Errorf("code %d", code)
	}
	if contents(t, "results/endless")["result.json"] != before {
		t.Error("the complete result is lost")
	}
	if report, err := result.ReadFolder("results/endless-interrupted"); err != nil || len(report.Runs) != 2 {
		t.Errorf("the interrupted result: %v", err)
	}
}

// TestInterruptBeforeAnythingIsFinished checks that the command removes the folders that it created, and no others.
func TestInterruptBeforeAnythingIsFinished(t *testing.T) {
	enter(t)
	for _, name := range []string{"empty", "elsewhere"} {
		if err := os.Mkdir(name, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("elsewhere", "link"); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{"empty", "link", "new/a/b"} {
		for _, file := range []string{"two.yaml", "study.yaml"} { // study.yaml tunes first
			ctx, cancel := context.WithCancelCause(context.Background())
			cancel(errInterrupted)
			var errs bytes.Buffer
			code := runArgs(ctx, builtin(), []string{"run", file, "--out", out},
				streams{Out: io.Discard, Err: &errs, Now: time.Now})
			if code != codeInterrupted || !strings.Contains(errs.String(), "nothing is saved") {
				t.Errorf("%s into %s: code %d: %s", file, out, code, errs.String())
			}
		}
	}
	for name, want := range map[string]bool{"empty": true, "link": true, "elsewhere": true, "new": false,
		"empty/runs": false, "elsewhere/runs": false} {
		if _, err := os.Lstat(name); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestProgressOfTuning(t *testing.T) {
	enter(t)
	screen := &terminal{}
	// Trials run one at a time, so that they outlast the drawing of the screen.
	code := runArgs(context.Background(), builtin(), []string{"run", "study.yaml", "--workers", "1",
		"--set", "algorithms[0].outer=1000", "--set", "algorithms[0].tune.to.grad_norm2=1e-2",
		"--set", "algorithms[0].tune.grid.neumann=[5, 6, 7, 15]", "--set", "seeds=1",
		"--set", "sweep={network.latency: [1ms]}"},
		streams{Out: io.Discard, Err: screen, Progress: true, Blank: drawn})
	if code != codeDone || !strings.Contains(screen.String(), "tuning") || !strings.Contains(screen.String(), "/4") {
		t.Errorf("code %d: %q", code, screen.String())
	}
	screen = &terminal{}
	runArgs(context.Background(), builtin(), []string{"run", "two.yaml", "--quiet"}, streams{Out: io.Discard,
		Err: screen, Progress: true, Blank: drawn})
	if screen.String() != "" {
		t.Errorf("--quiet writes %q", screen.String())
	}
}

// A finished trial of a tuning is stored like a run.
func TestInterruptWhileTuning(t *testing.T) {
	enter(t)
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	screen := &terminal{seen: []string{"1/4"}, call: func() { cancel(errInterrupted) }}
	// One trial of five iterations, and three endless ones.
	code := runArgs(ctx, builtin(), []string{"run", "endless.yaml", "--workers", "1", "--set",
		"algorithms[1]={name: dagm, inner: 1, neumann: 1, alpha: 0.01, beta: 0.05, " +
			"tune: {grid: {outer: [5, 1000000, 1000001, 1000002]}, by: grad_norm2}}"}, streams{Out: io.Discard,
		Err: screen, Progress: true})
	if code != codeInterrupted || !strings.Contains(screen.String(),
		"endless: interrupted before any run of the result was finished; 1 finished run kept in results/endless/runs: "+
			"the same command continues from there") {
		t.Errorf("code %d: %q", code, screen.String())
	}
}

// Before the first run there is nothing to save, so a signal ends the program at once. A pipe as standard input keeps
// the program reading the scenario.
func TestSignalWhileLoading(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no /dev/stdin and no signals")
	}
	enter(t)
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		c := program("run", "/dev/stdin")
		var errs bytes.Buffer
		c.Stderr = &errs
		in, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		// The text exceeds a pipe's buffer, so the write completes only after the program has begun to read.
		if _, err := in.Write(bytes.Repeat([]byte("# a comment\n"), 1<<16)); err != nil {
			t.Fatal(err)
		}
		if err := c.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(5*time.Minute, func() { _ = c.Process.Kill() })
		_ = c.Wait() // the exit code matters
		timer.Stop()
		if code := c.ProcessState.ExitCode(); code != codeInterrupted || !strings.Contains(errs.String(),
			"there was nothing to save") {
			t.Errorf("%v: code %d: %s", signal, code, errs.String())
		}
	}
}

// program returns the command line as a separate process.
func program(args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), "TALLYNET_TEST_AS_PROGRAM=1")
	return c
}

// start runs the endless scenario as a process until its short run is stored. With two
// workers the endless run is under way by then, or about to begin.
func start(t *testing.T, c *exec.Cmd) {
	t.Helper()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(5 * time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if stored, err := filepath.Glob("results/endless/runs/*.run.gz"); err == nil && len(stored) > 0 {
			return
		}
		if time.Now().After(deadline) {
			_ = c.Process.Kill()
			t.Fatal("it does not start")
		}
	}
}

// TestSignals checks that one signal, or two at once as from a batch system, stop the runs, and that finished runs are
// saved.
func TestSignals(t *testing.T) {
	all := [][]os.Signal{{syscall.SIGTERM, os.Interrupt}, {os.Interrupt}, {syscall.SIGHUP}}
	if testing.Short() { // under the race detector one case suffices
		all = all[:1]
	}
	for _, signals := range all {
		t.Run(fmt.Sprint(signals), func(t *testing.T) {
			enter(t)
			c := program("run", "endless.yaml", "--quiet")
			var errs bytes.Buffer
			c.Stderr = &errs
			start(t, c)
			for _, s := range signals {
				if err := c.Process.Signal(s); err != nil {
					t.Fatal(err)
				}
			}
			_ = c.Wait() // the exit code matters
			if code := c.ProcessState.ExitCode(); code != codeInterrupted {
				t.Errorf("%v: code %d: %s", signals, code, errs.String())
			}
			report, err := result.ReadFolder("results/endless")
			if err != nil || len(report.Runs) == 0 || report.Runs[0].Status != result.Completed {
				t.Errorf("%v: the finished run is not saved: %v\n%s", signals, err, errs.String())
			}
			if !strings.Contains(errs.String(), "it keeps 1 finished run and restarts the others") {
				t.Errorf("%v: %s", signals, errs.String())
			}
		})
	}
}

// TestInterruptWhileWriting: an interrupt while report and compare write waits for the files, leaves no drafts and
// ends the command. A report of several results ends after the current one.
func TestInterruptWhileWriting(t *testing.T) {
	enter(t)
	for _, out := range []string{"a", "b"} {
		if code := runArgs(t.Context(), builtin(), []string{"run", "two.yaml", "--out", out, "--quiet"},
			streams{Out: io.Discard, Err: io.Discard, Blank: drawn}); code != codeDone {
			t.Fatalf("run: code %d", code)
		}
	}
	for _, args := range [][]string{{"report", "a"}, {"compare", "a", "b", "--page", "a/p.html"},
		{"report", "a", "b", "--index", "i.html"}} {
		ctx, cancel := context.WithCancelCause(t.Context())
		var errs bytes.Buffer
		writing := false
		code := runArgs(ctx, builtin(), args, streams{Out: io.Discard, Err: &errs, Blank: drawn,
			Busy: func(yes bool) {
				if writing = yes; yes {
					cancel(errInterrupted)
				}
			}})
		if code != codeInterrupted || writing || !strings.Contains(errs.String(), "were being written are complete") {
			t.Errorf("%v: code %d, busy %v: %s", args, code, writing, errs.String())
		}
	}
	drafts, err := filepath.Glob("[ab]/.*")
	if err != nil || len(drafts) > 0 {
		t.Errorf("%v, %v are left", err, drafts)
	}
	for file, want := range map[string]bool{"a/p.html": true, "a/report.html": true, "i.html": false} {
		if _, err := os.Stat(file); (err == nil) != want {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// TestThirdSignal checks that the second signal ends the process only if everything is saved, and the third always.
func TestThirdSignal(t *testing.T) {
	for _, c := range []struct {
		saved   bool // before the second signal
		signals int
	}{{false, 3}, {true, 2}} {
		var said bytes.Buffer
		cancelled, exits := make(chan struct{}), make(chan int, 1)
		ends := &interrupts{err: &said, cancel: func(error) { close(cancelled) },
			exit: func(code int) { exits <- code }}
		ends.busy.Store(true)
		signals := make(chan os.Signal)
		go ends.listen(signals)
		signals <- os.Interrupt
		<-cancelled
		ends.busy.Store(!c.saved)
		for range c.signals - 1 {
			select {
			case code := <-exits:
				t.Errorf("code %d before the last of %d signals", code, c.signals)
			case signals <- os.Interrupt:
			}
		}
		if code := <-exits; code != codeInterrupted {
			t.Errorf("code %d", code)
		}
	}
}

// stuck is a method that never returns from its only iteration.
type stuck struct{ inside, release chan struct{} }

func (stuck) Iterations() int                               { return 1 }
func (stuck) Needs() algorithms.Requirements                { return algorithms.Requirements{} }
func (stuck) Cost(int, algorithms.Dims) (none metrics.Cost) { return none }
func (s stuck) Run(p *node.Proc, o algorithms.Oracle) {
	d1, d2 := o.Dims()
	x, y := make([]float64, d1), make([]float64, d2)
	p.Report(0, x, y)
	p.Report(1, x, y)
	if p.ID() == p.Nodes()-1 { // the others have reported
		close(s.inside)
		<-s.release
	}
}

// TestInterruptInsideALongComputation checks that the command does not wait for a run that does not return, and saves
// what the run has recorded.
func TestInterruptInsideALongComputation(t *testing.T) {
	enter(t)
	method := stuck{make(chan struct{}), make(chan struct{})}
	defer close(method.release)
	cat := catalog.New()
	cat.Algorithms = append(cat.Algorithms, catalog.AlgorithmEntry{
		Entry: keys.Entry{Name: "stuck", Label: "stuck", Summary: "does not end"},
		New:   func(keys.Args) (algorithms.Method, error) { return method, nil },
	})
	ctx, cancel := context.WithCancelCause(context.Background())
	leave := make(chan struct{})
	go func() {
		<-method.inside
		cancel(errInterrupted)
		close(leave)
	}()
	var errs bytes.Buffer
	code := runArgs(ctx, cat, []string{"run", "two.yaml", "--set", "algorithms=[{name: stuck}]", "--set", "stop={}"},
		streams{Out: io.Discard, Err: &errs, Leave: leave, Blank: drawn})
	if code != codeInterrupted || !strings.Contains(errs.String(),
		"no run was finished, and a run cannot be resumed: the same command starts over") {
		t.Errorf("code %d: %s", code, errs.String())
	}
	report, err := result.ReadFolder("results/two")
	if err != nil {
		t.Fatal(err)
	}
	if r := report.Runs[0]; r.Status != result.Interrupted || r.Iterations != 1 || len(r.Samples) != 2 {
		t.Errorf("%s, %s, %d iterations, %d samples", r.Status, r.Reason, r.Iterations, len(r.Samples))
	}
}

var progressLine = regexp.MustCompile(`long: iteration [\d,]+ of 1,000,000, [\dhms]+ left\n`)

// TestProgressWithoutATerminal checks that each tick prints a line.
func TestProgressWithoutATerminal(t *testing.T) {
	enter(t)
	tick := make(chan time.Time)
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	log := &terminal{seen: []string{"1 of 2 runs done; long: iteration"}, call: func() { cancel(errInterrupted) }}
	go func() {
		for {
			select {
			case tick <- time.Time{}:
			case <-ctx.Done():
				return
			}
		}
	}()
	code := runArgs(ctx, builtin(), []string{"run", "endless.yaml"},
		streams{Out: io.Discard, Err: log, Tick: tick, Blank: drawn})
	if code != codeInterrupted || !progressLine.MatchString(log.String()) {
		t.Errorf("code %d: %q", code, log.String())
	}
	quiet := make(chan time.Time, 1)
	quiet <- time.Time{}
	var errs bytes.Buffer
	runArgs(context.Background(), builtin(), []string{"run", "two.yaml", "--quiet"}, streams{Out: io.Discard,
		Err: &errs, Tick: quiet, Blank: drawn})
	if errs.String() != "" {
		t.Errorf("--quiet writes %q", errs.String())
	}
}

// closedPipe is an output whose reader has closed it, as head does.
func closedPipe(t *testing.T) *os.File {
	t.Helper()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = writer.Close() })
	return writer
}

// TestClosedPipeHidesNothing checks that a closed pipe discards the output but changes neither the exit code, nor the
// messages, nor the files.
func TestClosedPipeHidesNothing(t *testing.T) {
	enter(t)
	var errs bytes.Buffer
	c := program("verify", "wrong.yaml", "claims.yaml", "--pages", "pages")
	c.Stdout, c.Stderr = closedPipe(t), &errs
	_ = c.Run()
	if code := c.ProcessState.ExitCode(); code != codeFailed {
		t.Errorf("failing claims: code %d: %s", code, errs.String())
	}
	if page, err := os.ReadFile("pages/README.md"); err != nil || !strings.Contains(string(page), "Table 2") {
		t.Errorf("the page is not written: %v", err)
	}
	errs.Reset()
	c = program("run", "endless.yaml")
	c.Stdout, c.Stderr = closedPipe(t), &errs
	start(t, c)
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // the exit code matters
	if code := c.ProcessState.ExitCode(); code != codeInterrupted || !strings.Contains(errs.String(),
		"endless: interrupted; the runs so far are in") {
		t.Errorf("interrupted: code %d: %s", code, errs.String())
	}
}

func TestClosedStreams(t *testing.T) {
	enter(t)
	writer := closedPipe(t)
	var errs bytes.Buffer
	c := program("run", "two.yaml")
	c.Stdout, c.Stderr, c.Stdin = writer, &errs, nil // stdin is the null device
	if err := c.Run(); err != nil || strings.Contains(errs.String(), "pipe") {
		t.Errorf("%v: %s", err, errs.String())
	}
	if _, err := os.Stat("results/two/result.json"); err != nil {
		t.Error("the results are not saved")
	}
	code := runArgs(context.Background(), builtin(), []string{"list"}, streams{Out: writer, Err: &errs})
	if code != codeDone {
		t.Errorf("list into a closed pipe: code %d", code)
	}
	// Without standard input.
	shell := exec.Command("sh", "-c", `"$0" run two.yaml --quiet <&- >/dev/null`, os.Args[0])
	shell.Env = append(os.Environ(), "TALLYNET_TEST_AS_PROGRAM=1")
	if out, err := shell.CombinedOutput(); err != nil {
		t.Errorf("without standard input: %v: %s", err, out)
	}
}

// failing is an output on a full disk.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestOutputThatCannotBeWritten(t *testing.T) {
	enter(t)
	t.Setenv("GOMODCACHE", t.TempDir()) // data list finds no data set here, which it would read
	for _, args := range [][]string{{"run", "two.yaml"}, {"predict", "two.yaml"}, {"list"}, {"describe", "dagm"},
		{"topology", "ring"}, {"schema"}, {"version"}, {"--help"}, {"run", "--help"}, {"--version"}, {"help", "run"},
		{"data", "list"}} {
		var errs bytes.Buffer
		code := runArgs(context.Background(), builtin(), args, streams{Out: failing{}, Err: &errs, Blank: drawn})
		if code != codeFailed || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%v: code %d: %s", args, code, errs.String())
		}
	}
	// Any other error is the one that counts.
	var errs bytes.Buffer
	code := runArgs(context.Background(), builtin(), []string{"topology", "rings"},
		streams{Out: failing{}, Err: &errs})
	if code != codeUsage || strings.Contains(errs.String(), "no space left") {
		t.Errorf("code %d: %s", code, errs.String())
	}
}

// TestCompareRefusesDevices: a device such as /dev/zero never ends.
func TestCompareRefusesDevices(t *testing.T) {
	enter(t)
	_, errs, code := simulate("compare", os.DevNull, os.DevNull)
	if code != codeUsage || !strings.Contains(errs, "it is a device; give the folder of a result") {
		t.Errorf("code %d: %s", code, errs)
	}
}

// TestCompareOfABrokenResult: the error names the place and the key, but no Go type.
func TestCompareOfABrokenResult(t *testing.T) {
	enter(t)
	writeFile(t, "odd.json", `{"schema": "tallynet/result/v1", "runs": 3}`)
	_, errs, code := simulate("compare", "odd.json", "odd.json")
	if code != codeUsage || !strings.Contains(errs, "odd.json: line 1, column 42: runs cannot be a number") {
		t.Errorf("code %d: %s", code, errs)
	}
}
