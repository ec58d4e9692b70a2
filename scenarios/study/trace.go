package study

import (
	"context"
	"fmt"
	"slices"

	"tallynet/metrics/report/result"
	"tallynet/metrics/trace"
	"tallynet/scenarios/execute"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/spec"
)

// Trace repeats the methods at the first grid point and seed, and records each as a process of the trace. It
// returns an error if a repeated run differs from the one of the study.
func (st *Study) Trace(ctx context.Context, runs []result.Run, t *trace.Trace) error {
	in := *st.First()
	for a, alg := range in.Scenario.Algorithms {
		i := slices.IndexFunc(runs, func(r result.Run) bool {
			return r.Label == alg.Label && r.Seed == in.Seed && r.Point.Equal(spec.SettingsOf(st.own[0][a].values))
		})
		if i < 0 {
			continue // it was interrupted before, or does not run at this point
		}
		in.Engine.Tracer = t.Add(runs[i].Name(), in.Graph.Nodes())
		again := execute.Run(ctx, &in, alg, traced(alg, &runs[i]), func(execute.Progress) {})
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if again.Hash != runs[i].Hash {
			return fmt.Errorf("trace: %s is not the run of the result: its hash is %s, not %s; --fresh repeats stored runs",
				runs[i].Name(), again.Hash, runs[i].Hash)
		}
	}
	return nil
}

// traced returns the parameters of a run: those of the file, or of the winner of its tuning.
func traced(alg spec.AlgorithmSpec, run *result.Run) keys.Args {
	if alg.Tune == nil || run.Tuning == nil {
		return alg.Args
	}
	for i, trial := range run.Tuning.Trials {
		if trial.Chosen {
			return alg.Tune.Points[i].Args
		}
	}
	return alg.Args
}
