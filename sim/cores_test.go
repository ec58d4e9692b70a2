package sim

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

func TestHelpers(t *testing.T) {
	for _, cores := range []int{1, 2, 4, 8} {
		h := NewHelpers(NewCores(cores))
		if (h == nil) != (cores == 1) {
			t.Fatalf("%d cores: helpers are %v", cores, h)
		}
		squares := make([]int, 1000)
		h.Each(len(squares), func(i int) { squares[i] = i * i })
		for i, v := range squares {
			if v != i*i {
				t.Fatalf("%d cores: Each left %d at %d", cores, v, i)
			}
		}
		if h == nil {
			continue
		}
		done := make([]int, 100)
		tasks := make([]Task, len(done))
		for round := range 20 {
			for i := range tasks {
				tasks[i].Due, tasks[i].Rank = Time(i%7), i
				tasks[i].Do = func() { done[i]++ }
				h.Add(&tasks[i])
			}
			h.Each(10, func(i int) { squares[i] = 0 })
			for i := range tasks {
				if h.Wait(&tasks[i]); done[i] != round+1 {
					t.Fatalf("%d cores: task %d was done %d times, want %d", cores, i, done[i], round+1)
				}
			}
		}
	}
}

// What is dropped is done in full or not at all.
func TestHelpersDrop(t *testing.T) {
	cores := NewCores(2)
	h := NewHelpers(cores)
	var begun, ended atomic.Int32
	tasks := make([]Task, 50)
	for i := range tasks {
		tasks[i].Rank = i
		tasks[i].Do = func() { begun.Add(1); ended.Add(1) }
		h.Add(&tasks[i])
	}
	for i := range tasks {
		h.Drop(&tasks[i])
	}
	if b, e := begun.Load(), ended.Load(); b != e {
		t.Errorf("%d begun, %d ended", b, e)
	}
	before := begun.Load()
	for i := range tasks {
		h.Add(&tasks[i])
		h.Wait(&tasks[i])
	}
	if n := begun.Load() - before; n != 50 {
		t.Errorf("%d of 50 done after all were dropped", n)
	}
}

// A task runs on a core that nobody holds, or on the run's own, and the earliest first.
func TestHelpersBorrow(t *testing.T) {
	cores := NewCores(2)
	for range 2 {
		if err := cores.Take(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	h := NewHelpers(cores)
	if h.Free() {
		t.Error("both cores are taken, and one is free")
	}
	var mu sync.Mutex // once a core is given back, helpers do tasks, too
	var order []int
	tasks := make([]Task, 5)
	for i := range tasks {
		tasks[i].Due = Time(5 - i)
		tasks[i].Do = func() {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, i)
		}
		h.Add(&tasks[i])
	}
	h.Wait(&tasks[2])
	cores.Give()
	if !h.Free() {
		t.Error("a core was given back, and none is free")
	}
	for i := range tasks {
		if i != 2 {
			h.Wait(&tasks[i])
		}
	}
	if len(order) != 5 || order[0] != 2 {
		t.Errorf("done in the order %v, want 2 first and all", order)
	}
	ended, cancel := context.WithCancelCause(t.Context())
	why := errors.New("why")
	cancel(why)
	full := NewCores(1)
	if err := full.Take(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := full.Take(ended); !errors.Is(err, why) {
		t.Errorf("waiting for a core that is taken ended with %v, want the cause of the context", err)
	}
}

func TestHelpersOrder(t *testing.T) {
	cores := NewCores(2)
	for range 2 {
		if err := cores.Take(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	h := NewHelpers(cores)
	tasks := make([]Task, 7)
	for i, due := range []Time{3, 1, 2, 1, 3, 0, 2} {
		tasks[i] = Task{Due: due, Rank: i, Do: func() {}}
		h.Add(&tasks[i])
	}
	var got []int
	h.mu.Lock()
	for t := h.begin(); t != nil; t = h.begin() {
		got = append(got, t.Rank)
	}
	h.mu.Unlock()
	if want := []int{5, 1, 3, 2, 6, 0, 4}; !slices.Equal(got, want) {
		t.Errorf("begun in the order %v, want %v", got, want)
	}
}

func TestEachPanics(t *testing.T) {
	h := NewHelpers(NewCores(4))
	defer func() {
		if r := recover(); r != "seven" {
			t.Errorf("recovered %v", r)
		}
		h.Each(3, func(int) {}) // they go on
	}()
	h.Each(100, func(i int) {
		if i == 7 {
			panic("seven")
		}
	})
}
