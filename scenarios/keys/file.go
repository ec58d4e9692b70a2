package keys

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// LargestFile is far above what a scenario needs, and far below what a machine has.
const LargestFile = 16_000_000 // bytes

// ReadError says why a scenario file cannot be read. Unlike a FileError, it has no
// place in the file.
type ReadError struct {
	File    string
	Message string
	Hint    string // what to do instead; may be empty
	err     error
}

// Unwrap returns the system's error, if there is one.
func (e *ReadError) Unwrap() error { return e.err }

// Error returns the file and the message, and the hint on a line of its own.
func (e *ReadError) Error() string {
	text := e.File + ": " + e.Message
	if e.Hint != "" {
		text += "\n  hint: " + e.Hint
	}
	return text
}

// ReadFile reads a scenario file: a regular file of at most 16 MB, or what comes through
// a descriptor that the shell has opened, as in /dev/stdin. Anything else, as a named
// pipe that nobody writes to, might not end. The error is a *ReadError.
func ReadFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &ReadError{File: path, Message: "no such file", Hint: nearFiles(path), err: err}
	case err != nil:
		return nil, unreadable(path, err)
	case info.IsDir():
		return nil, &ReadError{File: path, Message: "it is a folder", Hint: "give a scenario file in it"}
	case !info.Mode().IsRegular() && !isDescriptor(path):
		return nil, &ReadError{File: path,
			Message: "it is not a regular file", Hint: "give a file, or pipe the scenario into /dev/stdin"}
	}
	tooLarge := &ReadError{File: path,
		Message: fmt.Sprintf("it has more than %s, the limit for a scenario", DataSize(LargestFile))}
	if info.Mode().IsRegular() && info.Size() > LargestFile {
		return nil, tooLarge
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer file.Close() // nothing was written
	text, err := io.ReadAll(io.LimitReader(file, LargestFile+1))
	switch {
	case err != nil:
		return nil, unreadable(path, err)
	case len(text) > LargestFile:
		return nil, tooLarge
	}
	return text, nil
}

func unreadable(path string, err error) *ReadError {
	return &ReadError{File: path, Message: "cannot be read: " + reason(err), err: err}
}

// isDescriptor reports whether the path names what is open already.
func isDescriptor(path string) bool {
	return path == "/dev/stdin" || filepath.Dir(path) == "/dev/fd" || filepath.Dir(path) == "/proc/self/fd"
}

// nearFiles proposes a scenario file in the folder of a path that leads nowhere.
func nearFiles(path string) string {
	folder, name := filepath.Split(path)
	entries, err := os.ReadDir(filepath.Clean(folder))
	if err != nil {
		return "" // the folder is not there either
	}
	var names []string
	for _, e := range entries {
		if slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(e.Name())) {
			names = append(names, e.Name())
		}
	}
	for _, n := range names {
		if strings.TrimSuffix(n, filepath.Ext(n)) == strings.TrimSuffix(name, filepath.Ext(name)) {
			return "did you mean " + folder + n + "?"
		}
	}
	if n := Nearest(name, names); n != "" {
		return "did you mean " + folder + n + "?"
	}
	return "simulate new " + path + " writes one to start from"
}

// reason is err without the operation and path that a *fs.PathError repeats.
func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

// InFolder returns the path of a file that a scenario in dir names.
func InFolder(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
