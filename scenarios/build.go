package scenarios

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"tallynet/algorithms"
	"tallynet/channel"
	"tallynet/metrics"
	netnode "tallynet/node"
	"tallynet/scenarios/measure"
	"tallynet/scenarios/problems"
	"tallynet/scenarios/problems/data"
	"tallynet/sim"
	"tallynet/topologies"
)

// Instance is a scenario made real for one seed: the graph is drawn, the data are
// dealt out. All algorithms of the scenario run on the same instance, which is not
// changed by running, so runs may share it at the same time.
type Instance struct {
	Scenario *Scenario
	Seed     uint64
	Graph    *topologies.Graph
	Mixing   *topologies.Mixing
	Problem  problems.Problem
	Methods  []algorithms.Method // by algorithm of the scenario; tuned ones at their first point
	machines []netnode.Machine
	nics     []channel.NIC
	links    map[[2]int]Link
	codec    channel.Codec
}

// BuildGraph makes the graph and the mixing matrix for a seed. An error names the
// place in the file.
func (s *Scenario) BuildGraph(seed uint64) (*topologies.Graph, *topologies.Mixing, error) {
	t := s.Topology
	entry := s.cat.Topology(t.Kind)
	g, err := entry.New(t.Args, t.Nodes, sim.Stream(seed, "graph"))
	if err != nil {
		return nil, nil, s.Errorf("topology", "%w", err)
	}
	if err := g.CheckConnected(); err != nil {
		return nil, nil, s.Errorf("topology", "%w", err)
	}
	w, err := s.cat.WeightsRule(t.Weights.Kind).New(t.Weights.Args, g)
	if err != nil {
		return nil, nil, s.Errorf("topology.weights", "%w", err)
	}
	return g, w, nil
}

// Build makes the scenario real for a seed. Data sets are found and shared by
// loader. An error names the place in the file.
func (s *Scenario) Build(seed uint64, loader *data.Loader) (*Instance, error) {
	in := &Instance{Scenario: s, Seed: seed, links: map[[2]int]Link{}}
	var err error
	if in.Graph, in.Mixing, err = s.BuildGraph(seed); err != nil {
		return nil, err
	}
	if err := in.connect(); err != nil {
		return nil, err
	}
	in.machines = s.machines()
	if in.codec, err = channel.NewCodec(s.Wire); err != nil {
		return nil, s.Errorf("wire", "%w", err)
	}
	// Before the problem, which may have to read data.
	for i, a := range s.Algorithms {
		m, err := s.method(a, a.Args)
		if err != nil {
			return nil, err
		}
		if err := in.holds(m.Needs()); err != nil {
			return nil, s.Errorf(fmt.Sprintf("algorithms[%d].name", i), "%s: %w", a.Label, err)
		}
		in.Methods = append(in.Methods, m)
	}
	env := ProblemEnv{Nodes: s.Topology.DataNodes(), Seed: seed, Dir: s.Dir(), Data: loader}
	if in.Problem, err = s.cat.Problem(s.Problem.Kind).New(s.Problem.Args, env); err != nil {
		var p *ParamError
		if errors.As(err, &p) && p.Param != "" {
			return nil, s.Errorf("problem."+p.Param, "%s", p.Message)
		}
		return nil, s.Errorf("problem", "%w", err)
	}
	if n, want := in.Problem.Nodes(), s.Topology.DataNodes(); n != want {
		return nil, s.Errorf("problem", "the problem has data for %d nodes, the topology has %d that hold data", n, want)
	}
	for i, a := range s.Algorithms {
		if err := in.suits(in.Methods[i].Needs()); err != nil {
			return nil, s.Errorf(fmt.Sprintf("algorithms[%d].name", i), "%s: %w", a.Label, err)
		}
	}
	if _, err := measure.Select(in.Problem, s.cat.Metrics, s.Record.Metrics); err != nil {
		return nil, s.Errorf("record.metrics", "%w", err)
	}
	for _, c := range s.Stop.conditions() {
		if _, err := measure.Select(in.Problem, s.cat.Metrics, []string{c.Metric}); err != nil {
			return nil, s.Errorf("stop."+c.Metric, "%w", err)
		}
	}
	return in, nil
}

// connect checks the links that differ, and the network interfaces.
func (in *Instance) connect() error {
	n := in.Scenario.Network
	for i, l := range n.Links {
		if !in.Graph.HasEdge(l.From, l.To) {
			return in.Scenario.Errorf(fmt.Sprintf("network.links[%d]", i), "nodes %d and %d are no neighbours in this graph", l.From, l.To)
		}
		in.links[[2]int{l.From, l.To}] = l
		if !l.OneWay {
			in.links[[2]int{l.To, l.From}] = l
		}
	}
	if n.NIC == nil {
		return nil
	}
	all := channel.NIC{UpBitsPerSecond: int64(n.NIC.Up), DownBitsPerSecond: int64(n.NIC.Down)}
	in.nics = []channel.NIC{all}
	if len(n.NIC.Nodes) == 0 {
		return nil
	}
	in.nics = make([]channel.NIC, in.Graph.Nodes())
	for i := range in.nics {
		in.nics[i] = all
	}
	for _, x := range n.NIC.Nodes {
		for _, i := range x.Node {
			in.nics[i] = channel.NIC{UpBitsPerSecond: int64(x.Up), DownBitsPerSecond: int64(x.Down)}
		}
	}
	return nil
}

