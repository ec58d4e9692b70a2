package fold

import (
	"fmt"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/jsonio"
	"tallynet/metrics/list"
	"tallynet/metrics/report/result"
)

// schema names the JSON form of a Summary. Within v1 keys are only added.
const schema = "tallynet/summary/v1"

// Summary is the statistics of a study. Its parts refer to each other by index into Outcomes, Points, Groups,
// Targets and Labels. Lists are in the order of first appearance. In JSON a missing number is null.
type Summary struct {
	Schema      string        `json:"schema"`
	Level       float64       `json:"level"` // of every interval, as 0.95
	Runs        int           `json:"runs"`
	Statuses    Statuses      `json:"statuses"` // of all runs
	Seeds       []uint64      `json:"seeds"`
	Labels      []string      `json:"labels"`   // the methods
	Keys        []Key         `json:"keys"`     // what was swept
	Points      []Point       `json:"points"`   // of the grid; one without settings if nothing was swept
	Outcomes    []Outcome     `json:"outcomes"` // what is known of each run
	Targets     []NamedTarget `json:"targets"`  // the accuracies that were asked for
	Groups      []Group       `json:"groups"`   // by point, then label
	Ranges      []Spread      `json:"ranges"`   // over the grid
	Comparisons []Comparison  `json:"comparisons"`
	Fronts      []Front       `json:"fronts"`
	Slopes      []Slope       `json:"slopes"`
	Importances []Importance  `json:"importances"`
	Sentences   []string      `json:"sentences"` // the answer in words; see metrics/report/answer
	// LeftOut counts the items that a bounded summary lacks, by the key of the list; see OfMain.
	LeftOut map[string]int `json:"left_out,omitempty"`
}

// Statuses counts runs by how they ended.
type Statuses map[result.Status]int

// Key is a swept key and its values.
type Key struct {
	Name string `json:"name"`
	// Title is the name for people: "latency", "loss probability".
	Title  string   `json:"title"`
	Values []string `json:"values"` // in the order of first appearance
	// Labels are the values for people, aligned with Values: "10 ms", or the labels of the scenario. They are distinct.
	Labels  []string  `json:"labels"`
	Numbers []float64 `json:"numbers,omitempty"` // aligned with Values; absent unless all are numbers
	// Tied is true if the value follows from the keys that are not tied, which distinguish all points: then the key
	// is not an axis of its own.
	Tied bool `json:"tied,omitempty"`

	also map[int]string // by value: the settings of the keys that change with this one alone
}

// KeyNames returns the names of the keys.
func (s *Summary) KeyNames() []string {
	return list.Map(s.Keys, func(k Key) string { return k.Name })
}

// Setting returns the i-th value of the key in words: "latency = 1 ms", "8 nodes", "ring" for the kind of a graph, or
// the name of a point. The separator stands between name and value.
func (k *Key) Setting(i int, separator string) string {
	switch {
	case k.Name == NameKey || k.Name == "(result)" || k.Name == "kind" || strings.HasSuffix(k.Name, ".kind"):
		return k.Label(i)
	case k.Title == "nodes" && k.Numbers != nil:
		return k.Labels[i] + " nodes" + k.also[i]
	}
	return k.Title + separator + k.Label(i)
}

// Label returns the i-th value of the key for people, with those of the keys that change with it: "1 ms", or "1 ms,
// uplink = 1 Mbit/s".
func (k *Key) Label(i int) string { return k.Labels[i] + k.also[i] }

// Point is a point of the grid.
type Point struct {
	Settings result.Settings `json:"settings"`
	Values   []int           `json:"values"` // aligned with Keys: index into Key.Values; -1: the point lacks the key
	// Name has the values of the keys that are not tied: "topology.nodes = 10, network.latency = 1ms", or "ring of 8,
	// network.latency = 1ms" if the scenario names its points; "" without settings.
	Name string `json:"name"`
}

