package metrics

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
)

// WriteFile writes a file whole or not at all: what write produces goes to a
// temporary file in the folder of path, which is synced and renamed over path,
// and the folder is synced. If anything fails, the temporary file is removed
// and whatever was at path is left as it was. A symbolic link is followed; a
// path that exists and is no regular file is refused.
//
// The error names path and wraps its cause, so that errors.Is(err, syscall.ENOSPC)
// tells a full disk.
func WriteFile(path string, write func(io.Writer) error) error {
	target, err := regularTarget(path)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := replace(target, write); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// regularTarget returns the file that a write to path has to replace. Renaming
// over a link, a device or a pipe would destroy it.
func regularTarget(path string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return path, nil
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", errors.New("it exists and is no regular file")
	}
	return filepath.EvalSymlinks(path)
}

func replace(target string, write func(io.Writer) error) error {
	file, err := createBeside(target)
	if err != nil {
		return err
	}
	temporary := file.Name()
	done := false
	defer func() { // also when write panics
		if !done {
			_ = file.Close() // it may be closed already, and the first error is the one to report
			_ = os.Remove(temporary)
		}
	}()

	buffer := bufio.NewWriterSize(file, 1<<16)
	if err := write(buffer); err != nil {
		return err
	}
	if err := buffer.Flush(); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	if err := os.Rename(temporary, target); err != nil {
		return err
	}
	done = true
	return syncFolder(filepath.Dir(target))
}

// createBeside makes a new file in the folder of target. It differs from
// os.CreateTemp in its permissions: those of target, or those of any new file.
func createBeside(target string) (*os.File, error) {
	permissions := os.FileMode(0o666)
	info, err := os.Stat(target)
	if err == nil {
		permissions = info.Mode().Perm()
	}
	const attempts = 1000
	for i := range attempts {
		name := "." + filepath.Base(target) + "." + strconv.Itoa(os.Getpid()) + "." + strconv.Itoa(i) + ".tmp"
		file, err := os.OpenFile(filepath.Join(filepath.Dir(target), name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, permissions)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		return file, err
	}
	return nil, fmt.Errorf("%d temporary files are in the way: remove .%s.*.tmp", attempts, filepath.Base(target))
}

// syncFolder makes the rename itself durable.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" { // which cannot sync a folder
		return nil
	}
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	err = folder.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) { // nor can some network file systems
		err = nil
	}
	return errors.Join(err, folder.Close())
}
