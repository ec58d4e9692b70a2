package fold

import "slices"

// Limits of a bounded summary. Each amounts to some 10 MB of JSON.
const (
	mostValues = 60_000 // of outcomes of groups, unless the objectives of fronts are more
	mostItems  = 20_000 // of each other list
)

// OfMain returns the summary with only its main outcomes and the objectives of fronts. It is written for studies
// with so many groups that a file with all outcomes could not be opened. Of still larger studies it keeps only the
// objectives. Comparisons, slopes and the fronts of single points are left out if there are too many; LeftOut counts
// them. The CSV files have the outcomes of every run.
func (s *Summary) OfMain() *Summary {
	out := *s
	place := make([]int, len(s.Outcomes)) // in what is left; -1: left out
	objectives := map[int]bool{}
	for _, f := range s.Fronts {
		for _, o := range f.Objectives {
			objectives[o] = true
		}
	}
	keep := func(main bool) {
		out.Outcomes = nil
		for i, o := range s.Outcomes {
			place[i] = -1
			if objectives[i] || o.Main && main {
				place[i] = len(out.Outcomes)
				out.Outcomes = append(out.Outcomes, o)
			}
		}
	}
	if keep(true); len(out.Outcomes)*len(s.Groups) > mostValues && len(objectives) > 0 {
		keep(false)
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
	out.bound()
	return &out
}

// bound drops lists that are too long.
func (s *Summary) bound() {
	s.LeftOut = map[string]int{}
	if n := len(s.Comparisons); n > mostItems {
		s.LeftOut["comparisons"], s.Comparisons = n, []Comparison{}
	}
	if n := len(s.Slopes); n > mostItems {
		s.LeftOut["slopes"], s.Slopes = n, []Slope{}
	}
	members, single := 0, 0
	for _, f := range s.Fronts {
		members += len(f.Members) + len(f.Without)
		if f.Point >= 0 {
			single++
		}
	}
	if members > mostItems && single > 0 {
		s.LeftOut["fronts"] = single
		s.Fronts = slices.DeleteFunc(s.Fronts, func(f Front) bool { return f.Point >= 0 })
	}
}

// kept returns the items whose outcome remains, with the new index of the outcome.
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
