package sections

import (
	"slices"

	"tallynet/channel"
	"tallynet/node"
	"tallynet/scenarios/keys"
	"tallynet/sim"
)

// FaultsKey declares the section faults: hosts and links that go down.
func FaultsKey() keys.Param {
	down := keys.Param{Name: "down", Kind: keys.Duration, Required: true, Example: "2s", Range: keys.AtLeast(0),
		About: "when it goes down"}
	up := keys.Param{Name: "up", Kind: keys.Duration, Example: "5s", Range: keys.Above(0),
		About: "when it comes up again; never by default"}
	random := func(name, what string) keys.Param {
		return keys.Param{Name: name, Kind: keys.Section, Example: "{up: 10min, down: 5s}",
			About: what + " that fail at random",
			Params: []keys.Param{
				{Name: "up", Title: "mean uptime", Kind: keys.Duration, Required: true, Example: "10min",
					Range: keys.Above(0), About: "the mean time for which one is up, exponentially distributed"},
				{Name: "down", Title: "mean downtime", Kind: keys.Duration, Required: true, Example: "5s",
					Range: keys.Above(0), About: "the mean time for which one is down, exponentially distributed"},
			}}
	}
	const end = "one end of a link between two nodes"
	return keys.Param{Name: "faults", Kind: keys.Section, Example: "{hosts: [{node: 3, down: 2s, up: 5s}]}",
		About: "links and hosts that go down: messages under way on them are lost, see network.loss.policy",
		Params: []keys.Param{
			{Name: "hosts", Kind: keys.Sections, About: "hosts that go down by schedule: meanwhile they neither compute " +
				"nor hear anything",
				Params: []keys.Param{nodeKey(), down, up}},
			{Name: "links", Kind: keys.Sections, About: "links that go down by schedule, in both directions",
				Params: []keys.Param{endKey("from", "0", end), endKey("to", "1", end), {Name: "name", Kind: keys.String,
					Example: "rack0*",
					About: "instead: the physical links of a platform with this name, in which * matches any text without a /; " +
						"what is on its way over one of them is lost"}, down, up}},
			{Name: "partitions", Kind: keys.Sections, About: "all links between some nodes and the others go down, by schedule",
				Params: []keys.Param{{Name: "nodes", Kind: keys.Ints, Required: true, Example: "[0, 1, 2]", Range: keys.AtLeast(0),
					About: "one side"}, down, up}},
			random("random_hosts", "hosts"), random("random_links", "links"),
			{Name: "trace", Kind: keys.Path, Example: "availability.csv",
				About: "measured availability: a CSV file of node, time, on or off; a time without a unit is " +
					"in seconds"},
			{Name: "state", Kind: keys.Enum, Default: "keep", Enum: []string{"keep", "lose"},
				About: "where a host continues when it comes up again: at the state that it had, or at the method's " +
					"starting point"},
		}}
}

// SilenceKey declares the section silence: what a synchronous method does about a neighbour that sends nothing.
func SilenceKey() keys.Param {
	after := keys.Param{Name: "after", Kind: keys.Duration, Required: true, Example: "1s", Range: keys.Above(0),
		About: "how long an exchange waits, from its start; a client waits four times as long for its server"}
	return keys.Param{Name: "silence", Kind: keys.Variant, Example: "{kind: renormalize, after: 1s}",
		About: "what a synchronous method does about neighbours that it does not hear from; it waits by default",
		Variants: &keys.Variants{Key: "kind", What: "silence", Entries: []keys.Entry{
			{Name: "wait", Summary: "wait for ever: a run that stalls says who waits for whom"},
			{Name: "last", Summary: "use the last value received from the neighbour; renormalize if there is none",
				Params: []keys.Param{after}},
			{Name: "renormalize", Summary: "go on without the neighbour: its weight goes to the node itself",
				Params: []keys.Param{after}},
		}}}
}

// CheckFaults checks the section faults.
func CheckFaults(r *keys.Reader, a keys.Args, nodes int) {
	for _, list := range []string{"hosts", "links", "partitions"} {
		for _, x := range a.Sections(list) {
			if x.Has("up") && x.Duration("up") <= x.Duration("down") {
				r.Fail(x.PosOf("up"), x.Path("up"), "", "want a time after down, which is %v, got %v", x.Duration("down"),
					x.Duration("up"))
			}
			switch list {
			case "hosts":
				checkNodes(r, x, "node", nodes)
			case "links":
				checkLinkOrName(r, x)
				checkNodes(r, x, "from", nodes)
				checkNodes(r, x, "to", nodes)
			case "partitions":
				checkNodes(r, x, "nodes", nodes)
				if k := len(x.Ints("nodes")); nodes > 0 && k >= nodes {
					r.Fail(x.PosOf("nodes"), x.Path("nodes"), "",
						"want some of the %d nodes, got %d: nobody would be on the other side", nodes, k)
				}
			}
		}
	}
}

// checkLinkOrName checks that an item gives either the two nodes of a link or a name of physical links.
func checkLinkOrName(r *keys.Reader, a keys.Args) {
	from, to, name := a.Given("from"), a.Given("to"), a.Given("name")
	if name && (from || to) || !name && !(from && to) {
		r.Fail(a.Pos(), a.Path(""), "write from: 0, to: 1 or, with a platform, name: rack0*",
			"want the two nodes of a link, or a name of physical links, and not both")
		return
	}
	checkPattern(r, a)
}

