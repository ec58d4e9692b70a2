package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

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
	ctx, _ := chromedp.NewContext(start(t))
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
	Call(v, network.Enable, network.EnableParams{})
	Call(v, log.Enable, cdp.Empty{})
	Call(v, runtime.Enable, cdp.Empty{})
	v.Scheme("light")
	v.Resize(width, height)
	v.Do(chromedp.Navigate(address))
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
	return append([]string(nil), v.trouble...), append([]string(nil), v.requests...)
}

// Quiet fails the test if the page has complained, or asked for an address that does not begin with own. A complaint
// that contains one of the expected texts does not count.
func (v *Tab) Quiet(own string, expected ...string) {
	v.Helper()
	trouble, requests := v.Heard()
	for _, text := range trouble {
		known := false
		for _, e := range expected {
			known = known || strings.Contains(text, e)
		}
		if !known {
			v.Errorf("the page says %s", text)
		}
	}
	for _, address := range requests {
		if !strings.HasPrefix(address, own) {
			v.Errorf("the page asks for %s", address)
		}
	}
}

// Call calls a command of the DevTools protocol.
func Call[P, R any](v *Tab, command cdp.Command[P, R], params P) R {
	v.Helper()
	r, err := chromedp.Call(v.Ctx, command, params)
	if err != nil {
		v.Fatal(err)
	}
	return r
}

// Do runs actions one after the other.
func (v *Tab) Do(actions ...chromedp.Action[chromedp.Void]) {
	v.Helper()
	if err := chromedp.Do(v.Ctx, actions...); err != nil {
		v.Fatal(err)
	}
}

// Resize gives the page another size.
func (v *Tab) Resize(width, height int64) {
	v.Helper()
	v.Do(chromedp.EmulateViewport(width, height))
}

// Scheme sets the colours that the system prefers: light or dark.
func (v *Tab) Scheme(name string) {
	v.Helper()
	features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}
	Call(v, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features})
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
		v.Do(chromedp.Sleep(20 * time.Millisecond))
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
	height := Read[int64](v, `(() => { for (const e of document.querySelectorAll(".chart")) e.scrollIntoView();
		return new Promise(done => setTimeout(() => { scrollTo(0, 0); done(document.documentElement.scrollHeight); }, 500)); })()`)
	v.Resize(width, height)
	v.Do(chromedp.Sleep(500 * time.Millisecond))
	png, err := chromedp.Run(v.Ctx, chromedp.CaptureScreenshot())
	if err != nil {
		v.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*Screenshots, name+".png"), png, 0o666); err != nil {
		v.Fatal(err)
	}
}
