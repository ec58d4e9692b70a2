package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/measure"
	"tallynet/scenarios/problems/data"
	"tallynet/sim"
)

// Study is a scenario with its grid and its seeds, ready to run: every instance was
// built once, so that what is wrong with any of them shows before the first run.
type Study struct {
	Scenario  *Scenario
	points    []GridPoint
	instances []*sharedInstance // by point, then seed
	idle      idleInstances     // of them
	own       [][]own           // by point, then algorithm
	unfit     []string          // by claim: why it cannot be checked; "" where it can

	index  sync.Once
	byName map[string]*Scenario // by the settings of the point; see At
}

// NewStudy builds all instances of a scenario. An error names the place in the file.
func NewStudy(s *Scenario, loader *data.Loader) (*Study, error) {
	st := &Study{Scenario: s}
	var err error
	if st.points, err = s.Points(); err != nil {
		return nil, err
	}
	st.own = depends(st.points)
	for _, p := range st.points {
		if err := st.addInstances(p.Scenario, loader); err != nil {
			return nil, err
		}
	}
	if st.unfit, err = st.fit(); err != nil {
		return nil, err
	}
	return st, nil
}

// addInstances builds the instances of a point, one after the other, and keeps the first of all.
func (st *Study) addInstances(s *Scenario, loader *data.Loader) error {
	files, err := s.digests()
	var has []measure.Metric
	for _, seed := range s.Seeds {
		in, wrong := s.Build(seed, loader)
		switch {
		case wrong != nil:
			return wrong
		case err != nil:
			return s.errorf("problem", "%w", err)
		}
		if now := measure.Of(in.Problem, s.cat.Metrics); !slices.Equal(measure.Names(now), measure.Names(has)) {
			has = now
		}
		pl := &sharedInstance{scenario: s, seed: seed, loader: loader, metrics: has, files: files, idle: &st.idle}
		if len(st.instances) == 0 {
			pl.first, pl.instance = in, in // a study of one instance need not build it again
		} else {
			st.idle.put(pl, in)
		}
		st.instances = append(st.instances, pl)
	}
	return nil
}

// First returns the instance of the first grid point and seed.
func (st *Study) First() *Instance { return st.instances[0].first }

// Close ends what runs outside for the first instance, when nothing more is to be run: a program
// that goes on to other studies calls it.
func (st *Study) Close() { st.instances[0].first.close() }

// Points returns the number of grid points.
func (st *Study) Points() int { return len(st.points) }

// At returns the scenario of the grid point with these settings; nil if there is none.
func (st *Study) At(settings result.Settings) *Scenario {
	st.index.Do(func() {
		st.byName = map[string]*Scenario{}
		for _, p := range st.points {
			st.byName[p.Metrics().Text("=")] = p.Scenario
		}
	})
	return st.byName[settings.Text("=")]
}

// sharedInstance is an instance that exists while jobs need it, and then until others have
// taken its place. The memory of a study is that of the instances at work, and idleBytes, not of all.
type sharedInstance struct {
	scenario *Scenario
	seed     uint64
	loader   *data.Loader
	metrics  []measure.Metric // that its problem has
	files    jsonio.Object    // that it is read from, each with its digest
	first    *Instance        // kept for good: that of the first point
	idle     *idleInstances

	mu       sync.Mutex
	instance *Instance
	users    int
}

// enter builds the instance, unless it is there, and leave says that a job no longer needs it.
func (p *sharedInstance) enter() (*Instance, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.instance == nil {
		p.instance = p.idle.take(p)
	}
	if p.instance == nil {
		in, err := p.scenario.Build(p.seed, p.loader)
		if err != nil {
			return nil, err
		}
		p.instance = in
	}
	p.users++
	return p.instance, nil
}

func (p *sharedInstance) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.users--; p.users == 0 && p.instance != p.first {
		p.idle.put(p, p.instance)
		p.instance = nil
	}
}

// StudyEvent says what happens in a study. Events of different runs may come from
// different goroutines.
type StudyEvent struct {
	Job      int // which run, 0 <= Job < Jobs
	Jobs     int
	Tuning   bool // a trial of a tuning grid, not a run of the result
	Progress Progress
	Done     *result.Run // the run has ended; otherwise it goes on
	Stored   bool        // Done was there from an earlier study
}

