package build_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/build"
)

const dynamicBase = "version: 1\nproblem: {kind: least-squares, dim: 4, samples: 12}\nrecord: {metrics: " +
	"[grad_norm2, consensus_error]}\n"

// twoLoops is a directed graph of two loops that share node 0. Node 0 sends to two nodes, the others to one.
const twoLoops = `topology: {kind: edges, nodes: 5, edges: [[0, 1], [1, 2], [2, 0], [0, 3], [3, 4], [4, 0]]}
dynamics: {kind: schedule, directed: true, rounds: ["0-1 1-2 2-0 0-3 3-4 4-0"]}
`

// TestDirected: push-pull ends at the optimum and SGP near it, on a directed graph and on one that is
// only connected over its rounds. A method that mixes is refused there.
func TestDirected(t *testing.T) {
	const twoRounds = `topology: {kind: edges, nodes: 5, edges: [[0, 1], [1, 2], [2, 0], [0, 3], [3, 4], [4, 0]]}
dynamics: {kind: schedule, directed: true, rounds: ["0-1 1-2 2-0", "0-3 3-4 4-0"]}
`
	end := func(text, method string) []float64 {
		t.Helper()
		r := faultRun(t, dynamicBase+text+"algorithms: [{"+method+"}]\n")
		if r.Status != result.Completed {
			t.Fatalf("%s: %s %s", method, r.Status, r.Reason)
		}
		return ending(r)
	}
	for name, text := range map[string]string{"two loops": twoLoops, "two rounds": twoRounds} {
		if sgp := end(text, "name: sgp, outer: 4000, alpha: 0.002"); sgp[0] > 1e-3 {
			t.Errorf("%s: SGP ends at %v", name, sgp)
		}
	}
	if pp := end(twoLoops, "name: push-pull, outer: 4000, alpha: 0.02"); pp[0] > 1e-18 || pp[1] > 1e-18 {
		t.Errorf("push-pull ends at %v", pp)
	}
	err := buildOf(dynamicBase + twoLoops + "algorithms: [{name: dgd, alpha: 0.01}]\n")
	if err == nil || !strings.Contains(err.Error(), "take push-sum, sgp or push-pull") {
		t.Errorf("DGD on a directed graph: %v", err)
	}
}

// TestDGDNeedsAnUndirectedGraph: on a directed graph DGD, with the rows of its matrix, stays equally far from the
// optimum for any step. Push-sum comes ten times nearer with a tenth of the step, and push-pull is exact. The error
// that refuses DGD says why.
func TestDGDNeedsAnUndirectedGraph(t *testing.T) {
	t.Parallel()
	base := strings.Replace(dynamicBase, "least-squares, dim: 4, samples: 12", "consensus, dim: 4", 1) // far apart
	final := strings.Replace(base, "record: {", "record: {iterates: final, ", 1)
	in := built(t, base+twoLoops+"algorithms: [{name: sgp, alpha: 0.01}]\n")
	optimum := faultRun(t, final+twoLoops+
		"algorithms: [{name: push-pull, outer: 2000, alpha: 0.02}]\n").X[0]
	far := func(x [][]float64) (most float64) {
		for i := range x {
			most = max(most, floats.Distance(x[i], optimum, 2))
		}
		return most
	}
	near := func(method string) float64 {
		r := faultRun(t, final+twoLoops+"algorithms: [{"+method+"}]\n")
		if r.Status != result.Completed {
			t.Fatalf("%s: %s %s", method, r.Status, r.Reason)
		}
		return far(r.X)
	}
	large, small := far(rowDGD(in, 1000, .02)), far(rowDGD(in, 10000, .002))
	if small < .05 || small < large/2 {
		t.Errorf("DGD by rows ends %g from the optimum, %g with a tenth of the step: the graph shows nothing", large, small)
	}
	if a, b := near("name: sgp, outer: 1000, alpha: 0.02"), near("name: sgp, outer: 10000, alpha: 0.002"); b > a/5 ||
		b > small/10 {
		t.Errorf("SGP ends %g from the optimum, %g with a tenth of the step; DGD by rows %g", a, b, small)
	}
	if d := near("name: push-pull, outer: 3000, alpha: 0.01"); d > 1e-10 {
		t.Errorf("push-pull ends %g from the optimum", d)
	}
	err := buildOf(dynamicBase + twoLoops + "algorithms: [{name: dgd, alpha: 0.01}]\n")
	for _, want := range []string{"doubly stochastic", "take push-sum, sgp or push-pull, or undirected edges"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("DGD on a directed graph: %v, want %s", err, want)
		}
	}
}

