package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

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
	codeInterrupted = 130 // finished runs are saved
)

// streams connect a command to the process that runs it. Only Out and Err are required.
type streams struct {
	Out, Err io.Writer
	// In ends a command that serves, if it is a pipe that is closed.
	In *os.File
	// Terminal says that Out is a terminal, which gets short output.
	Terminal bool
	// Progress says that Err is a terminal that can show progress bars.
	Progress bool
	// Tick prints a line of progress each time it fires, if there are no bars.
	Tick <-chan time.Time
	// Busy is called with true before the first run begins and with false when all results are saved.
	// In between, an interrupt waits for results to be saved.
	Busy func(bool)
	// Serving is called when the command starts to wait for requests. From then on an interrupt
	// ends it at once, since nothing has to be saved.
	Serving func()
	// Leave is closed when an interrupted command should save its results without waiting for
	// runs that are inside a long computation. If nil, the command waits for all runs.
	Leave <-chan struct{}
	// Now returns the time of day for the provenance of results.
	Now func() time.Time
	// Blank reports whether a file is created empty. Tests set it to save the time that pictures take.
	Blank func(name string) bool
}

func (s *streams) busy(yes bool) {
	if s.Busy != nil {
		s.Busy(yes)
	}
}

// writeFiles replaces the files of a folder together, as [result.WriteFiles] does.
func (s *streams) writeFiles(folder string, files []result.File, stale []string) error {
	if s.Blank != nil {
		files = slices.Clone(files)
		for i := range files {
			if s.Blank(files[i].Name) {
				files[i].Write = func(io.Writer) error { return nil }
			}
		}
	}
	return result.WriteFiles(folder, files, stale)
}

// app is one call of the program.
type app struct {
	made    []string // folders that this process created, inner ones first
	catalog *catalog.Catalog
	args    []string
	io      streams
	loader  data.Loader
	limits  spec.Limits  // of the command; zero means the defaults
	ended   func() error // returns why the command should end, or nil
}

// load reads and checks a scenario file.
func (a *app) load(path string, set []string) (*spec.Scenario, error) {
	return a.limited(spec.Load(path, a.catalog, set))
}

// limited gives a loaded scenario the limits of the command.
func (a *app) limited(s *spec.Scenario, err error) (*spec.Scenario, error) {
	if err != nil {
		return nil, err
	}
	if a.limits != (spec.Limits{}) {
		s.Limits = a.limits
	}
	return s, nil
}

// runArgs runs one command and returns its exit code. The arguments exclude the program's name.
// Cancelling ctx interrupts the command.
func runArgs(ctx context.Context, cat *catalog.Catalog, args []string, s streams) (code int) {
	// Labels can contain control characters, so all output is escaped.
	printed := &pipe{to: s.Out}
	out, messages := &escape.Writer{Raw: printed}, &escape.Writer{Raw: &pipe{to: s.Err}}
	defer func() { _, _ = out.Flush(), messages.Flush() }()
	s.Out, s.Err = out, messages
	a := &app{catalog: cat, args: args, io: s, ended: func() error { return context.Cause(ctx) }}
	defer func() {
		// A bug must look neither like the user's mistake nor like a result.
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
	_ = out.Flush() // printed keeps the error
	err = printed.outcome(err)
	code = exitCode(err)
	if message := messageOf(err); message != "" {
		fmt.Fprintln(s.Err, message)
	}
	return code
}

// errInterrupted is the cause of a context that the user has cancelled.
var errInterrupted = errors.New("interrupted")

// exit is an error with its own exit code. If err is nil, the command has already reported it.
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

// failed marks an error that neither the command line nor the scenario caused; nil stays nil.
func failed(err error) error {
	if err == nil {
		return nil
	}
	return &exit{codeFailed, err}
}

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

// messageOf returns the message for an error. An error in a scenario starts with its position in
// the file, as compilers' errors do. Other errors start with the program's name.
func messageOf(err error) string {
	var e *exit
	var file *keys.FileError
	switch {
	case err == nil, errors.As(err, &e) && e.err == nil:
		return ""
	case errors.As(err, &file):
		return err.Error()
	}
	return "simulate: " + err.Error()
}
