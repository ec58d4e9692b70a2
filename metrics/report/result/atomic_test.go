package result

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func writeString(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// wantOnly fails unless folder contains exactly the named file with that content.
func wantOnly(t *testing.T, path, content string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != content {
		t.Errorf("%s holds %q, want %q", path, got, content)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 {
		t.Errorf("%d files in the folder, want 1: %v", len(entries), entries)
	}
}

func TestWriteFileReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "result.json")
	for _, content := range []string{"first", "", strings.Repeat("long ", 1<<16)} {
		if err := WriteFile(path, writeString(content)); err != nil {
			t.Fatal(err)
		}
		wantOnly(t, path, content)
	}
}

func TestWriteFileFailureLeavesTheOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "result.json")
	if err := WriteFile(path, writeString("old")); err != nil {
		t.Fatal(err)
	}
	cause := errors.New("out of ideas")
	err := WriteFile(path, func(w io.Writer) error {
		if _, err := io.WriteString(w, strings.Repeat("x", 1<<20)); err != nil {
			return err
		}
		return cause
	})
	if !errors.Is(err, cause) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v does not wrap the cause and name %s", err, path)
	}
	wantOnly(t, path, "old")
}

func TestWriteFilePanicLeavesTheOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "result.json")
	if err := WriteFile(path, writeString("old")); err != nil {
		t.Fatal(err)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		err := WriteFile(path, func(io.Writer) error { panic("bug") })
		t.Errorf("returned %v", err)
	}()
	wantOnly(t, path, "old")
}

func TestWriteFileRefusesWhatItWouldDestroy(t *testing.T) {
	folder := t.TempDir()
	for _, path := range []string{folder, os.DevNull} {
		if err := WriteFile(path, writeString("x")); err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("WriteFile(%s) = %v, want a refusal", path, err)
		}
	}
	err := WriteFile(filepath.Join(folder, "missing", "x"), writeString("x"))
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("into a missing folder: %v, want os.ErrNotExist", err)
	}
}

func TestWriteFileFollowsALinkAndKeepsPermissions(t *testing.T) {
	real := filepath.Join(t.TempDir(), "real.json")
	if err := os.WriteFile(real, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link.json")
	if err := os.Symlink(real, link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if err := WriteFile(link, writeString("new")); err != nil {
		t.Fatal(err)
	}
	wantOnly(t, real, "new")
	info, err := os.Lstat(link)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced by a file")
	}
	info, err = os.Stat(real)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("permissions became %o, want 640", info.Mode().Perm())
	}
}

func TestWriteFileAtTheSameTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "result.json")
	content := strings.Repeat("whole", 1<<14)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if err := WriteFile(path, writeString(content)); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	wantOnly(t, path, content)
}

// smallDisk returns a folder on a file system of 64 KiB in memory.
func smallDisk(t *testing.T) string {
	t.Helper()
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("needs root on Linux, to mount a small tmpfs")
	}
	folder := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder).CombinedOutput(); err != nil {
		t.Skipf("cannot mount a tmpfs: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", folder).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
	return folder
}

func TestWriteFileOnAFullDisk(t *testing.T) {
	path := filepath.Join(smallDisk(t), "iterations.csv")
	if err := WriteFile(path, writeString("old")); err != nil {
		t.Fatal(err)
	}
	err := WriteFile(path, writeString(strings.Repeat("x", 1<<20)))
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v does not wrap ENOSPC and name %s", err, path)
	}
	wantOnly(t, path, "old")
}

// wantFiles fails unless the folder holds exactly these files.
func wantFiles(t *testing.T, folder string, want map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got[e.Name()] = string(content)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the folder's files (-want +got):\n%s", diff)
	}
}

func TestWriteFilesReplacesTogether(t *testing.T) {
	folder := t.TempDir()
	old := []File{{"a.csv", writeString("old")}, {"gone.png", writeString("old")}, {"result.json", writeString("old")}}
	if err := WriteFiles(folder, old, []string{"never.svg"}); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, folder, map[string]string{"a.csv": "old", "gone.png": "old", "result.json": "old"})
	if err := WriteFiles(folder, []File{{"a.csv", writeString("new")}, {"result.json", writeString("new")}},
		[]string{"gone.png"}); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, folder, map[string]string{"a.csv": "new", "result.json": "new"})
}

