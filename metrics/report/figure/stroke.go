package figure

import (
	"math"
	"slices"
)

// dot is a position on a picture of dots, with y downwards.
type dot struct{ x, y float64 }

func (a dot) plus(b dot) dot                   { return dot{a.x + b.x, a.y + b.y} }
func (a dot) minus(b dot) dot                  { return dot{a.x - b.x, a.y - b.y} }
func (a dot) times(f float64) dot              { return dot{f * a.x, f * a.y} }
func (a dot) length() float64                  { return math.Hypot(a.x, a.y) }
func (a dot) towards(b dot, share float64) dot { return a.plus(b.minus(a).times(share)) }

// flatness is how far, in dots, a line may be from the curve that it approximates.
const flatness = 0.05

// appendFlat adds points on the Bézier curve with the given control points, four at most, without the first,
// that are close enough for straight lines between them.
func appendFlat(line, control []dot) []dot {
	degree, bend := len(control)-1, 0.0
	for i := range degree - 1 {
		bend = max(bend, control[i].towards(control[i+2], 0.5).minus(control[i+1]).length())
	}
	// The second derivative is at most degree (degree - 1) 2 bend; a chord over a span h of
	// the parameter is off by at most h^2/8 of it.
	pieces := math.Ceil(math.Sqrt(float64(degree*(degree-1)) * bend / (4 * flatness)))
	for i := 1.0; i < pieces; i++ {
		line = append(line, bezier(control, i/pieces))
	}
	return append(line, control[degree])
}

// bezier returns a point of the curve, by de Casteljau's algorithm.
func bezier(control []dot, at float64) dot {
	var points [4]dot
	for n := copy(points[:], control) - 1; n > 0; n-- {
		for i := range n {
			points[i] = points[i].towards(points[i+1], at)
		}
	}
	return points[0]
}

// dashed cuts a line into dashes, whose lengths alternate with those of the gaps. Without
// lengths it is the line itself.
func dashed(line []dot, lengths []float64) [][]dot {
	if len(lengths) == 0 {
		return [][]dot{line}
	}
	var out [][]dot
	dash := []dot{line[0]}
	k, left := 0, lengths[0] // where we are in the pattern
	for i, to := range line[1:] {
		from := line[i]
		for step := to.minus(from).length(); step > left; step = to.minus(from).length() {
			from = from.towards(to, left/step)
			if k%2 == 0 {
				out = append(out, append(dash, from))
			}
			k++
			dash, left = []dot{from}, lengths[k%len(lengths)]
		}
		left -= to.minus(from).length()
		dash = append(dash, to)
	}
	if k%2 == 0 {
		out = append(out, dash)
	}
	return out
}

// stroked returns the polygons that a pen of the given radius covers along a line: a box for
// each segment, and a sector on the outer side of each corner. Ends are blunt. All polygons
// turn the same way, so that they add up where they overlap.
func stroked(line []dot, radius float64) (polygons [][]dot) {
	line = slices.Compact(slices.Clone(line))
	var first, last dot // the sides of the first and the last segment, as far as the radius
	for i, to := range line[min(1, len(line)):] {
		from := line[i]
		along := to.minus(from)
		side := dot{-along.y, along.x}.times(radius / along.length())
		polygons = append(polygons, []dot{from.plus(side), to.plus(side), to.minus(side), from.minus(side)})
		if i == 0 {
			first = side
		} else {
			polygons = append(polygons, corner(from, last, side))
		}
		last = side
	}
	if n := len(line); n > 2 && line[0] == line[n-1] {
		polygons = append(polygons, corner(line[0], last, first))
	}
	return polygons
}

// corner returns the sector between two segments that meet at a dot, given their sides.
func corner(at, before, after dot) []dot {
	turn := math.Atan2(before.x*after.y-before.y*after.x, before.x*after.x+before.y*after.y)
	if turn > 0 { // the outer side is the other one; backwards, the sector turns as the others do
		before, turn = after.times(-1), -turn
	}
	sector := []dot{at}
	const step = math.Pi / 8
	pieces := max(1, math.Ceil(-turn/step))
	for i := 0.0; i <= pieces; i++ {
		sin, cos := math.Sincos(turn * i / pieces)
		sector = append(sector, at.plus(dot{cos*before.x - sin*before.y, sin*before.x + cos*before.y}))
	}
	return sector
}
