package keys

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"
)

// TestMovedFile: a paper's scenario is also found by its path from before each paper had a folder.
func TestMovedFile(t *testing.T) {
	dir := t.TempDir()
	there := filepath.Join(dir, "papers", "nazari", "dagm-s1.yaml")
	if err := os.MkdirAll(filepath.Dir(there), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(there, []byte("version: 1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := ReadFile(filepath.Join(dir, "dagm-s1.yaml"))
	var missing *FileError
	if !errors.As(err, &missing) || missing.Hint != "it is now "+there {
		t.Errorf("%v, want the new path", err)
	}
	if _, err := ReadFile(filepath.Join(dir, "papers", "dagm-s1.yaml")); !errors.As(err, &missing) ||
		missing.Hint == "it is now "+there {
		t.Errorf("%v: no file was ever there", err)
	}
}

func TestEachFile(t *testing.T) {
	fsys := fstest.MapFS{}
	for _, name := range []string{"b.yaml", "a.yml", "papers/x/a.yaml", "papers/x/data.json", "testdata/bad.yaml",
		".hidden/c.yaml", "results/d/result.json", "results/d/scenario.yaml", "results/e/runs/f.yaml"} {
		fsys[name] = &fstest.MapFile{}
	}
	var got []string
	err := EachFile(fsys, func(name string) error {
		got = append(got, name)
		return nil
	})
	if want := []string{"b.yaml", "papers/x/a.yaml"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}
