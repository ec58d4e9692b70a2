package keys

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// LargestFile is the largest size of a scenario file in bytes. Scenarios are far smaller.
const LargestFile = 16_000_000

// ReadFile reads a scenario file: a regular file of at most LargestFile bytes, or a descriptor that the shell opened,
// such as /dev/stdin. It refuses anything else, such as a named pipe, which might never end. The error is a
// *FileError without a line.
func ReadFile(path string) ([]byte, error) {
	fail := func(err error, message, hint string) ([]byte, error) {
		return nil, &FileError{FilePosition: FilePosition{File: path}, Message: message, Hint: hint, Err: err}
	}
	unreadable := func(err error) ([]byte, error) { return fail(err, "cannot be read: "+Cause(err).Error(), "") }
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fail(err, "no such file", nearFiles(path))
	case err != nil:
		return unreadable(err)
	case info.IsDir():
		return fail(nil, "it is a folder", "give a scenario file in it")
	case !info.Mode().IsRegular() && !isDescriptor(path):
		return fail(nil, "it is not a regular file", "give a file, or pipe the scenario into /dev/stdin")
	}
	file, err := os.Open(path)
	if err != nil {
		return unreadable(err)
	}
	defer file.Close() // nothing was written
	text, err := io.ReadAll(io.LimitReader(file, LargestFile+1))
	switch {
	case err != nil:
		return unreadable(err)
	case len(text) > LargestFile:
		return fail(nil, fmt.Sprintf("it has more than %s, the limit for a scenario", DataSize(LargestFile)), "")
	}
	return text, nil
}

// isDescriptor reports whether the path names an open descriptor.
func isDescriptor(path string) bool {
	return path == "/dev/stdin" || filepath.Dir(path) == "/dev/fd" || filepath.Dir(path) == "/proc/self/fd"
}

// Registry is the name of the file that has what a paper prints. No command takes it for a scenario.
const Registry = "facts.yaml"

// EachFile calls found with the name of each YAML file in fsys, in lexical order. It skips results, test data,
// hidden folders and registries.
func EachFile(fsys fs.FS, found func(name string) error) error {
	return fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && !HoldsScenarios(fsys, name):
			return fs.SkipDir
		case !d.IsDir() && path.Ext(name) == ".yaml" && path.Base(name) != Registry:
			return found(name)
		}
		return nil
	})
}

// HoldsScenarios reports whether a folder of fsys may hold scenarios. Hidden folders, test data and results do not.
func HoldsScenarios(fsys fs.FS, folder string) bool {
	if base := path.Base(folder); strings.HasPrefix(base, ".") || base == "testdata" || base == "runs" {
		return false
	}
	_, err := fs.Stat(fsys, path.Join(folder, "result.json"))
	return err != nil
}

// nearFiles returns a hint for a file that does not exist: the file of that name in a folder below, or one with a
// similar name in the same folder.
func nearFiles(path string) string {
	folder, name := filepath.Split(path)
	pattern := filepath.Join(globQuoted(folder), "papers", "*", globQuoted(name))
	if below, err := filepath.Glob(pattern); err == nil && len(below) == 1 {
		return "it is now " + below[0]
	}
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

// Cause strips the operation and path of a *fs.PathError, which the caller's message repeats.
func Cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// InFolder resolves a path in a scenario file relative to dir, the folder of the scenario.
func InFolder(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// globQuoted escapes the special characters of a pattern.
func globQuoted(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}
