package platform

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// simgridReader reads platforms of SimGrid (https://simgrid.org, XML of version 3 to 4.1): hosts, links, and
// the routes of zones with the routing Full, Floyd, Dijkstra or Cluster. Anything else that would change a
// result is an error that names element and line.
type simgridReader struct {
	xml *xmlReader
	p   *Platform
	err error // the first one

	zone    *zone           // the one that is read
	zones   map[string]bool // by id: whether there are hosts or routers inside
	points  map[string]*netpoint
	hosts   []*netpoint
	links   map[string]int // by id: the index, or what follows
	other   map[int]int    // links of pairs, NAME_UP and NAME_DOWN
	route   *zoneRoute     // the one that is read
	routes  []*zoneRoute
	ignored map[string]bool // elements that change nothing
}

// The links that the platform does not have under their id.
const (
	fatpipe = -1 - iota // messages do not share it
	split               // it is a pair
)

// zone is a part of the platform with its own routing.
type zone struct {
	id, routing string
	line        int
	parent      *zone
	depth       int
	steps       map[string]map[string]*zoneRoute // by the vertices that they join: netpoints, or nested zones
	lines       map[*netpoint][2]int             // of a cluster: the links of its hosts, up and down
	backbone    int                              // of a cluster: the link that all messages cross; -1: none
	tree        map[string]string                // shortest paths from the vertex from: the vertex before each one
	from        string
}

// netpoint is a host or a router.
type netpoint struct {
	name string
	zone *zone
}

// zoneRoute is a route in the file, between netpoints or between zones.
type zoneRoute struct {
	zone     *zone
	src, dst string
	in, out  string // between zones: the names of the netpoints where it leaves and enters

	leave, enter *netpoint
	oneway       bool
	crosses      []crossing
	links        Route
	line         int
}

// crossing is a link on a route whose name has not been looked up yet.
type crossing struct {
	link, direction string
	line            int
}

func readSimGrid(text []byte) (*Platform, error) {
	r := &simgridReader{xml: newXML(text), p: &Platform{}, zones: map[string]bool{}, points: map[string]*netpoint{},
		links: map[string]int{}, other: map[int]int{}, ignored: map[string]bool{}}
	start := func(e element) error {
		r.start(e)
		return r.err
	}
	if err := r.xml.walk(start, r.end); err != nil {
		return nil, err
	}
	return r.finish()
}

// fail notes an error, unless there is one already.
func (r *simgridReader) fail(line int, format string, args ...any) {
	if r.err == nil {
		r.err = failAt(line, format, args...)
	}
}

// need returns an attribute that must not be missing.
func (r *simgridReader) need(e element, name string) string {
	v := e.attr(name)
	if v == "" {
		r.fail(e.line, "<%s> has no %s", e.Name.Local, name)
	}
	return v
}

// refuse notes an error if the element has one of the attributes.
func (r *simgridReader) refuse(e element, names ...string) {
	for _, n := range names {
		if e.attr(n) != "" {
			r.fail(e.line, "%s of <%s> is not understood: networks and machines do not change; leave it out", n, e.Name.Local)
		}
	}
}

func (r *simgridReader) start(e element) {
	name := e.Name.Local
	switch name {
	case "platform":
		if v, err := strconv.ParseFloat(e.attr("version"), 64); err == nil && v < 3 {
			r.fail(e.line, "version %s of the format has other units; simgrid_update_xml brings it up to date",
				e.attr("version"))
		}
		return
	case "zone", "AS":
		r.startZone(e)
		return
	case "config", "prop", "actor", "process", "argument", "disk", "storage", "storage_type", "mount", "trace", "random":
		r.property(e)
		if name != "prop" && !r.ignored[name] {
			r.ignored[name] = true
			r.p.note("<%s> changes nothing here (line %d): ignored", name, e.line)
		}
		r.err = r.xml.content(e, &struct{}{})
		return
	case "cluster":
		r.cluster(e)
		return
	}
	if r.zone == nil {
		r.fail(e.line, "<%s> outside of a zone is not understood", short(name))
		return
	}
	switch name {
	case "host", "router":
		r.refuse(e, "speed_file", "availability_file", "state_file")
		r.addPoint(r.need(e, "id"), name == "host", e.line)
	case "link":
		r.refuse(e, "bandwidth_file", "latency_file", "state_file")
		r.addLink(e, r.need(e, "id"), "bandwidth", "latency", e.attr("sharing_policy"))
	case "backbone":
		if r.zone.backbone >= 0 {
			r.fail(e.line, "the zone %s has a backbone already", short(r.zone.id))
		}
		r.zone.backbone = r.addLink(e, r.need(e, "id"), "bandwidth", "latency", "")
	case "host_link":
		r.hostLink(e)
	case "cabinet":
		if r.zone.routing != "Cluster" {
			r.fail(e.line, "a <cabinet> belongs in a zone with the routing Cluster")
		}
		r.members(e)
	case "route", "zoneRoute", "ASroute":
		r.startRoute(e)
	case "link_ctn":
		if r.route == nil {
			r.fail(e.line, "<link_ctn> outside of a route is not understood")
			return
		}
		r.route.crosses = append(r.route.crosses, crossing{r.need(e, "id"), e.attr("direction"), e.line})
	default:
		r.fail(e.line, "<%s> is not understood", short(name))
	}
}

