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

// Trace runs the methods of the first grid point and seed again, each into a process of the
// trace. It returns an error if one of them is not the run that the study has.
func (st *Study) Trace(ctx context.Context, runs []result.Run, t *trace.Trace) error {
	in := *st.First()
	for a, alg := range in.Scenario.Algorithms {
		i := slices.IndexFunc(runs, func(r result.Run) bool {
			return r.Label == alg.Label && r.Seed == in.Seed && r.Point.Equal(spec.SettingsOf(st.own[0][a].values))
		})
		if i < 0 {
			continue // it was interrupted before, or runs at other points only
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

// traced returns the parameters with which a method ran: those of the file, or the winner of
// its tuning.
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
