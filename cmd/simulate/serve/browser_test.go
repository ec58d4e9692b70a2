package serve

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

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	skip "tallynet/sim/slow"
)

var screenshots = flag.String("screenshots", "", "a folder for pictures of the live page, to be looked at")

// tab is the live page in a browser, and what it should never do.
type tab struct {
	t   testing.TB
	ctx context.Context

	mu      sync.Mutex
	trouble []string // console messages, exceptions, log entries
	asked   []string // requests
}

// browse opens a link in Chromium, or skips the test where there is none.
func browse(t testing.TB, link string) *tab {
	t.Helper()
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
		t.Skip("no Chromium in PATH; on Debian: apt-get install chromium-headless-shell")
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(found), chromedp.NoSandbox,
		chromedp.DisableGPU,
		// No page runs for so long that its script, once optimized, makes up for the time that takes.
		chromedp.Flag("js-flags", "--no-maglev,--no-turbofan"))
	ctx, stop := context.WithTimeout(context.Background(), 3*time.Minute) // a page that does not answer ends its test
	t.Cleanup(stop)
	ctx, _ = chromedp.NewExecAllocator(ctx, options...)
	ctx, _ = chromedp.NewContext(ctx)
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("closing the browser: %v", err)
		}
	})
	b := &tab{t: t, ctx: ctx}
	b.do(chromedp.EmulateViewport(1400, 900))
	if err := chromedp.Listen(ctx, b.listen); err != nil {
		t.Fatal(err)
	}
	command(b, network.Enable, network.EnableParams{})
	command(b, log.Enable, cdp.Empty{})
	command(b, runtime.Enable, cdp.Empty{})
	b.do(chromedp.Navigate(link))
	if *screenshots == "" { // what nobody looks at need not be painted
		see[bool](b, "(document.documentElement.style.opacity = 0, true)")
	}
	return b
}

func command[P, R any](b *tab, c cdp.Command[P, R], params P) {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, c, params); err != nil {
		b.t.Fatal(err)
	}
}

func (b *tab) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		text := string(e.Type)
		for _, a := range e.Args {
			text += " " + string(a.Value) + a.Description
		}
		b.trouble = append(b.trouble, "console: "+text)
	case *runtime.EventExceptionThrown:
		b.trouble = append(b.trouble, (&chromedp.ExceptionError{ExceptionDetails: e.ExceptionDetails}).Error())
	case *log.EventEntryAdded:
		b.trouble = append(b.trouble, "log: "+e.Entry.Text)
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, "data:") && !strings.HasPrefix(e.Request.URL, "blob:") {
			b.asked = append(b.asked, e.Request.URL)
		}
	}
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// see evaluates an expression in the page.
func see[T any](b *tab, format string, args ...any) T {
	b.t.Helper()
	out, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](fmt.Sprintf(format, args...), chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf(format+": %v", append(args, err)...)
	}
	return out
}

// until waits for an expression to be true.
func (b *tab) until(format string, args ...any) {
	b.t.Helper()
	for range 1500 {
		if see[bool](b, format, args...) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	b.quiet(nil)
	b.t.Fatalf("never: "+format+"\nthe page says %q %q", append(args, b.text("status"), b.text("trouble"))...)
}

func (b *tab) text(id string) string {
	b.t.Helper()
	return see[string](b, "document.getElementById(%q).textContent", id)
}

// turn moves a control as its user does: its slider, or else its field.
func (b *tab) turn(id, value string) {
	b.t.Helper()
	quoted, err := json.Marshal(value)
	if err != nil {
		b.t.Fatal(err)
	}
	see[bool](b, `(() => { const e = document.getElementById(%q); e.value = %s;
		e.dispatchEvent(new Event(e.type === "range" ? "input" : "change", {bubbles: true})); return true; })()`,
		id, quoted)
}

// done waits for the study after a change, which the command shows.
func (b *tab) done(set string) {
	b.t.Helper()
	b.until(`document.getElementById("command").textContent.includes(%q) &&
		/ runs? done\.$/.test(document.getElementById("status").textContent)`, set)
}

// quiet fails the test if the page complained, or asked anybody but its server.
func (b *tab) quiet(s *served) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, text := range b.trouble {
		b.t.Errorf("the page says %s", text)
	}
	for _, url := range b.asked {
		if s != nil && !strings.HasPrefix(url, s.URL+"/") {
			b.t.Errorf("the page asks for %s", url)
		}
	}
}

// picture takes a picture of the whole page, if a folder for it is given.
func (b *tab) picture(name string) {
	b.t.Helper()
	if *screenshots == "" {
		return
	}
	for _, width := range []int64{1400, 390} {
		b.do(chromedp.EmulateViewport(width, 900), chromedp.Sleep(300*time.Millisecond))
		height := see[int64](b, `(() => { for (const e of document.querySelectorAll(".chart")) e.scrollIntoView();
			return new Promise(done => setTimeout(() => { scrollTo(0, 0); done(document.documentElement.scrollHeight); }, 500)); })()`)
		b.do(chromedp.EmulateViewport(width, min(height, 6000)), chromedp.Sleep(500*time.Millisecond))
		png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
		if err != nil {
			b.t.Fatal(err)
		}
		file := filepath.Join(*screenshots, fmt.Sprintf("%s-%d.png", name, width))
		if err := os.WriteFile(file, png, 0o666); err != nil {
			b.t.Fatal(err)
		}
	}
	b.do(chromedp.EmulateViewport(1400, 900))
}

