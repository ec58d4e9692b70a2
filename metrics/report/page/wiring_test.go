package page

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
)

// wired is the page of a run over two racks: four hosts, two switches and a core, with a link from each host to
// its switch and from each switch to the core. Link i carried 1000 (i + 1) bytes; the last one carried nothing.
func wired(change func(*Wiring, *result.Run)) Page {
	w := &Wiring{}
	for i := range 7 {
		p := Place{Name: fmt.Sprintf("place%d", i), Host: i < 4, At: Position{float64(i % 4), float64(i / 4)}}
		if p.Host {
			p.Nodes = []int{2 * i, 2*i + 1}
		}
		w.Places = append(w.Places, p)
	}
	for i, ends := range [][2]int{{0, 4}, {1, 4}, {2, 5}, {3, 5}, {4, 6}, {5, 6}} {
		w.Lines = append(w.Lines, Line{ends[0], ends[1], 2 * i, 2*i + 1})
	}
	g := one()
	g.nodes, g.samples = 8, 20
	b, f := NewBuilder(Options{Wiring: func(*result.Run) *Wiring { return w }}), fold.New(fold.Options{})
	g.each(func(r *result.Run) {
		r.Physical = &result.PhysicalTotals{}
		for k := range int64(12) {
			l := result.PlatformLinkRow{Link: fmt.Sprintf("link%d", k), BitsPerSecond: 1e6, Messages: k + 1,
				Bytes: 1000 * (k + 1), Busy: 1e6, Utilisation: 0.01 * float64(k+1)}
			if k >= 10 {
				l = result.PlatformLinkRow{Link: l.Link, BitsPerSecond: math.Inf(1)}
			}
			r.PlatformLinks = append(r.PlatformLinks, l)
		}
		if change != nil {
			change(w, r)
		}
		b.Add(r)
		if err := f.Add(r); err != nil {
			panic(err)
		}
	})
	return b.Page(f.Summary())
}

// The physical network is drawn beside the graph, with the nodes on the hosts. Each line's width and shade
// show the bytes of its links; idle links are grey.
func TestWiringIsDrawn(t *testing.T) {
	v := open(t, wired(nil), 1400, 900)
	v.show("wiring")
	for _, c := range []struct {
		by   string
		want []float64
	}{
		{"share", []float64{2, 4, 6, 8, 10, 0}}, // the busier direction
		{"bytes", []float64{3000, 7000, 11000, 15000, 19000, 0}},
		{"messages", []float64{3, 7, 11, 15, 19, 0}},
	} {
		v.set("wiring", "by", c.by)
		got := option[[]float64](v, "wiring", "o.series[0].data.map(d => d.value)")
		if !slices.EqualFunc(got, c.want, near) {
			t.Errorf("by %s the lines carried %v, want %v", c.by, got, c.want)
		}
		widths := option[[]float64](v, "wiring", "o.series[0].data.map(d => d.lineStyle.width)")
		if !slices.IsSorted(widths[:5]) || widths[0] == widths[4] || widths[5] != 1 {
			t.Errorf("by %s the lines have widths %v", c.by, widths)
		}
	}
	// The drawing has six lines between the places, in more than three colours, the last one in the colour of rules.
	colours := read[[]string](v, `(() => {
		const s = echarts.getInstanceByDom(document.getElementById("wiring")).getModel().getSeries()[0].getData();
		return [0, 1, 2, 3, 4, 5].map(i => s.getItemGraphicEl(i).childAt(0).style.stroke); })()`)
	rule := read[string](v, `getComputedStyle(document.documentElement).getPropertyValue("--rule").trim()`)
	if colours[5] != rule || len(slices.Compact(slices.Clone(colours))) < 4 {
		t.Errorf("the lines have the colours %q, want the last one to be %s", colours, rule)
	}
	texts := read[[]string](v, `[...document.querySelectorAll("#wiring svg text")].map(t => t.textContent)`)
	for _, want := range []string{"0, 1", "6, 7", "place4", "place6"} {
		if !slices.Contains(texts, want) {
			t.Errorf("%q is not written: %q", want, texts)
		}
	}
	if got := v.Text("wiring-caption"); !strings.Contains(got,
		"from 3 to 19; what carried nothing is grey. Circles are hosts") {
		t.Errorf("the caption is %q", got)
	}
	csv := saved(v, "wiring", "CSV")
	if !strings.Contains(csv, "place0,place4,link0,1,1000,1,0.001,1\nplace4,place0,link1,1,2000,2,0.001,2\n") ||
		!strings.Contains(csv, "place6,place5,link11,,0,0,0,0\n") {
		t.Errorf("wiring.csv has %q", csv)
	}
	if side := read[bool](v, `document.getElementById("graph").getBoundingClientRect().right <
		document.getElementById("wiring").getBoundingClientRect().left`); !side {
		t.Error("the physical network is not beside the graph")
	}
}

// TestWiringsMatchTheRun: a link shared by both directions counts once, the caption mentions a link back to
// its start, and a wiring with links other than the run's is not drawn.
func TestWiringsMatchTheRun(t *testing.T) {
	p := wired(func(w *Wiring, _ *result.Run) {
		w.Lines[0].Back = 0
		w.Lines[5] = Line{6, 6, 10, -1}
	})
	v := open(t, p, 500, 900)
	v.show("wiring")
	v.set("wiring", "by", "bytes")
	if got := option[[]float64](v, "wiring", "o.series[0].data.map(d => d.value)"); len(got) != 5 || got[0] != 1000 {
		t.Errorf("the lines carried %v", got)
	}
	if got := v.Text("wiring-caption"); !strings.Contains(got,
		"1 link that leads back to where it begins is not drawn.") {
		t.Errorf("the caption is %q", got)
	}
	for name, change := range map[string]func(*Wiring, *result.Run){
		"a link too many": func(w *Wiring, _ *result.Run) { w.Lines[0].There = 12 },
		"no links":        func(_ *Wiring, r *result.Run) { r.PlatformLinks = nil },
	} {
		if d := wired(change).Charts.Details; len(d) == 0 || d[0].Wired != nil {
			t.Errorf("%s: the page has a wiring", name)
		}
	}
}
