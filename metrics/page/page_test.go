package page

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"
)

// The pages of these tests are opened in a browser: that they are quiet, and that what
// they show follows the controls, is read from the charts' own state.

func TestPageIsQuiet(t *testing.T) {
	b := browser(t)
	for _, c := range []struct {
		name string
		page Page
	}{{"one", one().built()}, {"study", study().built()}, {"nasty", nasty().built()}, {"summed", summed(t).built()}, {"empty", Page{Title: "nothing"}}} {
		for _, width := range []int64{400, 800, 1600} {
			t.Run(fmt.Sprintf("%s at %d", c.name, width), func(t *testing.T) {
				v := open(t, b, c.page, width, 900)
				for _, id := range chartIDs {
					if !v.has(id) {
						continue
					}
					v.show(id)
					if label := read[string](v, "document.getElementById(%q).getAttribute('aria-label')", id); label == "" {
						t.Errorf("chart %s has no words for those who do not see it", id)
					}
				}
				if wide := read[float64](v, "document.documentElement.scrollWidth"); wide > float64(width) {
					t.Errorf("the page is %v pixels wide", wide)
				}
				v.quiet()
			})
		}
	}
}

// TestOddPagesAreQuiet draws what lacks runs, links, samples or keys, and tries the
// first choices of every control, and the last.
func TestOddPagesAreQuiet(t *testing.T) {
	b := browser(t)
	for i, p := range odd() {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			v := open(t, b, p, 1000, 900)
			for _, id := range chartIDs {
				if v.has(id) {
					v.show(id)
				}
			}
			if n := read[int](v, `(() => { let n = 0; for (const e of document.querySelectorAll("form select, form input")) {
				if (e.type === "checkbox") { e.click(); e.click(); n += 2; continue; }
				for (const o of [...e.options].filter((_, i, all) => i < 3 || i === all.length - 1).reverse()) { e.value = o.value; e.dispatchEvent(new Event("change", {bubbles: true})); n++; }
			} return n; })()`); n == 0 && len(p.Charts.Runs) > 0 {
				t.Error("no control was tried")
			}
			v.quiet()
		})
	}
}

// TestAlarms proves that quiet would hear of an error, a message and a request.
func TestAlarms(t *testing.T) {
	b := browser(t)
	for _, c := range []struct{ name, script, want string }{
		{"console", `console.error("oops")`, "oops"},
		{"exception", `setTimeout(() => { throw new Error("thrown") }); new Promise(r => setTimeout(r, 50))`, "thrown"},
		// The page's own policy forbids the request, and the browser says so.
		{"request", `new Image().src = "http://127.0.0.1:9/x.png"; new Promise(r => setTimeout(r, 50))`, "127.0.0.1:9"},
		{"script", `document.body.append(Object.assign(document.createElement("script"), {textContent: "document.title = 'owned'"}))`, "script"},
	} {
		v := open(t, b, Page{Title: "alarm"}, 800, 600)
		if _, err := chromedp.Run(v.ctx, chromedp.Evaluate[chromedp.Void](c.script, chromedp.EvalAwaitPromise)); err != nil {
			t.Fatal(err)
		}
		read[string](v, "document.title")
		v.mu.Lock()
		heard := strings.Join(append(v.trouble, v.requests...), "\n")
		v.mu.Unlock()
		if !strings.Contains(heard, c.want) {
			t.Errorf("%s: heard %q", c.name, heard)
		}
		if title := read[string](v, "document.title"); strings.Contains(title, "owned") {
			t.Errorf("%s: a foreign script has run", c.name)
		}
	}
}

// drawnCurve is a series as the chart has it.
type drawnCurve struct {
	Name string
	Data [][]*float64
}

const curvesOf = `o.series.filter(s => s.id.startsWith("curve")).map(s => ({Name: s.name, Data: s.data.map(p => p.value)}))`

