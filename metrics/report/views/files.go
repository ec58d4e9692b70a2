package views

import (
	"fmt"
	"io"
	"slices"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/list"
	"tallynet/metrics/report/decision"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/papers"
	"tallynet/metrics/report/quantity"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// Files returns the tables, pictures and statistics of a result, which can be made again. The notes say what is left
// out.
func (s *StudyView) Files() (files []result.File, notes []string, err error) {
	for _, f := range table.Forms() {
		files = append(files, result.File{Name: "table." + f.Extension, Write: func(w io.Writer) error {
			return s.Write(w, f.Format)
		}})
	}
	figures, notes, err := s.figures()
	if err != nil {
		return nil, nil, err
	}
	paths, note, err := s.trajectories()
	if err != nil {
		return nil, nil, err
	}
	if len(paths.Panels) > 0 {
		figures = append(figures, papers.Drawn{Name: "trajectory", Figure: paths})
	}
	if note != "" {
		notes = append(notes, note)
	}
	for _, f := range figures {
		files = append(append(files, f.PictureFiles()...), f.PrintFiles()...)
		files = append(files, result.File{Name: f.Name + ".csv", Write: f.WriteCSV})
	}
	if m := decision.Of(s.Answer(), s.Summary); m != nil {
		f := papers.Drawn{Name: "decision", Figure: m.Figure()}
		f.Width, f.FontSize = s.FigureWidth, s.FontSize
		figures = append(figures, f)
		files = append(append(files, f.PictureFiles()...), f.PrintFiles()...)
		files = append(files, result.File{Name: "decision.csv", Write: func(w io.Writer) error {
			return m.WriteCSV(w, s.runs[0].Quantities())
		}})
	}
	if s.isStudy() {
		files = append(files, statisticsFiles(s.Summary)...)
	}
	for i := range s.Drawn {
		figures = append(figures, papers.AsDrawn(&s.Drawn[i]))
	}
	if note := unwritten(figures); note != "" {
		notes = append(notes, note)
	}
	return append(append(files, papers.PaperFiles(s.Papers)...), papers.DrawnFiles(s.Drawn)...), notes, nil
}

// unwritten lists the letters that some formats of pictures cannot show; "" if there are none.
func unwritten(figures []papers.Drawn) string {
	const most = 20
	var letters []rune
	for _, f := range figures {
		letters = list.Add(letters, f.Unwritten()...)
	}
	if len(letters) == 0 {
		return ""
	}
	more := ""
	if n := len(letters) - most; n > 0 {
		letters, more = letters[:most], fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("the plots: PNG, PDF or TikZ cannot show %s%s: they have a replacement character, the code point "+
		"or the wrong order; the SVG and report.html show these letters, or give methods a label without them",
		string(letters), more)
}

// mostGroups is the number of groups above which summary.json has only the main outcomes.
const mostGroups = 1000

// statisticsFiles returns the files with a study's statistics.
func statisticsFiles(s *fold.Summary) []result.File {
	written := s
	if len(s.Groups) > mostGroups {
		written = s.OfMain()
	}
	files := []result.File{{Name: "summary.json", Write: func(w io.Writer) error { return jsonio.Write(w, written) }}}
	for _, f := range table.Forms()[:2] { // text and Markdown
		files = append(files, result.File{Name: "summary." + f.Extension, Write: func(w io.Writer) error {
			tables := cut(StatisticsTables(s), len(written.LeftOut) == 0)
			return table.Document{Findings: s.Sentences, Tables: tables}.Write(w, f.Format)
		}})
	}
	return files
}

// cut shortens tables that are too long to read. Whole means that summary.json has all rows.
func cut(tables []table.Table, whole bool) []table.Table {
	const most = 400
	where := "are in summary.json"
	if !whole {
		where = "are left out; summary.json says which it has"
	}
	for i := range tables {
		if t := &tables[i]; len(t.Rows) > most {
			t.Notes = append(slices.Clip(t.Notes), fmt.Sprintf("%s more rows %s.",
				quantity.Count(int64(len(t.Rows)-most)), where))
			t.Rows = t.Rows[:most]
		}
	}
	return tables
}

// PageTables returns the tables of the page: those that are shown, and those that are collapsed.
func (s *StudyView) PageTables() (shown, folded []table.Table) {
	for i := range s.Papers {
		shown = append(shown, papers.PaperTable(&s.Papers[i]))
	}
	if !s.isStudy() { // one run of each method needs no intervals
		return append(shown, s.tables()...), nil
	}
	n := namedOf(s.Summary)
	shown = append(shown, n.overviewTable(), n.importanceTable())
	for _, t := range StatisticsTables(s.Summary) {
		if !slices.ContainsFunc(shown, func(o table.Table) bool { return o.Title == t.Title }) {
			folded = append(folded, t)
		}
	}
	return shown, folded
}
