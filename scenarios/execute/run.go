package execute

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"tallynet/algorithms"
	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/metrics/report/result"
	"tallynet/node"
	"tallynet/scenarios/build"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/measure"
	"tallynet/scenarios/problems/budget"
	"tallynet/scenarios/spec"
	"tallynet/sim"
)

// Progress is how far a run has come. It is sent after each recorded iteration.
type Progress struct {
	Label      string
	Iteration  int
	Iterations int
	Metric     string  // the first metric that a stop rule names, or grad_norm2
	Value      float64 // of the metric
}

// Run runs one algorithm of the instance with the given parameters. It never fails: what goes wrong becomes the run's
// status and reason. Cancelling ctx ends the run as interrupted, with what was recorded until then.
func Run(ctx context.Context, in *build.Instance, alg spec.AlgorithmSpec, args keys.Args,
	progress func(Progress)) result.Run {
	return RunOn(ctx, in, nil, alg, args, progress, nil)
}

// RunOn is Run on several cores, one of which the caller holds; nil stands for one core. It calls recorded, which may
// be nil, with the run so far after each sample.
func RunOn(ctx context.Context, in *build.Instance, cores *sim.Cores, alg spec.AlgorithmSpec, args keys.Args,
	progress func(Progress), recorded func(*result.Run)) (run result.Run) {
	r := &runner{in: in, cores: cores, alg: alg, progress: progress, recorded: recorded, targets: in.Scenario.Targets()}
	r.run = result.Run{Algorithm: alg.Name, Label: alg.Label, Seed: in.Seed, Parameters: parameters(args),
		Defaults: in.Scenario.Defaults(&alg, args)}
	defer func() {
		// A method that panics has a bug, which must not end the other runs of a study.
		if p := recover(); p != nil {
			r.end(result.Failed, fmt.Sprint(p))
			r.run.Finish()
			run = r.run
		}
	}()
	defer func() {
		if c, ok := r.method.(io.Closer); ok { // code in another process
			if err := c.Close(); err != nil {
				run.Notes = append(run.Notes, err.Error())
			}
		}
	}()
	if err := r.prepare(args); err != nil {
		r.end(result.Failed, err.Error())
		return r.run
	}
	ending, err := r.net.Run(ctx, node.Limits{Until: in.Scenario.Stop.Duration("time")})
	r.conclude(ending, err)
	return r.run
}

// runner is one run: one method on one instance.
type runner struct {
	in       *build.Instance
	cores    *sim.Cores
	alg      spec.AlgorithmSpec
	method   algorithms.Method
	last     int              // outer iteration of the method
	has      []measure.Metric // of the problem
	eval     *measure.Evaluator
	net      *node.Network
	run      result.Run
	targets  []result.Target // each is reported with the moment it was reached
	first    float64         // grad_norm2 at iteration 0, or what it is measured against
	ended    bool            // the status is set
	progress func(Progress)
	recorded func(*result.Run)
	clocked  bool      // samples are taken at moments of simulated time
	iterates bool      // keep the iterates of every sample
	wire     *overflow // nil if the wire format is exact
}

// parameters returns the parameters of an algorithm in the order of the catalog.
func parameters(args keys.Args) result.Settings {
	var p result.Settings
	for _, pair := range spec.MethodSettings(args) {
		s, err := result.NewSetting(pair.Key, pair.Value)
		if err != nil {
			panic("execute: " + err.Error()) // a value of the catalog that JSON cannot hold
		}
		p = append(p, s)
	}
	return p
}

// prepare makes the method, the evaluator and the network.
func (r *runner) prepare(args keys.Args) error {
	s := r.in.Scenario
	var err error
	if r.method, err = build.Method(s, r.alg, args); err != nil {
		return err
	}
	r.last = algorithms.Iterations(r.method)
	if err := r.in.CanForm(r.method); err != nil {
		return err
	}
	personal := keys.Optional[string](s.Problem.Args, "inner") == "personal"
	r.has = measure.Of(r.in.Problem, s.Catalog.Metrics)
	r.run.Metrics = s.MeasuredMetrics(r.has, r.alg)
	of, err := measure.Select(r.in.Problem, s.Catalog.Metrics, r.run.Metrics)
	if err != nil {
		return err
	}
	helpers := r.helpers()
	var each measure.Each
	if helpers != nil {
		each = helpers.Each
	}
	r.eval = measure.NewEvaluator(r.in.Problem, personal, of, each)
	r.iterates = s.Record.String("iterates") == "all"
	cfg := r.in.Engine
	cfg.Helpers = helpers
	cfg.Clock = r.clock()
	if r.clocked = cfg.Clock != nil; !r.clocked {
		cfg.Recorder = metrics.NewRecorder(s.Topology.Nodes, s.Record.Int("every"), r.last, r.sample)
	}
	p, q := r.in.Problem.Dims()
	cfg.Reports = &node.Reports{Last: r.last, P: p, Q: q}
	if _, exact := cfg.Codec.(channel.Float64); !exact {
		r.wire = &overflow{Codec: cfg.Codec}
		cfg.Codec = r.wire
	}
	r.net, err = node.New(cfg, Handlers(r.in, r.method))
	return err
}

