package build

import (
	"fmt"
	"io"
	"slices"

	"tallynet/algorithms"
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

// Instance is a scenario made real for one seed: the graph is drawn and the data are dealt out. All methods of the
// scenario run on the same instance. A run does not change it, so runs may share it concurrently.
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

// Build makes the instance of a scenario for a seed. The loader finds data sets and shares them between instances. An
// error names the place in the file.
func Build(s *spec.Scenario, seed uint64, loader *data.Loader) (*Instance, error) {
	if err := checkNodeBytes(s); err != nil {
		return nil, err
	}
	in, err := Outline(s, seed)
	if err != nil {
		return nil, err
	}
	if err := checkBytes(s, in.Methods); err != nil {
		return nil, err
	}
	what := fmt.Sprintf("%d nodes with %d edges", in.Graph.Nodes(), in.Graph.Edges())
	if err := checkNeed(s, in.networkBytes(), "topology", what,
		"take a graph with fewer edges, such as exponential, or fewer nodes; "); err != nil {
		return nil, err
	}
	if err := in.Pose(loader); err != nil {
		return nil, err
	}
	return in, in.checkSamples()
}

// Graph makes the graph and the mixing matrix of a scenario for a seed. An error names the
// place in the file.
func Graph(s *spec.Scenario, seed uint64) (*topologies.Graph, *topologies.Mixing, error) {
	at := newSite(s, seed)
	err := at.SetGraph(s.Catalog)
	return at.Graph, at.Mixing, err
}

// Outline makes an instance without its problem.
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

// setRest sets what does not depend on the edges of the graph, and then makes the methods.
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

// makeMethods makes the methods and checks that they fit the graph and the network.
func (in *Instance) makeMethods() error {
	s := in.Scenario
	for _, a := range s.Algorithms {
		m, err := Method(s, a, a.Args)
		if err == nil {
			err = in.checkMethod(a, m)
		}
		if err != nil {
			return err
		}
		in.Methods = append(in.Methods, m)
	}
	return nil
}

// Method makes an algorithm's method with the given parameters. It makes at most stop.iterations iterations.
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

// idle reports whether an algorithm makes no iteration (outer: 0), as at grid points where it takes no part.
func idle(s *spec.Scenario, a spec.AlgorithmSpec) bool {
	iterations := s.Catalog.Algorithm(a.Name).Iterations
	return a.Tune == nil && iterations != "" && a.Args.Int(iterations) == 0
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
	if _, err := measure.Select(in.Problem, s.Catalog.Metrics, s.AskedMetrics()); err != nil {
		return s.Errorf("ask", "%w", err)
	}
	for _, c := range s.StopConditions() {
		if _, err := measure.Select(in.Problem, s.Catalog.Metrics, []string{c.Metric}); err != nil {
			return s.Errorf("stop."+c.Metric, "%w", err)
		}
	}
	return nil
}

// Dims returns the sizes that closed-form costs depend on. For a graph that changes, it counts the most messages of
// any round, so that the closed form is an upper bound. Of the clients of a star, it counts those that are drawn.
func (in *Instance) Dims() algorithms.Dims {
	d := algorithms.Dims{P: in.P, Q: in.Q, Nodes: in.Graph.Nodes(), Links: 2 * in.Graph.Edges(),
		Server: in.Scenario.Topology.Server()}
	if in.Dynamics != nil {
		d.Links = in.Dynamics.MostMessages()
		if d.Drawn = in.Dynamics.Sampling(); d.Drawn {
			d.Nodes = 1 + d.Links/2
		}
	}
	return d
}

// Bounds reports whether closed forms are upper bounds, since rounds have unequal numbers of messages.
func (in *Instance) Bounds() bool { return in.Dynamics != nil && !in.Engine.Drawn }

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

// Servers returns the number of nodes that hold no data, which come first.
func (in *Instance) Servers() int { return in.Graph.Nodes() - in.Problem.Nodes() }

// Local returns what a node knows of the problem. A server holds no data.
func (in *Instance) Local(id int) algorithms.Local {
	p, q := in.Problem.Dims()
	if servers := in.Servers(); id >= servers {
		return in.Problem.Local(id - servers)
	}
	return algorithms.NoData(p, q)
}

// Start returns the starting point of a node. A server starts at the mean of its clients' starting points.
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

// Holdings returns the samples that each node holds, without servers. It returns nil if the data are not samples.
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

// Close ends the process that evaluates the problem, if there is one. Otherwise it ends with the program.
func (in *Instance) Close() {
	if c, ok := in.Problem.(io.Closer); ok {
		_ = c.Close() // nothing is lost: its answers were read
	}
}
