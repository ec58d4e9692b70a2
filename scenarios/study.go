package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"tallynet/metrics"
	"tallynet/scenarios/problems"
	"tallynet/scenarios/problems/data"
)

// Study is a scenario with its grid and its seeds, ready to run: every instance is
// built, so that what is wrong with any of them shows before the first run.
type Study struct {
	Scenario  *Scenario
	points    []Point
	instances []*Instance // by point, then seed
	unfit     []string    // by claim: why it cannot be checked; "" where it can
}

// NewStudy builds all instances of a scenario. An error names the place in the file.
func NewStudy(s *Scenario, loader *data.Loader) (*Study, error) {
	st := &Study{Scenario: s}
	var err error
	if st.points, err = s.Points(); err != nil {
		return nil, err
	}
	for _, p := range st.points {
		for _, seed := range p.Scenario.Seeds {
			in, err := p.Scenario.Build(seed, loader)
			if err != nil {
				return nil, err
			}
			st.instances = append(st.instances, in)
		}
	}
	if st.unfit, err = st.fit(); err != nil {
		return nil, err
	}
	return st, nil
}

// Instances returns the instances: by grid point, then by seed.
func (st *Study) Instances() []*Instance { return st.instances }

// Event tells what happens in a study. Events of different runs may come from
// different goroutines.
type Event struct {
	Job      int // which run, 0 <= Job < Jobs
	Jobs     int
	Tuning   bool // a trial of a tuning grid, not a run of the result
	Progress Progress
	Done     *metrics.Run // the run has ended; otherwise it goes on
}

// Options say how a study runs. They change nothing in its results.
type Options struct {
	Workers int         // runs at the same time; at least 1
	Notify  func(Event) // may be nil
}

// job is one run to be done.
type job struct {
	in     *Instance
	point  Point
	alg    int
	args   Args
	tuning *metrics.Tuning // how args were found
	trial  int             // of a tuning job: the point of the grid
}

// Run runs everything and returns the runs, by grid point, seed and algorithm in
// the order of the file, whatever the number of workers. Cancelling ctx ends it
// early: runs that were under way are reported as interrupted, those that had not
// begun are left out, and Run returns ctx's error besides the runs.
func (st *Study) Run(ctx context.Context, o Options) ([]metrics.Run, error) {
	tuned, err := st.tune(ctx, o)
	if err != nil {
		return nil, err
	}
	var jobs []job
	for i, in := range st.instances {
		point := st.points[i/len(st.points[0].Scenario.Seeds)]
		for a, alg := range in.Scenario.Algorithms {
			j := job{in: in, point: point, alg: a, args: alg.Args}
			if alg.Tune != nil {
				t := tuned[tuneKey{i - i%len(in.Scenario.Seeds), a}]
				j.args, j.tuning = t.args, t.tuning
			}
			jobs = append(jobs, j)
		}
	}
	runs, err := execute(ctx, o, jobs, false)
	return slices.DeleteFunc(runs, func(r metrics.Run) bool { return r.Status == "" }), err
}

// execute runs jobs on o.Workers goroutines; the result has their order. A run that
// never began has no status.
func execute(ctx context.Context, o Options, jobs []job, tuning bool) ([]metrics.Run, error) {
	runs := make([]metrics.Run, len(jobs))
	notify := o.Notify
	if notify == nil {
		notify = func(Event) {}
	}
	var mu sync.Mutex
	say := func(e Event) {
		mu.Lock()
		defer mu.Unlock()
		notify(e)
	}
	var g errgroup.Group
	g.SetLimit(max(1, o.Workers))
	for i, j := range jobs {
		g.Go(func() error {
			if ctx.Err() != nil {
				return nil
			}
			alg := j.in.Scenario.Algorithms[j.alg]
			run := j.in.Run(ctx, alg, j.args, func(p Progress) {
				say(Event{Job: i, Jobs: len(jobs), Tuning: tuning, Progress: p})
			})
			run.Point = pointOf(j.point.Values)
			run.Tuning = j.tuning
			if tuning {
				run.Links, run.Nodes, run.Phases, run.X, run.Y = nil, nil, nil, nil, nil
			}
			runs[i] = run
			say(Event{Job: i, Jobs: len(jobs), Tuning: tuning, Done: &runs[i]})
			return nil
		})
	}
	_ = g.Wait() // no job returns an error
	return runs, context.Cause(ctx)
}

