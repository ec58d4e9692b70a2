package build

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"tallynet/algorithms"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems"
	"tallynet/scenarios/problems/budget"
	"tallynet/scenarios/spec"
)

// Size is ProblemSize with the memory for the matrices that the methods form.
func Size(s *spec.Scenario, args keys.Args, nodes int, methods []algorithms.Method) (catalog.Size, bool) {
	size, known := s.ProblemSize(args, nodes)
	if !known {
		return size, false
	}
	// Each worker forms the matrices of one run at a time, so the largest method counts.
	most := 0.0
	p, q := float64(size.P), float64(size.Q)
	for _, m := range methods {
		d := algorithms.Dims{P: 1, Q: 1, Nodes: max(nodes, 1), Links: 2 * max(nodes, 1), Server: s.Topology.Server()}
		c, formed, largest := m.Cost(1, d), 0.0, 0.0
		if c.Oracle.Hessian > 0 || c.Oracle.Solve > 0 {
			formed, largest = q*q, q*q
		}
		if c.Oracle.Jacobian > 0 {
			formed, largest = formed+p*q, max(largest, p*q)
		}
		if size.Products && largest > problems.MaxMatrix {
			continue // the runs of this method fail before they form it
		}
		// A matrix that is sent exists three times: at its node, in the average and in the message.
		d.P, d.Q = size.P, size.Q
		c = m.Cost(1, d)
		sent := float64(c.Broadcast.Matrix) / float64(max(1, c.Rounds))
		held := 0.
		if h, ok := m.(algorithms.Holding); ok {
			held = float64(nodes) * h.Held(d)
		}
		most = max(most, 8*(max(float64(nodes)*formed, sent)+2*sent+held))
	}
	if total := float64(size.Bytes) + most; total < math.MaxInt64 {
		size.Bytes = int64(total)
	} else {
		size.Bytes = math.MaxInt64
	}
	return size, true
}

// Memory describes the memory that a run of the instance needs. It returns "" if that is unknown or below least bytes.
func (in *Instance) Memory(least int64) string {
	s := in.Scenario
	size, known := Size(s, s.Problem.Args, s.Topology.DataNodes(), in.Methods)
	if !known {
		return ""
	}
	parts := [...]float64{float64(size.Bytes), in.networkBytes(), in.mostSamples()}
	total, most := 0.0, 0.0
	for _, part := range parts {
		total, most = total+part, max(most, part)
	}
	if total < float64(least) {
		return ""
	}
	text := "about " + budget.Bytes(total)
	if !s.Fits(most) {
		text += fmt.Sprintf(", above the limit of %s: run refuses it; %s", spec.Bytes(s.Limits.Bytes), budget.Raise)
	}
	return text
}

// Bytes estimates the memory of the problem, the nodes and the links. A problem of unknown size counts as 0.
func (in *Instance) Bytes() float64 {
	s := in.Scenario
	size, _ := Size(s, s.Problem.Args, s.Topology.DataNodes(), in.Methods)
	return float64(size.Bytes) + in.networkBytes()
}