// link returns the latency and bandwidth from one node to another.
func (in *Instance) link(from, to int) (sim.Time, int64) {
	if l, ok := in.links[[2]int{from, to}]; ok {
		return l.Latency, int64(l.Bandwidth)
	}
	n := &in.Scenario.Network
	return n.Latency, int64(n.Bandwidth)
}

// machines returns one machine for all nodes, or one for each where they differ.
func (s *Scenario) machines() []netnode.Machine {
	all := machine(s.Compute.Machine)
	st := s.Compute.Straggler
	if len(s.Compute.Nodes) == 0 && (st == nil || st.Nodes == nil) {
		all.Straggler = straggler(st)
		return []netnode.Machine{all}
	}
	ms := make([]netnode.Machine, s.Topology.Nodes)
	for i := range ms {
		ms[i] = all
	}
	for _, x := range s.Compute.Nodes {
		for _, i := range x.Node {
			ms[i] = machine(x.Machine)
		}
	}
	for i := range ms {
		if st != nil && (st.Nodes == nil || slices.Contains(st.Nodes, i)) {
			ms[i].Straggler = straggler(st)
		}
	}
	return ms
}

func machine(m Machine) netnode.Machine {
	c := m.Calls
	out := netnode.Machine{Calls: [metrics.NumCalls]sim.Time{
		metrics.CallValue: netnode.ByFlops, metrics.CallGradF: c.GradF, metrics.CallGradG: c.GradG, metrics.CallHVP: c.HVP,
		metrics.CallJVP: c.JVP, metrics.CallHessian: c.Hessian, metrics.CallJacobian: c.Jacobian, metrics.CallSolve: c.Solve,
	}}
	if m.Speed != Instant {
		out.FlopsPerSecond = int64(m.Speed)
	}
	out.Round = max(0, c.Round)
	return out
}

func straggler(s *Straggler) netnode.Straggler {
	if s == nil {
		return netnode.Straggler{}
	}
	kinds := map[string]netnode.StragglerKind{
		"constant": netnode.Constant, "lognormal": netnode.LogNormal, "exponential": netnode.Exponential, "pareto": netnode.Pareto,
	}
	return netnode.Straggler{Kind: kinds[s.Kind], Factor: s.Factor, Sigma: s.Sigma, Mean: s.Mean, Shape: s.Shape, Window: s.Window}
}

func (s *Scenario) jitter() channel.Jitter {
	kinds := map[string]channel.JitterKind{
		"none": channel.NoJitter, "uniform": channel.Uniform, "exponential": channel.Exponential, "normal": channel.Normal,
	}
	j := s.Network.Jitter
	return channel.Jitter{Kind: kinds[j.Kind], Mean: j.Mean, Deviation: j.Deviation}
}

// method makes an algorithm's method with the given parameters, no longer than
// stop.iterations.
func (s *Scenario) method(a Algorithm, args Args) (algorithms.Method, error) {
	e := s.cat.Algorithm(a.Name)
	if most := s.Stop.Iterations; most > 0 && args.Int(e.Iterations) > most {
		args.values = maps.Clone(args.values)
		args.values[e.Iterations] = most
	}
	m, err := e.New(args)
	if err != nil {
		return nil, s.Errorf("algorithms."+a.Label, "%s: %w", a.Label, err)
	}
	return m, nil
}

// holds says why a method for one node cannot run on the graph, or nil.
func (in *Instance) holds(needs algorithms.Requirements) error {
	n, star := in.Graph.Nodes(), needs.Server != algorithms.ServerRefused
	if !needs.OneNode || n == 1 || star && in.Scenario.Topology.Server() {
		return nil
	}
	instead := ""
	if star {
		instead = ", or {kind: star, nodes: ..., center: server}, where nodes counts the server too"
	}
	return fmt.Errorf("the method is for one node, and the topology has %d: write topology: {kind: complete, nodes: 1}%s", n, instead)
}

// suits says why a method cannot run on the instance, or nil.
func (in *Instance) suits(n algorithms.Requirements) error {
	_, q := in.Problem.Dims()
	kind := in.Scenario.Problem.Kind
	switch {
	case n.Bilevel && q == 0:
		return fmt.Errorf("the method is bilevel, and problem %s has no inner problem", kind)
	case n.SingleLevel && q > 0:
		return fmt.Errorf("the method is single-level, and problem %s has an inner problem", kind)
	case n.Server == algorithms.ServerRefused && in.Scenario.Topology.Server():
		return errors.New("the method is for nodes that all hold data, and node 0 is a server; write center: peer, or take a method for a star with a server")
	case n.Server == algorithms.ServerRequired && !in.Scenario.Topology.Server():
		return errors.New("the method is for a server and its clients; write topology: {kind: star, nodes: ..., center: server}, where nodes counts the server too")
	}
	return nil
}

// Dims returns the sizes that closed-form costs depend on.
func (in *Instance) Dims() algorithms.Dims {
	p, q := in.Problem.Dims()
	return algorithms.Dims{P: p, Q: q, Nodes: in.Graph.Nodes(), Links: 2 * in.Graph.Edges(), Server: in.Scenario.Topology.Server()}
}
