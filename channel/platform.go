package channel

import "fmt"

// Platform is a network of physical links, over which the directed links of the graph are
// connections.
type Platform struct {
	Links []PhysicalLink
	// Route returns the numbers of the physical links that messages from one node to another
	// cross, in order; none between nodes of one host. One that comes twice is crossed twice, at
	// twice the rate. A half-duplex link is on the routes of
	// both directions, a full-duplex one is two links.
	Route func(from, to int) ([]int, error)
	// Window limits each connection to so many bytes a round trip; 0: no limit.
	Window int64
}

// PhysicalLink is a physical link.
type PhysicalLink struct {
	Name          string
	BitsPerSecond int64
	// Medium is true for a broadcast medium: a message for several receivers whose route is
	// this link alone crosses it once.
	Medium bool
}

// oneSwitch is a switch that never blocks: link 2i is the uplink of node i, 2i + 1 its downlink.
func oneSwitch(nics []NIC, nodes int) *Platform {
	p := &Platform{Route: func(from, to int) ([]int, error) { return []int{2 * from, 2*to + 1}, nil }}
	for i := range nodes {
		nic := nics[min(i, len(nics)-1)]
		p.Links = append(p.Links,
			PhysicalLink{Name: fmt.Sprintf("node %d up", i), BitsPerSecond: nic.UpBitsPerSecond},
			PhysicalLink{Name: fmt.Sprintf("node %d down", i), BitsPerSecond: nic.DownBitsPerSecond})
	}
	return p
}
