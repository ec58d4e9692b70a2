package scenarios

import (
	"context"
	"fmt"
	"sync"

	"tallynet/metrics/report/result"
)

// outcome is what doing a job has led to.
type outcome struct {
	run    result.Run
	stored bool // it was there from an earlier study
	err    error
}

// doOrLeave does the job. When leave is closed it does not wait for the run any longer,
// which may be in the middle of a large factorization: it returns what the run had
// recorded by then, as interrupted, and the goroutine of the run is abandoned. The
// context must have ended before, so that the run ends at its next event.
func (j *job) doOrLeave(ctx context.Context, o Options, number int, progress func(Progress)) outcome {
	var tell func(*result.Run)
	if o.Recorded != nil {
		tell = func(r *result.Run) { o.Recorded(number, func() *result.Run { return j.interrupted(r) }) }
	}
	if o.Leave == nil {
		run, stored, err := j.do(ctx, o, progress, tell)
		return outcome{run, stored, err}
	}
	var mu sync.Mutex
	var recorded *result.Run
	left := false
	done := make(chan outcome, 1)
	go func() {
		run, stored, err := j.do(ctx, o, func(p Progress) {
			mu.Lock()
			defer mu.Unlock()
			if !left {
				progress(p)
			}
		}, func(r *result.Run) {
			mu.Lock()
			defer mu.Unlock()
			recorded = r
			if tell != nil && !left {
				tell(r)
			}
		})
		done <- outcome{run, stored, err}
	}()
	select {
	case d := <-done:
		return d
	case <-o.Leave:
	}
	mu.Lock()
	defer mu.Unlock()
	left = true
	if recorded == nil { // it had not begun
		return outcome{}
	}
	return outcome{run: *j.interrupted(recorded)}
}

// interrupted returns what a run had recorded, as interrupted there.
func (j *job) interrupted(recorded *result.Run) *result.Run {
	run := *recorded
	run.Finish()
	run.Status = result.Interrupted
	run.Reason = fmt.Sprintf("interrupted in the middle of iteration %d", run.Iterations+1)
	return j.own(&run)
}
