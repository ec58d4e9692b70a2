package cli

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"regexp"
	"sync"
)

// programID identifies this program, with all the methods that its main added, so that a result of
// another build is not taken for this one's. The file is read once: that of a program that runs does
// not change.
var programID = sync.OnceValues(func() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	id, err := fileID(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return "", err
	}
	return id, nil
})

// fileID identifies the file of a program by the ID that go build wrote into it, made of digests of the
// sources, the settings and the file itself. A file without such an ID, as after -ldflags=-buildid=, has
// the digest of all of it.
func fileID(file io.ReaderAt) (string, error) {
	if id := buildID(file); id != "" {
		return id, nil
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(file, 0, 1<<62)); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

var (
	// A build ID that was given by hand, as the same for all builds, does not look like this.
	goBuildID = regexp.MustCompile(`^[A-Za-z0-9_-]{20}(/[A-Za-z0-9_-]{20}){3}$`)
	goNote    = []byte("\x04\x00\x00\x00Go\x00\x00") // its kind and owner, after the lengths of the owner and of the ID
	goText    = []byte("\xff Go build ID: \"")       // before an ID, which ends with a quote
)

// buildID returns the ID that go build has written into a program, or "". In ELF it is a note; in other
// formats the program's text, which is near the beginning of the file, begins with it.
func buildID(file io.ReaderAt) string {
	var id []byte
	if program, err := elf.NewFile(file); err == nil {
		section := program.Section(".note.go.buildid")
		if section == nil {
			return ""
		}
		note, err := section.Data()
		if _, after, ok := bytes.Cut(note, goNote); ok && err == nil {
			id = after
		}
	} else {
		start := make([]byte, 1<<16)
		n, _ := file.ReadAt(start, 0) // what cannot be read has no ID; its digest will fail
		if _, after, ok := bytes.Cut(start[:n], goText); ok {
			id, _, _ = bytes.Cut(after, []byte(`"`))
		}
	}
	if id = bytes.TrimRight(id, "\x00"); !goBuildID.Match(id) {
		return ""
	}
	return string(id)
}
