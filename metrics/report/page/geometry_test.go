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
)

// These tests check the drawn geometry of the charts in a browser.

// No view of a list of points opens empty, and the first one shows the headline's subject.
func TestEveryViewOpensOnRuns(t *testing.T) {
	p := listed()
	v := open(t, p, 1000, 900)
	if got := read[string](v, "document.querySelector('.headline').textContent"); got == "" || got != p.Headline {
		t.Errorf("the headline is %q, want %q", got, p.Headline)
	}
	if got := read[[]string](v, "[...document.querySelectorAll('.chart')].slice(0, 2).map(e => e.id)"); !slices.Equal(got,
		[]string{"map", "parameter"}) {
		t.Errorf("the first pictures are %q", got)
	}
	for _, id := range []string{"parameter", "curves", "map", "pareto", "profile"} {
		v.show(id)
		n := option[int](v, id, `o.series.flatMap(s => s.type === "custom" ? [] : s.data).filter(d => {
			const v = d && d.value || d; return Array.isArray(v) ? v[1] !== null : v !== null && v !== undefined; }).length`)
		if n < 4 {
			t.Errorf("%s opens with %d points", id, n)
		}
		if caption := read[string](v, "document.getElementById('%s-caption').textContent", id); len(caption) < 12 {
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
}

// saved returns the file that a button below a chart saves.
func saved(v *visit, id, what string) string {
	v.Helper()
	v.show(id)
	return read[string](v, `new Promise(done => {
		const old = URL.createObjectURL;
		URL.createObjectURL = b => { URL.createObjectURL = old; b.text().then(done); return old.call(URL, b); };
		[...document.getElementById(%q).nextElementSibling.querySelectorAll("button")].find(b => b.textContent === %q).click();
	})`, id, what)
}

// Every saved SVG parses as XML and keeps its text as text; the CSV has a line for each point.
func TestSavedFiles(t *testing.T) {
	v := open(t, nasty().built(), 900, 900)
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
}

// A link to a view restores its choices.
func TestLinksToViews(t *testing.T) {
	p := newStudy().built()
	v := open(t, p, 900, 900)
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
	got := v.follow(link, `["outcome", "x", "axis1"].map(name =>
		document.getElementById("parameter-controls").elements[name].value).join()`)
	if got != "2,0,2" {
		t.Errorf("the link brings back %s", got)
	}
	// Following or copying the link below a chart keeps its choices.
	for _, id := range []string{"parameter", "curves", "nodes", "spread"} {
		v.show(id)
		got := read[string](v, `(() => { const a = document.getElementById(%q).nextElementSibling.querySelector("a");
			a.dispatchEvent(new Event("contextmenu")); const copied = a.getAttribute("href"); a.click(); return copied + " " + location.hash; })()`, id)
		copied, followed, _ := strings.Cut(got, " ")
		if copied != followed || !strings.HasPrefix(copied, "#"+id+"?") || strings.Count(copied, "=") < 2 {
			t.Errorf("%s: the link is %q, and leads to %q", id, copied, followed)
		}
	}
}

// The arrow keys move along the curve of a chart.
func TestChartsAreReadByKeyboard(t *testing.T) {
	v := open(t, one().built(), 900, 900)
	v.show("curves")
	got := read[string](v, `(() => { const e = document.getElementById("curves"); e.focus();
		if (document.activeElement !== e) return "no focus";
		for (let i = 0; i < 3; i++) e.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
		return e.querySelector(":scope > div:last-child").textContent; })()`)
	if !strings.Contains(got, "DAGM: ") {
		t.Errorf("three steps to the right say %q", got)
	}
}

// Over categories, the lines of a chart are side by side, each with its interval; over numbers, they overlap.
func TestCategoriesAreTellable(t *testing.T) {
	p := newStudy().built()
	for _, width := range []int64{1400, 390} {
		v := open(t, p, width, 900)
		v.show("parameter")
		v.set("parameter", "x", "0")
		v.set("parameter", "axis1", "")
		// Of each line the marks and the intervals, from left to right; a number whose interval is open has none.
		got := read[[][2][]float64](v, `(() => { const m = echarts.getInstanceByDom(document.getElementById("parameter")).getModel(), out = [];
			for (const s of m.getSeries()) {
				const n = +s.id.split(" ")[1], kind = ["line", "whiskers"].findIndex(k => s.id.startsWith(k));
				for (let i = 0; kind >= 0 && i < s.getData().count(); i++) {
					const e = s.getData().getItemGraphicEl(i);
					if (e) (out[n] ||= [[], []])[kind].push(kind ? e.childAt(0).shape.x1 : e.childAt(0).getComputedTransform()[4]);
				}
			}
			return out; })()`)
		for n, at := range got {
			for _, x := range at[1] {
				if !slices.ContainsFunc(at[0], func(mark float64) bool { return math.Abs(mark-x) <= 1 }) {
					t.Errorf("%d pixels, line %d: its marks and its intervals are at %v", width, n, at)
				}
			}
			if n > 0 && at[0][0]-got[n-1][0][0] < 3 {
				t.Errorf("%d pixels: lines %d and %d are at %v and %v", width, n-1, n, got[n-1], at)
			}
		}
		if len(got) != 12 {
			t.Errorf("%d lines, want 12", len(got))
		}
	}
}

// Resizing a window gives the same names as opening it with that size.
func TestNamesFollowTheWindow(t *testing.T) {
	const names = `[...document.querySelectorAll("#phases svg text")].map(t => t.textContent).join("|")`
	v := open(t, one().built(), 390, 900)
	v.show("phases")
	narrow := read[string](v, "%s", names)
	v.Resize(1400, 900)
	v.Await(names + `.includes("hessian: norm (1 × 1)")`)
	v.Resize(390, 900)
	v.Await(names+" === %q", narrow)
	if !strings.Contains(narrow, "…") {
		t.Errorf("at 390 pixels the names are %q", narrow)
	}
}

// A ring lies on the curve of each group that reached the target, at the tables' cost, for every axis.
func TestTargetsAreMarked(t *testing.T) {
	g := newStudy()
	g.fail, g.samples = nil, 300
	p := g.answered("marked")
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
	v := open(t, p, 1000, 900)
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
	if note := v.Text("curves-note"); !strings.Contains(note, "Rings mark the target.") {
		t.Errorf("the note is %q", note)
	}
}
