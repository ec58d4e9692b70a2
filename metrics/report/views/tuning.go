package views

import (
	"encoding/json"
	"slices"

	"tallynet/metrics/escape"
	"tallynet/metrics/list"
	"tallynet/metrics/report/answer"
	"tallynet/metrics/report/result"
)

// onEdges names the parameters of each method that a tuning chose as the smallest or the largest of three or more
// values: beyond them there may be better ones. It returns "" if there are none.
func onEdges(runs []result.Run) string {
	var words, seen []string
	for i := range runs {
		r := &runs[i]
		if r.Tuning == nil || slices.Contains(seen, r.Label) {
			continue
		}
		seen = append(seen, r.Label)
		tried := map[string][]float64{}
		var chosen result.Settings
		for _, trial := range r.Tuning.Trials {
			for _, p := range trial.Parameters {
				var x float64
				if json.Unmarshal(p.Value, &x) == nil {
					tried[p.Key] = list.Add(tried[p.Key], x)
				}
			}
			if trial.Chosen {
				chosen = trial.Parameters
			}
		}
		var edges []string
		for _, p := range chosen {
			var x float64
			all := tried[p.Key]
			if json.Unmarshal(p.Value, &x) == nil && len(all) > 2 && (x == slices.Min(all) || x == slices.Max(all)) {
				edges = append(edges, p.Key+" "+p.Text())
			}
		}
		if len(edges) > 0 {
			words = append(words, escape.Name(r.Label)+" ("+answer.Enumerated(edges)+")")
		}
	}
	if len(words) == 0 {
		return ""
	}
	return "The best parameters lie on an edge of the grid for " + answer.Enumerated(words) + "."
}
