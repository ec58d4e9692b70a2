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
	call  string // "": none
	node  int
	since time.Time
	limit time.Duration // after which the call is ended
	next  time.Duration // after which it is reported next
	over  chan struct{} // closed with the child
}

// firstNotice is the time after which a call is reported first. Each further time is twice as long.
const firstNotice = 20 * time.Second

// begin records that a call for a node has begun.
func (w *waiting) begin(now time.Time, limit time.Duration, call string, node int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.call, w.node, w.since, w.limit, w.next = call, node, now, limit, firstNotice
}

// end records that the call has been answered.
func (w *waiting) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.call = ""
}

// look returns a message about the call, or "".
func (w *waiting) look(now time.Time) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	took := now.Sub(w.since)
	if w.call == "" || took < w.next {
		return ""
	}
	for w.next <= took {
		w.next *= 2
	}
	return fmt.Sprintf("simulate: %s has been computing for node %d for %v; a call is ended after %v (timeout)\n",
		w.call, w.node, took.Round(time.Second), w.limit)
}

// watch reports slow calls until the child has ended.
func (w *waiting) watch(to io.Writer) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-w.over:
			return
		case now := <-tick.C:
			if text := w.look(now); text != "" {
				_, _ = io.WriteString(to, text) // progress, which nobody has to read
			}
		}
	}
}