// property reads the sharing of a link that WriteSimGrid writes.
func (r *simgridReader) property(e element) {
	around := r.xml.inside
	if n := len(around); n < 2 || around[n-2] != "link" || around[n-1] != "prop" || e.attr("id") != "sharing" {
		return
	}
	for _, s := range [...]Sharing{Shared, HalfDuplex, Medium} {
		if l := len(r.p.Links); l > 0 && e.attr("value") == s.String() {
			r.p.Links[l-1].Sharing = s
		}
	}
}

func (r *simgridReader) end(name string) {
	switch name {
	case "zone", "AS":
		r.zone = r.zone.parent
	case "route", "zoneRoute", "ASroute":
		r.route = nil
	}
}

func (r *simgridReader) startZone(e element) {
	id, routing := r.need(e, "id"), e.attr("routing")
	switch routing {
	case "Full", "Floyd", "Dijkstra", "DijkstraCache", "Cluster", "None":
	default:
		r.fail(e.line, "the zone %s has the routing %q, which is not understood; want Full, Floyd, Dijkstra or Cluster",
			short(id), short(routing))
	}
	r.enter(id, routing, e.line)
}

// enter begins a new zone inside the current one.
func (r *simgridReader) enter(id, routing string, line int) {
	if _, twice := r.zones[id]; twice {
		r.fail(line, "there are two zones called %s", short(id))
	}
	r.zones[id] = false
	z := &zone{id: id, routing: routing, line: line, parent: r.zone, backbone: -1,
		steps: map[string]map[string]*zoneRoute{}, lines: map[*netpoint][2]int{}}
	if r.zone != nil {
		z.depth = r.zone.depth + 1
	}
	r.zone = z
}

func (r *simgridReader) addPoint(id string, host bool, line int) *netpoint {
	if r.points[id] != nil {
		r.fail(line, "there are two hosts or routers called %s", short(id))
	}
	if len(r.points) == maxNodes {
		r.fail(line, "the file has more than %d hosts; keep the part of the network that you need", maxNodes)
	}
	at := &netpoint{name: id, zone: r.zone}
	if r.points[id] = at; host {
		r.hosts = append(r.hosts, at)
		r.p.Hosts = append(r.p.Hosts, Host{Name: clean(id)})
	}
	for z := r.zone; z != nil; z = z.parent {
		r.zones[z.id] = true
	}
	return at
}

// unlimitedFrom is the bandwidth in bit/s, above all real ones, from which on a link counts as unlimited.
const unlimitedFrom = 8e18

// addLink adds a link, or the two links of a split one, and returns the first.
func (r *simgridReader) addLink(e element, id, rate, delay, policy string) int {
	bandwidth, _, wrongRate := rateOf(r.need(e, rate), "B/s")
	latency, _, wrongDelay := latencyOf(cmp.Or(e.attr(delay), "0"), "s")
	if err := cmp.Or(wrongRate, wrongDelay); err != nil {
		r.fail(e.line, "the link %s: %v", short(id), err)
	}
	if bandwidth >= unlimitedFrom {
		bandwidth = 0
	}
	l := PhysicalLink{Name: clean(id), Latency: latency, Bandwidth: bandwidth, Sharing: HalfDuplex}
	switch policy {
	case "", "SHARED":
		return r.named(l, id, e.line)
	case "FATPIPE": // loopbacks are; an error only if a route between hosts crosses it
		r.call(id, fatpipe, e.line)
		return fatpipe
	case "SPLITDUPLEX", "FULLDUPLEX":
		r.call(id, split, e.line)
		l.Sharing = Shared
		l.Name = clean(id) + "_UP"
		up := r.named(l, id+"_UP", e.line)
		l.Name = clean(id) + "_DOWN"
		down := r.named(l, id+"_DOWN", e.line)
		r.other[up], r.other[down] = down, up
		return up
	}
	r.fail(e.line, "the link %s has the sharing policy %s, which is not understood; want SHARED or SPLITDUPLEX",
		short(id), short(policy))
	return 0
}

// call gives a link its id.
func (r *simgridReader) call(id string, link, line int) {
	if _, twice := r.links[id]; twice {
		r.fail(line, "there are two links called %s", short(id))
	}
	r.links[id] = link
}

