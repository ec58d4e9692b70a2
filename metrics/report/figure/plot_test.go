package figure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics/report/quantity"
	"tallynet/sim/golden"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/plot/vg"
)

// decay returns a line that falls from 1e-2 to about the given floor.
func decay(label string, points int, rate, floor, xStep float64) Series {
	s := Series{Label: label}
	for k := range points {
		s.X = append(s.X, float64(k)*xStep)
		s.Y = append(s.Y, 1e-2*math.Exp(-rate*float64(k))+floor*(1+0.1*math.Sin(float64(k))))
	}
	return s
}

// pictures are figures that the package must draw well; each has a golden file.
func pictures() map[string]Figure {
	panel := func(title, x string, unit *quantity.Unit, logX bool, steps ...float64) Plot {
		return Plot{
			Title: title, XLabel: x, YLabel: "‖∇Φ‖²", XUnit: unit, LogX: logX, LogY: true,
			Series: []Series{decay("DAGM", 120, 0.05, 3e-6, steps[0]), decay("DGBO (b = 5)", 90, 0.09, 1e-6, steps[1]),
				decay("DGTBO", 60, 0.12, 4e-7, steps[2])},
		}
	}
	noise := rand.New(rand.NewPCG(1, 2))
	noisy := Series{Label: "noisy, 200,000 points"}
	for k := range 200_000 {
		noisy.X = append(noisy.X, float64(k))
		noisy.Y = append(noisy.Y, math.Sin(float64(k)/3e4)+0.2*noise.NormFloat64())
	}
	var many []Series
	for i := range 12 {
		many = append(many, decay(fmt.Sprintf("method %d with a longer name", i+1), 50, 0.02*float64(i+1), 1e-9, 1))
	}
	nan, inf := math.NaN(), math.Inf(1)
	return map[string]Figure{
		"tiles": {Title: "Who is best where", Panels: []Plot{{XLabel: "latency", YLabel: "uplink", Tiles: &Tiles{
			X: []string{"1 ms", "10 ms, a name that is too long for its column", "100 ms"}, Y: []string{"1 Gbit/s", "1 Mbit/s"},
			Tiles: []Tile{{0, 0, 0, false, []string{"DAGM", "1.4×"}}, {1, 0, 1, true, []string{"DGBO (b = 5)", "= DGTBO"}},
				{2, 0, 4, false, []string{"a method with a name too long", "12×"}}, {0, 1, -1, false, []string{"none arrives"}},
				{1, 1, 0, false, nil}}}}}},
		"convergence": {Title: "Convergence to the same accuracy", ShareY: true, Panels: []Plot{
			panel("", "outer iterations", nil, false, 1, 1, 1),
			panel("", "payload", &quantity.InBytes, true, 3.1e5, 4.5e7, 8.8e7),
			panel("", "simulated time", &quantity.InSeconds, false, 0.011, 0.019, 0.034),
		}},
		"single": {Panels: []Plot{{
			Title: "Consensus error", XLabel: "outer iterations", YLabel: "consensus error of x, mean over nodes",
			LogX: true, LogY: true,
			Series: []Series{decay("DAGM", 3000, 0.002, 1e-13, 1), decay("DGBO", 3000, 0.004, 1e-10, 1)},
		}}},
		"many": {Title: "A dozen methods, whose names are long, " +
			"under a title that does not fit on a single line of the figure", Panels: []Plot{{
			XLabel: "outer iterations", YLabel: "objective", LogY: true, Series: many,
		}}},
		"small": {Panels: []Plot{{XLabel: "k", YLabel: "f", LogY: true,
			Series: []Series{decay("a", 9, 1, 1e-9, 1), decay("b", 20, 0.5, 1e-9, 1)}}}},
		"noisy": {Panels: []Plot{{XLabel: "iterations", YLabel: "loss", Series: []Series{noisy}}}},
		"trouble": {Title: "What goes wrong", Columns: 3, Panels: []Plot{
			{Title: "gaps", XLabel: "k", YLabel: "y", LogY: true, Series: []Series{
				{Label: "diverges", X: []float64{0, 1, 2, 3, 4, 5, 6}, Y: []float64{1, 10, 1e3, nan, 1e6, 1e9, inf}},
				{Label: "hits zero", X: []float64{0, 1, 2, 3, 4}, Y: []float64{1, 0.1, 0, -1, 0.01}}}},
			{Title: "a single point", XLabel: "k", YLabel: "y",
				Series: []Series{{Label: "diverges", X: []float64{3}, Y: []float64{2.5}}}},
			{Title: "nothing", XLabel: "k", YLabel: "y", LogX: true,
				Series: []Series{{Label: "hits zero", X: nil, Y: nil}, {Label: "diverges", X: []float64{0}, Y: []float64{1}}}},
			{Title: "equal values", XLabel: "k", YLabel: "y",
				Series: []Series{{Label: "diverges", X: []float64{0, 1, 2}, Y: []float64{7, 7, 7}}}},
			{Title: "equal, on a log axis", XLabel: "k", YLabel: "y", LogY: true,
				Series: []Series{{Label: "diverges", X: []float64{0, 1, 2}, Y: []float64{3e-5, 3e-5, 3e-5}}}},
			{Title: "all zero", XLabel: "k", YLabel: "y",
				Series: []Series{{Label: "hits zero", X: []float64{0, 1, 2}, Y: []float64{0, 0, 0}}}},
			{Title: "part of a decade", XLabel: "k", YLabel: "y", LogY: true,
				Series: []Series{{Label: "diverges", X: []float64{0, 1, 2}, Y: []float64{2.31e-4, 2.34e-4, 2.4e-4}}}},
			{Title: "two decades", XLabel: "k", YLabel: "y", LogX: true, LogY: true,
				Series: []Series{{Label: "hits zero", X: []float64{1, 10, 40}, Y: []float64{20, 300, 900}}}},
			{Title: "sixty decades", XLabel: "k", YLabel: "y", LogX: true, LogY: true,
				Series: []Series{{Label: "hits zero", X: []float64{1e-30, 1, 1e30}, Y: []float64{1e-200, 1, 1e100}}}},
			{Title: "huge and negative", XLabel: "elements", YLabel: "y",
				Series: []Series{{Label: "diverges", X: []float64{0, 2.5e9, 5e9}, Y: []float64{-3e-7, 2e-7, 5e-7}}}},
			{Title: "near-equal", XLabel: "bytes", XUnit: &quantity.InBytes, YLabel: "y", YUnit: &quantity.InSeconds,
				Series: []Series{{Label: "diverges", X: []float64{0, 2.5e9, 5e9}, Y: []float64{1.00001, 1.00002, 1.00003}}}},
			{Title: "the largest", XLabel: "k", YLabel: "y",
				Series: []Series{{Label: "hits zero", X: []float64{0, 1, 2}, Y: []float64{-1e300, 0, 1e300}}}},
		}},
	}
}

