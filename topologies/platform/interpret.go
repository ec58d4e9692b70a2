package platform

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"tallynet/sim"
)

// GraphConfig has the assumptions for values that a graph file leaves open.
type GraphConfig struct {
	Latency       sim.Time // of a link without a latency and without positions of its ends
	Bandwidth     float64  // in bit/s, of a link without a speed; 0: unlimited
	LatencyUnit   string   // of latencies that are plain numbers; "": ms, with a note
	BandwidthUnit string   // of bandwidths that are plain numbers; "": guessed from the number, with a note
	HalfDuplex    bool     // both directions share each link
	BothWays      bool     // a one-way edge is a link in both directions
	Largest       bool     // keep the largest connected part only
}

// kmPerSecond is the speed of light in fibre, about two thirds of that in vacuum.
const kmPerSecond = 200_000

// interpreter turns a draft into a platform.
type interpreter struct {
	GraphConfig
	draft *draft
	p     *Platform
	place []int           // of each node
	ends  map[[2]int]bool // of all edges, from and to
	links []mergedLink
	known map[mergedKey]int // of a line, by where it lies
	tally tally
}

// mergedLink is a link into which parallel edges are merged.
type mergedLink struct {
	mergedKey
	latency   sim.Time
	bandwidth float64
	edges     int
}

// mergedKey identifies the edges of one link: those with the same ends, or of the same medium.
type mergedKey struct {
	from, to int // places
	sharing  Sharing
	name     string // of the link, "" if the file has none; a medium has a name and the ends 0, 0
}

// interpret makes a platform of a draft.
func interpret(name string, d *draft, c GraphConfig) (*Platform, error) {
	r := &interpreter{GraphConfig: c, draft: d, known: map[mergedKey]int{}, ends: map[[2]int]bool{},
		p: &Platform{Name: name, Notes: d.notes}}
	r.placeNodes()
	d.edges = slices.DeleteFunc(d.edges, func(e draftEdge) bool {
		words, planned := e.isPlanned()
		if planned {
			r.tally.count("%s planned and not built: left out", "edge is", "edges are", words)
		}
		return planned
	})
	for _, e := range d.edges {
		r.ends[[2]int{e.from, e.to}] = true
	}
	copies := r.copies()
	var media []arc // of lines
	for i := range d.edges {
		e := &d.edges[i]
		switch {
		case e.from == e.to:
			r.tally.count("%s a node to itself: left out", "edge joins", "edges join", r.name(e.from))
			continue
		case copies && e.from > e.to:
			continue
		}
		more, err := r.edge(e)
		if err != nil {
			return nil, err
		}
		media = append(media, more...)
	}
	r.makeLinks(media)
	r.p.Notes = append(r.p.Notes, r.tally.notes()...)
	if c.Largest {
		r.p.keepLargest()
	}
	r.p.routes = newShortest(r.p)
	r.p.noteParts()
	return r.p, nil
}

// placeNodes turns the nodes into hosts and switches, hosts first.
func (r *interpreter) placeNodes() {
	d := r.draft
	isSwitch := make([]bool, len(d.nodes))
	hosts := 0
	for i, n := range d.nodes {
		kind, _ := first(n.attrs, "kind", "type", "role")
		isSwitch[i] = kind == "switch" || kind == "router" || n.attrs["hyperedge"] == "1"
		if !isSwitch[i] {
			hosts++
		}
		if _, text, ok := position(n.attrs); text != "" && !ok {
			r.tally.count("%s a place that is not on the globe: left out", "node has", "nodes have", text)
		}
	}
	r.place = make([]int, len(d.nodes))
	names := map[string]bool{}
	for i, n := range d.nodes {
		if name := r.unique(n, names); isSwitch[i] && hosts > 0 {
			r.place[i] = hosts + len(r.p.switches)
			r.p.switches = append(r.p.switches, name)
		} else {
			r.place[i] = len(r.p.Hosts)
			r.p.Hosts = append(r.p.Hosts, Host{Name: name})
		}
	}
	r.groups()
}

