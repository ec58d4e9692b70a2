package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"strings"
	"testing"
)

// changed is a file with another text at a place.
type changed struct {
	io.ReaderAt
	text []byte
	at   int64
}

func (c changed) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, off)
	if from := max(c.at, off); from < min(c.at+int64(len(c.text)), off+int64(n)) {
		copy(p[from-off:n], c.text[from-c.at:])
	}
	return n, err
}

// TestProgramID: a program has the ID that go build gave it, and the digest of its file where that is none.
func TestProgramID(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer self.Close()
	start := make([]byte, 1<<16)
	if _, err := io.ReadFull(self, start); err != nil {
		t.Fatal(err)
	}
	id, err := programID()
	at := bytes.Index(start, []byte(id))
	if err != nil || !goBuildID.MatchString(id) || at < 0 {
		t.Fatalf("this program is %q: %v", id, err)
	}
	sister := id[:63] + strings.Repeat("z", 20)
	for text, want := range map[string]string{
		sister:                               sister,
		strings.Repeat("a", len(id)):         "", // given by hand
		id[:63] + strings.Repeat("\x00", 20): "",
		strings.Repeat("b/", 41) + "b":       "",
	} {
		if got := buildID(changed{self, []byte(text), int64(at)}); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	const begin, end = "\xff Go build ID: \"", "\"\n \xff"
	fill := strings.Repeat("x", 1000)
	for name, c := range map[string]struct{ file, want string }{
		"as on Windows": {"MZ" + fill + begin + id + end + fill, id},
		"given by hand": {"MZ" + fill + begin + "redacted" + end + fill, ""},
		"too long":      {"MZ" + fill + begin + id + "/" + id + end + fill, ""},
		"too far":       {"MZ" + strings.Repeat(fill, 66) + begin + id + end + fill, ""},
		"none":          {"MZ" + fill, ""},
		"empty":         {"", ""},
	} {
		if c.want == "" {
			sum := sha256.Sum256([]byte(c.file))
			c.want = hex.EncodeToString(sum[:])
		}
		if got, err := fileID(strings.NewReader(c.file)); got != c.want || err != nil {
			t.Errorf("%s: %q, want %q: %v", name, got, c.want, err)
		}
	}
}
