package serve

import (
	"context"
	"errors"
	"sync"
)

// errReplaced is why a study ends that a later one follows.
var errReplaced = errors.New("a later change has ended this study")

// turns lets one attempt run at a time: a later one ends those before it.
type turns struct {
	mu   sync.Mutex
	end  context.CancelCauseFunc // of the last one
	gone chan struct{}           // closed when the last one and all before it are gone
}

// turn is one attempt's.
type turn struct {
	before <-chan struct{} // nil: none
	gone   chan struct{}
	end    context.CancelCauseFunc
}

// next ends the attempts before it, and returns a context that a later one ends.
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

// wait returns when those before are gone, or with the reason why it need not wait any longer.
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

// leave lets the next one in, as soon as those before are gone as well.
func (n *turn) leave() {
	n.end(nil)
	go func() {
		if n.before != nil {
			<-n.before
		}
		close(n.gone)
	}()
}
