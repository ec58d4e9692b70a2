package topologies_test

import (
	"fmt"
	"log"

	"tallynet/sim"
	"tallynet/topologies"
)

// A connected random graph, its Metropolis weights, and how fast they average.
func Example() {
	g, err := topologies.Make(topologies.ErdosRenyi(20, 0.2, sim.Stream(1, "graph")))
	if err != nil {
		log.Fatal(err)
	}
	hops, _ := g.Diameter()
	fmt.Printf("%s: %d edges after %d draws, diameter %d\n", g.Name(), g.Edges(), g.Draws(), hops)

	s, err := topologies.Metropolis(g).Spectrum()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("gap %.4f, %.0f rounds to a millionth\n", s.Gap, s.Rounds(1e-6))
	// Output:
	// erdos-renyi n=20, p=0.2: 46 edges after 1 draws, diameter 4
	// gap 0.0866, 153 rounds to a millionth
}
