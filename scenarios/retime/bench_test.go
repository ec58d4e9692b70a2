package retime

import (
	"context"
	"testing"

	"tallynet/scenarios/build"
	"tallynet/scenarios/execute"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
)

// BenchmarkQuickstart runs, records and plays the methods of quickstart.yaml.
func BenchmarkQuickstart(b *testing.B) {
	s, err := spec.Load("../quickstart.yaml", scenariotest.Catalog(), nil)
	if err != nil {
		b.Fatal(err)
	}
	in, err := build.Build(s, 1, &scenariotest.Data)
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	for _, alg := range s.Algorithms {
		var last int
		b.Run(alg.Label+"/run", func(b *testing.B) {
			for b.Loop() {
				run := execute.Run(ctx, in, alg, alg.Args, nil)
				last = run.Iterations
			}
		})
		var trace *Trace
		b.Run(alg.Label+"/record", func(b *testing.B) {
			for b.Loop() {
				if trace, err = Record(ctx, in, alg, alg.Args, last); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(alg.Label+"/play", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := trace.Times(ctx, in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
