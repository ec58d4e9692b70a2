package page

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics"
	"tallynet/metrics/report/table"
)

// The embedded file, its source, and docs/dependencies.md name one version; .ci/run compares the bytes with
// a build.
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
	doc := read("../../../docs/dependencies.md")
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

// TestParts checks what embedding relies on: no part ends its element early or contains
// \r, which a browser turns into \n before it compares a script with its digest.
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
	long := table.Table{Title: "long", Columns: []table.Column{{Name: "row", Unit: metrics.Count}},
		Notes: []string{"a note"}}
	for i := range 3000 {
		long.Rows = append(long.Rows, []table.Cell{table.Integer(int64(i))})
	}
	var b strings.Builder
	if err := Write(&b, Page{Title: "x", Tables: []table.Table{long}, Folded: slices.Repeat([]table.Table{long},
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

// A claim has one reason, which need not be that it differs.
func TestReasonsOfClaims(t *testing.T) {
	var b strings.Builder
	if err := Write(&b, newStudy().built()); err != nil {
		t.Fatal(err)
	}
	for _, why := range []string{"the paper counts two exchanges as one", "run 3 was interrupted", "there is one node"} {
		if !strings.Contains(b.String(), `<p class="evidence">Why: `+why+"</p>") {
			t.Errorf("no reason %q", why)
		}
	}
}

// A page is ASCII for any names, and reads back as the original text.
func TestPagesAreASCII(t *testing.T) {
	p := nasty().built()
	p.Title = "é × 𝔘\u200d 日本"
	var b strings.Builder
	if err := Write(&b, p); err != nil {
		t.Fatal(err)
	}
	if i := strings.IndexFunc(b.String(), func(r rune) bool { return r > '~' }); i >= 0 {
		t.Errorf("not ASCII: %q", b.String()[i-min(i, 40):i+4])
	}
	if want := "<h1>&#xe9; &#xd7; &#x1d518;&#x200d; &#x65e5;&#x672c;</h1>"; !strings.Contains(b.String(), want) {
		t.Errorf("the page lacks %s", want)
	}
	if want := `"\u00e9 \u00d7 \ud835\udd18\u200d \u65e5\u672c"`; plainScript(`"`+p.Title+`"`) != want {
		t.Errorf("in a script it is %s, want %s", plainScript(`"`+p.Title+`"`), want)
	}
	var same string
	if err := json.Unmarshal([]byte(plainScript(`"`+p.Title+`"`)), &same); err != nil || same != p.Title {
		t.Errorf("which is read as %q, %v", same, err)
	}
}
