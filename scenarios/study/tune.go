package study

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/spec"
)

// trialKey identifies a tuning: an instance (the first seed of a grid point) and an algorithm.
type trialKey struct{ instance, alg int }

type tuneResult struct {
	args   keys.Args
	tuning *result.Tuning
	lost   string // why there is no winner, or ""
}

// tune searches the grids of all tuned algorithms, with the first seed of each point. The winner then runs with every
// seed. A tuning without a winner makes the runs of its point fail; if the study has one point only, it is an error.
func (st *Study) tune(ctx context.Context, o Options) (map[trialKey]tuneResult, error) {
	jobs, of := st.trials()
	if len(jobs) == 0 {
		return nil, nil
	}
	trials, err := doAll(ctx, o, jobs, true)
	if err != nil {
		return nil, fmt.Errorf("while tuning, before the first run: %w", err)
	}
	return st.winners(jobs, of, trials)
}

// trials returns the trials of all tunings, and the tuning of each.
func (st *Study) trials() (jobs []job, of []trialKey) {
	seeds := len(st.points[0].Scenario.Seeds)
	for i := 0; i < len(st.instances); i += seeds {
		point := st.points[i/seeds]
		for a, alg := range point.Scenario.Algorithms {
			if alg.Tune == nil || st.own[i/seeds][a].first != i/seeds {
				continue
			}
			for _, p := range alg.Tune.Points {
				jobs = append(jobs, job{in: st.instances[i], point: point, alg: a, args: p.Args, timed: i == 0})
				of = append(of, trialKey{i, a})
			}
		}
	}
	return jobs, of
}

// winners returns the result of each tuning.
func (st *Study) winners(jobs []job, of []trialKey, trials []finished) (map[trialKey]tuneResult, error) {
	results := map[trialKey]tuneResult{}
	for i := 0; i < len(jobs); {
		s := jobs[i].point.Scenario
		alg := s.Algorithms[jobs[i].alg]
		n := len(alg.Tune.Points)
		best, tuning := choose(s, alg.Tune, trials[i:i+n])
		switch {
		case best >= 0:
			results[of[i]] = tuneResult{args: jobs[i+best].args, tuning: tuning}
		default:
			what := "reaches the target and keeps it"
			if alg.Tune.To == nil {
				what = "ends well"
			}
			lost := fmt.Sprintf("no point of the grid of %d %s (%s)", n, what,
				closest(s.WithAgreement(alg.Tune.To), trials[i:i+n]))
			if slices.ContainsFunc(trials[i:i+n], func(t finished) bool { return t.run.Status != result.Failed }) {
				lost += ": widen the grid, ask for less, or allow more iterations"
			}
			if len(st.points) == 1 {
				return nil, s.Errorf("algorithms."+alg.Label+".tune", "%s", lost)
			}
			results[of[i]] = tuneResult{args: alg.Args, tuning: tuning, lost: "tuning: " + lost}
		}
		i += n
	}
	return results, nil
}

// closest describes how near the trials of a tuning without a winner came to its target.
func closest(target []result.Condition, trials []finished) string {
	ended := map[result.Status]int{}
	best := slices.Repeat([]float64{math.NaN()}, len(target))
	for _, trial := range trials {
		run := &trial.run
		ended[run.Status]++
		for i, to := range target {
			to.Value = best[i]
			if v, ok := run.Final.Values.Get(to.Metric); ok && (math.IsNaN(best[i]) || to.Met(v)) {
				best[i] = v
			}
		}
	}
	var parts []string
	for i, to := range target {
		if !math.IsNaN(best[i]) {
			parts = append(parts, fmt.Sprintf("best %s at an end: %.3g", to.Metric, best[i]))
		}
	}
	for _, s := range []result.Status{result.Completed, result.Reached, result.Diverged, result.Stalled, result.Failed} {
		if ended[s] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", ended[s], s))
		}
	}
	for _, s := range []result.Status{result.Failed, result.Stalled, result.Diverged} {
		if i := slices.IndexFunc(trials, func(t finished) bool { return t.run.Status == s }); i >= 0 {
			reason, _, _ := strings.Cut(trials[i].run.Reason, "\n")
			return strings.Join(parts, ", ") + fmt.Sprintf("; the first that %s: %s", s, reason)
		}
	}
	return strings.Join(parts, ", ")
}

// choose returns the index of the best trial, the first of equal ones, or -1 if none qualifies. Trials qualify that
// reach the target and keep it or, without a target, those that ended well.
func choose(s *spec.Scenario, t *spec.Tune, trials []finished) (int, *result.Tuning) {
	rule := "least " + t.By
	if t.To == nil {
		rule += " at the end"
	} else {
		rule += " to " + result.Target{Conditions: s.WithAgreement(t.To)}.String() + ", kept to the end of the trial"
	}
	tuning := &result.Tuning{Rule: rule}
	best, least := -1, math.Inf(1)
	for i, trial := range trials {
		m := trial.measure
		tuning.Trials = append(tuning.Trials, result.Trial{Parameters: spec.SettingsOf(t.Points[i].Values),
			Status:  trial.run.Status,
			Measure: jsonio.Real(m)})
		if m < least {
			best, least = i, m
		}
	}
	if best >= 0 {
		tuning.Trials[best].Chosen = true
	}
	return best, tuning
}

func asFloat(v any) (float64, bool) {
	switch v := v.(type) {
	case int:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// judge returns the cost or metric that a trial is judged by, or NaN if it does not qualify. A metric for which
// more is better is negated.
func judge(t *spec.Tune, to result.Target, run *result.Run) float64 {
	if len(run.Samples) == 0 || !run.Status.Ended() {
		return math.NaN()
	}
	at := &metrics.Moment{Iteration: run.Iterations, Totals: run.Totals}
	if t.To != nil {
		if at = run.Reach(to).At; at == nil {
			return math.NaN()
		}
	}
	if cost := metrics.FindCost(t.By); cost != nil {
		return cost.Value(at)
	}
	v, ok := run.Final.Values.Get(t.By)
	switch {
	case !ok:
		return math.NaN()
	case t.MoreBy:
		return -v
	}
	return v
}
