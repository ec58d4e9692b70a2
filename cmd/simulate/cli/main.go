package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"golang.org/x/term"

	"tallynet/metrics/escape"
	"tallynet/scenarios"
	"tallynet/scenarios/problems/data"
)

// Exit codes.
const (
	codeDone        = 0
	codeFailed      = 1   // a claim fails, a run diverged, stalled or failed, or results could not be written
	codeUsage       = 2   // bad usage or a bad file
	codeInterrupted = 130 // what was finished is saved
)

// Streams are what a command writes to.
type Streams struct {
	Out, Err io.Writer
	// Progress says that Err is a terminal that can show a moving bar.
	Progress bool
	// Running is called before the first run begins, from when on an interrupt must wait
	// for what is to be saved; nil where that is nobody's concern.
	Running func()
}

// Main runs the command line of the process and returns its exit code. The first
// interrupt ends the runs and saves what is finished; the second ends the process, and so
// does the first where nothing has begun to run.
func Main(catalog *scenarios.Catalog) int {
	// A closed pipe is an error of one write then, not the end of the process before
	// the results are saved.
	signal.Ignore(syscall.SIGPIPE)
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	var running atomic.Bool
	go func() {
		<-signals
		if !running.Load() {
			fmt.Fprintln(os.Stderr, "\nsimulate: interrupted; nothing was running")
			os.Exit(codeInterrupted)
		}
		fmt.Fprintln(os.Stderr, "\ninterrupted: saving what is finished (again to quit at once)")
		cancel(errInterrupted)
		<-signals
		os.Exit(codeInterrupted)
	}()
	return Run(ctx, catalog, os.Args[1:], Streams{Out: os.Stdout, Err: os.Stderr,
		Progress: term.IsTerminal(int(os.Stderr.Fd())),
		Running:  func() { running.Store(true) }})
}

// errInterrupted is why a context ends when the user wants it to.
var errInterrupted = errors.New("interrupted")

// app is one call of the program.
type app struct {
	made    []string // the folders that this process made, in order
	catalog *scenarios.Catalog
	args    []string
	io      Streams
	loader  data.Loader
}

// load reads and checks a scenario file.
func (a *app) load(path string, set []string) (*scenarios.Scenario, error) {
	return scenarios.Load(path, a.catalog, set)
}

// Run runs one command with the arguments that follow the program's name, and returns
// its exit code. Cancelling ctx is an interrupt.
func Run(ctx context.Context, catalog *scenarios.Catalog, args []string, s Streams) (code int) {
	out, messages := &escape.Writer{Raw: s.Out}, &escape.Writer{Raw: s.Err} // labels may hold anything
	defer func() { _, _ = out.Flush(), messages.Flush() }()
	s.Out, s.Err = out, messages
	a := &app{catalog: catalog, args: args, io: s}
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
	code = exitCode(err)
	if message := messageOf(err); message != "" {
		fmt.Fprintln(s.Err, message)
	}
	return code
}

// exit is an error with an exit code of its own. Without err, all is said already.
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

// failed marks an error that is not the command line's or the file's fault.
func failed(err error) error { return &exit{codeFailed, err} }

func exitCode(err error) int {
	var e *exit
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE): // whoever read the output has seen enough
		return codeDone
	case errors.Is(err, errInterrupted):
		return codeInterrupted
	case errors.As(err, &e):
		return e.code
	}
	return codeUsage
}

// messageOf returns what is to be said of an error: scenario errors begin with their
// place in the file, as compilers' do, all others with the program's name.
func messageOf(err error) string {
	var e *exit
	var file *scenarios.FileError
	var unread *scenarios.ReadError
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE), errors.As(err, &e) && e.err == nil:
		return ""
	case errors.As(err, &file), errors.As(err, &unread):
		return err.Error()
	}
	return "simulate: " + err.Error()
}