func TestConvergenceSwitches(t *testing.T) {
	p := study().built()
	c := &p.Charts
	v := open(t, browser(t), p, 1200, 900)
	v.show("curves")
	mean := func(group int) *Mean {
		return &c.Means[slices.IndexFunc(c.Means, func(m Mean) bool { return m.Group == group })]
	}

	// 36 groups are too many at once: the first point is shown, means and the failed run.
	drawn := option[[]drawnCurve](v, "curves", curvesOf)
	names := []string{}
	for _, d := range drawn {
		names = append(names, d.Name)
	}
	if diff := cmp.Diff([]string{"DAGM", "DGBO (b = 10)", "DGBO (b = 10)", "MA-DBO", "DGTBO"}, names); diff != "" {
		t.Errorf("at first (-want +got):\n%s", diff)
	}
	if text := read[string](v, "document.getElementById('curves').textContent"); !strings.Contains(text, "target 0.001") {
		t.Errorf("no line at the target: %q", text)
	}
	for i, q := range c.Costs {
		v.set("curves", "x", strconv.Itoa(i))
		if got := option[string](v, "curves", "o.xAxis[0].name"); got != q.Name {
			t.Errorf("x axis %q, want %q", got, q.Name)
		}
		v.set("curves", "logx", false)
		for j, m := range c.Metrics {
			v.set("curves", "y", strconv.Itoa(j))
			if got := option[string](v, "curves", "o.yAxis[0].name"); got != m.Name {
				t.Errorf("y axis %q, want %q", got, m.Name)
			}
			v.set("curves", "logx", false)
			v.set("curves", "logy", false)
			data := option[[]drawnCurve](v, "curves", curvesOf)[0].Data
			want := &mean(0).Curve
			if len(data) != len(want.Iterations) {
				t.Fatalf("%s over %s: %d points, want %d", m.Name, q.Name, len(data), len(want.Iterations))
			}
			for row, point := range data {
				if x, y := *point[0], *point[1]; !near(x, want.Costs[i][row]) || !near(y, want.Values[j][row]) {
					t.Fatalf("%s over %s, row %d: (%v, %v), want (%v, %v)", m.Name, q.Name, row, x, y, want.Costs[i][row], want.Values[j][row])
				}
			}
		}
	}

	v.set("curves", "x", "2")
	v.set("curves", "y", "0")
	for _, log := range []bool{true, false} {
		v.set("curves", "logx", log)
		v.set("curves", "logy", log)
		want := map[bool]string{true: "log log", false: "value value"}[log]
		if got := option[string](v, "curves", "o.xAxis[0].type + ' ' + o.yAxis[0].type"); got != want {
			t.Errorf("axes %q, want %q", got, want)
		}
		if least := option[float64](v, "curves", "Math.min(...o.series.flatMap(s => s.data.map(p => (p.value || p)[0])))"); (least > 0) != log {
			t.Errorf("log is %v, and the least x %v", log, least)
		}
	}

	v.set("curves", "seeds", "each")
	if got := option[int](v, "curves", "o.series.length"); got != 20 {
		t.Errorf("%d series of 4 methods and 5 seeds", got)
	}
	v.set("curves", "axis0", "")
	if got := read[string](v, "document.getElementById('curves-note').textContent"); !strings.Contains(got, "Of 60 curves the first 48 are shown") {
		t.Errorf("the note is %q", got)
	}
	v.set("curves", "seeds", "mean")
	if got := option[int](v, "curves", "new Set(o.series.map(s => s.name)).size"); got != 12 {
		t.Errorf("%d names of 4 methods on 3 graphs", got)
	}
	v.set("curves", "axis0", "1")
	v.set("curves", "axis1", "1")
	// DGTBO stalled at that point with every seed: five runs, none of them a mean.
	if got := option[int](v, "curves", `o.series.filter(s => s.name === "DGTBO").length`); got != 5 {
		t.Errorf("%d series of the stalled runs", got)
	}
	if got := option[int](v, "curves", `o.series.filter(s => s.name === "DGTBO" && s.data.at(-1).label.formatter === "stalled").length`); got != 5 {
		t.Errorf("%d of 5 stalled runs say so", got)
	}
	if got := read[string](v, "document.getElementById('curves-note').textContent"); !strings.Contains(got, "5 runs did not end well") {
		t.Errorf("the note is %q", got)
	}
	v.quiet()
}

// near compares what went through six digits.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-5*math.Abs(b) }

