package scenarios

import (
	"context"
	"slices"
	"sync"
	"time"

	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms"
	"tallynet/metrics"
	"tallynet/node"
	"tallynet/scenarios/problems"
	"tallynet/sim"
)

// Pace is how fast this machine simulates, measured on small stand-ins of the kinds of
// work that a run is made of, each when it is first asked for. It is used for estimates and
// never enters a result. Its functions may be called concurrently.
type Pace struct {
	dense   func() callPace // of problems with dense matrices
	samples func() callPace // of problems with samples, and a linear model
	hidden  func() callPace // of those with a hidden layer, whose calls are products of matrices, of paceNarrow
	wide    func() float64  // of hidden's, the share that a FLOP takes where the layers are wide, of paceWide
	sending func() sendPace
}

// sendPace is what messages take.
type sendPace struct {
	message float64 // seconds of one on its way, besides its elements
	element float64 // seconds of one of its elements
}

// callPace is what calls take: some time each, and some per FLOP.
type callPace struct {
	call  float64
	batch float64 // in place of call, on a batch, which is drawn

	// Per FLOP; of CallSolve, to factor a matrix, whose substitutions are few.
	flop [metrics.NumCalls]float64
	// Per FLOP of a product of the Hessian with a matrix, which counts as one for each column.
	matrix float64
	// Per FLOP of a product of the Hessian with a vector at the point of the last one.
	again float64
	// Per FLOP of the substitutions with a matrix that is factored.
	substitute float64
	// Per element of a matrix that is set to 0, as a Jacobian is before few of its elements are set.
	fill float64
}

// SlowPace is that of a machine on which everything takes several times as long as on a
// usual one: what is quick on it need not be estimated.
func SlowPace() Pace {
	slow := callPace{call: 5e-6, batch: 2e-5, matrix: 5e-9, again: 5e-9, substitute: 2e-8}
	slow.fill = 2e-9
	for c := range slow.flop {
		slow.flop[c] = 5e-9
	}
	return fixed(slow, 1, sendPace{message: 1e-5, element: 1e-8})
}

// fixed is a pace that need not be measured, with the same calls of all problems.
func fixed(of callPace, wide float64, sending sendPace) Pace {
	calls := func() callPace { return of }
	return Pace{dense: calls, samples: calls, hidden: calls, wide: func() float64 { return wide },
		sending: func() sendPace { return sending }}
}

const (
	paceReading = time.Millisecond // a call is repeated for as long as that,
	paceRepeats = 1 << 14          // but no more often,
	paceStopped = 64               // nor after as many where the clock stands still
	paceTries   = 5                // of which the shortest counts
	paceColumns = 20               // of a matrix that is multiplied

	// Elements of a long message: so many that they take several times as long as the message itself, since the
	// difference to a short one is what is measured.
	paceElements = 5000
)

// MeasurePace returns the pace by a clock. Measuring takes a tenth of a second for each kind of work.
func MeasurePace(now func() time.Time) Pace {
	clock := stopwatch{now}
	call := sync.OnceValue(func() float64 {
		return clock.metered(standIn(problems.GenerateQuadratic(problems.QuadraticConfig{Nodes: 1, P: 2, Q: 2,
			Condition: 2, Seed: 1})), 0)
	})
	fill := sync.OnceValue(clock.fill)
	pace := func(stand func() problems.Problem) func() callPace {
		return sync.OnceValue(func() callPace { return clock.pace(stand(), call(), fill()) })
	}
	network := func(l layers) problems.Problem {
		return standIn(problems.NewFair(problems.FairConfig{Nodes: 1, Samples: problems.Samples{Train: 100, Val: 100},
			Synthetic: &problems.Synthetic{Dim: l.inputs, Test: 10}, Hidden: l.hidden, Ridge: 0.001, Seed: 1}))
	}
	p := Pace{
		dense: pace(func() problems.Problem {
			return standIn(problems.GenerateQuadratic(problems.QuadraticConfig{Nodes: 1, P: 100, Q: 100, Condition: 2,
				Seed: 1}))
		}),
		samples: pace(func() problems.Problem {
			return standIn(problems.NewHyper(problems.HyperConfig{Loss: "softmax", Nodes: 1,
				Samples: problems.Samples{Train: 200, Val: 200}, Synthetic: &problems.Synthetic{Dim: 40, Test: 10}, Seed: 1}))
		}),
		hidden: pace(func() problems.Problem { return network(paceNarrow) }),
	}
	p.wide = sync.OnceValue(func() float64 {
		product := p.hidden().flop[metrics.CallHVP]
		if product <= 0 {
			return 1
		}
		return min(1, clock.product(network(paceWide), call())/product)
	})
	p.sending = sync.OnceValue(func() sendPace {
		short, long := clock.exchange(1), clock.exchange(paceElements)
		return sendPace{short, max(0, long-short) / paceElements}
	})
	return p
}

