package study

import (
	"context"

	"tallynet/metrics/report/result"
	"tallynet/sim"
)

// Run runs the study and returns its runs by grid point, seed and algorithm in the order of the file, whatever the
// number of workers. If ctx is cancelled, runs under way are returned as interrupted, those that had not begun are
// left out, and Run returns the cause besides the runs. A run that cannot be stored ends the study too.
func (st *Study) Run(ctx context.Context, o Options) ([]result.Run, error) {
	o.cores = sim.NewCores(o.Workers)
	o.Workers = st.Workers(o.Workers)
	tuned, err := st.tune(ctx, o)
	if err != nil {
		return nil, err
	}
	jobs := st.jobs(tuned)
	done, err := doAll(ctx, o, jobs, false)
	runs := make([]result.Run, 0, len(done))
	for i := range done {
		if done[i].run.Status != "" {
			runs = append(runs, done[i].run)
		}
	}
	return runs, err
}

// jobs returns all runs. Tuned methods have the parameters that the tuning found.
func (st *Study) jobs(tuned map[trialKey]tuneResult) []job {
	jobs := make([]job, 0, st.Runs())
	together := make([]*commonParts, len(st.Scenario.Algorithms))
	for i, in := range st.instances {
		point := st.points[i/len(st.Scenario.Seeds)]
		for a, alg := range in.scenario.Algorithms {
			o := st.own[i/len(st.Scenario.Seeds)][a]
			if o.first != i/len(st.Scenario.Seeds) {
				continue
			}
			if i%len(st.Scenario.Seeds) == 0 {
				together[a] = new(commonParts)
			}
			j := job{in: in, point: with(point, o.values), alg: a, args: alg.Args, together: together[a], timed: i == 0}
			if alg.Tune != nil {
				t := tuned[trialKey{i - i%len(st.Scenario.Seeds), a}]
				j.args, j.tuning, j.lost = t.args, t.tuning, t.lost
			}
			jobs = append(jobs, j)
		}
	}
	return jobs
}
