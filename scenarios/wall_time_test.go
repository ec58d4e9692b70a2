package scenarios

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"tallynet/metrics"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
)

// ticking is a clock that advances by a step each time it is read.
func ticking(step time.Duration) func() time.Time {
	at := time.Unix(0, 0)
	return func() time.Time { at = at.Add(step); return at }
}

// TestPace measures with clocks that are fast, slow and stopped: it ends with all of them,
// and a slower machine has the higher times.
func TestPace(t *testing.T) {
	type measured struct {
		dense, samples, hidden callPace
		wide                   float64
		sending                sendPace
	}
	var last measured
	for _, step := range []time.Duration{0, 400 * time.Microsecond, time.Millisecond} {
		p := MeasurePace(ticking(step))
		now := measured{p.dense(), p.samples(), p.hidden(), p.wide(), p.sending()}
		if now.sending.message < last.sending.message || now.samples.call < last.samples.call ||
			step > 0 && now.sending.message == 0 {
			t.Errorf("with a step of %v: %+v, after %+v", step, now, last)
		}
		last = now
	}
}

// TestPaceOfOneKind: an estimate asks for the kinds of work that its runs are made of.
func TestPaceOfOneKind(t *testing.T) {
	const graph = "version: 1\ntopology: {kind: ring, nodes: 4}\n"
	for problem, asked := range map[string]string{
		"problem: {kind: quadratic, p: 2, q: 3}\n":                                                "dense sending",
		"problem: {kind: hyper-logistic, data: synthetic, dim: 3, samples: {train: 4, val: 4}}\n": "samples sending",
		"problem: {kind: hyper-representation, data: synthetic, dim: 3, hidden: 2, samples: 4}\n": "hidden sending wide",
	} {
		s, err := Parse("x.yaml", []byte(graph+problem+
			"algorithms: [{name: dagm, outer: 3, inner: 1, neumann: 1, alpha: 0.1, beta: 0.1}]\n"), builtin(), nil)
		if err != nil {
			t.Fatal(err)
		}
		p, seen := even(), map[string]bool{}
		of := func(kind string) func() callPace {
			return func() callPace { seen[kind] = true; return callPace{} }
		}
		p.dense, p.samples, p.hidden = of("dense"), of("samples"), of("hidden")
		p.wide = func() float64 { seen["wide"] = true; return 1 }
		p.sending = func() sendPace { seen["sending"] = true; return sendPace{} }
		if _, _, err := s.Forecasts(&dataSets, &p); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(slices.Sorted(maps.Keys(seen)), " "); got != asked {
			t.Errorf("%s asks for %q, want %q", problem, got, asked)
		}
	}
}

// even is a pace at which each FLOP and each element takes a nanosecond, and nothing else
// takes time.
func even() Pace {
	c := callPace{matrix: 1e-9}
	for i := range metrics.NumCalls {
		c.flop[i] = 1e-9
	}
	return fixed(c, 1, sendPace{element: 1e-9})
}

