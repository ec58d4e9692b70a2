package python

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestWaiting: a slow call is reported after 20 s, 40 s, 80 s and so on, until it has been answered.
func TestWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w waiting
		var out strings.Builder
		sleep := func(d time.Duration) {
			time.Sleep(d)
			synctest.Wait()
		}
		said := func() string {
			w.mu.Lock()
			defer w.mu.Unlock()
			return out.String()
		}
		report := func(took string) string {
			return "simulate: mine has been computing for node 3 for " + took + "; a call is ended after 10m0s (timeout)\n"
		}
		w.begin(&out, 10*time.Minute, "mine", 3)
		begun, want := time.Now(), ""
		for _, c := range []struct {
			after time.Duration
			says  string
		}{{19 * time.Second, ""}, {20 * time.Second, report("20s")}, {39 * time.Second, ""},
			{40 * time.Second, report("40s")}, {79 * time.Second, ""}, {5 * time.Minute, report("1m20s") + report("2m40s")}} {
			sleep(c.after - time.Since(begun))
			if want += c.says; said() != want {
				t.Errorf("after %v: %q, want %q", c.after, said(), want)
			}
		}
		w.end()
		sleep(time.Hour)
		w.begin(&out, time.Second, "fast", 0)
		sleep(19 * time.Second)
		w.end()
		sleep(time.Hour)
		if said() != want {
			t.Errorf("after answers: %q, want %q", said(), want)
		}
	})
}
