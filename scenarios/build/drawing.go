package build

import (
	"fmt"

	"tallynet/scenarios/spec"
	"tallynet/topologies"
	"tallynet/topologies/platform"
)

// Drawing is the physical network of a platform, laid out for a picture.
type Drawing struct {
	Places []DrawnPlace
	Lines  []platform.Line // between places, with the numbers of their links
}

// DrawnPlace is a host or a switch, and the nodes placed on it.
type DrawnPlace struct {
	Name  string
	Host  bool
	At    topologies.Position
	Nodes []int
}

// Draw lays out the physical network that a scenario has with a seed. It returns nil if each edge is a line of its
// own, if the platform has no layout, or if there are more than most places or 4 most lines.
func Draw(s *spec.Scenario, seed uint64, most int) (*Drawing, error) {
	p, hosts, err := wired(s, seed)
	if err != nil || p == nil || len(p.Hosts) > most {
		return nil, err
	}
	sketch := p.Sketch()
	if sketch == nil || len(sketch.Places) > most || len(sketch.Lines) > 4*most {
		return nil, nil
	}
	w := &Drawing{Lines: sketch.Lines}
	for _, place := range sketch.Places {
		w.Places = append(w.Places, DrawnPlace{place.Name, place.Host, topologies.Position{X: place.X, Y: place.Y}, nil})
	}
	for node, h := range hosts {
		w.Places[h].Nodes = append(w.Places[h].Nodes, node)
	}
	if sketch.Laid {
		return w, nil
	}
	return w, w.lay()
}

// wired returns the platform of a scenario and the host of each node. Nodes with network interfaces of their own are
// drawn on one switch. The platform is nil if there is none.
func wired(s *spec.Scenario, seed uint64) (*platform.Platform, []int, error) {
	p, err := s.BuildPlatform()
	if err != nil {
		return nil, nil, err
	}
	if p != nil {
		at := newSite(s, seed)
		hosts, err := at.Hosts(p, s.Place)
		return p, hosts, err
	}
	if !s.Network.Has("nic") {
		return nil, nil, nil
	}
	p, err = platform.Switch(platform.SwitchConfig{Hosts: s.Topology.Nodes})
	if err != nil {
		return nil, nil, err
	}
	hosts := make([]int, s.Topology.Nodes)
	for i := range hosts {
		hosts[i], p.Hosts[i].Name = i, fmt.Sprintf("node %d", i)
	}
	return p, hosts, nil
}

// lay places hosts and switches by the layout of the graph that they form.
func (w *Drawing) lay() error {
	var edges [][2]int
	joined := map[[2]int]bool{}
	for _, l := range w.Lines {
		ends := [2]int{min(l.A, l.B), max(l.A, l.B)}
		if l.A != l.B && !joined[ends] {
			joined[ends] = true
			edges = append(edges, ends)
		}
	}
	g, err := topologies.FromEdges(len(w.Places), edges)
	if err != nil {
		return err
	}
	for i, at := range g.Layout() {
		w.Places[i].At = at
	}
	return nil
}
