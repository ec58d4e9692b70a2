package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"
)

// grace is how long an interrupted command waits for runs inside a long computation, such as the
// factorization of a large matrix. Then it saves its results without them.
const grace = 2 * time.Second

// interrupts turns signals into the end of a command.
type interrupts struct {
	err    io.Writer
	busy   atomic.Bool // results remain to be saved
	cancel context.CancelCauseFunc
	exit   func(code int)

	serving atomic.Bool // the command ends when its context is cancelled
}

// listen handles signals. The first stops the runs, and finished runs are saved. The second, which
// timeout and batch systems send soon after, is ignored while results are being saved. The third
// ends the process. If there is nothing to save, the first signal ends it.
func (i *interrupts) listen(signals <-chan os.Signal) {
	<-signals
	if i.serving.Load() {
		i.cancel(errInterrupted)
		<-signals
		i.exit(codeInterrupted)
		return
	}
	if !i.busy.Load() {
		fmt.Fprintln(i.err, "\nsimulate: interrupted; there was nothing to save")
		i.exit(codeInterrupted)
		return
	}
	fmt.Fprintln(i.err, "\ninterrupted: saving finished runs (a third signal quits at once)")
	i.cancel(errInterrupted)
	<-signals
	if i.busy.Load() {
		<-signals
	}
	i.exit(codeInterrupted)
}

// saving calls write to write files. An interrupt ends the command when they are written.
func (a *app) saving(write func() error) error {
	a.io.busy(true)
	defer a.io.busy(false)
	if err := write(); err != nil {
		return failed(err)
	}
	if err := a.ended(); errors.Is(err, errInterrupted) {
		return fmt.Errorf("%w; the files that were being written are complete", err)
	}
	return nil
}

// graceAfter returns a channel that is closed when the grace period after the end of ctx is over.
func graceAfter(ctx context.Context) <-chan struct{} {
	leave := make(chan struct{})
	context.AfterFunc(ctx, func() { time.AfterFunc(grace, func() { close(leave) }) })
	return leave
}
