package page

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"tallynet/metrics/escape"
	"tallynet/metrics/report/quantity"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// The parts of the charting library that the page uses, which echarts/build makes; see
// docs/dependencies.md.
var (
	//go:embed echarts/echarts.min.js
	library string
	//go:embed echarts/LICENSE
	libraryLicence string
	//go:embed echarts/NOTICE
	libraryNotice string
	//go:embed echarts/LICENSE-d3
	d3Licence string
	//go:embed echarts/LICENSE-zrender
	zrenderLicence string
)

var (
	//go:embed page.html
	layoutText string
	//go:embed page.css
	style string
	//go:embed js/*.js live/*.js
	scripts embed.FS
)

// script is the page's own script: a file for each kind of chart, in the order of their names.
var script = sync.OnceValue(func() string { return joined("js/*.js") })

// What the browser is told of the scripts that it may run.
var (
	libraryDigest = sync.OnceValue(func() string { return digest(library) })
	scriptDigest  = sync.OnceValue(func() string { return digest(script()) })
)

// joined puts the scripts of some folders into one.
func joined(patterns ...string) string {
	var b strings.Builder
	b.WriteString("\"use strict\";\n(() => {\n")
	for _, pattern := range patterns {
		files, err := fs.Glob(scripts, pattern) // sorted
		for _, name := range files {
			var text []byte
			if text, err = scripts.ReadFile(name); err != nil {
				break
			}
			b.Write(text)
		}
		if err != nil {
			panic("page: " + err.Error()) // the files are embedded
		}
	}
	b.WriteString("})();\n")
	return plainScript(b.String())
}

const (
	maxRows   = 1000  // of a table
	maxFolded = 5_000 // rows of all folded tables
)

// layout is read by the first page: most commands write none.
var layout = sync.OnceValue(func() *template.Template { return parsed("page", layoutText) })

// parsed is a page's template, with the parts that pages share.
func parsed(name, text string) *template.Template {
	return template.Must(template.New(name).Funcs(functions).Parse(text))
}

var functions = template.FuncMap{
	"table": tableHTML, "fold": shorten, "outcome": (*result.Claim).Outcome, "measured": measured,
	"printed": (*result.Claim).PrintedText,
	"class":   outcomeClass, "viewName": viewName, "generator": generator,
}

// Write writes the page as one file that needs no other.
func Write(w io.Writer, p Page) error {
	data, err := json.Marshal(p.Charts) // it escapes <, > and &, so the data cannot end their element
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	// The browser is to run these two scripts and no other, and to fetch nothing.
	policy := fmt.Sprintf("default-src 'none'; script-src '%s' '%s'; style-src 'unsafe-inline'; img-src data: blob:",
		libraryDigest(), scriptDigest())
	text := plainScript(string(escape.JSON(data)))
	return writePage(w, layout(), text, struct {
		Page
		Policy          string
		Style           template.CSS
		Data            template.JS
		Library, Script template.JS
		Licences        []fact
	}{
		p, policy, template.CSS(style), dataMark, libraryMark,
		template.JS(script()), licences(),
	})
}

// libraryMark and dataMark stand in a template's data for the library and for the data of charts, which are most
// of a page: they are not copied, and what is in them is not searched for characters to escape. Nothing else that
// a template writes has these values, since what is not a script has its < escaped.
const (
	libraryMark = template.JS("<library>")
	dataMark    = template.JS("<data>")
)

// writePage writes a template's page, with the library and the data of charts, in ASCII, where their marks are.
func writePage(w io.Writer, layout *template.Template, charts string, data any) error {
	p := aroundMarks{charts: charts}
	if err := layout.Execute(&p, data); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	p.pass("")
	for _, part := range p.parts {
		if _, err := io.WriteString(w, part); err != nil {
			return err
		}
	}
	return nil
}

// A page is written in ASCII: with one other character in it, a browser keeps all of it, and the library, in twice the
// memory, and decodes it in three times the time.

// plainHTML writes what is not ASCII as references to characters, and what is not to be written as escape.Block does.
// The style is ASCII already, and so are scripts when they come here.
func plainHTML(text string) string {
	return ascii(escape.Block(text), func(r rune) string { return fmt.Sprintf("&#x%x;", r) })
}