// checkBytes returns an error if the problem needs more memory than the limit. The error states the need and proposes
// values that fit.
func checkBytes(s *spec.Scenario, methods []algorithms.Method) error {
	args, nodes := s.Problem.Args, s.Topology.DataNodes()
	size, known := Size(s, args, nodes, methods)
	if !known || size.Bytes <= s.Limits.Bytes {
		return nil
	}
	need := "more than " + spec.Bytes(math.MaxInt64)
	if size.Bytes < math.MaxInt64 {
		need = "about " + spec.Bytes(size.Bytes)
	}
	e := s.Errorf("problem", "problem %s with %d nodes, x of %d elements and y of %d needs %s of memory; the limit is %s",
		s.Problem.Kind, nodes, size.P, size.Q, need, spec.Bytes(s.Limits.Bytes))
	fits := func(a keys.Args, nodes int) bool {
		size, _ := Size(s, a, nodes, methods)
		return size.Bytes <= s.Limits.Bytes
	}
	var hints []string
	for _, name := range []string{"p", "q", "dim", "features", "hidden", "samples", "test"} {
		if v := keys.Optional[int](args, name); v > 1 {
			if k := largest(v, func(k int) bool { return fits(args.With(name, k), nodes) }); k > 0 {
				hints = append(hints, fmt.Sprintf("%s: %d", name, k))
			}
		}
	}
	if n := keys.Optional[keys.Args](args, "samples"); n.Read() {
		if k := largest(n.Int("train"), func(k int) bool {
			return fits(args.With("samples", n.With("train", k)), nodes)
		}); k > 0 && k < n.Int("train") {
			hints = append(hints, fmt.Sprintf("samples: {train: %d}", k))
		}
	}
	if k := largest(nodes, func(k int) bool { return fits(args, k) }); k > 0 {
		hints = append(hints, fmt.Sprintf("topology.nodes: %d", k))
	}
	for i, a := range s.Algorithms {
		for _, name := range []string{"terms", "inner"} { // matrices and vectors that a method holds
			v := keys.Optional[int](a.Args, name)
			k := largest(max(v, 1), func(k int) bool {
				m, err := Method(s, a, a.Args.With(name, k))
				if err != nil {
					return false
				}
				few := slices.Clone(methods)
				few[i] = m
				size, _ := Size(s, args, nodes, few)
				return size.Bytes <= s.Limits.Bytes
			})
			if k > 0 && k < v-1 { // largest does not try v itself
				hints = append(hints, fmt.Sprintf("algorithms[%d].%s: %d", a.Index, name, k))
			}
		}
	}
	if alone, _ := Size(s, args, nodes, nil); alone.Bytes <= s.Limits.Bytes {
		hints = append(hints, "methods that form no matrices, such as DAGM with solve: cg")
	}
	slices.Sort(hints)
	if hints != nil {
		e.Hint = "what would fit, all else equal: " + strings.Join(hints, ", or ")
	} else {
		e.Hint = "reduce several of its sizes"
	}
	e.Hint += "; " + budget.Raise
	return e
}

// largest returns the largest k below most that fits, or 0 if not even 1 does.
func largest(most int, fits func(k int) bool) int {
	return sort.Search(most-1, func(k int) bool { return !fits(k + 1) })
}

// Estimated bytes of a run besides its problem, including its output.
const (
	nodeBytes   = 16_000 // of a node
	linkBytes   = 700    // of each direction of an edge
	sampleBytes = 3_000  // of a sample, without iterates
)

// checkNodeBytes returns an error if the nodes alone need more memory than the limit. It runs before the graph is
// made.
func checkNodeBytes(s *spec.Scenario) error {
	hint := ""
	if most := s.Limits.Bytes / nodeBytes; most > 0 {
		hint = fmt.Sprintf("what would fit: nodes: %d; ", most)
	}
	nodes := s.Topology.Nodes
	return checkNeed(s, nodeBytes*float64(nodes), "topology.nodes", fmt.Sprintf("%d nodes", nodes), hint)
}

// checkNeed returns an error at a path if something needs more memory than the limit.
func checkNeed(s *spec.Scenario, bytes float64, path, what, hint string) error {
	if s.Fits(bytes) {
		return nil
	}
	e := s.Errorf(path, "%s need about %s of memory; the limit is %s", what, budget.Bytes(bytes),
		spec.Bytes(s.Limits.Bytes))
	e.Hint = hint + budget.Raise
	return e
}

// networkBytes estimates the memory of the nodes and links.
func (in *Instance) networkBytes() float64 {
	return nodeBytes*float64(in.Graph.Nodes()) + linkBytes*2*float64(in.Graph.Edges())
}

// OneSample estimates the memory of one sample.
func (in *Instance) OneSample() float64 {
	bytes := float64(sampleBytes)
	if s := in.Scenario; s.Record.String("iterates") == "all" {
		bytes += 8 * float64(in.P+in.Q) * float64(s.Topology.DataNodes())
	}
	return bytes
}

