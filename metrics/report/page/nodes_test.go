package page

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/metrics/report/result"
)

// The distribution over nodes has a dot for each node of each method, and a box from quartile to quartile.
func TestSpreadOverNodes(t *testing.T) {
	p := one().built()
	v := open(t, p, 1400, 900)
	v.show("spread")
	v.set("spread", "of", "waiting")
	for i, d := range p.Charts.Details {
		got := read[[]float64](v, `(() => { const c = echarts.getInstanceByDom(document.getElementById("spread")),
			s = c.getModel().getSeries().find(s => s.id === "nodes %d"), d = s.getData(), b = c.getModel().getSeries()[0].getData().getItemGraphicEl(%d).childAt(0).shape;
			let number = 0; for (let k = 0; k < d.count(); k++) number += d.getItemGraphicEl(k) ? 1 : 0;
			return [number, c.convertFromPixel({seriesIndex: 1}, [b.x, 0])[0], c.convertFromPixel({seriesIndex: 1}, [b.x + b.width, 0])[0]]; })()`, i, i)
		sorted := slices.Sorted(slices.Values(d.Nodes.Waiting)) // twelve nodes: quartiles lie between two
		low, high := sorted[2]+0.75*(sorted[3]-sorted[2]), sorted[8]+0.25*(sorted[9]-sorted[8])
		if got[0] != 12 || !(math.Abs(got[1]-low) <= 0.01*low) || !(math.Abs(got[2]-high) <= 0.01*high) {
			t.Errorf("method %d: %v, want 12 nodes, and a box from %v to %v", i, got, low, high)
		}
	}
	alone := one()
	alone.nodes = 1
	if slices.Contains(alone.built().Views(), "spread") {
		t.Error("one node has a distribution")
	}
}

// The distribution opens on the quantity that differs most between nodes.
func TestSpreadOpensOnTheLargestDifference(t *testing.T) {
	g := one()
	g.change = func(r *result.Run) {
		for i := range r.Nodes {
			r.Nodes[i].Compute, r.Nodes[i].Wait, r.Nodes[i].Payload = 1e9, 1e9, int64(1000+100*i)
		}
	}
	p := g.built()
	if diff := cmp.Diff([]string{"bytes sent"}, []string{p.Charts.NodeCosts[0].Name}); diff != "" ||
		len(p.Charts.NodeCosts) != 1 {
		t.Errorf("costs of nodes: %+v", p.Charts.NodeCosts)
	}
	v := open(t, p, 1000, 900)
	v.show("spread")
	if got := option[string](v, "spread", "o.xAxis[0].name"); got != "bytes sent" {
		t.Errorf("it opens on %q", got)
	}
	// The nodes of one run are sorted by the same quantity, the largest first; its link restores the choices.
	v.show("nodes")
	v.set("detail", "detail", "1")
	v.set("nodes", "of", "0")
	v.set("nodes", "order", "sorted")
	if got := option[string](v, "nodes", "o.xAxis[0].data.slice(0, 3).join() + ' ' + "+
		"o.series[0].data.slice(0, 2).join()"); got != "11,10,9 2100,2000" {
		t.Errorf("nodes in order: %s", got)
	}
	link := read[string](v, "location.hash")
	if link != "#nodes?detail=1&of=0&order=sorted" {
		t.Errorf("the address is %q", link)
	}
	v.set("nodes", "order", "")
	v.set("detail", "detail", "0")
	if got := v.follow(link, `document.getElementById("detail-controls").elements.detail.value +
		document.getElementById("nodes-controls").elements.order.value`); got != "1sorted" {
		t.Errorf("the link brings back %q", got)
	}
}

