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
	return replaced(s, func(r rune) (string, bool) {
		if unicode.IsSpace(r) && r != '\u00a0' {
			return " ", true
		}
		return coded(r, hostile(r))
	})
}

// Block is Plain for text of several lines: it keeps line breaks and tabs.
func Block(s string) string {
	return replaced(s, func(r rune) (string, bool) { return coded(r, hostile(r) && r != '\n' && r != '\t') })
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

// coded returns the code of a character and true if replace is set.
func coded(r rune, replace bool) (string, bool) {
	if !replace {
		return "", false
	}
	return code(r), true
}

// code returns the code of a character.
func code(r rune) string {
	if r > 0xffff {
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// replaced replaces the characters for which by returns true, and invalid bytes by \xff. Printable ASCII
// characters stay, without a call of by.
func replaced(s string, by func(rune) (string, bool)) string {
	var b strings.Builder
	copied := 0 // how much of s is in b
	for i := 0; i < len(s); {
		if c := s[i]; ' ' <= c && c <= '~' {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		text, replace := "", false
		if r == utf8.RuneError && size == 1 {
			text, replace = fmt.Sprintf(`\x%02x`, s[i]), true
		} else {
			text, replace = by(r)
		}
		if replace {
			b.WriteString(s[copied:i])
			b.WriteString(text)
			copied = i + size
		}
		i += size
	}
	if copied == 0 {
		return s
	}
	b.WriteString(s[copied:])
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
	if len(s) <= most {
		return s
	}
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
	plain := func(r rune) string { return strings.ReplaceAll(Plain(string(r)), `\`, `\\`) }
	text := replaced(string(document), func(r rune) (string, bool) {
		if hostile(r) && r != '\n' {
			return plain(r), true
		}
		return "", false
	})
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); i++ {
		next := strings.IndexByte(text[i:], '\\')
		if next < 0 {
			b.WriteString(text[i:])
			break
		}
		b.WriteString(text[i : i+next])
		i += next
		end := i + 2
		if text[i+1] == 'u' {
			end = i + 6
		}
		r, _, _, err := strconv.UnquoteChar(text[i:end], '"')
		switch special := text[i:end]; {
		case err == nil && (hostile(r) || unicode.IsSpace(r)):
			b.WriteString(plain(r))
		default:
			b.WriteString(special)
		}
		i = end - 1
	}
	return []byte(b.String())
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
