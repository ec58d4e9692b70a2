package spec

import (
	"slices"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/measure"
)

// DefaultGrowth is the factor by which grad_norm2 may grow before a run counts as diverged.
const DefaultGrowth = 1e8

// stopKey declares when a run ends.
func stopKey(cat *catalog.Catalog) keys.Param {
	params := []keys.Param{
		{Name: "iterations", Kind: keys.Int, Example: "1000", Range: keys.Between(1, 1e9),
			About: "outer iterations; an algorithm's own outer applies if it is given and smaller"},
		{Name: "time", Kind: keys.Duration, Example: "60s", Range: keys.Above(0), About: "simulated time"},
		{Name: "payload", Kind: keys.Bytes, Example: "1GB", Range: keys.Above(0), About: "payload bytes of all nodes"},
		{Name: "gradients", Kind: keys.Int, Example: "100000", Range: keys.AtLeast(1),
			About: "gradients of f and g by all nodes"},
		{Name: "growth", Kind: keys.Float, Default: DefaultGrowth, Example: "1e8", Range: keys.Above(1),
			About: "the factor by which grad_norm2 may exceed its first value before the run counts as diverged"},
		{Name: "target", Kind: keys.Section, Params: metricKeys(cat.Metrics),
			Example: "{grad_norm2: 1e-4, test_accuracy: 0.9}",
			About:   "metrics that end the run when all hold at once"},
	}
	return keys.Param{Name: "stop", Kind: keys.Section,
		About: "when a run ends: whichever comes first", Params: append(params, metricKeys(cat.Metrics)...)}
}

// recordKey declares what a run records.
func recordKey(cat *catalog.Catalog) keys.Param {
	return keys.Param{Name: "record", Kind: keys.Section, About: "what is kept of a run", Params: []keys.Param{
		{Name: "every", Kind: keys.Int, Default: 1, Example: "1", Range: keys.AtLeast(1),
			About: "iterations between samples; the last is always one"},
		{Name: "interval", Kind: keys.Duration, Example: "10ms", Range: keys.Above(0),
			About: "simulated time between samples, in place of every; a sample has the state of all nodes at its " +
				"moment. Methods without rounds are always sampled so, by default at every hundredth of stop.time or, " +
				"without it, whenever the time passes in which all nodes have first done every iterations"},
		{Name: "metrics", Kind: keys.Strings, Enum: measure.Names(cat.Metrics), Example: "[grad_norm2, objective]",
			About: "the metrics that are evaluated; by default all that the problem has"},
		{Name: "iterates", Kind: keys.Enum, Default: "none", Enum: []string{"none", "final", "all"},
			About: "which x_i and y_i are kept"},
	}}
}

// metricKeys declares each metric as a key whose value is the level to reach.
func metricKeys(of []measure.Metric) []keys.Param {
	var ps []keys.Param
	for _, m := range of {
		about := "at most this: " + m.About
		if m.MoreIsBetter {
			about = "at least this: " + m.About
		}
		ps = append(ps, keys.Param{Name: m.Name, Kind: keys.Float, Example: "1e-4", Range: m.Range, About: about})
	}
	return ps
}

// conditions returns the metrics that a section gives, each with the level to reach.
func (s *Scenario) conditions(a keys.Args) []result.Condition {
	var all []result.Condition
	for _, m := range s.Catalog.Metrics {
		if a.Has(m.Name) {
			all = append(all, conditionOn(s.Catalog.Metrics, m.Name, a.Float(m.Name)))
		}
	}
	return all
}

// conditionOn returns the condition that a metric reaches a value, from below if more is better and from above
// otherwise.
func conditionOn(of []measure.Metric, name string, value float64) result.Condition {
	relation := "<="
	if slices.Contains(measure.MoreIsBetter(of), name) {
		relation = ">="
	}
	return result.Condition{Metric: name, Relation: relation, Value: value}
}
