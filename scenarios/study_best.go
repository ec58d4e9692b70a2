package scenarios

import (
	"math"
	"sync"

	"tallynet/metrics"
	"tallynet/metrics/report/result"
)

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

// trialKey is an instance (the first seed of a grid point) and an algorithm.
type trialKey struct{ instance, alg int }

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case int:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// judge returns what a trial is judged by, or NaN if it does not qualify. A
// metric for which more is better counts with a minus.
func judge(t *Tune, to result.Target, run *result.Run) float64 {
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