func TestLegendAndTip(t *testing.T) {
	v := open(t, browser(t), study().built(), 1200, 900)
	v.show("curves")
	const chart = "echarts.getInstanceByDom(document.getElementById('curves'))"
	read[bool](v, chart+`.dispatchAction({type: "legendToggleSelect", name: "DAGM"}) === undefined`)
	if option[bool](v, "curves", `o.legend[0].selected.DAGM`) {
		t.Error("the legend does not switch a curve off")
	}
	tip := func() string {
		return read[string](v, `(() => { const c = %s, at = c.convertToPixel("grid", [100, 1e-3]);
			c.dispatchAction({type: "showTip", x: at[0], y: at[1]});
			return document.querySelector("#curves > div:last-child").textContent; })()`, chart)
	}
	if got := tip(); strings.Contains(got, "DAGM") || !regexp.MustCompile(`MA-DBO: \S+ \(\S+ to \S+\)mean of 5 seeds, \d+ iterations`).MatchString(got) {
		t.Errorf("the tip says %q", got)
	}
	read[bool](v, chart+`.dispatchAction({type: "legendToggleSelect", name: "DAGM"}) === undefined`)
	if got := tip(); !strings.Contains(got, "DAGM: ") {
		t.Errorf("the tip says %q", got)
	}
	v.quiet()
}

// TestCurvesDifferWithoutColour holds that dash and marker alone tell methods apart.
func TestCurvesDifferWithoutColour(t *testing.T) {
	g := one()
	g.labels = nil
	for i := range 24 {
		g.labels = append(g.labels, fmt.Sprintf("method %d", i))
	}
	v := open(t, browser(t), g.built(), 1200, 900)
	v.show("curves")
	looks := option[[]string](v, "curves", `o.series.map(s => JSON.stringify([s.lineStyle.type, s.symbol, s.itemStyle.color === s.color]))`)
	if len(looks) != 24 {
		t.Fatalf("%d curves", len(looks))
	}
	seen := map[string]int{}
	for i, l := range looks {
		if j, ok := seen[l]; ok {
			t.Errorf("methods %d and %d both look like %s", j, i, l)
		}
		seen[l] = i
	}
}

func TestParameterSwitches(t *testing.T) {
	p := study().built()
	c := &p.Charts
	v := open(t, browser(t), p, 1200, 900)
	v.show("lines")
	at := func(method int, point ...int) *Group {
		return &c.Groups[slices.IndexFunc(c.Groups, func(g Group) bool { return g.Method == method && slices.Equal(g.Point, point) })]
	}
	for o, q := range c.Outcomes {
		v.set("lines", "outcome", strconv.Itoa(o))
		v.set("lines", "x", "1")
		v.set("lines", "axis0", "2")
		v.set("lines", "logy", false)
		if got, want := option[string](v, "lines", "o.yAxis[0].name + ' over ' + o.xAxis[0].name"), q.Name+" over network.latency"; got != want {
			t.Errorf("axes %q, want %q", got, want)
		}
		got := option[[]float64](v, "lines", `o.series.find(s => s.id === "line 1").data.flatMap(p => p.value.slice(0, 2))`)
		for i, latency := range []float64{1e-4, 1e-3, 1e-2} {
			if want := at(1, 2, i).Values[o].Value; got[2*i] != latency || !near(got[2*i+1], want) {
				t.Errorf("%s at %v: (%v, %v), want %v", q.Name, latency, got[2*i], got[2*i+1], want)
			}
		}
	}
	if got := option[string](v, "lines", "o.xAxis[0].type"); got != "log" {
		t.Errorf("latencies from 0.1ms to 10ms lie on a %s axis", got)
	}
	v.set("lines", "logx", false)
	v.set("lines", "logy", true)
	if got := option[string](v, "lines", "o.xAxis[0].type + ' ' + o.yAxis[0].type"); got != "value log" {
		t.Errorf("axes are %s", got)
	}
	// The band reaches from the lower end of the interval to the upper one.
	e := at(0, 2, 1).Values[1]
	v.set("lines", "outcome", "1")
	band := option[[]float64](v, "lines", `["low 0", "high 0"].map(id => o.series.find(s => s.id === id).data[1][1])`)
	if !near(band[0], e.Low) || !near(band[0]+band[1], e.High) {
		t.Errorf("band of %v, want from %v to %v", band, e.Low, e.High)
	}
	v.set("lines", "x", "0")
	v.set("lines", "axis1", "1")
	if got := option[string](v, "lines", "o.xAxis[0].type + ' ' + o.xAxis[0].data.join()"); got != "category ring,torus,complete" {
		t.Errorf("the axis of graphs is %s", got)
	}
	if got := read[string](v, "document.getElementById('lines-note').textContent"); !strings.Contains(got, "No value: DGTBO at torus (5 stalled)") {
		t.Errorf("the note is %q", got)
	}
	v.quiet()
}

