package execute

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"tallynet/algorithms"
	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/metrics/report/result"
	"tallynet/node"
	"tallynet/scenarios/build"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/measure"
	"tallynet/scenarios/predict"
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
		cfg.Recorder = metrics.NewRecorder(s.Topology.Nodes, s.Record.Int("every"), r.method.Iterations(), r.sample)
	}
	p, q := r.in.Problem.Dims()
	cfg.Reports = &node.Reports{Last: r.method.Iterations(), P: p, Q: q}
	if _, exact := cfg.Codec.(channel.Float64); !exact {
		r.wire = &overflow{Codec: cfg.Codec}
		cfg.Codec = r.wire
	}
	r.net, err = node.New(cfg, r.handler)
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
	first := min(s.Record.Int("every"), r.method.Iterations())
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

// handler makes a node's side of the method. The oracle is made when the node starts, since it charges the node's
// clock. So is the starting point, which can be large: another core may compute it.
func (r *runner) handler(id int) node.Handler {
	local := r.in.Local(id)
	oracle := func(c *node.Context) algorithms.Oracle {
		x0, y0 := r.in.Start(id)
		return algorithms.Metered(c, local, x0, y0)
	}
	switch m := r.method.(type) {
	case algorithms.Algorithm:
		return node.Program(func(p *node.Proc) { m.Run(p, oracle(p.Context)) })
	case algorithms.Asynchronous:
		return node.Deferred(func(c *node.Context) node.Handler { return m.Handler(oracle(c)) })
	}
	panic(fmt.Sprintf("execute: method %T is neither an Algorithm nor Asynchronous", r.method))
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
	p := Progress{Label: r.alg.Label, Iteration: s.Iteration, Iterations: r.method.Iterations(), Metric: "grad_norm2"}
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
		"all %d iterations, or %s", n, spec.Bytes(s.Limits.Bytes), r.in.Thinned(r.method.Iterations()),
		r.method.Iterations(), budget.Raise)
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
	if most := int64(stop.Size("payload")); most > 0 && s.Totals.PayloadBytes() >= most {
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

// conclude sets the status by the way the simulation ended, and the totals of the run.
func (r *runner) conclude(ending node.Ending, err error) {
	s := r.in.Scenario
	r.run.Finish()
	switch ending {
	case node.Finished:
		r.end(result.Completed, fmt.Sprintf("all %d iterations done", r.method.Iterations()))
	case node.OutOfTime:
		r.end(result.Completed, fmt.Sprintf("stop.time: %v of simulated time have passed", s.Stop.Duration("time")))
	case node.Stalled:
		r.end(result.Stalled, err.Error())
	case node.Interrupted:
		r.end(result.Interrupted, fmt.Sprintf("interrupted after iteration %d", r.run.Iterations))
	case node.Failed:
		if errors.Is(err, node.ErrDiverged) {
			r.end(result.Diverged, err.Error())
		} else {
			r.end(result.Failed, err.Error())
		}
	}
	if r.run.Status == result.Diverged {
		r.run.Reason += r.wire.reason()
	}
	r.run.Hash, r.run.EventsHash, r.run.IteratesHash = r.net.Digest(), r.net.EventsDigest(), r.net.IteratesDigest()
	r.run.Links, r.run.Nodes, r.run.Phases = linkRows(r.net), nodeRows(r.net), phaseRows(r.net)
	for _, d := range r.in.Holdings() {
		n := &r.run.Nodes[d.Node]
		n.Train, n.Val, n.Labels = d.Train, d.Val, d.LabelsText()
	}
	links, crossings := r.net.Physical()
	r.run.SetPhysical(links, crossings, r.net.CriticalPath(), channel.Unlimited, r.net.Clock())
	if r.run.Physical != nil && r.in.Platform != nil {
		r.run.Physical.Assumed = r.in.Platform.Notes
	}
	r.charge()
	r.predict()
	if ending == node.Stalled || ending == node.Failed || len(r.run.Samples) == 0 {
		r.brokeOff()
	}
	r.ahead()
	r.notes()
	if err := r.net.CheckConservation(); err != nil {
		r.run.Status, r.run.Reason = result.Failed, err.Error()
	}
	r.nodeMetrics()
}

// brokeOff sets the totals of a run that has no sample, or that stalled or failed between two of them, to all that it
// spent, whatever was recorded. The time in which messages were still on their way and no node went on counts as idle.
// The closed form is that of whole iterations, so there is none.
func (r *runner) brokeOff() {
	s := &metrics.Snapshot{At: r.net.Clock(), Counters: r.net.Total()}
	for i := range r.net.Nodes() {
		s.At = max(s.At, r.net.Outcome(i).Clock)
	}
	s.Path.Idle += s.At - s.Path.Total()
	r.run.Predicted = nil
	r.run.Totals = metrics.NewTotals(s, r.net.Ledger().Traffic(s.Tallies))
	if t := r.in.Engine.Tariffs; t != nil {
		for i := range r.net.Nodes() {
			s.Computing = s.Computing.Plus(t.Computing(i, r.net.Outcome(i).Compute))
		}
		r.run.Totals.Costs = t.Costs(s)
	}
}

// nodeMetrics sets the final metrics of the nodes that hold data. After a failed run the problem may fail too.
func (r *runner) nodeMetrics() {
	if len(r.run.Samples) == 0 || r.run.Status == result.Failed {
		return
	}
	names, values := r.eval.Nodes(r.has)
	r.run.NodeMetrics = names
	for i := range r.in.Problem.Nodes() {
		n := &r.run.Nodes[r.in.Servers()+i]
		for k := range values {
			n.Final = append(n.Final, values[k][i])
		}
	}
}

// ahead sets the difference between the ledgers and the totals of the last sample.
func (r *runner) ahead() {
	a := result.Ahead{Messages: -r.run.Totals.Messages, PayloadBytes: -r.run.Totals.PayloadBytes()}
	for _, n := range r.run.Nodes {
		a.Messages += n.Messages
		a.PayloadBytes += n.Payload
	}
	if a.Messages > 0 {
		r.run.Ahead = &a
	}
}

// predict sets the closed-form cost of the completed iterations. A run whose counts differ from it has failed. Where
// nodes are in different iterations there is no such cost, but a bound.
func (r *runner) predict() {
	if m, ok := r.method.(algorithms.Unpredicted); ok {
		r.note("%s", m.NoPrediction())
		return
	}
	r.run.Predicted = predict.Predict(r.method, r.in.Dims(), r.run.Iterations)
	r.run.Predicted.Bound = r.run.Predicted.Bound || r.in.Bounds()
	_, withoutRounds := r.method.(algorithms.Asynchronous)
	if len(r.run.Samples) == 0 || len(r.net.Gone()) > 0 {
		return
	}
	err := r.run.Predicted.Check(&r.run.Totals)
	if r.clocked && (r.run.Status != result.Completed || r.run.Iterations < r.method.Iterations() || withoutRounds) {
		furthest := 0 // the nodes are in different iterations, each at some point of its own
		for i := range r.net.Nodes() {
			furthest = max(furthest, r.net.Outcome(i).Iterations)
		}
		err = metrics.CheckSpan(r.run.Predicted, predict.Predict(r.method, r.in.Dims(), furthest+1), &r.run.Totals)
		r.run.Predicted = nil
	}
	if err != nil {
		r.run.Status = result.Failed
		r.run.Reason = fmt.Sprintf("what was counted differs from the method's closed form: %v; "+
			"the method's Cost or its Run is wrong", err)
	}
}

// note appends a note, unless it is empty.
func (r *runner) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); text != "" {
		r.run.Notes = append(r.run.Notes, text)
	}
}

