package study

import (
	"fmt"
	"slices"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/spec"
)

// job is one run to be done.
type job struct {
	in     *sharedInstance
	point  spec.GridPoint
	alg    int
	args   keys.Args
	tuning *result.Tuning // how args were found
	lost   string         // why it cannot run, if its tuning has no winner
	timed  bool           // keep the beginning of its timeline
	// together is what the runs of the same method at the same point share.
	together *commonParts
}

// finished is a job that was done.
type finished struct {
	run     result.Run // has no status if it never began
	measure float64    // of a trial: the cost or metric that decides
}

// own returns a copy of a run with its label, point, tuning and targets, which the store does not have.
func (j *job) own(run *result.Run) *result.Run {
	r := *run
	r.Label, r.Point, r.Tuning = j.point.Scenario.Algorithms[j.alg].Label, spec.SettingsOf(j.point.Values), j.tuning
	r.PointName, r.Numbers = j.point.Name, j.point.Scenario.Quantities(j.point.Values)
	r.Notes = slices.Concat(r.Notes, atGridEdge(j.point.Scenario.Catalog, j.point.Scenario.Algorithms[j.alg], j.tuning))
	r.Targets = nil
	for _, t := range j.point.Scenario.Targets() {
		if r.Measures(t) || !r.Status.Ended() {
			r.Targets = append(r.Targets, r.Reach(t))
		}
	}
	return &r
}

// atGridEdge returns notes on chosen values that lie at an end of their grid, since a better one may lie beyond. It
// leaves out values that are the least the method allows.
func atGridEdge(cat *catalog.Catalog, alg spec.AlgorithmSpec, t *result.Tuning) []string {
	if t == nil || alg.Tune == nil {
		return nil
	}
	best := slices.IndexFunc(t.Trials, func(trial result.Trial) bool { return trial.Chosen })
	if best < 0 {
		return nil
	}
	var notes []string
	for k, axis := range alg.Tune.Grid {
		chosen, ok := asFloat(alg.Tune.Points[best].Values[k].Value)
		least, most := chosen, chosen
		for _, v := range axis.Values {
			x, is := asFloat(v)
			ok = ok && is
			least, most = min(least, x), max(most, x)
		}
		end := ""
		switch params := cat.Algorithm(alg.Name).Params; {
		case !ok || least == most:
		case chosen == most:
			end = "largest"
		case chosen == least && !slices.ContainsFunc(params, func(p keys.Param) bool {
			return p.Name == axis.Key && p.Kind == keys.Int && p.Range.Min == chosen
		}):
			end = "smallest"
		}
		if end != "" {
			notes = append(notes, fmt.Sprintf("tuning chose %s = %v, the %s of its grid: a value beyond may be better; "+
				"widen the grid there", axis.Key, alg.Tune.Points[best].Values[k].Value, end))
		}
	}
	return notes
}