func TestHeatMapSwitches(t *testing.T) {
	p := study().built()
	c := &p.Charts
	v := open(t, browser(t), p, 1200, 900)
	v.show("heat")
	for _, log := range []bool{false, true} {
		for o := range c.Outcomes {
			for m, method := range c.Methods {
				v.set("heat", "outcome", strconv.Itoa(o))
				v.set("heat", "method", strconv.Itoa(m))
				v.set("heat", "log", log)
				got := option[[][]any](v, "heat", "o.series[0].data.map(d => [d.value[0], d.value[1], d.visualMap === false ? null : d.value[2]])")
				if len(got) != 9 {
					t.Fatalf("%d cells", len(got))
				}
				for _, cell := range got {
					i, j := int(cell[0].(float64)), int(cell[1].(float64))
					g := &c.Groups[slices.IndexFunc(c.Groups, func(g Group) bool { return g.Method == m && slices.Equal(g.Point, []int{i, j}) })]
					want := g.Values[o].Value
					shown, ok := cell[2].(float64)
					if log && ok {
						shown = math.Pow(10, shown)
					}
					if ok == math.IsNaN(want) || ok && !near(shown, want) {
						t.Errorf("%s of %s at %d, %d: %v, want %v", c.Outcomes[o].Name, method, i, j, cell[2], want)
					}
				}
			}
		}
	}
	// Choosing the other axis swaps them.
	v.set("heat", "x", "1")
	if got := option[string](v, "heat", "o.xAxis[0].name + ' ' + o.yAxis[0].name"); got != "network.latency topology.kind" {
		t.Errorf("axes %q", got)
	}
	v.set("heat", "y", "1")
	if got := option[string](v, "heat", "o.xAxis[0].name + ' ' + o.yAxis[0].name"); got != "topology.kind network.latency" {
		t.Errorf("axes %q", got)
	}
	if got := option[string](v, "heat", "o.series[0].data.find(d => d.visualMap === false).label.formatter"); got != "5 stalled" {
		t.Errorf("the cell without value says %q", got)
	}
	if got := read[string](v, "document.getElementById('heat').textContent"); !strings.Contains(got, "5 stalled") {
		t.Errorf("the cell without value is not drawn: %q", got)
	}
	if got := read[string](v, "document.getElementById('heat-note').textContent"); got != "1 of 9 cells have no value: 5 stalled." {
		t.Errorf("the note is %q", got)
	}
	v.quiet()
}

