package study

import (
	"context"
	"fmt"
	"testing"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
)

// BenchmarkOneRun computes a run on one core and on two: DAGM on hyper-representation, 784-200-10.
func BenchmarkOneRun(b *testing.B) {
	var overrides []string
	if testing.Short() {
		overrides = []string{"algorithms[0].outer=1"}
	}
	s, err := spec.Parse("run.yaml", []byte(`
version: 1
name: one-run
seed: 1
topology: {kind: erdos-renyi, nodes: 20, p: 0.5, weights: metropolis}
compute: {speed: 10GFLOP/s}
problem: {kind: hyper-representation, data: mnist, hidden: 200, pool: 1, samples: 100, partition: by-label}
algorithms: [{name: dagm, outer: 5, inner: 10, neumann: 3, solve: cg, alpha: 0.1, beta: 0.1}]
record: {metrics: [consensus_error]}
`), catalog.New(), overrides)
	if err != nil {
		b.Fatal(err)
	}
	st, err := New(s, &scenariotest.Data)
	if err != nil {
		b.Fatal(err)
	}
	first, err := st.Run(context.Background(), Options{Workers: 1}) // later runs reuse its problem
	if err != nil {
		b.Fatal(err)
	}
	hash := first[0].Hash
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			for b.Loop() {
				runs, err := st.Run(context.Background(), Options{Workers: workers})
				if err != nil {
					b.Fatal(err)
				}
				if runs[0].Hash != hash {
					b.Fatalf("%d workers: hash %s, want %s", workers, runs[0].Hash, hash)
				}
			}
		})
	}
}

// BenchmarkStudy runs a study of 36 runs with one worker and with two, and stores each run when it ends.
func BenchmarkStudy(b *testing.B) {
	s, err := spec.Parse("study.yaml", []byte(scenariotest.Study+`
seeds: 4
sweep: {topology.kind: [ring, complete, star]}
`), catalog.New(), []string{"algorithms[0].outer=200", "algorithms[1].outer=200", "algorithms[2].outer=200"})
	if err != nil {
		b.Fatal(err)
	}
	st, err := New(s, &scenariotest.Data)
	if err != nil {
		b.Fatal(err)
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			for b.Loop() {
				store, err := result.OpenRunStore(b.TempDir())
				if err != nil {
					b.Fatal(err)
				}
				runs, err := st.Run(context.Background(), Options{Workers: workers, Store: store})
				if err != nil || len(runs) != 36 {
					b.Fatalf("%d runs: %v", len(runs), err)
				}
			}
		})
	}
}
