package page

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"tallynet/sim/slow"
)

var screenshots = flag.String("screenshots", "", "a folder for pictures of the pages, to be looked at")

// window is the browser of all tests.
var window = sync.OnceValues(func() (context.Context, error) {
	found := ""
	// The first two have no windows, and take a quarter of the time to start.
	for _, name := range []string{"chromium-headless-shell", "chrome-headless-shell", "chromium",
		"chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			found = path
			break
		}
	}
	if found == "" {
		return nil, exec.ErrNotFound
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(found), chromedp.NoSandbox,
		chromedp.DisableGPU,
		// No page runs for so long that its script, once optimized, makes up for the time that takes.
		chromedp.Flag("js-flags", "--no-maglev,--no-turbofan"))
	ctx, _ := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, _ = chromedp.NewContext(ctx)
	closeWindow = func() error { return chromedp.Cancel(ctx) }
	return ctx, chromedp.Do(ctx)
})

var closeWindow = func() error { return nil }

func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(300) // a quarter of the CPU time went into pages, which are large and soon of no use
	}
	code := m.Run()
	if err := closeWindow(); err != nil {
		fmt.Fprintln(os.Stderr, "closing the browser:", err)
	}
	os.Exit(code)
}

// browser returns a running Chromium for a test that takes long, as most that open pages do.
func browser(t testing.TB) context.Context {
	t.Helper()
	slow.Skip(t, "pages are opened in Chromium; TestHostileNames does so each time")
	return anyway(t)
}

// anyway returns a running Chromium, or skips the test where there is none. With -short, which
// is for the race detector, it skips, too: what runs in the page is not Go.
func anyway(t testing.TB) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: no page is opened")
	}
	ctx, err := window()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("no Chromium in PATH; on Debian: apt-get install chromium-headless-shell")
	}
	if err != nil {
		t.Fatal(err)
	}
	return ctx
}

// visit is a page in a tab of a browser, and what it should never do.
type visit struct {
	t   testing.TB
	ctx context.Context
	url string // of the page

	held     bool // by quiet
	mu       sync.Mutex
	trouble  []string // console messages, exceptions, log entries
	requests []string // of anything but the page itself
}

// open writes the page to a file and opens it in a tab of this size.
func open(t testing.TB, browser context.Context, p Page, width, height int64) *visit {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	var b bytes.Buffer
	if err := Write(&b, p); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return openFile(t, browser, file, width, height)
}

// tab is a tab of the browser that one visit after another uses: a process of its own for
// each page costs more than most of the pages.
type tab struct {
	ctx context.Context

	mu    sync.Mutex
	visit *visit // whose page it shows; nil between visits
}

// free are the tabs that no visit uses. No test of this package runs beside another.
var free []*tab

// newTab opens a tab, which tells its visit what the page says and asks for.
func newTab(browser context.Context) (*tab, error) {
	ctx, _ := chromedp.NewContext(browser)
	b := &tab{ctx: ctx}
	if err := chromedp.Listen(ctx, b.listen); err != nil {
		return nil, err
	}
	_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	if err == nil {
		_, err = chromedp.Call(ctx, log.Enable, cdp.Empty{})
	}
	if err == nil {
		_, err = chromedp.Call(ctx, runtime.Enable, cdp.Empty{})
	}
	if err == nil && *screenshots == "" {
		_, err = chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: unseen})
	}
	return b, err
}

// listen hands an event to the visit.
func (b *tab) listen(event any) {
	b.mu.Lock()
	v := b.visit
	b.mu.Unlock()
	if v != nil {
		v.listen(event)
	}
}

// show gives the tab to a visit, or to none.
func (b *tab) show(v *visit) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.visit = v
}

// leave ends a visit: the next one begins with an empty page. A tab that does not get there
// is closed.
func (b *tab) leave() error {
	b.show(nil)
	ctx, stop := context.WithTimeout(b.ctx, time.Minute)
	defer stop()
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		return errors.Join(err, chromedp.Cancel(b.ctx))
	}
	free = append(free, b)
	return nil
}

