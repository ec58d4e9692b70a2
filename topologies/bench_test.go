package topologies

import (
	"testing"

	"tallynet/sim"
)

// BenchmarkSpectrum uses graphs of 10,000 nodes with the smallest gap, a medium one
// and a large one.
func BenchmarkSpectrum(b *testing.B) {
	for _, g := range []*Graph{made(Path(10_000)), made(Ring(10_000)), made(Torus(100, 100)),
		made(ErdosRenyi(10_000, 2e-3, sim.Stream(1, "graph")))} {
		m := Metropolis(g)
		b.Run(g.Name(), func(b *testing.B) {
			for b.Loop() {
				must(m.Spectrum())
			}
		})
	}
}

func BenchmarkBuild(b *testing.B) {
	for name, build := range map[string]func() (*Graph, error){
		"ring 1e6":        func() (*Graph, error) { return Make(Ring(1_000_000)) },
		"erdos-renyi 1e5": func() (*Graph, error) { return Make(ErdosRenyi(100_000, 2e-4, sim.Stream(1, "graph"))) },
		"regular 1e5":     func() (*Graph, error) { return Make(Regular(100_000, 4, sim.Stream(1, "graph"))) },
		"geometric 1e5":   func() (*Graph, error) { return Make(Geometric(100_000, 0.008, sim.Stream(1, "graph"))) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				must(build())
			}
		})
	}
}
