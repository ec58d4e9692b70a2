package page

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

const tiny = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100"><rect width="300" height="100"/></svg>`

// indexed returns the index page of some entries.
func indexed(t testing.TB, x Index) string {
	t.Helper()
	var b strings.Builder
	if err := WriteIndex(&b, x); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The index runs no script and fetches nothing, whatever the names of the results.
func TestIndexIsHarmless(t *testing.T) {
	e := Entry{Name: hostile[0], Report: "a b/" + hostile[1] + "/report.html", About: hostile[1], Headline: hostile[2],
		Facts: []string{hostile[1]}, Methods: hostile, Picture: []byte(tiny), Trouble: hostile[0]}
	text := indexed(t, Index{Title: hostile[1], Entries: []Entry{e}})
	if strings.Contains(text, "<script") || strings.Contains(text, "<img src=x") ||
		!strings.Contains(text, "default-src 'none'; style-src 'unsafe-inline'; img-src data:") {
		t.Errorf("the index has markup of users:\n%.3000s", text)
	}
	if !IsOf("index", []byte(text)) || IsOf("report", []byte(text)) || IsOf("index", []byte(tiny)) {
		t.Error("the index is not told from other files")
	}
}

// Links lead to the reports wherever they are, and never to another site.
func TestIndexLinks(t *testing.T) {
	for file, want := range map[string]string{"": "", "a/report.html": "./a/report.html",
		"../b c/report.html":              "./../b%20c/report.html",
		"javascript:alert(1)/report.html": "./javascript:alert%281%29/report.html",
		"x?y#z/report.html":               "./x%3Fy%23z/report.html", "100%/report.html": "./100%25/report.html"} {
		if got := link(file); got != want {
			t.Errorf("%q: %s, want %s", file, got, want)
		}
	}
}

// Pictures take a bounded share of the page; the page says what it leaves out.
func TestIndexPicturesAreBounded(t *testing.T) {
	large := []byte("<svg xmlns='http://www.w3.org/2000/svg'>" + strings.Repeat(" ", mostPicture-100) + "</svg>")
	x := Index{Title: "large", Entries: []Entry{{Name: "too large", Picture: make([]byte, mostPicture+1)}}}
	for i := range mostPictures/len(large) + 3 {
		x.Entries = append(x.Entries, Entry{Name: fmt.Sprint(i), Picture: large})
	}
	text := indexed(t, x)
	if got, want := strings.Count(text, ";base64,"), mostPictures/len(large); got != want {
		t.Errorf("%d pictures, want %d", got, want)
	}
	if !strings.Contains(text, fmt.Sprintf("Large pictures, of %d results", len(x.Entries)-mostPictures/len(large))) {
		t.Error("the index does not say what it leaves out")
	}
}

// In a browser the index has the layout of other pages, shows its pictures, and leads to the reports.
func TestIndexInABrowser(t *testing.T) {
	folder := t.TempDir()
	name := "über 100% #1"
	if err := os.Mkdir(filepath.Join(folder, name), 0o777); err != nil {
		t.Fatal(err)
	}
	var report bytes.Buffer
	if err := Write(&report, one().built()); err != nil {
		t.Fatal(err)
	}
	x := Index{Title: "results", Entries: []Entry{
		{Name: name, Report: name + "/report.html", About: "Which is best?", Headline: strings.Repeat("It depends. ", 20),
			Methods: hostile, Facts: []string{"2 runs"}, Picture: []byte(tiny)},
		{Name: strings.Repeat("x", 200), Trouble: "no"}}}
	for file, text := range map[string]string{"index.html": indexed(t, x), name + "/report.html": report.String()} {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	browsing(t)
	whole(t, "index", filepath.Join(folder, "index.html"))
	v := openFile(t, filepath.Join(folder, "index.html"), 390, 900)
	v.own = "file://" + (&url.URL{Path: folder}).EscapedPath() // the report is opened at the end
	v.Await("document.querySelector('.thumb img').complete")
	if got := read[int](v, "document.querySelector('.thumb img').naturalWidth"); got != 300 {
		t.Errorf("the picture is %d wide", got)
	}
	v.Run("document.querySelector('h2 a').click()")
	title := chromedp.Evaluate[string]("document.title + document.readyState")
	for range 6000 { // an expression fails while the page changes
		if got, err := chromedp.Run(v.Ctx, title); err == nil && got == "fake-study – Tallynet reportcomplete" {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("the link leads to %s", read[string](v, "location.href + ' ' + document.title"))
}
