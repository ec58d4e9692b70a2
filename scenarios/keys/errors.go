package keys

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	edlib "github.com/hbollon/go-edlib"
)

// FilePosition is a place in a scenario file, or the --set text that a value came from.
type FilePosition struct {
	File         string
	Line, Column int    // 1-based, in characters; 0: the file as a whole
	Set          string // as in "--set network.latency=2ms"; then Line and Column are 0
}

// String returns "file:line:column", the file, or the --set text.
func (p FilePosition) String() string {
	switch {
	case p.Set != "":
		return p.Set
	case p.Line == 0:
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// FileError reports an error in a scenario file with its position and, if there is one, a hint.
type FileError struct {
	FilePosition
	Path    string // the key, as in "network.latency"; empty if the text itself is wrong
	Message string // without position and path
	Source  string // the line of the file, without its end; empty for --set
	Hint    string // what to write instead; may be empty
	Err     error  // the cause; may be nil
}

// Unwrap returns the cause, or nil.
func (e *FileError) Unwrap() error { return e.Err }

// Error returns the position, the message, the offending line with a caret below
// the column, and the hint, on one to four lines.
func (e *FileError) Error() string {
	var b strings.Builder
	b.WriteString(e.FilePosition.String())
	b.WriteString(": ")
	if e.Path != "" {
		b.WriteString(e.Path + ": ")
	}
	b.WriteString(e.Message)
	if e.Set == "" && e.Line > 0 {
		line, caret := excerpt(e.Source, e.Column)
		number := fmt.Sprintf("%5d", e.Line)
		fmt.Fprintf(&b, "\n%s | %s\n%s | %s^", number, line, strings.Repeat(" ", len(number)),
			strings.Repeat(" ", caret))
	}
	if e.Hint != "" {
		b.WriteString("\n  hint: " + e.Hint)
	}
	return b.String()
}

// FileErrors is several errors of one file, in the order of the file.
type FileErrors []*FileError

// MaxErrors bounds how many errors are reported at once.
const MaxErrors = 10

// Error returns all messages, one after the other.
func (es FileErrors) Error() string { return errors.Join(es.Unwrap()...).Error() }

// Unwrap gives errors.As access to the single errors.
func (es FileErrors) Unwrap() []error {
	var errs []error
	for _, e := range es {
		errs = append(errs, e)
	}
	return errs
}

// excerpt returns about 100 printable characters of a line around the 1-based column, and the 0-based column of the
// caret in them.
func excerpt(line string, column int) (string, int) {
	const width = 100
	rs := []rune(line)
	for i, r := range rs {
		if r == '\t' {
			rs[i] = ' '
		} else if !unicode.IsPrint(r) || r == utf8.RuneError {
			rs[i] = '?'
		}
	}
	at := min(max(column-1, 0), len(rs))
	from := 0
	if at > width*3/4 {
		from = at - width/2
	}
	to := min(len(rs), from+width)
	head, tail := "", ""
	if from > 0 {
		head = "..."
	}
	if to < len(rs) {
		tail = "..."
	}
	return head + string(rs[from:to]) + tail, len(head) + at - from
}

// Nearest returns the candidate with the smallest edit distance to word, or "" if none is close. It ignores case and
// treats -, _ and space as equal.
func Nearest(word string, candidates []string) string {
	fold := strings.NewReplacer("_", "-", " ", "-")
	w := fold.Replace(strings.ToLower(word))
	if utf8.RuneCountInString(w) > 64 {
		return ""
	}
	begin := func(c string) bool { return strings.HasPrefix(strings.ToLower(c), w) }
	if i := slices.IndexFunc(candidates, begin); i >= 0 && len(w) >= 4 && !slices.ContainsFunc(candidates[i+1:], begin) {
		return candidates[i]
	}
	best, bestDistance := "", 1+max(1, utf8.RuneCountInString(w)/3)
	for _, c := range candidates {
		if d := edlib.OSADamerauLevenshteinDistance(w, fold.Replace(strings.ToLower(c))); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}

// misspelt reports whether a word differs from a name by at most one edit.
func misspelt(word, name string) bool {
	return name != "" && edlib.OSADamerauLevenshteinDistance(strings.ToLower(word), strings.ToLower(name)) <= 1
}

// DidYouMean returns a hint that proposes the nearest name, or lists all names.
func DidYouMean(word string, names []string) string {
	if n := Nearest(word, names); n != "" {
		return fmt.Sprintf("did you mean %s?", n)
	}
	if len(names) == 0 {
		return ""
	}
	return "want one of: " + strings.Join(names, ", ")
}
