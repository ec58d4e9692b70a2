package execute

import (
	"context"
	"fmt"
	"math"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/build"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/measure"
	"tallynet/scenarios/problems"
	"tallynet/scenarios/problems/data"
	"tallynet/scenarios/sections"
	"tallynet/scenarios/spec"
)

const (
	// GossipAgreement is the factor by which gossip shrinks the nodes' distance from
	// their mean.
	GossipAgreement = 1e-6
	// GossipDim is the length of the vectors that gossip averages: long enough for a
	// random start to be close to a typical one.
	GossipDim = 16
	// gossipMessages bounds what a measurement simulates, to a few seconds.
	gossipMessages = 5_000_000
)

// GossipGraph is a graph on which nodes average by gossip.
type GossipGraph struct {
	Topology sections.TopologySpec
	Seed     uint64
	Edges    int
	Most     float64 // rounds that are enough from any start
}

// TooMany says why the rounds are not measured. It returns "" if they are.
func (g GossipGraph) TooMany() string {
	switch messages := g.Most * 2 * float64(g.Edges); {
	case g.Topology.Server():
		return "a server averages in one round; gossip has none"
	case g.Topology.Nodes == 1:
		return "one node has nobody to agree with"
	case math.IsInf(g.Most, 1):
		return "without a spectral gap, gossip need not end"
	case messages > gossipMessages:
		return fmt.Sprintf("up to %.2g messages; at most 5,000,000 are simulated", messages)
	}
	return ""
}

// Rounds simulates gossip: each node starts at a vector of independent normal numbers and
// in every round takes the mean, by the mixing matrix, of its own and its neighbours'.
// It returns the first round after which the distance of all nodes from their mean, the
// root of the sum of squares over the nodes, is at most GossipAgreement times what it was
// at the start. Links have a latency of a second and nothing else takes time, so the run
// lasts as many seconds as rounds. The catalog must have the topology and its weights.
func (g GossipGraph) Rounds(ctx context.Context, all *catalog.Catalog) (int, error) {
	cat := catalog.New()
	cat.Topologies, cat.Weights = all.Topologies, all.Weights
	text := fmt.Sprintf(`version: 1
topology: {kind: complete, nodes: 1}
network: {latency: 1s, bandwidth: unlimited}
compute: {calls: {round: 0s}}
problem: {kind: consensus, dim: %d}
algorithms: [{name: gossip, rounds: %d}]
record: {metrics: [consensus_error]}
`, GossipDim, int(g.Most)+1)
	build := func(overrides ...string) (*spec.Scenario, *build.Instance, error) {
		s, err := spec.Parse("gossip", []byte(text), cat, overrides)
		if err != nil {
			return nil, nil, err
		}
		s.Topology = g.Topology
		in, err := build.Build(s, g.Seed, &data.Loader{})
		return s, in, err
	}
	_, in, err := build()
	if err != nil {
		return 0, err
	}
	target := GossipAgreement * GossipAgreement * disagreement(in.Problem) // the starting points are known only now
	s, in, err := build(fmt.Sprintf("stop.consensus_error=%v", target))
	if err != nil {
		return 0, err
	}
	run := Run(ctx, in, s.Algorithms[0], s.Algorithms[0].Args, nil)
	if run.Status != result.Reached {
		return 0, fmt.Errorf("gossip on %s: %s: %s", in.Graph.Name(), run.Status, run.Reason)
	}
	return run.Iterations, nil
}

// disagreement returns the mean over the nodes of the squared distance between a
// node's starting point and the mean of all.
func disagreement(p problems.Problem) float64 {
	dim, _ := p.Dims()
	starts, mean := make([][]float64, p.Nodes()), make([]float64, dim)
	for i := range starts {
		starts[i], _ = p.Start(i)
	}
	measure.Average(mean, starts)
	return measure.Spread(starts, mean)
}
