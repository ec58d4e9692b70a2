package golden

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// heard is a test that only records.
type heard struct {
	testing.TB
	said []string
}

func (h *heard) Helper() {}

func (h *heard) Errorf(format string, _ ...any) { h.said = append(h.said, format) }

func TestCheck(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.txt")
	*update = true
	Check(t, file, "one\ntwo\n")
	*update = false
	content, err := os.ReadFile(file)
	if err != nil || string(content) != "one\ntwo\n" {
		t.Fatalf("%q is written, %v", content, err)
	}
	h := &heard{TB: t}
	if Check(h, file, "one\ntwo\n"); len(h.said) > 0 {
		t.Error("the same text differs")
	}
	if Check(h, file, "one\nTwo\n"); len(h.said) != 1 {
		t.Error("another text does not differ")
	}
	if d := Diff("one\ntwo\n", "one\nTwo\n"); !strings.Contains(d, `"Two"`) || strings.Contains(d, "+ \t\"one\"") {
		t.Errorf("the difference is %s", d)
	}
}
