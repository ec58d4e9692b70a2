package python

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// waiting reports calls of a child that take long.
type waiting struct {
	mu    sync.Mutex
	timer *time.Timer // of the next report; nil: no call is under way
}

// firstNotice is the time after which a call is reported first. Each further time is twice as long.
const firstNotice = 20 * time.Second

// begin reports a call for a node, which is ended after limit, until it has been answered.
func (w *waiting) begin(to io.Writer, limit time.Duration, call string, node int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	took := firstNotice
	var timer *time.Timer
	timer = time.AfterFunc(took, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.timer != timer {
			return // answered at the same time
		}
		_, _ = fmt.Fprintf(to, "simulate: %s has been computing for node %d for %v; a call is ended after %v (timeout)\n",
			call, node, took, limit) // progress, which nobody has to read
		timer.Reset(took)
		took *= 2
	})
	w.timer = timer
}

// end records that the call has been answered.
func (w *waiting) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer.Stop()
	w.timer = nil
}
