package page

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"tallynet/metrics/escape"
	"tallynet/metrics/report/page/browser"
)

// These tests open pages in a browser. They read from the charts' own state that the
// pages are quiet and follow their controls.

// TestOddPagesAreQuiet draws pages without runs, links, samples or keys, and tries
// the first choices of every control, and the last.
func TestOddPagesAreQuiet(t *testing.T) {
	browsing(t)
	for i, p := range odd() {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			v := open(t, p, 1000, 900)
			v.showAll()
			if n := read[int](v, `(() => { let n = 0; for (const e of document.querySelectorAll("form select, form input")) {
				if (e.type === "checkbox") { e.click(); e.click(); n += 2; continue; }
				for (const o of [...e.options].filter((_, i, all) => i < 3 || i === all.length - 1).reverse()) { e.value = o.value; e.dispatchEvent(new Event("change", {bubbles: true})); n++; }
			} return n; })()`); n == 0 && len(p.Charts.Runs) > 0 {
				t.Error("no control was tried")
			}
		})
	}
}

// TestAlarms checks that the tests notice an error, a message and a request.
func TestAlarms(t *testing.T) {
	for _, c := range []struct{ name, script, want string }{
		{"console", `console.error("oops")`, "oops"},
		{"exception", `setTimeout(() => { throw new Error("thrown") }); new Promise(r => setTimeout(r, 50))`, "thrown"},
		// The page's own policy forbids the request, and the browser logs that.
		{"request", `new Image().src = "http://127.0.0.1:9/x.png"; new Promise(r => setTimeout(r, 50))`, "127.0.0.1:9"},
		{"script", `document.body.append(Object.assign(document.createElement("script"), {textContent: "document.title = ` +
			`'owned'"}))`, "script"},
	} {
		v := open(t, Page{Title: "alarm"}, 800, 600)
		v.loud = true // it logs errors
		browser.Do(v.Tab, chromedp.Evaluate[chromedp.Void](c.script, chromedp.EvalAwaitPromise))
		title := read[string](v, "document.title")
		trouble, requests := v.Heard()
		if heard := strings.Join(append(trouble, requests...), "\n"); !strings.Contains(heard, c.want) {
			t.Errorf("%s: heard %q", c.name, heard)
		}
		if strings.Contains(title, "owned") {
			t.Errorf("%s: a foreign script has run", c.name)
		}
	}
}

// drawnCurve is a series in the chart's state.
type drawnCurve struct {
	Name string
	Data [][]*float64
}

const curvesOf = `o.series.filter(s => s.id.startsWith("curve")).map(s => ({Name: s.name, Data: s.data.map(p => ` +
	`p.value)}))`

func TestTheme(t *testing.T) {
	v := open(t, one().built(), 800, 900)
	v.show("curves")
	const theme = `document.documentElement.dataset.theme + " " +
		echarts.getInstanceByDom(document.getElementById("curves")).getOption().yAxis[0].axisLabel.color`
	const light, dark = "light #1b1f24", "dark #e8eaed"
	choose := func(value string) { v.Set(`document.getElementById("theme")`, value) }
	steps := []struct {
		what string
		do   func()
		want string
	}{
		{"a light system", func() { v.Show("", "light") }, light},
		{"a dark system", func() { v.Show("", "dark") }, dark},
		{"light chosen", func() { choose("light") }, light},
		{"dark chosen, light system", func() { v.Show("", "light"); choose("dark") }, dark},
		{"on paper", func() { v.Run("dispatchEvent(new Event('beforeprint'))") }, light},
		{"after printing", func() { v.Run("dispatchEvent(new Event('afterprint'))") }, dark},
		{"back to the system", func() { choose("") }, light},
	}
	for _, s := range steps {
		s.do()
		t.Log(s.what)
		v.Await(theme+" === %q", s.want) // the browser applies the system's scheme with a delay
	}
}

// TestPaper checks that printing draws charts that were never scrolled into view.
func TestPaper(t *testing.T) {
	v := open(t, newStudy().built(), 800, 600)
	if read[bool](v, "!!echarts.getInstanceByDom(document.getElementById('phases'))") {
		t.Fatal("the last chart is drawn before it is in view")
	}
	if pdf := browser.Do(v.Tab, chromedp.PrintToPDF()); len(pdf) < 10_000 {
		t.Fatalf("%d bytes of PDF", len(pdf))
	}
	for _, id := range chartIDs {
		if v.has(id) && !read[bool](v, "!!echarts.getInstanceByDom(document.getElementById(%q))", id) {
			t.Errorf("chart %s is not on the paper", id)
		}
	}
}

