package python_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tallynet/metrics/report/result"
)

// TestBatches: a class that states its samples receives batches of them, and each call counts;
// without a batch it receives None.
func TestBatches(t *testing.T) {
	needPython(t)
	const code = `import numpy as np
class P:
    q = 0
    def __init__(self, nodes, seed, dim):
        rng = np.random.default_rng(seed)
        self.p, self.data = dim, [(rng.standard_normal((12, dim)), rng.standard_normal(12)) for _ in range(nodes)]
    def samples(self, node):
        return 12, 0
    def part(self, node, batch):
        s, t = self.data[node]
        if batch is None:
            return s, t
        assert min(batch) >= 0 and max(batch) < 12, batch
        return s[batch], t[batch]
    def f(self, node, x, y, batch):
        s, t = self.part(node, batch)
        return 0.5 * np.mean((s @ x - t) ** 2)
    def g(self, node, x, y, batch):
        return 0
    def grad_f_x(self, node, x, y, batch):
        s, t = self.part(node, batch)
        with open("sizes", "a") as f:
            print("all" if batch is None else len(batch), file=f)
        return s.T @ (s @ x - t) / len(t)
`
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("mine.py", []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	const nodes, outer = 3, 8
	runs := runBy(t, 1, dir, fmt.Sprintf("topology: {kind: complete, nodes: %d}\n"+
		"problem: {kind: python, file: mine.py, class: P, args: {dim: 2}}\nrecord: {metrics: [consensus_error]}\n"+
		"algorithms:\n  - {name: allreduce-gd, label: a, outer: %d, alpha: 0.2, batch: 5}\n"+
		"  - {name: allreduce-gd, label: b, outer: %[2]d, alpha: 0.2, batch: 0}\n", nodes, outer))
	text, err := os.ReadFile(filepath.Join(dir, "sizes"))
	if err != nil {
		t.Fatal(err)
	}
	for k, batch := range []int{5, 0} {
		if runs[k].Status != result.Completed {
			t.Fatalf("batch %d: %s %s", batch, runs[k].Status, runs[k].Reason)
		}
		want := []string{"5", "all"}[k]
		calls := 0
		for _, size := range strings.Fields(string(text)) {
			if size == want {
				calls++
			}
		}
		gradients, samples := runs[k].Totals.Oracle.GradF, runs[k].Totals.Oracle.Samples
		each := int64(12)
		if batch > 0 {
			each = int64(batch)
		}
		if gradients < nodes*outer || samples != each*gradients || int64(calls) < gradients {
			t.Errorf("batch %d: %d gradients of %d samples are counted, and the class was asked for %d with %s", batch,
				gradients, samples, calls, want)
		}
	}
}

// TestOneRunFails: the run of one grid point and seed fails; the other runs of the study go on.
func TestOneRunFails(t *testing.T) {
	needPython(t)
	const code = `import os, signal
def m(node, o, outer):
    x, _ = o.start()
    node.report(0, x)
    for k in range(1, outer + 1):
        x = yield node.mix("outer", x)
        if node.id == 2 and k == 3:
            if o.p == 3:
                raise KeyError("mine")
            if o.p == 4:
                os.kill(os.getpid(), signal.SIGKILL)
            if o.p == 5:
                x = x * float("nan")
        node.report(k, x)
`
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine.py"), []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	wants := map[string]struct {
		status result.Status
		reason []string
	}{
		"3": {result.Failed, []string{"KeyError: 'mine'", "line 9, in m", "method m in", "node 2", "iteration 3"}},
		"4": {result.Failed, []string{"signal: killed", "method m in", "node 2", "iteration 3"}},
		"5": {result.Diverged, []string{"node 2", "iteration 3"}},
	}
	runs := run(t, dir, "topology: {kind: ring, nodes: 4}\nproblem: {kind: consensus, dim: 2}\n"+
		"sweep: {problem.dim: [2, 3, 4, 5]}\nalgorithms:\n  - {name: gossip, rounds: 5}\n"+
		"  - {name: python, file: mine.py, method: m, outer: 5}\n")
	if len(runs) != 8 {
		t.Fatalf("%d runs", len(runs))
	}
	for _, r := range runs {
		dim, _ := r.Point.Get("problem.dim")
		want, fails := wants[dim]
		if r.Algorithm != "python" || !fails {
			if r.Status != result.Completed {
				t.Errorf("%s, dim %s: %s %s", r.Label, dim, r.Status, r.Reason)
			}
			continue
		}
		if r.Status != want.status {
			t.Errorf("dim %s: %s %s, want %s", dim, r.Status, r.Reason, want.status)
		}
		for _, part := range want.reason {
			if !strings.Contains(r.Reason, part) {
				t.Errorf("dim %s: %s, want %q", dim, r.Reason, part)
			}
		}
	}
}