// Whatever goes wrong with the last file, the first files are unchanged.
func TestWriteFilesFailureLeavesAllOldFiles(t *testing.T) {
	cause := errors.New("out of ideas")
	for name, write := range map[string]func(io.Writer) error{
		"error": func(io.Writer) error { return cause },
		"panic": func(io.Writer) error { panic(cause) },
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			if err := WriteFiles(folder, []File{{"a.csv", writeString("old")}, {"b.csv", writeString("old")}, {"result.json",
				writeString("old")}}, nil); err != nil {
				t.Fatal(err)
			}
			func() {
				defer func() { _ = recover() }()
				err := WriteFiles(folder, []File{{"a.csv", writeString("new")}, {"result.json", write}}, []string{"b.csv"})
				if !errors.Is(err, cause) || !strings.Contains(err.Error(), filepath.Join(folder, "result.json")) {
					t.Errorf("error %v does not wrap the cause and name the file", err)
				}
			}()
			wantFiles(t, folder, map[string]string{"a.csv": "old", "b.csv": "old", "result.json": "old"})
		})
	}
}

// A refused rename, here because a folder took the name after all was written, leaves no drafts. The error names
// the obstacle, and says if earlier files have been renamed, which cannot be undone.
func TestWriteFilesRefusedRename(t *testing.T) {
	for name, c := range map[string]struct {
		block string // takes a folder's place before the renames
		left  []string
		mixed bool
	}{
		"the first":          {"a.csv", []string{"a.csv", "stale.png"}, false},
		"the second":         {"b.csv", []string{"a.csv", "b.csv", "stale.png"}, true},
		"the mark":           {"result.json", []string{"a.csv", "b.csv", "result.json"}, true},
		"what is to go away": {"stale.png", []string{"a.csv", "b.csv", "stale.png"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			if err := os.WriteFile(filepath.Join(folder, "stale.png"), []byte("old"), 0o600); err != nil {
				t.Fatal(err)
			}
			occupy := func(w io.Writer) error {
				at := filepath.Join(folder, c.block)
				_ = os.Remove(at)
				return errors.Join(os.MkdirAll(filepath.Join(at, "the user's"), 0o700), writeString("new")(w))
			}
			files := []File{{"a.csv", writeString("new")}, {"b.csv", writeString("new")}, {"result.json", occupy}}
			err := WriteFiles(folder, files, []string{"stale.png"})
			if err == nil || !strings.Contains(err.Error(), c.block) {
				t.Fatalf("error %v does not name %s", err, c.block)
			}
			if mixed := strings.Contains(err.Error(), folder+" holds files of two results now"); mixed != c.mixed {
				t.Errorf("says that results are mixed: %v, want %v: %v", mixed, c.mixed, err)
			}
			if _, err := os.Stat(filepath.Join(folder, c.block, "the user's")); err != nil {
				t.Error(err)
			}
			entries, err := os.ReadDir(folder)
			if err != nil {
				t.Fatal(err)
			}
			var left []string
			for _, e := range entries {
				left = append(left, e.Name())
			}
			if diff := cmp.Diff(c.left, left); diff != "" {
				t.Errorf("left (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWriteFilesOnAFullDisk(t *testing.T) {
	folder := smallDisk(t)
	if err := WriteFiles(folder, []File{{"a.csv", writeString("old")}, {"result.json", writeString("old")}},
		nil); err != nil {
		t.Fatal(err)
	}
	err := WriteFiles(folder, []File{{"a.csv", writeString("new")}, {"result.json", writeString(strings.Repeat("x",
		1<<20))}}, nil)
	if !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error %v does not wrap ENOSPC", err)
	}
	wantFiles(t, folder, map[string]string{"a.csv": "old", "result.json": "old"})
}

// Concurrent writers take turns, so that all files are from one of them.
func TestWriteFilesAtTheSameTime(t *testing.T) {
	folder := t.TempDir()
	if !foldersLock {
		t.Skip("no folder can be locked on " + runtime.GOOS)
	}
	names := strings.Fields("a b c d e f")
	for range 10 {
		var group sync.WaitGroup
		for w := range 4 {
			content := strings.Repeat("x", w)
			var files []File
			for _, n := range names {
				files = append(files, File{n, writeString(content)})
			}
			group.Go(func() {
				if err := WriteFiles(folder, files, nil); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		first, err := os.ReadFile(filepath.Join(folder, names[0]))
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{}
		for _, n := range names {
			want[n] = string(first)
		}
		wantFiles(t, folder, want)
	}
}
