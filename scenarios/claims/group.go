package claims

import (
	"tallynet/metrics/report/result"
)

// Selection is an expression in the language of checks that selects the runs of a curve.
type Selection struct{ *Check }

// CompileSelection parses an expression whose value is a list of runs. A single run is a list of one. The error is an
// *Error.
func CompileSelection(text string, scope Scope) (*Selection, error) {
	c, value, err := compile(text, scope)
	if err != nil {
		return nil, err
	}
	if value != nil {
		if _, ok := group(value); !ok {
			return nil, &Error{0, "want a list of runs, got " + kindOf(value), `as in runs("` + scope.Labels[0] + `")`}
		}
	}
	return &Selection{c}, nil
}

// Evaluate returns the selected runs, or the reason why there are none. It accepts runs however they ended.
func (g *Selection) Evaluate(runs []result.Run) (chosen []*result.Run, reason string) {
	e := g.evaluation(views(runs))
	value, wrong := e.run()
	switch {
	case wrong != nil:
		return nil, wrong.Message
	case value == nil:
		return nil, e.undecided(nil)
	}
	chosen, ok := group(value)
	if !ok {
		return nil, "want a list of runs, got " + kindOf(value)
	}
	return chosen, ""
}

// group returns the runs of a value that is a run or a list of runs.
func group(value any) ([]*result.Run, bool) {
	switch v := value.(type) {
	case *runView:
		return []*result.Run{v.run}, true
	case []any:
		var all []*result.Run
		for _, item := range v {
			r, ok := item.(*runView)
			if !ok {
				return nil, false
			}
			all = append(all, r.run)
		}
		return all, true
	}
	return nil, false
}
