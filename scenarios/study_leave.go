package scenarios

import (
	"context"
	"fmt"
	"sync"

	"tallynet/metrics/result"
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
func (j *job) doOrLeave(ctx context.Context, o Options, progress func(Progress)) outcome {
	if o.Leave == nil {
		run, stored, err := j.do(ctx, o, progress, nil)
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
	run := *recorded
	run.Finish()
	run.Status = result.Interrupted
	run.Reason = fmt.Sprintf("interrupted in the middle of iteration %d", run.Iterations+1)
	return outcome{run: *j.own(&run)}
}
