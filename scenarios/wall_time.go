package scenarios

import (
	"fmt"
	"math"
	"slices"

	"tallynet/algorithms"
	"tallynet/metrics"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/measure"
)

// WallTime is about how long runs take on this machine, one after the other. Stop rules may
// end them earlier.
type WallTime struct {
	Runs    int
	Seconds float64
	remedy  []remedy
}

// remedy is a change to a scenario, and the time that the runs take with it.
type remedy struct {
	change  string
	seconds float64
}

// Seconds from which on a run says beforehand how long it takes, and from which on it says
// what would take less time.
const (
	longTime  = 60
	hoursTime = 2 * 3600
)

// Long reports whether the runs take so long on a number of workers that one wants to know
// before they begin.
func (w WallTime) Long(workers int) bool {
	return w.Seconds/float64(max(1, min(workers, w.Runs))) > longTime
}

func (w WallTime) String() string {
	if w.Runs == 1 {
		return "about " + clock(w.Seconds)
	}
	return fmt.Sprintf("about %s for %d runs, one after the other", clock(w.Seconds), w.Runs)
}

// On says how long the runs take on a number of workers.
func (w WallTime) On(workers int) string {
	workers = max(1, min(workers, w.Runs))
	if workers == 1 {
		return w.String()
	}
	return fmt.Sprintf("about %s for %d runs, %d at the same time", clock(w.Seconds/float64(workers)), w.Runs, workers)
}

// Remedies says what takes less time, where the runs take hours on a number of workers.
func (w WallTime) Remedies(workers int) []string {
	share := float64(max(1, min(workers, w.Runs)))
	if w.Seconds/share < hoursTime {
		return nil
	}
	var all []string
	for _, r := range w.remedy {
		if r.seconds < 0.7*w.Seconds {
			all = append(all, fmt.Sprintf("With %s: about %s", r.change, clock(r.seconds/share)))
		}
	}
	return all
}

// add adds the runs of another grid point.
func (w *WallTime) add(o WallTime) {
	// A change at one point does nothing for those that do not know it.
	merged := slices.Clone(o.remedy)
	for i := range merged {
		merged[i].seconds += w.Seconds
	}
	for _, r := range w.remedy {
		if i := slices.IndexFunc(o.remedy, func(m remedy) bool { return m.change == r.change }); i >= 0 {
			merged[i].seconds += r.seconds - w.Seconds
		} else {
			merged = append(merged, remedy{r.change, r.seconds + o.Seconds})
		}
	}
	w.Runs, w.Seconds, w.remedy = w.Runs+o.Runs, w.Seconds+o.Seconds, merged
}

// clock writes a duration for people: "3 s", "12 min", "5.2 h", "3 years".
func clock(seconds float64) string {
	for _, unit := range []struct {
		name          string
		seconds, upTo float64
	}{{"s", 1, 90}, {"min", 60, 90 * 60}, {"h", 3600, 48 * 3600}, {"days", 86400, 700 * 86400}} {
		if seconds < unit.upTo {
			return fmt.Sprintf("%.2g %s", max(seconds, 0.1)/unit.seconds, unit.name)
		}
	}
	return fmt.Sprintf("%.2g years", seconds/(365.25*86400))
}

// pointsForTime is the number of grid points of a study whose times are estimated one by
// one; the others are taken to be like these.
const pointsForTime = 100

// WallTime returns about how long the runs of the study take, those that are stored included.
func (st *Study) WallTime(pace Pace) (WallTime, error) {
	var w WallTime
	step := (len(st.points) + pointsForTime - 1) / pointsForTime
	for i := 0; i < len(st.points); i += step {
		in := st.instances[i*len(st.Scenario.Seeds)].first
		if in == nil {
			s := st.points[i].Scenario
			var err error
			if in, err = s.outline(s.Seeds[0]); err != nil {
				return w, err
			}
			in.p, in.q = st.First().p, st.First().q
			if size, known := s.size(s.Problem.Args, s.Topology.DataNodes(), nil); known {
				in.p, in.q = size.P, size.Q
			}
		}
		for range min(step, len(st.points)-i) {
			w.add(in.wallTime(pace))
		}
	}
	return w, nil
}

// Runs returns the number of runs, without those of a tuning.
func (st *Study) Runs() int { return len(st.instances) * len(st.Scenario.Algorithms) }

// Workers returns how many runs the study does at the same time if so many are wanted:
// fewer where their problems would need more memory together than the limit.
func (st *Study) Workers(want int) int { return st.workers(want) }

