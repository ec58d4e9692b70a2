package spec

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/claims"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/measure"
)

// compileExpressions compiles the expressions of claims, tables and figures against the labels, the grid and the seeds
// of the study. Overrides may make an expression invalid. Its claim, row or curve then stays in the scenario without a
// value, so that a claim does not prevent other values from being tried.
func (r *reader) compileExpressions(s *Scenario, g grid) {
	restricted := r.restrictedPoints(s, g)
	if len(s.Claims)+len(s.Tables)+len(s.Figures) == 0 {
		return
	}
	scope := s.claimScope(g, restricted)
	r.compileTables(s, scope)
	r.compileFigures(s, scope)
	for i := range s.Claims {
		c := &s.Claims[i]
		var err error
		if c.Compiled, err = claims.Compile(c.Check, scope); err != nil {
			c.unfit = r.invalid(s, c.at, c.Check, c.path+".check", err)
		} else if c.Exact && c.Compiled.Orders() {
			r.Fail(c.at, c.path+".check", "leave exact out, or compare by == and within",
				"an exact claim consists of equalities; this check compares by order")
		}
	}
}

// claimScope returns what the expressions of the study can name.
func (s *Scenario) claimScope(g grid, restricted map[string][]result.Settings) claims.Scope {
	scope := claims.Scope{At: restricted, Seeds: s.Seeds, Targets: s.ownTargets()}
	for i := range g.size() {
		scope.Points = append(scope.Points, SettingsOf(g.settings(g.index(i))))
	}
	for _, a := range s.Algorithms {
		scope.Labels = append(scope.Labels, a.Label)
	}
	for _, m := range measure.Metrics() {
		scope.Metrics = append(scope.Metrics, claims.Metric{Name: m.Name, More: m.MoreIsBetter})
	}
	return scope
}

// invalid reports an expression that does not compile. With overrides that is no error, and invalid returns the reason
// instead.
func (r *reader) invalid(s *Scenario, at keys.FilePosition, expression, path string, err error) string {
	wrong, ok := errors.AsType[*claims.Error](err)
	if !ok {
		panic("spec: " + err.Error())
	}
	if s.overridden {
		return "with the values of this run: " + wrong.Message
	}
	r.Fail(positionIn(r.Src, at, expression, wrong.Offset), path, wrong.Hint, "%s", wrong.Message)
	return ""
}

// positionIn returns the position of a character of an expression that begins at at. If YAML folds or escapes the
// expression, it returns at.
func positionIn(src *keys.Source, at keys.FilePosition, expression string, offset int) keys.FilePosition {
	if at.Set != "" || at.Line < 1 {
		return at
	}
	rs := []rune(expression)
	before := string(rs[:min(offset, len(rs))])
	line := strings.Count(before, "\n")
	text := strings.Split(expression, "\n")[line]
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	for k := at.Line - 1; k < len(src.Lines) && k < at.Line+line+1; k++ {
		from := 0
		if k == at.Line-1 {
			from = len(string([]rune(src.Lines[k])[:min(at.Column-1, utf8.RuneCountInString(src.Lines[k]))]))
		}
		if i := strings.Index(src.Lines[k][from:], text); i >= 0 && text != "" {
			return src.At(k+1, utf8.RuneCountInString(src.Lines[k][:from+i])+column+1)
		}
	}
	return at
}

// CheckMetrics checks that a problem has the metrics that a claim names. If not, it returns an error or, with
// overrides, the reason why the claim cannot be checked.
func (s *Scenario) CheckMetrics(c *ClaimSpec, problem string, have []string) (unfit string, err error) {
	if c.Compiled == nil {
		return "", nil
	}
	for _, name := range c.Compiled.Metrics() {
		if slices.Contains(have, name) {
			continue
		}
		message := fmt.Sprintf("problem %s does not have the metric %s", problem, name)
		if !s.overridden {
			offset := utf8.RuneCountInString(c.Check[:max(0, strings.Index(c.Check, name))])
			at := positionIn(s.src, c.at, c.Check, offset)
			return "", s.src.Fail(at, c.path+".check", keys.DidYouMean(name, have), "%s", message)
		}
		unfit = "with the values of this run: " + message
	}
	return unfit, nil
}
