package page

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"tallynet/metrics/report/page/browser"
	"tallynet/sim/slow"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if err := browser.Close(); err != nil {
		fmt.Fprintln(os.Stderr, "closing the browser:", err)
	}
	os.Exit(code)
}

// visit is a page in the browser. At its end the test fails if the page logged a message or sent a request
// elsewhere, or if its charts use parts that the build of the library lacks.
type visit struct {
	*browser.Tab
	own  string // the beginning of the addresses that the page may request
	loud bool   // the page is expected to log errors
}

// browsing skips a test that opens pages, unless slow tests run. It also skips with -short, which the race
// detector uses: the code of a page is not Go.
func browsing(t testing.TB) {
	t.Helper()
	slow.Skip(t, "pages are opened in Chromium; TestHostileNames does so each time")
	anyway(t)
}

// anyway is browsing for a test that is not slow.
func anyway(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: no page is opened")
	}
	browser.Need(t)
}

// open opens a page in a window of this size.
func open(t testing.TB, p Page, width, height int64) *visit {
	t.Helper()
	browsing(t)
	return openFile(t, written(t, p), width, height)
}

// written returns the file of a page.
func written(t testing.TB, p Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, p); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func openFile(t testing.TB, file string, width, height int64) *visit {
	t.Helper()
	url := "file://" + file
	v := &visit{Tab: browser.Open(t, url, width, height), own: url}
	t.Cleanup(func() {
		if v.loud || t.Failed() {
			return
		}
		for _, s := range read[[]string](v, missingParts) {
			t.Errorf("the build of ECharts lacks %s: add it to echarts/entry.js, and run echarts/build", s)
		}
		v.Quiet(v.own)
	})
	return v
}

// read evaluates an expression in the page.
func read[T any](v *visit, format string, args ...any) T {
	v.Helper()
	return browser.Read[T](v.Tab, format, args...)
}

// option evaluates an expression on o, the options of a chart.
func option[T any](v *visit, id, expression string) T {
	v.Helper()
	return read[T](v, "(o => %s)(echarts.getInstanceByDom(document.getElementById(%q)).getOption())", expression, id)
}

// chartIDs lists all charts that a page may have.
var chartIDs = []string{"curves", "parameter", "map", "path", "pareto", "profile", "graph", "nodes", "phases",
	"timeline", "spread", "physical", "wiring"}

// has reports whether the page shows a chart.
func (v *visit) has(id string) bool {
	v.Helper()
	return read[bool](v, "(e => !!e && !e.closest('[hidden]'))(document.getElementById(%q))", id)
}

// show scrolls to a chart and waits until it is drawn.
func (v *visit) show(id string) {
	v.Helper()
	v.Run("document.getElementById(%q).scrollIntoView({block: 'center'})", id)
	v.Await("!!echarts.getInstanceByDom(document.getElementById(%q))", id)
}

// showAll scrolls to each chart in turn.
func (v *visit) showAll() {
	v.Helper()
	for _, id := range chartIDs {
		if v.has(id) {
			v.show(id)
		}
	}
}

// set changes a control of a chart as its user would.
func (v *visit) set(form, name string, value any) {
	v.Helper()
	v.Set(fmt.Sprintf("document.getElementById(%q).elements[%q]", form+"-controls", name), value)
}

// follow opens a link within the page and evaluates an expression afterwards.
func (v *visit) follow(link, expression string) string {
	v.Helper()
	return read[string](v, `(() => { location.hash = %q;
		return new Promise(done => setTimeout(() => done(%s), 80)); })()`, link, expression)
}
