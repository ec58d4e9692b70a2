package scenarios

import (
	"context"
	"errors"
	"slices"
	"time"

	"tallynet/metrics/report/result"
)

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

// share does the job, unless another process with a share does it. Then a trial is waited for,
// since no method can run before its tuning has ended, and a run is left out.
func (j *job) share(ctx context.Context, o Options, number int, trial bool,
	progress func(Progress)) (outcome, error) {
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

// Standing says how far a study is whose runs are stored.
type Standing struct {
	Runs   int // of the study
	Stored int // of those; runs of methods that are tuned count once their tuning has ended
	Trials int // of tunings
	Tried  int // of those, stored
	Claims int // runs and trials that processes are at work on
}

// Standing looks into a store.
func (st *Study) Standing(store *result.RunStore, program string) (s Standing, err error) {
	trials, _ := st.trials()
	s.Trials = len(trials)
	if s.Tried, err = stored(trials, store, program); err != nil {
		return s, err
	}
	tuned := map[trialKey]tuneResult{}
	ready := s.Tried == s.Trials
	if ready && s.Trials > 0 {
		if tuned, err = st.tune(context.Background(), Options{Workers: 1, Store: store, Program: program}); err != nil {
			return s, err
		}
	}
	jobs := st.jobs(tuned, nil)
	s.Runs = len(jobs)
	if !ready {
		jobs = slices.DeleteFunc(jobs, func(j job) bool { return j.in.scenario.Algorithms[j.alg].Tune != nil })
	}
	if s.Stored, err = stored(jobs, store, program); err != nil {
		return s, err
	}
	s.Claims, err = store.Claims()
	return s, err
}

// stored counts the jobs whose runs are stored.
func stored(jobs []job, store *result.RunStore, program string) (n int, err error) {
	for i := range jobs {
		key, err := jobs[i].key(program)
		if err != nil {
			return n, err
		}
		has, err := store.Has(key)
		if err != nil {
			return n, err
		}
		if has {
			n++
		}
	}
	return n, nil
}
