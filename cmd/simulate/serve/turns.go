package serve

import (
	"context"
	"errors"
	"sync"
)

// errReplaced ends a study that a later one replaces.
var errReplaced = errors.New("a later change has ended this study")

// turns lets one attempt run at a time. Each attempt ends the ones before it.
type turns struct {
	mu   sync.Mutex
	end  context.CancelCauseFunc // ends the last attempt
	gone chan struct{}           // closed when the last attempt and all before it have ended
}

// turn is the turn of one attempt.
type turn struct {
	before <-chan struct{} // gone of the attempt before, or nil
	gone   chan struct{}
	end    context.CancelCauseFunc
}

// next ends the earlier attempts. It returns a context that a later attempt cancels.
func (t *turns) next(ctx context.Context) (context.Context, *turn) {
	mine, end := context.WithCancelCause(ctx)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.end != nil {
		t.end(errReplaced)
	}
	n := &turn{before: t.gone, gone: make(chan struct{}), end: end}
	t.end, t.gone = end, n.gone
	return mine, n
}

// wait waits until all earlier attempts have ended. If ctx is cancelled first, it returns the cause.
func (n *turn) wait(ctx context.Context) error {
	if n.before == nil {
		return nil
	}
	select {
	case <-n.before:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// leave ends the turn. The next one starts when all earlier attempts have ended too.
func (n *turn) leave() {
	n.end(nil)
	go func() {
		if n.before != nil {
			<-n.before
		}
		close(n.gone)
	}()
}