func pointOf(settings []Setting) metrics.Point {
	var p metrics.Point
	for _, s := range settings {
		set, err := metrics.NewSetting(s.Key, s.Value)
		if err != nil {
			panic("scenarios: " + err.Error()) // Setting holds what JSON can hold
		}
		p = append(p, set)
	}
	return p
}

// tuneKey is an instance (the first seed of a grid point) and an algorithm.
type tuneKey struct{ instance, alg int }

type tuneResult struct {
	args   Args
	tuning *metrics.Tuning
}

// tune searches the grids of all algorithms that have one, at the first seed of
// each point of the study: the winner then runs with every seed.
func (st *Study) tune(ctx context.Context, o Options) (map[tuneKey]tuneResult, error) {
	var jobs []job
	var keys []tuneKey
	seeds := len(st.points[0].Scenario.Seeds)
	for i := 0; i < len(st.instances); i += seeds {
		in := st.instances[i]
		for a, alg := range in.Scenario.Algorithms {
			if alg.Tune == nil {
				continue
			}
			for t, p := range alg.Tune.Points {
				jobs = append(jobs, job{in: in, point: st.points[i/seeds], alg: a, args: p.Args, trial: t})
				keys = append(keys, tuneKey{i, a})
			}
		}
	}
	if len(jobs) == 0 {
		return nil, nil
	}
	runs, err := execute(ctx, o, jobs, true)
	if err != nil {
		return nil, fmt.Errorf("interrupted while tuning, before the first run: %w", err)
	}
	results := map[tuneKey]tuneResult{}
	for i := 0; i < len(jobs); {
		alg := jobs[i].in.Scenario.Algorithms[jobs[i].alg]
		n := len(alg.Tune.Points)
		best, tuning := choose(alg.Tune, runs[i:i+n])
		if best < 0 {
			return nil, jobs[i].in.Scenario.Errorf("algorithms."+alg.Label+".tune",
				"no point of the grid of %d reaches the target and keeps it (%s): widen the grid, ask for less, or allow more iterations", n, closest(alg.Tune, runs[i:i+n]))
		}
		results[keys[i]] = tuneResult{jobs[i+best].args, tuning}
		i += n
	}
	return results, nil
}

// closest says how near the trials of a tuning without a winner came to its target.
func closest(t *Tune, trials []metrics.Run) string {
	ended := map[metrics.Status]int{}
	best := make([]float64, len(t.To))
	for i := range best {
		best[i] = math.NaN()
	}
	for _, run := range trials {
		ended[run.Status]++
		for i, to := range t.To {
			v, ok := run.Final.Values.Get(to.Metric)
			if ok && (math.IsNaN(best[i]) || (Threshold{to.Metric, best[i]}).met(v)) {
				best[i] = v
			}
		}
	}
	var parts []string
	for i, to := range t.To {
		parts = append(parts, fmt.Sprintf("best %s at an end: %.3g", to.Metric, best[i]))
	}
	for _, s := range []metrics.Status{metrics.Completed, metrics.Reached, metrics.Diverged, metrics.Stalled, metrics.Failed} {
		if ended[s] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", ended[s], s))
		}
	}
	return strings.Join(parts, ", ")
}

