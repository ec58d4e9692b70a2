package escape

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// CSV escapes text for a cell that people open in a spreadsheet. Text that a spreadsheet would evaluate,
// because it begins with = + - or @, gets an apostrophe before it, unless it is a number; control characters,
// bidirectional overrides and invalid bytes are written as \u001b, \U000e0001 and \xff. Line breaks stay.
// [FromCSV] restores the text: for that, an apostrophe before such a character gets another one, and a
// backslash before what looks like a code is written as \u005c.
func CSV(s string) string {
	if strings.Contains(s, `\`) {
		s = codes.ReplaceAllStringFunc(s, func(c string) string { return `\u005c` + c[1:] })
	}
	s = coded(s, func(r rune) bool { return hostile(r) && r != '\n' })
	if formula.MatchString(s) {
		if _, err := strconv.ParseFloat(s, 64); err != nil {
			return "'" + s
		}
	}
	return s
}

// FromCSV restores the text that CSV escaped.
func FromCSV(s string) string {
	if strings.HasPrefix(s, "'") && formula.MatchString(s) {
		s = s[1:]
	}
	return codes.ReplaceAllStringFunc(s, func(c string) string {
		n, err := strconv.ParseUint(c[2:], 16, 32)
		switch {
		case err != nil:
			return c
		case c[1] == 'x':
			return string([]byte{byte(n)})
		case !utf8.ValidRune(rune(n)):
			return c
		}
		return string(rune(n))
	})
}

var (
	codes   = regexp.MustCompile(`\\(u[0-9a-f]{4}|U[0-9a-f]{8}|x[0-9a-f]{2})`)
	formula = regexp.MustCompile(`^[\s']*[=+\-@]`)
)
