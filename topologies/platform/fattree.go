package platform

import (
	"fmt"

	"tallynet/sim"
)

// FatTreeConfig is a k-ary fat tree (Al-Fares, Loukissas, Vahdat, A scalable, commodity data
// center network architecture, SIGCOMM 2008): k pods of k/2 edge and k/2 aggregation switches,
// k/2 hosts at each edge switch, (k/2)^2 core switches.
type FatTreeConfig struct {
	K         int
	Bandwidth float64 // bit/s of a host's line, in each direction; 0 is unlimited
	// Oversubscription is the ratio of the rate of the hosts of an edge switch to that of its uplinks:
	// the lines above edge switches have Bandwidth / Oversubscription.
	Oversubscription float64
	Latency          sim.Time // of each line
}

// FatTree returns a k-ary fat tree of k^3/4 hosts, whose pods are the groups. The way up that a message takes
// depends on its receiver alone, as in D-mod-k routing (Zahavi, Fat-tree routing and node ordering providing
// contention free traffic for MPI global collectives, J. Parallel Distrib. Comput. 72, 2012), so that the hosts
// of an edge switch are reached by different ways.
func FatTree(c FatTreeConfig) (*Platform, error) {
	if c.K < 2 || c.K%2 != 0 {
		return nil, fmt.Errorf("want an even k of at least 2, got %d", c.K)
	}
	if c.Oversubscription < 1 {
		return nil, fmt.Errorf("want an oversubscription of at least 1, got %g", c.Oversubscription)
	}
	k := float64(c.K)
	if err := checkSize(fmt.Sprintf("a fat tree with k = %d", c.K), k*k*k/4, 6*k*k*k/4); err != nil {
		return nil, err
	}
	t := fatTree{half: c.K / 2, pods: c.K}
	p := &Platform{Name: fmt.Sprintf("fat tree, k = %d, %d hosts", c.K, t.hosts()), routes: t}
	line := pipe{c.Latency, c.Bandwidth}
	upper := pipe{c.Latency, c.Bandwidth / c.Oversubscription}
	for i := range t.hosts() {
		pod, edge := t.pod(i), t.edge(i)
		name := fmt.Sprintf("pod%d.edge%d.host%d", pod, edge, t.port(i))
		p.Hosts = append(p.Hosts, Host{Name: name, Group: pod})
		p.join(i, t.hosts()+pod*t.half+edge, name+".up", name+".down", line)
	}
	t.switches(p)
	for pod := range t.pods {
		for edge := range t.half {
			for agg := range t.half {
				name := fmt.Sprintf("pod%d.edge%d-agg%d", pod, edge, agg)
				p.join(t.hosts()+pod*t.half+edge, t.hosts()+(t.pods+pod)*t.half+agg, name+".up", name+".down", upper)
			}
		}
	}
	for pod := range t.pods {
		for agg := range t.half {
			for core := range t.half {
				name := fmt.Sprintf("pod%d.agg%d-core%d", pod, agg, agg*t.half+core)
				p.join(t.hosts()+(t.pods+pod)*t.half+agg, t.hosts()+2*t.pods*t.half+agg*t.half+core, name+".up",
					name+".down", upper)
			}
		}
	}
	return p, nil
}

// fatTree numbers hosts by pod, edge switch and port, and each layer of lines likewise.
type fatTree struct{ half, pods int }

func (t fatTree) hosts() int       { return t.pods * t.half * t.half }
func (t fatTree) pod(host int) int { return host / (t.half * t.half) }

func (t fatTree) edge(host int) int { return host / t.half % t.half }

func (t fatTree) port(host int) int { return host % t.half }

// switches names the edge, aggregation and core switches, in the order of their places.
func (t fatTree) switches(p *Platform) {
	for _, layer := range [...]string{"edge", "agg"} {
		for pod := range t.pods {
			for i := range t.half {
				p.switches = append(p.switches, fmt.Sprintf("pod%d.%s%d", pod, layer, i))
			}
		}
	}
	for i := range t.half * t.half {
		p.switches = append(p.switches, fmt.Sprintf("core%d", i))
	}
}

func (t fatTree) route(a, b int) (Route, error) {
	up, down := 2*a, 2*b+1
	if t.pod(a) == t.pod(b) && t.edge(a) == t.edge(b) {
		return Route{up, down}, nil
	}
	layer := 2 * t.hosts() // the first line of a layer; each layer has as many lines as there are hosts
	agg, core := t.port(b), t.edge(b)
	line := func(layer, pod, lower, upper int) int { return layer + 2*((pod*t.half+lower)*t.half+upper) }
	first, last := line(layer, t.pod(a), t.edge(a), agg), line(layer, t.pod(b), t.edge(b), agg)+1
	if t.pod(a) == t.pod(b) {
		return Route{up, first, last, down}, nil
	}
	return Route{up, first, line(2*layer, t.pod(a), agg, core), line(2*layer, t.pod(b), agg, core) + 1, last, down}, nil
}
