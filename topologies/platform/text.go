package platform

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// readText reads a file of at most maxFile bytes and converts it to UTF-8. The note states an assumed encoding.
func readText(r io.Reader) (text []byte, note string, err error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, "", err
	}
	if len(raw) > maxFile {
		return nil, "", fmt.Errorf("the file has more than %d MB; keep the part of the network that you need",
			maxFile/1_000_000)
	}
	declared, err := declaredEncoding(raw)
	if err != nil {
		return nil, "", err
	}
	switch {
	case bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")):
		raw = raw[3:]
	case bytes.HasPrefix(raw, []byte("\xff\xfe")) || bytes.HasPrefix(raw, []byte("\xfe\xff")):
		declared = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	}
	if declared == nil && !utf8.Valid(raw) {
		declared, note = charmap.Windows1252, "the file is not UTF-8: read as Latin-1"
	}
	if declared == nil {
		return raw, note, nil
	}
	text, err = declared.NewDecoder().Bytes(raw)
	return text, note, err
}

var xmlEncoding = regexp.MustCompile(`^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*encoding\s*=\s*["']([A-Za-z0-9._-]+)["']`)

// declaredEncoding returns the encoding in the XML declaration; nil for UTF-8, or if there is none.
func declaredEncoding(raw []byte) (encoding.Encoding, error) {
	m := xmlEncoding.FindSubmatch(raw[:min(len(raw), 512)])
	if m == nil {
		return nil, nil
	}
	name := strings.ToLower(string(m[1]))
	if name == "utf-8" || name == "utf8" || name == "us-ascii" || strings.HasPrefix(name, "utf-16") {
		return nil, nil // UTF-16 has a mark of its own at the start
	}
	e, err := htmlindex.Get(name)
	if err != nil {
		return nil, failAt(1, "the encoding %s is not known; save the file as UTF-8", m[1])
	}
	return e, nil
}
