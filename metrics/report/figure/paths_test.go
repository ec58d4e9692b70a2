package figure

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func pathPlot() Plot {
	return Plot{Title: "paths", XLabel: "x", YLabel: "y", Paths: true, Series: []Series{
		{Label: "near", X: []float64{0, 1, 2, 3}, Y: []float64{0, 1, 1, 0}},
		{Label: "far", X: []float64{0, 0, 0}, Y: []float64{0, 50, 5000}},
	}}
}

func figureOf(p Plot) Figure { return Figure{Panels: []Plot{p}} }

func drawn(t *testing.T, p Plot) image.RGBA64Image {
	t.Helper()
	var b bytes.Buffer
	if err := figureOf(p).WritePNG(&b); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	return img.(image.RGBA64Image)
}

// of returns the number of dots of a colour, and the rightmost and uppermost dot.
func of(img image.RGBA64Image, c color.NRGBA) (dots int, right, top int) {
	r, g, b, _ := c.RGBA()
	top = img.Bounds().Max.Y
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			if p := img.RGBA64At(x, y); uint32(p.R) == r && uint32(p.G) == g && uint32(p.B) == b {
				dots, right, top = dots+1, max(right, x), min(top, y)
			}
		}
	}
	return dots, right, top
}

// Without a window the far path flattens the near one. With a window the near path fills
// the panel, and the far one is clipped at the frame, including its end.
func TestWindowOfPaths(t *testing.T) {
	p := pathPlot()
	all := drawn(t, p)
	p.Window = &Window{MinX: -1, MaxX: 4, MinY: -1, MaxY: 2}
	part := drawn(t, p)
	_, _, flat := of(all, lineColors[0])
	_, _, tall := of(part, lineColors[0])
	if height := part.Bounds().Dy(); flat < height/2 || tall > height/2 {
		t.Errorf("of %d rows the near path goes up to row %d, and without a window to row %d", height, tall, flat)
	}
	// Nothing of the far path may be higher than the first row of the frame.
	_, _, frameTop := of(part, ink)
	if _, _, top := of(part, lineColors[1]); top < frameTop {
		t.Errorf("the far path is drawn up to row %d, above the frame at row %d", top, frameTop)
	}
}

// A path has a marker at its end, whatever its course, and a mark has its name.
func TestEndsAndMarksOfPaths(t *testing.T) {
	p := pathPlot()
	p.Series = p.Series[:1]
	plain := p
	plain.Paths = false
	var with, without bytes.Buffer
	for _, c := range []struct {
		p Plot
		w *bytes.Buffer
	}{{p, &with}, {plain, &without}} {
		if err := figureOf(c.p).WriteSVG(c.w); err != nil {
			t.Fatal(err)
		}
	}
	// Four markers and the legend's marker, against a start, an end and the legend's marker.
	// Only circles consist of cubic curves.
	curves := func(b *bytes.Buffer) int { return strings.Count(b.String(), "C") }
	if a, b := curves(&with), curves(&without); a >= b {
		t.Errorf("%d curves with the ends marked, %d with all points", a, b)
	}
	one := drawn(t, p)
	p.Marks = []Mark{{"optimum", 5, 1}}
	two := drawn(t, p)
	_, before, _ := of(one, lineColors[0])
	if before == 0 {
		t.Fatal("no path")
	}
	// The mark lies to the right of all points, and widens the axis.
	_, after, _ := of(two, lineColors[0])
	if after >= before {
		t.Errorf("the path ends at column %d with a mark to its right, %d without", after, before)
	}
}

// A mark without a name is a ring at its place, also on logarithmic axes. Marks that these cannot show are left out.
func TestRingsOnLogarithmicAxes(t *testing.T) {
	p := Plot{LogX: true, LogY: true}
	p.Series = []Series{{Label: "a", X: []float64{1, 10, 100}, Y: []float64{1, 1e-3, 1e-6}}}
	svg := func() string {
		var b bytes.Buffer
		if err := figureOf(p).WriteSVG(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	plain := svg()
	p.Marks = []Mark{{X: 10, Y: 1e-3}, {X: 0, Y: 1}, {X: 1, Y: -1}, {X: math.NaN(), Y: 1}, {X: 1, Y: math.Inf(1)}}
	var l layout
	figureOf(p).gather(&l)
	if marks := l.panels[0].marks; !cmp.Equal(marks, []Mark{{X: 1, Y: -3}}) {
		t.Errorf("marks at %v, want one at the logarithms 1 and -3", marks)
	}
	if got, want := strings.Count(svg(), "C"), strings.Count(plain, "C")+4; got != want {
		t.Errorf("%d curves, want %d: one circle more, of four curves", got, want)
	}
}
