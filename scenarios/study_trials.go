package scenarios

import (
	"sync"

	"tallynet/metrics/report/result"
)

// Trials that are equal run once, and the best trial of a tuning is a run of the result. A store sees to both
// by what runs are stored under; where there is none, what follows does.

// equalTrials returns for each job the later ones that give the same run but for what it is called, and which jobs
// those are.
func equalTrials(jobs []job, program string) (others [][]int, repeats []bool, err error) {
	others, repeats = make([][]int, len(jobs)), make([]bool, len(jobs))
	first := map[string]int{}
	for i := range jobs {
		j := jobs[i]
		j.timed = false // only the trials of the first point are: the first of equal ones is among them
		key, err := j.key(program)
		if err != nil {
			return nil, nil, err
		}
		if k, known := first[key]; known {
			others[k], repeats[i] = append(others[k], i), true
			continue
		}
		first[key] = i
	}
	return others, repeats, nil
}

// bestTrials keeps the best trial of each tuning whole: it need not run again. A nil one keeps nothing.
type bestTrials struct {
	of []trialKey // by trial, the tuning that it is of

	mu   sync.Mutex
	best map[trialKey]bestTrial
}

type bestTrial struct {
	trial   int
	measure float64
	run     *result.Run
}

// offer keeps a trial that is better than those before, the first of equal ones, as choose has it.
func (b *bestTrials) offer(trial int, measure float64, run *result.Run) {
	if b == nil || measure != measure {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	old, known := b.best[b.of[trial]]
	if !known || measure < old.measure || measure == old.measure && trial < old.trial {
		b.best[b.of[trial]] = bestTrial{trial, measure, run}
	}
}

// run returns the best trial of a tuning; nil if none was kept.
func (b *bestTrials) run(of trialKey) *result.Run {
	if b == nil {
		return nil
	}
	return b.best[of].run
}

// renamed returns the run of an equal trial as that of the job.
func (j *job) renamed(run *result.Run) result.Run {
	r := *j.own(run)
	if !j.timed {
		r.Timeline, r.Happenings = nil, nil
	}
	return r
}
