package study

import (
	"context"
	"errors"
	"time"

	"tallynet/scenarios/execute"
)

// share does the job unless another process does. It then waits for a trial, since no method can run before its tuning
// has ended, and leaves out a run.
func (j *job) share(ctx context.Context, o Options, number int, trial bool,
	progress func(execute.Progress)) (jobOutcome, error) {
	for {
		if ctx.Err() != nil {
			return jobOutcome{}, nil
		}
		release, mine, err := j.claim(o)
		if err != nil {
			return jobOutcome{}, err
		}
		if mine {
			d := j.doOrLeave(ctx, o, number, progress)
			return d, errors.Join(d.err, release())
		}
		if !trial {
			return jobOutcome{}, nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(lookAgain):
		}
	}
}

// lookAgain is how often a process checks whether the trial of another process has ended.
const lookAgain = 500 * time.Millisecond

// claim claims the job if the study is shared and the job is not stored.
func (j *job) claim(o Options) (release func() error, mine bool, err error) {
	nothing := func() error { return nil }
	if o.Share.Of == 0 || j.lost != "" {
		return nothing, true, nil
	}
	key, err := j.key(o.Program)
	if err != nil {
		return nil, false, err
	}
	if stored, err := o.Store.Has(key); stored || err != nil {
		return nothing, stored, err
	}
	return o.Store.Claim(key)
}
