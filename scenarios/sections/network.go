package sections

import (
	"tallynet/channel"
	"tallynet/scenarios/keys"
	"tallynet/sim"
	"tallynet/topologies/platform"
)

// NetworkKey declares the section network: the links.
func NetworkKey() keys.Param {
	latency := keys.Param{Name: "latency", Kind: keys.Duration, Example: "1ms", Range: keys.AtLeast(0),
		About: "the travel time of a bit"}
	bandwidth := keys.Param{Name: "bandwidth", Kind: keys.Bandwidth, Example: "1Gbit/s", Range: keys.Above(0),
		About: "of each direction of a link, or unlimited"}
	return keys.Param{Name: "network", Kind: keys.Section, About: "the links", Params: []keys.Param{
		withDefault(latency, sim.Millisecond),
		withDefault(bandwidth, keys.Rate(1e9)),
		{Name: "duplex", Kind: keys.Enum, Default: "full", Enum: []string{"full"}, NotYet: []string{"half"},
			About: "whether both directions send at once"},
		{Name: "jitter", Kind: keys.Variant, Default: "none", About: "a random extra latency; it never reorders a link",
			Variants: &keys.Variants{Key: "kind", What: "jitter", Entries: jitterKinds()}},
		{Name: "overhead", Kind: keys.Section, Example: "{message: 40B, packet: 66B, mtu: 1500B}",
			About: "headers, counted and sent",
			Params: []keys.Param{
				{Name: "message", Kind: keys.Bytes, Default: keys.DataSize(0), Example: "40B", Range: keys.AtLeast(0),
					About: "bytes added to each message"},
				{Name: "packet", Kind: keys.Bytes, Default: keys.DataSize(0), Example: "66B", Range: keys.AtLeast(0),
					About: "bytes added to each packet"},
				{Name: "mtu", Kind: keys.Bytes, With: "packet", Example: "1500B", Range: keys.Above(0),
					About: "the largest payload of a packet; by default a message is one packet"},
			}},
		{Name: "contention", Kind: keys.Enum, Default: "dedicated", Enum: []string{"dedicated", "nic"},
			NotYet: []string{"shared"},
			About:  "what messages wait for: their link alone, or the interfaces of both nodes too"},
		nicKey(),
		{Name: "links", Kind: keys.Sections, About: "links that differ", Params: []keys.Param{
			required(endKey("from", "0", "one end")),
			required(endKey("to", "1", "the other end")),
			{Name: "oneway", Kind: keys.Bool, Default: false, About: "only the direction from -> to differs"},
			inherited(latency, "network"), inherited(bandwidth, "network"),
		}},
		{Name: "flow", Kind: keys.Section, Example: "{window: 4MiB}", About: "connections over a platform",
			Params: []keys.Param{{Name: "window", Kind: keys.Bytes, Example: "4MiB", Range: keys.Above(0),
				About: "bytes of a connection that may be under way at once, as with TCP: at most one window for each " +
					"round trip; no limit by default"}}},
		lossKey(),
	}}
}

func nicKey() keys.Param {
	up := keys.Param{Name: "up", Title: "uplink", Kind: keys.Bandwidth, Example: "1Gbit/s", Range: keys.Above(0),
		About: "the bandwidth of a node's uplink"}
	down := keys.Param{Name: "down", Title: "downlink", Kind: keys.Bandwidth, Example: "1Gbit/s",
		Range: keys.Above(0), About: "the bandwidth of a node's downlink"}
	return keys.Param{Name: "nic", Kind: keys.Section, Example: "{up: 1Gbit/s, down: 1Gbit/s}",
		About: "each node's interface, with contention: nic",
		Params: []keys.Param{
			required(up), required(down),
			{Name: "nodes", Kind: keys.Sections, About: "nodes with other interfaces",
				Params: []keys.Param{nodeKey(), inherited(up, "nic"), inherited(down, "nic")}},
		}}
}

func jitterKinds() []keys.Entry {
	mean := keys.Param{Name: "mean", Title: "mean jitter", Kind: keys.Duration, Required: true, Example: "100us",
		Range: keys.Above(0), About: "the mean extra latency"}
	return []keys.Entry{
		{Name: "none", Summary: "no jitter"},
		{Name: "uniform", Summary: "uniform between 0 and twice the mean", Params: []keys.Param{mean}},
		{Name: "exponential", Summary: "exponential", Params: []keys.Param{mean}},
		{Name: "normal", Summary: "normal, cut off at zero", Params: []keys.Param{mean,
			{Name: "deviation", Title: "deviation of the jitter", Kind: keys.Duration, Required: true, Example: "20us",
				Range: keys.Above(0), About: "the standard deviation"}}},
	}
}