// A description in words represents most pictures, since outlines take hundreds
// of kilobytes; one picture is compared exactly.
func TestPictureGoldens(t *testing.T) {
	var said strings.Builder
	all := pictures()
	if folder := os.Getenv("RENDER_LOOK"); folder != "" {
		lookAt(t, folder, "names", spoken())
		w := spoken()
		w.Width, w.FontSize = 246, 7
		lookAt(t, folder, "column", w)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		layout, err := all[name].layout()
		if err != nil {
			t.Fatal(err)
		}
		layout.say(&said, name)
		var b bytes.Buffer
		if err := all[name].WriteSVG(&b); err != nil {
			t.Fatal(err)
		}
		if b.Len() > 500_000 {
			t.Errorf("%s.svg has %d bytes", name, b.Len())
		}
		if err := xml.Unmarshal(b.Bytes(), new(struct{})); err != nil {
			t.Errorf("%s.svg is not valid XML: %v", name, err)
		}
		if folder := os.Getenv("RENDER_LOOK"); folder != "" {
			lookAt(t, folder, name, all[name])
		}
		if name == "small" {
			golden.Check(t, "testdata/small.svg", b.String())
		}
	}
	golden.Check(t, "testdata/pictures.txt", said.String())
}

// say describes in words what a figure shows.
func (l *layout) say(w *strings.Builder, name string) {
	fmt.Fprintf(w, "%s, %.0f x %.0f pt\n", name, l.width, l.height)
	for _, line := range l.title {
		fmt.Fprintf(w, "  title   %s\n", line)
	}
	for _, p := range l.panels {
		fmt.Fprintf(w, "  panel   %s\n", p.title)
		for _, a := range []struct {
			which, name string
			*axis
		}{{"x", p.xName, &p.x}, {"y", p.yName, &p.y}} {
			var labels []string
			for _, t := range a.ticks {
				if t.label != "" {
					labels = append(labels, t.label)
				}
			}
			fmt.Fprintf(w, "    %s     %s: %s %s\n", a.which, a.label(a.name), strings.Join(labels, " "), a.factor)
		}
	}
	for _, row := range l.legend {
		w.WriteString("  legend ")
		for _, e := range row {
			fmt.Fprintf(w, " [%s]", e.label)
		}
		w.WriteString("\n")
	}
	for _, line := range l.remarks {
		fmt.Fprintf(w, "  remark  %s\n", line)
	}
}

