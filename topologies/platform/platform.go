package platform

import (
	"fmt"

	"tallynet/sim"
)

// Sharing determines which messages share a link.
type Sharing uint8

// The kinds of links.
const (
	// Shared is one direction of a full-duplex pair, or a one-way link.
	Shared Sharing = iota
	// HalfDuplex is one link for both directions.
	HalfDuplex
	// Medium is a broadcast medium: one transmission reaches all neighbours and counts once.
	Medium
)

// String returns the kind as files write it.
func (s Sharing) String() string { return [...]string{"shared", "half-duplex", "medium"}[s] }

// PhysicalLink is a physical link. Connections whose routes cross it share its bandwidth.
type PhysicalLink struct {
	Name      string
	Latency   sim.Time
	Bandwidth float64 // bit/s; 0 is unlimited
	Sharing   Sharing
}

// Host is a machine on which nodes are placed.
type Host struct {
	Name  string
	Group int // its rack, pod, region or cell, from 0
}

// Route holds the indices of the links that a message crosses, in order. A link may occur twice, as the medium
// of a radio cell does between two of its stations.
type Route []int

// arc is one direction of a link, from one place to another. A half-duplex link has two, a medium one for each
// pair of places that hear each other.
type arc struct{ from, to, link int }

// router returns the routes of a platform. Several goroutines may use it.
type router interface {
	// route returns the route between two different hosts.
	route(a, b int) (Route, error)
}

// Platform consists of hosts, the links between them, and routes. It is immutable, so that goroutines can share
// it.
type Platform struct {
	Name  string
	Hosts []Host
	Links []PhysicalLink
	Notes []string // how a file was interpreted, and what was assumed

	switches []string     // the places after the hosts; the first is place len(Hosts)
	arcs     []arc        // nil: routes are lists of links, whose ends are unknown
	at       [][2]float64 // by place: its position; nil: unknown
	routes   router
}

// Route returns the links from host a to host b; from a host to itself there are none. The caller owns the
// slice. An error says why there is no route.
func (p *Platform) Route(a, b int) (Route, error) {
	for _, h := range [...]int{a, b} {
		if h < 0 || h >= len(p.Hosts) {
			return nil, fmt.Errorf("there is no host %d; hosts are 0 to %d", h, len(p.Hosts)-1)
		}
	}
	if a == b {
		return Route{}, nil
	}
	return p.routes.route(a, b)
}

// Groups returns the number of racks, pods, regions or cells.
func (p *Platform) Groups() int {
	n := 0
	for _, h := range p.Hosts {
		n = max(n, h.Group+1)
	}
	return n
}

// Host returns the index of the host with the name, or -1.
func (p *Platform) Host(name string) int {
	for i, h := range p.Hosts {
		if h.Name == name {
			return i
		}
	}
	return -1
}

// place returns the name of a host or switch.
func (p *Platform) place(i int) string {
	if i < len(p.Hosts) {
		return p.Hosts[i].Name
	}
	return p.switches[i-len(p.Hosts)]
}

// places returns the number of hosts and switches.
func (p *Platform) places() int { return len(p.Hosts) + len(p.switches) }

func (p *Platform) note(format string, args ...any) {
	p.Notes = append(p.Notes, fmt.Sprintf(format, args...))
}

// pipe has the common properties of the two directions of a line.
type pipe struct {
	latency   sim.Time
	bandwidth float64 // bit/s
}

// join adds a full-duplex line between two places. It returns the link from a to b; the next link is the other
// direction.
func (p *Platform) join(a, b int, there, back string, c pipe) int {
	first := len(p.Links)
	p.Links = append(p.Links, PhysicalLink{Name: there, Latency: c.latency, Bandwidth: c.bandwidth},
		PhysicalLink{Name: back, Latency: c.latency, Bandwidth: c.bandwidth})
	p.arcs = append(p.arcs, arc{a, b, first}, arc{b, a, first + 1})
	return first
}

// The limits of a platform. Each host takes some 200 bytes with its links.
const maxHosts, maxLinks = 1_000_000, 4_000_000

// checkSize returns an error if there are too many hosts or links.
func checkSize(what string, hosts, links float64) error {
	switch {
	case hosts < 1:
		return fmt.Errorf("%s: want at least 1 host, got %g", what, hosts)
	case hosts > maxHosts || links > maxLinks:
		return fmt.Errorf("%s would have %.0f hosts and %.0f links; the limit is %d hosts and %d links", what,
			hosts, links, maxHosts, maxLinks)
	}
	return nil
}