// The live page in a browser: it shows the cost and the curves, follows its controls, ends what
// runs, says what is wrong, and saves.
func TestLivePage(t *testing.T) {
	if !testing.Short() { // the race detector always looks at it
		skip.Skip(t, "pages are opened in Chromium")
	}
	s := serving(t)
	s.server.patience = time.Second
	b := browse(t, s.server.Link())
	choose := func(file string) {
		t.Helper()
		b.turn("file", file)
	}

	// The first scenario takes too long to run by itself.
	b.until(`document.getElementById("status").textContent.includes("does not run by itself")`)
	see[bool](b, `(document.getElementById("run").click(), true)`)
	b.until(`document.querySelectorAll("#curves svg path").length > 5 &&
		/iteration \d+ of/.test(document.getElementById("status").textContent)`)
	const data = "(echarts.getInstanceByDom(document.getElementById('curves'))?.getOption().series[0]?.data || [])"
	before := see[int](b, data+".at(-1).value[2]")
	b.until(data+".at(-1)?.value[2] > %d", before) // the curve grows
	if got := b.text("curves-note"); strings.Contains(got, "did not end well") {
		t.Errorf("of a run under way the page says %q", got)
	}
	b.picture("live-running")

	// Another scenario ends it.
	choose("small.yaml")
	b.done("small.yaml")
	if got := b.text("title"); got != "small" {
		t.Errorf("the title is %q", got)
	}
	if got := b.text("predicted"); !strings.Contains(got, "All iterations, the whole network") {
		t.Errorf("predicted: %q", got)
	}
	for _, id := range []string{"curves", "pareto", "graph", "ledger", "tables-title", "made-title"} {
		if !see[bool](b, "!!document.getElementById(%q)", id) {
			t.Errorf("the report has no %s", id)
		}
	}

	// The axis that one chooses stays.
	see[bool](b, `(() => { const e = document.getElementById("curves-controls").elements.x; e.value = "2";
		e.dispatchEvent(new Event("change", {bubbles: true})); return true; })()`)

	// A slider, which goes by powers of ten, and a field.
	b.turn("slide-latency", "-2")
	b.done("--set network.latency=10ms")
	if got := see[string](b, `document.getElementById("dial-latency").value`); got != "10ms" {
		t.Errorf("the field of the latency has %q", got)
	}
	b.turn("dial-topology", "complete")
	b.done("--set 'topology={kind: complete, nodes: 6, weights: lazy-metropolis}' --set network.latency=10ms")
	see[bool](b, `document.getElementById("curves").scrollIntoView() === undefined`)
	b.until(data + ".length > 10")
	see[bool](b, `scrollTo(0, 0) === undefined`)
	b.picture("live-done")

	checkGhosts(b)
	over := see[string](b, `document.getElementById("curves-controls").elements.x.selectedOptions[0].text`)
	if over != "time" {
		t.Errorf("the curves are over %s", over)
	}

	// What the page shows is what the command line gives.
	command := see[string](b, `document.querySelector("#main pre code").textContent`)
	if command != b.text("command") {
		t.Errorf("the report was made by %s", command)
	}

	// A wrong value is an error beside the old results, and the next right one takes it away.
	b.turn("dial-topology", "hypercube")
	b.until(`document.getElementById("trouble").textContent.includes("power of two")`)
	b.picture("live-wrong")
	b.turn("slide-nodes", "0.9")
	b.done("nodes: 8")
	if see[bool](b, `!document.getElementById("trouble").hidden`) {
		t.Errorf("the page still says %q", b.text("trouble"))
	}

	// It saves to a new file, and does not write over it.
	for _, want := range []string{"small-2.yaml is written", "small-2.yaml already exists"} {
		see[bool](b, `(document.getElementById("name").value = "small-2.yaml",
			document.querySelector("#save button").click(), true)`)
		b.until(`document.getElementById("saved").textContent.includes(%q)`, want)
		if _, err := os.Stat(filepath.Join(s.folder, "small-2.yaml")); err != nil {
			t.Error(err)
		}
	}
	b.mu.Lock() // the browser notes the refusal
	b.trouble = slices.DeleteFunc(b.trouble, func(text string) bool { return strings.Contains(text, "409 (Conflict)") })
	b.mu.Unlock()

	// As in the file; a study of several points; and one whose network the points set.
	see[bool](b, `(document.getElementById("reset").click(), true)`)
	b.until(`!document.getElementById("command").textContent.includes("--set") &&
		/done\.$/.test(document.getElementById("status").textContent)`)
	choose("listed.yaml")
	b.done("listed.yaml")
	if !see[bool](b, `document.getElementById("dial-topology").disabled &&
		document.getElementById("slide-nodes").disabled`) {
		t.Error("controls of what the points set can be moved")
	}
	b.picture("live-listed")
	b.quiet(s)
}