// writers are the figure formats by extension.
var writers = map[string]func(Figure, io.Writer) error{
	".svg": Figure.WriteSVG, ".png": Figure.WritePNG, ".pdf": Figure.WritePDF, ".tikz": Figure.WriteTikZ,
}

// lookAt writes pictures to DIR for visual inspection: RENDER_LOOK=DIR go test.
func lookAt(t *testing.T, folder, name string, figure Figure) {
	t.Helper()
	for ending, write := range writers {
		var b bytes.Buffer
		if err := write(figure, &b); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name+ending), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSameDataSameBytes(t *testing.T) {
	picture := pictures()["convergence"]
	for name, write := range writers {
		var first, second bytes.Buffer
		for _, b := range []*bytes.Buffer{&first, &second} {
			if err := write(picture, b); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("two %s files of one figure differ", name)
		}
	}
}

func TestPNGIsPrintable(t *testing.T) {
	var b bytes.Buffer
	if err := pictures()["convergence"].WritePNG(&b); err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := picture.Bounds().Dx(), 1577; got != want { // 516 pt at 220 dots per inch
		t.Errorf("%d pixels wide, want %d", got, want)
	}
	if _, opaque := picture.(*image.RGBA); !opaque { // the decoder returns RGBA for a file without transparency
		t.Errorf("a picture of type %T may be transparent", picture)
	}
}

// Large pictures have a lower resolution, so that they fit into memory.
func TestResolution(t *testing.T) {
	for _, c := range []struct {
		width, height vg.Length
		want          int
	}{{516, 700, 220}, {3000, 1000, 207}, {3000, 4000, 103}, {1e6, 1e6, 1}} {
		if got := resolution(c.width, c.height); got != c.want {
			t.Errorf("%v x %v pt: %d dots per inch, want %d", c.width, c.height, got, c.want)
		}
	}
}

func TestFigureErrors(t *testing.T) {
	if err := (Figure{}).WriteSVG(io.Discard); err == nil {
		t.Error("a figure without panels was drawn")
	}
	cause := errors.New("full")
	for ending, write := range writers {
		if err := write(pictures()["single"], failing{cause}); !errors.Is(err, cause) {
			t.Errorf("%s: %v, want %v", ending, err, cause)
		}
	}
	defer func() {
		if message, _ := recover().(string); !strings.HasPrefix(message, "figure: series") {
			t.Errorf("panic %q", message)
		}
	}()
	err := figureOf(Plot{Series: []Series{{Label: "bad", X: []float64{1}}}}).WriteSVG(io.Discard)
	t.Errorf("returned %v", err)
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestTickLabels(t *testing.T) {
	wide := func([]tick) bool { return true }
	for _, c := range []struct {
		lo, hi float64
		log    bool
		unit   *quantity.Unit
		want   string
	}{
		{0, 100, false, nil, "0 20 40 60 80 100"},
		{0, 2.5e9, false, &quantity.InBytes, "0 0.5 1.0 1.5 2.0 2.5 [GB]"},
		{0, 0.02, false, &quantity.InSeconds, "0 5 10 15 20 [ms]"},
		{0, 45000, false, nil, "0 10,000 20,000 30,000 40,000"},
		{0, 3e6, false, nil, "0 0.5 1.0 1.5 2.0 2.5 3.0 ×10⁶"},
		{-2e-5, 2e-5, false, nil, "−20 −10 0 10 20 ×10⁻⁶"},
		{-6, 0, true, nil, "10⁻⁶ 10⁻⁵ 10⁻⁴ 10⁻³ 10⁻² 10⁻¹ 10⁰"},
		{0, 3, true, nil, "1 10 100 1,000"},
		{3, 9, true, &quantity.InBytes, "10³ 10⁴ 10⁵ 10⁶ 10⁷ 10⁸ 10⁹ [B]"},
		{math.Log10(3e-5), math.Log10(3e-4), true, nil, "5×10⁻⁵ 10⁻⁴ 2×10⁻⁴"},
		{math.Log10(2.31e-4), math.Log10(2.4e-4), true, nil, "2.32×10⁻⁴ 2.34×10⁻⁴ 2.36×10⁻⁴ 2.38×10⁻⁴ 2.40×10⁻⁴"},
	} {
		a := newAxis(span{c.lo, c.hi, true}, c.log, c.unit)
		a.setTicks(wide)
		var got []string
		for _, tick := range a.ticks {
			if tick.label != "" {
				got = append(got, tick.label)
			}
		}
		if a.suffix != "" {
			got = append(got, "["+a.suffix+"]")
		}
		if a.factor != "" {
			got = append(got, a.factor)
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("[%g, %g] log=%v: %s, want %s", c.lo, c.hi, c.log, got, c.want)
		}
	}
}

// A label states the value at its tick: on random axes, the parsed label gives the
// tick's position.
func TestTicksStandAtTheirValues(t *testing.T) {
	draws := rand.New(rand.NewPCG(3, 4))
	digits := strings.NewReplacer("⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7",
		"⁸", "8", "⁹", "9", "⁻", "-", "−", "-", ",", "")
	for range 2000 {
		log := draws.IntN(2) == 0
		lo := draws.NormFloat64() * math.Pow(10, float64(draws.IntN(14)-7))
		width := math.Pow(10, float64(draws.IntN(14)-7))
		a := newAxis(span{lo, lo + width, true}, log, nil)
		if log {
			lo := draws.Float64()*40 - 20
			a = newAxis(span{lo, lo + math.Pow(10, draws.Float64()*3-2), true}, true, nil)
		}
		a.setTicks(apart(150, func(t tick) vg.Length { return 4 * vg.Length(len([]rune(t.label))) }))
		if labels(a.ticks) == 0 && !log {
			t.Errorf("[%g, %g]: no labels", a.lo, a.hi)
		}
		for _, tick := range a.ticks {
			if tick.label == "" {
				continue
			}
			mantissa, power, found := strings.Cut(tick.label+a.factor, "×10")
			if !found && strings.HasPrefix(tick.label, "10") && strings.ContainsAny(tick.label, superscripts) {
				mantissa, power = "1", strings.TrimPrefix(tick.label, "10")
			}
			if power == "" {
				power = "0"
			}
			var m, p float64
			if _, err := fmt.Sscan(digits.Replace(mantissa)+" "+digits.Replace(power), &m, &p); err != nil {
				t.Fatalf("label %q %q: %v", tick.label, a.factor, err)
			}
			v := m * math.Pow(10, p)
			if log {
				v = math.Log10(v)
			}
			if !(math.Abs(a.position(v)-tick.at) <= 1e-6) || tick.at < -1e-9 || tick.at > 1+1e-9 {
				t.Errorf("[%g, %g] log=%v: label %q %q stands at %g, want %g", a.lo, a.hi, log, tick.label, a.factor,
					tick.at, a.position(v))
			}
		}
	}
}

// Any numbers give a figure a layout: ticks are few, ordered, inside the axis, and do not
// overlap.
func TestAnyNumbersCanBeDrawn(t *testing.T) {
	extreme := []float64{0, 5e-324, 1e-310, 1e-300, 1e-12, 0.1, 1, 1 + 1e-15, 9.99e5, 1e6, 1e15, 1e299, 1e300, 1e301,
		math.MaxFloat64, math.NaN(), math.Inf(1), -1, -1e-300, -1e300}
	units := []*quantity.Unit{nil, &quantity.InBytes, &quantity.InSeconds}
	draws := rand.New(rand.NewPCG(7, 8))
	for i := range 3000 {
		p := Plot{LogX: draws.IntN(2) == 0, LogY: draws.IntN(2) == 0, XUnit: units[draws.IntN(3)],
			YUnit: units[draws.IntN(3)]}
		s := Series{Label: "s"}
		for range draws.IntN(4) {
			s.X = append(s.X, extreme[draws.IntN(len(extreme))])
			s.Y = append(s.Y, extreme[draws.IntN(len(extreme))])
		}
		p.Series = []Series{s}
		l, err := Figure{Panels: []Plot{p}}.layout()
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range []axis{l.panels[0].x, l.panels[0].y} {
			if !(a.lo < a.hi) || len(a.ticks) > 100 {
				t.Fatalf("%v: axis from %g to %g with %d ticks", s, a.lo, a.hi, len(a.ticks))
			}
			last := -1.0
			for _, tick := range a.ticks {
				if !(tick.at > last && tick.at <= 1+1e-6) {
					t.Fatalf("%v: axis from %g to %g: tick %v after %g", s, a.lo, a.hi, tick, last)
				}
				last = tick.at
			}
		}
		if i < 20 {
			if err := figureOf(p).WriteSVG(io.Discard); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestThinKeepsTheOutline(t *testing.T) {
	draws := rand.New(rand.NewPCG(5, 6))
	var points []vg.Point
	lowest, highest := vg.Length(math.Inf(1)), vg.Length(math.Inf(-1))
	for k := range 100_000 {
		p := vg.Point{X: vg.Length(k) / 500, Y: vg.Length(draws.NormFloat64())}
		lowest, highest = min(lowest, p.Y), max(highest, p.Y)
		points = append(points, p)
	}
	kept := thin(points)
	if len(kept) > 4*1001 {
		t.Errorf("%d points kept in 1000 columns", len(kept))
	}
	if kept[0] != points[0] || kept[len(kept)-1] != points[len(points)-1] {
		t.Error("thin dropped the first or last point")
	}
	low, high := kept[0].Y, kept[0].Y
	for i, p := range kept {
		low, high = min(low, p.Y), max(high, p.Y)
		if i > 0 && p.X < kept[i-1].X {
			t.Fatal("the order was lost")
		}
	}
	if low != lowest || high != highest {
		t.Errorf("range [%g, %g], want [%g, %g]", low, high, lowest, highest)
	}
	few := points[:3]
	if diff := cmp.Diff(few[:1], thin(few[:1])); diff != "" {
		t.Error(diff)
	}
}

func TestStylesDiffer(t *testing.T) {
	seen := map[string]int{}
	for i := range 168 {
		s := Look{i, i, i}.style()
		key := fmt.Sprint(s)
		if j, ok := seen[key]; ok {
			t.Fatalf("styles %d and %d are the same", i, j)
		}
		seen[key] = i
	}
}
