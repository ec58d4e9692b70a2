package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"golang.org/x/term"

	"tallynet/cmd/simulate/largepages"
	"tallynet/metrics/escape"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems/data"
	"tallynet/scenarios/spec"
)

// Exit codes.
const (
	codeDone        = 0
	codeFailed      = 1   // a claim fails, a run diverged, stalled or failed, or results could not be written
	codeUsage       = 2   // bad usage or a bad file
	codeInterrupted = 130 // what was finished is saved
)

// streams are what a command reads and writes while it works.
type streams struct {
	Out, Err io.Writer
	// In is watched by a command that serves, which ends when it is gone; nil for none.
	In *os.File
	// Progress says that Err is a terminal that can show a moving bar.
	Progress bool
	// Tick makes a command that shows no bar write a line on its progress each time it
	// fires; nil for none.
	Tick <-chan time.Time
	// Busy is called with true before the first run begins, from when on an interrupt must
	// wait for results to be saved, and with false when they are; it may be nil.
	Busy func(bool)
	// Serving is called when the command waits for requests, from when on an interrupt ends it
	// and nothing has to be saved; it may be nil.
	Serving func()
	// Leave is closed when an interrupted command is to save what it has without waiting
	// for runs that are inside a long computation; nil to wait for all.
	Leave <-chan struct{}
	// Ahead is told how much memory a run will take, before it is allocated; nil for nobody.
	Ahead func(bytes int64)
	// Now is the time of day, for the provenance of results; nil for none.
	Now func() time.Time
	// Unread says of which files of results and pages, by name, nobody reads the content: they are made, and empty.
	// Nil for none, as in the program: it spares tests the time that pictures take.
	Unread func(name string) bool
}

func (s *streams) busy(yes bool) {
	if s.Busy != nil {
		s.Busy(yes)
	}
}

// writeFiles replaces files of a folder together, as [result.WriteFiles] does.
func (s *streams) writeFiles(folder string, files []result.File, stale []string) error {
	if s.Unread != nil {
		files = slices.Clone(files)
		for i := range files {
			if s.Unread(files[i].Name) {
				files[i].Write = func(io.Writer) error { return nil }
			}
		}
	}
	return result.WriteFiles(folder, files, stale)
}

// Main runs the command line of the process and returns its exit code.
func Main(cat *catalog.Catalog) int {
	// Writing to a closed pipe is an error of that write, and does not end the process
	// before the results are saved.
	signal.Ignore(syscall.SIGPIPE)
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	signals := make(chan os.Signal, 3)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signal.Notify(signals, syscall.SIGHUP)
	}
	ends := &interrupts{err: os.Stderr, cancel: cancel, exit: os.Exit}
	go ends.listen(signals)
	streams := streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Progress: term.IsTerminal(int(os.Stderr.Fd())),
		Busy: ends.busy.Store, Serving: func() { ends.serving.Store(true) }, Leave: graceAfter(ctx), Now: time.Now,
		Ahead: new(largepages.Heap).Prepare}
	if !streams.Progress {
		streams.Tick = time.Tick(time.Minute)
	}
	return runArgs(ctx, cat, os.Args[1:], streams)
}

// app is one call of the program.
type app struct {
	made    []string // the folders that this process has made, in order
	catalog *catalog.Catalog
	args    []string
	io      streams
	loader  data.Loader
	limits  spec.Limits  // of the command; zero: the defaults
	ended   func() error // why the command is to end, or nil
}

// load reads and checks a scenario file.
func (a *app) load(path string, set []string) (*spec.Scenario, error) {
	return a.limited(spec.Load(path, a.catalog, set))
}

// limited sets the limits of the command on a scenario that was loaded, and who is told of its memory.
func (a *app) limited(s *spec.Scenario, err error) (*spec.Scenario, error) {
	if err == nil {
		s.Ahead = a.io.Ahead
	}
	if err == nil && a.limits != (spec.Limits{}) {
		s.Limits = a.limits
	}
	return s, err
}

// runArgs runs one command with the arguments that follow the program's name, and returns
// its exit code. Cancelling ctx is an interrupt.
func runArgs(ctx context.Context, cat *catalog.Catalog, args []string, s streams) (code int) {
	// Labels may hold anything.
	printed := &pipe{to: s.Out}
	out, messages := &escape.Writer{Raw: printed}, &escape.Writer{Raw: &pipe{to: s.Err}}
	defer func() { _, _ = out.Flush(), messages.Flush() }()
	s.Out, s.Err = out, messages
	a := &app{catalog: cat, args: args, io: s, ended: func() error { return context.Cause(ctx) }}
	defer func() {
		// A bug must not look like the user's mistake, nor like a result.
		if p := recover(); p != nil {
			fmt.Fprintf(s.Err, "simulate: internal error, please report it: %v\n", p)
			code = codeFailed
		}
	}()
	root := a.root()
	root.SetArgs(args)
	if args == nil {
		root.SetArgs([]string{}) // nil would mean os.Args
	}
	err := root.ExecuteContext(ctx)
	_ = out.Flush() // printed remembers its error
	err = printed.outcome(err)
	code = exitCode(err)
	if message := messageOf(err); message != "" {
		fmt.Fprintln(s.Err, message)
	}
	return code
}

// exit is an error with an exit code of its own. Without err, everything has been said.
type exit struct {
	code int
	err  error
}

func (e *exit) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exit) Unwrap() error { return e.err }

// failed marks an error that is neither the command line's nor the file's fault.
func failed(err error) error { return &exit{codeFailed, err} }

func exitCode(err error) int {
	var e *exit
	switch {
	case err == nil:
		return codeDone
	case errors.Is(err, errInterrupted):
		return codeInterrupted
	case errors.As(err, &e):
		return e.code
	}
	return codeUsage
}

// messageOf returns the message for an error: those about a scenario begin with their
// position in the file, as compilers' do, all others with the program's name.
func messageOf(err error) string {
	var e *exit
	var file *keys.FileError
	var unread *keys.ReadError
	switch {
	case err == nil, errors.As(err, &e) && e.err == nil:
		return ""
	case errors.As(err, &file), errors.As(err, &unread):
		return err.Error()
	}
	return "simulate: " + err.Error()
}
