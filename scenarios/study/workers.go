package study

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"

	"tallynet/scenarios/execute"
	"tallynet/sim"
)

// doAll does jobs on o.Workers goroutines. The result is in the order of the jobs.
func doAll(ctx context.Context, o Options, jobs []job, tuning bool) ([]finished, error) {
	done := make([]finished, len(jobs))
	notify := o.Notify
	if notify == nil {
		notify = func(Event) {}
	}
	var mu sync.Mutex
	say := func(e Event) {
		mu.Lock()
		defer mu.Unlock()
		e.Jobs, e.Tuning = len(jobs), tuning
		notify(e)
	}
	g, going := errgroup.WithContext(ctx) // a run that cannot be stored ends the others
	g.SetLimit(max(1, o.Workers))
	if o.cores == nil {
		o.cores = sim.NewCores(o.Workers)
	}
	for _, i := range o.Share.order(len(jobs)) {
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
			d, err := j.share(going, mine, i, tuning, func(p execute.Progress) { say(Event{Job: i, Progress: p}) })
			if err != nil || d.run.Status == "" {
				return err
			}
			run := d.run
			j.together.share(&run)
			if tuning {
				full, err := run.Full()
				if err != nil {
					return err
				}
				s := j.point.Scenario
				tune := s.Algorithms[j.alg].Tune
				done[i].measure = judge(tune, s.TuneTarget(tune), full)
				run = full.Brief(nil)
			}
			done[i].run = run
			say(Event{Job: i, Done: &done[i].run, Stored: d.stored})
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return done, err
	}
	return done, context.Cause(ctx)
}
