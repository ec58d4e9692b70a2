package study

import (
	"context"
	"errors"
	"time"

	"tallynet/scenarios/execute"
)

// share does the job, unless another process with a share does it. Then a trial is waited for,
// since no method can run before its tuning has ended, and a run is left out.
func (j *job) share(ctx context.Context, o Options, number int, trial bool,
	progress func(execute.Progress)) (outcome, error) {
	for {
		if ctx.Err() != nil {
			return outcome{}, nil
		}
		release, mine, err := j.claim(o)
		if err != nil {
			return outcome{}, err
		}
		if mine {
			d := j.doOrLeave(ctx, o, number, progress)
			return d, errors.Join(d.err, release())
		}
		if !trial {
			return outcome{}, nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(lookAgain):
		}
	}
}

// lookAgain is how often a process looks whether a trial that another one does has ended.
const lookAgain = 500 * time.Millisecond

// claim claims the job, if there are shares and it is not stored.
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
