package keys

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestReadFileErrors checks which files are rejected, and the proposed names.
func TestReadFileErrors(t *testing.T) {
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	for name, size := range map[string]int64{"small.yaml": 10, "large.yaml": LargestFile + 1,
		"quickstart.yaml": 1} {
		if err := os.WriteFile(in(name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(in(name), size); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := ReadFile(in("small.yaml")); err != nil || len(text) != 10 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	for _, c := range []struct{ path, want string }{
		{in("large.yaml"), in("large.yaml") + ": it has more than 16MB"},
		{folder, folder + ": it is a folder"},
		{os.DevNull, os.DevNull + ": it is not a regular file"},
		{in("quickstrat.yaml"), in("quickstrat.yaml") + ": no such file\n  hint: did you mean " +
			in("quickstart.yaml") + "?"},
		{in("quickstart"), in("quickstart") + ": no such file\n  hint: did you mean " + in("quickstart.yaml") + "?"},
		{in("other.yaml"), in("other.yaml") + ": no such file\n  hint: simulate new " + in("other.yaml")},
		{in("none/x.yaml"), in("none/x.yaml") + ": no such file"},
	} {
		_, err := ReadFile(c.path)
		var wrong *FileError
		if !errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.path, err, c.want)
		}
	}
	_, err := ReadFile(in("none/x.yaml"))
	if !errors.Is(err, os.ErrNotExist) || strings.Contains(err.Error(), "hint") {
		t.Errorf("without a folder: %v", err)
	}
}

// TestReadFileDoesNotWaitForAPipe checks that a pipe is not opened, since that would wait for a writer.
func TestReadFileDoesNotWaitForAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.yaml")
	if out, err := exec.Command("mkfifo", pipe).CombinedOutput(); err != nil {
		t.Skipf("no named pipes here: %v: %s", err, out)
	}
	done := make(chan error, 1)
	go func() {
		_, err := ReadFile(pipe)
		done <- err
	}()
	select {
	case err := <-done:
		if err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("error %v", err)
		}
	case <-time.After(5 * time.Minute):
		t.Error("it waits")
	}
}
