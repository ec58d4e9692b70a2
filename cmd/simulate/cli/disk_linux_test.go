package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// mountSmall mounts a file system of the given size at small/ until the end of the test.
func mountSmall(t *testing.T, size string) {
	t.Helper()
	if err := os.Mkdir("small", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", "small", "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("a file system of %s cannot be mounted here: %v", size, err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount("small", 0); err != nil {
			t.Error(err)
		}
	})
}

// A second result that does not fit leaves the first one whole, including its tables
// and pictures.
func TestFullDiskLeavesTheFirstResult(t *testing.T) {
	enter(t)
	mountSmall(t, "8m")
	mustSimulateDrawn(t, "run", "two.yaml", "--out", "small/out")
	before := contents(t, "small/out")
	used := 0
	for _, text := range before {
		used += len(text) + 4096 // pages
	}
	// Room for half of a second result, enough to write some of its files.
	writeFile(t, "small/ballast", string(make([]byte, 8<<20-used-used/2)))
	_, errs, code := simulateDrawn("run", "two.yaml", "--out", "small/out", "--seed", "2")
	if code != codeFailed || !strings.Contains(errs, "no space left on device") {
		t.Errorf("code %d: %s", code, errs)
	}
	after := contents(t, "small/out")
	for name, text := range before {
		if after[name] != text {
			t.Errorf("%s is not the first run's", name)
		}
	}
	if len(after) != len(before) {
		t.Errorf("%d files, then %d", len(before), len(after))
	}
}

func TestFullDisk(t *testing.T) {
	enter(t)
	mountSmall(t, "32k")
	_, errs, code := simulate("run", "two.yaml", "--out", "small/out")
	if code != codeFailed || !strings.Contains(errs, "no space left on device") || !strings.Contains(errs, "small/out") {
		t.Errorf("code %d: %s", code, errs)
	}
	for name := range contents(t, "small/out") {
		if strings.HasSuffix(name, ".tmp") {
			t.Errorf("%s is left", name)
		}
	}
}

// If a disk fills up in the middle of a study, no stored run is lost, and the error
// says how to continue.
func TestFullDiskInTheMiddle(t *testing.T) {
	enter(t)
	fewerSeeds(t)
	mountSmall(t, "200k")
	_, errs, code := simulate("run", "whatif.yaml", "--out", "small/out")
	if code != codeFailed || !strings.Contains(errs, "no space left on device") || !strings.Contains(errs,
		"the same command continues from there") {
		t.Fatalf("code %d: %s", code, errs)
	}
	files, err := filepath.Glob("small/out/runs/[^.]*.run.gz")
	n := len(files)
	if err != nil || n == 0 || n == 72 {
		t.Fatalf("%d runs are stored: %v", n, err)
	}
	if err := os.CopyFS("large", os.DirFS("small/out")); err != nil {
		t.Fatal(err)
	}
	_, errs, code = simulate("run", "whatif.yaml", "--out", "large")
	if code != codeDone || !strings.Contains(errs, fmt.Sprintf("%d of 72 runs were already stored", n)) {
		t.Errorf("code %d, %d runs: %s", code, n, errs)
	}
}
