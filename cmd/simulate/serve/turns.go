package serve

import (
	"context"
	"errors"
	"sync"
)

// errReplaced ends a study that a later one replaces.
var errReplaced = errors.New("a later change has ended this study")

// turns ends each attempt when the next one begins.
type turns struct {
	mu  sync.Mutex
	end context.CancelCauseFunc // ends the last attempt
}

// next ends the earlier attempts. It returns a context that a later attempt cancels.
func (t *turns) next(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	mine, end := context.WithCancelCause(ctx)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.end != nil {
		t.end(errReplaced)
	}
	t.end = end
	return mine, end
}

// take waits for a place, and returns a function that frees it. If ctx is cancelled first, it returns the cause.
func take(ctx context.Context, places chan struct{}) (free func(), err error) {
	select {
	case places <- struct{}{}:
		return func() { <-places }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
