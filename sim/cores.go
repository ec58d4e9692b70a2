package sim

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// Cores are processor cores that several runs share. A run holds one core, and its Helpers borrow those that no
// run holds.
type Cores struct{ free chan struct{} }

// NewCores returns n free cores, at least 1.
func NewCores(n int) *Cores {
	c := &Cores{free: make(chan struct{}, max(1, n))}
	for range cap(c.free) {
		c.free <- struct{}{}
	}
	return c
}

// Take waits for a free core. It returns the cause if ctx ends first.
func (c *Cores) Take(ctx context.Context) error {
	select {
	case <-c.free:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Give returns a core.
func (c *Cores) Give() { c.free <- struct{}{} }

// borrow takes a core if one is free now.
func (c *Cores) borrow() bool {
	select {
	case <-c.free:
		return true
	default:
		return false
	}
}

// Task is work that a run does on another core. It must not depend on anything that changes before Helpers.Wait
// returns.
type Task struct {
	Do    func() // must not panic
	Due   Time   // tasks run in order of Due,
	Rank  int    // then Rank; no two tasks have the same Due and Rank
	state taskState
}

func (t *Task) order(o *Task) int {
	return cmp.Or(cmp.Compare(t.Due, o.Due), cmp.Compare(t.Rank, o.Rank))
}

type taskState uint8

const (
	idle    taskState = iota // not added
	queued                   // added, not started
	running                  // running on some core
	done                     // finished, not yet waited for
)

// Helpers run tasks of one run on cores that no run holds. The run's own goroutine calls Add, Wait, Drop and
// Each, and runs tasks itself rather than wait idly. A nil *Helpers runs everything on that goroutine.
type Helpers struct {
	cores *Cores
	most  int // the most tasks that are started and not yet waited for

	mu     sync.Mutex
	ended  sync.Cond // signals that a task is done
	urgent []*Task   // the tasks of Each
	queue  []*Task   // in order
	begun  int       // number of tasks that are started and not yet waited for
	busy   int       // number of borrowed cores
}

// NewHelpers returns helpers for one run. It returns nil if there is only one core, which the run holds.
func NewHelpers(c *Cores) *Helpers {
	if c == nil || cap(c.free) == 1 {
		return nil
	}
	h := &Helpers{cores: c, most: 4 * cap(c.free)}
	h.ended.L = &h.mu
	return h
}

// Free reports whether a core other than the run's own is available for a new task.
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

// Add queues an idle task.
func (h *Helpers) Add(t *Task) {
	h.mu.Lock()
	defer h.mu.Unlock()
	t.state = queued
	i, _ := slices.BinarySearchFunc(h.queue, t, (*Task).order)
	h.queue = slices.Insert(h.queue, i, t)
	h.hire()
}

// hire borrows a core if a task is waiting and a core is free. The caller holds the lock.
func (h *Helpers) hire() {
	if h.waiting() && h.cores.borrow() {
		h.busy++
		go h.help()
	}
}

// waiting reports whether a task may start. The caller holds the lock.
func (h *Helpers) waiting() bool { return len(h.urgent) > 0 || len(h.queue) > 0 && h.begun < h.most }

// begin takes the next task from the queues; nil if there is none. The caller holds the lock.
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

// take removes a task from the queue. The caller holds the lock.
func (h *Helpers) take(t *Task) {
	i, _ := slices.BinarySearchFunc(h.queue, t, (*Task).order)
	h.queue = slices.Delete(h.queue, i, i+1)
	h.begun++
}

// help runs tasks on a borrowed core until none is left or a run waits for the core.
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

// do runs a task. The caller holds the lock, which is released meanwhile.
func (h *Helpers) do(t *Task) {
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		t.state = done
		h.ended.Broadcast()
	}()
	t.Do()
}

// Wait returns when an added task is done. The task is idle again then.
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

// join runs other tasks until t, which was started, is done. The caller holds the lock.
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

// Drop withdraws an added task or, if it was started, waits for it.
func (h *Helpers) Drop(t *Task) {
	h.mu.Lock()
	started := t.state != queued
	if !started {
		h.take(t)
		h.begun--
		t.state = idle
	}
	h.mu.Unlock()
	if started {
		h.Wait(t)
	}
}

// Each calls f(0) ... f(n-1), several at a time. If a call panics, so does Each.
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

// all runs tasks ahead of all others, the first on the run's own core.
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
	h.urgent = h.urgent[:0] // no core was free for these: the first task did their work
}
