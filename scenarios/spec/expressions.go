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
	s.scope = scope
	r.compileWhy(s)
	r.compileTables(s, scope)
	r.compileFigures(s, scope)
	for i := range s.Claims {
		c := &s.Claims[i]
		var err error
		if c.Fact != nil {
			err = c.compileFact(scope)
		} else {
			c.Compiled, err = claims.Compile(c.Check, scope)
		}
		if err != nil {
			c.unfit = r.invalid(s, c.at, c.Check, c.path, err)
		}
	}
}

// compileWhy compiles the expressions in the reasons. With overrides they may be invalid.
func (r *reader) compileWhy(s *Scenario) {
	for _, m := range s.Why {
		for _, found := range Inserted.FindAllString(fmt.Sprint(m.Value), -1) {
			inside := found[1 : len(found)-1]
			at, path := s.at("why."+m.Key), "why."+m.Key
			if expression, ok := strings.CutPrefix(inside, "="); ok {
				l, err := claims.CompileList(expression, 0, s.scope)
				if err != nil {
					r.invalid(s, at, expression, path, err)
					continue
				}
				s.inserts = append(s.inserts, l.Check)
			} else if s.Facts != nil && s.Facts.Find(inside) == nil {
				r.Fail(at, path, keys.DidYouMean(inside, s.Facts.IDs()), "there is no fact %s", inside)
			}
		}
	}
}

// Scope returns what the expressions of the study can name.
func (s *Scenario) Scope() claims.Scope { return s.scope }

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
	var names []string
	for _, of := range c.compiled() {
		names = append(names, of.Metrics()...)
	}
	for _, name := range names {
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
