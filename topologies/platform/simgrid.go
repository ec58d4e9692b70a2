package platform

import (
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

	root, zone *zone // the outermost, and the one that is read
	zones      map[string]bool
	points     map[string]*netpoint
	links      map[string]int
	split      map[string]bool // links that are pairs, NAME_UP and NAME_DOWN
	fat        map[string]bool // links that messages do not share
	route      *zoneRoute      // the one that is read
	routes     []*zoneRoute
	ignored    map[string]int // elements that change nothing: the line of the first one
	order      []string
}

// zone is a part of the platform with its own routing.
type zone struct {
	id, routing string
	line        int
	parent      *zone
	depth       int
	steps       map[string]map[string]*zoneRoute // by the vertices that they join: netpoints, or nested zones
	up, down    map[*netpoint]int                // of a cluster: the links of its hosts
	backbone    int                              // of a cluster: the link that all messages cross; -1: none
	tree        map[string]string                // shortest paths from the vertex from: the vertex before each one
	from        string
}

// netpoint is a host or a router.
type netpoint struct {
	name string
	zone *zone
	host int // -1: a router
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
		links: map[string]int{}, split: map[string]bool{}, fat: map[string]bool{}, ignored: map[string]int{}}
	if err := r.xml.walk(r.start, r.end); err != nil {
		return nil, err
	}
	return r.finish()
}

// refuse returns an error if the element has one of the attributes.
func (e element) refuse(names ...string) error {
	for _, n := range names {
		if e.attr(n) != "" {
			return failAt(e.line, "%s of <%s> is not understood: networks and machines do not change; leave it out", n,
				e.Name.Local)
		}
	}
	return nil
}

