package table

import (
	"io"
	"strings"

	"tallynet/metrics/escape"
)

// A Form is a format of documents, and the extension of its files.
type Form struct{ Extension, Format string }

// Forms returns the formats of documents.
func Forms() []Form { return []Form{{"txt", "text"}, {"md", "md"}, {"csv", "csv"}, {"tex", "latex"}} }

// A Document is one or several tables with words above them. CSV has only the tables, and LaTeX omits the findings.
type Document struct {
	Heading  string
	Facts    []string // about what the document shows
	Findings []string
	Tables   []Table
}

// Write writes the document in one of the formats text, md, latex and csv.
func (d Document) Write(w io.Writer, format string) error {
	var b strings.Builder
	b.WriteString(d.head(format))
	for i, t := range d.Tables {
		if i > 0 {
			b.WriteString("\n")
		}
		switch format {
		case "text":
			b.WriteString(t.Text(TextWidth))
		case "md":
			b.WriteString(t.Markdown())
		case "latex":
			b.WriteString(t.LaTeX())
		default:
			_ = t.WriteCSV(&b) // a Builder takes all
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// head returns the words above the tables.
func (d Document) head(format string) string {
	var b strings.Builder
	facts := FactLines(d.Facts, format)
	switch {
	case d.Heading == "":
	case format == "text":
		b.WriteString(Wrapped(d.Heading, "") + "\n" + facts + "\n")
	case format == "md":
		b.WriteString("# " + escape.Markdown(escape.Words(d.Heading)) + "\n\n" + facts + "\n")
	case format == "latex":
		b.WriteString("% " + escape.LaTeX(escape.Words(d.Heading)) + "\n" + facts)
	}
	if format == "csv" || format == "latex" || len(d.Findings) == 0 {
		return b.String()
	}
	if format == "md" {
		return b.String() + FactLines(d.Findings, format) + "\n"
	}
	for _, f := range d.Findings {
		b.WriteString("- " + strings.TrimPrefix(Wrapped(f, "  "), "  ") + "\n")
	}
	return b.String() + "\n"
}

// FactLines returns a line for each fact: indented, an item of a list in Markdown, a comment in LaTeX.
func FactLines(facts []string, format string) string {
	var b strings.Builder
	for _, f := range facts {
		switch format {
		case "text":
			b.WriteString(Wrapped(f, "  ") + "\n")
		case "md":
			b.WriteString("- " + escape.Markdown(escape.Words(f)) + "\n")
		case "latex":
			b.WriteString("% " + escape.LaTeX(escape.Words(f)) + "\n")
		}
	}
	return b.String()
}

// Wrapped breaks text between words into lines of at most 110 characters, for a terminal. It escapes control
// characters and shortens overlong words in the middle.
func Wrapped(text, indent string) string { return WrappedTo(TextWidth, text, indent) }

// WrappedTo is Wrapped for lines of at most the given number of terminal columns.
func WrappedTo(to int, text, indent string) string {
	var lines []string
	line := indent
	for _, word := range strings.Fields(escape.Plain(text)) {
		word = escape.Words(word)
		for n := to; Width(word) > to-len(indent)-2; n-- {
			word = escape.Middle(word, n)
		}
		switch {
		case line == indent:
			line += word
		case Width(line)+1+Width(word) > to:
			lines = append(lines, line)
			line = indent + "  " + word
		default:
			line += " " + word
		}
	}
	return strings.Join(append(lines, line), "\n")
}
