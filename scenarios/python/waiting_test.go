package python

import (
	"strings"
	"testing"
	"time"
)

// TestWaiting: a slow call is reported after 20 s, 40 s, 80 s and so on, until it has been answered.
func TestWaiting(t *testing.T) {
	begun := time.Unix(100, 0)
	var w waiting
	if text := w.look(begun); text != "" {
		t.Errorf("without a call: %q", text)
	}
	w.begin(begun, 10*time.Minute, "mine", 3)
	for _, c := range []struct {
		after time.Duration
		want  string
	}{
		{19 * time.Second, ""},
		{21 * time.Second, "simulate: mine has been computing for node 3 for 21s; a call is ended after 10m0s"},
		{39 * time.Second, ""}, {40 * time.Second, "for 40s"}, {41 * time.Second, ""}, {5 * time.Minute, "for 5m0s"},
		{5*time.Minute + 19*time.Second, ""}, {5*time.Minute + 20*time.Second, "for 5m20s"},
	} {
		text := w.look(begun.Add(c.after))
		if (text == "") != (c.want == "") || !strings.Contains(text, c.want) {
			t.Errorf("after %v: %q, want %q", c.after, text, c.want)
		}
	}
	w.end()
	if text := w.look(begun.Add(time.Hour)); text != "" {
		t.Errorf("after its answer: %q", text)
	}
}
