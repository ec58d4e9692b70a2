// Package browser opens pages in Chromium and records what they complain about. It is for tests: a test binary that
// imports it has the flag -screenshots, which names a folder for pictures of the pages.
//
// A test whose machine has no Chromium is skipped. All tests of a binary share one browser; each page has a tab.
package browser

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Screenshots is the folder for pictures of the pages; "" if none are wanted.
var Screenshots = flag.String("screenshots", "", "a folder for pictures of the pages, to be looked at")

// programs are the names of Chromium. Those without windows come first: they start four times as fast.
var programs = []string{"chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser",
	"google-chrome", "chrome"}

// chromium returns the browser that all tests share, and closing ends it if it has been started.
var (
	chromium = sync.OnceValues(launch)
	closing  = func() error { return nil }
)

func launch() (context.Context, error) {
	for _, name := range programs {
		program, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(program),
			chromedp.NoSandbox, chromedp.DisableGPU)
		ctx, _ := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, _ = chromedp.NewContext(ctx)
		closing = func() error { return chromedp.Cancel(ctx) }
		return ctx, chromedp.Do(ctx)
	}
	return nil, exec.ErrNotFound
}

// Close ends the browser, if a test has started it. TestMain calls it after the tests. The next tab starts another
// browser, which has the environment of that moment.
func Close() error {
	err := closing()
	chromium, closing = sync.OnceValues(launch), func() error { return nil }
	return err
}

// Need returns the browser, or skips the test if there is no Chromium.
func Need(t testing.TB) context.Context {
	t.Helper()
	ctx, err := chromium()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("no Chromium in PATH; on Debian: apt-get install chromium-headless-shell")
	}
	if err != nil {
		t.Fatal(err)
	}
	return ctx
}

// patience is how long a page has to answer; one that does not ends its test only.
const patience = 5 * time.Minute

// Tab shows a page and records what it complains about and asks for.
type Tab struct {
	testing.TB
	Ctx context.Context // for actions of chromedp

	mu       sync.Mutex
	trouble  []string // console messages, exceptions, log entries
	requests []string // without those for data in the page itself
}

// Open opens an address in a tab of this size, in light colours. The tab is closed at the end of the test.
func Open(t testing.TB, address string, width, height int64) *Tab {
	t.Helper()
	ctx, _ := chromedp.NewContext(Need(t))
	ctx, stop := context.WithTimeout(ctx, patience)
	v := &Tab{TB: t, Ctx: ctx}
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("closing the tab: %v", err)
		}
		stop()
	})
	if err := chromedp.Listen(ctx, v.listen); err != nil {
		t.Fatal(err)
	}
	v.Show("", "light")
	v.Resize(width, height)
	Do(v, chromedp.Navigate(address))
	return v
}

// listen records an event of the page.
func (v *Tab) listen(event any) {
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
		if !strings.HasPrefix(e.Request.URL, "data:") && !strings.HasPrefix(e.Request.URL, "blob:") {
			v.requests = append(v.requests, e.Request.URL)
		}
	}
}

// Heard returns what the page has complained about so far, and the addresses that it has asked for.
func (v *Tab) Heard() (trouble, requests []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.trouble), slices.Clone(v.requests)
}

// Quiet fails the test if the page has complained, or asked for an address that does not begin with own. A complaint
// that contains one of the expected texts does not count.
func (v *Tab) Quiet(own string, expected ...string) {
	v.Helper()
	trouble, requests := v.Heard()
	for _, text := range trouble {
		if !slices.ContainsFunc(expected, func(e string) bool { return strings.Contains(text, e) }) {
			v.Errorf("the page says %s", text)
		}
	}
	for _, address := range requests {
		if !strings.HasPrefix(address, own) {
			v.Errorf("the page asks for %s", address)
		}
	}
}

// Do runs an action and returns its result.
func Do[T any](v *Tab, action chromedp.Action[T]) T {
	v.Helper()
	out, err := chromedp.Run(v.Ctx, action)
	if err != nil {
		v.Fatal(err)
	}
	return out
}

// Resize gives the page another size.
func (v *Tab) Resize(width, height int64) {
	v.Helper()
	Do(v, chromedp.EmulateViewport(width, height))
}

// Show shows the page on a medium, which is "print" or, for a screen, "", with the colours that the system prefers:
// light or dark.
func (v *Tab) Show(medium, scheme string) {
	v.Helper()
	params := emulation.SetEmulatedMediaParams{Media: medium,
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	if _, err := chromedp.Call(v.Ctx, emulation.SetEmulatedMedia, params); err != nil {
		v.Fatal(err)
	}
}

// Read evaluates an expression in the page; of a promise it returns the result.
func Read[T any](v *Tab, format string, args ...any) T {
	v.Helper()
	out, err := chromedp.Run(v.Ctx, chromedp.Evaluate[T](fmt.Sprintf(format, args...), chromedp.EvalAwaitPromise))
	if err != nil {
		v.Fatalf(format+": %v", append(args, err)...)
	}
	return out
}

// Run evaluates an expression in the page for its effect.
func (v *Tab) Run(format string, args ...any) {
	v.Helper()
	Read[bool](v, "(%s, true)", fmt.Sprintf(format, args...))
}

// Text returns the text of an element.
func (v *Tab) Text(id string) string {
	v.Helper()
	return Read[string](v, "document.getElementById(%q).textContent", id)
}

// Await waits until a condition holds in the page.
func (v *Tab) Await(format string, args ...any) {
	v.Helper()
	for range 6000 { // two minutes at least
		if Read[bool](v, format, args...) {
			return
		}
		Do(v, chromedp.Sleep(20*time.Millisecond))
	}
	trouble, _ := v.Heard()
	v.Fatalf("it never holds that "+format+"; the page says %q", append(args, trouble)...)
}

// Set gives an element that a JavaScript expression names a value, and tells the page, as its user would.
func (v *Tab) Set(element string, value any) {
	v.Helper()
	quoted, err := json.Marshal(value)
	if err != nil {
		v.Fatal(err)
	}
	ok := Read[bool](v, `(() => {
		const e = %s, value = %s;
		if (typeof value === "boolean") { if (e.checked !== value) e.click(); return e.checked === value; }
		e.value = value;
		e.dispatchEvent(new Event(e.type === "range" ? "input" : "change", {bubbles: true}));
		return e.type === "range" || e.value === value;
	})()`, element, quoted)
	if !ok {
		v.Fatalf("%s cannot be set to %v", element, value)
	}
}

// Picture saves a picture of the whole page in the folder of Screenshots, if there is one. It brings every chart into
// view first.
func (v *Tab) Picture(name string, width int64) {
	v.Helper()
	if *Screenshots == "" {
		return
	}
	v.Resize(width, 900)
	v.Resize(width, Read[int64](v, `(() => { for (const e of document.querySelectorAll(".chart")) e.scrollIntoView();
		return new Promise(done => setTimeout(() => { scrollTo(0, 0); done(document.documentElement.scrollHeight); }, 500)); })()`))
	Do(v, chromedp.Sleep(500*time.Millisecond))
	png := Do(v, chromedp.CaptureScreenshot())
	if err := os.WriteFile(filepath.Join(*Screenshots, name+".png"), png, 0o666); err != nil {
		v.Fatal(err)
	}
}
