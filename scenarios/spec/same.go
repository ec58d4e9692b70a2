package spec

import (
	"bytes"
	"encoding/json"
	"slices"

	"tallynet/metrics/jsonio"
)

// SameRuns reports whether two scenarios have the same runs: whether all that results depend on is equal at every grid
// point. Claims, tables, figures and the wording of the files do not matter. Files that the scenarios name are compared
// by name only.
func SameRuns(a, b *Scenario) bool {
	x, xerr := a.Points()
	y, yerr := b.Points()
	return xerr == nil && yerr == nil && slices.EqualFunc(x, y, func(p, q GridPoint) bool {
		return bytes.Equal(p.runsOnly(), q.runsOnly())
	})
}

// runsOnly returns the resolved scenario of a point as JSON, without what affects no run.
func (p *GridPoint) runsOnly() []byte {
	s := *p.Scenario
	s.Claims, s.Tables, s.Figures, s.Settings, s.Small = nil, nil, nil, nil, nil
	o := jsonio.Of("point", resolvedValues(p.Values))
	for _, m := range s.Resolved() {
		switch m.Key {
		case "version", "name", "about", "settings":
		case "record": // the set of recorded metrics affects no run
			record, ok := m.Value.(jsonio.Object)
			for _, r := range record {
				if ok && r.Key != "metrics" {
					o.Add("record."+r.Key, r.Value)
				}
			}
		default:
			o = append(o, m)
		}
	}
	text, err := json.Marshal(o)
	if err != nil {
		panic("spec: " + err.Error()) // a resolved scenario is valid JSON
	}
	return text
}
