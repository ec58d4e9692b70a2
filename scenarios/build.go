package scenarios

import (
	"errors"
	"fmt"
	"io"
	"math"

	"tallynet/algorithms"
	"tallynet/channel"
	"tallynet/node"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/measure"
	"tallynet/scenarios/problems"
	"tallynet/scenarios/problems/data"
	"tallynet/topologies"
	"tallynet/topologies/platform"
)

// Instance is a scenario made real for one seed: the graph is drawn, the data are
// dealt out. All algorithms of the scenario run on the same instance, which is not
// changed by running, so runs may share it at the same time.
type Instance struct {
	Scenario *Scenario
	Seed     uint64
	Graph    *topologies.Graph
	Mixing   *topologies.Mixing
	Dynamics *topologies.Dynamics // nil: the graph stays as it is
	Platform *platform.Platform   // nil: each edge is a line of its own
	Host     []int                // of the platform, by node
	Problem  problems.Problem
	Methods  []algorithms.Method // by algorithm of the scenario; tuned ones at their first point
	engine   node.Config         // what all runs have in common
	p, q     int                 // the lengths of x and y
}

// Build makes the scenario real for a seed. Data sets are found and shared by
// loader. An error names the place in the file.
func (s *Scenario) Build(seed uint64, loader *data.Loader) (*Instance, error) {
	if err := s.checkNodes(); err != nil {
		return nil, err
	}
	in, err := s.outline(seed)
	if err != nil {
		return nil, err
	}
	if err := s.checkBytes(in.Methods); err != nil {
		return nil, err
	}
	if err := in.checkNetwork(); err != nil {
		return nil, err
	}
	if s.Ahead != nil {
		s.Ahead(int64(min(in.bytes(), math.MaxInt64/2)))
	}
	if err := in.pose(loader); err != nil {
		return nil, err
	}
	return in, in.checkSamples()
}

// outline makes all of an instance but its problem.
func (s *Scenario) outline(seed uint64) (*Instance, error) {
	in := &Instance{Scenario: s, Seed: seed}
	var err error
	if in.Graph, in.Mixing, err = s.BuildGraph(seed); err != nil {
		return nil, err
	}
	in.engine = node.Config{Seed: seed, Peers: in.peers(), Roles: in.roles(), Machines: s.machines()}
	if err := in.connect(&in.engine); err != nil {
		return nil, err
	}
	if err := in.buildDynamics(&in.engine); err != nil {
		return nil, err
	}
	if err := in.goWrong(&in.engine); err != nil {
		return nil, err
	}
	if err := in.compress(&in.engine); err != nil {
		return nil, err
	}
	return in, in.makeMethods()
}

// makeMethods makes the methods, once the graph and the engine are known.
func (in *Instance) makeMethods() error {
	if err := in.hearsAll(); err != nil {
		return err
	}
	s := in.Scenario
	for _, a := range s.Algorithms {
		m, err := s.method(a, a.Args)
		if err != nil {
			return err
		}
		if !s.idle(a) { // at a point where it is, its graph does not matter
			err = in.holds(m.Needs())
		}
		if err == nil {
			err = in.carries(m.Needs())
		}
		if err == nil {
			err = in.follows(m)
		}
		if err != nil {
			return s.errorf(fmt.Sprintf("algorithms[%d].name", a.index), "%s: %w", a.Label, err)
		}
		in.Methods = append(in.Methods, m)
	}
	return nil
}

// pose makes the problem of the instance.
func (in *Instance) pose(loader *data.Loader) error {
	s := in.Scenario
	var err error
	seed := in.Seed
	if s.DataSeed != nil {
		seed = *s.DataSeed
	}
	env := catalog.ProblemEnv{Nodes: s.Topology.DataNodes(), Seed: seed, Dir: s.dir(), Data: loader,
		Budget: s.Limits.budget(), AllowCode: s.Limits.Code}
	if in.Problem, err = s.cat.Problem(s.Problem.Kind).New(s.Problem.Args, env); err != nil {
		var wrong *problems.ParamError
		if errors.As(err, &wrong) {
			err = keys.About(wrong.Param, err)
		}
		return s.errorf("problem", "%w", err)
	}
	if n, want := in.Problem.Nodes(), s.Topology.DataNodes(); n != want {
		return s.errorf("problem", "want data for the %d nodes that hold data, got data for %d", want, n)
	}
	in.p, in.q = in.Problem.Dims()
	if err := in.suitAll(); err != nil {
		return err
	}
	if _, err := measure.Select(in.Problem, s.cat.Metrics, s.Record.Strings("metrics")); err != nil {
		return s.errorf("record.metrics", "%w", err)
	}
	for _, c := range s.stopConditions() {
		if _, err := measure.Select(in.Problem, s.cat.Metrics, []string{c.Metric}); err != nil {
			return s.errorf("stop."+c.Metric, "%w", err)
		}
	}
	return nil
}

// suitAll returns an error if a method cannot solve the problem of the instance.
func (in *Instance) suitAll() error {
	for i, a := range in.Scenario.Algorithms {
		if err := in.suits(in.Methods[i].Needs()); err != nil {
			return in.Scenario.errorf(fmt.Sprintf("algorithms[%d].name", a.index), "%s: %w", a.Label, err)
		}
	}
	return nil
}

