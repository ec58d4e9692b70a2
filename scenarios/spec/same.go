package spec

import (
	"bytes"
	"encoding/json"
	"slices"

	"tallynet/metrics/jsonio"
)

// SameRuns reports whether two scenarios have the same runs: at every grid point all that their
// results depend on is equal, whatever they claim and draw, and however the file says it. Of
// files that they name, only the names count.
func SameRuns(a, b *Scenario) bool {
	x, xerr := a.Points()
	y, yerr := b.Points()
	return xerr == nil && yerr == nil && slices.EqualFunc(x, y, func(p, q GridPoint) bool {
		return bytes.Equal(p.runsOnly(), q.runsOnly())
	})
}

// runsOnly is the resolved scenario of a point, as JSON, without what changes no run.
func (p *GridPoint) runsOnly() []byte {
	s := *p.Scenario
	s.Claims, s.Tables, s.Figures, s.Settings, s.Small = nil, nil, nil, nil, nil
	o := jsonio.Of("point", resolvedSettings(p.Values))
	for _, m := range s.Resolved() {
		switch m.Key {
		case "version", "name", "about", "settings":
		case "record": // which metrics are kept changes none
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
		panic("scenarios: " + err.Error()) // as in Resolved
	}
	return text
}
