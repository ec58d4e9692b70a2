package result

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"tallynet/metrics/list"
)

// WriteFile writes a file whole or not at all: what write produces goes to a
// temporary file in the folder of path, which is synced and renamed over path,
// and the folder is synced. If anything fails, the temporary file is removed
// and whatever was at path is left as it was. A symbolic link is followed; a
// path that exists but is not a regular file is refused.
//
// The error names path and wraps its cause, so errors.Is(err, syscall.ENOSPC)
// recognizes a full disk.
func WriteFile(path string, write func(io.Writer) error) error {
	var s staging
	defer s.discard()
	if err := s.add(path, write); err != nil {
		return err
	}
	if err := s.rename(s.files); err != nil {
		return err
	}
	return s.syncFolders()
}

// File is a file to be written.
type File struct {
	Name  string // in its folder
	Write func(io.Writer) error
}

// WriteFiles replaces files of a folder together: each is written beside its target
// and synced as WriteFile does, and only when all are there are they renamed, in
// order, with the last one as the mark that the others belong to. Before that mark,
// the files named by stale are removed, where they exist. If a write fails, as on a
// full disk, or panics, or the process is killed until then, all files are left as
// they were. Processes that write to one folder take turns, where the system can lock
// a folder (Unix can).
//
// The one remaining risk is an interruption between the renames themselves: a power cut, or a
// rename that the system refuses. The error says so.
func WriteFiles(folder string, files []File, stale []string) error {
	names := list.Map(files, func(f File) string { return f.Name })
	for _, name := range append(names, stale...) {
		if name != filepath.Base(name) || strings.ContainsAny(name, `/\`) {
			return fmt.Errorf("write %s: %q is not the name of a file in that folder", folder, name)
		}
	}
	var s staging
	defer s.discard()
	for _, f := range files {
		if err := s.add(filepath.Join(folder, f.Name), f.Write); err != nil {
			return err
		}
	}
	unlock, err := lockFolder(folder)
	if err != nil {
		return fmt.Errorf("write %s: %w", folder, err)
	}
	err = s.commit(folder, stale)
	return errors.Join(err, unlock())
}

// staging is what is written and not yet renamed.
type staging struct {
	files   []stagedFile
	renamed int // the first files, which are in their places
}

type stagedFile struct{ path, target, temporary string }

// add writes a file beside the one that it is to replace.
func (s *staging) add(path string, write func(io.Writer) error) error {
	target, err := regularTarget(path)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	file, err := createBeside(target)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	s.files = append(s.files, stagedFile{path, target, file.Name()})
	defer file.Close() // if it is open still, another error or a panic is the one to report
	buffer := bufio.NewWriterSize(file, 1<<16)
	all := func() error { return write(buffer) }
	for _, step := range []func() error{all, buffer.Flush, file.Sync, file.Close} {
		if err := step(); err != nil {
			return fmt.Errorf("write %s: %w", path, err)
		}
	}
	return nil
}

// commit puts all files in their places, the last one after everything else is done.
func (s *staging) commit(folder string, stale []string) error {
	last := max(0, len(s.files)-1)
	err := s.rename(s.files[:last])
	for _, name := range stale {
		if err == nil {
			if err = os.Remove(filepath.Join(folder, name)); errors.Is(err, os.ErrNotExist) {
				err = nil
			}
		}
	}
	if err == nil {
		err = s.rename(s.files[last:])
	}
	if err != nil && s.renamed > 0 {
		return fmt.Errorf("%w; %s holds files of two results now", err, folder)
	}
	if err != nil {
		return err
	}
	return s.syncFolders()
}

// rename puts the files that come next in their places.
func (s *staging) rename(files []stagedFile) error {
	for _, f := range files {
		if err := os.Rename(f.temporary, f.target); err != nil {
			return fmt.Errorf("write %s: %w", f.path, err)
		}
		s.renamed++
	}
	return nil
}

// syncFolders makes the renames themselves durable. Links may lead to several folders.
func (s *staging) syncFolders() error {
	folders := list.Map(s.files, func(f stagedFile) string { return filepath.Dir(f.target) })
	for _, folder := range list.Add(nil, folders...) {
		if err := syncFolder(folder); err != nil {
			return fmt.Errorf("write %s: %w", folder, err)
		}
	}
	return nil
}

// discard removes what was not renamed.
func (s *staging) discard() {
	for _, f := range s.files[s.renamed:] {
		_ = os.Remove(f.temporary) // the first error is the one to report
	}
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
		return "", errors.New("it exists but is not a regular file")
	}
	return filepath.EvalSymlinks(path)
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
		if wrong, ok := errors.AsType[*fs.PathError](err); ok { // the temporary file is no name that the user knows
			err = fmt.Errorf("a file in the folder %s: %w", filepath.Dir(target), wrong.Err)
		}
		return file, err
	}
	return nil, fmt.Errorf("%d temporary files are in the way: remove .%s.*.tmp", attempts, filepath.Base(target))
}

// syncFolder makes renames in a folder durable.
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
