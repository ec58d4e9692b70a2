package sim

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// Cores are processor cores that several runs share. A run holds one while it goes on, and its
// Helpers borrow those that no run holds.
type Cores struct{ free chan struct{} }

// NewCores returns n cores, at least 1, that nobody holds.
func NewCores(n int) *Cores {
	c := &Cores{free: make(chan struct{}, max(1, n))}
	for range cap(c.free) {
		c.free <- struct{}{}
	}
	return c
}

// Take waits for a core and returns nil, or the cause for which ctx has ended.
func (c *Cores) Take(ctx context.Context) error {
	select {
	case <-c.free:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Give gives back a core.
func (c *Cores) Give() { c.free <- struct{}{} }

// borrow takes a core if one is free at once.
func (c *Cores) borrow() bool {
	select {
	case <-c.free:
		return true
	default:
		return false
	}
}

// Task is something that a run does on another core. What it does may depend on nothing that
// changes before Helpers.Wait returns.
type Task struct {
	Do    func() // must not panic
	Due   Time   // tasks that are due earlier are done earlier,
	Rank  int    // and of those due at one time the lower ranks; no two tasks have the same of both
	state taskState
}

func (t *Task) order(o *Task) int {
	return cmp.Or(cmp.Compare(t.Due, o.Due), cmp.Compare(t.Rank, o.Rank))
}

type taskState uint8

const (
	idle    taskState = iota // with nobody
	queued                   // added, not begun
	running                  // on some core
	done                     // but not yet waited for
)

// Helpers do tasks of one run on the cores that nobody holds at the time. Add, Wait, Drop and Each are
// called by the run's own goroutine, which does tasks itself rather than wait. A nil *Helpers does
// everything on that goroutine.
type Helpers struct {
	cores *Cores
	most  int // tasks that may be begun and not yet waited for

	mu     sync.Mutex
	ended  sync.Cond // a task is done
	urgent []*Task   // of Each
	queue  []*Task   // in order
	begun  int       // tasks of queue that were begun and not yet waited for
	busy   int       // cores that are borrowed
}

// NewHelpers returns helpers for one run; nil if there is one core only, which is the run's.
func NewHelpers(c *Cores) *Helpers {
	if c == nil || cap(c.free) == 1 {
		return nil
	}
	h := &Helpers{cores: c, most: 4 * cap(c.free)}
	h.ended.L = &h.mu
	return h
}

// Free reports whether a task that is added now has a core other than the run's own.
func (h *Helpers) Free() bool {
	if h == nil {
		return false
	}
	if len(h.cores.free) > 0 {
		return true
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.busy > 0
}

// Add queues a task, which is idle.
func (h *Helpers) Add(t *Task) {
	h.mu.Lock()
	defer h.mu.Unlock()
	t.state = queued
	i, _ := slices.BinarySearchFunc(h.queue, t, (*Task).order)
	h.queue = slices.Insert(h.queue, i, t)
	h.hire()
}

// hire borrows a core if there is something to do and one is free. It needs the lock.
func (h *Helpers) hire() {
	if h.waiting() && h.cores.borrow() {
		h.busy++
		go h.help()
	}
}

// waiting reports whether a task may be begun. It needs the lock.
func (h *Helpers) waiting() bool { return len(h.urgent) > 0 || len(h.queue) > 0 && h.begun < h.most }

// begin takes the next task from its queue; nil for none. It needs the lock.
func (h *Helpers) begin() *Task {
	var t *Task
	switch {
	case !h.waiting():
		return nil
	case len(h.urgent) > 0:
		t = h.urgent[0]
		h.urgent = slices.Delete(h.urgent, 0, 1)
	default:
		t = h.queue[0]
		h.take(t)
	}
	t.state = running
	return t
}

// take takes a task out of the queue. It needs the lock.
func (h *Helpers) take(t *Task) {
	i, _ := slices.BinarySearchFunc(h.queue, t, (*Task).order)
	h.queue = slices.Delete(h.queue, i, i+1)
	h.begun++
}

// help does tasks on a borrowed core until none is left, or a run waits for the core.
func (h *Helpers) help() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for {
		t := h.begin()
		if t != nil {
			h.do(t)
		}
		h.cores.Give() // to a run that waits, if there is one
		if !h.waiting() || !h.cores.borrow() {
			h.busy--
			return
		}
	}
}

// do does a task that was begun. It needs the lock, which it gives up meanwhile.
func (h *Helpers) do(t *Task) {
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		t.state = done
		h.ended.Broadcast()
	}()
	t.Do()
}

// Wait returns when a task that was added is done, which is idle again then.
func (h *Helpers) Wait(t *Task) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t.state == queued {
		h.take(t)
		t.state = running
		h.do(t)
	}
	h.join(t)
	h.begun--
	h.hire()
}

// join does other tasks until t, which was begun, is done. It needs the lock.
func (h *Helpers) join(t *Task) {
	for t.state != done {
		if other := h.begin(); other != nil {
			h.do(other)
		} else {
			h.ended.Wait()
		}
	}
	t.state = idle
}

// Drop makes a task that was added idle: it takes it back, or waits until it is done.
func (h *Helpers) Drop(t *Task) {
	if !h.withdraw(t) {
		h.Wait(t)
	}
}

// withdraw makes a task idle that was not begun. It reports false if it was.
func (h *Helpers) withdraw(t *Task) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t.state != queued {
		return false
	}
	h.take(t)
	h.begun--
	t.state = idle
	return true
}

// Each calls f(0) ... f(n-1), several at the same time. If one panics, so does Each.
func (h *Helpers) Each(n int, f func(i int)) {
	if h == nil || n < 2 {
		for i := range n {
			f(i)
		}
		return
	}
	var next atomic.Int64
	var failed atomic.Pointer[any]
	t := make([]Task, min(n, cap(h.cores.free)))
	for k := range t {
		t[k].Do = func() {
			defer func() {
				if r := recover(); r != nil {
					failed.CompareAndSwap(nil, &r)
				}
			}()
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				f(int(i))
			}
		}
	}
	h.all(t)
	if r := failed.Load(); r != nil {
		panic(*r)
	}
}

// all does tasks, the first on the run's own core, before all others.
func (h *Helpers) all(t []Task) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for k := 1; k < len(t); k++ {
		t[k].state = queued
		h.urgent = append(h.urgent, &t[k])
		h.hire()
	}
	t[0].state = running
	h.do(&t[0])
	for k := range t {
		if t[k].state != queued {
			h.join(&t[k])
		}
	}
	h.urgent = h.urgent[:0] // nobody had the time for these: the first has done it all
}
