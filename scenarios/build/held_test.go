package build_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tallynet/algorithms"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/build"
	"tallynet/scenarios/execute"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
)

// A method states its memory before it allocates: DGBO holds each of its matrices three times (derivative, average
// and message) on each of four nodes, and ITD holds the path of y. The hint's number fits.
func TestMemoryOfMethods(t *testing.T) {
	for _, c := range []struct {
		topology, algorithm, key string
		q                        int
		held                     float64 // bytes per unit of the key
	}{
		{"{kind: ring, nodes: 4}", "name: dgbo, outer: 1, alpha: 0.1, gamma: 0.1, beta: 0.5, lipschitz: 10", "terms", 100,
			8 * 4 * 3 * 100 * 100},
		{"{kind: complete, nodes: 1}", "name: itd, outer: 1, alpha: 0.1, beta: 0.1", "inner", 2000, 8 * 2000},
	} {
		check := func(value int) error {
			s := scenariotest.Parse(t, fmt.Sprintf(`{version: 1, topology: %s, problem: {kind: quadratic, p: 10, q: %d},
				algorithms: [{%s, %s: %d}]}`, c.topology, c.q, c.algorithm, c.key, value))
			_, err := build.Build(s, 1, &scenariotest.Data)
			return err
		}
		err := check(1e6)
		var said *keys.FileError
		if !errors.As(err, &said) {
			t.Fatalf("a million %s: %v", c.key, err)
		}
		var fits int
		_, after, _ := strings.Cut(said.Hint, "algorithms[0]."+c.key+": ")
		if _, err := fmt.Sscan(after, &fits); err != nil {
			t.Fatalf("%s: %s", c.key, said.Hint)
		}
		if want := float64(spec.DefaultLimits().Bytes) / c.held; float64(fits) > want || float64(fits) < 0.95*want {
			t.Errorf("%s: %d is said to fit, want %.0f, about", c.key, fits, want)
		}
		if err := check(fits); err != nil {
			t.Errorf("%s: %d does not fit: %v", c.key, fits, err)
		}
	}
}

// SABA keeps 2 q + p = 50 numbers for each of 6 training samples and q + p = 30 for each of 4 validation samples.
// Batches of two need half of the rows. The memory of a tuning's point is checked when it runs.
func TestMemoryOfRuns(t *testing.T) {
	d := algorithms.Dims{P: 10, Q: 20, Nodes: 1}
	for batch, want := range map[int]float64{0: 50 + 30, 1: 6*50 + 4*30, 2: 3*50 + 2*30, 4: 2*50 + 30, 9: 50 + 30} {
		if got := (algorithms.SABA{Batch: batch}).Table(4, 6, d); got != want {
			t.Errorf("batch %d: %v numbers, want %v", batch, got, want)
		}
	}
	s := scenariotest.Parse(t, `{version: 1, topology: {kind: complete, nodes: 1}, problem: {kind: hyper-logistic, data: synthetic,
		dim: 100, samples: {train: 2000, val: 1000}, test: 10},
		algorithms: [{name: saba, outer: 1, rho: 0.1, gamma: 0.1, batch: 1}]}`)
	s.Limits.Bytes = 10 << 20 // the table has 8 * (2000*300 + 1000*200) bytes, 6.4 MB
	in, err := build.Build(s, 1, &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	if err := in.CanForm(in.Methods[0]); err != nil {
		t.Error(err)
	}
	s.Limits.Bytes = 5 << 20
	run := execute.Run(t.Context(), in, s.Algorithms[0], s.Algorithms[0].Args, nil)
	if run.Status != result.Failed || !strings.Contains(run.Reason, "of memory; the limit is 5.24 MB") {
		t.Errorf("%s: %s", run.Status, run.Reason)
	}
}
