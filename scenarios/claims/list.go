package claims

import (
	"fmt"
	"math"
	"strings"

	"github.com/expr-lang/expr"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/result"
)

// List is an expression in the language of checks whose value is a list of numbers:
// the cells of a row.
type List struct{ check *Check }

// CompileList reads an expression that must give as many cells as there are columns;
// a single number is a list of one. The error is an *Error.
func CompileList(text string, columns int, scope Scope) (*List, error) {
	c, value, err := compile(text, scope)
	if err != nil {
		return nil, err
	}
	cells, err := cellsOf(value)
	if err != nil {
		return nil, &Error{0, err.Error(), "as in [" + strings.TrimSuffix(example(&scope), " == 0") + "]"}
	}
	if len(cells) != columns {
		return nil, &Error{0, fmt.Sprintf("the number of cells is %d, that of columns %d", len(cells), columns), ""}
	}
	return &List{c}, nil
}

// Labels returns the labels whose runs the list needs.
func (l *List) Labels() []string { return l.check.labels }

// Metrics returns the metrics that the list names.
func (l *List) Metrics() []string { return l.check.metrics }

// Evaluate returns the cells, and why some of them are no numbers. Where a run is
// missing, or did not end in a way that tells what is asked, there are no cells.
func (l *List) Evaluate(runs []result.Run) (cells []result.PaperCell, reason string) {
	c := l.check
	if reason := c.absent(runs); reason != "" {
		return nil, reason
	}
	e := c.evaluation(runs)
	env := e.environment()
	e.handOut(c.labels)
	value, err := expr.Run(c.program, env)
	if err != nil {
		return nil, located(err).Error()
	}
	if reason := c.unfinished(e); reason != "" {
		return nil, reason
	}
	if cells, err = cellsOf(value); err != nil {
		return nil, err.Error()
	}
	return cells, strings.Join(e.remarks, "; ")
}

// cellsOf flattens numbers, intervals and lists of them.
func cellsOf(value any) ([]result.PaperCell, error) {
	switch v := value.(type) {
	case Interval:
		return []result.PaperCell{{Value: jsonio.Real(v.Value), Low: jsonio.Real(v.Low), High: jsonio.Real(v.High)}}, nil
	case []any:
		var all []result.PaperCell
		for _, item := range v {
			cells, err := cellsOf(item)
			if err != nil {
				return nil, err
			}
			all = append(all, cells...)
		}
		return all, nil
	}
	x, err := numbers("a row", value)
	if err != nil {
		return nil, err
	}
	none := jsonio.Real(math.NaN())
	var all []result.PaperCell
	for _, x := range x {
		all = append(all, result.PaperCell{Value: jsonio.Real(x), Low: none, High: none})
	}
	return all, nil
}
