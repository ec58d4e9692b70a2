package page

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics/render"
)

// The embedded file, what it is built from, and docs/dependencies.md name one version; .ci/run compares the
// bytes with a build.
func TestLibraryIsTheDocumentedOne(t *testing.T) {
	read := func(file string) string {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	var built struct{ Dependencies map[string]string }
	if err := json.Unmarshal([]byte(read("echarts/package.json")), &built); err != nil {
		t.Fatal(err)
	}
	if got := len(built.Dependencies); got != 2 {
		t.Errorf("the library is built of %d packages, want echarts and zrender", got)
	}
	doc := read("../../docs/dependencies.md")
	for name, version := range built.Dependencies {
		if !strings.Contains(doc, "| "+name+" "+version+" |") {
			t.Errorf("docs/dependencies.md does not say that %s is of version %s", name, version)
		}
	}
	head := "/* Parts of Apache ECharts " + built.Dependencies["echarts"] + ","
	if !strings.Contains(library[:2000], head) {
		t.Errorf("the library does not begin with its licence and %q", head)
	}
	if size := len(library); size > 716_000 {
		t.Errorf("the library has %d bytes: has it parts that nothing uses?", size)
	}
}

// TestParts holds what embedding relies on: no part may end its element early, and a
// browser turns \r into \n before it compares a script with its digest.
func TestParts(t *testing.T) {
	for name, text := range map[string]string{"library": library, "script": script()} {
		if strings.Contains(strings.ToLower(text), "</script") || strings.Contains(text, "<!--") {
			t.Errorf("the %s would end its element", name)
		}
		if strings.Contains(text, "\r") {
			t.Errorf("the %s has carriage returns", name)
		}
	}
	if strings.Contains(strings.ToLower(style), "</style") {
		t.Error("the style would end its element")
	}
	for name, text := range map[string]string{"style": style, "script": script()} {
		if strings.Contains(text, "http:") || strings.Contains(text, "https:") || strings.Contains(text, "url(") {
			t.Errorf("the %s refers to something outside", name)
		}
	}
}

func TestTablesAreCut(t *testing.T) {
	long := render.Table{Title: "long", Columns: []render.Column{{Name: "row", Kind: render.IntegerColumn}},
		Notes: []string{"a note"}}
	for i := range 3000 {
		long.Rows = append(long.Rows, []render.Cell{render.Integer(int64(i))})
	}
	var b strings.Builder
	if err := Write(&b, Page{Title: "x", Tables: []render.Table{long}, Folded: slices.Repeat([]render.Table{long},
		8)}); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Count(b.String(), "<td"), 1000+8*625; got != want {
		t.Errorf("%d rows, want %d", got, want)
	}
	for _, note := range []string{"These are the first 1,000 of 3,000 rows;", "These are the first 625 of 3,000 rows;"} {
		if !strings.Contains(b.String(), note) {
			t.Errorf("no note %q", note)
		}
	}
	if len(long.Rows) != 3000 || len(long.Notes) != 1 {
		t.Error("the table itself is cut")
	}
}
