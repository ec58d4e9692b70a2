package claims

import (
	"cmp"
	"fmt"
	"math"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/result"
)

// maxCells is the largest number of values of one list without columns.
const maxCells = 10_000

// List is an expression in the language of checks whose value is the cells of a row: numbers, intervals and texts.
type List struct {
	*Check
	Numbers int // of the value, as far as they are plain numbers
	columns int // 0: any number of cells
}

// CompileList parses an expression whose value must have one cell for each column, or any number of cells if columns
// is 0. A single number is a list of one. The error is an *Error.
func CompileList(text string, columns int, scope Scope) (*List, error) {
	c, value, err := compile(text, scope)
	if err != nil {
		return nil, err
	}
	l := &List{Check: c, columns: columns}
	if value != nil {
		cells, reason := l.cells(value)
		if reason != "" {
			return nil, &Error{0, reason, ""}
		}
		l.Numbers = len(cells)
		(&evaluation{}).leaves(value, func(v any) bool {
			if _, plain := v.(float64); !plain { // an interval, whose ends nothing has measured yet, or a text
				l.Numbers--
			}
			return true
		})
	}
	return l, nil
}

// Evaluate returns the cells, and the reason why some of them are not numbers. There are no cells if a run is missing
// or ended too early.
func (l *List) Evaluate(runs []result.Run) (cells []result.PaperCell, reason string) {
	if reason := l.absent(runs); reason != "" {
		return nil, reason
	}
	e := l.evaluation(views(runs))
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
	e, count := &evaluation{}, 0
	none := jsonio.Real(math.NaN())
	var other any
	add := func(v any) bool {
		var c result.PaperCell
		switch v := v.(type) {
		case float64:
			c = result.PaperCell{Value: jsonio.Real(v), Low: none, High: none}
		case Interval:
			c = result.PaperCell{Value: jsonio.Real(v.Value), Low: jsonio.Real(v.Low), High: jsonio.Real(v.High)}
		case string:
			c = result.PaperCell{Value: none, Low: none, High: none, Text: v}
		default:
			return false
		}
		if count++; count <= cmp.Or(l.columns, maxCells) { // a huge list takes no memory
			cells = append(cells, c)
		}
		return true
	}
	wrong := e.guard(func() { other = e.leaves(value, add) })
	switch {
	case wrong != nil:
		return nil, wrong.Message
	case other != nil:
		return nil, "a row wants numbers, intervals or texts, not " + kindOf(other)
	case l.columns == 0 && count > maxCells:
		return nil, fmt.Sprintf("the number of values is %d; the limit is %d", count, maxCells)
	case l.columns > 0 && count != l.columns:
		return nil, fmt.Sprintf("the number of cells is %d; want %d, one for each column", count, l.columns)
	}
	return cells, ""
}