// Options say how a study runs. They change nothing in its results.
type Options struct {
	Workers int              // cores: each run has one, and those that are free help; at least 1
	Notify  func(StudyEvent) // may be nil
	// Recorded, which may be nil, is called whenever a run of the result has recorded something,
	// by the goroutine of the run. soFar returns the run until then, as if it had been
	// interrupted; it may be called later, from anywhere.
	Recorded func(job int, soFar func() *result.Run)
	// Store keeps each run, and each trial of a tuning, as soon as it has ended, and
	// gives back those that it has: they are not run again. The runs that Study.Run
	// returns are then brief. Nil keeps all in memory.
	Store *result.RunStore
	Fresh bool // run what is stored all the same
	// Program identifies the program. Runs that another one has stored are not taken
	// for this one's.
	Program string
	// Share says which part of the study this process does first, of several that share the
	// store. Runs that another process does are left out of what Run returns.
	Share Share
	// Leave, if not nil, may be closed after the context has ended: Study.Run then returns
	// without waiting for runs that are inside a long computation.
	Leave <-chan struct{}

	cores *sim.Cores
	best  *bestTrials // keeps those of a tuning; may be nil
}

// job is one run to be done.
type job struct {
	in     *sharedInstance
	point  GridPoint
	alg    int
	args   keys.Args
	tuning *result.Tuning // how args were found
	lost   string         // why it cannot run: its tuning has no winner
	timed  bool           // keep the beginning of its timeline
	done   *result.Run    // what it gives, if that is known
	// together is what the runs of the same method at the same point share.
	together *sharedParts
}

// Run runs everything and returns the runs, by grid point, seed and algorithm in
// the order of the file, whatever the number of workers. Cancelling ctx ends it
// early: runs that were under way are reported as interrupted, those that had not
// begun are left out, and Run returns ctx's error besides the runs. A run that cannot
// be stored ends the study too.
func (st *Study) Run(ctx context.Context, o Options) ([]result.Run, error) {
	o.cores = sim.NewCores(o.Workers)
	o.Workers = st.Workers(o.Workers)
	if o.Store == nil && o.Recorded == nil { // which is told of each run of the result while it goes on
		o.best = new(bestTrials)
	}
	tuned, err := st.tune(ctx, o)
	if err != nil {
		return nil, err
	}
	jobs := st.jobs(tuned, o.best)
	done, err := execute(ctx, o, jobs, false)
	runs := make([]result.Run, 0, len(done))
	for i := range done {
		if done[i].run.Status != "" {
			runs = append(runs, done[i].run)
		}
	}
	return runs, err
}

