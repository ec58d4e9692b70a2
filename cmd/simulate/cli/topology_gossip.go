package cli

import (
	"context"
	"fmt"
	"math"

	"tallynet/metrics/render"
	"tallynet/metrics/result"
	"tallynet/scenarios"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/problems"
	"tallynet/scenarios/problems/data"
)

const (
	// agreement is by how much the nodes' distance from their mean is to shrink.
	agreement = 1e-6
	// gossipDim is the length of the vectors averaged: so many that the start is near
	// the average one, as far as graph and mixing matrix allow.
	gossipDim = 16
	// gossipMessages bounds what a measurement plays, to a few seconds.
	gossipMessages = 5_000_000
)

// gossip is a graph that is to average, and at most how many rounds that takes.
type gossip struct {
	topology scenarios.Topology
	seed     uint64
	edges    int
	most     float64
}

// tooMany says why a measurement is left out, or "".
func (g gossip) tooMany() string {
	switch messages := g.most * 2 * float64(g.edges); {
	case g.topology.Server():
		return "a server averages in one round; gossip has none"
	case g.topology.Nodes == 1:
		return "one node has nobody to agree with"
	case math.IsInf(g.most, 1):
		return "without a spectral gap, gossip need not end"
	case messages > gossipMessages:
		return fmt.Sprintf("up to %.2g messages; at most %s are played", messages, render.Count(gossipMessages))
	}
	return ""
}

// rounds plays gossip: each node starts at a vector of independent normal numbers and
// in every round takes the mean, by the mixing matrix, of its own and its neighbours'.
// It returns the first round after which the distance of all from their mean, the
// square root of the sum over the nodes, is at most agreement times that of the start.
// Links have a latency of a second and nothing else takes time, so the run lasts
// as many seconds as rounds.
func (g gossip) rounds(ctx context.Context, all *catalog.Catalog) (int, error) {
	cat := catalog.New()
	cat.Topologies, cat.Weights = all.Topologies, all.Weights
	text := fmt.Sprintf(`version: 1
topology: {kind: complete, nodes: 1}
network: {latency: 1s, bandwidth: unlimited}
compute: {calls: {round: 0s}}
problem: {kind: consensus, dim: %d}
algorithms: [{name: gossip, rounds: %d}]
record: {metrics: [consensus_error]}
`, gossipDim, int(g.most)+1)
	build := func(overrides ...string) (*scenarios.Scenario, *scenarios.Instance, error) {
		s, err := scenarios.Parse("gossip", []byte(text), cat, overrides)
		if err != nil {
			return nil, nil, err
		}
		s.Topology = g.topology
		in, err := s.Build(g.seed, &data.Loader{})
		return s, in, err
	}
	_, in, err := build()
	if err != nil {
		return 0, err
	}
	target := agreement * agreement * disagreement(in.Problem) // the starting points are known only now
	s, in, err := build(fmt.Sprintf("stop.consensus_error=%v", target))
	if err != nil {
		return 0, err
	}
	run := in.Run(ctx, s.Algorithms[0], s.Algorithms[0].Args, nil)
	if run.Status != result.Reached {
		return 0, fmt.Errorf("gossip on %s: %s: %s", in.Graph.Name(), run.Status, run.Reason)
	}
	return run.Iterations, nil
}

// disagreement returns the mean over the nodes of the squared distance between a
// node's starting point and the mean of all.
func disagreement(p problems.Problem) float64 {
	dim, _ := p.Dims()
	n := float64(p.Nodes())
	mean := make([]float64, dim)
	for i := range p.Nodes() {
		x, _ := p.Start(i)
		for j, v := range x {
			mean[j] += v / n
		}
	}
	sum := 0.0
	for i := range p.Nodes() {
		x, _ := p.Start(i)
		for j, v := range x {
			sum += (v - mean[j]) * (v - mean[j])
		}
	}
	return sum / n
}
