package build

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"tallynet/algorithms"
	"tallynet/channel"
	"tallynet/metrics/report/result"
	"tallynet/node"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/measure"
	"tallynet/scenarios/problems"
	"tallynet/scenarios/problems/data"
	"tallynet/scenarios/sections"
	"tallynet/scenarios/spec"
	"tallynet/topologies"
)

// Mixes says why averaging with W does not lead the nodes to agreement; "" where it does.
// The weights are not negative: the spectral gap is 0 if the edges with a weight do not
// connect the nodes, or where each node takes from the other half of a two-coloured graph
// alone.
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

// Instance is a scenario made real for one seed: the graph is drawn, the data are
// dealt out. All algorithms of the scenario run on the same instance, which is not
// changed by running, so runs may share it at the same time.
type Instance struct {
	sections.Site
	Scenario *spec.Scenario
	Problem  problems.Problem
	Methods  []algorithms.Method // by algorithm of the scenario; tuned ones at their first point
	P, Q     int                 // the lengths of x and y
}

// newSite returns the site of a scenario, on which nothing is made yet.
func newSite(s *spec.Scenario, seed uint64) sections.Site {
	return sections.Site{Seed: seed, Topology: s.Topology, Dir: s.Dir(), Fail: s.Errorf, Engine: node.Config{Seed: seed}}
}

// Graph makes the graph and the mixing matrix of a scenario for a seed. An error names the
// place in the file.
func Graph(s *spec.Scenario, seed uint64) (*topologies.Graph, *topologies.Mixing, error) {
	at := newSite(s, seed)
	err := at.SetGraph(s.Catalog)
	return at.Graph, at.Mixing, err
}

// Outline makes all of an instance but its problem.
func Outline(s *spec.Scenario, seed uint64) (*Instance, error) {
	in := &Instance{Site: newSite(s, seed), Scenario: s}
	if err := in.SetGraph(s.Catalog); err != nil {
		return nil, err
	}
	in.Engine.Peers, in.Engine.Roles = in.peers(), in.roles()
	in.Engine.Machines = sections.Machines(s.Compute, s.Topology.Nodes)
	p, err := s.BuildPlatform()
	if err != nil {
		return nil, err
	}
	if err := in.SetNetwork(s.Network, p, s.Place); err != nil {
		return nil, err
	}
	if err := in.SetTariffs(s.Tariffs); err != nil {
		return nil, err
	}
	return in, in.setRest()
}

// setRest sets what does not depend on the edges of the graph, and makes the methods.
func (in *Instance) setRest() error {
	s := in.Scenario
	if err := in.SetDynamics(s.Dynamics); err != nil {
		return err
	}
	if err := in.SetFaults(s.Faults, s.Network, s.Silence); err != nil {
		return err
	}
	if err := in.SetWire(s.Wire, s.Compress); err != nil {
		return err
	}
	return in.makeMethods()
}

// makeMethods makes the methods, once the graph and the engine are known.
func (in *Instance) makeMethods() error {
	if err := in.checkDifferences(); err != nil {
		return err
	}
	s := in.Scenario
	for _, a := range s.Algorithms {
		m, err := Method(s, a, a.Args)
		if err != nil {
			return err
		}
		if !idle(s, a) { // at a point where it is, its graph does not matter
			err = in.checkNodes(m.Needs())
		}
		if err == nil {
			err = in.checkNetwork(m.Needs())
		}
		if err == nil {
			err = in.CheckDynamics(m)
		}
		if err != nil {
			return s.Errorf(fmt.Sprintf("algorithms[%d].name", a.Index), "%s: %w", a.Label, err)
		}
		in.Methods = append(in.Methods, m)
	}
	return nil
}

