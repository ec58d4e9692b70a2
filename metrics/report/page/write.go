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
	"tallynet/metrics/list"
	"tallynet/metrics/report/quantity"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// The charting library, reduced by echarts/build to what the page uses. See docs/dependencies.md.
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

// script returns the page's own script, its files joined in the order of their names.
var script = sync.OnceValue(func() string { return joined("js/*.js") })

// joined concatenates the scripts that match the patterns.
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

// layout parses the template on first use, since most commands write no page.
var layout = sync.OnceValue(func() *template.Template { return parsed("page", layoutText) })

// parsed parses a template with the functions that all pages share.
func parsed(name, text string) *template.Template {
	return template.Must(template.New(name).Funcs(functions).Parse(text))
}

var functions = template.FuncMap{
	"table": tableHTML, "fold": shorten, "outcome": (*result.Claim).Outcome,
	"measured": func(c *result.Claim) []result.Part { return c.Parts(quantity.Measured) },
	"printed":  (*result.Claim).PrintedText, "why": (*result.Claim).Why,
	"class": outcomeClass, "viewName": viewName, "generator": generator,
}

// Write writes the page as one file that needs no other files.
func Write(w io.Writer, p Page) error {
	data, err := json.Marshal(p.Charts) // it escapes <, > and &, so the data cannot end their element
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	// The policy allows these two scripts and no requests.
	policy := fmt.Sprintf("default-src 'none'; script-src '%s' '%s'; style-src 'unsafe-inline'; img-src data: blob:",
		digest(library), digest(script()))
	return writePage(w, layout(), struct {
		Page
		Policy          string
		Style           template.CSS
		Data            template.JS
		Library, Script template.JS
		Licences        []fact
	}{
		p, policy, template.CSS(style), template.JS(plainScript(string(escape.JSON(data)))), template.JS(library),
		template.JS(script()), licences(),
	})
}

// writePage executes a template. Its output is ASCII: with a single other character, a browser needs twice the memory
// for the page and three times the time to decode it.
func writePage(w io.Writer, layout *template.Template, data any) error {
	var b strings.Builder
	if err := layout.Execute(&b, data); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	_, err := io.WriteString(w, plainHTML(b.String()))
	return err
}

// plainHTML writes characters that are not ASCII as character references, and control characters as escape.Block
// does. Styles and scripts are ASCII already.
func plainHTML(text string) string {
	return ascii(escape.Block(text), func(r rune) string { return fmt.Sprintf("&#x%x;", r) })
}

// plainScript writes characters that are not ASCII as UTF-16 escapes, which are valid in strings of scripts and
// JSON.
func plainScript(text string) string {
	return ascii(text, func(r rune) string {
		if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
			return fmt.Sprintf(`\u%04x\u%04x`, high, low)
		}
		return fmt.Sprintf(`\u%04x`, r)
	})
}

// ascii replaces each character that is not ASCII by its code.
func ascii(text string, code func(rune) string) string {
	var b strings.Builder
	from := 0
	for i, r := range text {
		if r >= utf8.RuneSelf {
			b.WriteString(text[from:i] + code(r))
			from = i + utf8.RuneLen(r)
		}
	}
	return b.String() + text[from:]
}

// licences returns the licences of the libraries in the page.
func licences() []fact {
	return []fact{{"Apache ECharts", libraryNotice + "\n" + libraryLicence}, {"ZRender, in ECharts", zrenderLicence},
		{"d3, in ECharts", d3Licence}}
}

// generator returns the content of the generator element of a kind of page.
func generator(kind string) string { return "Tallynet " + cmp.Or(kind, "report") }

// IsOf reports whether the beginning of a file is that of a page of the given kind.
func IsOf(kind string, beginning []byte) bool {
	return bytes.Contains(beginning, []byte(`<meta name="generator" content="`+generator(kind)+`">`))
}

// viewName returns the heading of a view.
func viewName(view string) string {
	return map[string]string{"curves": "Convergence", "parameter": "What a parameter does",
		"path": "What the time is made of", "map": "Who is best where", "pareto": "One cost against another",
		"profile": "How often a method is nearly the best", "spread": "How the nodes differ"}[view]
}

// digest returns the hash of a script in the form of a content security policy.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// shorten cuts all tables to the same number of rows, so that together they have at most maxFolded.
func shorten(tables []table.Table) []table.Table {
	rows := min(maxRows, max(20, maxFolded/max(1, len(tables))))
	return list.Map(tables, func(t table.Table) table.Table { return cut(t, rows) })
}

// cut keeps the first rows of a table, and adds a note if rows are missing.
func cut(t table.Table, rows int) table.Table {
	if n := len(t.Rows); n > rows {
		t.Rows = t.Rows[:rows]
		t.Notes = append(slices.Clip(t.Notes),
			fmt.Sprintf("These are the first %s of %s rows; the tables among the other files of the result have all.",
				quantity.Count(int64(rows)), quantity.Count(int64(n))))
	}
	return t
}

// tableHTML returns the first rows of a table, whose cells are escaped.
func tableHTML(t table.Table) template.HTML { return template.HTML(cut(t, maxRows).HTML()) }

// outcomeClass returns the CSS class of the outcome of a claim. The page shows the word as well.
func outcomeClass(c *result.Claim) string {
	switch {
	case c.Wrong():
		return "bad"
	case c.Verdict == result.Holds:
		return "good"
	}
	return "open"
}