// choose returns the index of the best trial, the first of equal ones, or -1 if
// none qualifies: those that reach the target and keep it, if there is one, or those
// that ended well.
func choose(t *Tune, trials []metrics.Run) (int, *metrics.Tuning) {
	rule := "least " + t.By
	if t.To == nil {
		rule += " at the end"
	} else {
		rule += " to " + allOf(t.To) + ", kept to the end of the trial"
	}
	tuning := &metrics.Tuning{Rule: rule}
	best, least := -1, math.Inf(1)
	for i, run := range trials {
		m := measure(t, &run)
		tuning.Trials = append(tuning.Trials, metrics.Trial{Parameters: pointOf(t.Points[i].Values), Status: run.Status, Measure: metrics.Real(m)})
		if m < least {
			best, least = i, m
		}
	}
	if best >= 0 {
		tuning.Trials[best].Chosen = true
	}
	return best, tuning
}

// measure returns what a trial is judged by, or NaN if it does not qualify. A
// metric of which more is better counts with a minus.
func measure(t *Tune, run *metrics.Run) float64 {
	if len(run.Samples) == 0 || run.Status != metrics.Completed && run.Status != metrics.Reached {
		return math.NaN()
	}
	at, totals := run.Iterations, run.Totals
	if t.To != nil {
		i := settled(t.To, run)
		if i == len(run.Samples) {
			return math.NaN()
		}
		at, totals = run.Samples[i].Iteration, run.Samples[i].Totals
	}
	switch t.By {
	case "iterations":
		return float64(at)
	case "rounds":
		return float64(totals.Rounds)
	case "messages":
		return float64(totals.Messages)
	case "payload_bytes":
		return float64(totals.PayloadBytes())
	case "vector_bytes":
		return float64(totals.Payload[metrics.Vector])
	case "matrix_bytes":
		return float64(totals.Payload[metrics.Matrix])
	case "time_s":
		return totals.Time.Seconds()
	}
	v, ok := run.Final.Values.Get(t.By)
	if !ok {
		return math.NaN()
	}
	if (Threshold{Metric: t.By}).relation() == ">=" {
		return -v
	}
	return v
}

// settled returns the index of the first sample from which on all targets hold to
// the end of the run, or the number of samples. A method whose step is too long may
// pass through the target and fly on; that is not reaching it.
func settled(to []Threshold, run *metrics.Run) int {
	i := len(run.Samples)
	for i > 0 && reached(to, run.Metrics, &run.Samples[i-1]) {
		i--
	}
	return i
}

// measured returns the metrics that a run of an algorithm records: those that are
// asked for, and those that its stop rules and its tuning need.
func (s *Scenario) measured(p problems.Problem, a Algorithm) []string {
	names := slices.Clone(s.Record.Metrics)
	if names == nil {
		names = unasked(available(p))
	}
	need := func(name string) {
		if !slices.Contains(names, name) && slices.Contains(available(p), name) {
			names = append(names, name)
		}
	}
	for _, t := range s.Stop.thresholds() {
		need(t.Metric)
	}
	for _, c := range s.Claims {
		if c.check != nil && slices.Contains(c.check.Labels(), a.Label) {
			for _, name := range c.check.Metrics() {
				need(name)
			}
		}
	}
	if a.Tune != nil {
		need(a.Tune.By)
		for _, t := range a.Tune.To {
			need(t.Metric)
		}
	}
	return names
}

// Report puts a study's runs together with the scenario and where they come from.
func (st *Study) Report(runs []metrics.Run, p metrics.Provenance) (*metrics.Report, error) {
	fitting := *st.Scenario
	fitting.Claims = nil
	for i, c := range st.Scenario.Claims {
		if st.unfit[i] == "" {
			fitting.Claims = append(fitting.Claims, c)
		}
	}
	raw, err := json.Marshal(fitting.Resolved())
	if err != nil {
		return nil, fmt.Errorf("resolved scenario: %w", err)
	}
	p.Seeds = st.Scenario.Seeds
	return &metrics.Report{Schema: metrics.Schema, Scenario: raw, Provenance: p, Runs: runs, Claims: st.Claims(runs)}, nil
}