func (r *simgridReader) named(l PhysicalLink, id string, line int) int {
	r.call(id, len(r.p.Links), line)
	if len(r.p.Links) == maxEdges {
		r.fail(line, "the file has more than %d links; keep the part of the network that you need", maxEdges)
	}
	r.p.Links = append(r.p.Links, l)
	return len(r.p.Links) - 1
}

func (r *simgridReader) hostLink(e element) {
	id := e.attr("id")
	at := r.points[id]
	if at == nil || at.zone != r.zone {
		r.fail(e.line, "<host_link> names the host %q, which its zone does not have", short(id))
	}
	if _, twice := r.zone.lines[at]; twice {
		r.fail(e.line, "there are two <host_link> of %s", short(id))
	}
	var lines [2]int
	for i, way := range [...]string{"up", "down"} {
		link, ok := r.links[e.attr(way)]
		if !ok || link < 0 {
			r.fail(e.line, "<host_link> of %s: there is no link %q", short(id), short(e.attr(way)))
		}
		lines[i] = link
	}
	r.zone.lines[at] = lines
}

// cluster reads a cluster, which is a zone of its own.
func (r *simgridReader) cluster(e element) {
	id := r.need(e, "id")
	if t := e.attr("topology"); t != "" && t != "FLAT" {
		r.fail(e.line, "the cluster %s has the topology %s, which is not understood; want FLAT", short(id), short(t))
	}
	if e.attr("limiter_link") != "" {
		r.fail(e.line, "limiter_link of the cluster %s is not understood", short(id))
	}
	r.enter(id, "Cluster", e.line)
	if e.attr("bb_bw") != "" {
		if policy := e.attr("bb_sharing_policy"); policy != "" && policy != "SHARED" {
			r.fail(e.line, "bb_sharing_policy %s of the cluster %s is not understood; want SHARED", short(policy), short(id))
		}
		r.zone.backbone = r.addLink(e, id+"_backbone", "bb_bw", "bb_lat", "")
	}
	r.members(e)
	router := cmp.Or(e.attr("router_id"), e.attr("prefix")+id+"_router"+e.attr("suffix"))
	r.addPoint(router, false, e.line)
	r.zone = r.zone.parent
}

// members adds the hosts of a cluster or cabinet, each with a line.
func (r *simgridReader) members(e element) {
	numbers, err := radical(e.attr("radical"))
	if err != nil {
		r.fail(e.line, "radical: %v", err)
	}
	policy := cmp.Or(e.attr("sharing_policy"), "SPLITDUPLEX")
	if policy == "FATPIPE" {
		r.fail(e.line, "the cluster %s has the sharing policy FATPIPE, which is not understood", short(e.attr("id")))
	}
	for _, n := range numbers {
		if r.err != nil {
			return
		}
		at := r.addPoint(e.attr("prefix")+strconv.Itoa(n)+e.attr("suffix"), true, e.line)
		name := fmt.Sprintf("%s_link_%d", e.attr("id"), n)
		if e.Name.Local == "cabinet" {
			name = "link_" + at.name
		}
		up := r.addLink(e, name, "bw", "lat", policy)
		r.zone.lines[at] = [2]int{up, len(r.p.Links) - 1}
	}
}

// radical parses the numbers of a cluster's hosts, as "0-5,8".
func radical(text string) ([]int, error) {
	var all []int
	for part := range strings.SplitSeq(text, ",") {
		low, high, ranged := strings.Cut(strings.TrimSpace(part), "-")
		a, err := strconv.Atoi(low)
		b := a
		if ranged && err == nil {
			b, err = strconv.Atoi(high)
		}
		if err != nil || a < 0 || b < a {
			return nil, fmt.Errorf("%q is not a list of numbers and ranges, as in 0-5,8", short(text))
		}
		if b-a >= maxNodes || len(all)+b-a >= maxNodes {
			return nil, fmt.Errorf("%q is more than %d hosts", short(text), maxNodes)
		}
		for n := a; n <= b; n++ {
			all = append(all, n)
		}
	}
	return all, nil
}

func (r *simgridReader) startRoute(e element) {
	z := &zoneRoute{zone: r.zone, line: e.line, src: r.need(e, "src"), dst: r.need(e, "dst"), in: e.attr("gw_src"),
		out: e.attr("gw_dst"), oneway: strings.EqualFold(e.attr("symmetrical"), "no")}
	if e.Name.Local != "route" && (z.in == "" || z.out == "") {
		r.fail(e.line, "the route from %s to %s has no gw_src or no gw_dst", short(z.src), short(z.dst))
	}
	if r.zone.routing == "Cluster" || r.zone.routing == "None" {
		r.fail(e.line, "a route in a zone with the routing %s is not understood", r.zone.routing)
	}
	if len(r.routes) == maxEdges {
		r.fail(e.line, "the file has more than %d routes; a zone with the routing Dijkstra needs fewer", maxEdges)
	}
	r.route = z
	r.routes = append(r.routes, z)
}
