package scenarios

import (
	"fmt"
	"slices"

	"tallynet/sim"
)

// The sections network and compute. Their keys are already checked one by one; here
// they become typed, and what must fit together is checked.

func duration(a Args, name string) sim.Time { return get[sim.Time](a, name) }
func rate(a Args, name string) Rate         { return get[Rate](a, name) }
func size(a Args, name string) Size         { return get[Size](a, name) }

// inside returns the entry of key in e, or nil.
func inside(e *entry, key string) *entry {
	if e == nil {
		return nil
	}
	return e.value.child(key)
}

// item returns item i of the list under key in e, or nil.
func item(e *entry, key string, i int) *node {
	l := inside(e, key)
	if l == nil || l.value.kind != listNode || i >= len(l.value.items) {
		return nil
	}
	return l.value.items[i]
}

func (r *reader) network(e *entry, a Args, nodes int) Network {
	if a.params == nil { // what is wrong with it was told
		return Network{}
	}
	n := Network{Latency: duration(a, "latency"), Bandwidth: rate(a, "bandwidth"), Contention: a.String("contention"), Jitter: Jitter{Kind: "none"}}
	if j := inside(e, "jitter"); j != nil {
		c := r.choose(j, choice{path: "network.jitter", key: "kind", what: "jitter", entries: jitterKinds()})
		n.Jitter = Jitter{Kind: c.name, Mean: optional[sim.Time](c.args, "mean"), Deviation: optional[sim.Time](c.args, "deviation")}
	}
	if a.Has("overhead") {
		o := a.Section("overhead")
		n.Overhead = Overhead{size(o, "message"), size(o, "packet"), size(o, "mtu")}
	}
	switch {
	case a.Given("nic") && n.Contention == "dedicated":
		r.fail(inside(e, "nic").keyPos, "network.nic", "write contention: nic, or leave nic out", "interfaces are given, but contention is dedicated: they would change nothing")
	case a.Has("nic"):
		n.NIC = r.nic(e, a.Section("nic"), nodes)
	case n.Contention == "nic" && !a.Given("nic"):
		r.fail(inside(e, "contention").value.pos, "network", "write nic: {up: 1Gbit/s, down: 1Gbit/s}", "nic is missing: contention nic needs the interfaces' bandwidths")
	}
	for i, l := range get[[]Args](a, "links") {
		n.Links = append(n.Links, r.link(e, i, l, nodes, n))
	}
	return n
}

// optional is get for a name that the table may not declare.
func optional[T any](a Args, name string) T {
	v, _ := a.values[name].(T)
	return v
}

func (r *reader) nic(e *entry, a Args, nodes int) *NIC {
	nic := &NIC{Up: rate(a, "up"), Down: rate(a, "down")}
	for i, x := range get[[]Args](a, "nodes") {
		path := fmt.Sprintf("network.nic.nodes[%d]", i)
		n := item(inside(e, "nic"), "nodes", i)
		o := NodeNIC{Node: x.Ints("node"), Up: nic.Up, Down: nic.Down}
		if x.Has("up") {
			o.Up = rate(x, "up")
		}
		if x.Has("down") {
			o.Down = rate(x, "down")
		}
		if !x.Has("up") && !x.Has("down") {
			r.fail(n.pos, path, "give up or down", "the interface differs in nothing")
		}
		r.nodeList(path+".node", n.child("node"), o.Node, nodes)
		for _, other := range nic.Nodes {
			r.noOverlap(path, n.pos, o.Node, other.Node)
		}
		nic.Nodes = append(nic.Nodes, o)
	}
	return nic
}

// nodeList checks that the node numbers exist and are different.
func (r *reader) nodeList(path string, e *entry, list []int, nodes int) {
	for i, v := range list {
		at := e.value
		if at.kind == listNode {
			at = at.items[i]
		}
		switch {
		case nodes > 0 && v >= nodes:
			r.fail(at.pos, path, "", "there is no node %d: the nodes are 0 to %d", v, nodes-1)
		case slices.Contains(list[:i], v):
			r.fail(at.pos, path, "", "the node %d is given twice", v)
		}
	}
}

func (r *reader) noOverlap(path string, at Position, a, b []int) {
	for _, v := range a {
		if slices.Contains(b, v) {
			r.fail(at, path, "name each node once", "the node %d was given above", v)
			return
		}
	}
}

