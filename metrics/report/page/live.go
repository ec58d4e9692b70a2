package page

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"tallynet/metrics/escape"
	"tallynet/metrics/report/table"
)

//go:embed live.html
var liveText string

var (
	liveLayout = sync.OnceValue(func() *template.Template {
		return template.Must(parsed("live", layoutText).New("live page").Parse(liveText))
	})
	liveScript = sync.OnceValue(func() string { return joined("js/*.js", "live/*.js") })
)

// Live is a page that a server updates: a choice of scenarios, controls, the predicted cost, and below them the
// content of a report, which grows with the runs.
type Live struct {
	Folder string   // in words, for the heading
	Files  []string // scenarios in it
	Note   string   // what is missing in the list
}

// Fragment is the content of a report as part of a live page.
type Fragment struct {
	HTML string          `json:"html"`
	Data json.RawMessage `json:"data"` // of the charts
}

// WriteLive writes the live page, which connects to its own server only.
func WriteLive(w io.Writer, l Live) error {
	return writePage(w, liveLayout(), struct {
		Live
		Policy          string
		Style           template.CSS
		Library, Script template.JS
		Licences        []fact
	}{l, LivePolicy(), template.CSS(style), template.JS(library), template.JS(liveScript()), licences()})
}

// LivePolicy returns the content security policy of the live page. It allows its two scripts and connections to
// its own server.
func LivePolicy() string {
	return fmt.Sprintf("default-src 'none'; script-src '%s' '%s'; style-src 'unsafe-inline'; img-src data: blob:; "+
		"connect-src 'self'; base-uri 'none'; form-action 'none'", digest(library), digest(liveScript()))
}

// Fragment returns the content of the report below its heading.
func (p Page) Fragment() (Fragment, error) {
	data, err := json.Marshal(p.Charts)
	if err != nil {
		return Fragment{}, fmt.Errorf("page: %w", err)
	}
	var b strings.Builder
	parts := []string{"ask", "nav", "sections"}
	if p.Charts.UnderWay {
		parts = parts[2:]
	}
	for _, part := range parts {
		if err := layout().ExecuteTemplate(&b, part, p); err != nil {
			return Fragment{}, fmt.Errorf("page: %w", err)
		}
	}
	return Fragment{escape.Block(b.String()), data}, nil
}

// TablesHTML returns tables as HTML: the first ones open, the others folded.
func TablesHTML(tables, folded []table.Table) (string, error) {
	var b strings.Builder
	if err := layout().ExecuteTemplate(&b, "tables", Page{Tables: tables, Folded: folded}); err != nil {
		return "", fmt.Errorf("page: %w", err)
	}
	return escape.Block(b.String()), nil
}