// rowDGD is x_i <- Σ_j r_ij x_j - alpha ∇f_i(x_i) on twoLoops, with r_ij = 1 / (1 + in-degree of i) for i and its
// senders.
func rowDGD(in *build.Instance, outer int, alpha float64) [][]float64 {
	senders := [][]int{{2, 4}, {0}, {1}, {0}, {3}}
	x := make([][]float64, len(senders))
	for i := range x {
		x[i], _ = in.Problem.Start(i)
		x[i] = slices.Clone(x[i])
	}
	g := make([]float64, in.P)
	for range outer {
		next := make([][]float64, len(x))
		for i, from := range senders {
			next[i] = slices.Clone(x[i])
			for _, j := range from {
				floats.Add(next[i], x[j])
			}
			floats.Scale(1/float64(1+len(from)), next[i])
			in.Problem.Local(i).GradFx(g, x[i], nil)
			floats.AddScaled(next[i], -alpha, g)
		}
		x = next
	}
	return x
}

// TestPushSumAverages exactly, on a directed graph.
func TestPushSumAverages(t *testing.T) {
	r := faultRun(t, strings.Replace(dynamicBase, "least-squares, dim: 4, samples: 12", "consensus, dim: 4", 1)+twoLoops+
		"algorithms: [{name: push-sum, rounds: 200}]\n")
	if e := ending(r); r.Status != result.Completed || e[0] > 1e-20 || e[1] > 1e-20 {
		t.Errorf("%s %s: %v", r.Status, r.Reason, e)
	}
}

// TestChangingGraphs: gradient tracking ends at the optimum on all undirected ones, and the counts are
// within their bound.
func TestChangingGraphs(t *testing.T) {
	for _, text := range []string{
		"topology: {kind: exponential, nodes: 8}\ndynamics: one-peer-exponential\n",
		"topology: {kind: ring, nodes: 6}\ndynamics: matching\n",
		"topology: {kind: ring, nodes: 6}\ndynamics: {kind: random-edges, p: 0.6}\n",
		"topology: {kind: torus, nodes: 12}\ndynamics: cycle\n",
		"topology: {kind: ring, nodes: 4}\ndynamics: {kind: schedule, rounds: [\"0-1 2-3\", \"1-2 0-3\"]}\n",
	} {
		r := faultRun(t, dynamicBase+text+"algorithms: [{name: gradient-tracking, outer: 3000, alpha: 0.01}]\n")
		if e := ending(r); r.Status != result.Completed || e[0] > 1e-14 || e[1] > 1e-14 {
			t.Errorf("%s: %s %s: %v", text, r.Status, r.Reason, e)
		}
		if !r.Predicted.Bound || r.Totals.Messages > r.Predicted.Total.Messages ||
			r.Totals.Messages < r.Predicted.Total.Messages/2 {
			t.Errorf("%s: %d messages, bound %d", text, r.Totals.Messages, r.Predicted.Total.Messages)
		}
	}
}

// TestResonance: on a graph that repeats after two rounds, a method of two rounds meets one half of the edges with
// each object, which is said before a run and after it.
func TestResonance(t *testing.T) {
	const (
		base = "version: 1\ntopology: {kind: ring, nodes: 8}\nproblem: {kind: quadratic, p: 2, q: 2, condition: 4}\n" +
			"record: {metrics: [consensus_error]}\n" +
			"algorithms: [{outer: 1000, alpha: 0.03, beta: 0.05, gamma: 0.05, theta: 0.5, name: "
		two  = "sparkle-gt}]\ndynamics: "
		one  = "sparkle, upper: semi-atc-gt, lower: semi-atc-gt, adjoint: semi-atc-gt}]\ndynamics: "
		note = "nodes cannot agree on tx, ty, tz, x, y, z"
	)
	for text, want := range map[string]string{
		two + "cycle\n": note, one + "cycle\n": "", two + "matching\n": "",
		two + "{kind: schedule, rounds: [\"0-1 2-3 4-5 6-7\", \"1-2 3-4 5-6\", \"0-7\"]}\n":          "",
		two + "{kind: schedule, rounds: [\"0-1 1-2 2-3 3-4\", \"4-5 5-6\", \"6-7 0-7\", \"0-1\"]}\n": note,
	} {
		before, r := built(t, base+text).Apart(), faultRun(t, base+text)
		notes := strings.Join(r.Notes, "; ")
		if (len(before) > 0) != (want != "") || (want == "") != (notes == "") || !strings.Contains(notes, want) ||
			(ending(r)[0] > 1e-3) != (want != "") {
			t.Errorf("%q before, %q after, consensus error %g, want %q: %s", before, notes, ending(r)[0], want, text)
		}
	}
}