// Outcome is a number that a run may have.
type Outcome struct {
	// ID is the field of result.json, as in final.grad_norm2 or totals.payload_bytes,
	// or of a cost to accuracy, as in to[0].payload_bytes for Targets[0].
	ID   string       `json:"id"`
	Name string       `json:"name"` // for people: "bytes", "bytes to grad_norm2 <= 0.0001"
	Unit metrics.Unit `json:"unit"`
	More bool         `json:"more"` // more is better; otherwise less is
	// Headline marks a final metric that is shown by default.
	Headline bool `json:"headline,omitempty"`
	Target   int  `json:"target"` // index into Targets; -1: no cost to accuracy
	// Main marks the outcomes that are compared, and that have slopes and importances: the final metrics, and bytes,
	// time, rounds, oracle calls and iterations, to accuracy if there are targets.
	Main bool `json:"main"`
}

// Noun returns the name of an outcome without its target.
func (s *Summary) Noun(outcome int) string {
	o := s.Outcomes[outcome]
	if o.Target < 0 {
		return o.Name
	}
	return strings.TrimSuffix(o.Name, " to "+s.Targets[o.Target].Name)
}

// TheEnd is the index, among targets, of the end of each run.
const TheEnd = -1

// NamedTarget is a target with its name.
type NamedTarget struct {
	result.Target
	Name string `json:"name"` // "grad_norm2 <= 0.0001 and test_accuracy >= 0.9"
}

// Estimate is a number with its interval. Low and High are null if there is no interval, as for one run. Only one of
// them is null (infinite before JSON) if the interval has no such end, which happens for the median of censored data.
type Estimate struct {
	Value  jsonio.Real `json:"value"`
	Low    jsonio.Real `json:"low"`
	High   jsonio.Real `json:"high"`
	N      int         `json:"n"`      // runs, pairs or points that it is made of
	Method string      `json:"method"` // how the interval was made, or why there is none
}

// Group is one method at one grid point: runs that differ in the seed only.
type Group struct {
	Point     int        `json:"point"`
	Label     int        `json:"label"`
	Algorithm string     `json:"algorithm"`
	Runs      int        `json:"runs"`
	Ended     int        `json:"ended"`    // completed, or reached their target
	Statuses  Statuses   `json:"statuses"` // of all its runs
	Values    []Measured `json:"values"`   // aligned with Outcomes
	// Missed has, for each condition, the best value of the runs that did not reach a target.
	Missed []Miss `json:"missed,omitempty"`
	// NeverFinite lists the metrics that were recorded, but never as a finite number.
	NeverFinite []string `json:"never_finite,omitempty"`
}

// Miss is the best value of a metric among the runs of a group that did not reach a target.
type Miss struct {
	Target int         `json:"target"`
	Metric string      `json:"metric"`
	Best   jsonio.Real `json:"best"` // null: no finite value
	Runs   int         `json:"runs"` // that did not reach it
}

// Measured is an outcome over the runs of a group.
type Measured struct {
	// Estimate is the mean. If runs are censored, it is the Kaplan-Meier median, which is null if fewer than half of the
	// runs have the number; Statistic says which it is. A metric where a target is reached is always a mean.
	Estimate
	Statistic Statistic   `json:"statistic"`
	Min       jsonio.Real `json:"min"` // over the runs that have the number
	Max       jsonio.Real `json:"max"`
	// Reached and Censored count the runs that have the number and the others. Both are 0 if the target does not apply
	// to the group, or if there is no target and all runs have the number.
	Reached  int `json:"reached,omitempty"`
	Censored int `json:"censored,omitempty"`
}

// Statistic is the kind of value in a Measured.
type Statistic string

// The statistics.
const (
	Mean   Statistic = "mean"
	Median Statistic = "median" // Kaplan-Meier, of censored data
	None   Statistic = "none"   // no run has the outcome
)