// TestSpreadOfFinalMetrics: the distribution also shows final metrics of nodes, which a server does not have. If
// all nodes cost the same, the view opens on a final metric. The first run lacks a metric that first appears in a
// later one.
func TestSpreadOfFinalMetrics(t *testing.T) {
	g := one()
	g.fail = nil
	first := true
	g.change = func(r *result.Run) {
		r.NodeMetrics = []string{"consensus_error", "own_test_accuracy"}
		if first {
			r.NodeMetrics = r.NodeMetrics[1:]
		}
		first = false
		for i := range r.Nodes {
			n := &r.Nodes[i]
			n.Compute, n.Wait = 1e9, 1e9
			for k := range r.NodeMetrics {
				n.Final = append(n.Final, 0.5+0.04*float64(i)-0.001*float64(k))
			}
		}
		r.Nodes[0].Final = nil
	}
	p := g.built()
	v := open(t, p, 1000, 900)
	v.show("spread")
	if got := option[string](v, "spread", "o.xAxis[0].name"); got != "final own test accuracy" {
		t.Errorf("it opens on %q", got)
	}
	got := option[[]int](v, "spread", `o.series.filter(s => s.id.startsWith("nodes")).map(s => s.data.length)`)
	if !slices.Equal(got, []int{11, 11, 11, 11}) {
		t.Errorf("%d nodes are shown, want 11 of each of 4 methods", got)
	}
	if csv := saved(v, "spread", "CSV"); !strings.Contains(csv, "DAGM,11,0.94\n") || strings.Contains(csv, "DAGM,0,") {
		t.Errorf("the CSV is %q", csv)
	}
	v.set("spread", "of", "1")
	if got := option[int](v, "spread", `o.series.filter(s => s.id.startsWith("nodes")).length`); got != 3 {
		t.Errorf("%d runs have a consensus error, want 3", got)
	}
	v.show("nodes")
	if csv := saved(v, "nodes", "CSV"); !strings.Contains(csv, "final own test accuracy,final consensus error\n"+
		"0,1,1,0.2,,\n") {
		t.Errorf("the nodes of one run are %q", csv)
	}
}

// Links with different traffic have different colours and widths, even over decades. If all carry
// nearly the same, they look the same.
func TestLinkColoursShowDifferences(t *testing.T) {
	for _, c := range []struct {
		name   string
		bytes  func(edge int) float64
		colors int
	}{
		{"from one to twelve", func(e int) float64 { return float64(1000 * (1 + e%12)) }, 10},
		{"over four decades", func(e int) float64 { return math.Pow(10, float64(2+e%5)) }, 5},
		{"nearly alike", func(e int) float64 { return 1000 + float64(e%2) }, 2},
		{"alike", func(int) float64 { return 1000 }, 1},
	} {
		p := one().built()
		d := &p.Charts.Details[0]
		for e := range d.There.Bytes {
			d.There.Bytes[e], d.Back.Bytes[e] = c.bytes(e), 0
		}
		v := open(t, p, 1000, 900)
		v.show("graph")
		type stroke struct {
			Color string
			Width float64
		}
		got := read[[]stroke](v, `(() => { const d = echarts.getInstanceByDom(document.getElementById("graph")).getModel().getSeries()[0].getData(), out = [];
			for (let i = 0; i < d.count(); i++) { const line = d.getItemGraphicEl(i).childAt(0); out.push({color: line.style.stroke, width: line.style.lineWidth}); }
			return out; })()`)
		colors := map[string]float64{}
		least, most := got[0].Width, got[0].Width
		for _, s := range got {
			colors[s.Color] = s.Width
			least, most = min(least, s.Width), max(most, s.Width)
		}
		alike := strings.Contains(c.name, "alike")
		if len(colors) < min(c.colors, 10) || alike && most > 1.02*least || !alike && most < 2*least {
			t.Errorf("%s: %d colours, widths from %v to %v", c.name, len(colors), least, most)
		}
	}
}

// Physical links are listed by name, the busiest first, with their utilization. A run without a platform
// has none.
func TestPhysicalLinksAreListed(t *testing.T) {
	g := one()
	g.platform = 40
	v := open(t, g.built(), 1000, 900)
	v.show("physical")
	if got := option[string](v, "physical", "o.yAxis[0].data.slice(0, 2).join() + ' ' + "+
		"o.series[0].data.slice(0, 2).map(x => x.toFixed(6)).join()"); got != "rack39.up,rack38.up 40.000000,39.000000" {
		t.Errorf("the busiest are %s", got)
	}
	if got := option[int](v, "physical", "o.series[0].data.length"); got != mostPhysical {
		t.Errorf("%d links, want %d", got, mostPhysical)
	}
	caption := func() string {
		return v.Text("physical-caption")
	}
	if got := caption(); !strings.Contains(got, "the 30 busiest of 40 physical links") {
		t.Errorf("the caption is %q", got)
	}
	v.set("physical", "by", "messages")
	if got := caption(); !strings.Contains(got, "by messages") {
		t.Errorf("the caption is %q", got)
	}
	if csv := saved(v, "physical", "CSV"); !strings.Contains(csv, "rack39.up,1000,200000,400,0.04,40,39 → 40: 100 %") {
		t.Errorf("the CSV is %q", csv)
	}
	if slices.Contains(one().built().Views(), "physical") {
		t.Error("a run without a platform shows physical links")
	}
}
