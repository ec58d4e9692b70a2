package python_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tallynet/metrics/result"
)

// TestBatches: a class that states its samples gets batches of them, and each counts; without a
// batch it gets None.
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
	for batch, want := range map[int]string{5: "5", 0: "all"} {
		if err := os.RemoveAll("sizes"); err != nil {
			t.Fatal(err)
		}
		const nodes, outer = 3, 8
		runs := run(t, dir, fmt.Sprintf("topology: {kind: complete, nodes: %d}\n"+
			"problem: {kind: python, file: mine.py, class: P, args: {dim: 2}}\nrecord: {metrics: [consensus_error]}\n"+
			"algorithms: [{name: allreduce-gd, outer: %d, alpha: 0.2, batch: %d}]\n", nodes, outer, batch))
		if runs[0].Status != result.Completed {
			t.Fatalf("batch %d: %s %s", batch, runs[0].Status, runs[0].Reason)
		}
		text, err := os.ReadFile(filepath.Join(dir, "sizes"))
		if err != nil {
			t.Fatal(err)
		}
		calls := 0
		for _, size := range strings.Fields(string(text)) {
			if size == want {
				calls++
			}
		}
		gradients, samples := runs[0].Totals.Oracle.GradF, runs[0].Totals.Oracle.Samples
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

// TestOneRunFails: the run of one grid point and seed fails, and all others of the study go on.
func TestOneRunFails(t *testing.T) {
	needPython(t)
	const code = `import os, signal
def m(node, o, outer, how):
    x, _ = o.start()
    node.report(0, x)
    for k in range(1, outer + 1):
        x = yield node.mix("outer", x)
        if o.p == 3 and node.id == 2 and k == 3:
            if how == "raise":
                raise KeyError("mine")
            if how == "die":
                os.kill(os.getpid(), signal.SIGKILL)
            x = x * float(how)
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
		"raise": {result.Failed, []string{"KeyError: 'mine'", "line 9, in m", "method m in", "node 2", "iteration 3"}},
		"die":   {result.Failed, []string{"signal: killed", "method m in", "node 2", "iteration 3"}},
		"nan":   {result.Diverged, []string{"node 2", "iteration 3"}},
	}
	algorithms := "algorithms:\n  - {name: gossip, rounds: 5}\n"
	for how := range wants {
		algorithms += fmt.Sprintf("  - {name: python, label: %[1]q, file: mine.py, method: m, outer: 5, args: "+
			"{how: %[1]q}}\n", how)
	}
	runs := run(t, dir, "topology: {kind: ring, nodes: 4}\nproblem: {kind: consensus, dim: 2}\n"+
		"sweep: {problem.dim: [2, 3]}\n"+algorithms)
	if len(runs) != 8 {
		t.Fatalf("%d runs", len(runs))
	}
	for _, r := range runs {
		dim, _ := r.Point.Get("problem.dim")
		want, fails := wants[r.Label]
		if dim != "3" || !fails {
			if r.Status != result.Completed {
				t.Errorf("%s, dim %s: %s %s", r.Label, dim, r.Status, r.Reason)
			}
			continue
		}
		if r.Status != want.status {
			t.Errorf("%s: %s %s, want %s", r.Label, r.Status, r.Reason, want.status)
		}
		for _, part := range want.reason {
			if !strings.Contains(r.Reason, part) {
				t.Errorf("%s: %s, want %q", r.Label, r.Reason, part)
			}
		}
	}
}
