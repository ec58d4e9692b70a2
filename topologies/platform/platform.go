package platform

import (
	"fmt"

	"tallynet/sim"
)

// Sharing says who sends over a link.
type Sharing uint8

// What a link is.
const (
	// Shared is one direction of a full-duplex pair, or a one-way link.
	Shared Sharing = iota
	// HalfDuplex is one link for both directions.
	HalfDuplex
	// Medium is a broadcast medium: one transmission reaches all neighbours and is counted once.
	Medium
)

// Link is a physical link. Connections whose routes cross it share its bandwidth.
type Link struct {
	Name      string
	Latency   sim.Time
	Bandwidth float64 // bit/s; 0 is unlimited
	Sharing   Sharing
}

// Host is a machine that nodes are placed on.
type Host struct {
	Name string
}

// Route is the indices of the links that a message crosses, in order.
type Route []int

// router knows the routes of a platform. It may be asked by several goroutines.
type router interface {
	route(a, b int) (Route, error)
}

// Platform is hosts, the links between them, and the routes of messages. It never changes once
// it is made, so it can be shared between goroutines.
type Platform struct {
	Name   string
	Hosts  []Host
	Links  []Link
	Notes  []string // what was understood and what was assumed where a file left it open
	routes router
}

// Route returns the links from host a to host b; from a host to itself there are none. The
// slice is the caller's. An error says why there is no route.
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
