package claims

import (
	"fmt"
	"math"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/result"
)

// List is an expression in the language of checks whose value is the cells of a row: numbers, intervals and texts.
type List struct {
	check   *Check
	columns int
}

// CompileList parses an expression whose value must have one cell for each column. A single number is a list of one.
// The error is an *Error.
func CompileList(text string, columns int, scope Scope) (*List, error) {
	c, value, err := compile(text, scope)
	if err != nil {
		return nil, err
	}
	l := &List{c, columns}
	if value != nil {
		if _, reason := l.cells(value); reason != "" {
			return nil, &Error{0, reason, ""}
		}
	}
	return l, nil
}

// Labels returns the labels whose runs the list needs.
func (l *List) Labels() []string { return l.check.labels }

// Metrics returns the metrics that the list names.
func (l *List) Metrics() []string { return l.check.metrics }

// Evaluate returns the cells, and the reason why some of them are not numbers. There are no cells if a run is missing
// or ended too early.
func (l *List) Evaluate(runs []result.Run) (cells []result.PaperCell, reason string) {
	if reason := l.check.absent(runs); reason != "" {
		return nil, reason
	}
	e := l.check.evaluation(views(runs))
	value, wrong := e.run()
	reason = e.undecided(wrong)
	if wrong != nil || value == nil || e.unfinished() != "" {
		return nil, reason
	}
	cells, mismatch := l.cells(value)
	if mismatch != "" {
		return nil, mismatch
	}
	return cells, reason
}

// cells returns one cell for each column, or a message if the value does not fit.
func (l *List) cells(value any) (cells []result.PaperCell, mismatch string) {
	e := &evaluation{}
	var other any
	row := cellsOfRow{most: l.columns}
	wrong := e.guard(func() { other = e.cells(&row, value) })
	switch {
	case wrong != nil:
		return nil, wrong.Message
	case other != nil:
		return nil, "a row wants numbers, intervals or texts, not " + kindOf(other)
	case row.count != l.columns:
		return nil, fmt.Sprintf("the number of cells is %d; want %d, one for each column", row.count, l.columns)
	}
	return row.cells, ""
}

// cellsOfRow counts cells but keeps at most as many as there are columns, so that a huge list takes no memory.
type cellsOfRow struct {
	cells       []result.PaperCell
	most, count int
}

func (r *cellsOfRow) add(c result.PaperCell) {
	if r.count++; r.count <= r.most {
		r.cells = append(r.cells, c)
	}
}

// cells adds numbers, intervals, texts and nested lists of them to dst. It returns the first value of another type,
// or nil.
func (e *evaluation) cells(dst *cellsOfRow, value any) any {
	none := jsonio.Real(math.NaN())
	switch v := value.(type) {
	case float64:
		dst.add(result.PaperCell{Value: jsonio.Real(v), Low: none, High: none})
		return nil
	case Interval:
		dst.add(result.PaperCell{Value: jsonio.Real(v.Value), Low: jsonio.Real(v.Low), High: jsonio.Real(v.High)})
		return nil
	case string:
		dst.add(result.PaperCell{Value: none, Low: none, High: none, Text: v})
		return nil
	case []any:
		e.step(len(v))
		for _, item := range v {
			if other := e.cells(dst, item); other != nil {
				return other
			}
		}
		return nil
	}
	return value
}