// wallTime returns about how long all runs of one grid point take.
func (in *Instance) wallTime(pace Pace) WallTime {
	s := in.Scenario
	var w WallTime
	for i, alg := range s.Algorithms {
		times := len(s.Seeds)
		if alg.Tune != nil {
			times += len(alg.Tune.Points)
		}
		m := in.Methods[i]
		if usually, err := s.method(alg, usual(alg.Args)); err == nil {
			m = usually
		}
		one := in.runTime(pace, alg.Args, m)
		w.add(WallTime{Runs: times, Seconds: float64(times) * one.total(),
			remedy: in.remedies(pace, i, one, float64(times))})
	}
	return w
}

// usual returns the parameters of a method for an estimate: its most conjugate gradients are an upper
// bound that hardly any solve needs. Measured: 1.1 iterations to a tolerance of 0.1 (dagm-figure5a) and
// 6.7 to 7.8 to 1e-10 (dagm-figure3b, but for its single node, which needs 29; dagm-s1-size), so a third
// of ln(2/tolerance).
func usual(args keys.Args) keys.Args {
	needs := math.Ceil(math.Log(2/keys.Optional[float64](args, "cg_tolerance")) / 3)
	if float64(keys.Optional[int](args, "cg_iterations")) > needs {
		return args.With("cg_iterations", int(needs))
	}
	return args
}

// remedies returns what would make the runs of an algorithm shorter.
func (in *Instance) remedies(pace Pace, alg int, one runTime, times float64) []remedy {
	a, iterations := in.Scenario.Algorithms[alg], float64(max(1, one.iterations))
	var all []remedy
	if every := in.Scenario.Record.Int("every"); iterations >= 100*float64(every) {
		all = append(all, remedy{fmt.Sprintf("record.every: %d", 10*every), times * (one.total() - 0.9*one.measuring)})
	}
	if keys.Optional[string](a.Args, "solve") == "cholesky" {
		args := usual(a.Args.With("solve", "cg"))
		if m, err := in.Scenario.method(a, args); err == nil {
			all = append(all, remedy{"solve: cg for " + a.Label, times * in.runTime(pace, args, m).total()})
		}
	}
	const hour = 3600
	if most := math.Floor(iterations * hour / (times * one.total())); most >= 1 && most < iterations {
		name := in.Scenario.cat.Algorithm(a.Name).Iterations
		all = append(all, remedy{fmt.Sprintf("%s: %.0f for %s", name, most, a.Label),
			times * one.total() * most / iterations})
	}
	return all
}

// runTime is about how long one run takes, in seconds.
type runTime struct {
	iterations                 int
	calls, messages, measuring float64
}

func (t runTime) total() float64 { return t.calls + t.messages + t.measuring }

// runTime returns about how long one run of a method takes.
func (in *Instance) runTime(pace Pace, args keys.Args, m algorithms.Method) (t runTime) {
	work := in.workload(pace)
	batch := float64(keys.Optional[int](args, "batch"))
	t.iterations = in.iterations(m, work, batch)
	terms := algorithms.CostTerms(m, in.dims(), t.iterations)
	count := func(of func(*metrics.Cost) int64) float64 {
		n, _ := terms.Of(of).Float64()
		return n
	}
	// A method that sends matrices multiplies Hessians with them, all columns at once.
	matrices := count(func(k *metrics.Cost) int64 { return k.Wire.Matrix }) > 0
	for c := range metrics.NumCalls {
		calls := count(func(k *metrics.Cost) int64 { return k.Oracle.Of(c) })
		switch {
		case c == metrics.CallHVP && matrices:
			t.calls += calls * work.column(batch, in.p, in.q)
		case c == metrics.CallSolve:
			t.calls += work.solves(calls, count(func(k *metrics.Cost) int64 { return k.Oracle.Hessian }), in.q)
		default:
			t.calls += calls * work.call(c, batch)
		}
	}
	sending := pace.sending()
	t.messages = sending.message*count(func(k *metrics.Cost) int64 { return k.Messages }) +
		sending.element*count(func(k *metrics.Cost) int64 { return k.Wire.Total() })
	samples := float64(t.iterations/in.Scenario.Record.Int("every") + 1)
	t.measuring = samples * in.measuring(work)
	return t
}

// workload is what calls of a problem take.
type workload struct {
	pace  callPace
	dense func() callPace // of problems with dense matrices
	size  catalog.Size
	flops func(c metrics.Call, samples float64) float64
}

// workload returns what calls take: by the parameters alone, or where only the data in a
// file say it, by the problem.
func (in *Instance) workload(pace Pace) workload {
	s := in.Scenario
	size, known := s.size(s.Problem.Args, s.Topology.DataNodes(), nil)
	w := workload{dense: pace.dense, size: size, flops: size.Flops}
	if !known && in.Problem != nil {
		local := in.Problem.Local(0)
		val, train := local.Samples()
		w.size.Work = catalog.Work{Samples: float64(max(val, train)), Dense: max(val, train) == 0}
		w.flops = func(c metrics.Call, samples float64) float64 { return local.Flops(c, int(samples)) }
	}
	switch {
	case w.size.Work.Dense:
		w.pace = pace.dense()
	case w.size.Work.Hidden > 0:
		w.pace = pace.network(layers{w.size.Work.Inputs, w.size.Work.Hidden})
	default:
		w.pace = pace.samples()
	}
	return w
}

