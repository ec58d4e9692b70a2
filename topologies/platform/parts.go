package platform

import (
	"fmt"
	"slices"
	"strings"
)

// parts returns the connected components of the network as lists of places, the largest first. It ignores the
// direction of links.
func (p *Platform) parts() [][]int {
	root := make([]int, p.places())
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for _, a := range p.arcs {
		if i, j := find(a.from), find(a.to); i != j {
			root[max(i, j)] = min(i, j)
		}
	}
	index := map[int]int{}
	var parts [][]int
	for i := range root {
		r := find(i)
		if _, ok := index[r]; !ok {
			index[r] = len(parts)
			parts = append(parts, nil)
		}
		parts[index[r]] = append(parts[index[r]], i)
	}
	slices.SortStableFunc(parts, func(a, b []int) int { return len(b) - len(a) })
	return parts
}

// Components returns the number of connected components; 0 if routes are given as lists of links, whose ends
// are unknown.
func (p *Platform) Components() int {
	if p.arcs == nil && p.places() > 1 {
		return 0
	}
	return len(p.parts())
}

// noteParts notes which places cannot be reached.
func (p *Platform) noteParts() {
	parts := p.parts()
	if len(parts) < 2 {
		return
	}
	var names []string
	for _, i := range slices.Concat(parts[1:]...) {
		names = append(names, p.place(i))
	}
	more := ""
	if len(names) > 5 {
		names, more = names[:5], fmt.Sprintf(" and %d more", len(names)-5)
	}
	p.note("the network is disconnected: it has %d parts, and the largest does not reach %s%s (component: largest keeps "+
		"that part only)", len(parts), strings.Join(names, ", "), more)
}

// keepLargest drops all but the largest connected component.
func (p *Platform) keepLargest() {
	parts := p.parts()
	if len(parts) < 2 {
		return
	}
	before := p.places()
	slices.Sort(parts[0])
	place := make(map[int]int, len(parts[0])) // new numbers by old ones; hosts stay first
	kept := &Platform{Name: p.Name, Notes: p.Notes}
	for _, i := range parts[0] {
		place[i] = len(place)
		if i < len(p.Hosts) {
			kept.Hosts = append(kept.Hosts, p.Hosts[i])
		} else {
			kept.switches = append(kept.switches, p.place(i))
		}
	}
	link := map[int]int{}
	for _, a := range p.arcs {
		from, ok := place[a.from]
		if !ok {
			continue
		}
		if _, known := link[a.link]; !known {
			link[a.link] = len(kept.Links)
			kept.Links = append(kept.Links, p.Links[a.link])
		}
		kept.arcs = append(kept.arcs, arc{from, place[a.to], link[a.link]})
	}
	kept.note("%d places outside of the largest connected part are left out", before-len(place))
	*p = *kept
}