// clock returns when the run is sampled; nil if that is at iterations.
func (r *runner) clock() *node.Clock {
	s := r.in.Scenario
	interval, end := s.Record.Duration("interval"), s.Stop.Duration("time")
	_, withoutRounds := r.method.(algorithms.Asynchronous)
	if interval == 0 && !withoutRounds {
		return nil
	}
	first := min(s.Record.Int("every"), r.last)
	switch {
	case interval > 0:
	case end > 0:
		interval = max(1, end/100)
		r.note("samples are %v apart, a hundredth of stop.time, since the method has no rounds: record.interval sets "+
			"another time", interval)
	default:
		r.note("samples are as far apart as it takes all nodes to do the first record.every iterations, here %d, since the "+
			"method has no rounds: record.interval sets another time", first)
	}
	return &node.Clock{Interval: interval, First: first, GoOn: withoutRounds, Each: r.sample}
}

// helpers lets the run compute on other cores. It returns nil if code runs in another process.
func (r *runner) helpers() *sim.Helpers {
	_, problem := r.in.Problem.(io.Closer)
	_, method := r.method.(io.Closer)
	if problem || method {
		return nil
	}
	return sim.NewHelpers(r.cores)
}

// Handlers returns a function that makes a node's side of a method. The oracle is made when the node starts, since it
// charges the node's clock. So is the starting point, which can be large: another core may compute it.
func Handlers(in *build.Instance, method algorithms.Method) func(id int) node.Handler {
	return func(id int) node.Handler {
		local := in.Local(id)
		oracle := func(c *node.Context) algorithms.Oracle {
			x0, y0 := in.Start(id)
			return algorithms.Metered(c, local, x0, y0)
		}
		switch m := method.(type) {
		case algorithms.Algorithm:
			return node.Program(func(p *node.Proc) { m.Run(p, oracle(p.Context)) })
		case algorithms.Asynchronous:
			return node.Deferred(func(c *node.Context) node.Handler { return m.Handler(oracle(c)) })
		}
		panic(fmt.Sprintf("execute: method %T is neither an Algorithm nor Asynchronous", method))
	}
}

// sample records one iteration. It reports false if the run should end.
func (r *runner) sample(s *metrics.Snapshot) bool {
	traffic := r.net.Ledger().Traffic(s.Tallies)
	held := *s // without servers
	servers := len(s.X) - r.in.Problem.Nodes()
	held.X, held.Y = s.X[servers:], s.Y[servers:]
	if r.in.Engine.Drawn { // clients that were not drawn have old models: the server's is the model
		held.X, held.Y = slices.Repeat(s.X[:1], len(held.X)), slices.Repeat(s.Y[:1], len(held.Y))
	}
	s = &held
	sm := result.Sample{Moment: metrics.Moment{Iteration: s.Iteration, Totals: metrics.NewTotals(s, traffic)},
		Values: r.eval.Evaluate(s)}
	if t := r.in.Engine.Tariffs; t != nil {
		sm.Totals.Costs = t.Costs(s)
	}
	if r.iterates {
		sm.X, sm.Y = rows(s.X), rows(s.Y)
	}
	r.run.Samples = append(r.run.Samples, sm)
	if r.in.Scenario.Record.String("iterates") != "none" {
		r.run.X, r.run.Y = rows(s.X), rows(s.Y)
	}
	if r.recorded != nil {
		soFar := r.run // samples are only appended, so these do not change
		r.recorded(&soFar)
	}
	r.report(&sm)
	if err := sm.CheckCounts(); err != nil {
		r.end(result.Failed, err.Error())
	}
	r.checkDivergence(&sm)
	r.checkStop(&sm)
	if why := r.checkKept(); why != "" && !r.ended {
		r.end(result.Failed, why)
	}
	return !r.ended
}

