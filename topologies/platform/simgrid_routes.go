package platform

import (
	"cmp"
	"container/heap"
	"fmt"
	"maps"
	"slices"
	"sync"
)

// finish resolves the names in routes, and completes the platform.
func (r *simgridReader) finish() (*Platform, error) {
	if len(r.p.Hosts) == 0 {
		return nil, failAt(r.xml.line(), "the file has no hosts")
	}
	for _, route := range r.routes {
		r.resolve(route)
		r.add(route)
		if !route.oneway && route.src != route.dst {
			r.add(r.reversed(route))
		}
		if r.err != nil {
			return nil, r.err
		}
	}
	r.p.note("speeds of hosts are not taken from the file: compute has them")
	groups := map[*zone]int{}
	for i, at := range r.hosts {
		if _, ok := groups[at.zone]; !ok {
			groups[at.zone] = len(groups)
		}
		r.p.Hosts[i].Group = groups[at.zone]
	}
	r.p.routes = &zoned{p: r.p, hosts: r.hosts}
	r.noteApart()
	return r.p, nil
}

// noteApart notes how many of the first thousand hosts have no route from the first.
func (r *simgridReader) noteApart() {
	const asked = 1000
	apart, first := 0, ""
	for i := 1; i < min(asked, len(r.p.Hosts)); i++ {
		if _, err := r.p.Route(0, i); err != nil {
			if apart++; apart == 1 {
				first = r.p.Hosts[i].Name
			}
		}
	}
	if apart > 0 {
		r.p.note("%s no route from %s (first: %s)", counted(apart, "host has", "hosts have"), r.p.Hosts[0].Name, first)
	}
}

// resolve looks up the netpoints and links that a route names.
func (r *simgridReader) resolve(route *zoneRoute) {
	what := fmt.Sprintf("the route from %s to %s", short(route.src), short(route.dst))
	for _, id := range [...]string{route.src, route.dst} {
		if r.points[id] == nil && (route.in == "" || !r.zones[id]) {
			r.fail(route.line, "%s: there is no %s", what, short(id))
		}
	}
	if route.in == "" {
		route.in, route.out = route.src, route.dst
	}
	route.leave, route.enter = r.points[route.in], r.points[route.out]
	if route.leave == nil || route.enter == nil {
		r.fail(route.line, "%s: there is no host or router %s or %s to pass through", what, short(route.in),
			short(route.out))
	}
	for _, c := range route.crosses {
		link, ok := r.links[c.link]
		if one, directed := r.links[c.link+"_"+c.direction]; directed && (c.direction == "UP" || c.direction == "DOWN") {
			link, ok = one, true // a link for both directions has no direction
		}
		switch {
		case !ok:
			r.fail(c.line, "%s goes over the link %s, which the file does not have", what, short(c.link))
		case link == split:
			r.fail(c.line, "%s: the link %s is split; write direction=\"UP\" or \"DOWN\"", what, short(c.link))
		case link == fatpipe && route.src == route.dst:
			continue
		case link == fatpipe:
			r.fail(c.line, "%s goes over the link %s, whose sharing policy FATPIPE is not understood; want SHARED or "+
				"SPLITDUPLEX", what, short(c.link))
		}
		route.links = append(route.links, link)
	}
}

// reversed returns the way back of a symmetrical route: its links in reverse order, split ones in the other
// direction.
func (r *simgridReader) reversed(route *zoneRoute) *zoneRoute {
	back := &zoneRoute{zone: route.zone, src: route.dst, dst: route.src, leave: route.enter,
		enter: route.leave, line: route.line}
	for _, link := range slices.Backward(route.links) {
		if other, ok := r.other[link]; ok {
			link = other
		}
		back.links = append(back.links, link)
	}
	return back
}

// add adds a route to its zone. Like SimGrid, it refuses a second one.
func (r *simgridReader) add(route *zoneRoute) {
	steps := route.zone.steps
	if steps[route.src] == nil {
		steps[route.src] = map[string]*zoneRoute{}
	}
	if first := steps[route.src][route.dst]; first != nil {
		r.fail(route.line, "there is a route from %s to %s already, on line %d; remove one, or write "+
			"symmetrical=\"NO\" on both if each is for one direction", short(route.src), short(route.dst), first.line)
	}
	steps[route.src][route.dst] = route
}

