package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"tallynet/metrics/report/compare"
	"tallynet/metrics/report/result"
)

// overprinted are texts of a chart that lie on each other, as far as they are not cut off.
const overprinted = `(id => {
	const svg = document.querySelector("#" + id + " svg"), at = svg.getBoundingClientRect();
	const cut = t => { // what of a text is seen
		const r = t.getBoundingClientRect(), out = {left: r.left, right: r.right, top: r.top, bottom: r.bottom};
		const by = t.closest("[clip-path]"), shape = by && svg.querySelector(by.getAttribute("clip-path").slice(4, -1) + " > *");
		if (shape) {
			const box = shape.getBBox(), move = shape.transform.baseVal.consolidate(), m = move ? move.matrix : {e: 0, f: 0};
			out.left = Math.max(out.left, at.left + box.x + m.e);
			out.right = Math.min(out.right, at.left + box.x + m.e + box.width);
		}
		return out;
	};
	const boxes = [...svg.querySelectorAll("text")].filter(t => t.textContent.trim()).map(t => ({text: t.textContent, r: cut(t)}));
	const out = [];
	boxes.forEach((a, i) => boxes.slice(i + 1).forEach(b => {
		const wide = Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left), high = Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top);
		if (wide > 3 && high > 5) out.push(a.text + " on " + b.text);
	}));
	return out;
})`

// opened opens a file and gives its window some widths, light and dark, and prints it: it fits, its charts show
// something whose words do not lie on each other, and its colours are those of the scheme.
func opened(t *testing.T, name, file string, widths ...int64) {
	v := openFile(t, browser(t), file, widths[0], 900)
	for _, width := range widths {
		v.do(chromedp.EmulateViewport(width, 900))
		papers := map[string]bool{}
		for _, scheme := range []string{"light", "dark"} {
			v.scheme(scheme)
			for _, id := range chartIDs {
				if !v.has(id) {
					continue
				}
				v.show(id)
				v.await(fmt.Sprintf("%s fills its place", id),
					"(e => echarts.getInstanceByDom(e).getWidth() === e.clientWidth)(document.getElementById(%q))", id)
				if n := read[int](v, "document.querySelectorAll('#%s svg path, #%s svg polyline').length", id, id); n < 3 {
					t.Errorf("%s at %d: %s has %d shapes", name, width, id, n)
				}
				if got := read[[]string](v, overprinted+"(%q)", id); len(got) > 0 {
					t.Errorf("%s at %d: in %s %q", name, width, id, got)
				}
			}
			if wide := read[int64](v, "document.documentElement.scrollWidth"); wide > width {
				t.Errorf("%s at %d pixels is %d wide", name, width, wide)
			}
			papers[read[string](v, "getComputedStyle(document.body).backgroundColor")] = true
			if *screenshots != "" {
				v.picture(filepath.Join(*screenshots, fmt.Sprintf("%s-%d-%s.png", name, width, scheme)), width)
			}
		}
		if len(papers) != 2 {
			t.Errorf("%s at %d: light and dark are both %v", name, width, papers)
		}
	}
	pdf, err := v.pdf(chromedp.PDFPaper(chromedp.PaperA4))
	if err != nil || !bytes.HasPrefix(pdf, []byte("%PDF-")) || len(pdf) < 10_000 {
		t.Errorf("%s: %d bytes of PDF, %v", name, len(pdf), err)
	}
	v.paper(name)
	v.quiet()
}

// written is the file of a page.
func written(t *testing.T, name string, p Page) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name+".html")
	var b bytes.Buffer
	if err := Write(&b, p); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// compared is the page of two results, of which B takes more time per iteration.