// standIn is a problem that is made of constants, and so without an error.
func standIn[P problems.Problem](p P, err error) problems.Problem {
	if err != nil {
		panic("scenarios: a stand-in for the pace: " + err.Error())
	}
	return p
}

// layers are the widths of a network.
type layers struct{ inputs, hidden int }

var paceNarrow, paceWide = layers{20, 8}, layers{400, 100}

// narrowness is the share of a call that no product of matrices is, up to a factor: d inputs and h hidden
// units take some time for each of d + h numbers of a sample, where the products take that of dh.
func (l layers) narrowness() float64 {
	return 1/float64(max(1, l.inputs)) + 1/float64(max(1, l.hidden))
}

// network returns the pace of a network, between those of the stand-ins or beyond, by its narrowness.
func (p Pace) network(l layers) callPace {
	wide := paceWide.narrowness()
	between := (l.narrowness() - wide) / (paceNarrow.narrowness() - wide)
	share := max(p.wide()/2, p.wide()+(1-p.wide())*between)
	of := p.hidden()
	for c := range of.flop {
		if metrics.Call(c) != metrics.CallSolve {
			of.flop[c] *= share
		}
	}
	of.matrix, of.again = share*of.matrix, share*of.again
	return of
}

// stopwatch measures how long something takes.
type stopwatch struct{ now func() time.Time }

// seconds returns how long one call of do takes: the shortest of some means, since
// other programs may take the processor meanwhile. The clock is read after 1, 2, 4, ...
// calls, since reading it takes longer than some of them.
func (w stopwatch) seconds(do func()) float64 {
	do() // so that caches and scratch space are there
	best := 0.0
	for try := range paceTries {
		begun, n := w.now(), 0
		var took time.Duration
		for n < paceRepeats && took < paceReading && (took > 0 || n < paceStopped) {
			for range max(1, n) {
				do()
			}
			n = max(1, 2*n)
			took = w.now().Sub(begun)
		}
		if took == 0 {
			return 0 // where the clock stands still, nothing is shorter
		}
		if mean := took.Seconds() / float64(n); try == 0 || mean < best {
			best = mean
		}
	}
	return best
}

// pace returns what calls of a problem's first node take per FLOP, besides what each takes.
func (w stopwatch) pace(p problems.Problem, call, fill float64) callPace {
	local := p.Local(0)
	val, train := local.Samples()
	all := callPace{call: call, fill: fill}
	for c, seconds := range w.calls(p) {
		if metrics.Call(c) == metrics.CallJacobian {
			np, nq := p.Dims()
			seconds -= all.fill * float64(np*nq)
		}
		all.flop[c] = max(0, seconds-call) / local.Flops(metrics.Call(c), max(val, train))
	}
	block := local.(problems.BlockHVP) // as is every one of the package
	_, q := p.Dims()
	x, y := p.Start(0)
	v, hv := mat.NewDense(q, paceColumns, slices.Repeat([]float64{1}, q*paceColumns)), mat.NewDense(q, paceColumns, nil)
	seconds := w.seconds(func() { y[0] += 1e-9; block.HessGyyMulMat(hv, x, y, v) })
	all.matrix = max(0, seconds-call) / paceColumns / local.Flops(metrics.CallHVP, max(val, train))
	hvp := mat.Col(nil, 0, hv)
	seconds = w.seconds(func() { local.HessGyyMul(hvp, x, y, y) })
	all.again = max(0, seconds-call) / local.Flops(metrics.CallHVP, max(val, train))
	all.substitute = w.substitution(q)
	all.batch = max(call, w.metered(p, 1)-all.flop[metrics.CallGradG]*local.Flops(metrics.CallGradG, 1))
	return all
}

// product returns what a product with the Hessian of a problem's first node takes per FLOP.
func (w stopwatch) product(p problems.Problem, call float64) float64 {
	local := p.Local(0)
	val, train := local.Samples()
	x, y := p.Start(0)
	product := make([]float64, len(y))
	seconds := w.seconds(func() { y[0] += 1e-9; local.HessGyyMul(product, x, y, y) })
	return max(0, seconds-call) / local.Flops(metrics.CallHVP, max(val, train))
}