// unique returns a name that no other node has: the label of the node, or its id.
func (r *interpreter) unique(n draftNode, names map[string]bool) string {
	label, _ := first(n.attrs, "label", "name")
	name := cmp.Or(clean(label), clean(n.id))
	if names[name] {
		r.tally.count("%s the name of another one: the id is added", "node has", "nodes have", name)
		for base, k := name, 0; names[name]; k++ {
			if name = base + " (" + clean(n.id) + ")"; k > 0 {
				name = fmt.Sprintf("%s (%s.%d)", base, clean(n.id), k)
			}
		}
	}
	names[name] = true
	return name
}

// groups sets the groups of hosts if the file has one for each host.
func (r *interpreter) groups() {
	groups := make([]int, len(r.p.Hosts))
	for i, n := range r.draft.nodes {
		if at := r.place[i]; at < len(groups) {
			g, err := strconv.Atoi(n.attrs["group"])
			if err != nil || g < 0 || g >= len(groups) {
				return
			}
			groups[at] = g
		}
	}
	for i, g := range groups {
		r.p.Hosts[i].Group = g
	}
}

func (r *interpreter) name(node int) string { return r.p.place(r.place[node]) }

// copies reports whether the file has each undirected edge twice, once in each direction and with the same
// values. Such edges are not parallel.
func (r *interpreter) copies() bool {
	edges := r.draft.edges
	seen := map[[2]int]*draftEdge{}
	for i := range edges {
		e := &edges[i]
		if e.directed || seen[[2]int{e.from, e.to}] != nil {
			return false
		}
		seen[[2]int{e.from, e.to}] = e
	}
	for i := range edges {
		back := seen[[2]int{edges[i].to, edges[i].from}]
		if back == nil || back == &edges[i] || !sameValues(back.attrs, edges[i].attrs) {
			return false
		}
	}
	if len(edges) > 2 {
		r.p.note("each undirected edge is in the file twice, once from each end: read once")
	}
	return len(edges) > 2
}

// sameValues reports whether two edges have the same attributes, except for their ends and ids.
func sameValues(a, b map[string]string) bool {
	values := func(attrs map[string]string) map[string]string {
		v := maps.Clone(attrs)
		for _, key := range [...]string{"source", "target", "id", "key"} {
			delete(v, key)
		}
		return v
	}
	return maps.Equal(values(a), values(b))
}

// edge adds an edge to its links. For a medium it returns the arcs.
func (r *interpreter) edge(e *draftEdge) ([]arc, error) {
	latency, err := r.latency(e)
	if err != nil {
		return nil, err
	}
	bandwidth, err := r.bandwidth(e)
	if err != nil {
		return nil, err
	}
	from, to := r.place[e.from], r.place[e.to]
	link := mergedLink{latency: latency, bandwidth: bandwidth}
	link.name = clean(e.attrs["link"])
	switch sharing := e.attrs["sharing"]; {
	case sharing == "medium" && link.name != "":
		link.sharing = Medium
		i := r.merge(link)
		arcs := []arc{{from, to, i}}
		if !e.directed {
			arcs = append(arcs, arc{to, from, i})
		}
		return arcs, nil
	case r.HalfDuplex || sharing == "half-duplex":
		link.from, link.to, link.sharing = min(from, to), max(from, to), HalfDuplex
		r.merge(link)
	default:
		link.from, link.to = from, to
		r.merge(link)
		if !e.directed || r.BothWays && !r.ends[[2]int{e.to, e.from}] {
			link.from, link.to, link.name = to, from, ""
			r.merge(link)
		}
	}
	return nil, nil
}