// outage returns the span in which a host or link is down.
func outage(a keys.Args) channel.Span {
	s := channel.Span{From: a.Duration("down"), Until: sim.Never}
	if a.Has("up") {
		s.Until = a.Duration("up")
	}
	return s
}

// SetFaults sets message loss, outages and silence.
func (s *Site) SetFaults(faults, network, silence keys.Args) error {
	cfg := &s.Engine
	if faults.Read() {
		cfg.Faults.Retransmit = &channel.Retransmission{Timeout: defaultTimeout, Backoff: defaultBackoff}
	}
	if network.Has("loss") {
		cfg.Faults.Loss, cfg.Faults.Retransmit = lossModel(network.Section("loss"))
	}
	if silence.Read() {
		kinds := map[string]node.SilenceKind{"wait": node.Wait, "last": node.Last, "renormalize": node.Renormalize}
		cfg.Silence = node.Silence{Kind: kinds[silence.Kind()], After: keys.Optional[sim.Time](silence, "after")}
	}
	if !faults.Read() {
		return nil
	}
	cfg.Faults.Forget = faults.String("state") == "lose"
	if err := s.setHostFaults(faults); err != nil {
		return err
	}
	return s.setLinkFaults(faults)
}

func (s *Site) setHostFaults(a keys.Args) error {
	n := s.Graph.Nodes()
	all := make([]channel.Downtime, n)
	for _, x := range a.Sections("hosts") {
		for _, i := range x.Ints("node") {
			all[i].Spans = append(all[i].Spans, outage(x))
		}
	}
	if a.Has("trace") {
		spans, err := readAvailability(keys.InFolder(s.Dir, a.String("trace")), n)
		if err != nil {
			return s.Fail("faults.trace", "%w", err)
		}
		for i := range all {
			all[i].Spans = append(all[i].Spans, spans[i]...)
		}
	}
	random := randomDowntime(a, "random_hosts")
	for i := range all {
		all[i].MeanUp, all[i].MeanDown = random.MeanUp, random.MeanDown
		if !all[i].None() {
			s.Engine.Faults.Host = func(i int) channel.Downtime { return all[i] }
		}
	}
	return nil
}

func (s *Site) setLinkFaults(a keys.Args) error {
	random := randomDowntime(a, "random_links")
	spans := map[[2]int][]channel.Span{}
	var named []physicalOutage
	for _, x := range a.Sections("links") {
		if x.Given("name") {
			o, err := s.namedOutage(x)
			if err != nil {
				return err
			}
			named = append(named, o)
			continue
		}
		from, to := x.Int("from"), x.Int("to")
		if err := s.CheckNeighbors(x); err != nil {
			return err
		}
		e := [2]int{min(from, to), max(from, to)}
		spans[e] = append(spans[e], outage(x))
	}
	partitions := a.Sections("partitions")
	if len(spans)+len(named)+len(partitions) == 0 && random.None() {
		return nil
	}
	physical := s.physicalLinks()
	s.Engine.Faults.Link = func(from, to int) channel.Downtime {
		d := random
		d.Spans = slices.Clone(spans[[2]int{min(from, to), max(from, to)}])
		for _, x := range partitions {
			if slices.Contains(x.Ints("nodes"), from) != slices.Contains(x.Ints("nodes"), to) {
				d.Spans = append(d.Spans, outage(x))
			}
		}
		for _, o := range named {
			if o.affects(physical(from, to)) {
				d.Spans = append(d.Spans, o.span)
			}
		}
		return d
	}
	return nil
}

// randomDowntime returns the downtime that the section key describes; the zero value if it is not given.
func randomDowntime(a keys.Args, key string) channel.Downtime {
	if !a.Given(key) {
		return channel.Downtime{}
	}
	return channel.Downtime{MeanUp: a.Section(key).Duration("up"), MeanDown: a.Section(key).Duration("down")}
}

// physicalOutage is an outage of physical links. It affects every connection that crosses one of them.
type physicalOutage struct {
	links []int // sorted
	span  channel.Span
}

func (o *physicalOutage) affects(route []int) bool {
	return slices.ContainsFunc(route, func(link int) bool {
		_, found := slices.BinarySearch(o.links, link)
		return found
	})
}

// namedOutage returns the outage of the physical links that an item names.
func (s *Site) namedOutage(x keys.Args) (physicalOutage, error) {
	names := s.linkNames()
	if names == nil {
		return physicalOutage{}, s.Fail(x.Path("name"),
			"there is no platform, so links have no names: write from: 0, to: 1")
	}
	links, err := s.matchingLinks(x, names)
	return physicalOutage{links, outage(x)}, err
}

// physicalLinks returns a function that gives the physical links between two nodes. Without a platform these are the
// interfaces of both nodes.
func (s *Site) physicalLinks() func(from, to int) []int {
	p := s.Engine.Platform
	if p == nil {
		return func(from, to int) []int { return []int{2 * from, 2*to + 1} }
	}
	return func(from, to int) []int {
		route, err := p.Route(from, to)
		if err != nil {
			panic("sections: " + err.Error()) // setPlatform found the routes of all edges
		}
		return route
	}
}