// zoned routes as the zones of the file do: within the smallest zone around both hosts, and in the zones
// between.
type zoned struct {
	p     *Platform
	hosts []*netpoint
	mu    sync.Mutex // guards the trees of zones
}

func (w *zoned) route(a, b int) (Route, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r, err := w.way(nil, w.hosts[a], w.hosts[b], 0)
	if err != nil {
		return nil, fmt.Errorf("there is no way from %s to %s: %w", w.p.Hosts[a].Name, w.p.Hosts[b].Name, err)
	}
	return r, nil
}

// way appends the links from one netpoint to another.
func (w *zoned) way(r Route, a, b *netpoint, depth int) (Route, error) {
	if a == b {
		return r, nil
	}
	if depth > 4*maxDepth {
		return nil, fmt.Errorf("the routes of zones never end")
	}
	in, from, to := common(a, b)
	if in == nil {
		return nil, fmt.Errorf("no zone is around both")
	}
	if in.routing == "Cluster" {
		return in.cross(r, a, b), nil
	}
	steps, err := in.path(from, to)
	if err != nil {
		return nil, err
	}
	at := a
	for _, s := range steps {
		if r, err = w.way(r, at, s.leave, depth+1); err != nil {
			return nil, err
		}
		r = append(r, s.links...)
		at = s.enter
	}
	return w.way(r, at, b, depth+1)
}

// common returns the smallest zone around two netpoints, and their vertices in it: the netpoints themselves, or
// the nested zones that contain them.
func common(a, b *netpoint) (in *zone, from, to string) {
	x, y := a.zone, b.zone
	from, to = a.name, b.name
	for x != y {
		if x == nil || y != nil && y.depth > x.depth {
			to, y = y.id, y.parent
		} else {
			from, x = x.id, x.parent
		}
	}
	return x, from, to
}

// cross appends the route through a cluster: up, over the backbone, down. A router has no line.
func (z *zone) cross(r Route, a, b *netpoint) Route {
	if line, ok := z.lines[a]; ok {
		r = append(r, line[0])
	}
	if z.backbone >= 0 {
		r = append(r, z.backbone)
	}
	if line, ok := z.lines[b]; ok {
		r = append(r, line[1])
	}
	return r
}

// path returns the routes that lead from one vertex of the zone to another.
func (z *zone) path(from, to string) ([]*zoneRoute, error) {
	if direct := z.steps[from][to]; direct != nil && z.routing == "Full" {
		return []*zoneRoute{direct}, nil
	}
	if z.routing == "Full" || z.routing == "None" {
		return nil, fmt.Errorf("the zone %s (line %d) has no route from %s to %s", z.id, z.line, from, to)
	}
	if z.from != from || z.tree == nil {
		z.search(from)
	}
	var steps []*zoneRoute
	for at := to; at != from; at = z.tree[at] {
		before, ok := z.tree[at]
		if !ok {
			return nil, fmt.Errorf("the routes of the zone %s (line %d) do not lead from %s to %s", z.id, z.line, from, to)
		}
		steps = append(steps, z.steps[before][at])
	}
	slices.Reverse(steps)
	return steps, nil
}

// search finds the paths from a vertex that cross the fewest links, as SimGrid does. Ties go to the lowest name
// of the vertex before.
func (z *zone) search(from string) {
	z.from, z.tree = from, map[string]string{}
	cost := map[string]int{from: 0}
	var todo frontier[vertex]
	heap.Push(&todo, vertex{0, from})
	done := map[string]bool{}
	for len(todo) > 0 {
		at := heap.Pop(&todo).(vertex)
		if done[at.name] {
			continue
		}
		done[at.name] = true
		for _, next := range slices.Sorted(maps.Keys(z.steps[at.name])) {
			s := z.steps[at.name][next]
			c, known := cost[next]
			d := at.cost + len(s.links)
			if done[next] || known && (d > c || d == c && z.tree[next] <= at.name) {
				continue
			}
			cost[next], z.tree[next] = d, at.name
			heap.Push(&todo, vertex{d, next})
		}
	}
}

type vertex struct {
	cost int
	name string
}

func (v vertex) Less(o vertex) bool {
	return cmp.Or(cmp.Compare(v.cost, o.cost), cmp.Compare(v.name, o.name)) < 0
}
