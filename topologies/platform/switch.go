package platform

import (
	"fmt"

	"tallynet/sim"
)

// SwitchConfig is hosts on one switch that never blocks.
type SwitchConfig struct {
	Hosts    int
	Up, Down float64  // bit/s from and to a host; 0 is unlimited
	Latency  sim.Time // from host to host: half of it on the way up, the rest on the way down
}

// Switch returns hosts on one non-blocking switch. Host i has the links 2i, up, and 2i+1, down.
func Switch(c SwitchConfig) (*Platform, error) {
	if c.Hosts < 1 {
		return nil, fmt.Errorf("want at least 1 host, got %d", c.Hosts)
	}
	p := &Platform{Name: fmt.Sprintf("switch with %d hosts", c.Hosts), routes: star{}}
	for i := range c.Hosts {
		name := fmt.Sprintf("host%d", i)
		p.Hosts = append(p.Hosts, Host{Name: name})
		p.Links = append(p.Links, Link{Name: name + ".up", Latency: c.Latency / 2, Bandwidth: c.Up},
			Link{Name: name + ".down", Latency: c.Latency - c.Latency/2, Bandwidth: c.Down})
	}
	return p, nil
}

// star routes over the switch.
type star struct{}

func (star) route(a, b int) (Route, error) { return Route{2 * a, 2*b + 1}, nil }