// TestDynamicsErrors: invalid settings are refused with the reason.
func TestDynamicsErrors(t *testing.T) {
	for text, want := range map[string]string{
		"topology: {kind: ring, nodes: 8}\ndynamics: one-peer-exponential\nalgorithms: [{name: dgd, alpha: " +
			"0.1}]\n": "write topology: {kind: exponential",
		"topology: {kind: exponential, nodes: 8}\ndynamics: one-peer-exponential\nalgorithms: [{name: extra, " +
			"alpha: 0.1}]\n": "entries of one mixing matrix",
		"topology: {kind: ring, nodes: 8}\ndynamics: matching\nalgorithms: [{name: " +
			"randomized-gossip, interval: 1s}]\n": "has no rounds",
		"topology: {kind: ring, nodes: 4}\ndynamics: {kind: schedule, rounds: [\"0-2\"]}\nalgorithms: [{name: dgd, " +
			"alpha: 0.1}]\n": "has the edge [0 2]",
		"topology: {kind: ring, nodes: 4}\ndynamics: {kind: schedule, rounds: [\"0,2\"]}\nalgorithms: [{name: dgd, " +
			"alpha: 0.1}]\n": "want edges such as 0-1",
		"topology: {kind: ring, nodes: 4}\ndynamics: matching\nwire: sign\nalgorithms: [{name: dgd, alpha: " +
			"0.1}]\n": "write wire.memory: feedback",
		"topology: {kind: ring, nodes: 4}\ndynamics: matching\nalgorithms: [" +
			"{name: sparkle-extra, alpha: 0.1, beta: 0.1, gamma: 0.1, theta: 0.5}]\n": "entries of one mixing matrix",
		"topology: {kind: star, nodes: 4, center: server}\ndynamics: {kind: client-sampling, share: 0.5}\nalgorithms: [" +
			"{name: centralized-dagm, inner: 1, neumann: 1, alpha: 0.1, beta: 0.1}]\n": "such as fednest",
		"topology: {kind: ring, nodes: 4}\nwire: sign\nalgorithms: [{name: sgp, alpha: " +
			"0.1}]\n": "write wire: float64",
	} {
		if err := buildOf(dynamicBase + text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestClientSampling compares EF-SOBA, whose clients send their two largest numbers, and LFedNest with twins that know
// all clients: those that are drawn alone work, send and receive, and the memory of the server stays the mean of the
// clients'.
func TestClientSampling(t *testing.T) {
	const base = "version: 1\ntopology: {kind: star, nodes: 6, center: server}\nrecord: {metrics: [grad_norm2], " +
		"iterates: final}\nproblem: {kind: quadratic, p: 3, q: 4}\ndynamics: {kind: client-sampling, share: 0.4, " +
		"rounds: 2}\n"
	for _, c := range []struct {
		text, method string
		gradients    int64 // of a drawn client in an iteration
		bytes        int64 // up, and down
		twin         func(in *build.Instance, drawn func(k int) []int) []float64
	}{
		{"wire: {compress: top-k, share: 0.5, memory: none, direction: up}\n",
			"name: ef-soba, outer: 30, alpha: 0.05, beta: 0.06, gamma: 0.07, theta: 0.3", 3, 3*17 + 88, efSOBA},
		{"", "name: lfednest, outer: 30, inner: 2, inner_steps: 3, neumann: 0, alpha: 0.05, beta: 0.03, lipschitz: 10",
			2*3 + 2, 2*(2*32+24) + 32, lfednest},
	} {
		text := base + c.text + "algorithms: [{" + c.method + "}]\n"
		in, r := built(t, text), faultRun(t, text)
		round := in.Dynamics.Rounds()
		x := c.twin(in, func(k int) []int { return round(k - 1).In[0] })
		for i := range r.X { // each client has the server's
			if d := floats.Distance(r.X[i], x, 2); d > 1e-12 {
				t.Errorf("%s: x is %v, that of the twin %v", c.method, r.X[i], x)
			}
		}
		calls, n := r.Totals.Oracle, &r.Totals
		if calls.GradF+calls.GradG != 2*30*c.gradients || n.PayloadBytes() != 2*30*c.bytes || r.Predicted.Bound {
			t.Errorf("%s %s, %s: %+v, %d bytes, want %d", r.Status, r.Reason, c.method, calls, n.PayloadBytes(), 60*c.bytes)
		}
	}
	err := buildOf(
		dynamicBase + "topology: {kind: ring, nodes: 4}\ndynamics: {kind: client-sampling, share: " +
			"0.5}\nalgorithms: [{name: dgd, alpha: 0.1}]\n",
	)
	if err == nil || !strings.Contains(err.Error(), "no clients to sample") {
		t.Error(err)
	}
}

// efSOBA returns the server's x. d, m and c are the directions of y, z and x, memories and messages, by client.
func efSOBA(in *build.Instance, drawn func(k int) []int) []float64 {
	const alpha, beta, gamma, theta, outer = .05, .06, .07, .3, 30
	x, y := in.Start(0)
	x, y = slices.Clone(x), slices.Clone(y)
	size := []int{4, 4, 3}
	h, z := make([]float64, 3), make([]float64, 4)
	m := make([][3][]float64, in.Problem.Nodes())
	for i := range m {
		for j, n := range size {
			m[i][j] = make([]float64, n)
		}
	}
	for k := 1; k <= outer; k++ {
		var hat [3][]float64
		for j, n := range size { // the mean of all memories, as they are
			hat[j] = make([]float64, n)
			for i := range m {
				floats.AddScaled(hat[j], 1/float64(len(m)), m[i][j])
			}
		}
		for _, node := range drawn(k) {
			f, i := in.Problem.Local(node-1), node-1
			d := [3][]float64{make([]float64, 4), make([]float64, 4), make([]float64, 3)}
			fy, fx := make([]float64, 4), make([]float64, 3)
			f.GradGy(d[0], x, y)
			f.HessGyyMul(d[1], x, y, z)
			f.GradFy(fy, x, y)
			floats.Add(d[1], fy)
			f.JacGxyMul(d[2], x, y, z)
			f.GradFx(fx, x, y)
			floats.Add(d[2], fx)
			for j := range d {
				floats.Sub(d[j], m[i][j])
				keepTwo(d[j])
				floats.AddScaled(hat[j], .5, d[j]) // of two clients
				floats.Add(m[i][j], d[j])
			}
		}
		floats.AddScaled(y, -beta, hat[0])
		floats.AddScaled(z, -gamma, hat[1])
		floats.AddScaled(x, -alpha, h)
		floats.Scale(1-theta, h)
		floats.AddScaled(h, theta, hat[2])
	}
	return x
}

// keepTwo sets all but the two largest elements to 0.
func keepTwo(v []float64) {
	order := []float64{}
	for _, e := range v {
		order = append(order, math.Abs(e))
	}
	slices.Sort(order)
	for i, e := range v {
		if math.Abs(e) < order[len(v)-2] {
			v[i] = 0
		}
	}
}

func lfednest(in *build.Instance, drawn func(k int) []int) []float64 {
	x, y := in.Start(0)
	mean := func(of []int, v []float64, step func(f algorithms.Local, v []float64)) []float64 {
		sum := make([]float64, len(v))
		for _, node := range of {
			own := slices.Clone(v)
			step(in.Problem.Local(node-1), own)
			floats.AddScaled(sum, 1/float64(len(of)), own)
		}
		return sum
	}
	for k := 1; k <= 30; k++ {
		for range 2 {
			y = mean(drawn(k), y, func(f algorithms.Local, v []float64) {
				g := make([]float64, 4)
				for range 3 {
					f.GradGy(g, x, v)
					floats.AddScaled(v, -.03, g)
				}
			})
		}
		x = mean(drawn(k), x, func(f algorithms.Local, v []float64) {
			fx, fy, jv := make([]float64, 3), make([]float64, 4), make([]float64, 3)
			f.GradFx(fx, v, y)
			f.GradFy(fy, v, y)
			f.JacGxyMul(jv, v, y, fy)
			floats.AddScaled(v, -.05, fx)
			floats.AddScaled(v, .05/10, jv)
		})
	}
	return x
}
