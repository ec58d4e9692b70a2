package build_test

import (
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

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
		"topology: {kind: ring, nodes: 4}\nwire: sign\nalgorithms: [{name: sgp, alpha: " +
			"0.1}]\n": "write wire: float64",
	} {
		if err := buildOf(dynamicBase + text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestClientSampling: a server that samples half of its clients receives half of the messages, and a
// method that averages over them still ends near the optimum.
func TestClientSampling(t *testing.T) {
	const base = "version: 1\ntopology: {kind: star, nodes: 9, center: server}\nrecord: {metrics: [grad_norm2]}\n" +
		"problem: {kind: quadratic, p: 3, q: 4, condition: 4, heterogeneity: 0.1}\n" +
		"algorithms: [{name: soba, outer: 2000, rho: 0.05, gamma: 0.01}]\n"
	whole, some := faultRun(t, base), faultRun(t, base+"dynamics: {kind: client-sampling, share: 0.5}\n")
	if some.Status != result.Completed || some.Totals.Messages*4 != whole.Totals.Messages*3 {
		t.Errorf(
			"%s %s: %d messages, of all clients %d",
			some.Status,
			some.Reason,
			some.Totals.Messages,
			whole.Totals.Messages,
		)
	}
	if a, b := ending(whole)[0], ending(some)[0]; a > 1e-12 || b > .1 || b < 1e-10 {
		t.Errorf("grad_norm2: %g with all clients, %g with half of them", a, b)
	}
	err := buildOf(
		dynamicBase + "topology: {kind: ring, nodes: 4}\ndynamics: {kind: client-sampling, share: " +
			"0.5}\nalgorithms: [{name: dgd, alpha: 0.1}]\n",
	)
	if err == nil || !strings.Contains(err.Error(), "no clients to sample") {
		t.Error(err)
	}
}
