package platform

import (
	"fmt"
	"slices"

	"tallynet/sim"
)

// RegionsConfig describes regions with hosts and a link between each two regions.
type RegionsConfig struct {
	Latencies  *Matrix // from host to host; cells may have bandwidths
	Bandwidths *Matrix // nil: as in Latencies
	Hosts      int     // in each region
	NIC        float64 // bit/s from and to a host; 0 is unlimited
	RoundTrips bool    // the latencies are round trips: half of each is the latency
}

// Regions returns hosts in regions. A message crosses its sender's line, the link from one region to the other
// and its receiver's line. The latency of the link is that from host to host.
func Regions(c RegionsConfig) (*Platform, error) {
	m := c.Latencies
	n := len(m.Names)
	if b := c.Bandwidths; b != nil && len(b.Names) != n {
		return nil, fmt.Errorf("want bandwidths of %d regions, got %d", n, len(b.Names))
	}
	hosts := float64(n) * float64(c.Hosts)
	if err := checkSize("the regions", hosts, 2*hosts+float64(n*n)); err != nil {
		return nil, err
	}
	p := &Platform{Name: counted(n, "region", "regions"), Notes: m.Notes, switches: m.Names}
	routes := &regional{config: c, links: make([][]int32, n), names: m.Names}
	for i := range n * c.Hosts {
		region := i / c.Hosts
		name := m.Names[region]
		if c.Hosts > 1 {
			name = fmt.Sprintf("%s.%d", name, i%c.Hosts)
		}
		p.Hosts = append(p.Hosts, Host{Name: name, Group: region})
		p.join(i, n*c.Hosts+region, name+".up", name+".down", pipe{0, c.NIC})
	}
	if c.Hosts == 1 { // the host has the region's name
		p.switches = nil
		for _, name := range m.Names {
			p.switches = append(p.switches, name+".gateway")
		}
	}
	p.routes = routes
	return p, p.between(c, routes)
}

// between adds the links between regions.
func (p *Platform) between(c RegionsConfig, routes *regional) error {
	m, n := c.Latencies, len(c.Latencies.Names)
	unlimited, gaps := 0, 0
	for i := range n {
		routes.links[i] = make([]int32, n)
		for j := range n {
			cell := m.Cells[i][j]
			if c.Bandwidths != nil {
				cell.Bandwidth = c.Bandwidths.Cells[i][j].Bandwidth
			}
			if routes.links[i][j] = -1; cell.Latency < 0 {
				if i != j {
					gaps++
				}
				continue
			}
			if cell.Bandwidth < 0 {
				cell.Bandwidth = 0
				unlimited++
			}
			latency := cell.Latency
			if c.RoundTrips {
				latency -= latency / 2
			}
			if i == j && latency == 0 && cell.Bandwidth == 0 {
				continue
			}
			routes.links[i][j] = int32(len(p.Links))
			p.arcs = append(p.arcs, arc{n*c.Hosts + i, n*c.Hosts + j, len(p.Links)})
			p.Links = append(p.Links, PhysicalLink{Name: m.Names[i] + "->" + m.Names[j], Latency: latency,
				Bandwidth: cell.Bandwidth})
		}
	}
	if gaps > 0 {
		p.note("%s no latency: no link between them", counted(gaps, "pair of regions has", "pairs of regions have"))
	}
	if unlimited > 0 {
		p.note("%s no bandwidth in the file: unlimited, the hosts' lines are what limits",
			counted(unlimited, "link between regions has", "links between regions have"))
	}
	return nil
}

// regional routes over the link between two regions.
type regional struct {
	config RegionsConfig
	links  [][]int32 // by regions from and to; -1: none
	names  []string
}

func (r *regional) route(a, b int) (Route, error) {
	from, to := a/r.config.Hosts, b/r.config.Hosts
	link := int(r.links[from][to])
	switch {
	case link >= 0:
		return Route{2 * a, link, 2*b + 1}, nil
	case from == to:
		return Route{2 * a, 2*b + 1}, nil
	}
	return nil, fmt.Errorf("the table has no link from %s to %s", r.names[from], r.names[to])
}

// WirelessConfig describes stations that share radio cells.
type WirelessConfig struct {
	Positions [][]float64 // of the stations, each x and y in m
	Range     float64     // m: the largest distance at which stations hear each other
	Bandwidth float64     // bit/s of a cell, for all its stations together; 0 is unlimited
	Latency   sim.Time    // of a transmission
	// Access holds the positions of access points; nil: stations communicate directly.
	Access          [][]float64
	Backhaul        float64 // bit/s of the line from an access point to the others
	BackhaulLatency sim.Time
}

