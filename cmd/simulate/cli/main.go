package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/term"

	"tallynet/scenarios/catalog"
)

// Main runs the command line of the process and returns its exit code.
func Main(cat *catalog.Catalog) int {
	// Without SIGPIPE, writing to a closed pipe returns an error, and the results are still saved.
	signal.Ignore(syscall.SIGPIPE)
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	signals := make(chan os.Signal, 3)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup ignores it
		signal.Notify(signals, syscall.SIGHUP)
	}
	ends := &interrupts{err: os.Stderr, cancel: cancel, exit: os.Exit}
	go ends.listen(signals)
	streams := streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Terminal: term.IsTerminal(int(os.Stdout.Fd())), Progress: term.IsTerminal(int(os.Stderr.Fd())),
		Busy: ends.busy.Store, Serving: func() { ends.serving.Store(true) }, Leave: graceAfter(ctx), Now: time.Now}
	if !streams.Progress {
		streams.Tick = time.Tick(time.Minute)
	}
	return runArgs(ctx, cat, os.Args[1:], streams)
}
