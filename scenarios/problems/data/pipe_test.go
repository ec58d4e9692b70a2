//go:build unix

package data

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tallynet/scenarios/problems/budget"
)

// TestSpecialFiles: a named pipe or a device among the data does not block a reader.
func TestSpecialFiles(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "train-images-idx3-ubyte.gz")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(dir, "zeros")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, filepath.Join(dir, "loop")); err != nil {
		t.Fatal(err)
	}
	_, err := new(Loader).MNIST(dir)
	for _, want := range []string{
		"train-images-idx3-ubyte.gz: not a regular file, but a named pipe", "zeros: not a regular file, but a device",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	for path, want := range map[string]string{pipe: "a named pipe", "/dev/zero": "a device"} {
		if _, err := ReadSVMFile(path, 1, budget.Limit{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("svmlight: error %v, want %q", err, want)
		}
		if _, err := new(Loader).MushroomsIn(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("mushrooms: error %v, want %q", err, want)
		}
	}
}