func TestDetailSwitch(t *testing.T) {
	p := study().built()
	c := &p.Charts
	v := open(t, browser(t), p, 1200, 900)
	for _, id := range []string{"graph", "nodes", "phases"} {
		v.show(id)
	}
	for _, i := range []int{0, 1, len(c.Details) - 1} {
		v.set("detail", "detail", strconv.Itoa(i))
		d := &c.Details[i]
		if got := read[string](v, "document.getElementById('detail-note').textContent"); got != d.Title {
			t.Errorf("note %q, want %q", got, d.Title)
		}
		got := option[[]float64](v, "graph", "o.series[0].data.map(d => d.value)")
		if len(got) != len(c.Graphs[d.Graph].Edges) {
			t.Fatalf("%d edges", len(got))
		}
		for e, bytes := range got {
			if want := d.There.Bytes[e] + d.Back.Bytes[e]; bytes != want {
				t.Errorf("edge %d carried %v, want %v", e, bytes, want)
			}
		}
		if got := option[[][]float64](v, "nodes", "o.series.map(s => s.data)"); !slices.EqualFunc(got[0], d.Nodes.Computing, near) ||
			!slices.EqualFunc(got[1], d.Nodes.Waiting, near) || !slices.EqualFunc(got[2], d.Nodes.Sending, near) {
			t.Errorf("times of the nodes: %v", got)
		}
		if got, want := read[string](v, "[...document.querySelectorAll('#ledger tbody tr:first-child td')].map(d => d.textContent).join('|')"), "inner|y|vector|50 × 1|100|5,000|20,000|160,000"; got != want {
			t.Errorf("ledger %q, want %q", got, want)
		}
	}
	if got := option[string](v, "phases", "o.series.map(s => s.name + ' ' + s.data.reduce((a, b) => a + b, 0)).join()"); got != "scalar 320,vector 224000,matrix 800000" {
		t.Errorf("bytes by kind: %s", got)
	}
	v.quiet()
}

func TestTheme(t *testing.T) {
	v := open(t, browser(t), one().built(), 800, 900)
	v.show("curves")
	theme := func() string {
		return read[string](v, "document.documentElement.dataset.theme") + " " + option[string](v, "curves", "o.yAxis[0].axisLabel.color")
	}
	const light, dark = "light #1b1f24", "dark #e8eaed"
	choose := func(value string) {
		read[bool](v, `(() => { const e = document.getElementById("theme"); e.value = %q; e.dispatchEvent(new Event("change")); return true; })()`, value)
	}
	steps := []struct {
		what string
		do   func()
		want string
	}{
		{"a light system", func() { v.scheme("light") }, light},
		{"a dark system", func() { v.scheme("dark") }, dark},
		{"light chosen", func() { choose("light") }, light},
		{"dark chosen, light system", func() { v.scheme("light"); choose("dark") }, dark},
		{"on paper", func() { read[bool](v, "dispatchEvent(new Event('beforeprint'))") }, light},
		{"after printing", func() { read[bool](v, "dispatchEvent(new Event('afterprint'))") }, dark},
		{"back to the system", func() { choose("") }, light},
	}
	for _, s := range steps {
		s.do()
		got := theme()
		for range 100 { // the browser tells the page of its system's wish when it likes
			if got == s.want {
				break
			}
			time.Sleep(20 * time.Millisecond)
			got = theme()
		}
		if got != s.want {
			t.Errorf("%s: %s, want %s", s.what, got, s.want)
		}
	}
	v.quiet()
}

// TestPaper holds that printing draws what was never scrolled to.
func TestPaper(t *testing.T) {
	v := open(t, browser(t), study().built(), 800, 600)
	if read[bool](v, "!!echarts.getInstanceByDom(document.getElementById('phases'))") {
		t.Fatal("the last chart is drawn before it is in view")
	}
	pdf, err := chromedp.Run(v.ctx, chromedp.PrintToPDF())
	if err != nil || len(pdf) < 10_000 {
		t.Fatalf("%d bytes of PDF, %v", len(pdf), err)
	}
	for _, id := range chartIDs {
		if !read[bool](v, "!!echarts.getInstanceByDom(document.getElementById(%q))", id) {
			t.Errorf("chart %s is not on the paper", id)
		}
	}
	v.quiet()
}

