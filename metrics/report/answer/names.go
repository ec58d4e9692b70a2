package answer

import (
	"slices"

	"tallynet/metrics/escape"
	"tallynet/metrics/report/fold"
)

// Shortened returns the summary with names that are short enough for people.
func Shortened(s *fold.Summary) *fold.Summary {
	short := *s
	short.Labels, short.Keys, short.Points = escape.Names(s.Labels), slices.Clone(s.Keys), slices.Clone(s.Points)
	for k := range short.Keys {
		short.Keys[k].Values = escape.Names(s.Keys[k].Values)
	}
	for p := range short.Points {
		short.Points[p].Name = short.PointName(p, -1)
	}
	return &short
}
