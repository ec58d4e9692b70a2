package summary

import "tallynet/metrics/render"

// Tables returns the tables of a summary: what each method cost at each point, costs to
// accuracy, comparisons, fronts, slopes and importances, each if there is any.
func (s *Summary) Tables() []render.Table { return nil }