func TestTablesSort(t *testing.T) {
	v := open(t, browser(t), one().built(), 1200, 900)
	column := func(j int) []string {
		return read[[]string](v, "[...document.querySelector('.table table').tBodies[0].rows].map(r => r.cells[%d].textContent)", j)
	}
	for _, c := range []struct {
		column int
		clicks int
		want   []string
		sort   string
	}{
		{4, 1, []string{"9.57 MB", "201 MB", "291 MB", "392 MB"}, "ascending"}, // by size, not by letters
		{4, 2, []string{"392 MB", "291 MB", "201 MB", "9.57 MB"}, "descending"},
		{6, 1, []string{"1.74e-10", "1.60e-7", "1.32e-5", "-"}, "ascending"},
		{6, 2, []string{"1.32e-5", "1.60e-7", "1.74e-10", "-"}, "descending"}, // what is missing stays last
		{0, 1, []string{"DAGM", "DGBO (b = 10)", "DGTBO", "MA-DBO"}, "ascending"},
		{0, 2, []string{"MA-DBO", "DGTBO", "DGBO (b = 10)", "DAGM"}, "descending"},
	} {
		v.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf("document.querySelector('.table th:nth-child(%d) button').click()", c.column+1)))
		if diff := cmp.Diff(c.want, column(c.column)); diff != "" {
			t.Errorf("column %d after %d clicks (-want +got):\n%s", c.column, c.clicks, diff)
		}
		if got := read[[]string](v, "[...document.querySelectorAll('.table:not(#ledger) th[aria-sort]')].map(h => h.getAttribute('aria-sort'))"); !slices.Equal(got, []string{c.sort}) {
			t.Errorf("the headings say %q, want %q", got, c.sort)
		}
	}
	// The keyboard sorts too.
	v.do(chromedp.Evaluate[chromedp.Void]("document.querySelector('.table th:nth-child(5) button').focus()"), chromedp.KeyEvent("\r"))
	if got := column(4)[0]; got != "9.57 MB" {
		t.Errorf("after Enter on a heading the first is %s", got)
	}
	v.quiet()
}

func TestHostileNames(t *testing.T) {
	v := open(t, browser(t), nasty().built(), 1200, 900)
	for _, id := range chartIDs {
		v.show(id)
	}
	const elements = "[document.title, document.scripts.length, document.images.length].join(' ')"
	const want = "fake-study – Tallynet report 3 0"
	if got := read[string](v, elements); got != want {
		t.Errorf("the page has %q, want %q", got, want)
	}
	// Every name is shown as it is, but for control characters that HTML does not have.
	names := read[[]string](v, "[...document.querySelectorAll('dt')].slice(0, 5).map(e => e.textContent)")
	if diff := cmp.Diff(hostile, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(hostile, option[[]string](v, "lines", "o.series.filter(s => s.id.startsWith('line')).map(s => s.name)")); diff != "" {
		t.Errorf("names in a chart (-want +got):\n%s", diff)
	}
	// Tips are HTML, made of names.
	for _, id := range []string{"curves", "lines", "heat", "graph", "nodes", "phases"} {
		tip := read[string](v, `(() => { const e = document.getElementById(%q), c = echarts.getInstanceByDom(e);
			for (let x = 0.1; x < 1; x += 0.02) for (let y = 0.2; y < 1; y += 0.04) c.dispatchAction({type: "showTip", x: x * e.clientWidth, y: y * e.clientHeight});
			return e.querySelector(":scope > div:last-child").textContent; })()`, id)
		if id != "graph" && id != "phases" && tip == "" {
			t.Errorf("chart %s has no tip", id)
		}
		if got := read[string](v, elements); got != want {
			t.Errorf("after the tips of %s the page has %q", id, got)
		}
	}
	v.quiet()
}

func TestPageIsAccessible(t *testing.T) {
	v := open(t, browser(t), study().built(), 1200, 900)
	for what, expression := range map[string]string{
		"controls without a label":     `[...document.querySelectorAll("select, input")].filter(e => !e.labels.length).map(e => e.name)`,
		"tables without a caption":     `[...document.querySelectorAll("table")].filter(e => !e.caption).map(e => e.outerHTML.slice(0, 80))`,
		"headings that skip a level":   `[...document.querySelectorAll("main h1, main h2, main h3, main h4, header h1")].map(h => +h.tagName[1]).map((l, i, all) => i && l > all[i - 1] + 1 ? "h" + l : "").filter(Boolean)`,
		"sections without a name":      `[...document.querySelectorAll("section")].filter(s => !document.getElementById(s.getAttribute("aria-labelledby"))).map(s => s.innerHTML.slice(0, 80))`,
		"scrolling boxes out of reach": `[...document.querySelectorAll(".scroll, pre")].filter(e => e.tabIndex < 0).map(e => e.textContent.slice(0, 80))`,
		"ids twice":                    `[...document.querySelectorAll("[id]")].map(e => e.id).filter((id, i, all) => all.indexOf(id) !== i)`,
	} {
		if got := read[[]string](v, "%s", expression); len(got) > 0 {
			t.Errorf("%s: %q", what, got)
		}
	}
	if got := read[string](v, "document.documentElement.lang"); got != "en" {
		t.Errorf("language %q", got)
	}
}

// TestContrast holds text to 4.5 and lines to 3 (WCAG 2.2, 1.4.3 and 1.4.11), but for the
// light lines of the palette, which dashes and markers carry.
func TestContrast(t *testing.T) {
	blocks := regexp.MustCompile(`(?s):root(\[data-theme="dark"\])? \{(.*?)\}`).FindAllStringSubmatch(style, -1)
	if len(blocks) != 2 {
		t.Fatalf("%d blocks of colours", len(blocks))
	}
	for _, b := range blocks {
		colour := map[string]string{}
		for _, m := range regexp.MustCompile(`--([a-z0-9-]+): #([0-9a-f]{6})`).FindAllStringSubmatch(b[2], -1) {
			colour[m[1]] = m[2]
		}
		for _, c := range []struct {
			ink, paper string
			least      float64
		}{
			{"ink", "paper", 4.5}, {"ink", "panel", 4.5}, {"faint", "paper", 4.5}, {"faint", "panel", 4.5}, {"link", "paper", 4.5},
			{"good", "good-paper", 4.5}, {"bad", "bad-paper", 4.5}, {"open", "open-paper", 4.5}, {"bad", "paper", 4.5}, {"bad", "panel", 4.5},
			{"line-0", "paper", 3}, {"line-2", "paper", 3}, {"line-4", "paper", 3}, {"line-6", "paper", 3},
		} {
			if got := contrast(t, colour[c.ink], colour[c.paper]); got < c.least {
				t.Errorf("dark is %v: %s on %s has contrast %.2f, below %v", b[1] != "", c.ink, c.paper, got, c.least)
			}
		}
	}
	if got := contrast(t, "000000", "ffffff"); math.Abs(got-21) > 1e-9 {
		t.Errorf("black on white has contrast %v", got)
	}
}

func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	luminance := func(hex string) float64 {
		n, err := strconv.ParseUint(hex, 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			c := float64(n>>(16-8*i)&0xff) / 255
			if c <= 0.04045 {
				c /= 12.92
			} else {
				c = math.Pow((c+0.055)/1.055, 2.4)
			}
			sum += weight * c
		}
		return sum
	}
	la, lb := luminance(a)+0.05, luminance(b)+0.05
	return max(la, lb) / min(la, lb)
}