// fill returns what it takes to set one element of a matrix to 0.
func (w stopwatch) fill() float64 {
	elements := make([]float64, 1<<18)
	return w.seconds(func() { clear(elements) }) / float64(len(elements))
}

// substitution returns what each of the 2q² FLOPs of a solve with a factored matrix takes.
func (w stopwatch) substitution(q int) float64 {
	b, solved := mat.NewVecDense(q, nil), mat.NewVecDense(q, nil)
	b.SetVec(0, 1)
	var factor mat.Cholesky
	factor.Factorize(definite(q))
	return w.seconds(func() { _ = factor.SolveVecTo(solved, b) }) / (2 * float64(q) * float64(q))
}

// definite returns a positive definite matrix, which the Hessian of a network need not be.
func definite(q int) *mat.SymDense {
	m := mat.NewSymDense(q, slices.Repeat([]float64{1}, q*q))
	for i := range q {
		m.SetSym(i, i, float64(2*q))
	}
	return m
}

// metered returns how long a method takes for the gradient of g on a batch, which it draws, of the first
// node; a batch of 0 is all samples.
func (w stopwatch) metered(p problems.Problem, batch int) float64 {
	const calls = 500
	local := p.Local(0)
	x, y := p.Start(0)
	gradient := make([]float64, len(y))
	return w.run([]node.Peers{{SelfWeight: 1}}, func(p *node.Proc) {
		o := algorithms.Metered(p.Context, local, x, y)
		for range calls {
			y[0] += 1e-9
			o.On(o.Draw(batch, "pace")).GradGy(gradient, x, y)
		}
	}) / calls
}

// calls returns how long each kind of call takes.
func (w stopwatch) calls(p problems.Problem) [metrics.NumCalls]float64 {
	l := p.Local(0)
	np, nq := p.Dims()
	x, y := p.Start(0)
	dx, dy := make([]float64, np), make([]float64, nq)
	h, j := mat.NewSymDense(nq, nil), mat.NewDense(np, nq, nil)
	inner := definite(nq)
	var factor mat.Cholesky
	step := 0.0 // points differ, as those of a run do: nothing is kept from the call before
	move := func() { step += 1e-9; x[0] += step; y[0] += step }
	do := [metrics.NumCalls]func(){
		metrics.CallValue: func() { l.F(x, y) }, metrics.CallGradF: func() { l.GradFx(dx, x, y); l.GradFy(dy, x, y) },
		metrics.CallGradG: func() { l.GradGy(dy, x, y) }, metrics.CallHVP: func() { l.HessGyyMul(dy, x, y, y) },
		metrics.CallJVP: func() { l.JacGxyMul(dx, x, y, y) }, metrics.CallHessian: func() { l.HessGyy(h, x, y) },
		metrics.CallJacobian: func() { l.JacGxy(j, x, y) }, metrics.CallSolve: func() { factor.Factorize(inner) },
	}
	var all [metrics.NumCalls]float64
	for c := range do {
		all[c] = w.seconds(func() { move(); do[c]() })
	}
	all[metrics.CallGradF] /= 2 // by x and by y
	return all
}

// quick is a link of a millisecond and 1 Gbit/s.
func quick(int, int) (latency sim.Time, bitsPerSecond int64) { return sim.Millisecond, 1e9 }

// exchange returns how long a message of some elements takes, on a ring where all nodes mix.
func (w stopwatch) exchange(elements int) float64 {
	const nodes, rounds = 8, 20
	peers := make([]node.Peers, nodes)
	for i := range peers {
		a, b := (i+nodes-1)%nodes, (i+1)%nodes
		peers[i] = node.Peers{Neighbors: []int{min(a, b), max(a, b)}, Weights: []float64{.25, .25}, SelfWeight: .5}
	}
	return w.run(peers, func(p *node.Proc) {
		v, mixed := make([]float64, elements), make([]float64, elements)
		for range rounds {
			p.Mix(mixed, "pace", v)
		}
	}) / (2 * nodes * rounds)
}

// run returns how long it takes to simulate a program on some nodes.
func (w stopwatch) run(peers []node.Peers, program func(p *node.Proc)) float64 {
	return w.seconds(func() {
		each := func(int) node.Handler { return node.Program(program) }
		net, err := node.New(node.Config{Peers: peers, Link: quick}, each)
		if err == nil {
			_, err = net.Run(context.Background(), node.Limits{})
		}
		if err != nil {
			panic("scenarios: a stand-in for the pace: " + err.Error())
		}
	})
}
