package escape

import (
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain makes one line of text. Line breaks and tabs become spaces; characters that are invisible or change how
// other text is shown (control characters, bidirectional overrides, bytes that are not UTF-8) are written as
// \u001b. Plain(Plain(s)) is Plain(s).
func Plain(s string) string {
	s = coded(s, func(r rune) bool { return hostile(r) && !unicode.IsSpace(r) })
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) && r != '\u00a0' {
			return ' '
		}
		return r
	}, s)
}

// Block is Plain for text of several lines: it keeps line breaks and tabs.
func Block(s string) string {
	return coded(s, func(r rune) bool { return hostile(r) && r != '\n' && r != '\t' })
}

// HTML escapes s for HTML, after Plain.
func HTML(s string) string { return html.EscapeString(Plain(s)) }

// hostile reports whether a character must be escaped: control characters, invisible formatting such as
// bidirectional overrides, line separators, and code points that XML does not allow. Joiners, without which
// some scripts are misspelt, are kept.
func hostile(r rune) bool {
	switch {
	case r < utf8.RuneSelf: // most of all text: the same answer, without tables
		return r < ' ' || r == '\u007f'
	case r == '\u200c' || r == '\u200d':
		return false
	case r >= 0xfdd0 && r <= 0xfdef, r&0xfffe == 0xfffe:
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Zl, unicode.Zp)
}

// coded writes the codes of bad characters, and of invalid bytes, instead of these.
func coded(s string, bad func(rune) bool) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, bad) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], string(r)):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case !bad(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// maxName is the most characters of a displayed name.
const maxName = 60

// maxWord is the most characters of a displayed word.
const maxWord = 80

// Name makes a name one line, and cuts the middle out of a long one.
func Name(s string) string { return Middle(s, maxName) }

// Middle makes text one line of at most the given number of characters. It cuts the middle out of longer text.
func Middle(s string, most int) string {
	s = Plain(s)
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	tail := (most - 1) / 3
	return string(runes[:most-1-tail]) + "…" + string(runes[len(runes)-tail:])
}

// Names shortens names as Name does, and keeps the results distinct.
func Names(names []string) []string {
	out := make([]string, len(names))
	taken := map[string]bool{}
	for i, name := range names {
		short := Name(name)
		for k := 2; taken[short]; k++ {
			short = fmt.Sprintf("%s (%d)", Name(name), k)
		}
		taken[short] = true
		out[i] = short
	}
	return out
}

// JSON escapes the strings in a JSON document of encoding/json as Plain does, for display on a page.
func JSON(document []byte) []byte {
	var b strings.Builder
	for rest := string(document); ; {
		at := strings.IndexFunc(rest, func(r rune) bool { return r == '\\' || r > '~' })
		if at < 0 {
			b.WriteString(rest)
			return []byte(b.String())
		}
		r, _, tail, err := strconv.UnquoteChar(rest[at:], '"')
		if err != nil { // \/, or half of a surrogate pair
			tail = rest[at+2:]
		}
		b.WriteString(rest[:at])
		if err == nil && (hostile(r) || unicode.IsSpace(r)) {
			b.WriteString(strings.ReplaceAll(Plain(string(r)), `\`, `\\`))
		} else {
			b.WriteString(rest[at : len(rest)-len(tail)])
		}
		rest = tail
	}
}

// Words is Plain for text of several words. It cuts the middle out of very long words, and out of very long
// text.
func Words(s string) string {
	const most = 1200
	s = Middle(s, most)
	fields := strings.Fields(s)
	if !slices.ContainsFunc(fields, func(w string) bool { return len(w) > maxWord }) {
		return s
	}
	for i, w := range fields {
		fields[i] = Middle(w, maxWord)
	}
	return strings.Join(fields, " ")
}