// samples returns how many samples a call touches on a batch; 0 is all of them.
func (w workload) samples(batch float64) float64 {
	if batch > 0 {
		return min(w.size.Work.Samples, batch)
	}
	return w.size.Work.Samples
}

// call returns the seconds of one call on a batch; 0 is all samples.
func (w workload) call(c metrics.Call, batch float64) float64 {
	samples, seconds := w.samples(batch), w.pace.call
	if batch > 0 {
		seconds = w.pace.batch
	}
	flops, rate := w.flops(c, samples), w.pace.flop[c]
	if c == metrics.CallJacobian {
		seconds += w.pace.fill * float64(w.size.P) * float64(w.size.Q)
	}
	// Derivatives by x and y of the stand-in are diagonal, and take memory rather than arithmetic. Those that take
	// as much of it as products with the Hessian go at their pace.
	product := w.flops(metrics.CallHVP, samples)
	if (c == metrics.CallJVP || c == metrics.CallJacobian) && flops > product/2 {
		rate = min(rate, w.pace.flop[metrics.CallHVP])
	}
	return seconds + rate*flops
}

// again returns the seconds of a product of the Hessian with a vector, after one at the same point.
func (w workload) again() float64 {
	return w.pace.call + w.pace.again*w.flops(metrics.CallHVP, w.size.Work.Samples)
}

// solves returns the seconds of linear systems (q x q) with so many Hessians, each of which is factored once.
func (w workload) solves(systems, hessians float64, q int) float64 {
	return systems*(w.pace.call+w.pace.substitute*2*float64(q)*float64(q)) +
		min(systems, hessians)*w.call(metrics.CallSolve, 0)
}

// column returns the seconds of one column of a product of the Hessian (q x q) with a matrix of some columns. Problems
// form the Hessian where that takes less than products with all samples.
func (w workload) column(batch float64, columns, q int) float64 {
	samples := w.samples(batch)
	many := float64(max(1, columns))
	direct := w.pace.call/many + w.pace.matrix*w.flops(metrics.CallHVP, samples)
	formed := w.call(metrics.CallHessian, batch)/many + w.dense().matrix*2*float64(q)*float64(q)
	return min(direct, formed)
}

// products returns about how many products with the Hessian one sample takes: the inner problem
// and then the hypergradient are solved by conjugate gradients. With a factored Hessian as the
// preconditioner they need few, and where it is the same everywhere, a step and its check. Measured: 21 in quickstart
// and lpdbo-theorem1, 24 in star, 9 in dbo-dsbo; 2 in two-racks, whose Hessians are constant.
func (in *Instance) products(w workload) float64 {
	switch {
	case in.q > measure.FactorUpTo:
		return 30
	case w.size.Work.Dense:
		return 2
	}
	return 20
}

// measuring returns the seconds of one sample of the metrics: most is the inner problem,
// which is solved by Newton steps, and the test.
func (in *Instance) measuring(w workload) float64 {
	s, n := in.Scenario, float64(in.Scenario.Topology.DataNodes())
	named := s.Record.Strings("metrics")
	records := func(of func(m measure.Metric) bool) bool {
		return named == nil || slices.ContainsFunc(s.cat.Metrics, func(m measure.Metric) bool {
			return of(m) && slices.Contains(named, m.Name)
		})
	}
	seconds := n * (w.call(metrics.CallGradF, 0) + w.call(metrics.CallValue, 0))
	if in.q > 0 && records(func(m measure.Metric) bool { return m.Inner }) {
		const gradients, factored = 3, 0.02 // of a sample: about as many of each
		seconds += n * (gradients*(w.call(metrics.CallGradG, 0)+w.call(metrics.CallValue, 0)) +
			w.call(metrics.CallJVP, 0) + in.products(w)*w.again())
		if in.q <= measure.FactorUpTo && !w.size.Work.Dense {
			seconds += factored * (n*w.call(metrics.CallHessian, 0) + w.call(metrics.CallSolve, 0))
		}
	}
	test := 2 * w.size.Work.Test * w.size.Work.Forward
	models := 1.0 // the average, and those of the nodes
	if records(func(m measure.Metric) bool { return m.Work != nil }) && (named != nil || n*test/2 <= measure.Cheap) {
		models += n
	}
	return seconds + models*test*w.pace.flop[metrics.CallValue]
}
