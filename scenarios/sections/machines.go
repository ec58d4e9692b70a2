package sections

import (
	"slices"

	"tallynet/metrics"
	"tallynet/node"
	"tallynet/scenarios/keys"
	"tallynet/sim"
)

// defaultSpeed is the sustained double-precision speed of one core, about 10 GFLOP/s.
const defaultSpeed keys.Speed = 10e9

// ComputeKey declares the section compute: the machines.
func ComputeKey() keys.Param {
	speed := keys.Param{Name: "speed", Kind: keys.Flops, Example: "10GFLOP/s", Range: keys.Above(0),
		About: "the speed of all computing without a duration of its own, or unlimited"}
	calls := keys.Param{Name: "calls", Kind: keys.Section, Example: "{grad_f: 1ms, grad_g: 1ms}",
		About: "durations of oracle calls"}
	all := speed
	all.Derived = "10GFLOP/s; unlimited where calls are given"
	all.Derive = func(here, _ keys.Args) any {
		if here.Given("calls") {
			return keys.Instant
		}
		return defaultSpeed
	}
	round := keys.Param{Name: "round", Kind: keys.Duration, Example: "1ms", Range: keys.AtLeast(0),
		About: "charged once for each exchange"}
	every := round
	every.Derived, every.Derive = "0s", func(_, _ keys.Args) any { return sim.Time(0) }
	withCalls := func(round keys.Param) keys.Param {
		p := calls
		for _, c := range callKeys() {
			p.Params = append(p.Params, c.Param)
		}
		p.Params = append(p.Params, round)
		return p
	}
	return keys.Param{Name: "compute", Kind: keys.Section, About: "the machines", Params: []keys.Param{
		all, withCalls(every),
		{Name: "straggler", Kind: keys.Variant, Default: "none", About: "a random slowdown",
			Variants: &keys.Variants{Key: "kind", What: "straggler", Entries: stragglerKinds()}},
		{Name: "nodes", Kind: keys.Sections, About: "nodes with other machines",
			Params: []keys.Param{nodeKey(), inherited(speed, "compute"), withCalls(round)}},
	}}
}

// callKey declares the duration of one kind of oracle call.
type callKey struct {
	keys.Param
	call metrics.Call
}

func callKeys() []callKey {
	key := func(name string, call metrics.Call, about string) callKey {
		return callKey{keys.Param{Name: name, Kind: keys.Duration, Example: "1ms", Range: keys.AtLeast(0),
			About: about, Derived: "by its FLOPs"}, call}
	}
	return []callKey{
		key("grad_f", metrics.CallGradF, "a gradient of f, to x or to y"),
		key("grad_g", metrics.CallGradG, "a gradient of g, to x or to y"),
		key("hvp", metrics.CallHVP, "a product of the Hessian of g with a vector"),
		key("jvp", metrics.CallJVP, "a product of the cross derivative of g with a vector"),
		key("hessian", metrics.CallHessian, "the Hessian of g formed"),
		key("jacobian", metrics.CallJacobian, "the cross derivative of g formed"),
		key("solve", metrics.CallSolve, "a linear solve with a q x q matrix"),
	}
}

func stragglerKinds() []keys.Entry {
	window := keys.Param{Name: "window", Kind: keys.Duration, Default: sim.Second, Example: "1s",
		Range: keys.Above(0), About: "how long a drawn factor holds"}
	nodes := keys.Param{Name: "nodes", Kind: keys.Ints, Example: "[3]", Range: keys.AtLeast(0),
		About: "which nodes are slow at times; all by default"}
	size := func(name, example string, r keys.Range, about string) keys.Param {
		return keys.Param{Name: name, Title: name + " of the slowdown", Kind: keys.Float, Required: true, Example: example,
			Range: r, About: about}
	}
	return []keys.Entry{
		{Name: "none", Summary: "no straggler"},
		{Name: "constant", Summary: "always slower by a factor", Params: []keys.Param{
			size("factor", "4", keys.Above(0), "times are multiplied by it"), nodes}},
		{Name: "lognormal", Summary: "factor exp(sigma N(0,1)), median 1", Params: []keys.Param{
			size("sigma", "0.5", keys.AboveUpTo(0, 10), "the standard deviation of the factor's logarithm"), window,
			nodes}},
		{Name: "exponential", Summary: "factor 1 + Exp(mean)", Params: []keys.Param{
			size("mean", "0.5", keys.AboveUpTo(0, 1e6), "the mean of what is added to 1"), window, nodes}},
		{Name: "pareto", Summary: "factor Pareto with minimum 1", Params: []keys.Param{
			size("shape", "2.5", keys.Above(0), "the smaller, the heavier the tail"), window, nodes}},
	}
}

// CheckCompute checks the section compute.
func CheckCompute(r *keys.Reader, a keys.Args, nodes int) {
	checkExceptions(r, a.Sections("nodes"), nodes, "machine", "speed", "calls")
	if s := a.Section("straggler"); s.Declares("nodes") {
		checkNodes(r, s, "nodes", nodes)
	}
}

// Machines returns one machine for each node, or a single one that all share.
func Machines(a keys.Args, nodes int) []node.Machine {
	all := node.Machine{}
	for _, c := range append(callKeys(), callKey{call: metrics.CallValue}) {
		all.Calls[c.call] = node.ByFlops
	}
	all = machine(a, all)
	slowdown, slowNodes := straggler(a.Section("straggler"))
	if len(a.Sections("nodes")) == 0 && slowNodes == nil {
		all.Straggler = slowdown
		return []node.Machine{all}
	}
	ms := slices.Repeat([]node.Machine{all}, nodes)
	for _, x := range a.Sections("nodes") {
		for _, i := range x.Ints("node") {
			ms[i] = machine(x, all)
		}
	}
	for i := range ms {
		if slowNodes == nil || slices.Contains(slowNodes, i) {
			ms[i].Straggler = slowdown
		}
	}
	return ms
}

// machine returns m with the speed and the calls of a. A speed without calls also replaces the durations of calls,
// since it would otherwise have no effect.
func machine(a keys.Args, m node.Machine) node.Machine {
	m.FlopsPerSecond = 0 // computing takes no time
	if v := keys.Get[keys.Speed](a, "speed"); v != keys.Instant {
		m.FlopsPerSecond = int64(v)
	}
	given := a.Given("calls")
	for _, c := range callKeys() {
		switch {
		case given && a.Section("calls").Has(c.Name):
			m.Calls[c.call] = a.Section("calls").Duration(c.Name)
		case !given:
			m.Calls[c.call] = node.ByFlops
		}
	}
	if given && a.Section("calls").Has("round") {
		m.Round = a.Section("calls").Duration("round")
	}
	return m
}

// straggler returns the slowdown and the nodes that it affects; nil means all nodes.
func straggler(a keys.Args) (node.Straggler, []int) {
	kinds := map[string]node.StragglerKind{
		"constant": node.Constant, "lognormal": node.LogNormal, "exponential": node.Exponential, "pareto": node.Pareto,
	}
	s := node.Straggler{Kind: kinds[a.Kind()]}
	a.Fill(&s)
	return s, keys.Optional[[]int](a, "nodes")
}
