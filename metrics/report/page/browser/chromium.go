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

// chromium returns the browser that all tests share.
var chromium = sync.OnceValues(launch)

func launch() (context.Context, error) {
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
	closing = func() error { return chromedp.Cancel(ctx) }
	return ctx, chromedp.Do(ctx)
}

var closing = func() error { return nil }

// Close ends the browser, if a test has started it. TestMain calls it after the tests. The next tab starts another
// browser, which has the environment of that moment.
func Close() error {
	err := closing()
	chromium, closing = sync.OnceValues(launch), func() error { return nil }
	return err
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