func wallTimeOf(t *testing.T, text string) (WallTime, string) {
	t.Helper()
	s, err := Parse("x.yaml", []byte("version: 1\n"+text), builtin(), nil)
	if err != nil {
		t.Fatal(err)
	}
	pace := even()
	_, about, err := s.Forecasts(&dataSets, &pace)
	if err != nil {
		t.Fatal(err)
	}
	var w WallTime
	if err := s.eachPoint(func(p GridPoint) error {
		in, _, err := p.Scenario.sized(&dataSets)
		w.add(in.wallTime(pace))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return w, about
}

// TestWallTime: times are the counts times the pace, and grow with seeds, points and
// iterations; hours come with what would take less.
func TestWallTime(t *testing.T) {
	const averaging = "topology: {kind: ring, nodes: 10}\nproblem: {kind: consensus, dim: 1000}\n" +
		"algorithms: [{name: gossip, rounds: %d}]\nrecord: {every: 1000000, metrics: [consensus_error]}\n%s"
	one, about := wallTimeOf(t, fmt.Sprintf(averaging, 1000, ""))
	// 1000 rounds x 20 links x 1000 elements x 1 ns; measuring is small
	if one.Runs != 1 || one.Seconds < 0.02 || one.Seconds > 0.0202 {
		t.Errorf("%+v, want 0.02 s", one)
	}
	if !strings.Contains(about, "Time on this machine: about 0.1 s.") {
		t.Error(about)
	}
	more, _ := wallTimeOf(t, fmt.Sprintf(averaging, 1000, "seeds: 3\nsweep: {topology.kind: [ring, complete]}\n"))
	if want := 3 * (20 + 90) * 1e-3; more.Runs != 6 || more.Seconds < want || more.Seconds > 1.1*want {
		t.Errorf("%+v, want %v s", more, want)
	}
	if one.Remedies(1) != nil || one.Long(1) || one.On(8) != one.String() {
		t.Errorf("a short run: %v", one.Remedies(1))
	}

	const large = "topology: {kind: ring, nodes: 10}\nproblem: {kind: quadratic, p: 2, q: 3000}\n" +
		"algorithms: [{name: dagm, outer: 1000, inner: 5, neumann: 3, alpha: 0.1, beta: 0.1}]\n"
	w, about := wallTimeOf(t, large)
	if !w.Long(1) || !strings.Contains(about, "With outer: ") {
		t.Errorf("%+v: %s", w, about)
	}
}

// TestWallTimeWithout builds a large problem's estimate at once: dimensions are enough.
func TestWallTimeWithout(t *testing.T) {
	begun := time.Now()
	w, _ := wallTimeOf(t, "topology: {kind: ring, nodes: 500}\n"+
		"problem: {kind: hyper-softmax, data: mnist, samples: {train: 60, val: 60}}\n"+
		"algorithms: [{name: dagm, outer: 100000, inner: 5, neumann: 3, alpha: 0.1, beta: 0.1}]\n")
	if took := time.Since(begun); took > time.Second {
		t.Errorf("took %v", took)
	}
	if w.Seconds < hoursTime || len(w.Remedies(1)) == 0 || len(w.Remedies(2)) == 0 {
		t.Errorf("%+v", w)
	}
}

// TestWallTimeOfMatrices: columns of a matrix that multiplies the Hessian take less than products one by one, and no
// more than with the Hessian, formed once, where that is smaller than the samples.
func TestWallTimeOfMatrices(t *testing.T) {
	pace := even()
	w := workload{pace: pace.samples(), dense: pace.dense, size: catalog.Size{Work: catalog.Work{Samples: 100}},
		flops: func(c metrics.Call, samples float64) float64 {
			return map[metrics.Call]float64{metrics.CallHVP: 4000 * samples, metrics.CallHessian: 5000 * samples}[c]
		}}
	w.pace.call = 1e-6
	for _, c := range []struct {
		batch      float64
		columns, q int
		want       float64
	}{
		{0, 10, 1000, 0.1e-6 + 400e-6},         // 2 q q is more than 4000 x 100
		{0, 10, 100, (1e-6+500e-6)/10 + 20e-6}, // the Hessian, once for ten columns
		{1, 10, 100, 0.1e-6 + 4e-6},            // of one sample
		{1, 0, 1, 1e-6 + 4e-6},                 // no column counts as one
	} {
		if got := w.column(c.batch, c.columns, c.q); !(math.Abs(got-c.want) <= 1e-12) {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestClock(t *testing.T) {
	for seconds, want := range map[float64]string{0: "0.1 s", 12: "12 s", 150: "2.5 min", 7200: "2 h", 1e6: "12 days",
		1e9: "32 years"} {
		if got := clock(seconds); got != want {
			t.Errorf("%v: %s, want %s", seconds, got, want)
		}
	}
}

// TestTimesOfCalls by hand: a call on a batch has its own overhead, systems share a factor, and a product
// at the point of the last one costs less.
func TestTimesOfCalls(t *testing.T) {
	w := workload{size: catalog.Size{Work: catalog.Work{Samples: 100}},
		pace: callPace{call: 1, batch: 7, again: 0.25, substitute: 0.5},
		flops: func(c metrics.Call, samples float64) float64 {
			return map[metrics.Call]float64{metrics.CallGradG: 10, metrics.CallHVP: 20, metrics.CallSolve: 3}[c] * samples
		}}
	w.pace.flop[metrics.CallGradG], w.pace.flop[metrics.CallSolve] = 2, 0.1
	for what, c := range map[string][2]float64{
		"a gradient of all samples":            {w.call(metrics.CallGradG, 0), 1 + 2*1000},
		"a gradient of three samples":          {w.call(metrics.CallGradG, 3), 7 + 2*30},
		"a gradient of more than there are":    {w.call(metrics.CallGradG, 300), 7 + 2*1000},
		"a product again":                      {w.again(), 1 + 0.25*2000},
		"six systems of one factor, q = 10":    {w.solves(6, 1, 10), 6*(1+0.5*200) + 1*(1+0.1*300)},
		"two systems, two of three matrices":   {w.solves(2, 3, 10), 2*(1+0.5*200) + 2*(1+0.1*300)},
		"no systems, though there are factors": {w.solves(0, 3, 10), 0},
	} {
		if !(math.Abs(c[0]-c[1]) <= 1e-9) {
			t.Errorf("%s: %g s, want %g", what, c[0], c[1])
		}
	}
}

// TestWallTimeStops counts by hand the iterations after which a run is over, and asks the run itself. A ring of
// four nodes sends 3 float64 from each to two others: 192 B an iteration. AID-BiO with N = Q = 1 has a gradient of
// g, one of f, and a product with each second derivative: 11 ms.
func TestWallTimeStops(t *testing.T) {
	const (
		dgd = "topology: {kind: ring, nodes: 4}\nproblem: {kind: consensus, dim: 3}\n" +
			"algorithms: [{name: dgd, outer: 1000, alpha: 0.1}]\n"
		aid = "topology: {kind: complete, nodes: 1}\nproblem: {kind: quadratic, p: 2, q: 3}\n" +
			"algorithms: [{name: aid, outer: 1000, inner: 1, q: 1, alpha: 0.01, beta: 0.01}]\n"
		calls = "compute: {calls: {grad_f: 1ms, grad_g: 2ms, hvp: 3ms, jvp: 4ms}}\n"
	)
	for text, want := range map[string]int{
		dgd:                                                    1000,
		dgd + "stop: {payload: 1000B}\n":                       6, // 5 x 192 = 960
		dgd + "stop: {payload: 960B}\n":                        5,
		dgd + "stop: {payload: 1GB}\n":                         1000,
		aid + calls:                                            1000,
		aid + calls + "stop: {time: 110ms}\n":                  10,
		aid + calls + "stop: {time: 109ms}\n":                  10,
		aid + calls + "stop: {time: 111ms}\n":                  11,
		aid + "stop: {time: 1h}\n":                             1000, // nothing takes time
		aid + "compute: {speed: 1kFLOP/s}\nstop: {time: 1h}\n": 1000,
	} {
		s, err := Parse("x.yaml", []byte("version: 1\n"+text), builtin(), nil)
		if err != nil {
			t.Fatal(err)
		}
		in, err := s.Build(1, &dataSets)
		if err != nil {
			t.Fatal(err)
		}
		if got := in.iterations(in.Methods[0], in.workload(even()), 0); got != want {
			t.Errorf("%s: %d iterations, want %d", text, got, want)
		}
		r := in.Run(context.Background(), s.Algorithms[0], s.Algorithms[0].Args, nil)
		if r.Iterations > want || r.Iterations < want-1 {
			t.Errorf("%s: the run has %d iterations, want %d", text, r.Iterations, want)
		}
	}
}

// TestTimesOfDerivatives by hand: derivatives by x and y that cost as much as products with the Hessian go at
// their pace, those of the diagonal stand-in at its own, and a Jacobian is set to 0 before it is filled.
func TestTimesOfDerivatives(t *testing.T) {
	w := workload{size: catalog.Size{P: 5, Q: 8, Work: catalog.Work{Samples: 10}}, pace: callPace{fill: 0.25}}
	w.pace.flop[metrics.CallHVP], w.pace.flop[metrics.CallJVP], w.pace.flop[metrics.CallJacobian] = 2, 7, 11
	for _, c := range []struct {
		jvp, jacobian         float64 // FLOP a sample, where a product has 20
		product, jacobianTook float64
	}{
		{30, 150, 2 * 300, 5*8*0.25 + 2*1500},
		{1, 3, 7 * 10, 5*8*0.25 + 11*30},
		{10, 10, 7 * 100, 5*8*0.25 + 11*100}, // half of a product is still the stand-in's
	} {
		w.flops = func(call metrics.Call, samples float64) float64 {
			flops := map[metrics.Call]float64{metrics.CallHVP: 20, metrics.CallJVP: c.jvp, metrics.CallJacobian: c.jacobian}
			return flops[call] * samples
		}
		if got := w.call(metrics.CallJVP, 0); got != c.product {
			t.Errorf("%v FLOP: %v s, want %v", c.jvp, got, c.product)
		}
		if got := w.call(metrics.CallJacobian, 0); got != c.jacobianTook {
			t.Errorf("a Jacobian of %v FLOP: %v s, want %v", c.jacobian, got, c.jacobianTook)
		}
	}
}

// TestPaceOfNetworks: as measured at the two stand-ins, on the line between them by narrowness, and at least half
// of the wide one's beyond; a factorization knows no layers.
func TestPaceOfNetworks(t *testing.T) {
	p := even()
	p.wide = func() float64 { return 0.25 }
	between := layers{40, 16} // 1/40 + 1/16 = 0.0875: half of paceNarrow's 0.175, and 0.075 of 0.1625 from paceWide's
	for l, want := range map[layers]float64{
		paceNarrow: 1, paceWide: 0.25, between: 0.25 + 0.75*0.075/0.1625,
		{1 << 20, 1 << 20}: 0.25 - 0.75*0.0125/0.1625,
	} {
		of := p.network(l)
		for what, got := range map[string]float64{"value": of.flop[metrics.CallValue], "product": of.flop[metrics.CallHVP],
			"columns": of.matrix} {
			if !(math.Abs(got-want*1e-9) <= 1e-14) {
				t.Errorf("%v: %s %v, want %v", l, what, got, want*1e-9)
			}
		}
		if of.flop[metrics.CallSolve] != 1e-9 {
			t.Errorf("%v: a factorization takes %v", l, of.flop[metrics.CallSolve])
		}
	}
	p.wide = func() float64 { return 0.05 }
	if got := p.network(layers{1 << 20, 1 << 20}).matrix; !(math.Abs(got-0.025e-9) <= 1e-14) {
		t.Errorf("a share below half of the wide one's: %v", got)
	}
}

// TestUsualGradients: a third of ln(2/tolerance) iterations, rounded up, where the limit is not lower.
func TestUsualGradients(t *testing.T) {
	for with, want := range map[string]int{
		"solve: cg": 8, "solve: cg, cg_tolerance: 0.1": 1, "solve: cg, cg_tolerance: 0.01": 2,
		"solve: cg, cg_tolerance: 1e-4": 4, "solve: cg, cg_iterations: 5": 5, "solve: cholesky": 0,
	} {
		s := mustParse(t, "version: 1\ntopology: {kind: ring, nodes: 4}\nproblem: {kind: quadratic, p: 2, q: 2}\n"+
			"algorithms: [{name: dagm, outer: 1, inner: 1, neumann: 1, alpha: 0.1, beta: 0.1, "+with+"}]\n")
		if got := keys.Optional[int](usual(s.Algorithms[0].Args), "cg_iterations"); got != want {
			t.Errorf("%s: %d iterations, want %d", with, got, want)
		}
	}
}
