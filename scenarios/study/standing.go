package study

import (
	"context"
	"slices"

	"tallynet/metrics/report/result"
)

// Standing is how far a study has come whose runs are stored.
type Standing struct {
	Runs   int // of the study
	Stored int // of those; runs of tuned methods count once all tunings have ended
	Trials int // of tunings
	Tried  int // of those, stored
	Claims int // runs and trials under way
}

// Standing counts the runs and trials of the study in a store.
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
	jobs := st.jobs(tuned)
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
