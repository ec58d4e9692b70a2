package cli

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

func TestFullDisk(t *testing.T) {
	enter(t)
	if err := os.Mkdir("small", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", "small", "tmpfs", 0, "size=32k"); err != nil {
		t.Skipf("a file system of 32 kB cannot be mounted here: %v", err)
	}
	defer func() {
		if err := syscall.Unmount("small", 0); err != nil {
			t.Error(err)
		}
	}()
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
