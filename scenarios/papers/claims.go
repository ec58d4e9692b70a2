package papers

import (
	"encoding/json"

	"tallynet/metrics/report/result"
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
	for i, c := range r.Scenario.Claims {
		m := result.Claim{Name: c.Name, Text: c.Text, Source: c.Source, Class: c.Class, Check: c.Check, Exact: c.Exact,
			Expected: c.Expected, Construction: c.Construction, Because: c.Reason}
		if c.Printed != nil {
			raw, err := json.Marshal(c.Printed)
			if err != nil {
				panic("papers: " + err.Error()) // a number or a text of the file
			}
			m.Printed = raw
		}
		if r.Unfit[i] != "" {
			m.Verdict, m.Reason = result.Undecided, r.Unfit[i]
		} else {
			o := c.Compiled.Evaluate(r.Runs)
			m.Verdict, m.Measured, m.Observed, m.Reason = o.Verdict, o.Measured, o.Observed, o.Reason
			m.Margins = o.Margins
		}
		all = append(all, m)
	}
	return all
}