// Spread is the range of an outcome over the groups of one method.
type Spread struct {
	Label   int         `json:"label"`
	Outcome int         `json:"outcome"`
	Min     jsonio.Real `json:"min"` // the least value of a group
	Max     jsonio.Real `json:"max"`
	MinAt   int         `json:"min_at"` // the groups that have them
	MaxAt   int         `json:"max_at"`
	Groups  int         `json:"groups"`  // that have a value
	Without int         `json:"without"` // that have none
}

// Comparison compares two groups run by run over their common seeds: two methods at one grid point, or one method at
// two points that differ in one key only.
type Comparison struct {
	Outcome int `json:"outcome"`
	Key     int `json:"key"` // in which the points differ, B having the key's first value; -1: two methods
	A       int `json:"a"`   // groups
	B       int `json:"b"`
	// Pairs counts the common seeds at which both runs have the outcome; AOnly and BOnly those at which one of them
	// has it, and Neither the rest. A run lacks a cost to accuracy if it ended before, and every outcome if it did
	// not end well.
	Pairs      int      `json:"pairs"`
	AOnly      int      `json:"a_only,omitempty"`
	BOnly      int      `json:"b_only,omitempty"`
	Neither    int      `json:"neither,omitempty"`
	Ratio      Estimate `json:"ratio"`      // A / B; a median of costs where AOnly or BOnly is not 0
	Difference Estimate `json:"difference"` // A - B, over the pairs; null where AOnly or BOnly is not 0
}

// Front is the Pareto front at one grid point: the groups that no other group dominates. The objectives are time and
// bytes to a target; without targets time, bytes and a final metric.
type Front struct {
	// Point is -1 for the front of the whole grid, which is meaningful if all points pose one problem.
	Point      int      `json:"point"`
	Objectives []int    `json:"objectives"` // outcomes
	Members    []Ranked `json:"members"`
	Without    []int    `json:"without,omitempty"` // groups that lack a value: not compared
}

// Ranked is a group with its values of the objectives.
type Ranked struct {
	Group  int           `json:"group"`
	Values []jsonio.Real `json:"values"` // aligned with Objectives
	Best   bool          `json:"best"`   // on the front
}

// Slope is the exponent with which an outcome grows in a numeric key, the other settings being fixed: the slope of
// log outcome over log key. Each value of the key is one point of the fit, the geometric mean over its runs, so that
// more seeds are not more points.
type Slope struct {
	Label   int      `json:"label"`
	Outcome int      `json:"outcome"`
	Key     int      `json:"key"`
	Groups  []int    `json:"groups"`            // one for each value of the key
	Without int      `json:"without,omitempty"` // groups left out: a run lacks the number, or it is not positive
	Fixed   string   `json:"fixed"`             // the other settings, as in Point.Name
	Slope   Estimate `json:"slope"`
}

// Importance is the share of the variance of an outcome that each key explains. The method is a key like the others.
type Importance struct {
	Outcome int             `json:"outcome"`
	Log     bool            `json:"log"` // of its logarithm: all values are positive
	Runs    int             `json:"runs"`
	Left    int             `json:"left"` // runs left out because they lack the number
	Shares  []VarianceShare `json:"shares"`
	// Within is the share that no key explains: the variance between seeds.
	Within jsonio.Real `json:"within"`
	// Balanced is true if all combinations of the keys have equally many runs. Otherwise the keys' shares overlap,
	// and may sum to more than 1.
	Balanced bool `json:"balanced"`
}

// VarianceShare is the part of the variance that a key explains.
type VarianceShare struct {
	Key   int         `json:"key"` // -1: the method
	Name  string      `json:"name"`
	First jsonio.Real `json:"first"` // by itself: eta squared, the first-order index
	Total jsonio.Real `json:"total"` // with all its interactions: the total index
}

// Endings returns the ways in which runs end, in the order of listing.
func Endings() []result.Status {
	return []result.Status{result.Completed, result.Reached, result.Diverged, result.Stalled, result.Failed,
		result.Interrupted}
}

// String returns "8 completed, 2 diverged".
func (s Statuses) String() string {
	var words []string
	for _, status := range Endings() {
		if n := s[status]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, status))
		}
	}
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}
