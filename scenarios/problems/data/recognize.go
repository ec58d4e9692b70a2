package data

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
)

// idxFile is what the header of a file says.
type idxFile struct {
	path   string
	packed bool
	dims   []uint32 // nil: not an idx file of bytes
	why    string   // the reason if dims is nil
}

// readIdxHeader reads the first bytes of a file, packed or not.
func readIdxHeader(path string) idxFile {
	out := idxFile{path: path}
	f, err := openRegular(path)
	if err != nil {
		out.why = strings.TrimPrefix(err.Error(), path+": ")
		return out
	}
	defer f.Close()
	r, packed, err := unpacked(f, 16)
	out.packed = packed
	header := make([]byte, 16)
	n := 0
	if err == nil {
		n, err = io.ReadFull(r, header)
	}
	if n < 8 || header[0] != 0 || header[1] != 0 || header[2] != idxUint8 || header[3] != 1 && header[3] != 3 {
		out.why = "not an idx file of images or labels"
		var form *formError
		switch {
		case errors.As(err, &form):
			out.why = err.Error()
		case packed && n < 8 && err != nil:
			out.why = "a damaged file: " + err.Error()
		}
		return out
	}
	for k := range int(header[3]) {
		if 8+4*k <= n {
			out.dims = append(out.dims, binary.BigEndian.Uint32(header[4+4*k:]))
		}
	}
	return out
}

func (f idxFile) String() string {
	switch len(f.dims) {
	case 1:
		return fmt.Sprintf("%d labels", f.dims[0])
	case 3:
		return fmt.Sprintf("%d images of %d x %d", f.dims[0], f.dims[1], f.dims[2])
	}
	return f.why
}

// is reports whether the header is that of one of the four files.
func (f idxFile) is(want mnistFile) bool {
	if !want.images() {
		return len(f.dims) == 1 && int64(f.dims[0]) == int64(want.count)
	}
	return len(f.dims) == 3 && int64(f.dims[0]) == int64(want.count) && f.dims[1] == imageSide && f.dims[2] == imageSide
}

// folder is what a folder holds. Names do not matter: files are recognized by their content.
type folder struct {
	dir   string
	files []idxFile
}

func scan(dir string) (*folder, error) {
	paths, err := listFolder(dir)
	if err != nil {
		return nil, err
	}
	f := &folder{dir: dir}
	for _, path := range paths {
		f.files = append(f.files, readIdxHeader(path))
	}
	return f, nil
}

// list describes the files for an error.
func (f *folder) list() string {
	var lines []string
	for _, file := range f.files {
		name := file.path
		if rel, err := filepath.Rel(f.dir, file.path); err == nil {
			name = rel
		}
		lines = append(lines, name+": "+file.String())
	}
	return foundList(f.dir, lines)
}

// missing returns an error unless there is a candidate for each file. It wraps
// fs.ErrNotExist if there is none for any.
func (f *folder) missing(set dataSet) error {
	var want []string
	for _, w := range set.files {
		have := false
		for _, file := range f.files {
			have = have || file.is(w)
		}
		if !have {
			want = append(want, w.String())
		}
	}
	if len(want) == 0 {
		return nil
	}
	err := fmt.Errorf("%s: in %s there is no idx file, packed or not and under any name, with %s; %s",
		set.name, f.dir, strings.Join(want, ", nor with "), f.list())
	if len(want) == len(set.files) {
		return fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	return err
}

// original is one of the four files, found and checked.
type original struct {
	path    string
	packed  bool
	content []byte
}

// pickFiles finds the four files in dir by their content and checks it against the sha256.
func pickFiles(dir string, set dataSet) (out [4]original, err error) {
	f, err := scan(dir)
	if err != nil {
		return out, fmt.Errorf("%s: %w", set.name, err)
	}
	err = f.missing(set)
	for _, k := range []int{3, 1, 2, 0} { // small files first
		if err == nil {
			out[k], err = f.pickOne(set.files[k], set)
		}
	}
	return out, err
}

func (f *folder) pickOne(want mnistFile, set dataSet) (original, error) {
	var last error
	for _, file := range f.files {
		if !file.is(want) {
			continue
		}
		o := original{path: file.path}
		var err error
		if o.content, o.packed, err = readUnpacked(file.path, want.size()); err == nil {
			err = verifySum(file.path, o.content, want, set)
		}
		if err == nil {
			return o, nil
		}
		last = err
	}
	return original{}, fmt.Errorf("%s: no file has the content of %s: %w", set.name, want.name, last)
}

// verifySum returns an error unless the sha256 of the content of path is right.
func verifySum(path string, content []byte, want mnistFile, set dataSet) error {
	got := fmt.Sprintf("%x", sha256.Sum256(content))
	if got == want.sha256 {
		return nil
	}
	for _, other := range dataSets() {
		for _, f := range other.files {
			if f.sha256 == got {
				return fmt.Errorf("%s is %s of %s; write data: %s", path, f.name, other.name, other.name)
			}
		}
	}
	return fmt.Errorf("%s: the sha256 of its content (%d bytes) is %s, want %s: it is damaged or from another data set; "+
		"get the original", path, len(content), got, want.sha256)
}
