package platform

import (
	"cmp"
	"math"
	"slices"
)

// Sketch places the links of a platform in a drawing.
type Sketch struct {
	Places []Place // hosts, in their order, and then switches
	Lines  []Line
	Laid   bool // places have positions: their own, or in rings around the topmost switch
}

// Place is a host or a switch. Y points down.
type Place struct {
	Name string
	Host bool
	X, Y float64
}

// Line joins two places. There and Back are the links of its directions: -1 if there is none, the same link
// twice if both directions share it.
type Line struct{ A, B, There, Back int }

// Sketch returns the sketch of the platform; nil if routes are lists of links, whose ends are unknown.
func (p *Platform) Sketch() *Sketch {
	if p.arcs == nil {
		return nil
	}
	s := &Sketch{Lines: p.lines()}
	for i := range p.places() {
		s.Places = append(s.Places, Place{Name: p.place(i), Host: i < len(p.Hosts)})
	}
	if len(p.at) == len(s.Places) {
		for i, at := range p.at {
			s.Places[i].X, s.Places[i].Y = at[0], at[1]
		}
		s.Laid = true
		return s
	}
	if tiers := p.tiers(s.Lines); tiers != nil {
		s.rings(tiers)
	}
	return s
}

// lines pairs the directions between each two places.
func (p *Platform) lines() []Line {
	var lines []Line
	open := map[[2]int]int{} // by ends: lines without a way back so far
	for _, a := range p.arcs {
		if i, ok := open[[2]int{a.to, a.from}]; ok && a.from != a.to {
			lines[i].Back = a.link
			delete(open, [2]int{a.to, a.from})
			continue
		}
		open[[2]int{a.from, a.to}] = len(lines)
		lines = append(lines, Line{a.from, a.to, a.link, -1})
	}
	return lines
}

// tiers returns the number of lines between each place and the nearest host. It returns nil if a host does not
// have exactly one line, to a switch, or a switch cannot be reached.
func (p *Platform) tiers(lines []Line) []int {
	beside := make([][]int, p.places())
	for _, l := range lines {
		if l.A != l.B {
			beside[l.A], beside[l.B] = append(beside[l.A], l.B), append(beside[l.B], l.A)
		}
	}
	tier, queue := make([]int, p.places()), []int(nil)
	for i := range tier {
		tier[i] = -1
		if i < len(p.Hosts) {
			if len(beside[i]) != 1 || beside[i][0] < len(p.Hosts) {
				return nil
			}
			tier[i], queue = 0, append(queue, i)
		}
	}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for _, j := range beside[i] {
			if tier[j] < 0 {
				tier[j], queue = tier[i]+1, append(queue, j)
			}
		}
	}
	if slices.Contains(tier, -1) {
		return nil
	}
	return tier
}

// rings puts hosts on a circle and each higher tier of switches on a smaller one, near the places below.
func (s *Sketch) rings(tier []int) {
	below := make([][]int, len(s.Places))
	for _, l := range s.Lines {
		switch {
		case tier[l.A] < tier[l.B]:
			below[l.B] = append(below[l.B], l.A)
		case tier[l.B] < tier[l.A]:
			below[l.A] = append(below[l.A], l.B)
		}
	}
	top, turn := slices.Max(tier), make([]float64, len(tier))
	for t := range top + 1 {
		var ring []int
		for i := range tier {
			if tier[i] == t {
				ring = append(ring, i)
			}
		}
		want := make([]float64, len(tier)) // the mean of the places below
		for _, i := range ring {
			for _, j := range below[i] {
				want[i] += turn[j] / float64(len(below[i]))
			}
		}
		slices.SortStableFunc(ring, func(a, b int) int { return cmp.Compare(want[a], want[b]) })
		for k, i := range ring {
			turn[i] = (float64(k) + 0.5) / float64(len(ring))
			sin, cos := math.Sincos(2 * math.Pi * turn[i])
			r := radius(t, top, len(ring))
			s.Places[i].X, s.Places[i].Y = r*sin, -r*cos
		}
	}
	s.Laid = true
}

// radius returns the radius of a tier: 1 for the hosts, 0 for a single switch on top.
func radius(tier, top, places int) float64 {
	inner := 0.3
	switch {
	case tier == top && places == 1:
		inner = 0
	case top == 1: // nothing but gateways, with lines across
		inner = 0.7
	}
	return 1 - (1-inner)*float64(tier)/float64(max(1, top))
}
