package page

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"tallynet/metrics/report/answer"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
)

// What is drawn, not what was meant to be: the geometry of the charts in a browser.

// listed is a study of a list of points in which a step goes with each graph.
func listed(t testing.TB) Page {
	t.Helper()
	g := newStudy()
	g.labels, g.seeds, g.samples, g.fail = g.labels[:2], 3, 40, nil
	b, f := NewBuilder(Options{}), fold.New(fold.Options{More: []string{"test_accuracy"}})
	for i, kind := range []string{"ring", "complete"} {
		for k, n := range []int{8, 16, 32, 64} {
			var point result.Settings
			for _, s := range []struct {
				key   string
				value any
			}{{"topology.kind", kind}, {"topology.nodes", n}, {"algorithms.DAGM.alpha", 0.5 / float64(1+k+4*i)}} {
				set, err := result.NewSetting(s.key, s.value)
				if err != nil {
					t.Fatal(err)
				}
				point = append(point, set)
			}
			for seed := range g.seeds {
				for l, label := range g.labels {
					r := g.run(l, label, 4*i+k, point, seed, result.Completed)
					b.Add(r)
					if err := f.Add(r); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
	s := f.Summary()
	p := b.Page(s)
	p.Title = "listed"
	p.Answer(answer.Of(s, answer.Options{}), s)
	return p
}

// vertices are the numbers of points of the areas that a chart fills.
func vertices(v *visit, id string) []int {
	v.t.Helper()
	v.show(id)
	return read[[]int](v, `[...document.querySelectorAll("#%s svg path[fill-opacity='0.18']")]
		.map(p => (p.getAttribute("d").match(/[ML]/g) || []).length)`, id)
}

// A band has both its ends at every sample, on linear and logarithmic axes and for negative
// values, and the curve goes on to the last sample.
func TestBandsAreDrawnAtEverySample(t *testing.T) {
	p := newStudy().built()
	for i := range p.Charts.Means { // an objective below zero
		for _, columns := range [][]column{p.Charts.Means[i].Curve.Values, p.Charts.Means[i].Low, p.Charts.Means[i].High} {
			for k := range columns[1] {
				columns[1][k] -= 10
			}
		}
	}
	v := open(t, browser(t), p, 1000, 900)
	v.show("curves")
	samples := len(p.Charts.Means[0].Curve.Iterations)
	for _, c := range []struct {
		metric string
		log    bool
	}{{"0", true}, {"0", false}, {"1", false}} {
		v.set("curves", "y", c.metric)
		v.set("curves", "logy", c.log)
		got := vertices(v, "curves")
		if len(got) != 4 || slices.Min(got) < 2*samples-samples/20 { // points that coincide are drawn once
			t.Errorf("metric %s, log %v: bands with %v points, want %d in each", c.metric, c.log, got, 2*samples)
		}
	}
	used(t, v, "curves")
	v.quiet()
}

// used checks that what a chart shows takes up 70 % of both of its axes.
func used(t *testing.T, v *visit, id string) {
	t.Helper()
	v.show(id)
	got := read[[]float64](v, `(() => {
		const c = echarts.getInstanceByDom(document.getElementById(%q)), o = c.getOption(), grid = c.getModel().getComponent("grid").coordinateSystem.getRect();
		const at = o.series.flatMap((s, i) => s.type === "custom" ? [] : (s.data || []).map(d => d && d.value || d).filter(d => Array.isArray(d) && d[0] !== null && d[1] !== null).map(d => c.convertToPixel({seriesIndex: i}, d.slice(0, 2))));
		const span = k => { const all = at.map(p => p[k]).filter(Number.isFinite); return Math.max(...all) - Math.min(...all); };
		return [span(0) / grid.width, span(1) / grid.height];
	})()`, id)
	if got[0] < 0.7 || got[1] < 0.7 {
		t.Errorf("%s: the data take up %.0f %% of x and %.0f %% of y", id, 100*got[0], 100*got[1])
	}
}

// No view of a list of points opens empty, and the first one shows what the headline says.
func TestEveryViewOpensOnWhatRan(t *testing.T) {
	v := open(t, browser(t), listed(t), 1000, 900)
	if got := read[string](v, "document.querySelector('.headline').textContent"); !strings.Contains(got,
		"From 8 to 64 nodes") {
		t.Errorf("the headline is %q", got)
	}
	if got := read[string](v, "document.querySelector('.chart').id"); got != "parameter" {
		t.Errorf("the first picture is %s", got)
	}
	for _, id := range []string{"parameter", "curves", "heat", "pareto", "profile"} {
		v.show(id)
		n := option[int](v, id, `o.series.flatMap(s => s.type === "custom" ? [] : s.data).filter(d => {
			const v = d && d.value || d; return Array.isArray(v) ? v[1] !== null && d.visualMap !== false : v !== null && v !== undefined; }).length`)
		if n < 4 {
			t.Errorf("%s opens with %d points", id, n)
		}
		if caption := read[string](v, "document.getElementById('%s-caption').textContent", id); len(caption) < 20 {
			t.Errorf("%s has the caption %q", id, caption)
		}
	}
	if got := option[[]string](v, "parameter",
		"o.series.filter(s => s.type === 'line').map(s => s.name)"); len(got) != 4 {
		t.Errorf("growth is shown for %q, want both methods on both graphs", got)
	}
	if got := read[[]string](v,
		"[...document.querySelectorAll('#parameter-controls select')].map(e => e.name)"); slices.Contains(got,
		"axis2") {
		t.Errorf("a step that goes with the graph is a choice of its own: %q", got)
	}
	used(t, v, "parameter")
	used(t, v, "pareto")
	v.quiet()
}

// saved is what a button below a chart saves.
func saved(v *visit, id, what string) string {
	v.t.Helper()
	v.show(id)
	return read[string](v, `new Promise(done => {
		const old = URL.createObjectURL;
		URL.createObjectURL = b => { URL.createObjectURL = old; b.text().then(done); return old.call(URL, b); };
		[...document.getElementById(%q).nextElementSibling.querySelectorAll("button")].find(b => b.textContent === %q).click();
	})`, id, what)
}

// Every saved SVG parses as XML and has its text as text; the CSV has a line for each point.
func TestSavedFiles(t *testing.T) {
	v := open(t, browser(t), nasty().built(), 900, 900)
	for _, id := range chartIDs {
		if !v.has(id) {
			continue
		}
		svg := saved(v, id, "SVG")
		d, texts := xml.NewDecoder(strings.NewReader(svg)), 0
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s.svg: %v", id, err)
			}
			if e, ok := token.(xml.StartElement); ok && e.Name.Local == "text" {
				texts++
			}
		}
		if texts == 0 && id != "graph" {
			t.Errorf("%s.svg has no text", id)
		}
		if csv := saved(v, id, "CSV"); strings.Count(csv, "\n") < 2 {
			t.Errorf("%s.csv has %q", id, csv)
		}
	}
	v.quiet()
}

// A link to a view brings back its choices.
func TestLinksToViews(t *testing.T) {
	p := newStudy().built()
	v := open(t, browser(t), p, 900, 900)
	v.show("parameter")
	v.set("parameter", "outcome", "2")
	v.set("parameter", "x", "0")
	v.set("parameter", "axis1", "2")
	link := read[string](v, "location.hash")
	if want := regexp.MustCompile(`^#parameter\?outcome=2&x=0`); !want.MatchString(link) {
		t.Fatalf("the address is %q", link)
	}
	v.set("parameter", "outcome", "0")
	v.set("parameter", "axis1", "")
	got := read[string](v, `(() => { location.hash = %q; return new Promise(done => setTimeout(() => { const e = document.getElementById("parameter-controls").elements;
		done([e.outcome.value, e.x.value, e.axis1.value].join()); }, 50)); })()`, link)
	if got != "2,0,2" {
		t.Errorf("the link brings back %s", got)
	}
	// What is followed or copied below a chart is the link with its choices.
	for _, id := range []string{"parameter", "curves", "nodes", "spread"} {
		v.show(id)
		got := read[string](v, `(() => { const a = document.getElementById(%q).nextElementSibling.querySelector("a");
			a.dispatchEvent(new Event("contextmenu")); const copied = a.getAttribute("href"); a.click(); return copied + " " + location.hash; })()`, id)
		copied, followed, _ := strings.Cut(got, " ")
		if copied != followed || !strings.HasPrefix(copied, "#"+id+"?") || strings.Count(copied, "=") < 2 {
			t.Errorf("%s: the link is %q, and leads to %q", id, copied, followed)
		}
	}
	v.quiet()
}

// The arrow keys move along the curve of a chart.
func TestChartsAreReadByKeyboard(t *testing.T) {
	v := open(t, browser(t), one().built(), 900, 900)
	v.show("curves")
	got := read[string](v, `(() => { const e = document.getElementById("curves"); e.focus();
		if (document.activeElement !== e) return "no focus";
		for (let i = 0; i < 3; i++) e.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
		return e.querySelector(":scope > div:last-child").textContent; })()`)
	if !strings.Contains(got, "DAGM: ") {
		t.Errorf("three steps to the right say %q", got)
	}
	v.quiet()
}

// The rule for scales is that of the static figures.
func TestScaleRule(t *testing.T) {
	for _, c := range []struct {
		values []float64
		log    bool
	}{{[]float64{1, 50}, false}, {[]float64{0, 1, 101}, true}, {[]float64{0, 0}, false}} {
		p := one().built()
		for i := range p.Charts.Runs {
			r := &p.Charts.Runs[i]
			if r.Failed == "" {
				for k := range r.Curve.Values[0] {
					r.Curve.Values[0][k] = c.values[k%len(c.values)]
				}
			}
		}
		w := open(t, browser(t), p, 600, 600)
		w.show("curves")
		if got := option[string](w, "curves", "o.yAxis[0].type") == "log"; got != c.log {
			t.Errorf("%v: logarithmic %v, want %v", c.values, got, c.log)
		}
	}
}

// Over categories, the lines of a chart lie beside each other, each with its interval; over numbers, on each other.
func TestCategoriesAreTellable(t *testing.T) {
	p := newStudy().built()
	for _, width := range []int64{1400, 390} {
		v := open(t, browser(t), p, width, 900)
		v.show("parameter")
		v.set("parameter", "x", "0")
		v.set("parameter", "axis1", "")
		got := read[[][]float64](v, `(() => { const m = echarts.getInstanceByDom(document.getElementById("parameter")).getModel(), out = [];
			for (const s of m.getSeries()) {
				const e = s.getData().getItemGraphicEl(0), n = +s.id.split(" ")[1];
				if (s.id.startsWith("line") && e) (out[n] ||= [])[0] = e.childAt(0).getComputedTransform()[4];
				if (s.id.startsWith("whiskers")) (out[n] ||= [])[1] = e.childAt(0).shape.x1;
			}
			return out; })()`)
		for n, at := range got {
			if len(at) != 2 || !(math.Abs(at[0]-at[1]) <= 1) {
				t.Errorf("%d pixels, line %d: its mark and its interval are at %v", width, n, at)
			} else if n > 0 && at[0]-got[n-1][0] < 3 {
				t.Errorf("%d pixels: lines %d and %d are at %v and %v", width, n-1, n, got[n-1], at)
			}
		}
		if len(got) != 12 {
			t.Errorf("%d lines, want 12", len(got))
		}
		v.quiet()
	}
}

// A window that is made wider, or narrower, has names as long as one that was so from the start.
func TestNamesFollowTheWindow(t *testing.T) {
	const names = `[...document.querySelectorAll("#phases svg text")].map(t => t.textContent).join("|")`
	v := open(t, browser(t), one().built(), 390, 900)
	v.show("phases")
	narrow := read[string](v, "%s", names)
	v.do(chromedp.EmulateViewport(1400, 900))
	v.await("names are whole", names+`.includes("hessian: norm (1 × 1)")`)
	v.do(chromedp.EmulateViewport(390, 900))
	v.await("names are cut again", names+" === %q", narrow)
	if !strings.Contains(narrow, "…") {
		t.Errorf("at 390 pixels the names are %q", narrow)
	}
	v.quiet()
}

// A ring lies on the curve of each group that reached the target, at the cost that the tables have, over every axis.
func TestTargetsAreMarked(t *testing.T) {
	p, _ := answered(t, "marked", func() grid { g := newStudy(); g.fail = nil; g.samples = 300; return g }())
	p.Charts.Targets = []targetLine{{0, 1e-2}}
	c := &p.Charts
	var want []map[string]float64
	for i := range c.Costs {
		o := slices.IndexFunc(c.Outcomes, func(q measure) bool { return q.ID == "totals."+c.Costs[i].ID })
		want = append(want, map[string]float64{})
		if o < 0 {
			continue
		}
		c.Outcomes[o].ID = "to[0]." + c.Costs[i].ID
		for k := range c.Groups {
			v := &c.Groups[k].Values[o]
			v.Value /= 2 // half way
			if c.Groups[k].Point[0] == 0 && c.Groups[k].Point[1] == 0 && v.Value > 0 {
				want[i][c.Methods[c.Groups[k].Method]] = v.Value
			}
		}
	}
	v := open(t, browser(t), p, 1000, 900)
	v.show("curves")
	marked := 0
	for i := range c.Costs {
		v.set("curves", "x", strconv.Itoa(i))
		got := option[[]struct {
			Name string
			At   []float64
		}](v, "curves", `o.series.filter(s => s.id.startsWith("reached")).map(s => ({Name: s.name, At: s.data[0]}))`)
		if len(got) != len(want[i]) {
			t.Errorf("over %s: %d rings, want %d", c.Costs[i].Name, len(got), len(want[i]))
		}
		for _, r := range got {
			if x := want[i][r.Name]; !near(r.At[0], x) {
				t.Errorf("%s over %s: the ring is at %v, want %v", r.Name, c.Costs[i].Name, r.At[0], x)
			}
			marked++
		}
		off := read[[]float64](v, `(() => { const c = echarts.getInstanceByDom(document.getElementById("curves")), o = c.getOption();
			return o.series.flatMap((s, i) => !s.id.startsWith("reached") ? [] : (() => {
				const n = o.series.findIndex(q => q.id === "curve " + s.id.split(" ")[1]), at = c.convertToPixel({seriesIndex: i}, s.data[0]);
				const on = o.series[n].data.map(d => c.convertToPixel({seriesIndex: n}, d.value.slice(0, 2))), k = on.findIndex(p => p[0] >= at[0] - 0.01);
				if (k < 1) return 1e9;
				const part = (at[0] - on[k - 1][0]) / (on[k][0] - on[k - 1][0]);
				return Math.abs(at[1] - on[k - 1][1] - part * (on[k][1] - on[k - 1][1])); })()); })()`)
		for _, d := range off {
			if d > 1.5 {
				t.Errorf("over %s: a ring lies %v pixels beside its curve", c.Costs[i].Name, d)
			}
		}
	}
	if marked < 12 {
		t.Errorf("%d rings only", marked)
	}
	note := read[string](v, `document.getElementById("curves-note").textContent`)
	if !strings.Contains(note, "A ring is where the target was reached") {
		t.Errorf("the note is %q", note)
	}
	v.quiet()
}