// merge merges a link with an earlier one between the same places, if there is one, and returns its index.
func (r *interpreter) merge(l mergedLink) int {
	key := l.mergedKey
	if l.sharing != Medium {
		key.name = ""
	}
	i, ok := r.known[key]
	if !ok {
		r.known[key] = len(r.links)
		l.edges = 1
		r.links = append(r.links, l)
		return len(r.links) - 1
	}
	old := &r.links[i]
	old.latency = min(old.latency, l.latency)
	if l.sharing == Medium {
		return i
	}
	old.edges++
	if old.bandwidth == 0 || l.bandwidth == 0 {
		old.bandwidth = 0
	} else {
		old.bandwidth += l.bandwidth
	}
	return i
}

// makeLinks makes the links of the platform, and notes what was merged.
func (r *interpreter) makeLinks(media []arc) {
	oneway := 0
	for i, l := range r.links {
		from, to := "", ""
		if l.sharing != Medium {
			from, to = r.p.place(l.from), r.p.place(l.to)
		}
		back := false
		switch l.sharing {
		case Shared:
			l.name = cmp.Or(l.name, from+"->"+to)
			r.p.arcs = append(r.p.arcs, arc{l.from, l.to, i})
			if _, back = r.known[mergedKey{from: l.to, to: l.from}]; !back {
				oneway++
			}
		case HalfDuplex:
			l.name = cmp.Or(l.name, from+"--"+to)
			r.p.arcs = append(r.p.arcs, arc{l.from, l.to, i}, arc{l.to, l.from, i})
		}
		if l.edges > 1 && (!back || l.from < l.to) {
			r.tally.count("%s parallel edges, merged: the bandwidths are added, the smallest latency is kept",
				"pair of places has", "pairs of places have", fmt.Sprintf("%d between %s and %s", l.edges, from, to))
		}
		r.p.Links = append(r.p.Links, PhysicalLink{Name: l.name, Latency: l.latency, Bandwidth: l.bandwidth,
			Sharing: l.sharing})
	}
	if oneway > 0 {
		r.tally.add(oneway, "%s one way: the file has no edge back (direction: both makes each edge both directions)",
			"link is", "links are", "")
	}
	r.p.arcs = append(r.p.arcs, media...)
}

// latency returns the latency of an edge: that in the file, or that which follows from its length, or the
// default.
func (r *interpreter) latency(e *draftEdge) (sim.Time, error) {
	for i, names := range [...][]string{latencyNames, roundTripNames} {
		text, unit := timed(e.attrs, names)
		if text == "" {
			continue
		}
		unit = cmp.Or(unit, r.LatencyUnit)
		t, needed, err := latencyOf(text, cmp.Or(unit, "ms"))
		if err != nil {
			return 0, r.ofEdge(e, err)
		}
		if needed && unit == "" {
			r.tally.count("%s a latency without a unit, read as milliseconds (latency_unit sets another)", "edge has",
				"edges have", text)
		}
		if i == 1 {
			r.tally.count("%s a round trip, of which half is the latency", "edge has", "edges have", text)
			t -= t / 2
		}
		return t, nil
	}
	if km, ok, err := r.length(e); err != nil || ok {
		return sim.Span(km / kmPerSecond), r.ofEdge(e, err)
	}
	r.tally.count("%s neither a latency nor places at both ends: %v assumed", "edge has", "edges have",
		r.name(e.from)+" to "+r.name(e.to), r.Latency)
	return r.Latency, nil
}

// length returns the length of an edge in km.
func (r *interpreter) length(e *draftEdge) (float64, bool, error) {
	if text, name := first(e.attrs, "distance", "dist", "length", "distancekm", "distkm", "lengthkm", "km"); text != "" {
		v, unit, ok := number(text)
		kilometres := map[string]float64{"": 1, "km": 1, "m": 1e-3, "mi": 1.609344, "miles": 1.609344}
		scale, known := kilometres[strings.ToLower(unit)]
		if ok && known && v < 0 {
			return 0, false, fmt.Errorf("the length %s is negative; it must be at least 0", text)
		}
		if ok && known {
			if unit == "" && !strings.HasSuffix(name, "km") {
				r.tally.count("%s a length without a unit, read as km", "edge has", "edges have", text)
			}
			r.tally.count("%s a length but no latency: length / 200,000 km/s", "edge has", "edges have", text)
			return v * scale, true, nil
		}
	}
	a, _, okA := position(r.draft.nodes[e.from].attrs)
	b, _, okB := position(r.draft.nodes[e.to].attrs)
	if !okA || !okB {
		return 0, false, nil
	}
	r.tally.count("%s no latency: the distance of its ends on the globe / 200,000 km/s", "edge has", "edges have",
		r.name(e.from)+" to "+r.name(e.to))
	return greatCircle(a, b), true, nil
}