func TestLargeStudyOpens(t *testing.T) {
	v := open(t, browser(t), large(5).built(), 1200, 900)
	v.show("curves")
	if got := option[int](v, "curves", "new Set(o.series.map(s => s.name)).size"); got != 4 {
		t.Errorf("%d methods at the first point", got)
	}
	v.set("curves", "axis0", "")
	v.set("curves", "axis1", "")
	v.show("phases")
	v.quiet()
}

// BenchmarkOpen opens the page of 500 runs: ms/load is from asking for it until it is
// there, with its tables sortable, and ms/chart from scrolling to the first chart until
// that is drawn. -benchtime 5x says enough.
func BenchmarkOpen(b *testing.B) {
	var load, drawn float64
	p := large(5).built()
	chromium := browser(b)
	for b.Loop() {
		b.StopTimer()
		v := open(b, chromium, p, 1200, 900)
		load += read[float64](v, "performance.timing.loadEventEnd - performance.timing.navigationStart")
		drawn += read[float64](v, `(() => {
			const start = performance.now(), chart = document.getElementById("curves");
			chart.scrollIntoView();
			return new Promise(done => {
				const look = () => echarts.getInstanceByDom(chart) ? requestAnimationFrame(() => done(performance.now() - start)) : requestAnimationFrame(look);
				look();
			});
		})()`)
		b.StartTimer()
	}
	b.ReportMetric(load/float64(b.N), "ms/load")
	b.ReportMetric(drawn/float64(b.N), "ms/chart")
}
