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

// errInterrupted is the cause of a context that the user has cancelled.
var errInterrupted = errors.New("interrupted")

// grace is how long an interrupted command waits for runs that are inside a long
// computation, such as the factorization of a large matrix, before it saves without them.
const grace = 2 * time.Second

// interrupts turns signals into the end of a command.
type interrupts struct {
	err    io.Writer
	busy   atomic.Bool // there is something to save
	cancel context.CancelCauseFunc
	exit   func(code int)

	serving atomic.Bool // the command ends by itself when its context does
}

// listen handles signals as they come. The first ends the runs, and what was finished is
// saved. The second, which timeout and batch systems send soon after, changes nothing while
// that lasts; the third ends the process. Where there is nothing to save, the first does.
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
	fmt.Fprintln(i.err, "\ninterrupted: saving what is finished (a third signal quits at once)")
	i.cancel(errInterrupted)
	<-signals
	if i.busy.Load() {
		<-signals
	}
	i.exit(codeInterrupted)
}

// saving writes files. An interrupt meanwhile waits for them, and ends the command then.
func (a *app) saving(write func() error) error {
	a.io.busy(true)
	defer a.io.busy(false)
	if err := write(); err != nil {
		return failed(err)
	}
	if err := a.ended(); errors.Is(err, errInterrupted) {
		return fmt.Errorf("%w; the files that were being written are whole", err)
	}
	return nil
}

// graceAfter returns a channel that is closed some time after ctx has ended.
func graceAfter(ctx context.Context) <-chan struct{} {
	leave := make(chan struct{})
	context.AfterFunc(ctx, func() { time.AfterFunc(grace, func() { close(leave) }) })
	return leave
}