// bandwidth returns the bandwidth of an edge: that in the file, or the default.
func (r *interpreter) bandwidth(e *draftEdge) (float64, error) {
	if text := e.attrs["linkspeedraw"]; !missing(text) {
		switch v, err := strconv.ParseFloat(text, 64); {
		case err == nil && v > 0 && !math.IsInf(v, 0):
			return v, r.ofEdge(e, checkRate(v, text))
		case v != 0: // words and zeros say nothing
			return 0, r.ofEdge(e, fmt.Errorf("the bandwidth %s must be a number above 0", text))
		}
	}
	if speed, unit := e.attrs["linkspeed"], e.attrs["linkspeedunits"]; !missing(speed) && !missing(unit) {
		bits, _, err := rateOf(speed, unit)
		return bits, r.ofEdge(e, err)
	}
	if text, unit := timed(e.attrs, rateNames); text != "" {
		return r.stated(e, text, unit)
	}
	odd := ""
	for _, name := range rateLabels {
		if odd == "" && unknownRate(e.attrs[name]) {
			odd = e.attrs[name]
		}
		text := e.attrs[name]
		if strings.HasPrefix(name, "link") {
			text = zooBytes.ReplaceAllString(text, "${1}b")
		}
		bits, open := labelRate(text)
		if bits == 0 {
			continue
		}
		if text != e.attrs[name] {
			r.tally.count("%s a speed in B, read as bits, as the Topology Zoo means it", "link label has",
				"link labels have", e.attrs[name])
		}
		if open {
			r.tally.count("%s a speed that is a bound or several, read as its smallest number", "label has", "labels have",
				strings.TrimSpace(e.attrs[name]))
		}
		return bits, nil
	}
	between := r.name(e.from) + " to " + r.name(e.to)
	if odd != "" {
		r.tally.count("%s a speed in its label with a unit that is not known; want bit/s, kbit/s, Mbit/s, Gbit/s, Tbit/s "+
			"or MB/s: %v assumed", "edge has", "edges have", fmt.Sprintf("%q, %s", short(odd), between),
			rateText(r.Bandwidth))
		return r.Bandwidth, nil
	}
	r.tally.count("%s no speed: %v assumed", "edge has", "edges have", between, rateText(r.Bandwidth))
	return r.Bandwidth, nil
}

// stated reads the value of a bandwidth attribute.
func (r *interpreter) stated(e *draftEdge, text, unit string) (float64, error) {
	unit = cmp.Or(unit, r.BandwidthUnit)
	standard := cmp.Or(unit, "bit/s")
	if v, own, _ := number(text); unit == "" && own == "" && v < 1e5 {
		standard = "Mbit/s"
	}
	bits, needed, err := rateOf(text, standard)
	if err != nil {
		if bits, _ := labelRate(text); bits > 0 {
			r.tally.count("%s a speed in words", "edge has", "edges have", text)
			return bits, nil
		}
		return 0, r.ofEdge(e, err)
	}
	if needed && unit == "" {
		r.tally.count("%s a bandwidth without a unit, read as "+standard+" (bandwidth_unit sets another)", "edge has",
			"edges have", text)
	}
	return bits, nil
}

// ofEdge adds the edge, and its line if it is known, to an error.
func (r *interpreter) ofEdge(e *draftEdge, err error) error {
	if err == nil {
		return nil
	}
	return failAt(e.line, "the edge from %s to %s: %v", r.name(e.from), r.name(e.to), err)
}
