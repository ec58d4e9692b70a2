package build

import (
	"fmt"
	"slices"

	"tallynet/algorithms"
	"tallynet/channel"
	"tallynet/node"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/spec"
	"tallynet/topologies"
)

// Setting returns what decides which methods can run.
func (in *Instance) Setting() algorithms.Setting {
	c, d := &in.Engine, in.Dynamics
	s := algorithms.Setting{Nodes: in.Graph.Nodes(), Ring: in.Graph.IsRing(), Server: in.Scenario.Topology.Server(),
		GoesOn: c.Silence.Kind != node.Wait, Forgets: c.Faults.Forget,
		Loses: in.LosesMessages() && (c.Faults.Retransmit == nil || c.Faults.Retransmit.Attempts > 0)}
	if f := in.Scenario.Faults; f.Read() {
		for _, kind := range []string{"hosts", "links", "partitions"} {
			s.Loses = s.Loses || slices.ContainsFunc(f.Sections(kind), func(x keys.Args) bool { return !x.Has("up") })
		}
	}
	if z := c.Compress; z != nil {
		s.Compresses, s.Remembers, s.Differences = true, z.Memory != channel.NoMemory, z.Memory == channel.Difference
		s.Answers = !z.UpOnly
	}
	if d != nil {
		s.Changes, s.Draws, s.Asymmetric, s.Directed = true, d.Sampling(), !d.Symmetric(), d.Directed()
	}
	return s
}

// checkMethod returns an error if a method does not go with the scenario. It runs before the problem is made, which
// may read large data.
func (in *Instance) checkMethod(a spec.AlgorithmSpec, m algorithms.Method) error {
	setting, s := in.Setting(), in.Scenario
	for _, row := range algorithms.Misfits() {
		switch {
		case !row.In(setting) || row.Key == "topology" && idle(s, a): // the graph does not matter to an idle method
		case row.Not == nil:
			return s.Errorf(row.Key, "%s", row.Why)
		case row.Not(m):
			return s.Errorf(fmt.Sprintf("algorithms[%d].name", a.Index), "%s: %s", a.Label, row.Why)
		}
	}
	return nil
}

// Apart says which methods have a round in each outer iteration whose graphs, over the whole run, never connect the
// nodes: what nodes exchange only there, they cannot agree on.
func (in *Instance) Apart() (all []string) {
	const enough = 1e4 // rounds
	period := in.Engine.Period
	for i, m := range in.Methods {
		last := algorithms.Iterations(m)
		if period == 0 || last < period {
			continue
		}
		var met [][]bool // by place in an iteration and round of the period
		at := int(algorithms.CostAt(m, 0, in.Dims()).Rounds)
		for k := 1; k <= last && at < enough; k++ {
			for place := range int(min(m.Cost(k, in.Dims()).Rounds, enough)) {
				if place == len(met) {
					met = append(met, make([]bool, period))
				}
				met[place][at%period] = true
				at++
			}
		}
		if slices.ContainsFunc(met, func(rounds []bool) bool { return !in.Dynamics.Connects(rounds) }) {
			all = append(all, fmt.Sprintf("%s: nodes cannot agree on what they exchange in only one round of an outer "+
				"iteration: like the iteration, the graph repeats (%s), and that round always meets the same neighbours, "+
				"which do not connect all nodes; take matching or random-edges, or another number of rounds",
				in.Scenario.Algorithms[i].Label, in.Dynamics.Name()))
		}
	}
	return all
}

// CheckProblems returns an error if one of the methods cannot solve the problem of the instance.
func (in *Instance) CheckProblems() error {
	for i, a := range in.Scenario.Algorithms {
		why := ""
		switch n := in.Methods[i].Needs(); {
		case n.Bilevel && in.Q == 0:
			why = "the method is bilevel, and problem %s has no inner problem"
		case n.SingleLevel && in.Q > 0:
			why = "the method is single-level, and problem %s has an inner problem"
		default:
			continue
		}
		return in.Scenario.Errorf(fmt.Sprintf("algorithms[%d].name", a.Index), "%s: "+why, a.Label, in.Scenario.Problem.Kind)
	}
	return nil
}

// Mixes says why averaging with W does not bring the nodes to agreement; it returns "" if it does. Weights are not
// negative, so the spectral gap is 0 exactly if the edges with a positive weight do not connect the nodes, or if they
// form a bipartite graph without self-weights.
func Mixes(w *topologies.Mixing) string {
	n := w.Nodes()
	color, queue := make([]int8, n), []int{0}
	color[0] = 1
	halves := true
	for k := 0; k < len(queue); k++ {
		i := queue[k]
		halves = halves && w.Self(i) == 0
		weights := w.Weights(i)
		for j, to := range w.Graph().Neighbors(i) {
			switch {
			case weights[j] == 0:
			case color[to] == 0:
				color[to] = -color[i]
				queue = append(queue, to)
			case color[to] == color[i]:
				halves = false
			}
		}
	}
	switch {
	case len(queue) < n:
		return "the mixing matrix does not mix: spectral gap 0, since its weights connect only some of the nodes"
	case halves && n > 1:
		return "the mixing matrix does not mix: spectral gap 0, since two halves of the nodes swap their values forever"
	}
	return ""
}
