package page

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics/render"
)

// TestLibraryIsTheDocumentedOne holds the embedded file against docs/dependencies.md.
func TestLibraryIsTheDocumentedOne(t *testing.T) {
	doc, err := os.ReadFile("../../docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(library))
	if digest := hex.EncodeToString(sum[:]); !strings.Contains(string(doc), "`"+digest+"`") {
		t.Errorf("docs/dependencies.md does not have the library's sha256, %s", digest)
	}
	if version := `version="6.1.0"`; !strings.Contains(string(doc), "echarts 6.1.0") || !strings.Contains(library,
		version) {
		t.Errorf("the version in docs/dependencies.md is not the library's")
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
