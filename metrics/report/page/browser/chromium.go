package browser

import (
	"context"
	"errors"
	"flag"
	"os/exec"
	"slices"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// Screenshots is the folder for pictures of the pages; "" if none are wanted.
var Screenshots = flag.String("screenshots", "", "a folder for pictures of the pages, to be looked at")

// programs are the names of Chromium. Those without windows come first: they start four times as fast.
var programs = []string{"chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser",
	"google-chrome", "chrome"}

// running is the browser that all tests share, if one has started.
var running struct {
	sync.Mutex
	ctx context.Context
}

// chromium returns the browser, which it starts if there is none.
func chromium() (context.Context, error) {
	running.Lock()
	defer running.Unlock()
	if running.ctx != nil {
		return running.ctx, nil
	}
	program, err := "", exec.ErrNotFound
	for _, name := range programs {
		if program, err = exec.LookPath(name); err == nil {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(program),
		chromedp.NoSandbox, chromedp.DisableGPU)
	ctx, _ := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, _ = chromedp.NewContext(ctx)
	running.ctx = ctx
	return ctx, chromedp.Do(ctx)
}

// Close ends the browser, if a test has started it. TestMain calls it after the tests. A test that sets variables of
// the environment for the browser, such as its fonts, calls it before and after: the next tab starts another one.
func Close() error {
	running.Lock()
	defer running.Unlock()
	ctx := running.ctx
	if running.ctx = nil; ctx == nil {
		return nil
	}
	return chromedp.Cancel(ctx)
}

// Need skips the test if there is no Chromium.
func Need(t testing.TB) {
	t.Helper()
	start(t)
}

// start returns the browser, or skips the test if there is none.
func start(t testing.TB) context.Context {
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