func (r *reader) link(e *entry, i int, a Args, nodes int, n Network) Link {
	l := Link{From: a.Int("from"), To: a.Int("to"), OneWay: a.Bool("oneway"), Latency: n.Latency, Bandwidth: n.Bandwidth}
	path := fmt.Sprintf("network.links[%d]", i)
	at := item(e, "links", i)
	if a.Has("latency") {
		l.Latency = duration(a, "latency")
	}
	if a.Has("bandwidth") {
		l.Bandwidth = rate(a, "bandwidth")
	}
	switch {
	case !a.Has("latency") && !a.Has("bandwidth"):
		r.fail(at.pos, path, "give latency or bandwidth", "the link differs in nothing")
	case l.From == l.To:
		r.fail(at.child("to").value.pos, path+".to", "", "a link joins two nodes, this is %d twice", l.To)
	}
	for _, end := range []string{"from", "to"} {
		r.nodeList(path+"."+end, at.child(end), []int{a.Int(end)}, nodes)
	}
	for _, o := range n.Links {
		same := o.From == l.From && o.To == l.To
		back := o.From == l.To && o.To == l.From
		if same || back && !(o.OneWay && l.OneWay) {
			r.fail(at.pos, path, "name each link once; without oneway: true it is both directions", "the link between %d and %d was given above", l.From, l.To)
		}
	}
	return l
}

// defaultSpeed is that of one core that is kept busy: some 10 GFLOP/s in double precision.
const defaultSpeed Speed = 10e9

func (r *reader) compute(e *entry, a Args, nodes int) Compute {
	if a.params == nil {
		return Compute{Machine: Machine{Speed: defaultSpeed, Calls: noCalls()}}
	}
	c := Compute{Machine: Machine{Speed: defaultSpeed, Calls: noCalls()}}
	if a.Given("calls") {
		c.Speed = Instant // those that have no duration take no time, unless there is a speed too
	}
	c.Machine = over(c.Machine, a)
	if s := inside(e, "straggler"); s != nil {
		c.Straggler = r.straggler(s, nodes)
	}
	for i, m := range get[[]Args](a, "nodes") {
		path := fmt.Sprintf("compute.nodes[%d]", i)
		n := item(e, "nodes", i)
		o := NodeMachine{Node: m.Ints("node"), Machine: over(c.Machine, m)}
		if !m.Has("speed") && !m.Given("calls") {
			r.fail(n.pos, path, "give speed or calls", "the machine differs in nothing")
		}
		r.nodeList(path+".node", n.child("node"), o.Node, nodes)
		for _, other := range c.Nodes {
			r.noOverlap(path, n.pos, o.Node, other.Node)
		}
		c.Nodes = append(c.Nodes, o)
	}
	return c
}

func noCalls() Calls {
	return Calls{noCall, noCall, noCall, noCall, noCall, noCall, noCall, 0}
}

// over returns m with the speed and the calls that are given in a. A speed alone
// replaces the durations of calls too: otherwise it would change nothing.
func over(m Machine, a Args) Machine {
	if a.Has("speed") {
		m.Speed = get[Speed](a, "speed")
		if !a.Given("calls") {
			round := m.Calls.Round
			m.Calls = noCalls()
			m.Calls.Round = round
		}
	}
	if a.Given("calls") && a.Has("calls") {
		calls := a.Section("calls")
		for _, p := range m.Calls.fields() {
			if calls.Given(p.name) {
				*p.at = duration(calls, p.name)
			}
		}
	}
	return m
}

// callField is a field of Calls and its key in the file.
type callField struct {
	name string
	at   *sim.Time
}

func (c *Calls) fields() []callField {
	return []callField{
		{"grad_f", &c.GradF}, {"grad_g", &c.GradG}, {"hvp", &c.HVP}, {"jvp", &c.JVP},
		{"hessian", &c.Hessian}, {"jacobian", &c.Jacobian}, {"solve", &c.Solve}, {"round", &c.Round},
	}
}

func (r *reader) straggler(e *entry, nodes int) *Straggler {
	c := r.choose(e, choice{path: "compute.straggler", key: "kind", what: "straggler", entries: stragglerKinds()})
	if c.entry == nil || c.name == "none" {
		return nil
	}
	s := &Straggler{
		Kind: c.name, Factor: optional[float64](c.args, "factor"), Sigma: optional[float64](c.args, "sigma"),
		Mean: optional[float64](c.args, "mean"), Shape: optional[float64](c.args, "shape"),
		Window: optional[sim.Time](c.args, "window"), Nodes: c.args.Ints("nodes"),
	}
	if l := c.node.child("nodes"); l != nil {
		r.nodeList("compute.straggler.nodes", l, s.Nodes, nodes)
	}
	return s
}