// samplesBytes estimates the memory of the samples of a run that no stop rule ends.
func (in *Instance) samplesBytes(m algorithms.Method) float64 {
	return in.OneSample() * float64(algorithms.Iterations(m)/in.Scenario.Record.Int("every")+1)
}

// endsEarlier reports whether a stop rule may end a run of an algorithm before its last iteration, or its samples are
// not at iterations.
func endsEarlier(s *spec.Scenario, a spec.AlgorithmSpec) bool {
	return a.Tune != nil || s.Record.Has("interval") || s.Stop.Has("time") || s.Stop.Has("payload") ||
		s.Stop.Has("gradients") || len(s.StopConditions()) > 0
}

// mostSamples estimates the memory of the samples of the longest run that no stop rule may end.
func (in *Instance) mostSamples() float64 {
	most := 0.0
	for i, m := range in.Methods {
		if s := in.Scenario; !endsEarlier(s, s.Algorithms[i]) {
			most = max(most, in.samplesBytes(m))
		}
	}
	return most
}

// checkSamples returns an error if the samples of a run need more memory than the limit. A run that a stop rule may
// end earlier checks its memory while it runs.
func (in *Instance) checkSamples() error {
	s := in.Scenario
	for i, m := range in.Methods {
		a, k := s.Algorithms[i], algorithms.Iterations(m)
		if endsEarlier(s, a) {
			continue
		}
		err := checkNeed(s, in.samplesBytes(m), fmt.Sprintf("algorithms[%d]", a.Index),
			fmt.Sprintf("%s: the samples of %d iterations", a.Label, k),
			fmt.Sprintf("what would fit: record.every: %d; ", in.Thinned(k)))
		if err != nil {
			return err
		}
	}
	return nil
}

// Thinned returns the least record.every with which the samples of some iterations fit.
func (in *Instance) Thinned(iterations int) int {
	most := max(1, float64(in.Scenario.Limits.Bytes)/in.OneSample()-2)
	return int(math.Ceil(float64(iterations) / most))
}

// canHold returns an error if what a method holds needs more memory than the limit: with the parameters of a tuning
// grid, or for a table over the samples, whose number is known once the problem is made.
func (in *Instance) canHold(m algorithms.Method) error {
	s := in.Scenario
	size, _ := Size(s, s.Problem.Args, s.Topology.DataNodes(), []algorithms.Method{m})
	need := float64(size.Bytes)
	if t, ok := m.(algorithms.Tabled); ok {
		for i := range in.Problem.Nodes() {
			val, train := in.Problem.Local(i).Samples()
			need += 8 * t.Table(val, train, in.Dims())
		}
	}
	if s.Fits(need) {
		return nil
	}
	return fmt.Errorf("the method and its problem need about %s of memory; the limit is %s; take fewer terms or inner "+
		"steps, or larger batches; %s", budget.Bytes(need), spec.Bytes(s.Limits.Bytes), budget.Raise)
}

// CanForm returns an error if the method forms matrices that the problem refuses to form, before either allocates
// memory. Its cost can be predicted all the same.
func (in *Instance) CanForm(m algorithms.Method) error {
	if err := in.canHold(m); err != nil {
		return err
	}
	limited, ok := in.Problem.(problems.MatrixLimited)
	if !ok {
		return nil
	}
	d := in.Dims()
	c := algorithms.CostAt(m, 0, d).Plus(m.Cost(1, d))
	for _, k := range []struct {
		name       string
		calls      int64
		rows, cols int
	}{{"Hessian", c.Oracle.Hessian, d.Q, d.Q}, {"Jacobian", c.Oracle.Jacobian, d.P, d.Q}} {
		if k.calls > 0 && int64(k.rows)*int64(k.cols) > int64(limited.LargestMatrix()) {
			return fmt.Errorf("the method forms the %s, %d x %d, and problem %s forms no matrix above %d elements; make the "+
				"problem smaller, or take a method that needs products only (simulate predict shows its cost without running it)",
				k.name, k.rows, k.cols, in.Scenario.Problem.Kind, limited.LargestMatrix())
		}
	}
	return nil
}
