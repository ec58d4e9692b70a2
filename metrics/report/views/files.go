package views

import (
	"fmt"
	"io"
	"slices"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/quantity"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// TableForm is a form in which tables are written, and how its files end.
type TableForm struct{ Extension, Format string }

// TableForms returns the forms of tables.
func TableForms() []TableForm {
	return []TableForm{{"txt", "text"}, {"md", "md"}, {"csv", "csv"}, {"tex", "latex"}}
}

// Files are the tables, pictures and statistics that are made from a result, and can be
// made again. The notes say what is left out.
func (s *StudyView) Files() (files []result.File, notes []string, err error) {
	for _, f := range TableForms() {
		files = append(files, result.File{Name: "table." + f.Extension, Write: func(w io.Writer) error {
			return s.Write(w,
				f.Format)
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
		figures = append(figures, NamedFigure{"trajectory", paths})
	}
	if note != "" {
		notes = append(notes, note)
	}
	for _, f := range figures {
		files = append(append(files, pictureFiles(f)...), printFiles(f)...)
		files = append(files, result.File{Name: f.Name + ".csv", Write: f.WriteCSV})
	}
	if s.isStudy() {
		files = append(files, statisticsFiles(s.Summary)...)
	}
	for i := range s.Drawn {
		figures = append(figures, asDrawn(&s.Drawn[i]))
	}
	if note := unwritten(figures); note != "" {
		notes = append(notes, note)
	}
	return append(append(files, paperFiles(s.Papers)...), drawnFiles(s.Drawn)...), notes, nil
}

// unwritten names the letters that some formats of pictures cannot show; "" if there are none.
func unwritten(figures []NamedFigure) string {
	const most = 20
	var letters []rune
	for _, f := range figures {
		for _, r := range f.Unwritten() {
			if !slices.Contains(letters, r) {
				letters = append(letters, r)
			}
		}
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

// pictureFiles are the files of a figure.
func pictureFiles(f NamedFigure) []result.File {
	return []result.File{
		{Name: f.Name + ".svg", Write: f.WriteSVG},
		{Name: f.Name + ".png", Write: f.WritePNG},
	}
}

// printFiles are the files of a figure for papers.
func printFiles(f NamedFigure) []result.File {
	return []result.File{
		{Name: f.Name + ".pdf", Write: f.WritePDF},
		{Name: f.Name + ".tikz", Write: f.WriteTikZ},
	}
}

// FigureForms are how the names of the files of a study's figures end.
func FigureForms() []string { return []string{".svg", ".png", ".pdf", ".tikz", ".csv"} }

// mostGroups is the number of groups above which summary.json has the main outcomes only.
const mostGroups = 1000

// statisticsFiles are the files of a study's statistics.
func statisticsFiles(s *fold.Summary) []result.File {
	written := s
	if len(s.Groups) > mostGroups {
		written = s.OfMain()
	}
	files := []result.File{{Name: "summary.json", Write: func(w io.Writer) error { return jsonio.Write(w, written) }}}
	for _, f := range []TableForm{{"txt", "text"}, {"md", "md"}} {
		files = append(files, result.File{Name: "summary." + f.Extension, Write: func(w io.Writer) error {
			if err := writeSentences(w, s, f.Format); err != nil {
				return err
			}
			return WriteTables(w, f.Format, cut(StatisticsTables(s), len(written.LeftOut) == 0))
		}})
	}
	return files
}

// cut shortens tables that nobody would read to the end. Whole says that summary.json has all.
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

// writeSentences writes the answer in words.
func writeSentences(w io.Writer, s *fold.Summary, format string) error {
	for _, sentence := range s.Sentences {
		if _, err := io.WriteString(w, item(sentence, format)); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}

// PageTables returns the tables of the page: those that are shown, and those that are
// folded away.
func (s *StudyView) PageTables() (shown, folded []table.Table) {
	for i := range s.Papers {
		shown = append(shown, PaperTable(&s.Papers[i]))
	}
	if !s.isStudy() { // one run of each method needs no intervals
		return append(shown, s.tables()...), nil
	}
	a := answerOf(s.Summary)
	shown = append(shown, a.overviewTable(), a.importanceTable())
	for _, t := range StatisticsTables(s.Summary) {
		if !slices.ContainsFunc(shown, func(o table.Table) bool { return o.Title == t.Title }) {
			folded = append(folded, t)
		}
	}
	return shown, folded
}
