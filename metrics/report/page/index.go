package page

import (
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"path"
	"strings"
	"sync"

	"tallynet/metrics/escape"
	"tallynet/metrics/list"
)

//go:embed index.html
var indexText string

var indexLayout = sync.OnceValue(func() *template.Template { return parsed("index", indexText) })

// Limits of the pictures in an index, in bytes: of one picture, and of all.
const (
	mostPicture  = 400_000
	mostPictures = 20_000_000
)

// Index is a page over results. It runs no script and, like a report, fetches nothing.
type Index struct {
	Title   string
	Entries []Entry
}

// Entry is one result.
type Entry struct {
	Name     string   // of its folder, for people
	Report   string   // path of its page, relative to the index, with slashes; "" for none
	About    string   // the question
	Headline string   // the answer
	Facts    []string // how many runs, how they ended, claims
	Methods  []string // labels
	Picture  []byte   // SVG; nil for none
	Trouble  string   // why it cannot be read
}

// shownEntry is an entry as the template shows it.
type shownEntry struct {
	Entry
	Link  string
	Image template.URL
}

// WriteIndex writes the page. It omits large pictures, and a note counts them.
func WriteIndex(w io.Writer, x Index) error {
	var shown []shownEntry
	total, left := 0, 0
	for _, e := range x.Entries {
		s := shownEntry{Entry: e, Link: link(e.Report)}
		switch n := len(e.Picture); {
		case n == 0:
		case n > mostPicture || total+n > mostPictures:
			left++
		default:
			total += n
			s.Image = template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(e.Picture))
		}
		s.About, s.Headline, s.Methods = escape.Words(e.About), escape.Words(e.Headline), escape.Names(e.Methods)
		shown = append(shown, s)
	}
	var notes []string
	if left > 0 {
		notes = []string{fmt.Sprintf("Large pictures, of %d results: their pages have them.", left)}
	}
	var b strings.Builder
	err := indexLayout().Execute(&b, struct {
		Title   string
		Entries []shownEntry
		Notes   []string
		Style   template.CSS
	}{x.Title, shown, notes, template.CSS(style + followingSystem())})
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	_, err = io.WriteString(w, escape.Block(b.String()))
	return err
}

// link converts a relative path to a URL.
func link(file string) string {
	if file == "" {
		return ""
	}
	parts := list.Map(strings.Split(path.Clean(file), "/"), url.PathEscape)
	return "./" + strings.Join(parts, "/") // a colon in it is no scheme
}

// followingSystem is the style of a page without scripts, which is dark where the system is.
func followingSystem() string {
	_, dark, found := strings.Cut(style, `:root[data-theme="dark"] {`)
	dark, _, closed := strings.Cut(dark, "}")
	if !found || !closed {
		panic("page: the style has no dark colours")
	}
	return "@media (prefers-color-scheme: dark) { :root {" + dark + "} }\n"
}