func openFile(t testing.TB, browser context.Context, file string, width, height int64) *visit {
	t.Helper()
	if len(free) == 0 {
		b, err := newTab(browser)
		if err != nil {
			t.Fatal(err)
		}
		free = append(free, b)
	}
	b := free[len(free)-1]
	free = free[:len(free)-1]
	ctx, stop := context.WithTimeout(b.ctx, 3*time.Minute) // a page that does not answer ends its test, not all
	v := &visit{t: t, ctx: ctx, url: "file://" + file}
	b.show(v)
	t.Cleanup(func() {
		if !v.held && !t.Failed() {
			v.quiet()
		}
		stop()
		if err := b.leave(); err != nil {
			t.Errorf("leaving the page: %v", err)
		}
	})
	v.scheme("light")
	v.do(chromedp.EmulateViewport(width, height), chromedp.Navigate(v.url))
	return v
}

// unseen keeps a page from being painted, from its first frame on. What nobody looks at has its geometry and colours,
// too, and costs less.
const unseen = `{
	const style = new CSSStyleSheet();
	style.replaceSync(":root { opacity: 0 }");
	document.adoptedStyleSheets = [style];
}`

// pdf prints the page.
func (v *visit) pdf(options ...chromedp.PDFOption) ([]byte, error) {
	v.t.Helper()
	const seen = "(document.documentElement.style.opacity = %q, true)"
	read[bool](v, seen, "1")
	defer read[bool](v, seen, "")
	return chromedp.Run(v.ctx, chromedp.PrintToPDF(options...))
}

func (v *visit) listen(event any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		text := string(e.Type)
		for _, a := range e.Args {
			text += " " + string(a.Value) + a.Description
		}
		v.trouble = append(v.trouble, "console: "+text)
	case *runtime.EventExceptionThrown:
		v.trouble = append(v.trouble, (&chromedp.ExceptionError{ExceptionDetails: e.ExceptionDetails}).Error())
	case *log.EventEntryAdded:
		v.trouble = append(v.trouble, "log: "+e.Entry.Text)
	case *network.EventRequestWillBeSent:
		if e.Request.URL != v.url && !strings.HasPrefix(e.Request.URL, "data:") {
			v.requests = append(v.requests, e.Request.URL)
		}
	}
}

func call[P, R any](v *visit, command cdp.Command[P, R], params P) R {
	v.t.Helper()
	r, err := chromedp.Call(v.ctx, command, params)
	if err != nil {
		v.t.Fatal(err)
	}
	return r
}

func (v *visit) do(actions ...chromedp.Action[chromedp.Void]) {
	v.t.Helper()
	if err := chromedp.Do(v.ctx, actions...); err != nil {
		v.t.Fatal(err)
	}
}

