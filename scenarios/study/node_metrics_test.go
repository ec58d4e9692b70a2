package study

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/scenariotest"
)

// TestNodeMetrics: nodes with data have final metrics, whose mean is the metric of the last sample, however the
// run ends. A server has none.
func TestNodeMetrics(t *testing.T) {
	const base = "version: 1\nnetwork: {latency: 1ms}\nproblem: {kind: quadratic, p: 3, q: 4, heterogeneity: 0.5}\n"
	const peers = "topology: {kind: ring, nodes: 5}\nalgorithms: " +
		"[{name: dagm, outer: 30, inner: 1, neumann: 1, alpha: %s, beta: 0.05}]\n"
	for name, c := range map[string]struct {
		lines   string
		servers int
		status  result.Status
	}{
		"completed": {fmt.Sprintf(peers, "0.01"), 0, result.Completed},
		"every 7": {fmt.Sprintf(peers, "0.01") + "record: {every: 7, metrics: [grad_norm2, inner_error, own_loss]}", 0,
			result.Completed},
		"time":     {fmt.Sprintf(peers, "0.01") + "stop: {time: 31ms}", 0, result.Completed},
		"reached":  {fmt.Sprintf(peers, "0.01") + "stop: {iterations: 30, target: {grad_norm2: 1e9}}", 0, result.Reached},
		"diverged": {fmt.Sprintf(peers, "1e9"), 0, result.Diverged},
		"server": {"topology: {kind: star, nodes: 4, center: server}\nalgorithms: " +
			"[{name: soba, outer: 20, rho: 0.01, gamma: 0.01}]\n", 1, result.Completed},
	} {
		st, err := New(scenariotest.Parse(t, base+c.lines), &scenariotest.Data)
		if err != nil {
			t.Fatal(err)
		}
		runs, err := st.Run(context.Background(), Options{Workers: 1})
		if err != nil || runs[0].Status != c.status {
			t.Fatalf("%s: %v, %s: %s", name, err, runs[0].Status, runs[0].Reason)
		}
		r := &runs[0]
		if !slices.Contains(r.NodeMetrics, "own_loss") || !slices.Contains(r.NodeMetrics, "inner_error") {
			t.Errorf("%s: nodes have %v", name, r.NodeMetrics)
		}
		for k, metric := range r.NodeMetrics {
			mean, of := 0.0, float64(len(r.Nodes)-c.servers)
			for i := range r.Nodes {
				if holds := i >= c.servers; holds != (len(r.Nodes[i].Final) == len(r.NodeMetrics)) {
					t.Fatalf("%s: node %d has %v", name, i, r.Nodes[i].Final)
				} else if holds {
					mean += r.Nodes[i].Final[k] / of
				}
			}
			if want, measured := r.Final.Values.Get(metric); measured && !(math.Abs(mean-want) <= 1e-12*(1+math.Abs(want))) {
				t.Errorf("%s: %s of the nodes has the mean %v, and is %v", name, metric, mean, want)
			}
		}
	}
}
