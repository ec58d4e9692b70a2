package page

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// underWay is the page of a study with some runs still running.
func underWay(t *testing.T, g grid, goesOn func(label, seed int) bool) Page {
	t.Helper()
	b, f := NewBuilder(Options{Brief: true}), fold.New(fold.Options{})
	g.fail = func(l, _, seed int) result.Status {
		if goesOn(l, seed) {
			return result.Interrupted
		}
		return ""
	}
	g.each(func(r *result.Run) {
		b.Add(r)
		if err := f.Add(r); err != nil {
			t.Fatal(err)
		}
	})
	return b.UnderWay(f.Summary())
}

// Running runs are drawn without a mark, enter no median, and are all that the page shows.
func TestUnderWay(t *testing.T) {
	g := newStudy()
	g.keys, g.values, g.labels, g.seeds = nil, nil, g.labels[:2], 4
	p := underWay(t, g, func(l, seed int) bool { return l == 1 && seed > 1 })
	if got := p.Views(); !slices.Equal(got, []string{"curves"}) {
		t.Errorf("the views are %q", got)
	}
	f, err := p.Fragment()
	if err != nil {
		t.Fatal(err)
	}
	for _, no := range []string{"<nav", "tables-title", "asked-title", "detail-title"} {
		if strings.Contains(f.HTML, no) {
			t.Errorf("a page under way has %s", no)
		}
	}
	var data struct {
		UnderWay bool
		Runs     []any
		Means    []struct{ Runs int }
	}
	if err := json.Unmarshal(f.Data, &data); err != nil {
		t.Fatal(err)
	}
	if !data.UnderWay || len(data.Runs) != 8 || len(data.Means) != 2 || data.Means[0].Runs != 4 ||
		data.Means[1].Runs != 2 {
		t.Errorf("%+v", data)
	}

	p.Charts.Targets = []targetLine{{0, 1e-2}} // which the finished runs may have reached
	v := open(t, p, 900, 900)
	v.show("curves")
	if got := v.Text("curves-note"); strings.Contains(got, "did not end") {
		t.Errorf("the note is %q", got)
	}
	if got := option[int](v, "curves", "o.series.filter(s => s.type === 'line').length"); got != 4 {
		t.Errorf("%d curves, want two medians and two runs under way", got)
	}
	if got := option[int](v, "curves", "o.series.filter(s => (s.data.at(-1) || {}).label).length"); got != 0 {
		t.Errorf("%d curves have a mark at their end", got)
	}
}

// A page that is rebuilt several times a second stays small for any number of runs.
func TestUnderWayIsSmall(t *testing.T) {
	g := newStudy()
	g.labels, g.seeds, g.samples = g.labels[:2], 12, 3000
	p := underWay(t, g, func(int, int) bool { return true })
	f, err := p.Fragment()
	if err != nil {
		t.Fatal(err)
	}
	if runs := len(p.Charts.Runs); runs < 100 || len(f.Data) > 20*maxBrief {
		t.Errorf("%d runs take %d bytes", runs, len(f.Data))
	}
}

// A live page inserts users' words as text.
func TestFragmentIsHarmless(t *testing.T) {
	f, err := nasty().built().Fragment()
	if err != nil {
		t.Fatal(err)
	}
	out := table.Table{Title: hostile[1], Columns: []table.Column{{Name: hostile[0]}},
		Rows: [][]table.Cell{{table.Text(hostile[1])}}}
	tables, err := TablesHTML([]table.Table{out}, []table.Table{out})
	if err != nil {
		t.Fatal(err)
	}
	for _, html := range []string{f.HTML, tables} {
		if strings.Contains(html, "<script") || strings.Contains(html, "<img") || !strings.Contains(html, "&lt;img") {
			t.Errorf("markup of a user is markup of the page:\n%.2000s", html)
		}
	}
}

// The live page runs its two scripts, and sends requests only to its own server.
func TestLivePolicy(t *testing.T) {
	var b strings.Builder
	if err := WriteLive(&b, Live{Folder: hostile[0], Files: []string{hostile[1]}}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	escaped := strings.NewReplacer("'", "&#39;", "+", "&#43;").Replace(LivePolicy()) // a digest may contain +
	if strings.Count(text, "<script") != 3 || !strings.Contains(text, `content="`+escaped) {
		t.Errorf("scripts or policy are others: %.1500s", text)
	}
	policy := LivePolicy()
	if strings.Count(policy, "'sha256-") != 2 || !strings.Contains(policy, "connect-src 'self'") {
		t.Errorf("the policy is %s", policy)
	}
}
