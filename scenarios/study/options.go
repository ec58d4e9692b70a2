package study

import (
	"tallynet/metrics/report/result"
	"tallynet/scenarios/execute"
	"tallynet/sim"
)

// Event says what happens in a study. Events of different runs may come from
// different goroutines.
type Event struct {
	Job      int // which run, 0 <= Job < Jobs
	Jobs     int
	Tuning   bool // a trial of a tuning grid, not a run of the result
	Progress execute.Progress
	Done     *result.Run // the run has ended; otherwise it goes on
	Stored   bool        // Done was there from an earlier study
}

// Options say how a study runs. They change nothing in its results.
type Options struct {
	Workers int         // cores: each run has one, and those that are free help; at least 1
	Notify  func(Event) // may be nil
	// Recorded, which may be nil, is called whenever a run of the result has recorded something,
	// by the goroutine of the run. soFar returns the run until then, as if it had been
	// interrupted; it may be called later, from anywhere.
	Recorded func(job int, soFar func() *result.Run)
	// Store keeps each run, and each trial of a tuning, as soon as it has ended, and
	// gives back those that it has: they are not run again. The runs that Study.Run
	// returns are then brief. Nil keeps all in memory.
	Store *result.RunStore
	Fresh bool // run what is stored all the same
	// Program identifies the program. Runs that another one has stored are not taken
	// for this one's.
	Program string
	// Share says which part of the study this process does first, of several that share the
	// store. Runs that another process does are left out of what Run returns.
	Share Share
	// Leave, if not nil, may be closed after the context has ended: Study.Run then returns
	// without waiting for runs that are inside a long computation.
	Leave <-chan struct{}

	cores *sim.Cores
}

// Share is one process's part of a study that several do together: 1 <= Index <= Of. The zero
// value is all of it. A process does its own part first and then helps with what nobody does.
type Share struct{ Index, Of int }

// order returns the order in which a process with the share takes n jobs.
func (s Share) order(n int) []int {
	var own, others []int
	for i := range n {
		k := i
		if s.Of > 0 {
			k = (i + (s.Index-1)*n/s.Of) % n // others from where its own part is, so that helpers spread
		}
		if s.Of == 0 || k%s.Of == s.Index-1 {
			own = append(own, k)
		} else {
			others = append(others, k)
		}
	}
	return append(own, others...)
}
