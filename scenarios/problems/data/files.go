package data

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// openRegular opens a regular file. Anything else, such as a named pipe, which could block
// forever, is an error.
func openRegular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file, but %s", path, kindOf(info.Mode()))
	}
	return os.Open(path)
}

func kindOf(m os.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&os.ModeNamedPipe != 0:
		return "a named pipe"
	case m&os.ModeSocket != 0:
		return "a socket"
	case m&os.ModeDevice != 0:
		return "a device"
	}
	return "a special file"
}

// unpacked returns a reader of r's content, decompressed if it is in the format of gzip or
// bzip2. Reading more than most bytes is an error, so that a small file cannot fill the memory.
func unpacked(r io.Reader, most int64) (content io.Reader, packed bool, err error) {
	b := bufio.NewReader(r)
	magic, err := b.Peek(10)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, err
	}
	var z io.Reader
	switch form := packedForm(magic); form {
	case "":
		return &limited{b, most, most, "the file has"}, false, nil
	case "gzip":
		z, err = gzip.NewReader(b)
	case "bzip2":
		z, err = bzip2.NewReader(b), nil
	default:
		err = &formError{form}
	}
	if err != nil {
		return nil, true, err
	}
	return &limited{z, most, most, "the file unpacks to"}, true, nil
}

// packedForm returns the compression format that the first bytes of a file indicate, or "".
func packedForm(magic []byte) string {
	switch begins := func(with string) bool { return bytes.HasPrefix(magic, []byte(with)) }; {
	case begins("\x1f\x8b"):
		return "gzip"
	case begins("BZh") && bytes.HasPrefix(magic[min(4, len(magic)):], []byte("1AY&SY")):
		return "bzip2"
	case begins("\xfd7zXZ\x00"):
		return "xz"
	case begins("\x28\xb5\x2f\xfd"):
		return "zstd"
	case begins("PK\x03\x04"):
		return "zip"
	}
	return ""
}

// formError reports a compression format that is not supported.
type formError struct{ form string }

func (e *formError) Error() string {
	return "compressed by " + e.form + ", which is not read: unpack it, or pack it with gzip"
}

// limited is a reader that fails after a number of bytes.
type limited struct {
	r          io.Reader
	left, most int64
	what       string
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left < 0 {
		return 0, fmt.Errorf("%s more than %d bytes", l.what, l.most)
	}
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1]
	}
	n, err := l.r.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return n - 1, fmt.Errorf("%s more than %d bytes", l.what, l.most)
	}
	return n, err
}

// readUnpacked returns the unpacked content of a regular file. Errors name it.
func readUnpacked(path string, most int64) (raw []byte, packed bool, err error) {
	f, err := openRegular(path)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	r, packed, err := unpacked(f, most)
	if err == nil {
		raw, err = io.ReadAll(r)
	}
	if err != nil {
		return nil, packed, fmt.Errorf("%s: after %d bytes of content: %w", path, len(raw), err)
	}
	return raw, packed, nil
}

// Limits of listFolder, which should list a folder of data and not a home folder.
const (
	deepest     = 3
	mostEntries = 2000
)

// listFolder returns the paths of all files in a folder and the folders in it, such as
// torchvision's MNIST/raw, in order. If path is a file, it is the only one.
func listFolder(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	var files []string
	left := mostEntries
	var visit func(dir string, depth int) error
	visit = func(dir string, depth int) error {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		if left -= len(entries); left < 0 {
			return fmt.Errorf("%s has more than %d files; give the folder that holds the data set only", path, mostEntries)
		}
		var folders []string
		for _, e := range entries {
			at := filepath.Join(dir, e.Name())
			if info, err := os.Stat(at); err == nil && info.IsDir() {
				folders = append(folders, at)
			} else {
				files = append(files, at)
			}
		}
		for _, f := range folders {
			if depth == deepest {
				break
			}
			if err := visit(f, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	return files, visit(path, 0)
}

// foundList describes the content of a folder for an error, one line for each file.
func foundList(dir string, lines []string) string {
	const most = 12
	if len(lines) == 0 {
		return dir + " is empty"
	}
	lines = slices.Clone(lines)
	if more := len(lines) - most; more > 0 {
		lines = append(lines[:most], fmt.Sprintf("and %d more", more))
	}
	return "found in " + dir + ":\n    " + strings.Join(lines, "\n    ")
}
