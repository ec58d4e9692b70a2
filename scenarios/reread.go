package scenarios

import (
	"bytes"
	"encoding/json"

	"tallynet/metrics/jsonio"
)

// Reread returns the study of a scenario whose runs are there already: it decides claims,
// fills tables and draws figures, but its instances are not built and it cannot run. A metric
// that no run has leaves a claim undecided.
func Reread(s *Scenario) (*Study, error) {
	points, err := s.Points()
	if err != nil {
		return nil, err
	}
	st := &Study{Scenario: s, points: points, own: depends(points), unfit: make([]string, len(s.Claims))}
	for i, c := range s.Claims {
		st.unfit[i] = c.unfit
	}
	return st, nil
}

// SameRuns reports whether two scenarios have the same runs: all that their results depend on
// is equal, whatever they claim and draw. Of files that they name, only the names count.
func SameRuns(a, b *Scenario) bool {
	x, err := json.Marshal(a.runsOnly())
	if err != nil {
		panic("scenarios: " + err.Error()) // as in Resolved
	}
	y, err := json.Marshal(b.runsOnly())
	if err != nil {
		panic("scenarios: " + err.Error())
	}
	return bytes.Equal(x, y)
}

// runsOnly is the resolved scenario without what changes no run.
func (s *Scenario) runsOnly() jsonio.Object {
	var o jsonio.Object
	for _, m := range s.Resolved() {
		switch m.Key {
		case "version", "name", "about", "claims", "tables", "figures", "settings", "small":
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
	return o
}
