package sections

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"tallynet/node"
	"tallynet/scenarios/keys"
	"tallynet/sim"
	"tallynet/topologies"
)

// DynamicsKey declares the section dynamics: graphs that change from round to round, and directed graphs.
func DynamicsKey() keys.Param {
	return keys.Param{Name: "dynamics", Kind: keys.Variant, Example: "one-peer-exponential",
		About: "which edges of the topology exist in which round; by default all in every round",
		Variants: &keys.Variants{Key: "kind", What: "dynamics", Entries: []keys.Entry{
			{
				Name: "one-peer-exponential",
				Summary: "node i sends to i + 2^k and hears from i - 2^k in round k, modulo the number of nodes, with " +
					"weights of 1/2 (Assran et al.; Ying et al.); for topology: exponential",
			},
			{Name: "matching", Summary: "a random maximal matching in each round: pairs average"},
			{Name: "random-edges", Summary: "each edge exists with a probability; Metropolis weights", Params: []keys.Param{
				{Name: "p", Title: "edge probability", Kind: keys.Float, Required: true, Example: "0.5",
					Range: keys.AboveUpTo(0, 1), About: "the probability of an edge in a round"}}},
			{Name: "cycle", Summary: "the edges in turn: in each round those of one colour, no two of which meet"},
			{
				Name: "client-sampling",
				Summary: "a server works with some of its clients in each outer iteration, drawn anew; the others neither " +
					"compute nor download, and metrics are those of the server's model",
				Params: []keys.Param{
					{Name: "share", Title: "share of clients", Kind: keys.Float, Required: true, Example: "0.5",
						Range: keys.AboveUpTo(0, 1),
						About: "the share of the clients that are drawn, at least one; they download the server's state, compute " +
							"and send"},
					{Name: "rounds", Kind: keys.Int, Default: 1, Example: "5", Range: keys.Between(1, 1e6),
						About: "the number of outer iterations for which a draw is used"}},
			},
			{Name: "schedule", Summary: "the edges as given, round by round, then from the start again", Params: []keys.Param{
				{Name: "rounds", Kind: keys.Strings, Required: true, Example: `["0-1 2-3", "1-2"]`,
					About: "for each round its edges, such as 0-1, separated by spaces; directed: from the first node to the second"},
				{Name: "directed", Kind: keys.Bool, Default: false, Example: "true",
					About: "edges are one-way; such a round has no doubly stochastic matrix, so only methods for directed " +
						"graphs run"},
			}},
		}}}
}

// SetDynamics sets the sequence of graphs.
func (s *Site) SetDynamics(a keys.Args) error {
	if !a.Read() {
		return nil
	}
	stream := func(k int) *rand.Rand { return sim.Stream(s.Seed, "dynamics", k) }
	var err error
	switch a.Kind() {
	case "one-peer-exponential":
		s.Dynamics, err = topologies.OnePeerExponential(s.Graph)
	case "matching":
		s.Dynamics = topologies.Matchings(s.Graph, stream)
	case "random-edges":
		s.Dynamics = topologies.RandomEdges(s.Graph, a.Float("p"), stream)
	case "client-sampling":
		if !s.Topology.Server() {
			return s.Fail("dynamics", "there are no clients to sample: write topology: {kind: star, nodes: ..., "+
				"center: server}")
		}
		s.Dynamics = topologies.ClientSampling(s.Graph, a.Float("share"), a.Int("rounds"), stream)
	case "cycle":
		s.Dynamics = topologies.Cycle(s.Graph)
	case "schedule":
		var rounds [][][2]int
		if rounds, err = parseSchedule(a.Strings("rounds")); err == nil {
			s.Dynamics, err = topologies.Schedule(s.Graph, rounds, a.Bool("directed"))
		}
	}
	if err != nil {
		return s.Fail("dynamics", "%w", err)
	}
	d := s.Dynamics
	s.Engine.Drawn, s.Engine.Period = d.Sampling(), d.Period()
	s.Engine.Turns = func() func(int, int) node.Turn {
		rounds := d.Rounds()
		return func(round, id int) node.Turn {
			r := rounds(round)
			t := node.Turn{Out: r.Out[id], In: r.In[id], Self: 1}
			if r.Weights != nil {
				t.Weights, t.Self = r.Weights[id], r.Self[id]
			}
			return t
		}
	}
	return nil
}

// parseSchedule parses the edges of each round.
func parseSchedule(texts []string) ([][][2]int, error) {
	rounds := make([][][2]int, len(texts))
	for k, text := range texts {
		for _, e := range strings.Fields(text) {
			from, to, ok := strings.Cut(e, "-")
			a, errA := strconv.Atoi(from)
			b, errB := strconv.Atoi(to)
			if !ok || errA != nil || errB != nil {
				return nil, fmt.Errorf("round %d: want edges such as 0-1, separated by spaces, got %q", k, e)
			}
			rounds[k] = append(rounds[k], [2]int{a, b})
		}
	}
	return rounds, nil
}