// notes appends what the user should know of the run.
func (r *runner) notes() {
	if d := r.in.Graph.Draws(); d > 1 {
		r.note("the graph was drawn %d times until it was connected", d)
	}
	if !r.in.Scenario.Topology.Server() {
		r.note("%s", build.Mixes(r.in.Mixing))
	}
	if names := r.apart(); names != "" && r.run.Iterations >= r.in.Engine.Period {
		r.note("nodes cannot agree on %s: in the rounds that exchange it, they always meet the same neighbours, which do "+
			"not connect all nodes", names)
	}
	sent := r.net.Ledger().Classes()
	if r.in.Engine.Compress != nil && len(sent) > 0 &&
		!slices.ContainsFunc(sent, func(c metrics.Class) bool { return c.Varies }) {
		r.note("nothing was compressed: only exchanges with all neighbours are, and the method sends its messages one by " +
			"one")
	}
	r.note("%s", r.worse())
	if lost := r.net.Lost(); lost > 0 {
		r.note("%d messages were lost and never arrived", lost)
	}
	if gone := r.net.Gone(); len(gone) > 0 {
		r.note("nodes %v went down for good: metrics use their last iterates, and the closed form of the cost does not "+
			"apply", gone)
	}
	r.note("%s", r.leftOut())
	needs := r.method.Needs()
	ofPhi := r.eval.Measures("objective") || r.eval.Measures("grad_norm2")
	if needs.HomogeneousG && ofPhi {
		r.note("the method assumes that all nodes have the same inner problem; if they do not, its limit is not the optimum")
	}
	if needs.PersonalY && ofPhi && r.eval.Shared() && r.in.Problem.Nodes() > 1 {
		r.note("in this method each node has its own y, but objective and grad_norm2 are those with one y for all: write " +
			"problem.inner: personal to measure the method's own")
	}
	if err := r.eval.Inexact(); err != nil {
		r.note("%v", err)
	}
}

