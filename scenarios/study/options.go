package study

import (
	"tallynet/metrics/report/result"
	"tallynet/scenarios/execute"
	"tallynet/sim"
)

// Event is a step of a study. Events of different runs may come from different goroutines.
type Event struct {
	Job      int // which run, 0 <= Job < Jobs
	Jobs     int
	Tuning   bool // a trial of a tuning grid, not a run of the result
	Progress execute.Progress
	Done     *result.Run // the run has ended; otherwise it goes on
	Stored   bool        // Done was there from an earlier study
}

// Options control how a study runs. They do not change its results.
type Options struct {
	Workers int         // cores, at least 1: each run has one, and free ones help
	Notify  func(Event) // may be nil
	// Recorded, which may be nil, is called by the goroutine of a run whenever it has recorded something.
	// soFar returns the run until then, as if it had been interrupted. It may be called later, by any goroutine.
	Recorded func(job int, soFar func() *result.Run)
	// Store keeps each run and each trial of a tuning once it has ended. Stored ones are not run again. With a store,
	// Study.Run returns brief runs; without one, all runs stay in memory.
	Store *result.RunStore
	Fresh bool // repeat stored runs
	// Program identifies the program. Runs stored by another program are not used.
	Program string
	// Share is the part of the study that this process does first, if several share the store. Run leaves out runs
	// that another process does.
	Share Share
	// Leave, if not nil, may be closed after the context has ended. Study.Run then returns without waiting for runs
	// that are inside a long computation.
	Leave <-chan struct{}

	cores *sim.Cores
}

// Share is one process's part of a study that several do together, 1 <= Index <= Of. The zero value is all of it. A
// process does its own part first and then helps with the rest.
type Share struct{ Index, Of int }

// order returns the order in which the process takes n jobs.
func (s Share) order(n int) []int {
	var own, others []int
	for i := range n {
		k := i
		if s.Of > 0 {
			k = (i + (s.Index-1)*n/s.Of) % n // helpers start at different places
		}
		if s.Of == 0 || k%s.Of == s.Index-1 {
			own = append(own, k)
		} else {
			others = append(others, k)
		}
	}
	return append(own, others...)
}