// Pose makes the problem of the instance.
func (in *Instance) Pose(loader *data.Loader) error {
	s := in.Scenario
	var err error
	seed := in.Seed
	if s.DataSeed != nil {
		seed = *s.DataSeed
	}
	env := catalog.ProblemEnv{Nodes: s.Topology.DataNodes(), Seed: seed, Dir: s.Dir(), Data: loader,
		Budget: s.Limits.Budget(), AllowCode: s.Limits.Code}
	if in.Problem, err = s.Catalog.Problem(s.Problem.Kind).New(s.Problem.Args, env); err != nil {
		var wrong *problems.ParamError
		if errors.As(err, &wrong) {
			err = keys.About(wrong.Param, err)
		}
		return s.Errorf("problem", "%w", err)
	}
	if n, want := in.Problem.Nodes(), s.Topology.DataNodes(); n != want {
		return s.Errorf("problem", "want data for the %d nodes that hold data, got data for %d", want, n)
	}
	in.P, in.Q = in.Problem.Dims()
	if err := in.CheckProblems(); err != nil {
		return err
	}
	if _, err := measure.Select(in.Problem, s.Catalog.Metrics, s.Record.Strings("metrics")); err != nil {
		return s.Errorf("record.metrics", "%w", err)
	}
	for _, c := range s.StopConditions() {
		if _, err := measure.Select(in.Problem, s.Catalog.Metrics, []string{c.Metric}); err != nil {
			return s.Errorf("stop."+c.Metric, "%w", err)
		}
	}
	return nil
}

// CheckProblems returns an error if a method cannot solve the problem of the instance.
func (in *Instance) CheckProblems() error {
	for i, a := range in.Scenario.Algorithms {
		if err := in.checkProblem(in.Methods[i].Needs()); err != nil {
			return in.Scenario.Errorf(fmt.Sprintf("algorithms[%d].name", a.Index), "%s: %w", a.Label, err)
		}
	}
	return nil
}

// Method makes an algorithm's method with the given parameters, no longer than
// stop.iterations.
func Method(s *spec.Scenario, a spec.AlgorithmSpec, args keys.Args) (algorithms.Method, error) {
	e := s.Catalog.Algorithm(a.Name)
	if most := s.Stop.Int("iterations"); most > 0 && args.Int(e.Iterations) > most {
		args = args.With(e.Iterations, most)
	}
	m, err := e.Make(args, catalog.MethodEnv{Dir: s.Dir(), AllowCode: s.Limits.Code})
	if err != nil {
		return nil, s.Errorf("algorithms."+a.Label, "%s: %w", a.Label, err)
	}
	return m, nil
}

// idle reports whether an algorithm makes no iteration: outer: 0, as at a point of a study
// where it has no part. Its graph does not matter then.
func idle(s *spec.Scenario, a spec.AlgorithmSpec) bool {
	iterations := s.Catalog.Algorithm(a.Name).Iterations
	return a.Tune == nil && iterations != "" && a.Args.Int(iterations) == 0
}

// checkNodes returns an error if a method for one node cannot run on the graph.
func (in *Instance) checkNodes(needs algorithms.Requirements) error {
	n, star := in.Graph.Nodes(), needs.Server != algorithms.ServerRefused
	if !needs.OneNode || n == 1 || star && in.Scenario.Topology.Server() {
		return nil
	}
	instead := ""
	if star {
		instead = ", or {kind: star, nodes: ..., center: server}, where nodes counts the server too"
	}
	return fmt.Errorf("the method is for one node, and the topology has %d: write topology: {kind: complete, "+
		"nodes: 1}%s", n, instead)
}

// checkDifferences returns an error if receivers cannot add up differences.
func (in *Instance) checkDifferences() error {
	c := &in.Engine
	if c.Compress == nil || c.Compress.Memory != channel.Difference {
		return nil
	}
	const why = "receivers add up differences, and one that misses a message is wrong forever: "
	switch {
	case c.Silence.Kind != node.Wait:
		return in.Scenario.Errorf("silence", why+"leave silence out, or write wire.memory: feedback")
	case in.LosesMessages() && (c.Faults.Retransmit == nil || c.Faults.Retransmit.Attempts > 0):
		return in.Scenario.Errorf("network.loss", why+"write policy: retransmit without attempts, or wire.memory: feedback")
	}
	return nil
}