// Wireless returns stations in radio cells. Each cell is a half-duplex medium with one transmission at a time.
// Without access points, stations that reach each other, possibly over others, are one cell, and a message
// crosses the medium once per hop. With access points, each is a cell with the stations to which it is nearest:
// a message within a cell crosses the medium twice, to the access point and from there.
func Wireless(c WirelessConfig) (*Platform, error) {
	n := len(c.Positions)
	if err := checkSize("the radio network", float64(n), float64(n)); err != nil {
		return nil, err
	}
	for _, list := range [...][][]float64{c.Positions, c.Access} {
		for i, at := range list {
			if len(at) != 2 {
				return nil, fmt.Errorf("want x and y of each place, got %d numbers for place %d", len(at), i)
			}
		}
	}
	p := &Platform{Name: fmt.Sprintf("%d wireless stations", n)}
	for i := range n {
		p.Hosts = append(p.Hosts, Host{Name: fmt.Sprintf("station%d", i)})
	}
	var err error
	if c.Access == nil {
		err = p.adHoc(c)
	} else {
		err = p.cells(c)
	}
	p.routes, p.at = newShortest(p), c.positions()
	return p, err
}

// positions returns the positions of stations, access points, and their backhaul in the middle of these; y
// points down. It returns nil if all stations are at one place.
func (c *WirelessConfig) positions() [][2]float64 {
	var all [][2]float64
	apart := false
	for _, at := range slices.Concat(c.Positions, c.Access) {
		all = append(all, [2]float64{at[0], -at[1]})
		apart = apart || all[len(all)-1] != all[0]
	}
	if !apart {
		return nil
	}
	if n := len(c.Access); n > 1 {
		var mid [2]float64
		for _, at := range c.Access {
			mid[0] += at[0] / float64(n)
			mid[1] -= at[1] / float64(n)
		}
		all = append(all, mid)
	}
	return all
}

// near returns the square of the distance of two places, and whether they hear each other.
func (c *WirelessConfig) near(a, b []float64) (float64, bool) {
	x, y := a[0]-b[0], a[1]-b[1]
	d := float64(x*x) + float64(y*y)
	return d, d <= float64(c.Range*c.Range)
}

// adHoc makes a medium of each set of stations that reach each other.
func (p *Platform) adHoc(c WirelessConfig) error {
	for i := range p.Hosts {
		for j := range i {
			if _, ok := c.near(c.Positions[i], c.Positions[j]); ok {
				p.arcs = append(p.arcs, arc{i, j, 0}, arc{j, i, 0})
			}
		}
		if len(p.arcs) > maxLinks {
			return fmt.Errorf("more than %d pairs of stations hear each other", maxLinks/2)
		}
	}
	cell := make([]int, len(p.Hosts))
	for k, part := range p.parts() {
		p.Links = append(p.Links, PhysicalLink{Name: fmt.Sprintf("cell%d", k), Latency: c.Latency, Bandwidth: c.Bandwidth,
			Sharing: Medium})
		for _, i := range part {
			p.Hosts[i].Group, cell[i] = k, k
		}
	}
	for i := range p.arcs {
		p.arcs[i].link = cell[p.arcs[i].from]
	}
	if len(p.Links) > 1 {
		p.note("%d cells do not hear each other", len(p.Links))
	}
	return nil
}

// cells makes a medium of each access point, and joins them by lines to one switch.
func (p *Platform) cells(c WirelessConfig) error {
	n := len(p.Hosts)
	for k := range c.Access {
		p.switches = append(p.switches, fmt.Sprintf("access%d", k))
		p.Links = append(p.Links, PhysicalLink{Name: fmt.Sprintf("cell%d", k), Latency: c.Latency, Bandwidth: c.Bandwidth,
			Sharing: Medium})
	}
	for i := range p.Hosts {
		best, nearest := -1, 0.0
		for k, at := range c.Access {
			if d, ok := c.near(c.Positions[i], at); ok && (best < 0 || d < nearest) {
				best, nearest = k, d
			}
		}
		if best < 0 {
			return fmt.Errorf("station %d is out of the range of every access point", i)
		}
		p.Hosts[i].Group = best
		p.arcs = append(p.arcs, arc{i, n + best, best}, arc{n + best, i, best})
	}
	if len(c.Access) > 1 {
		p.switches = append(p.switches, "backhaul")
		for k := range c.Access {
			name := p.switches[k]
			p.join(n+k, n+len(c.Access), name+".up", name+".down", pipe{c.BackhaulLatency, c.Backhaul})
		}
	}
	return nil
}