func compared(t *testing.T, labels []string) Page {
	t.Helper()
	var reports [2]result.Report
	for side := range reports {
		g := newStudy()
		g.labels, g.seeds, g.samples, g.nodes = labels, 3, 60, 8
		for seed := range g.seeds {
			for l, label := range labels {
				r := g.run(l, label, side, nil, seed, result.Completed)
				r.Hash = fmt.Sprintf("%d %d %d", side, seed, l)
				reports[side].Runs = append(reports[side].Runs, *r)
			}
		}
		reports[side].Scenario = json.RawMessage(fmt.Sprintf(`{"version": 1, "network": {"latency": "%dms"}}`, 1+9*side))
	}
	c, err := compare.New("results/plain", "results/"+labels[0], &reports[0], &reports[1])
	if err != nil {
		t.Fatal(err)
	}
	return Comparison(c, []string{"simulate", "compare", "results/plain", "results/" + labels[0]})
}

func TestComparisonOpens(t *testing.T) {
	for name, c := range map[string]struct {
		labels []string
		widths []int64
	}{
		"plain":   {[]string{"DAGM", "DGBO (b = 10)", "MA-DBO"}, []int64{1400, 800, 390}},
		"hostile": {hostile, []int64{390}},
	} {
		t.Run(name, func(t *testing.T) {
			browser(t)
			p := compared(t, c.labels)
			if !strings.Contains(p.Headline, "Compared with A") || p.Kind != "comparison" {
				t.Errorf("the answer is %q, of a %q", p.Headline, p.Kind)
			}
			opened(t, "comparison-"+name, written(t, name, p), c.widths...)
		})
	}
}

func TestIndexOpens(t *testing.T) {
	x := Index{Title: "results", Notes: []string{"Large pictures, of 2 results."}}
	for i := range 12 {
		x.Entries = append(x.Entries, Entry{Name: fmt.Sprintf("result %d", i), Report: fmt.Sprintf("%d/report.html", i),
			About: "Which is best?", Headline: "DAGM reaches 1e-3 with 16 times fewer bytes.", Methods: hostile,
			Facts: []string{"2 runs", "3 claims: 2 hold, 1 differ"}, Picture: []byte(tiny)})
	}
	x.Entries[3].Trouble, x.Entries[3].Picture = "result.json: unexpected end of JSON input", nil
	file := filepath.Join(t.TempDir(), "index.html")
	if err := os.WriteFile(file, []byte(indexed(t, x)), 0o600); err != nil {
		t.Fatal(err)
	}
	opened(t, "index", file, 1400, 800, 390)
}

// A run of 200 nodes opens: each has its bar, its place in the graph and its links.
func TestManyNodesOpen(t *testing.T) {
	g := one()
	g.labels, g.nodes, g.samples, g.fail = g.labels[:2], 200, 50, nil
	v := openFile(t, browser(t), written(t, "nodes", g.built()), 1000, 900)
	for _, id := range []string{"graph", "nodes"} {
		v.show(id)
	}
	if links, vertices := option[int](v, "graph", "o.series[0].data.length"), option[int](v, "graph",
		"o.series[1].data.length"); links != 400 || vertices != 200 {
		t.Errorf("the graph has %d links of %d nodes, want 400 of 200", links, vertices)
	}
	const apart = `(() => {
		const at = [...document.querySelectorAll("#graph svg path:not(defs *)")].map(p => p.getBoundingClientRect());
		const small = at.filter(r => r.width > 5 && r.width < 13 && Math.abs(r.width - r.height) < 1);
		return new Set(small.map(r => Math.round(r.x) + "," + Math.round(r.y))).size; })()`
	if n := read[int](v, apart); n < 195 {
		t.Errorf("%d nodes lie apart from each other, of 200", n)
	}
	if n := option[int](v, "nodes", "Math.min(...o.series.map(s => s.data.length))"); n != 200 {
		t.Errorf("%d bars, want 200", n)
	}
	if got := read[[]string](v, overprinted+`("nodes")`); len(got) > 0 {
		t.Errorf("words lie on each other: %q", got)
	}
	v.quiet()
}
