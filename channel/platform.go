package channel

import "fmt"

// Platform is a network of physical links. The directed links of the graph are connections over it.
type Platform struct {
	Links []PhysicalLink
	// Route returns the numbers of the physical links on the way from one node to another, in
	// order; none between nodes of one host. A link that occurs twice is crossed twice, at twice
	// the rate. A half-duplex link is on the routes of both directions; a full-duplex link is
	// two links.
	Route func(from, to int) ([]int, error)
	// Window limits each connection to this many bytes per round trip; 0: no limit.
	Window int64
}

// PhysicalLink is a physical link.
type PhysicalLink struct {
	Name          string
	BitsPerSecond int64
	// Medium marks a broadcast medium: a message for several receivers whose route is
	// this link alone crosses it once.
	Medium bool
}

// oneSwitch returns a non-blocking switch. Link 2i is the uplink of node i, link 2i + 1 its downlink.
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
