package scenarios

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"tallynet/metrics/result"
	"tallynet/scenarios/claims"
)

// claims reads the claims but for what their checks mean, which depends on the whole
// study: see checks.
func (r *reader) claims(e *Field, a Args) []Claim {
	if !a.Has("claims") {
		return nil // what is wrong with it was told
	}
	var all []Claim
	for i, args := range Get[[]Args](a, "claims") {
		n := e.Value.Items[i]
		c := Claim{path: fmt.Sprintf("claims[%d]", i), Text: args.String("text"), Source: args.String("source"), Check: args.String("check"),
			Differs: args.String("expected") == "differs", Reason: args.String("reason"),
			Exact: args.Has("exact") && args.Bool("exact"), Full: args.Has("small") && !args.Bool("small")}
		c.at = n.Pos
		if k := n.Child("check"); k != nil {
			c.at = k.Value.Pos
		}
		if p := n.Child("printed"); p != nil {
			if p.Value.Shape != Scalar {
				r.WrongKind(c.path+".printed", p.Value, p.KeyPos, "a number or a text", "write printed: 0")
			} else {
				c.Printed = Plain(p.Value)
			}
		}
		if c.Differs && c.Reason == "" && !args.Given("reason") {
			r.Fail(n.Child("expected").KeyPos, c.path, "write reason: why it does not come out as printed", "a claim that is expected to differ needs a reason")
		}
		all = append(all, c)
	}
	return all
}

// checks compiles the checks against the labels, the grid and the seeds of the study.
// With overrides, a check that fits the file no longer may: the claim is then kept and
// stays undecided, so that it stops nobody from trying other values.
func (r *reader) checks(s *Scenario, g grid) {
	if len(s.Claims)+len(s.Tables) == 0 {
		return
	}
	scope := s.claimScope(g)
	r.rows(s, scope)
	for i := range s.Claims {
		c := &s.Claims[i]
		var err error
		if c.check, err = claims.Compile(c.Check, scope); err == nil {
			if c.Exact && c.check.Orders() {
				r.Fail(c.at, c.path+".check", "leave exact out, or compare by == and within", "an exact claim is one of equalities; this check compares by order")
			}
			continue
		}
		c.unfit = r.misfit(s, c.at, c.Check, c.path+".check", err)
	}
}

// misfit reports an expression that makes no sense in its scope. With overrides it is no
// error, and misfit returns why there is no value.
func (r *reader) misfit(s *Scenario, at Position, expression, path string, err error) string {
	var wrong *claims.Error
	if !errors.As(err, &wrong) {
		panic("scenarios: " + err.Error())
	}
	if s.set {
		return "with the values of this run: " + wrong.Message
	}
	r.Fail(placeIn(r.Src, at, expression, wrong.Offset), path, wrong.Hint, "%s", wrong.Message)
	return ""
}

func (s *Scenario) claimScope(g grid) claims.Scope {
	scope := claims.Scope{Seeds: s.Seeds}
	for i := range g.size() {
		scope.Points = append(scope.Points, pointOf(g.settings(g.index(i))))
	}
	for _, a := range s.Algorithms {
		scope.Labels = append(scope.Labels, a.Label)
	}
	for _, m := range Metrics() {
		scope.Metrics = append(scope.Metrics, claims.Metric{Name: m.Name, More: m.More})
	}
	return scope
}

// place returns where a character of the check stands in the file; the beginning of the
// check where its text is folded or escaped there.
func (c *Claim) place(src *Source, offset int) Position { return placeIn(src, c.at, c.Check, offset) }

// placeIn returns where a character of an expression that begins at at stands in the file.
func placeIn(src *Source, at Position, expression string, offset int) Position {
	if at.Set != "" || at.Line < 1 {
		return at
	}
	rs := []rune(expression)
	offset = min(offset, len(rs))
	before := string(rs[:offset])
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

// fit checks that the problem has the metrics that the claims name, and returns why a
// claim cannot be checked with the overrides.
func (st *Study) fit() ([]string, error) {
	s := st.Scenario
	unfit := make([]string, len(s.Claims))
	for i := range s.Claims {
		c := &s.Claims[i]
		unfit[i] = c.unfit
		if c.check == nil {
			continue
		}
		for _, in := range st.instances {
			have := in.metrics
			for _, name := range c.check.Metrics() {
				if slices.Contains(have, name) {
					continue
				}
				message := fmt.Sprintf("problem %s has no metric %s", in.scenario.Problem.Kind, name)
				if !s.set {
					at := c.place(s.src, max(0, runeIndex(c.Check, name)))
					return nil, s.src.Fail(at, c.path+".check", DidYouMean(name, have), "%s", message)
				}
				unfit[i] = "with the values of this run: " + message
			}
		}
	}
	return unfit, nil
}

// runeIndex returns where part begins in text, in characters, or -1.
func runeIndex(text, part string) int {
	i := strings.Index(text, part)
	if i < 0 {
		return -1
	}
	return utf8.RuneCountInString(text[:i])
}

// Claims decides the scenario's claims over the runs of the study, in the order of the file.
func (st *Study) Claims(runs []result.Run) []result.Claim {
	var all []result.Claim
	for i, c := range st.Scenario.Claims {
		m := result.Claim{Text: c.Text, Source: c.Source, Check: c.Check, Exact: c.Exact}
		if c.Printed != nil {
			raw, err := json.Marshal(c.Printed)
			if err != nil {
				panic("scenarios: " + err.Error()) // a number or a text of the file
			}
			m.Printed = raw
		}
		if c.Differs {
			m.Expected, m.Because = result.Differs, c.Reason
		}
		if st.unfit[i] != "" {
			m.Verdict, m.Reason = result.Undecided, st.unfit[i]
		} else {
			o := c.check.Evaluate(runs)
			m.Verdict, m.Measured, m.Observed, m.Reason = o.Verdict, o.Measured, o.Observed, o.Reason
		}
		all = append(all, m)
	}
	return all
}
