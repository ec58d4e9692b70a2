package scenarios

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"

	"tallynet/sim"
)

// execute does jobs on o.Workers goroutines; the result has their order.
func execute(ctx context.Context, o Options, jobs []job, tuning bool) ([]finished, error) {
	done := make([]finished, len(jobs))
	notify := o.Notify
	if notify == nil {
		notify = func(StudyEvent) {}
	}
	var mu sync.Mutex
	say := func(e StudyEvent) {
		mu.Lock()
		defer mu.Unlock()
		e.Jobs, e.Tuning = len(jobs), tuning
		notify(e)
	}
	g, going := errgroup.WithContext(ctx) // a run that cannot be stored interrupts the others
	g.SetLimit(max(1, o.Workers))
	if o.cores == nil {
		o.cores = sim.NewCores(o.Workers)
	}
	others, repeats := make([][]int, len(jobs)), make([]bool, len(jobs))
	if tuning && o.Store == nil {
		var err error
		if others, repeats, err = equalTrials(jobs, o.Program); err != nil {
			return nil, err
		}
	}
	for _, i := range o.Share.order(len(jobs)) {
		if repeats[i] {
			continue
		}
		j := jobs[i]
		g.Go(func() error {
			if o.cores.Take(going) != nil {
				return nil // it never began
			}
			defer o.cores.Give()
			mine := o
			if tuning {
				mine.Recorded = nil
			}
			d, err := j.share(going, mine, i, tuning, func(p Progress) { say(StudyEvent{Job: i, Progress: p}) })
			if err != nil || d.run.Status == "" {
				return err
			}
			run := d.run
			j.together.share(&run)
			if !tuning {
				done[i].run = run
				say(StudyEvent{Job: i, Done: &done[i].run, Stored: d.stored})
				return nil
			}
			full, err := run.Full()
			if err != nil {
				return err
			}
			for _, k := range append([]int{i}, others[i]...) {
				run := jobs[k].renamed(full)
				done[k].measure = jobs[k].judge(&run)
				o.best.offer(k, done[k].measure, &run)
				done[k].run = run.Brief(nil)
				say(StudyEvent{Job: k, Done: &done[k].run, Stored: d.stored})
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return done, err
	}
	return done, context.Cause(ctx)
}

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