func (r *simgridReader) start(e element) error {
	name := e.Name.Local
	switch name {
	case "platform":
		if v, err := strconv.ParseFloat(e.attr("version"), 64); err == nil && v < 3 {
			return failAt(e.line, "version %s of the format has other units; simgrid_update_xml brings it up to date",
				e.attr("version"))
		}
		return nil
	case "zone", "AS":
		return r.startZone(e)
	case "config", "prop", "actor", "process", "argument", "disk", "storage", "storage_type", "mount", "trace", "random":
		r.property(e)
		if name != "prop" {
			if _, seen := r.ignored[name]; !seen {
				r.order = append(r.order, name)
				r.ignored[name] = e.line
			}
		}
		return r.xml.content(e, &struct{}{})
	case "cluster":
		return r.cluster(e)
	}
	if r.zone == nil {
		return failAt(e.line, "<%s> outside of a zone is not understood", short(name))
	}
	switch name {
	case "host", "router":
		return r.point(e)
	case "link":
		return r.link(e)
	case "backbone":
		return r.backbone(e)
	case "host_link":
		return r.hostLink(e)
	case "cabinet":
		if r.zone.routing != "Cluster" {
			return failAt(e.line, "a <cabinet> belongs in a zone with the routing Cluster")
		}
		return r.members(e)
	case "route", "zoneRoute", "ASroute":
		return r.startRoute(e)
	case "link_ctn":
		id, err := e.need("id")
		if err != nil {
			return err
		}
		if r.route == nil {
			return failAt(e.line, "<link_ctn> outside of a route is not understood")
		}
		r.route.crosses = append(r.route.crosses, crossing{id, e.attr("direction"), e.line})
		return nil
	}
	return failAt(e.line, "<%s> is not understood", short(name))
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

func (r *simgridReader) startZone(e element) error {
	id, err := e.need("id")
	if err != nil {
		return err
	}
	routing := e.attr("routing")
	switch routing {
	case "Full", "Floyd", "Dijkstra", "DijkstraCache", "Cluster", "None":
	default:
		return failAt(e.line, "the zone %s has the routing %q, which is not understood; want Full, Floyd, Dijkstra or "+
			"Cluster", short(id), short(routing))
	}
	r.zone, err = r.newZone(id, routing, e.line)
	return err
}

func (r *simgridReader) newZone(id, routing string, line int) (*zone, error) {
	if r.zones[id] {
		return nil, failAt(line, "there are two zones called %s", short(id))
	}
	r.zones[id] = true
	z := &zone{id: id, routing: routing, line: line, parent: r.zone, backbone: -1,
		steps: map[string]map[string]*zoneRoute{}, up: map[*netpoint]int{}, down: map[*netpoint]int{}}
	if r.zone != nil {
		z.depth = r.zone.depth + 1
	} else if r.root == nil {
		r.root = z
	}
	return z, nil
}

func (r *simgridReader) point(e element) error {
	id, err := e.need("id")
	if err == nil {
		err = e.refuse("speed_file", "availability_file", "state_file")
	}
	if err != nil {
		return err
	}
	_, err = r.addPoint(id, e.Name.Local == "host", e.line)
	return err
}

func (r *simgridReader) addPoint(id string, host bool, line int) (*netpoint, error) {
	if _, twice := r.points[id]; twice {
		return nil, failAt(line, "there are two hosts or routers called %s", short(id))
	}
	if len(r.points) == maxNodes {
		return nil, failAt(line, "the file has more than %d hosts; keep the part of the network that you need", maxNodes)
	}
	at := &netpoint{name: id, zone: r.zone, host: -1}
	if r.points[id] = at; host {
		at.host = len(r.p.Hosts)
		r.p.Hosts = append(r.p.Hosts, Host{Name: clean(id)})
	}
	return at, nil
}

func (r *simgridReader) link(e element) error {
	id, err := e.need("id")
	if err == nil {
		err = e.refuse("bandwidth_file", "latency_file", "state_file")
	}
	if err != nil {
		return err
	}
	_, err = r.addLink(e, id, "bandwidth", "latency", e.attr("sharing_policy"))
	return err
}

// unlimitedFrom is the bandwidth in bit/s, above all real ones, from which on a link counts as unlimited.
const unlimitedFrom = 8e18

// addLink adds a link, or the two links of a split one, and returns the first.
func (r *simgridReader) addLink(e element, id, rate, delay, policy string) (int, error) {
	if _, twice := r.links[id]; twice || r.fat[id] || r.split[id] {
		return 0, failAt(e.line, "there are two links called %s", short(id))
	}
	text, err := e.need(rate)
	if err != nil {
		return 0, err
	}
	bandwidth, _, err := rateOf(text, "B/s")
	if err != nil {
		return 0, failAt(e.line, "the link %s: %v", short(id), err)
	}
	if bandwidth >= unlimitedFrom {
		bandwidth = 0
	}
	text = e.attr(delay)
	if text == "" {
		text = "0"
	}
	latency, _, err := latencyOf(text, "s")
	if err != nil {
		return 0, failAt(e.line, "the link %s: %v", short(id), err)
	}
	l := PhysicalLink{Name: clean(id), Latency: latency, Bandwidth: bandwidth, Sharing: HalfDuplex}
	switch policy {
	case "", "SHARED":
		return r.named(l, id, e.line)
	case "FATPIPE":
		r.fat[id] = true // loopbacks are; an error only if a route between hosts crosses it
		return 0, nil
	case "SPLITDUPLEX", "FULLDUPLEX":
		r.split[id] = true
		l.Sharing = Shared
		l.Name = clean(id) + "_UP"
		up, err := r.named(l, id+"_UP", e.line)
		if err != nil {
			return 0, err
		}
		l.Name = clean(id) + "_DOWN"
		_, err = r.named(l, id+"_DOWN", e.line)
		return up, err
	}
	return 0, failAt(e.line, "the link %s has the sharing policy %s, which is not understood; want SHARED or SPLITDUPLEX",
		short(id), short(policy))
}

func (r *simgridReader) named(l PhysicalLink, id string, line int) (int, error) {
	if _, twice := r.links[id]; twice {
		return 0, failAt(line, "there are two links called %s", short(id))
	}
	if len(r.p.Links) == maxEdges {
		return 0, failAt(line, "the file has more than %d links; keep the part of the network that you need", maxEdges)
	}
	r.links[id] = len(r.p.Links)
	r.p.Links = append(r.p.Links, l)
	return len(r.p.Links) - 1, nil
}

func (r *simgridReader) backbone(e element) error {
	id, err := e.need("id")
	if err == nil && r.zone.backbone >= 0 {
		err = failAt(e.line, "the zone %s has a backbone already", short(r.zone.id))
	}
	if err == nil {
		r.zone.backbone, err = r.addLink(e, id, "bandwidth", "latency", "")
	}
	return err
}

func (r *simgridReader) hostLink(e element) error {
	at := r.points[e.attr("id")]
	if at == nil || at.zone != r.zone {
		return failAt(e.line, "<host_link> names the host %q, which its zone does not have", short(e.attr("id")))
	}
	if _, twice := r.zone.up[at]; twice {
		return failAt(e.line, "there are two <host_link> of %s", short(at.name))
	}
	for _, way := range []struct {
		key  string
		ends map[*netpoint]int
	}{{"up", r.zone.up}, {"down", r.zone.down}} {
		link, ok := r.links[e.attr(way.key)]
		if !ok {
			return failAt(e.line, "<host_link> of %s: there is no link %q", short(at.name), short(e.attr(way.key)))
		}
		way.ends[at] = link
	}
	return nil
}

// cluster reads a cluster, which is a zone of its own.
func (r *simgridReader) cluster(e element) error {
	id, err := e.need("id")
	if err != nil {
		return err
	}
	if t := e.attr("topology"); t != "" && t != "FLAT" {
		return failAt(e.line, "the cluster %s has the topology %s, which is not understood; want FLAT", short(id), short(t))
	}
	if e.attr("limiter_link") != "" {
		return failAt(e.line, "limiter_link of the cluster %s is not understood", short(id))
	}
	outer := r.zone
	if r.zone, err = r.newZone(id, "Cluster", e.line); err != nil {
		return err
	}
	defer func() { r.zone = outer }()
	if e.attr("bb_bw") != "" {
		if policy := e.attr("bb_sharing_policy"); policy != "" && policy != "SHARED" {
			return failAt(e.line, "bb_sharing_policy %s of the cluster %s is not understood; want SHARED",
				short(policy), short(id))
		}
		if r.zone.backbone, err = r.addLink(e, id+"_backbone", "bb_bw", "bb_lat", ""); err != nil {
			return err
		}
	}
	if err := r.members(e); err != nil {
		return err
	}
	router := e.attr("router_id")
	if router == "" {
		router = e.attr("prefix") + id + "_router" + e.attr("suffix")
	}
	_, err = r.addPoint(router, false, e.line)
	return err
}

// members adds the hosts of a cluster or cabinet, each with a line.
func (r *simgridReader) members(e element) error {
	numbers, err := radical(e.attr("radical"))
	if err != nil {
		return failAt(e.line, "radical: %v", err)
	}
	policy := e.attr("sharing_policy")
	switch policy {
	case "":
		policy = "SPLITDUPLEX"
	case "FATPIPE":
		return failAt(e.line, "the cluster %s has the sharing policy FATPIPE, which is not understood", short(e.attr("id")))
	}
	for _, n := range numbers {
		at, err := r.addPoint(e.attr("prefix")+strconv.Itoa(n)+e.attr("suffix"), true, e.line)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("%s_link_%d", e.attr("id"), n)
		if e.Name.Local == "cabinet" {
			name = "link_" + at.name
		}
		up, err := r.addLink(e, name, "bw", "lat", policy)
		if err != nil {
			return err
		}
		r.zone.up[at], r.zone.down[at] = up, len(r.p.Links)-1
	}
	return nil
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

func (r *simgridReader) startRoute(e element) error {
	z := &zoneRoute{zone: r.zone, line: e.line, in: e.attr("gw_src"), out: e.attr("gw_dst"),
		oneway: strings.EqualFold(e.attr("symmetrical"), "no")}
	var err error
	if z.src, err = e.need("src"); err == nil {
		z.dst, err = e.need("dst")
	}
	if err == nil && e.Name.Local != "route" && (z.in == "" || z.out == "") {
		err = failAt(e.line, "the route from %s to %s has no gw_src or no gw_dst", short(z.src), short(z.dst))
	}
	if err == nil && (r.zone.routing == "Cluster" || r.zone.routing == "None") {
		err = failAt(e.line, "a route in a zone with the routing %s is not understood", r.zone.routing)
	}
	if len(r.routes) == maxEdges {
		err = failAt(e.line, "the file has more than %d routes; a zone with the routing Dijkstra needs fewer", maxEdges)
	}
	r.route = z
	r.routes = append(r.routes, z)
	return err
}