// checkNetwork returns an error if a method cannot run on the network of the instance. It is called before the problem
// is made, which may read large data.
func (in *Instance) checkNetwork(n algorithms.Requirements) error {
	switch {
	case n.AllNeighbors && in.Engine.Silence.Kind != node.Wait:
		return errors.New("the method takes the sum over all of its neighbours, and has no weights to give to itself: " +
			"leave silence out")
	case n.Ring && !in.Graph.IsRing():
		return fmt.Errorf(
			"the method goes around a ring, and %s is not a ring: write topology: {kind: ring, nodes: %d}, or collective: tree",
			in.Graph.Name(),
			in.Graph.Nodes(),
		)
	case n.Uncompressed && in.Engine.Compress != nil:
		return errors.New("the method preserves a sum over all nodes, and compressed messages would not: write wire: " +
			"float64")
	case n.OwnMemory && in.Engine.Compress != nil && in.Engine.Compress.Memory != channel.NoMemory:
		return errors.New("the method itself remembers the values that its differences refer to: write wire.memory: none")
	case n.UpOnly && in.Engine.Compress != nil && !in.Engine.Compress.UpOnly:
		return errors.New("the server and all of its clients take the same step, which needs the uncompressed mean: " +
			"write wire.direction: up")
	case !n.Restarts && in.Engine.Faults.Forget:
		return errors.New("the method keeps more than its iterate from step to step, and a host that loses its state " +
			"could not restore it: write faults.state: keep, or take gossip, dgd or async-dgd")
	case n.Server == algorithms.ServerRefused && in.Scenario.Topology.Server():
		return errors.New("the method is for nodes that all hold data, and node 0 is a server; write center: peer, " +
			"or take a method for a star with a server")
	case n.Server == algorithms.ServerRequired && !in.Scenario.Topology.Server():
		return errors.New("the method is for a server and its clients; write topology: {kind: star, nodes: ..., " +
			"center: server}, where nodes counts the server too")
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

// Dims returns the sizes that closed-form costs depend on. Of a graph that changes it has the most messages
// of a round: the closed form is a bound.
func (in *Instance) Dims() algorithms.Dims {
	d := algorithms.Dims{P: in.P, Q: in.Q, Nodes: in.Graph.Nodes(), Links: 2 * in.Graph.Edges(),
		Server: in.Scenario.Topology.Server()}
	if in.Dynamics != nil {
		d.Links = in.Dynamics.MostMessages()
	}
	return d
}

// Close ends what runs outside for the problem. An instance that is not closed ends it with
// the program.
func (in *Instance) Close() {
	if c, ok := in.Problem.(io.Closer); ok {
		_ = c.Close() // nothing is lost: its answers were read
	}
}

// peers returns every node's neighbours and weights.
func (in *Instance) peers() []node.Peers {
	peers := make([]node.Peers, in.Graph.Nodes())
	for i := range peers {
		peers[i] = node.Peers{Neighbors: in.Graph.Neighbors(i), Weights: in.Mixing.Weights(i), SelfWeight: in.Mixing.Self(i)}
	}
	return peers
}

// roles returns what every node is; nil where all are peers.
func (in *Instance) roles() []node.Role {
	if !in.Scenario.Topology.Server() {
		return nil
	}
	roles := slices.Repeat([]node.Role{node.Client}, in.Graph.Nodes())
	roles[0] = node.Server
	return roles
}

// Local returns what a node knows of the problem. A server holds no data.
func (in *Instance) Local(id int) algorithms.Local {
	p, q := in.Problem.Dims()
	if servers := in.Servers(); id >= servers {
		return in.Problem.Local(id - servers)
	}
	return algorithms.NoData(p, q)
}

// Servers returns the number of nodes that hold no data, which come first.
func (in *Instance) Servers() int { return in.Graph.Nodes() - in.Problem.Nodes() }

// Start returns where a node starts: a server at the mean of its clients' starting points.
func (in *Instance) Start(id int) (x0, y0 []float64) {
	if servers := in.Servers(); id >= servers {
		return in.Problem.Start(id - servers)
	}
	p, q := in.Problem.Dims()
	var xs, ys [][]float64
	for i := range in.Problem.Nodes() {
		x, y := in.Problem.Start(i)
		xs, ys = append(xs, x), append(ys, y)
	}
	x0, y0 = make([]float64, p), make([]float64, q)
	measure.Average(x0, xs)
	measure.Average(y0, ys)
	return x0, y0
}

// Holdings returns what each node holds, servers left out; nil if the data are not samples.
func (in *Instance) Holdings() []result.NodeData {
	divided, ok := in.Problem.(problems.Divided)
	if !ok {
		return nil
	}
	var all []result.NodeData
	servers := in.Graph.Nodes() - in.Problem.Nodes()
	for i, h := range divided.Holdings() {
		d := result.NodeData{Node: servers + i, Train: h.Train, Val: h.Val}
		for _, l := range h.Labels {
			d.Labels = append(d.Labels, result.LabelCount(l))
		}
		all = append(all, d)
	}
	return all
}