// rows returns a copy of the iterates of all nodes.
func rows(v [][]float64) result.Iterates {
	out := make(result.Iterates, len(v))
	for i := range v {
		out[i] = append([]float64{}, v[i]...) // not nil, which JSON would have as null
	}
	return out
}

func (r *runner) report(s *result.Sample) {
	if r.progress == nil {
		return
	}
	p := Progress{Label: r.alg.Label, Iteration: s.Iteration, Iterations: r.last, Metric: "grad_norm2"}
	if len(r.targets) > 0 {
		p.Metric = r.targets[0].Conditions[0].Metric
	}
	p.Value, _ = r.value(s, p.Metric)
	r.progress(p)
}

// value returns a metric of a sample; NaN and false if it is not recorded.
func (r *runner) value(s *result.Sample, name string) (float64, bool) {
	i := slices.Index(r.run.Metrics, name)
	if i < 0 {
		return math.NaN(), false
	}
	return s.Values[i], true
}

// checkKept returns why a run has to end: its samples need more memory than the limit. It returns "" if they fit.
func (r *runner) checkKept() string {
	n, s := len(r.run.Samples), r.in.Scenario
	if s.Fits(r.in.OneSample() * float64(n)) {
		return ""
	}
	if r.clocked {
		return fmt.Sprintf("its %d samples need more memory than the limit of %s: set a longer record.interval, or %s", n,
			spec.Bytes(s.Limits.Bytes), budget.Raise)
	}
	return fmt.Sprintf("its %d samples need more memory than the limit of %s; with record.every: %d there is room for "+
		"all %d iterations, or %s", n, spec.Bytes(s.Limits.Bytes), r.in.Thinned(r.last),
		r.last, budget.Raise)
}

// checkDivergence ends the run if a metric is not finite, or if the gradient has exploded.
func (r *runner) checkDivergence(s *result.Sample) {
	for i, v := range s.Values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			reason := fmt.Sprintf("%s is %v %s", r.run.Metrics[i], v, r.at(s))
			if len(r.run.Samples) < 2 {
				reason += ": it was never finite, so the step is not the cause"
			}
			r.end(result.Diverged, reason)
			return
		}
	}
	g, ok := r.value(s, "grad_norm2")
	switch {
	case !ok:
	case len(r.run.Samples) < 2:
		// A run that starts at an optimum, as averaging does, has rounding noise for a first gradient. Its growth is
		// measured against the nodes' own gradients.
		r.first = max(g, r.eval.Scale()/spec.DefaultGrowth)
	case r.first > 0 && g > r.in.Scenario.Stop.Float("growth")*r.first:
		r.end(result.Diverged, fmt.Sprintf("grad_norm2 grew from %.3g to %.3g %s", r.first, g, r.at(s)))
	}
}

// checkStop ends the run where a stop rule is met.
func (r *runner) checkStop(s *result.Sample) {
	for _, t := range r.in.Scenario.StopTargets() {
		if t.Met(r.run.Metrics, s) {
			r.end(result.Reached, fmt.Sprintf("%v %s", t, r.at(s)))
		}
	}
	stop, o := r.in.Scenario.Stop, &s.Totals.Oracle
	if most := int64(keys.Get[keys.DataSize](stop, "payload")); most > 0 && s.Totals.PayloadBytes() >= most {
		r.end(result.Completed, fmt.Sprintf("stop.payload: %d bytes sent %s", s.Totals.PayloadBytes(), r.at(s)))
	}
	if most := int64(stop.Int("gradients")); most > 0 && o.GradF+o.GradG >= most {
		r.end(result.Completed, fmt.Sprintf("stop.gradients: %d gradients taken %s", o.GradF+o.GradG, r.at(s)))
	}
}

// at says when a sample was taken.
func (r *runner) at(s *result.Sample) string {
	if r.clocked {
		return fmt.Sprintf("at %v", s.Totals.Time)
	}
	return fmt.Sprintf("at iteration %d", s.Iteration)
}

// end sets the status, unless it is set already.
func (r *runner) end(s result.Status, reason string) {
	if !r.ended {
		r.ended, r.run.Status, r.run.Reason = true, s, reason
	}
}