// apart names what nodes exchanged on graphs that together do not connect them; "" if there is nothing.
func (r *runner) apart() string {
	var names []string
	for name, rounds := range r.net.Met() {
		if !r.in.Dynamics.Connects(rounds) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// worse says that a completed run ended worse than it started: at a larger objective or, if that is not recorded, at
// another loss or a larger gradient. It returns "" if it did not.
func (r *runner) worse() string {
	if r.run.Status != result.Completed || len(r.run.Samples) == 0 {
		return ""
	}
	for _, name := range []string{"objective", "suboptimality", "outer_loss", "own_loss", "train_loss", "grad_norm2"} {
		from, ok := r.value(&r.run.Samples[0], name)
		if !ok {
			continue
		}
		if name == "grad_norm2" {
			from = r.first
		}
		to, _ := r.run.Final.Values.Get(name)
		if a, b := fmt.Sprintf("%.3g", from), fmt.Sprintf("%.3g", to); to > from && a != b {
			return fmt.Sprintf("the run ended worse than it started: %s went from %s to %s; a smaller step may help",
				name, a, b)
		}
		return ""
	}
	return ""
}

// leftOut says which metrics were not recorded because they take long, and how to record them. It returns "" if the
// scenario chooses its metrics.
func (r *runner) leftOut() string {
	s := r.in.Scenario
	names, work := measure.LeftOut(r.in.Problem, s.Catalog.Metrics)
	names = slices.DeleteFunc(names, r.eval.Measures)
	if len(names) == 0 || s.Record.Strings("metrics") != nil {
		return ""
	}
	return fmt.Sprintf("the test accuracy is that of the average model, which no node has: %s would take %.2g "+
		"multiplications per sample, and metrics that take more than %.2g are recorded only if named; name them "+
		"in record.metrics, perhaps with a larger record.every", strings.Join(names, " and "), work, measure.Cheap)
}

// charge sets what each machine and each link cost, by the tariffs. Links are the physical ones of a platform, or the
// lines of the edges. Machines are on until the last one has ended.
func (r *runner) charge() {
	t := r.in.Engine.Tariffs
	if t == nil {
		return
	}
	var end sim.Time
	for i := range r.net.Nodes() {
		end = max(end, r.net.Outcome(i).Clock)
	}
	for i := range r.run.Nodes {
		o := r.net.Outcome(i)
		r.run.Nodes[i].Machine, r.run.Nodes[i].Sent = t.Machines[i].Of(end, o.Compute).Charge(), o.Links.Charge()
	}
	if r.run.Physical != nil {
		for i := range r.run.PlatformLinks {
			l := &r.run.PlatformLinks[i]
			l.Charge = t.Links[i].Of(l.Bytes).Charge()
		}
		return
	}
	for i := range r.run.Links {
		l := &r.run.Links[i]
		l.Charge = t.Links[i].Of(l.PayloadBytes() + l.Overhead).Charge()
	}
}
