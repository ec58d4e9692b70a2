package scenarios

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tallynet/algorithms"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems"
	"tallynet/scenarios/problems/budget"
)

// Limits bound what a study may take. Beyond them it is refused before anything is built.
type Limits struct {
	Runs  int   // grid points times seeds times algorithms
	Bytes int64 // of one instance, its problem and what a method forms, about
	Code  bool  // code that the scenario names may run
}

// DefaultLimits are those of every scenario that is loaded. A program may raise them in
// Scenario.Limits before it makes a study or an instance.
func DefaultLimits() Limits { return Limits{Runs: 1e6, Bytes: 8 << 30} }

// budget is the limit of what one problem needs: the work of drawing its data goes with the
// memory that they take.
func (l Limits) budget() budget.Limit {
	bytes := float64(l.Bytes)
	return budget.Limit{Bytes: bytes, Flops: budget.DefaultFlops * max(1, bytes/budget.DefaultBytes)}
}

// checkRuns returns an error if the study has more runs than the limit.
func (s *Scenario) checkRuns() error {
	points := 1
	if len(s.Sweep)+len(s.List) > 0 {
		points = newReader(s.src, s.cat, "").sweep(s.tree).size()
	}
	seeds, algs := len(s.Seeds), len(s.Algorithms)
	runs := float64(points) * float64(seeds) * float64(algs)
	if runs <= float64(s.Limits.Runs) {
		return nil
	}
	e := s.errorf("sweep", "%d grid points x %d seeds x %d algorithms are %.0f runs; the limit is %d", points, seeds,
		algs,
		runs, s.Limits.Runs)
	if points*algs > s.Limits.Runs {
		e.Hint = "make the grid smaller; --max-runs raises the limit"
		return e
	}
	e.Hint = fmt.Sprintf("with %d grid points and %d algorithms, at most %d seeds fit; --max-runs raises the limit",
		points, algs, s.Limits.Runs/(points*algs))
	return e
}

// size returns what the problem amounts to for a number of nodes that hold data, and what
// the methods form as well; false where the problem cannot say it without its data.
func (s *Scenario) size(args keys.Args, nodes int, methods []algorithms.Method) (catalog.Size, bool) {
	of := s.cat.Problem(s.Problem.Kind).Size
	if of == nil {
		return catalog.Size{}, false
	}
	size := of(args, nodes)
	if size.P == 0 {
		return size, false
	}
	// The widest method: a study forms the matrices of one run at a time and worker.
	most := 0.0
	p, q := float64(size.P), float64(size.Q)
	for _, m := range methods {
		d := algorithms.Dims{P: 1, Q: 1, Nodes: max(nodes, 1), Links: 2 * max(nodes, 1), Server: s.Topology.server()}
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
		// What is sent is held three times: the node's own, its average and the message on its way.
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

// Memory says what a run of the instance needs, about, for people: "" where nobody knows, or
// where it is less than some number of bytes.
func (in *Instance) Memory(least int64) string {
	s := in.Scenario
	size, known := s.size(s.Problem.Args, s.Topology.DataNodes(), in.Methods)
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
	if !s.fits(most) {
		text += fmt.Sprintf(", above the limit of %s: run refuses it; %s", Bytes(s.Limits.Bytes), budget.Raise)
	}
	return text
}

// bytes returns what the problem, the nodes and the links need, about; of the problem 0 where nobody knows.
func (in *Instance) bytes() float64 {
	s := in.Scenario
	size, _ := s.size(s.Problem.Args, s.Topology.DataNodes(), in.Methods)
	return float64(size.Bytes) + in.networkBytes()
}

// checkBytes returns an error if the problem needs more memory than the limit. It says
// what it needs and which values of its keys would fit.
func (s *Scenario) checkBytes(methods []algorithms.Method) error {
	args, nodes := s.Problem.Args, s.Topology.DataNodes()
	size, known := s.size(args, nodes, methods)
	if !known || size.Bytes <= s.Limits.Bytes {
		return nil
	}
	need := "more than " + Bytes(math.MaxInt64)
	if size.Bytes < math.MaxInt64 {
		need = "about " + Bytes(size.Bytes)
	}
	e := s.errorf("problem", "problem %s with %d nodes, x of %d elements and y of %d needs %s of memory; the limit is %s",
		s.Problem.Kind, nodes, size.P, size.Q, need, Bytes(s.Limits.Bytes))
	fits := func(a keys.Args, nodes int) bool {
		size, _ := s.size(a, nodes, methods)
		return size.Bytes <= s.Limits.Bytes
	}
	var hints []string
	for _, name := range []string{"p", "q", "dim", "features", "hidden", "samples", "test", "pool"} {
		if v := keys.Optional[int](args, name); v > 1 && name != "pool" {
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
				m, err := s.method(a, a.Args.With(name, k))
				if err != nil {
					return false
				}
				few := slices.Clone(methods)
				few[i] = m
				size, _ := s.size(args, nodes, few)
				return size.Bytes <= s.Limits.Bytes
			})
			if k > 0 && k < v-1 { // largest does not try v itself
				hints = append(hints, fmt.Sprintf("algorithms[%d].%s: %d", a.index, name, k))
			}
		}
	}
	if alone, _ := s.size(args, nodes, nil); alone.Bytes <= s.Limits.Bytes {
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

// largest returns the largest k below most that fits, 0 where not even 1 does.
func largest(most int, fits func(k int) bool) int {
	low, high := 0, most
	for high-low > 1 {
		if k := low + (high-low)/2; fits(k) {
			low = k
		} else {
			high = k
		}
	}
	return low
}

// Bytes writes an amount of memory: "8.6 GB".
func Bytes(n int64) string { return budget.Bytes(float64(n)) }
