package page

import (
	"tallynet/metrics/escape"
	"tallynet/metrics/report/result"
)

// Wiring is a drawing of the physical links of a run.
type Wiring struct {
	Places []Place
	Lines  []Line
}

// Place is a host, with the nodes that run on it, or a switch.
type Place struct {
	Name  string
	Host  bool
	At    Position
	Nodes []int
}

// Line joins two places. There and Back are the indices of the physical links from A to B and back in the run: -1
// if there is none, equal if both directions share a link.
type Line struct{ A, B, There, Back int }

// drawnWiring is a Wiring in the file.
type drawnWiring struct {
	X     column   `json:"x"` // by place
	Y     column   `json:"y"`
	Names []string `json:"names"`
	Hosts int      `json:"hosts"` // number of hosts, which come first
	Nodes [][]int  `json:"nodes"` // by host
	Lines [][4]int `json:"lines"` // ends, link there, link back
	Links []string `json:"links"` // names
	Rates column   `json:"rates"` // bit/s; NaN: unlimited
}

// wiredLoad is the traffic of the links of a wiring.
type wiredLoad struct {
	Wiring   int    `json:"wiring"` // of Wirings
	Bytes    column `json:"bytes"`
	Busy     column `json:"busy"`  // seconds
	Share    column `json:"share"` // of what they could have carried
	Messages column `json:"messages"`
}

// perWiredLink is the approximate number of numbers for a link in a detail.
const perWiredLink = 8

// wired returns the traffic of a run's physical links, and adds their wiring to the builder. It returns nil if
// their positions are unknown.
func (b *Builder) wired(r *result.Run) *wiredLoad {
	if b.options.Wiring == nil || len(r.PlatformLinks) == 0 {
		return nil
	}
	w := b.options.Wiring(r)
	if w == nil {
		return nil
	}
	var g drawnWiring
	for _, p := range w.Places {
		g.X, g.Y, g.Names = append(g.X, p.At.X), append(g.Y, p.At.Y), append(g.Names, escape.Name(p.Name))
		if p.Host {
			g.Hosts++
			g.Nodes = append(g.Nodes, append([]int{}, p.Nodes...))
		}
	}
	for _, l := range w.Lines {
		if max(l.There, l.Back) >= len(r.PlatformLinks) {
			return nil // a wiring of other links
		}
		g.Lines = append(g.Lines, [4]int{l.A, l.B, l.There, l.Back})
	}
	load := &wiredLoad{}
	for _, l := range r.PlatformLinks {
		g.Links, g.Rates = append(g.Links, escape.Name(l.Link)), append(g.Rates, l.BitsPerSecond)
		load.Bytes, load.Messages = append(load.Bytes, float64(l.Bytes)), append(load.Messages, float64(l.Messages))
		load.Busy, load.Share = append(load.Busy, l.Busy.Seconds()), append(load.Share, l.Utilisation)
	}
	load.Wiring = b.wirings.add(g)
	return load
}
