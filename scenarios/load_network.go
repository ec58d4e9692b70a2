package scenarios

import (
	"fmt"

	"tallynet/sim"
)

// The sections network and compute. Their keys are already checked one by one; here
// they become typed, and what must fit together is checked.

func duration(a Args, name string) sim.Time { return Get[sim.Time](a, name) }
func rate(a Args, name string) Rate         { return Get[Rate](a, name) }
func size(a Args, name string) Size         { return Get[Size](a, name) }

func (r *reader) network(e *Field, a Args, nodes int) Network {
	if a.Params == nil { // what is wrong with it was told
		return Network{}
	}
	n := Network{Latency: duration(a, "latency"), Bandwidth: rate(a, "bandwidth"), Contention: a.String("contention"), Jitter: Jitter{Kind: "none"}}
	if j := Inside_(e, "jitter"); j != nil {
		c := r.Choose(j, Choice{Path: "network.jitter", Key: "kind", What: "jitter", Entries: jitterKinds()})
		n.Jitter = Jitter{Kind: c.Name, Mean: Optional[sim.Time](c.Args, "mean"), Deviation: Optional[sim.Time](c.Args, "deviation")}
	}
	if a.Has("overhead") {
		o := a.Section("overhead")
		n.Overhead = Overhead{size(o, "message"), size(o, "packet"), size(o, "mtu")}
	}
	switch {
	case a.Given("nic") && n.Contention == "dedicated":
		r.Fail(Inside_(e, "nic").KeyPos, "network.nic", "write contention: nic, or leave nic out", "interfaces are given, but contention is dedicated: they would change nothing")
	case a.Has("nic"):
		n.NIC = r.nic(e, a.Section("nic"), nodes)
	case n.Contention == "nic" && !a.Given("nic"):
		r.Fail(Inside_(e, "contention").Value.Pos, "network", "write nic: {up: 1Gbit/s, down: 1Gbit/s}", "nic is missing: contention nic needs the interfaces' bandwidths")
	}
	for i, l := range Get[[]Args](a, "links") {
		n.Links = append(n.Links, r.link(e, i, l, nodes, n))
	}
	return n
}

func (r *reader) nic(e *Field, a Args, nodes int) *NIC {
	nic := &NIC{Up: rate(a, "up"), Down: rate(a, "down")}
	for i, x := range Get[[]Args](a, "nodes") {
		path := fmt.Sprintf("network.nic.nodes[%d]", i)
		n := Item(Inside_(e, "nic"), "nodes", i)
		o := NodeNIC{Node: x.Ints("node"), Up: nic.Up, Down: nic.Down}
		if x.Has("up") {
			o.Up = rate(x, "up")
		}
		if x.Has("down") {
			o.Down = rate(x, "down")
		}
		if !x.Has("up") && !x.Has("down") {
			r.Fail(n.Pos, path, "give up or down", "the interface differs in nothing")
		}
		r.NodeList(path+".node", n.Child("node"), o.Node, nodes)
		for _, other := range nic.Nodes {
			r.NoOverlap(path, n.Pos, o.Node, other.Node)
		}
		nic.Nodes = append(nic.Nodes, o)
	}
	return nic
}

func (r *reader) link(e *Field, i int, a Args, nodes int, n Network) Link {
	l := Link{From: a.Int("from"), To: a.Int("to"), OneWay: a.Bool("oneway"), Latency: n.Latency, Bandwidth: n.Bandwidth}
	path := fmt.Sprintf("network.links[%d]", i)
	at := Item(e, "links", i)
	if a.Has("latency") {
		l.Latency = duration(a, "latency")
	}
	if a.Has("bandwidth") {
		l.Bandwidth = rate(a, "bandwidth")
	}
	switch {
	case !a.Has("latency") && !a.Has("bandwidth"):
		r.Fail(at.Pos, path, "give latency or bandwidth", "the link differs in nothing")
	case l.From == l.To:
		r.Fail(at.Child("to").Value.Pos, path+".to", "", "a link joins two nodes, this is %d twice", l.To)
	}
	for _, end := range []string{"from", "to"} {
		r.NodeList(path+"."+end, at.Child(end), []int{a.Int(end)}, nodes)
	}
	for _, o := range n.Links {
		same := o.From == l.From && o.To == l.To
		back := o.From == l.To && o.To == l.From
		if same || back && !(o.OneWay && l.OneWay) {
			r.Fail(at.Pos, path, "name each link once; without oneway: true it is both directions", "the link between %d and %d was given above", l.From, l.To)
		}
	}
	return l
}

// defaultSpeed is that of one core that is kept busy: some 10 GFLOP/s in double precision.
const defaultSpeed Speed = 10e9

func (r *reader) compute(e *Field, a Args, nodes int) Compute {
	if a.Params == nil {
		return Compute{Machine: Machine{Speed: defaultSpeed, Calls: noCalls()}}
	}
	c := Compute{Machine: Machine{Speed: defaultSpeed, Calls: noCalls()}}
	if a.Given("calls") {
		c.Speed = Instant // those that have no duration take no time, unless there is a speed too
	}
	c.Machine = over(c.Machine, a)
	if s := Inside_(e, "straggler"); s != nil {
		c.Straggler = r.straggler(s, nodes)
	}
	for i, m := range Get[[]Args](a, "nodes") {
		path := fmt.Sprintf("compute.nodes[%d]", i)
		n := Item(e, "nodes", i)
		o := NodeMachine{Node: m.Ints("node"), Machine: over(c.Machine, m)}
		if !m.Has("speed") && !m.Given("calls") {
			r.Fail(n.Pos, path, "give speed or calls", "the machine differs in nothing")
		}
		r.NodeList(path+".node", n.Child("node"), o.Node, nodes)
		for _, other := range c.Nodes {
			r.NoOverlap(path, n.Pos, o.Node, other.Node)
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
		m.Speed = Get[Speed](a, "speed")
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

func (r *reader) straggler(e *Field, nodes int) *Straggler {
	c := r.Choose(e, Choice{Path: "compute.straggler", Key: "kind", What: "straggler", Entries: stragglerKinds()})
	if c.Entry == nil || c.Name == "none" {
		return nil
	}
	s := &Straggler{
		Kind: c.Name, Factor: Optional[float64](c.Args, "factor"), Sigma: Optional[float64](c.Args, "sigma"),
		Mean: Optional[float64](c.Args, "mean"), Shape: Optional[float64](c.Args, "shape"),
		Window: Optional[sim.Time](c.Args, "window"), Nodes: c.Args.Ints("nodes"),
	}
	if l := c.Value.Child("nodes"); l != nil {
		r.NodeList("compute.straggler.nodes", l, s.Nodes, nodes)
	}
	return s
}
