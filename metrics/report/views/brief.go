package views

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"tallynet/metrics/escape"
	"tallynet/metrics/report/papers"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// The size of what WriteBrief writes. A terminal has room for messages and the next command besides.
const (
	briefWidth = 79
	briefLines = 22
)

// WriteBrief writes what fits a terminal: the question, the answer in sentences and as one table, what failed, how
// many claims hold, and the path of the page. If it is wide, the table has all columns and rows.
func (s *StudyView) WriteBrief(w io.Writer, page string, wide bool) error {
	head := brief(strings.TrimSuffix(s.Name+": "+s.About, ": "), 2)
	var tail []string
	if i := slices.IndexFunc(s.runs, func(r result.Run) bool { return !r.Status.Ended() }); i >= 0 {
		r := &s.runs[i]
		tail = brief(fmt.Sprintf("Runs: %s; the first that failed: %s: %s", s.Summary.Statuses, r.Name(), r.Reason), 2)
	}
	if len(s.Claims) > 0 {
		tail = append(tail, brief("Claims: "+papers.CountClaims(s.Claims).Short()+".", 1)...)
	}
	tail = append(tail, "All tables: --details. All columns: --wide.", "Page: "+page)
	columns := map[bool]int{true: math.MaxInt, false: 6}[wide]
	t := s.AnswerTable(columns)
	if len(t.Rows) == 0 { // nothing is ranked
		t = s.tables()[0]
		n := min(columns, len(t.Columns))
		t.Title, t.Notes, t.Columns = "", nil, t.Columns[:n]
		for i := range t.Rows {
			t.Rows[i] = t.Rows[i][:n]
		}
	}
	all, shown := len(t.Rows), []string{strings.TrimSuffix(t.Text(math.MaxInt), "\n")}
	if !wide {
		t.Rows = t.Rows[:min(all, briefLines)]
		shown = fitted(t)
	}
	var said []string
	room := briefLines - len(head) - len(tail) - 3 // without empty lines
	for i, sentence := range s.Summary.Sentences {
		const headline, rows = 6, 5 // lines of the first sentence, and rows that the others leave room for
		more := brief(sentence, headline)
		if i > 0 && len(said)+len(more)+len(shown)-len(t.Rows)+min(all, rows) > room {
			break
		}
		said = append(said, more...)
	}
	for len(shown) > max(room-len(said), 6) && len(t.Rows) > 1 {
		t.Rows = t.Rows[:len(t.Rows)-1]
		shown = append(fitted(t), fmt.Sprintf("... %d more: --details", all-len(t.Rows)))
	}
	lines := slices.Concat(head, []string{""}, said, []string{""}, shown, []string{""}, tail)
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}

// fitted returns the lines of a table for a terminal. It cuts cells of more than 72 characters, and more if it must.
func fitted(t table.Table) []string {
	for most := 72; ; most-- {
		for _, row := range t.Rows {
			for j := range row {
				row[j].Text = escape.Middle(row[j].Text, most)
			}
		}
		lines := strings.Split(strings.TrimSuffix(t.Text(briefWidth), "\n"), "\n")
		if most < 4 || !slices.ContainsFunc(lines, func(line string) bool { return table.Width(line) > briefWidth }) {
			return lines
		}
	}
}

// brief breaks text into lines for a terminal. If there are too many, the last ends with an ellipsis.
func brief(text string, most int) []string {
	lines := strings.Split(table.WrappedTo(briefWidth-1, text, ""), "\n")
	if len(lines) > most {
		lines = lines[:most]
		lines[most-1] += "…"
	}
	return lines
}
