package figure

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/image/vector"
	"gonum.org/v1/plot/vg"
)

// turned returns the area of a polygon, positive if it turns as y turns towards x.
func turned(polygon []dot) (area float64) {
	for i, a := range polygon {
		b := polygon[(i+1)%len(polygon)]
		area += (a.y*b.x - a.x*b.y) / 2
	}
	return area
}

func TestStrokeCoversTheLine(t *testing.T) {
	const radius = 2
	box := func(length float64) float64 { return 2 * radius * length }
	sector := math.Pi / 4 * radius * radius // of a right angle
	square := []dot{{0, 0}, {10, 0}, {10, 10}, {0, 10}, {0, 0}}
	for _, c := range []struct {
		name string
		line []dot
		want float64 // with what overlaps at inner corners counted twice
	}{
		{"a point", []dot{{3, 4}}, 0},
		{"the same point twice", []dot{{3, 4}, {3, 4}}, 0},
		{"a segment", []dot{{1, 2}, {4, 6}}, box(5)},
		{"straight on", []dot{{0, 0}, {5, 0}, {5, 0}, {9, 0}}, box(9)},
		{"a turn to the left", []dot{{0, 0}, {5, 0}, {5, -7}}, box(12) + sector},
		{"a turn to the right", []dot{{0, 0}, {5, 0}, {5, 7}}, box(12) + sector},
		{"back", []dot{{0, 0}, {5, 0}, {0, 1e-9}}, box(10) + 2*sector},
		{"a closed line", square, box(40) + 4*sector},
	} {
		area := 0.0
		for _, p := range stroked(c.line, radius) {
			if a := turned(p); a < -1e-9 {
				t.Errorf("%s: a polygon turns the other way: %v", c.name, p)
			} else {
				area += a
			}
		}
		if !(math.Abs(area-c.want) <= 0.03*radius*radius*math.Pi) { // arcs are of straight pieces
			t.Errorf("%s: area %g, want %g", c.name, area, c.want)
		}
	}
}

func TestDashes(t *testing.T) {
	line := []dot{{0, 0}, {4, 0}, {4, 6}}
	got := dashed(line, []float64{3, 2})
	want := [][]dot{{{0, 0}, {3, 0}}, {{4, 1}, {4, 4}}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(dot{})); diff != "" {
		t.Errorf("3 on, 2 off: (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([][]dot{line}, dashed(line, nil), cmp.AllowUnexported(dot{})); diff != "" {
		t.Errorf("a solid line: (-want +got)\n%s", diff)
	}
}

func TestCircle(t *testing.T) {
	three, five := vg.Length(3).Dots(pngDotsPerInch), vg.Length(5).Dots(pngDotsPerInch)
	centre, radius := dot{five, three}, three
	for _, at := range (shape{path: circle(vg.Point{X: 5, Y: 7}, 3)}).lines(10, pngDotsPerInch)[0] {
		if r := at.minus(centre).length(); !(math.Abs(r-radius) <= 0.001*radius) {
			t.Errorf("%v is %g from the centre, want %g", at, r, radius)
		}
	}
	bow := []dot{{0, 0}, {50, 100}, {100, 0}} // a parabola that rises to 50
	last := bow[0]
	for _, at := range appendFlat(nil, bow) {
		middle := last.towards(at, 0.5)
		if height := 2 * middle.x * (1 - middle.x/100); !(math.Abs(height-middle.y) <= flatness*1.001) {
			t.Errorf("the line from %v to %v is %g off the curve", last, at, height-middle.y)
		}
		last = at
	}
}

// TestPartlyCoveredDots: a dot has the share of the colour that is covered.
func TestPartlyCoveredDots(t *testing.T) {
	picture := painted(8, 4, [][]dot{{{1, 1}, {3.5, 1}, {3.5, 9}, {1, 9}}}, nil,
		[][]dot{{{20, 20}, {30, 20}, {30, 30}}}) // outside
	for x, want := range []uint8{255, 0, 0, 127, 255} {
		if got := picture.RGBAAt(x, 2).G; !(math.Abs(float64(got)-float64(want)) <= 1) {
			t.Errorf("dot %d: %d, want %d", x, got, want)
		}
		if got := picture.RGBAAt(x, 0).G; got != 255 {
			t.Errorf("dot %d above: %d", x, got)
		}
	}
}

// painted puts together the rows of a picture with black areas.
func painted(width, height int, areas ...[][]dot) *image.RGBA {
	var black []area
	for _, a := range areas {
		black = append(black, newArea(color.Black, a))
	}
	whole := image.NewRGBA(image.Rect(0, 0, width, height))
	if err := paint(black, width, height, func(rows *image.RGBA) error {
		draw.Draw(whole, rows.Bounds(), rows, rows.Bounds().Min, draw.Src)
		return nil
	}); err != nil {
		panic(err)
	}
	return whole
}

// TestBandsMeet: polygons over many bands are coloured as by a rasterizer of the whole picture, those
// that cross a band between their corners, and those that are partly outside of the picture, included.
func TestBandsMeet(t *testing.T) {
	const size = 5 * bandRows
	zigzag := []dot{{-9, 3}, {70, 7}, {5, 33.3}, {60, size + 20}, {size + 30, -20}, {40, bandRows}, {20, 3 * bandRows}}
	for name, polygons := range map[string][][]dot{
		"one box":  {{{2.5, 1.25}, {60, 1.25}, {60, 77.75}, {2.5, 77.75}}},
		"diagonal": stroked([]dot{{1, 1}, {size - 1, size - 1}}, 1.5),
		"zigzag":   stroked(zigzag, 2),
		"edges":    {{{3, bandRows}, {50, bandRows}, {50, 2 * bandRows}, {3, 2 * bandRows}}},
	} {
		const width, height = size, size - 1 // the last band has a row less
		got, want := painted(width, height, polygons), image.NewRGBA(image.Rect(0, 0, width, height))
		draw.Draw(want, want.Rect, image.White, image.Point{}, draw.Src)
		whole := vector.NewRasterizer(1000, size) // beyond 512 it computes in floating point, which is exacter
		for _, polygon := range polygons {
			whole.MoveTo(float32(polygon[0].x), float32(polygon[0].y))
			for _, d := range polygon[1:] {
				whole.LineTo(float32(d.x), float32(d.y))
			}
			whole.ClosePath()
		}
		whole.Draw(want, want.Rect, image.NewUniform(black), image.Point{})
		coloured := 0
		for i, w := range want.Pix {
			if w < 255 {
				coloured++
			}
			if !(math.Abs(float64(got.Pix[i])-float64(w)) <= 10) { // a small rasterizer rounds positions
				t.Fatalf("%s: %d at %d, %d, want %d", name, got.Pix[i], i/4%width, i/4/width, w)
			}
		}
		if coloured < size {
			t.Errorf("%s: %d dots compared", name, coloured)
		}
	}
}