func TestTablesSort(t *testing.T) {
	v := open(t, one().built(), 1200, 900)
	column := func(j int) []string {
		return read[[]string](v,
			"[...document.querySelector('.table table').tBodies[0].rows].map(r => r.cells[%d].textContent)", j)
	}
	for _, c := range []struct {
		column int
		clicks int
		want   []string
		sort   string
	}{
		{4, 1, []string{"9.57 MB", "201 MB", "291 MB", "392 MB"}, "ascending"}, // by size, not alphabetically
		{4, 2, []string{"392 MB", "291 MB", "201 MB", "9.57 MB"}, "descending"},
		{6, 1, []string{"1.74e-10", "1.60e-7", "1.32e-5", "-"}, "ascending"},
		{6, 2, []string{"1.32e-5", "1.60e-7", "1.74e-10", "-"}, "descending"}, // missing values stay last
		{0, 1, []string{"DAGM", "DGBO (b = 10)", "DGTBO", "MA-DBO"}, "ascending"},
		{0, 2, []string{"MA-DBO", "DGTBO", "DGBO (b = 10)", "DAGM"}, "descending"},
	} {
		v.Run("document.querySelector('.table th:nth-child(%d) button').click()", c.column+1)
		if diff := cmp.Diff(c.want, column(c.column)); diff != "" {
			t.Errorf("column %d after %d clicks (-want +got):\n%s", c.column, c.clicks, diff)
		}
		if got := read[[]string](v,
			"[...document.querySelectorAll('.table:not(#ledger) th[aria-sort]')].map(h => "+
				"h.getAttribute('aria-sort'))"); !slices.Equal(got, []string{c.sort}) {
			t.Errorf("the headings say %q, want %q", got, c.sort)
		}
	}
	// The keyboard sorts, too.
	v.Run("document.querySelector('.table th:nth-child(5) button').focus()")
	browser.Do(v.Tab, chromedp.KeyEvent("\r"))
	if got := column(4)[0]; got != "9.57 MB" {
		t.Errorf("after Enter on a heading the first is %s", got)
	}
}

func TestHostileNames(t *testing.T) {
	anyway(t)
	v := openFile(t, written(t, nasty().built()), 1200, 900)
	v.showAll()
	const elements = "[document.title, document.scripts.length, document.images.length].join(' ')"
	const want = "fake-study – Tallynet report 3 0"
	if got := read[string](v, elements); got != want {
		t.Errorf("the page has %q, want %q", got, want)
	}
	// Names are shown as text on one line, and cut if too long.
	shown := escape.Names(hostile)
	names := read[[]string](v, "[...document.querySelectorAll('dt')].slice(0, 5).map(e => e.textContent)")
	if diff := cmp.Diff(shown, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(shown, option[[]string](v, "parameter",
		"o.series.filter(s => s.id.startsWith('line')).map(s => s.name)")); diff != "" {
		t.Errorf("names in a chart (-want +got):\n%s", diff)
	}
	// Tooltips are HTML made of names.
	for _, id := range []string{"curves", "parameter", "map", "graph", "nodes", "phases"} {
		down := 0.08
		if id == "curves" || id == "nodes" { // a tooltip covers everything at one place of the axis, at any height
			down = 0.4
		} else if id == "parameter" { // a point's tooltip
			down = 0.03
		}
		tip := read[string](v, `(() => { const e = document.getElementById(%q), c = echarts.getInstanceByDom(e);
			for (let x = 0.1; x < 1; x += 0.04) for (let y = 0.2; y < 1; y += %g) c.dispatchAction({type: "showTip", x: x * e.clientWidth, y: y * e.clientHeight});
			return e.querySelector(":scope > div:last-child").textContent; })()`, id, down)
		if id != "graph" && id != "phases" && tip == "" {
			t.Errorf("chart %s has no tip", id)
		}
		if got := read[string](v, elements); got != want {
			t.Errorf("after the tips of %s the page has %q", id, got)
		}
	}
}

func TestPageIsAccessible(t *testing.T) {
	v := open(t, newStudy().built(), 1200, 900)
	for what, expression := range map[string]string{
		"controls without a label": `[...document.querySelectorAll("select, input")].filter(e => ` +
			`!e.labels.length).map(e => e.name)`,
		"tables without a caption": `[...document.querySelectorAll("table")].filter(e => !e.caption).map(e => ` +
			`e.outerHTML.slice(0, 80))`,
		"headings that skip a level": `[...document.querySelectorAll("main h1, main h2, main h3, main h4, header ` +
			`h1")].map(h => +h.tagName[1]).map((l, i, all) => i && l > all[i - 1] + 1 ? "h" + l : "").filter(Boolean)`,
		"sections without a name": `[...document.querySelectorAll("section")].filter(s => ` +
			`!document.getElementById(s.getAttribute("aria-labelledby"))).map(s => s.innerHTML.slice(0, 80))`,
		"scrolling boxes out of reach": `[...document.querySelectorAll(".scroll, pre")].filter(e => e.tabIndex < ` +
			`0).map(e => e.textContent.slice(0, 80))`,
		"ids twice": `[...document.querySelectorAll("[id]")].map(e => e.id).filter((id, i, all) => ` +
			`all.indexOf(id) !== i)`,
	} {
		if got := read[[]string](v, "%s", expression); len(got) > 0 {
			t.Errorf("%s: %q", what, got)
		}
	}
	if got := read[string](v, "document.documentElement.lang"); got != "en" {
		t.Errorf("language %q", got)
	}
}

// TestContrast requires a contrast of 4.5 for text and 3 for lines (WCAG 2.2, 1.4.3 and
// 1.4.11), except for the light lines of the palette, which dashes and markers identify.
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
			{"ink", "paper", 4.5}, {"ink", "panel", 4.5}, {"faint", "paper", 4.5}, {"faint", "panel", 4.5}, {"link", "paper",
				4.5},
			{"good", "good-paper", 4.5}, {"bad", "bad-paper", 4.5}, {"open", "open-paper", 4.5}, {"bad", "paper", 4.5}, {"bad",
				"panel", 4.5},
			{"line-0", "paper", 3}, {"line-2", "paper", 3}, {"line-4", "paper", 3}, {"line-6", "paper", 3},
		} {
			if got := contrast(t, colour[c.ink], colour[c.paper]); got < c.least {
				t.Errorf("dark is %v: %s on %s has contrast %.2f, below %v", b[1] != "", c.ink, c.paper, got, c.least)
			}
		}
	}
	if got := contrast(t, "000000", "ffffff"); !(math.Abs(got-21) <= 1e-9) {
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
