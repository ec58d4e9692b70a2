package present

import (
	"fmt"

	"tallynet/metrics/report/quantity"
	"tallynet/scenarios/study"
)

// largeRun is the memory from which on Facts states what a run needs.
const largeRun = 100 << 20

// Facts describes the graph, the links and the problem of the first instance.
func Facts(study *study.Study) []string {
	s, in := study.Scenario, study.First()
	g := in.Graph
	graph := fmt.Sprintf("graph: %s, %s, %s, %s weights", g.Name(), quantity.Plural(g.Nodes(), "node"),
		quantity.Plural(g.Edges(), "edge"), in.Mixing.Rule())
	if gap, known := study.SpectralGap(); known {
		graph += ", spectral gap " + quantity.Float(gap, 3)
	}
	links := fmt.Sprintf("links: %s; numbers travel as %s", s.Links(), s.Wire)
	all := []string{graph, links, "problem: " + in.Problem.About()}
	if memory := in.Memory(largeRun); memory != "" {
		all = append(all, "memory of a run: "+memory)
	}
	switch points := study.Points(); {
	case points > 1:
		all = append(all, fmt.Sprintf("study: %d grid points, %s; the above is the first point with seed %d", points,
			quantity.Plural(len(s.Seeds), "seed"), s.Seeds[0]))
	case len(s.Seeds) > 1:
		all = append(all, fmt.Sprintf("seeds: %d; the above is seed %d", len(s.Seeds), s.Seeds[0]))
	default:
		all = append(all, fmt.Sprintf("seed: %d", s.Seeds[0]))
	}
	return all
}