// scheme is what the system says that it prefers: light or dark.
func (v *visit) scheme(name string) {
	v.t.Helper()
	call(v, emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
}

// read evaluates an expression in the page.
func read[T any](v *visit, format string, args ...any) T {
	v.t.Helper()
	out, err := chromedp.Run(v.ctx, chromedp.Evaluate[T](fmt.Sprintf(format, args...), chromedp.EvalAwaitPromise))
	if err != nil {
		v.t.Fatalf(format+": %v", append(args, err)...)
	}
	return out
}

// show scrolls to a chart and waits until it is drawn.
func (v *visit) show(id string) {
	v.t.Helper()
	read[bool](v, "(document.getElementById(%q).scrollIntoView({block: 'center'}), true)", id)
	v.await("chart "+id+" is drawn when it comes into view",
		"!!echarts.getInstanceByDom(document.getElementById(%q))", id)
}

// await waits until a condition holds in the page.
func (v *visit) await(what, format string, args ...any) {
	v.t.Helper()
	for range 500 {
		if read[bool](v, format, args...) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	v.quiet()
	v.t.Fatalf("it never holds that %s", what)
}

// option reads an expression of the option o that a chart shows.
func option[T any](v *visit, id, expression string) T {
	v.t.Helper()
	return read[T](v, "(o => %s)(echarts.getInstanceByDom(document.getElementById(%q)).getOption())", expression, id)
}

// set changes a control as its user would.
func (v *visit) set(form, name string, value any) {
	v.t.Helper()
	quoted, err := json.Marshal(value)
	if err != nil {
		v.t.Fatal(err)
	}
	ok := read[bool](v, `(() => {
		const e = document.getElementById(%q).elements[%q], value = %s;
		if (typeof value === "boolean") { if (e.checked !== value) e.click(); return e.checked === value; }
		e.value = value;
		e.dispatchEvent(new Event("change", {bubbles: true}));
		return e.value === value;
	})()`, form+"-controls", name, quoted)
	if !ok {
		v.t.Fatalf("%s of %s cannot be set to %v", name, form, value)
	}
}

// quiet fails the test if the page complained or asked for anything, or its charts want what the
// library was built without. It comes last, by itself if the test does not call it.
func (v *visit) quiet() {
	v.t.Helper()
	v.held = true
	for _, s := range read[[]string](v, missingParts) {
		v.t.Errorf("the build of ECharts lacks %s: add it to echarts/entry.js, and run echarts/build", s)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, s := range v.trouble {
		v.t.Errorf("the page says %s", s)
	}
	for _, s := range v.requests {
		v.t.Errorf("the page asks for %s", s)
	}
}

// chartIDs are all charts that a page may have.
var chartIDs = []string{"curves", "parameter", "heat", "path", "pareto", "profile", "graph", "nodes", "phases",
	"timeline", "spread", "physical", "wiring"}

// has reports whether the page shows a chart.
func (v *visit) has(id string) bool {
	v.t.Helper()
	return read[bool](v, "(e => !!e && !e.closest('[hidden]'))(document.getElementById(%q))", id)
}

// picture takes a picture of the whole page, in a window as high as the page.
func (v *visit) picture(file string, width int64) {
	v.t.Helper()
	for _, id := range chartIDs {
		if v.has(id) {
			v.show(id)
		}
	}
	height := read[int64](v, "(scrollTo(0, 0), document.documentElement.scrollHeight)")
	v.do(chromedp.EmulateViewport(width, height), chromedp.Sleep(300*time.Millisecond))
	png, err := chromedp.Run(v.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		v.t.Fatal(err)
	}
	v.do(chromedp.EmulateViewport(width, 900))
	if err := os.WriteFile(file, png, 0o666); err != nil {
		v.t.Fatal(err)
	}
}

// TestPictures takes pictures for people to look at, if a folder is given: of the pages
// of these tests, and of those that lie there already.
func TestPictures(t *testing.T) {
	if *screenshots == "" {
		return
	}
	b := browser(t)
	files, err := filepath.Glob(filepath.Join(*screenshots, "*.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		page Page
	}{{"one", one().built()}, {"study", summed(t).built()}, {"nasty", nasty().built()}} {
		var page bytes.Buffer
		if err := Write(&page, c.page); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), c.name+".html")
		if err := os.WriteFile(file, page.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".html")
		for _, width := range []int64{400, 800, 1600} {
			v := openFile(t, b, file, width, 900)
			for _, scheme := range []string{"light", "dark"} {
				v.scheme(scheme)
				v.picture(filepath.Join(*screenshots, fmt.Sprintf("%s-%d-%s.png", name, width, scheme)), width)
			}
			v.scheme("light")
			v.quiet()
			if width != 800 {
				continue
			}
			pdf, err := v.pdf(chromedp.PDFPaper(chromedp.PaperA4))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(*screenshots, name+".pdf"), pdf, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}