// method makes an algorithm's method with the given parameters, no longer than
// stop.iterations.
func (s *Scenario) method(a AlgorithmSpec, args keys.Args) (algorithms.Method, error) {
	e := s.cat.Algorithm(a.Name)
	if most := s.Stop.Int("iterations"); most > 0 && args.Int(e.Iterations) > most {
		args = args.With(e.Iterations, most)
	}
	m, err := e.Make(args, catalog.MethodEnv{Dir: s.dir(), AllowCode: s.Limits.Code})
	if err != nil {
		return nil, s.errorf("algorithms."+a.Label, "%s: %w", a.Label, err)
	}
	return m, nil
}

// idle reports whether an algorithm makes no iteration: outer: 0, as at a point of a study
// where it has no part. Its graph does not matter then.
func (s *Scenario) idle(a AlgorithmSpec) bool {
	iterations := s.cat.Algorithm(a.Name).Iterations
	return a.Tune == nil && iterations != "" && a.Args.Int(iterations) == 0
}

// holds says why a method for one node cannot run on the graph, or nil.
func (in *Instance) holds(needs algorithms.Requirements) error {
	n, star := in.Graph.Nodes(), needs.Server != algorithms.ServerRefused
	if !needs.OneNode || n == 1 || star && in.Scenario.Topology.server() {
		return nil
	}
	instead := ""
	if star {
		instead = ", or {kind: star, nodes: ..., center: server}, where nodes counts the server too"
	}
	return fmt.Errorf("the method is for one node, and the topology has %d: write topology: {kind: complete, "+
		"nodes: 1}%s", n, instead)
}

// hearsAll says why differences cannot be added up, or nil.
func (in *Instance) hearsAll() error {
	c := &in.engine
	if c.Compress == nil || c.Compress.Memory != channel.Difference {
		return nil
	}
	const why = "receivers add up differences, and one that misses a message is wrong forever: "
	switch {
	case c.Silence.Kind != node.Wait:
		return in.Scenario.errorf("silence", why+"leave silence out, or write wire.memory: feedback")
	case in.goesWrong() && (c.Faults.Retransmit == nil || c.Faults.Retransmit.Attempts > 0):
		return in.Scenario.errorf("network.loss", why+"write policy: retransmit without attempts, or wire.memory: feedback")
	}
	return nil
}

// carries says why a method cannot run on the network of the instance, or nil. It is asked before the problem
// is made, which may read large data.
func (in *Instance) carries(n algorithms.Requirements) error {
	switch {
	case n.AllNeighbors && in.engine.Silence.Kind != node.Wait:
		return errors.New("the method takes the sum over all of its neighbours, and has no weights to give to itself: " +
			"leave silence out")
	case n.Ring && !in.Graph.IsRing():
		return fmt.Errorf(
			"the method goes around a ring, and %s is not a ring: write topology: {kind: ring, nodes: %d}, or collective: tree",
			in.Graph.Name(),
			in.Graph.Nodes(),
		)
	case n.Uncompressed && in.engine.Compress != nil:
		return errors.New("the method preserves a sum over all nodes, and compressed messages would not: write wire: " +
			"float64")
	case n.OwnMemory && in.engine.Compress != nil && in.engine.Compress.Memory != channel.NoMemory:
		return errors.New("the method itself remembers the values that its differences refer to: write wire.memory: none")
	case n.UpOnly && in.engine.Compress != nil && !in.engine.Compress.UpOnly:
		return errors.New("the server and all of its clients take the same step, which needs the uncompressed mean: " +
			"write wire.direction: up")
	case !n.Restarts && in.engine.Faults.Forget:
		return errors.New("the method keeps more than its iterate from step to step, and a host that loses its state " +
			"could not restore it: write faults.state: keep, or take gossip, dgd or async-dgd")
	case n.Server == algorithms.ServerRefused && in.Scenario.Topology.server():
		return errors.New("the method is for nodes that all hold data, and node 0 is a server; write center: peer, " +
			"or take a method for a star with a server")
	case n.Server == algorithms.ServerRequired && !in.Scenario.Topology.server():
		return errors.New("the method is for a server and its clients; write topology: {kind: star, nodes: ..., " +
			"center: server}, where nodes counts the server too")
	}
	return nil
}

// suits says why a method cannot solve the problem of the instance, or nil.
func (in *Instance) suits(n algorithms.Requirements) error {
	q, kind := in.q, in.Scenario.Problem.Kind
	switch {
	case n.Bilevel && q == 0:
		return fmt.Errorf("the method is bilevel, and problem %s has no inner problem", kind)
	case n.SingleLevel && q > 0:
		return fmt.Errorf("the method is single-level, and problem %s has an inner problem", kind)
	}
	return nil
}

// dims returns the sizes that closed-form costs depend on. Of a graph that changes it has the most messages
// of a round: the closed form is a bound.
func (in *Instance) dims() algorithms.Dims {
	d := algorithms.Dims{P: in.p, Q: in.q, Nodes: in.Graph.Nodes(), Links: 2 * in.Graph.Edges(),
		Server: in.Scenario.Topology.server()}
	if in.Dynamics != nil {
		d.Links = in.Dynamics.MostMessages()
	}
	return d
}

// close ends what runs outside for the problem. An instance that is not closed ends it with
// the program.
func (in *Instance) close() {
	if c, ok := in.Problem.(io.Closer); ok {
		_ = c.Close() // nothing is lost: its answers were read
	}
}
