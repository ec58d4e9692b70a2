package escape

import (
	"strings"
	"unicode"
)

// Markdown escapes one line of text for GitHub Flavored Markdown, in a heading, an item, a paragraph or a cell:
// no markup, no HTML, no links, no images. Hyphens and underscores within words need no escape, so that names
// like grad_norm2 stay readable.
func Markdown(s string) string {
	var b strings.Builder
	runes := []rune(Plain(s))
	inWord := func(i int) bool {
		return i >= 0 && i < len(runes) && (unicode.IsLetter(runes[i]) || unicode.IsDigit(runes[i]))
	}
	begins := func(i int, word string) bool {
		return i+len(word) <= len(runes) && strings.EqualFold(string(runes[i:i+len(word)]), word)
	}
	start := 0 // of the first word
	for start < len(runes) && runes[start] == ' ' {
		start++
	}
	number := start // the end of the number that the text begins with
	for number < len(runes) && '0' <= runes[number] && runes[number] <= '9' {
		number++
	}
	itemAt := func(i int) bool { return i == number && number > start && (i+1 == len(runes) || runes[i+1] == ' ') }
	for i, r := range runes {
		special := false
		switch r {
		case '\\', '`', '*', '[', ']', '|', '~', '$', '&', '#':
			special = true
		case '<': // a tag, a comment or an address; "<= 0.001" is none
			special = i+1 < len(runes) && runes[i+1] != ' ' && runes[i+1] != '='
		case '>':
			special = i == start || runes[i-1] != ' ' // a quotation, or the end of a tag
		case '_':
			special = !inWord(i-1) || !inWord(i+1)
		case ':': // GitHub makes a link of a bare address
			special = begins(i, "://")
		case '.':
			special = i >= 3 && begins(i-3, "www") || itemAt(i)
		case ')':
			special = itemAt(i) // would be a numbered item
		case '-', '+', '=':
			special = i == start && (i+1 == len(runes) || runes[i+1] == ' ' || runes[i+1] == r) // an item, or a rule
		}
		if special {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
