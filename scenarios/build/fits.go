package build

import (
	"fmt"
	"strconv"
	"strings"

	"tallynet/algorithms"
	"tallynet/channel"
	"tallynet/node"
	"tallynet/scenarios/spec"
	"tallynet/topologies"
)

// setting returns what decides which methods can run.
func (in *Instance) setting() algorithms.Setting {
	c, d := &in.Engine, in.Dynamics
	s := algorithms.Setting{Nodes: in.Graph.Nodes(), Ring: in.Graph.IsRing(), Server: in.Scenario.Topology.Server(),
		GoesOn: c.Silence.Kind != node.Wait, Forgets: c.Faults.Forget,
		Loses: in.LosesMessages() && (c.Faults.Retransmit == nil || c.Faults.Retransmit.Attempts > 0)}
	if z := c.Compress; z != nil {
		s.Compresses, s.Remembers, s.Differences = true, z.Memory != channel.NoMemory, z.Memory == channel.Difference
		s.Answers = !z.UpOnly
	}
	if d != nil {
		s.Changes, s.Draws, s.Asymmetric, s.Directed = true, d.Sampling(), !d.Symmetric(), d.Directed()
	}
	return s
}

// checkMethod returns an error if a method does not go with the scenario. It runs before the problem is made, which may
// read large data.
func (in *Instance) checkMethod(a spec.AlgorithmSpec, m algorithms.Method) error {
	setting, s := in.setting(), in.Scenario
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
	for i, m := range in.Methods {
		if rounds := in.apart(m); rounds != "" {
			all = append(all, fmt.Sprintf("%s: in %s of each outer iteration nodes always meet the same neighbours, which do "+
				"not connect all nodes: they cannot agree on what they exchange only there, since %s repeats and so does the "+
				"iteration; take matching or random-edges, or another number of rounds", in.Scenario.Algorithms[i].Label, rounds,
				in.Dynamics.Name()))
		}
	}
	return all
}

// apart names the rounds of an outer iteration that never connect the nodes; "" if there are none.
func (in *Instance) apart(m algorithms.Method) string {
	_, unpredicted := m.(algorithms.Unpredicted)
	period := in.Engine.Period
	if period == 0 || unpredicted || m.Iterations() < period {
		return ""
	}
	const places, enough = 1000, 1e6
	var met [][]bool // by place in an iteration and round of the period
	at := m.Cost(0, in.Dims()).Rounds
	for k := 1; k <= m.Iterations() && at < enough; k++ {
		rounds := m.Cost(k, in.Dims()).Rounds
		for i := range int(min(rounds, places)) {
			if i == len(met) {
				met = append(met, make([]bool, period))
			}
			met[i][(int(at)+i)%period] = true
		}
		at += rounds
	}
	var names []string
	for i, rounds := range met {
		if !in.Dynamics.Connects(rounds) {
			names = append(names, strconv.Itoa(i+1))
		}
	}
	if len(names) > 5 {
		names = append(names[:5], "others")
	}
	if names == nil {
		return ""
	}
	return "round " + strings.Join(names, ", ")
}

// CheckProblems returns an error if one of the methods cannot solve the problem of the instance.
func (in *Instance) CheckProblems() error {
	for i, a := range in.Scenario.Algorithms {
		if err := in.checkProblem(in.Methods[i].Needs()); err != nil {
			return in.Scenario.Errorf(fmt.Sprintf("algorithms[%d].name", a.Index), "%s: %w", a.Label, err)
		}
	}
	return nil
}

// checkProblem returns an error if a method cannot solve the problem of the instance.
func (in *Instance) checkProblem(n algorithms.Requirements) error {
	q, kind := in.Q, in.Scenario.Problem.Kind
	switch {
	case n.Bilevel && q == 0:
		return fmt.Errorf("the method is bilevel, and problem %s has no inner problem", kind)
	case n.SingleLevel && q > 0:
		return fmt.Errorf("the method is single-level, and problem %s has an inner problem", kind)
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
