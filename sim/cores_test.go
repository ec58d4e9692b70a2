package sim

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestHelpers(t *testing.T) {
	for _, cores := range []int{1, 2, 4, 8} {
		h := NewHelpers(NewCores(cores))
		if (h == nil) != (cores == 1) || h == nil && h.Free() {
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

// TestHelpersBorrow checks that a task runs on a free core or on the run's own.
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
	var mu sync.Mutex // after a core is returned, helpers run tasks, too
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

// TestHelpersAlone: while a run does something else, another core starts its tasks, the earliest first and
// only a bounded number. Dropping a task waits for it if it has started, and withdraws it otherwise.
func TestHelpersAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cores := NewCores(2)
		if err := cores.Take(t.Context()); err != nil {
			t.Fatal(err)
		}
		h := NewHelpers(cores)
		goOn := make(chan struct{})
		var mu sync.Mutex
		var begun []int
		ended := 0
		tasks := make([]Task, 12)
		for i := range tasks {
			tasks[i].Due, tasks[i].Rank = Time(10-i/2), -i
			tasks[i].Do = func() {
				mu.Lock()
				begun = append(begun, i)
				mu.Unlock()
				<-goOn
				mu.Lock()
				ended++
				mu.Unlock()
			}
			h.Add(&tasks[i])
			synctest.Wait()
		}
		if !h.Free() || len(cores.free) != 0 || !slices.Equal(begun, []int{0}) {
			t.Errorf("%d cores are left, begun: %v; want task 0 on the second core", len(cores.free), begun)
		}
		h.Drop(&tasks[11])
		go close(goOn)
		synctest.Wait()
		// Two cores may have eight tasks that nobody has waited for. The latest comes first, except for 0 and
		// the dropped one.
		if want := []int{0, 10, 9, 8, 7, 6, 5, 4}; !slices.Equal(begun, want) || ended != 8 || len(cores.free) != 1 {
			t.Errorf("begun: %v, want %v; %d ended, %d cores left", begun, want, ended, len(cores.free))
		}
		h.Drop(&tasks[10]) // it is done: another may begin
		synctest.Wait()
		if len(begun) != 9 || begun[8] != 3 {
			t.Errorf("begun: %v, want 3 as the ninth", begun)
		}
		for _, i := range []int{2, 1, 0, 3, 4, 5, 6, 7, 8, 9} {
			h.Wait(&tasks[i])
		}
		if ended != 11 || h.begun != 0 || len(h.queue) != 0 {
			t.Errorf("%d of 11 tasks were done; %d are begun, %d queued", ended, h.begun, len(h.queue))
		}
		for i := range tasks {
			if tasks[i].state != idle {
				t.Errorf("task %d is in state %d, want idle", i, tasks[i].state)
			}
		}
	})
}

// TestHelpersDropWaits checks that Drop waits for a task that was started.
func TestHelpersDropWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := NewHelpers(NewCores(2))
		goOn, done := make(chan struct{}), false
		task := Task{Do: func() { <-goOn; done = true }}
		h.Add(&task)
		synctest.Wait()
		dropped := false
		go func() { h.Drop(&task); dropped = true }()
		synctest.Wait()
		if dropped {
			t.Error("the task was dropped while it was done")
		}
		close(goOn)
		synctest.Wait()
		if !dropped || !done {
			t.Errorf("dropped: %t, done: %t", dropped, done)
		}
	})
}

// TestEachSharesAndPanics checks that calls run at the same time, and that Each panics with the value of a
// call.
func TestEachSharesAndPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cores := NewCores(3)
		if err := cores.Take(t.Context()); err != nil {
			t.Fatal(err)
		}
		h := NewHelpers(cores)
		var all sync.WaitGroup
		all.Add(3)
		h.Each(3, func(int) { all.Done(); all.Wait() })
		synctest.Wait()
		if len(cores.free) != 2 || h.begun != 0 || len(h.urgent) != 0 {
			t.Errorf("%d cores are left, %d tasks are begun, %d urgent", len(cores.free), h.begun, len(h.urgent))
		}
		defer func() {
			if r := recover(); r != "two" {
				t.Errorf("Each panics with %v, want two", r)
			}
		}()
		h.Each(5, func(i int) {
			if i == 2 {
				panic("two")
			}
		})
		t.Error("Each does not panic")
	})
}

// TestHelpersAreGone checks that idle helpers release their core.
func TestHelpersAreGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cores := NewCores(2)
		if err := cores.Take(t.Context()); err != nil {
			t.Fatal(err)
		}
		h := NewHelpers(cores)
		for range 3 {
			task := Task{Do: func() {}}
			h.Add(&task)
			synctest.Wait()
			h.Wait(&task)
		}
		synctest.Wait()
		if !h.Free() {
			t.Error("one core of two is taken, and none is free")
		}
		if err := cores.Take(t.Context()); err != nil {
			t.Fatal(err)
		}
		if h.Free() || h.busy != 0 {
			t.Errorf("both cores are taken, and one is free: %d are busy", h.busy)
		}
	})
}

// TestEachWaitsForAll checks that two calls run at the same time, that Each returns when the longer one has,
// and that it calls nothing for n = 0.
func TestEachWaitsForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := NewHelpers(NewCores(2))
		for longer := range 2 {
			for range 5 {
				met, done := make(chan bool), [2]bool{}
				h.Each(2, func(i int) {
					if i == 0 {
						met <- true
					} else {
						<-met
					}
					if i == longer {
						time.Sleep(time.Second) // by the clock of the test
					}
					done[i] = true
				})
				if done != [2]bool{true, true} {
					t.Fatalf("Each has returned, and of the two calls %v are done", done)
				}
			}
		}
		h.Each(0, func(int) { t.Error("called for none") })
		synctest.Wait()
		for range 2 { // without helpers
			if err := h.cores.Take(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		calls := 0
		if h.Each(4, func(int) { calls++ }); calls != 4 || h.waiting() {
			t.Errorf("%d calls of 4; something is left to be done: %t", calls, h.waiting())
		}
	})
}
