package papers

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/claims"
	"tallynet/scenarios/spec"
)

// Results are the runs of a study as its claims, tables and figures see them.
type Results struct {
	Scenario *spec.Scenario
	Points   []spec.GridPoint
	Unfit    []string     // by claim: why its check cannot be decided; "" if it can
	Runs     []result.Run // at every grid point; a run that several points share stands at each
}

// Claims decides the scenario's claims, in the order of the file.
func (r *Results) Claims() []result.Claim {
	var all []result.Claim
	for i := range r.Scenario.Claims {
		c := &r.Scenario.Claims[i]
		m := result.Claim{Text: c.Text, Source: c.Source, Class: result.Ours, Check: c.Check, Expected: c.Expected,
			Because: c.Reason}
		switch {
		case r.Unfit[i] != "":
			m.Verdict, m.Reason = result.Undecided, r.Unfit[i]
		case c.Fact != nil:
			r.judge(c, &m)
		default:
			o := c.Compiled.Evaluate(r.Runs)
			m.Verdict, m.Measured, m.Observed, m.Reason = o.Verdict, o.Measured, o.Observed, o.Reason
		}
		all = append(all, m)
	}
	return all
}

// judge compares what the runs have with a printed fact. A fact with a reason is expected not to come out.
func (r *Results) judge(c *spec.ClaimSpec, m *result.Claim) {
	f := c.Fact.Fact
	m.Fact, m.Class = f.ID, f.Class
	m.Printed = printed(c)
	m.Cells, m.Reason = c.Measured.Evaluate(r.Runs)
	if c.Printed != nil {
		m.Limits, _ = c.Printed.Evaluate(r.Runs)
		f.Value = nil
		for _, cell := range m.Limits {
			f.Value = append(f.Value, float64(cell.Value))
		}
	}
	m.Verdict = f.Judge(m.Cells)
	if m.Reason == "" && c.Moves != nil {
		moves, _ := c.Moves.Evaluate(r.Runs)
		if !slices.ContainsFunc(moves, func(c result.PaperCell) bool { return math.Abs(float64(c.Value)) >= 0.01 }) {
			m.Verdict, m.Reason = result.Undecided, "nothing moves by 1 %"
		}
	}
	if m.Verdict == result.Undecided && m.Reason == "" && c.Reason == "" {
		m.Reason = "the interval decides nothing"
	}
	m.Construction, m.StandIn = c.Typed && m.Verdict == result.Holds, c.StandIn()
	if c.Reason != "" {
		m.Because = r.Filled(c.Reason)
		m.Expected = map[result.Verdict]result.Expected{result.Undecided: result.Open}[m.Verdict]
		if m.Expected == "" {
			m.Expected = result.Differs
		}
	}
}

// printed returns what the paper prints, for a result.
func printed(c *spec.ClaimSpec) json.RawMessage {
	var value any = c.Fact.Value
	switch {
	case c.Fact.Formula != "":
		value = c.Fact.Formula
	case len(c.Fact.Value) == 1:
		value = c.Fact.Value[0]
	case len(c.Fact.Value) == 0:
		value = c.Fact.Relation
	}
	raw, err := json.Marshal(value)
	if err != nil {
		panic("papers: " + err.Error()) // finite numbers or a text of the file
	}
	return raw
}

// Filled puts values into a text: {ID} is what a fact prints, and {=EXPRESSION} what the runs have.
func (r *Results) Filled(text string) string {
	return spec.Inserted.ReplaceAllStringFunc(text, func(found string) string {
		inside := found[1 : len(found)-1]
		if expression, ok := strings.CutPrefix(inside, "="); ok {
			l, err := claims.CompileList(expression, 0, r.Scenario.Scope())
			if err != nil {
				return found
			}
			cells, reason := l.Evaluate(r.Runs)
			if reason != "" {
				return "(" + reason + ")"
			}
			var words []string
			for _, c := range cells {
				words = append(words, c.String())
			}
			return strings.Join(words, ", ")
		}
		if f := r.Scenario.Facts.Find(inside); f != nil && f.Value != nil {
			return strings.Trim(fmt.Sprint(f.Value), "[]")
		}
		return found
	})
}
