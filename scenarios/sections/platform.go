package sections

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"tallynet/channel"
	"tallynet/metrics/jsonio"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
	"tallynet/sim"
	"tallynet/topologies"
	"tallynet/topologies/platform"
)

// PlatformKey declares the section platform: the hosts and the links that connections share.
func PlatformKey(cat *catalog.Catalog) keys.Param {
	return keys.Param{Name: "platform", Kind: keys.Variant, Example: "{kind: switch, up: 1Gbit/s}",
		About: "what nodes talk over: hosts, and links that all connections share; by default each edge has a line " +
			"of its own",
		Variants: &keys.Variants{Key: "kind", What: "platform", Entries: catalog.Entries(cat.Platforms)}}
}

// Placements returns the names of the placement policies, the default first.
func Placements() []string { return []string{"in-order", "packed", "spread", "random"} }

// PlacementKey declares the key place: the host of each node.
func PlacementKey() keys.Param {
	return keys.Param{Name: "place", Kind: keys.Strings, Example: "spread",
		Takes:   "in-order | packed | spread | random, or a list of hosts",
		Derived: "in-order, with a platform",
		Schema: jsonio.Of("anyOf", []jsonio.Object{jsonio.Of("enum", Placements()),
			jsonio.Of("type", "array", "items", jsonio.Of("type", []string{"integer", "string"}))}),
		About: "the host of each node. In order: node i on host i. Packed: on as few hosts as possible, group by " +
			"group. Spread: over racks, pods or regions in turn. Random: by the seed. A list: the number or name of a " +
			"host for each node; several nodes may share a host"}
}

// CheckPlatform checks the keys platform and place, and that network has no key that a platform overrides.
func CheckPlatform(r *keys.Reader, root, platform, network keys.Args, nodes int) {
	place := root.Strings("place")
	switch {
	case !platform.Read() && place != nil && !root.Given("platform"):
		r.Fail(root.Field("place").KeyPos, "place", "write platform: {kind: switch, up: 1Gbit/s}, or leave place out",
			"place is given, but there is no platform to place nodes on")
	case len(place) == 1 && nodes != 1 && !slices.Contains(Placements(), place[0]):
		r.Fail(root.PosOf("place"), "place", keys.DidYouMean(place[0], Placements()), "%q is not a way to place nodes",
			place[0])
	case len(place) > 1 && len(place) != nodes && nodes > 0:
		r.Fail(root.PosOf("place"), "place", "", "want a host for each of %d nodes, got %d hosts", nodes,
			len(place))
	}
	if !root.Given("platform") && network.Read() && network.Given("flow") {
		r.Fail(network.Field("flow").KeyPos, network.Path("flow"), "write platform: {kind: switch, up: 1Gbit/s}, or "+
			"leave flow out", "flow is given, but there is no platform: a line of its own has no window")
	}
	if platform.Read() && network.Read() {
		for _, key := range DedicatedLinkKeys() {
			if network.Given(key) {
				r.Fail(network.Field(key).KeyPos, network.Path(key), "leave it out",
					"a platform is given: the links are its own, and network.%s would change nothing", key)
			}
		}
	}
}

// DedicatedLinkKeys returns the keys of network that describe dedicated links. They have no effect with a platform.
func DedicatedLinkKeys() []string {
	return []string{"latency", "bandwidth", "duplex", "contention", "nic", "links"}
}

// Hosts returns the host of each node. place is a placement policy, or a list with a host for each node.
func (s *Site) Hosts(p *platform.Platform, place []string) ([]int, error) {
	nodes := s.Topology.Nodes
	if len(place) == nodes && !(nodes == 1 && slices.Contains(Placements(), place[0])) {
		return s.listedHosts(p, place)
	}
	policy := Placements()[0]
	if len(place) > 0 {
		policy = place[0]
	}
	return assignHosts(policy, p, nodes, sim.Stream(s.Seed, "place")), nil
}

// listedHosts returns the hosts that a list gives by number or by name.
func (s *Site) listedHosts(p *platform.Platform, list []string) ([]int, error) {
	hosts := make([]int, len(list))
	for i, text := range list {
		h := p.Host(text)
		if k, err := strconv.Atoi(text); h < 0 && err == nil {
			h = k
		}
		if h < 0 || h >= len(p.Hosts) {
			return nil, s.Fail(fmt.Sprintf("place[%d]", i),
				"there is no host %s; the platform has %d, from 0 to %d, the first "+
					"is called %s", text, len(p.Hosts), len(p.Hosts)-1, p.Hosts[0].Name)
		}
		hosts[i] = h
	}
	return hosts, nil
}

