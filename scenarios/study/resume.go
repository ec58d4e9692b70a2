package study

import (
	"context"
	"fmt"
	"sync"

	"tallynet/metrics/report/result"
	"tallynet/metrics/trace"
	"tallynet/scenarios/execute"
	"tallynet/sim"
)

// do runs the job, or takes its run from the store. A stored run is returned in brief form. It calls recorded, which
// may be nil, whenever the run has recorded something.
func (j *job) do(ctx context.Context, o Options, progress func(execute.Progress),
	recorded func(*result.Run)) (run result.Run, stored bool, err error) {
	alg, mine := &j.point.Scenario.Algorithms[j.alg], j.own
	if j.lost != "" {
		return *mine(&result.Run{Algorithm: alg.Name, Seed: j.in.seed, Status: result.Failed, Reason: j.lost}), false, nil
	}
	if o.Store == nil {
		run, err = j.run(ctx, o.cores, progress, recorded)
		return *mine(&run), false, err
	}
	key, err := j.key(o.Program)
	if err != nil {
		return run, false, err
	}
	var kept *result.Run
	if !o.Fresh || o.Store.Wrote(key) {
		kept, err = o.Store.Get(key)
		stored = kept != nil && err == nil // a run that cannot be read is repeated
	}
	if !stored {
		if run, err = j.run(ctx, o.cores, progress, recorded); err != nil || run.Status == result.Interrupted {
			return *mine(&run), false, err
		}
		if err := o.Store.Put(key, &run); err != nil {
			return run, false, err
		}
		// The study continues with exactly what a later one will read.
		if kept, err = o.Store.Get(key); err != nil {
			return run, false, err
		}
	}
	stored = stored && !o.Store.Wrote(key) // the winner of a tuning was stored as a trial of this study
	full := mine(kept)
	return full.Brief(func() (*result.Run, error) {
		kept, err := o.Store.Get(key)
		if err != nil {
			return nil, err
		}
		if kept == nil {
			return nil, fmt.Errorf("a run of %s that was in %s is gone", alg.Label, o.Store.Folder())
		}
		return mine(kept), nil
	}), stored, nil
}

// jobOutcome is the result of doing a job.
type jobOutcome struct {
	run    result.Run
	stored bool // it was there from an earlier study
	err    error
}

// doOrLeave does the job. Once o.Leave is closed it no longer waits for the run, which may be inside a large
// factorization: it returns what the run had recorded, as interrupted, and abandons the goroutine. The context must
// have ended before, so that the run ends at its next event.
func (j *job) doOrLeave(ctx context.Context, o Options, number int, progress func(execute.Progress)) jobOutcome {
	var tell func(*result.Run)
	if o.Recorded != nil {
		tell = func(r *result.Run) { o.Recorded(number, func() *result.Run { return j.interrupted(r) }) }
	}
	if o.Leave == nil {
		run, stored, err := j.do(ctx, o, progress, tell)
		return jobOutcome{run, stored, err}
	}
	var mu sync.Mutex
	var recorded *result.Run
	left := false
	done := make(chan jobOutcome, 1)
	go func() {
		run, stored, err := j.do(ctx, o, func(p execute.Progress) {
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
		done <- jobOutcome{run, stored, err}
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
		return jobOutcome{}
	}
	return jobOutcome{run: *j.interrupted(recorded)}
}

// interrupted returns what a run had recorded as an interrupted run.
func (j *job) interrupted(recorded *result.Run) *result.Run {
	run := *recorded
	run.Finish()
	run.Status = result.Interrupted
	run.Reason = fmt.Sprintf("interrupted in the middle of iteration %d", run.Iterations+1)
	return j.own(&run)
}

// run does the job on several cores, and keeps the beginning of its timeline if it has one.
func (j *job) run(ctx context.Context, cores *sim.Cores, progress func(execute.Progress),
	recorded func(*result.Run)) (run result.Run, err error) {
	in, err := j.in.enter()
	if err != nil {
		return run, err
	}
	defer j.in.leave()
	method, seen := j.point.Scenario.Algorithms[j.alg], *in
	if !j.timed {
		return execute.RunOn(ctx, in, cores, method, j.args, progress, recorded), nil
	}
	p := trace.Window(in.Graph.Nodes(), execute.TimelineSize())
	seen.Engine.Tracer = p
	run = execute.RunOn(ctx, &seen, cores, method, j.args, progress, recorded)
	execute.SetTimeline(&run, p)
	return run, nil
}
