package result

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

// TestListKeepsTheFirstError: if a writer fails and JSON cannot represent a value, the first error counts.
func TestListKeepsTheFirstError(t *testing.T) {
	full, bad := errors.New("full"), math.NaN()
	fails := func([]byte) (int, error) { return 0, full }
	for _, c := range []struct {
		name string
		do   func(l *listWriter)
		want string
	}{
		{"writer first", func(l *listWriter) { l.w = writerFunc(fails); l.key("j", 1); l.key("k", bad) }, "full"},
		{"item first", func(l *listWriter) { l.text(bad, 2); l.w = writerFunc(fails); l.key("k", 1) }, "result: "},
		{"key first", func(l *listWriter) { l.key("k", bad); l.w = writerFunc(fails); l.write("1") }, "result: "},
	} {
		l := &listWriter{w: io.Discard}
		if c.do(l); l.err == nil || !strings.HasPrefix(l.err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", c.name, l.err, c.want)
		}
	}
}