// jobs returns all runs, those of tuned methods with the parameters that were found. Of the first seed,
// the best trial is the run.
func (st *Study) jobs(tuned map[trialKey]tuneResult, best *bestTrials) []job {
	jobs := make([]job, 0, st.Runs())
	together := make([]*sharedParts, len(st.Scenario.Algorithms))
	for i, in := range st.instances {
		point := st.points[i/len(st.Scenario.Seeds)]
		for a, alg := range in.scenario.Algorithms {
			o := st.own[i/len(st.Scenario.Seeds)][a]
			if o.first != i/len(st.Scenario.Seeds) {
				continue
			}
			if i%len(st.Scenario.Seeds) == 0 {
				together[a] = new(sharedParts)
			}
			j := job{in: in, point: point.with(o.values), alg: a, args: alg.Args, together: together[a], timed: i == 0}
			if alg.Tune != nil {
				t := tuned[trialKey{i - i%len(st.Scenario.Seeds), a}]
				j.args, j.tuning, j.lost = t.args, t.tuning, t.lost
				j.done = best.run(trialKey{i, a})
			}
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// Runs returns the number of runs, without those of a tuning.
func (st *Study) Runs() int { return len(st.instances) * len(st.Scenario.Algorithms) }

// Workers returns how many of the wanted runs may go on at once: so many that their
// instances stay within the limit of memory together.
func (st *Study) Workers(want int) int {
	for _, p := range st.points {
		s := p.Scenario
		if size, known := s.size(s.Problem.Args, s.Topology.DataNodes(), nil); known {
			want = min(want, int(min(s.Limits.Bytes/max(1, size.Bytes), 1<<20)))
		}
	}
	return max(1, want)
}

// finished is a job that was done.
type finished struct {
	run     result.Run // without a status: it never began
	measure float64    // of a trial: what it is judged by
}

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

// own returns a copy of a run with what the study knows and the store does not.
func (j *job) own(run *result.Run) *result.Run {
	r := *run
	r.Label, r.Point, r.Tuning = j.point.Scenario.Algorithms[j.alg].Label, pointOf(j.point.Values), j.tuning
	r.PointName = j.point.Name
	r.Notes = slices.Concat(r.Notes, edges(j.point.Scenario.cat, j.point.Scenario.Algorithms[j.alg], j.tuning))
	r.Targets = nil
	for _, t := range j.point.Scenario.Targets() {
		if r.Measures(t) || !r.Status.Ended() {
			r.Targets = append(r.Targets, r.Reach(t))
		}
	}
	return &r
}

// with returns the point with those values only that a method depends on. Where these are not
// all, the method has run once for several points, and bears the name of none.
func (p GridPoint) with(values []GridValue) GridPoint {
	if len(values) < len(p.Values) {
		p.Name = ""
	}
	p.Values = values
	return p
}

// do runs the job, or takes it from the store. Of a run that is stored, it returns a
// brief one, unless it is to be judged. Each time the run has recorded something, it calls
// recorded, which may be nil.
func (j *job) do(ctx context.Context, o Options, progress func(Progress),
	recorded func(*result.Run)) (run result.Run, stored bool, err error) {
	alg, mine := &j.point.Scenario.Algorithms[j.alg], j.own
	if j.lost != "" {
		return *mine(&result.Run{Algorithm: alg.Name, Seed: j.in.seed, Status: result.Failed, Reason: j.lost}), false, nil
	}
	if j.done != nil {
		return *mine(j.done), false, nil
	}
	if o.Store == nil {
		in, err := j.in.enter()
		if err != nil {
			return run, false, err
		}
		defer j.in.leave()
		run = j.run(ctx, o.cores, in, progress, recorded)
		return *mine(&run), false, nil
	}
	key, err := j.key(o.Program)
	if err != nil {
		return run, false, err
	}
	var kept *result.Run
	if !o.Fresh {
		kept, err = o.Store.Get(key)
		stored = kept != nil && err == nil // one that cannot be read is run again
	}
	if !stored {
		in, err := j.in.enter()
		if err != nil {
			return run, false, err
		}
		run = j.run(ctx, o.cores, in, progress, recorded)
		j.in.leave()
		if run.Status == result.Interrupted {
			return *mine(&run), false, nil
		}
		if err := o.Store.Put(key, &run); err != nil {
			return run, false, err
		}
		// What the study goes on with is what a later one will read.
		if kept, err = o.Store.Get(key); err != nil {
			return run, false, err
		}
	}
	stored = stored && !o.Store.Wrote(key) // the best trial of a tuning is a run, and not from an earlier study
	full := mine(kept)
	return full.Brief(func() (*result.Run, error) {
		kept, err := o.Store.Get(key)
		if err != nil {
			return nil, err
		}
		if kept == nil {
			return nil, fmt.Errorf("a run of %s that was in %s is gone", alg.Label, o.Store.Folder())
		}
		return mine(kept), nil
	}), stored, nil
}

func pointOf(settings []GridValue) result.Settings {
	var p result.Settings
	for _, s := range settings {
		set, err := result.NewSetting(s.Key, s.Value)
		if err != nil {
			panic("scenarios: " + err.Error()) // GridValue holds what JSON can hold
		}
		p = append(p, set)
	}
	return p
}

// measured returns the metrics that a run of an algorithm records: those that are
// asked for, and those that its stop rules, its tuning and the claims need, of those
// that the problem has.
func (s *Scenario) measured(of []measure.Metric, a AlgorithmSpec) []string {
	has, names := measure.Names(of), slices.Clone(s.Record.Strings("metrics"))
	if names == nil {
		names = measure.Default(of, keys.Optional[string](s.Problem.Args, "inner") == "personal")
	}
	need := func(name string) {
		if !slices.Contains(names, name) && slices.Contains(has, name) {
			names = append(names, name)
		}
	}
	for _, t := range s.stopConditions() {
		need(t.Metric)
	}
	for _, c := range s.Claims {
		if c.check != nil && slices.Contains(c.check.Labels(), a.Label) {
			for _, name := range c.check.Metrics() {
				need(name)
			}
		}
	}
	for _, t := range s.Tables {
		for _, row := range t.Rows {
			if row.cells != nil && slices.Contains(row.cells.Labels(), a.Label) {
				for _, name := range row.cells.Metrics() {
					need(name)
				}
			}
		}
	}
	for i := range s.Figures {
		for _, name := range s.Figures[i].drawn(a.Label) {
			need(name)
		}
	}
	if a.Tune != nil {
		need(a.Tune.By)
		for _, t := range s.agreed(a.Tune.To) {
			need(t.Metric)
		}
	}
	return names
}

// Report puts a study's runs together with the scenario and where they come from.
func (st *Study) Report(runs []result.Run, p result.Provenance) (*result.Report, error) {
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
	return &result.Report{Schema: result.Schema, Scenario: raw, Provenance: p, Runs: runs, Claims: st.Claims(runs),
		Tables: st.Tables(runs)}, nil
}