// assignHosts assigns a host to each node. Hosts are shared if there are more nodes than hosts.
func assignHosts(policy string, p *platform.Platform, nodes int, rng *rand.Rand) []int {
	order := make([]int, len(p.Hosts)) // of hosts
	for i := range order {
		order[i] = i
	}
	consecutive := 1 // nodes on a host before the next host gets one
	switch policy {
	case "packed":
		slices.SortStableFunc(order, func(a, b int) int { return p.Hosts[a].Group - p.Hosts[b].Group })
		consecutive = (nodes + len(order) - 1) / len(order)
	case "spread":
		order = roundRobin(p)
	case "random":
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	hosts := make([]int, nodes)
	for i := range hosts {
		hosts[i] = order[i/consecutive%len(order)]
	}
	return hosts
}

// roundRobin returns the hosts ordered so that the groups take turns.
func roundRobin(p *platform.Platform) []int {
	rank := make([]int, len(p.Hosts)) // of each host in its group
	seen := make([]int, p.Groups())
	order := make([]int, len(p.Hosts))
	for i, h := range p.Hosts {
		rank[i], order[i] = seen[h.Group], i
		seen[h.Group]++
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if rank[a] != rank[b] {
			return rank[a] - rank[b]
		}
		return p.Hosts[a].Group - p.Hosts[b].Group
	})
	return order
}

// setPlatform gives the engine the links of the platform and the route of each edge.
func (s *Site) setPlatform(p *platform.Platform, place []string, network keys.Args) error {
	host, err := s.Hosts(p, place)
	if err != nil {
		return err
	}
	routes, err := findRoutes(s.Graph, p, host)
	if err != nil {
		return s.Fail("platform", "%w", err)
	}
	between := func(from, to int) platform.Route {
		k, ok := slices.BinarySearch(s.Graph.Neighbors(from), to)
		if !ok {
			panic(fmt.Sprintf("sections: nodes %d and %d are not neighbours", from, to))
		}
		return routes[from][k]
	}
	s.Platform, s.Host = p, host
	s.Engine.Platform = &channel.Platform{Links: engineLinks(p),
		Window: int64(keys.Optional[keys.DataSize](network.Section("flow"), "window")),
		Route:  func(from, to int) ([]int, error) { return between(from, to), nil }}
	s.Engine.Link = func(from, to int) (sim.Time, int64) {
		var latency sim.Time
		for _, l := range between(from, to) {
			latency = min(latency+p.Links[l].Latency, sim.Horizon)
		}
		return latency, channel.Unlimited
	}
	return nil
}

// engineLinks returns the links of the platform in the engine's representation.
func engineLinks(p *platform.Platform) []channel.PhysicalLink {
	links := make([]channel.PhysicalLink, len(p.Links))
	for i, l := range p.Links {
		rate := int64(channel.Unlimited)
		if l.Bandwidth > 0 && l.Bandwidth < math.MaxInt64 {
			rate = max(1, int64(math.Round(l.Bandwidth)))
		}
		links[i] = channel.PhysicalLink{Name: l.Name, BitsPerSecond: rate, Medium: l.Sharing == platform.Medium}
	}
	return links
}

// findRoutes returns the routes of all directed edges of a graph, by node and then by neighbour.
func findRoutes(g *topologies.Graph, p *platform.Platform, host []int) ([][]platform.Route, error) {
	routes := make([][]platform.Route, g.Nodes())
	for i := range routes {
		for _, j := range g.Neighbors(i) {
			route, err := p.Route(host[i], host[j])
			if err != nil {
				return nil, fmt.Errorf("nodes %d and %d are neighbours, but %w%s", i, j, err, disconnectedHint(p))
			}
			routes[i] = append(routes[i], route)
		}
	}
	return routes, nil
}

// disconnectedHint returns advice for a platform without a route between some of its hosts.
func disconnectedHint(p *platform.Platform) string {
	if p.Components() > 1 {
		return fmt.Sprintf(": the network has %d disconnected parts; keep the largest with component: largest, or "+
			"place the nodes on hosts of one part", p.Components())
	}
	oneWay := func(note string) bool { return strings.Contains(note, "one way") }
	if p.Components() == 1 && slices.ContainsFunc(p.Notes, oneWay) {
		return ": some links of the file are one way; direction: both makes each edge both directions"
	}
	return ""
}