// CheckNetwork checks the section network.
func CheckNetwork(r *keys.Reader, a keys.Args, nodes int) {
	switch nic := a.Field("nic"); {
	case nic != nil && a.String("contention") == "dedicated":
		r.Fail(nic.KeyPos, a.Path("nic"), "write contention: nic, or leave nic out",
			"nic is given, but contention is dedicated: interfaces would change nothing")
	case nic == nil && a.String("contention") == "nic":
		r.Fail(a.PosOf("contention"), a.Path(""), "write nic: {up: 1Gbit/s, down: 1Gbit/s}",
			"nic is missing: contention nic needs the interfaces' bandwidths")
	case a.Has("nic"):
		checkExceptions(r, a.Section("nic").Sections("nodes"), nodes, "interface", "up", "down")
	}
	links := a.Sections("links")
	for i, l := range links {
		from, to := l.Int("from"), l.Int("to")
		switch {
		case !l.Given("latency") && !l.Given("bandwidth"):
			r.Fail(l.Pos(), l.Path(""), "give latency or bandwidth", "the link differs in nothing")
		case from == to:
			r.Fail(l.PosOf("to"), l.Path("to"), "", "want two nodes, got %d twice", to)
		}
		checkNodes(r, l, "from", nodes)
		checkNodes(r, l, "to", nodes)
		for _, o := range links[:i] {
			same := o.Int("from") == from && o.Int("to") == to
			back := o.Int("from") == to && o.Int("to") == from
			if same || back && !(o.Bool("oneway") && l.Bool("oneway")) {
				r.Fail(l.Pos(), l.Path(""), "name each link once; without oneway: true it is both directions",
					"the link between %d and %d was given above", from, to)
			}
		}
	}
}

// SetNetwork sets links, jitter, overhead and interfaces. With a platform p, place assigns the nodes to its hosts;
// without one, each edge is a dedicated link.
func (s *Site) SetNetwork(a keys.Args, p *platform.Platform, place []string) (err error) {
	cfg := &s.Engine
	if p != nil {
		err = s.setPlatform(p, place, a)
	} else {
		cfg.Link, err = s.link(a)
	}
	if err != nil {
		return err
	}
	cfg.Jitter = jitter(a.Section("jitter"))
	overhead := a.Section("overhead")
	cfg.Overhead = channel.Overhead{PerMessage: int64(keys.Get[keys.DataSize](overhead, "message")),
		PerPacket: int64(keys.Get[keys.DataSize](overhead, "packet")), MTU: int64(keys.Get[keys.DataSize](overhead, "mtu"))}
	if a.Has("nic") {
		cfg.NICs = interfaces(a.Section("nic"), s.Graph.Nodes())
	}
	return nil
}

// link returns a function that gives the latency and the bandwidth in bits per second from one node to another.
func (s *Site) link(a keys.Args) (func(from, to int) (sim.Time, int64), error) {
	special, err := s.perDirection(a.Sections("links"))
	if err != nil {
		return nil, err
	}
	return func(from, to int) (sim.Time, int64) {
		l, ok := special[[2]int{from, to}]
		if !ok {
			l = a
		}
		return l.Duration("latency"), l.Rate("bandwidth").BitsPerSecond()
	}, nil
}

func jitter(a keys.Args) channel.Jitter {
	kinds := map[string]channel.JitterKind{
		"none": channel.NoJitter, "uniform": channel.Uniform, "exponential": channel.Exponential,
		"normal": channel.Normal,
	}
	j := channel.Jitter{Kind: kinds[a.Kind()]}
	a.Fill(&j)
	return j
}

// interfaces returns one interface for each node, or a single one that all share.
func interfaces(a keys.Args, nodes int) []channel.NIC {
	nic := func(a keys.Args) channel.NIC {
		return channel.NIC{UpBitsPerSecond: a.Rate("up").BitsPerSecond(),
			DownBitsPerSecond: a.Rate("down").BitsPerSecond()}
	}
	if len(a.Sections("nodes")) == 0 {
		return []channel.NIC{nic(a)}
	}
	return perNode(a, nodes, nic)
}
