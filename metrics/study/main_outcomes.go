package study

import "slices"

// OfMain returns the summary with its main outcomes only, and those that fronts are made of: what
// is written of a study with so many groups that all outcomes of each would fill a file that
// nobody can open. The CSV files have the others of every run.
func (s *Summary) OfMain() *Summary {
	out := *s
	place := make([]int, len(s.Outcomes)) // in what is left; -1: left out
	out.Outcomes = nil
	for i, o := range s.Outcomes {
		place[i] = -1
		objective := func(f Front) bool { return slices.Contains(f.Objectives, i) }
		if o.Main || slices.ContainsFunc(s.Fronts, objective) {
			place[i] = len(out.Outcomes)
			out.Outcomes = append(out.Outcomes, o)
		}
	}
	out.Groups = slices.Clone(s.Groups)
	for g := range out.Groups {
		var values []Measured
		for i, v := range s.Groups[g].Values {
			if place[i] >= 0 {
				values = append(values, v)
			}
		}
		out.Groups[g].Values = values
	}
	out.Ranges = kept(s.Ranges, place, func(r *Spread) *int { return &r.Outcome })
	out.Comparisons = kept(s.Comparisons, place, func(c *Comparison) *int { return &c.Outcome })
	out.Slopes = kept(s.Slopes, place, func(l *Slope) *int { return &l.Outcome })
	out.Importances = kept(s.Importances, place, func(v *Importance) *int { return &v.Outcome })
	out.Fronts = slices.Clone(s.Fronts)
	for f := range out.Fronts {
		out.Fronts[f].Objectives = slices.Clone(s.Fronts[f].Objectives)
		for k, o := range out.Fronts[f].Objectives {
			out.Fronts[f].Objectives[k] = place[o]
		}
	}
	return &out
}

// kept returns the items whose outcome is left, with its new place.
func kept[T any](items []T, place []int, outcome func(*T) *int) []T {
	out := []T{}
	for _, item := range items {
		if at := outcome(&item); place[*at] >= 0 {
			*at = place[*at]
			out = append(out, item)
		}
	}
	return out
}
