package golden

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Updating reports whether the files are to be rewritten.
func Updating() bool { return *update }

// Check fails the test unless got is what the file at path holds; with -update it writes the file.
func Check(t testing.TB, path, got string) {
	t.Helper()
	if Updating() {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := Diff(string(want), got); d != "" {
		t.Errorf("%s differs; -update rewrites it (-want +got):\n%s", path, d)
	}
}

// Diff returns the lines in which two texts differ, or "".
func Diff(want, got string) string {
	whole := cmp.Comparer(func(a, b string) bool { return a == b }) // a line differs as a whole
	return cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n"), whole)
}