// plainScript writes what is not ASCII in the strings of a script, or of JSON, as escapes of UTF-16.
func plainScript(text string) string {
	return ascii(text, func(r rune) string {
		if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
			return fmt.Sprintf(`\u%04x\u%04x`, high, low)
		}
		return fmt.Sprintf(`\u%04x`, r)
	})
}

// ascii writes each character of a text that is not ASCII in some code.
func ascii(text string, code func(rune) string) string {
	var b strings.Builder
	for n := 0; ; {
		for n < len(text) && text[n] < utf8.RuneSelf {
			n++
		}
		if n == len(text) && b.Len() == 0 {
			return text
		}
		if b.Len() == 0 {
			b.Grow(len(text) + len(text)/8)
		}
		b.WriteString(text[:n])
		if n == len(text) {
			return b.String()
		}
		r, size := utf8.DecodeRuneInString(text[n:])
		b.WriteString(code(r))
		text, n = text[n+size:], 0
	}
}

// aroundMarks is a page in parts, of which those at marks are as they are. A template writes each value at once.
type aroundMarks struct {
	charts string
	parts  []string
	around strings.Builder // since the last mark
}

// Write takes a part of the page.
func (p *aroundMarks) Write(text []byte) (int, error) {
	switch template.JS(text) {
	case libraryMark:
		p.pass(library)
	case dataMark:
		p.pass(p.charts)
	default:
		return p.around.Write(text)
	}
	return len(text), nil
}

// pass ends what is around marks, and takes what is at one.
func (p *aroundMarks) pass(part string) {
	p.parts = append(p.parts, plainHTML(p.around.String()), part)
	p.around.Reset()
}

// licences are those of what the page has of others.
func licences() []fact {
	return []fact{{"Apache ECharts", libraryNotice + "\n" + libraryLicence}, {"ZRender, in ECharts", zrenderLicence},
		{"d3, in ECharts", d3Licence}}
}

// generator names what wrote a page of some kind.
func generator(kind string) string { return "Tallynet " + cmp.Or(kind, "report") }

// IsOf reports whether a file that begins so is a page of some kind that this package wrote.
func IsOf(kind string, beginning []byte) bool {
	return bytes.Contains(beginning, []byte(`<meta name="generator" content="`+generator(kind)+`">`))
}

// viewName is the heading of a view.
func viewName(view string) string {
	return map[string]string{"curves": "Convergence", "parameter": "What a parameter does",
		"path": "What the time is made of", "heat": "Two parameters at a time", "pareto": "Bytes against time",
		"profile": "How often a method is nearly the best", "spread": "How the nodes differ"}[view]
}

// digest is a script as a content security policy names it.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// shorten cuts tables, each by as much, to what they may hold together.
func shorten(tables []table.Table) []table.Table {
	var out []table.Table
	for _, t := range tables {
		out = append(out, cut(t, min(maxRows, max(20, maxFolded/len(tables)))))
	}
	return out
}

// cut leaves a table its first rows, and a note of what is missing.
func cut(t table.Table, rows int) table.Table {
	if n := len(t.Rows); n > rows {
		t.Rows = t.Rows[:rows]
		t.Notes = append(slices.Clip(t.Notes),
			fmt.Sprintf("These are the first %s of %s rows; the tables among the other files of the result have all.",
				quantity.Count(int64(rows)), quantity.Count(int64(n))))
	}
	return t
}

func tableHTML(t table.Table) (template.HTML, error) {
	t = cut(t, maxRows)
	var b strings.Builder
	err := t.WriteHTML(&b)
	return template.HTML(b.String()), err // it has escaped its cells
}

// outcomeClass is the colour of the outcome of a claim; the word is shown beside it.
func outcomeClass(c *result.Claim) string {
	switch {
	case c.Wrong():
		return "bad"
	case c.Verdict == result.Holds:
		return "good"
	}
	return "open"
}

// measured is the parts of a claim's check, with their values.
func measured(c *result.Claim) []fact {
	var parts []fact
	for _, v := range c.Measured {
		parts = append(parts, fact{v.Name, quantity.Measured(v.Value)})
	}
	for _, s := range c.Observed {
		parts = append(parts, fact{s.Key, s.Text()})
	}
	return parts
}
