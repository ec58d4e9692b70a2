//go:build torch

// These tests need PyTorch, which .ci/python installs.

package python_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"tallynet/metrics/report/result"
)

// TestTorchEqualsRepresentation: a two-layer network, differentiated by PyTorch, equals the built-in
// hyper-representation: iterates and metrics to 1e-8. Each node has one sample, twice, so that
// training and validation samples are equal on both sides.
func TestTorchEqualsRepresentation(t *testing.T) {
	needPython(t)
	dir := t.TempDir()
	const nodes, dim, hidden = 6, 4, 5
	csv, rows := "a,b,c,d,site,class\n", [][]float64{}
	for i := range nodes {
		row := make([]float64, dim)
		for j := range row {
			row[j] = float64((i*7+j*5)%11)/5 - 1
		}
		rows = append(rows, append(row, float64(i%3)))
		for range 2 {
			csv += fmt.Sprintf("%v,%v,%v,%v,%d,%d\n", row[0], row[1], row[2], row[3], i, i%3)
		}
	}
	head := "topology: {kind: ring, nodes: 6}\nrecord: {iterates: all, metrics: [objective, grad_norm2]}\n"
	method := "algorithms: [{name: dagm, outer: 10, inner: 3, neumann: 2, alpha: 0.1, beta: 0.2, solve: cholesky}]\n"
	write(t, dir, "mine.csv", csv)
	text := head + "problem: {kind: hyper-representation, hidden: 5, ridge: 0.1, partition: column, data: {file: " +
		"mine.csv, target: class, " +
		"node_column: site, split: {train: 1, val: 1, test: 0}}}\n" + method
	st, err := studyOf(t, dir, text, false)
	if err != nil {
		t.Fatal(err)
	}
	x0, _ := st.First().Problem.Start(0)
	args, err := json.Marshal(map[string]any{"rows": rows, "hidden": hidden, "ridge": 0.1, "x0": x0})
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "args.json", string(args))
	want := run(t, dir, text)[0]
	got := run(t, dir, head+fmt.Sprintf("problem: {kind: python, file: %q, class: Network, args: {file: %q}}\n",
		docs("network_torch.py"),
		filepath.Join(dir, "args.json"))+method)[0]
	if got.Status != result.Completed || want.Status != result.Completed {
		t.Fatalf("%s %s; %s %s", got.Status, got.Reason, want.Status, want.Reason)
	}
	for k := range want.Samples {
		a, b := &want.Samples[k], &got.Samples[k]
		if d := distance(a.X, b.X) + distance(a.Y, b.Y); !(d <= 1e-8) {
			t.Errorf("iterates of iteration %d differ by %g", k, d)
		}
		for i := range a.Values {
			if d := distance(result.Iterates{{a.Values[i]}}, result.Iterates{{b.Values[i]}}); !(d <= 1e-8) {
				t.Errorf("%s of iteration %d: %v, want %v", want.Metrics[i], k, b.Values[i], a.Values[i])
			}
		}
	}
	// The class does not state how many samples a call touches.
	calls := want.Totals.Oracle
	calls.Samples, calls.SamplesOf = 0, got.Totals.Oracle.SamplesOf
	if got.Totals.Oracle != calls {
		t.Errorf("oracle calls %+v, want %+v", got.Totals.Oracle, calls)
	}
}
