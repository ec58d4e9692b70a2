package scenarios

import (
	"fmt"
	"math"

	"tallynet/algorithms"
	"tallynet/scenarios/problems/budget"
)

// About how many bytes a run takes besides its problem, with what is written of it.
const (
	nodeBytes   = 16_000 // of a node
	linkBytes   = 700    // of each direction of an edge
	sampleBytes = 3_000  // of a sample, without iterates
)

// checkNodes returns an error if nodes alone need more memory than the limit, before their
// graph is made.
func (s *Scenario) checkNodes() error {
	nodes := s.Topology.Nodes
	if s.fits(nodeBytes * float64(nodes)) {
		return nil
	}
	e := s.errorf("topology.nodes", "%d nodes need about %s of memory; the limit is %s", nodes,
		budget.Bytes(nodeBytes*float64(nodes)), Bytes(s.Limits.Bytes))
	e.Hint = fmt.Sprintf("what would fit: nodes: %d; %s", s.Limits.Bytes/nodeBytes, budget.Raise)
	return e
}

func (s *Scenario) fits(bytes float64) bool { return bytes <= float64(s.Limits.Bytes) }

// networkBytes is what the nodes and links of an instance need.
func (in *Instance) networkBytes() float64 {
	return nodeBytes*float64(in.Graph.Nodes()) + linkBytes*2*float64(in.Graph.Edges())
}

// checkNetwork returns an error if the nodes and links need more memory than the limit.
func (in *Instance) checkNetwork() error {
	s, need := in.Scenario, in.networkBytes()
	if s.fits(need) {
		return nil
	}
	e := s.errorf("topology", "%d nodes with %d edges need about %s of memory; the limit is %s", in.Graph.Nodes(),
		in.Graph.Edges(), budget.Bytes(need), Bytes(s.Limits.Bytes))
	e.Hint = "take a graph with fewer edges, such as exponential, or fewer nodes; " + budget.Raise
	return e
}

// oneSample is what a sample needs.
func (in *Instance) oneSample() float64 {
	bytes := float64(sampleBytes)
	if s := in.Scenario; s.Record.String("iterates") == "all" {
		bytes += 8 * float64(in.p+in.q) * float64(s.Topology.DataNodes())
	}
	return bytes
}

// samplesBytes is what the samples of a run of a method need, if no stop rule ends it earlier.
func (in *Instance) samplesBytes(m algorithms.Method) float64 {
	return in.oneSample() * float64(m.Iterations()/in.Scenario.Record.Int("every")+1)
}

// endsEarlier reports whether a stop rule may end a run of an algorithm before its last iteration.
func (s *Scenario) endsEarlier(a AlgorithmSpec) bool {
	return a.Tune != nil || s.Stop.Has("time") || s.Stop.Has("payload") || len(s.stopConditions()) > 0
}

// mostSamples is what the samples of the longest run need, of those that nothing ends earlier.
func (in *Instance) mostSamples() float64 {
	most := 0.0
	for i, m := range in.Methods {
		if s := in.Scenario; !s.endsEarlier(s.Algorithms[i]) {
			most = max(most, in.samplesBytes(m))
		}
	}
	return most
}

// checkSamples returns an error if the samples of a run need more memory than the limit,
// where nothing can end the run earlier. Where a stop rule may, the run itself watches over it.
func (in *Instance) checkSamples() error {
	s := in.Scenario
	for i, m := range in.Methods {
		a, need := s.Algorithms[i], in.samplesBytes(m)
		if s.endsEarlier(a) || s.fits(need) {
			continue
		}
		e := s.errorf(fmt.Sprintf("algorithms[%d]", a.index), "%s: the samples of %d iterations need about %s of memory; "+
			"the limit is %s", a.Label, m.Iterations(), budget.Bytes(need), Bytes(s.Limits.Bytes))
		e.Hint = fmt.Sprintf("what would fit: record.every: %d; %s", in.thinned(m.Iterations()), budget.Raise)
		return e
	}
	return nil
}

// thinned is the least record.every with which the samples of some iterations fit.
func (in *Instance) thinned(iterations int) int {
	most := max(1, float64(in.Scenario.Limits.Bytes)/in.oneSample()-2)
	return int(math.Ceil(float64(iterations) / most))
}

// checkKept ends a run whose samples have come to need more memory than the limit.
func (r *runner) checkKept() string {
	n, s := len(r.run.Samples), r.in.Scenario
	if s.fits(r.in.oneSample() * float64(n)) {
		return ""
	}
	return fmt.Sprintf("its %d samples need more memory than the limit of %s; with record.every: %d there is room for "+
		"all "+
		"%d iterations, or %s", n, Bytes(s.Limits.Bytes), r.in.thinned(r.method.Iterations()), r.method.Iterations(),
		budget.Raise)
}

// canHold returns an error where what a method holds needs more memory than the limit: at a point of its tuning, or
// for each of the samples, which are known once the problem is there.
func (in *Instance) canHold(m algorithms.Method) error {
	s := in.Scenario
	size, _ := s.size(s.Problem.Args, s.Topology.DataNodes(), []algorithms.Method{m})
	need := float64(size.Bytes)
	if t, ok := m.(algorithms.Tabled); ok {
		for i := range in.Problem.Nodes() {
			val, train := in.Problem.Local(i).Samples()
			need += 8 * t.Table(val, train, in.dims())
		}
	}
	if s.fits(need) {
		return nil
	}
	return fmt.Errorf("the method and its problem need about %s of memory; the limit is %s; take fewer terms or inner "+
		"steps, or larger batches; %s", budget.Bytes(need), Bytes(s.Limits.Bytes), budget.Raise)
}
