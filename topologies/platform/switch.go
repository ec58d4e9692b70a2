package platform

import (
	"fmt"

	"tallynet/sim"
)

// SwitchConfig describes hosts on one non-blocking switch.
type SwitchConfig struct {
	Hosts    int
	Up, Down float64  // bit/s from and to a host; 0 is unlimited
	Latency  sim.Time // from host to host: half on the way up, the rest on the way down
}

// Switch returns hosts on one non-blocking switch. Host i has the links 2i, up, and 2i+1, down.
func Switch(c SwitchConfig) (*Platform, error) {
	if err := checkSize("a switch", float64(c.Hosts), 2*float64(c.Hosts)); err != nil {
		return nil, err
	}
	p := &Platform{Name: fmt.Sprintf("switch with %d hosts", c.Hosts), switches: []string{"switch"}, routes: star{}}
	for i := range c.Hosts {
		name := fmt.Sprintf("host%d", i)
		p.Hosts = append(p.Hosts, Host{Name: name})
		up := p.join(i, c.Hosts, name+".up", name+".down", pipe{c.Latency / 2, c.Up})
		p.Links[up+1].Bandwidth, p.Links[up+1].Latency = c.Down, c.Latency-c.Latency/2
	}
	return p, nil
}

// star routes over the switch.
type star struct{}

func (star) route(a, b int) (Route, error) { return Route{2 * a, 2*b + 1}, nil }

// RacksConfig describes racks of hosts whose switches are joined by one non-blocking core switch.
type RacksConfig struct {
	Racks, Hosts              int // hosts in each rack
	NIC, Uplink               float64
	NICLatency, UplinkLatency sim.Time // of the lines from a host to its switch, and from there to the core
}

// Racks returns racks of hosts. A message within a rack crosses the lines of two hosts; one to another rack
// also crosses the uplinks of both racks.
func Racks(c RacksConfig) (*Platform, error) {
	racks, hosts := float64(c.Racks), float64(c.Racks)*float64(c.Hosts)
	if err := checkSize("racks", hosts, 2*(hosts+racks)); err != nil {
		return nil, err
	}
	p := &Platform{Name: fmt.Sprintf("%d racks of %d hosts", c.Racks, c.Hosts), routes: racked(c)}
	n := c.Racks * c.Hosts
	core := n + c.Racks
	for i := range n {
		rack := i / c.Hosts
		name := fmt.Sprintf("rack%d.host%d", rack, i%c.Hosts)
		p.Hosts = append(p.Hosts, Host{Name: name, Group: rack})
		p.join(i, n+rack, name+".up", name+".down", pipe{c.NICLatency, c.NIC})
	}
	for r := range c.Racks {
		name := fmt.Sprintf("rack%d", r)
		p.switches = append(p.switches, name)
		p.join(n+r, core, name+".up", name+".down", pipe{c.UplinkLatency, c.Uplink})
	}
	p.switches = append(p.switches, "core")
	return p, nil
}

// racked routes within a rack, or over the core.
type racked RacksConfig

func (c racked) route(a, b int) (Route, error) {
	from, to := a/c.Hosts, b/c.Hosts
	if from == to {
		return Route{2 * a, 2*b + 1}, nil
	}
	uplinks := 2 * c.Racks * c.Hosts
	return Route{2 * a, uplinks + 2*from, uplinks + 2*to + 1, 2*b + 1}, nil
}
