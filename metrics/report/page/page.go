package page

import (
	"tallynet/metrics"
	"tallynet/metrics/report/decision"
	"tallynet/metrics/report/figure"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// Page is the content of a page, in order. Empty parts are omitted.
type Page struct {
	Kind      string // default: report
	Title     string
	About     string   // the question, in a sentence
	Facts     []string // of the graph, the links and the problem
	Methods   []methodWords
	Headline  string   // the answer, in a sentence
	Sentences []string // what else there is to say
	Goals     []string // the targets
	Claims    []result.Claim
	Tables    []table.Table
	Folded    []table.Table // shown on request
	Charts    chartData
	Notes     []string // what the charts leave out

	outcomes []int // indices of Charts.Outcomes in the summary

	Provenance []fact
	Command    string // reproduces the page
	Scenario   string // as resolved
}

// methodWords is a method with its parameters in words.
type methodWords struct{ Label, Algorithm, Parameters string }

// fact is a name with a text.
type fact struct{ Name, Text string }

// chartData is the data of the charts. Its parts refer to each other by index.
type chartData struct {
	Palette figure.Palette `json:"palette"` // of lines, as in the figures

	Axes     []axis        `json:"axes"`     // what was swept
	Methods  []string      `json:"methods"`  // labels
	Outcomes []measure     `json:"outcomes"` // of Group.Values
	Costs    []measure     `json:"costs"`    // of Curve.Costs: iterations, rounds, bytes ...
	Metrics  []measure     `json:"metrics"`  // of Curve.Values
	Targets  []targetLine  `json:"targets"`
	Level    float64       `json:"level,omitempty"` // of the intervals, as 0.95
	Groups   []chartGroup  `json:"groups"`
	Runs     []runCurve    `json:"runs"`
	Means    []meanCurve   `json:"means"`
	Ask      *asked        `json:"ask,omitempty"`
	Map      *decision.Map `json:"map,omitempty"` // of the answer
	Open     *openView     `json:"open,omitempty"`
	Crossed  []crossed     `json:"crossed,omitempty"`
	Graphs   []drawnGraph  `json:"graphs"`
	Wirings  []drawnWiring `json:"wirings,omitempty"`
	Details  []runDetail   `json:"details"`

	NodeCosts []measure     `json:"nodeCosts"` // of runDetail.More
	Timelines []runTimeline `json:"timelines"`
	UnderWay  bool          `json:"underWay,omitempty"` // interrupted runs are still running
}

// axis is a swept key with its values, as people read them. Numbers is empty unless all values are numbers.
type axis struct {
	Key      string   `json:"key"`
	Name     string   `json:"name"`
	Values   []string `json:"values"`
	Settings []string `json:"settings"` // the values with the name: "latency = 1 ms", "8 nodes"
	Numbers  column   `json:"numbers,omitempty"`
}

// measure describes an outcome, a cost or a metric.
type measure struct {
	ID    string       `json:"id,omitempty"` // of an outcome, see fold.Outcome, or of a cost
	Name  string       `json:"name"`
	Title string       `json:"title,omitempty"` // of a metric, in words, as on the axes of figures
	Unit  metrics.Unit `json:"unit"`
	More  bool         `json:"more,omitempty"` // more is better
	// Headline marks a metric that is shown first if there is no more important one.
	Headline bool `json:"headline,omitempty"`
	// Target marks a cost to reach a target.
	Target bool `json:"target,omitempty"`
}

// targetLine is the value of a metric in a target.
type targetLine struct {
	Metric int     `json:"metric"`
	Value  float64 `json:"value"`
}

// chartGroup is one method at one grid point: the runs that differ in the seed only.
type chartGroup struct {
	Method int          `json:"method"`
	Point  []int        `json:"point"`  // the value on each axis, or -1
	Status string       `json:"status"` // how its runs ended: "4 reached, 1 diverged"
	Values []chartValue `json:"values"` // aligned with Outcomes
}

// chartValue is a statistic over runs with its interval. It is NaN if no run has the value.
type chartValue struct {
	Value, Low, High float64
	Runs             int    // that it is made of
	Note             string // "median", "2 of 5 did not get there" ...
}

// curve has the metrics and costs of a run at some of its recorded iterations. A column is nil if it was not
// recorded.
type curve struct {
	Iterations []int
	Costs      []column
	Values     []column
}

// column has one number for each row. Numbers that are not finite are missing.
type column []float64

// runCurve is the curve of one run.
type runCurve struct {
	Group  int    `json:"group"`
	Seed   uint64 `json:"seed,string"` // JavaScript numbers have 53 bits
	Failed string `json:"failed,omitempty"`
	Curve  curve  `json:"curve"`
}

// meanCurve has medians and quartiles of the runs of a group. It reaches to the end of the longest run that ended
// well. See fold.FoldCurves.
type meanCurve struct {
	Group int      `json:"group"`
	Runs  int      `json:"runs"`
	Curve curve    `json:"curve"`
	Low   []column `json:"low"` // aligned with Curve.Values
	High  []column `json:"high"`
}

// Position is a place in the plane, y pointing down.
type Position struct{ X, Y float64 }

// drawnGraph is a graph as it is drawn.
type drawnGraph struct {
	X     column   `json:"x"` // by node
	Y     column   `json:"y"`
	Edges [][2]int `json:"edges"`
}

// runDetail is the ledger of one run.
type runDetail struct {
	Group  int        `json:"group"`
	Title  string     `json:"title"` // in words: seed, status, iterations, time
	Graph  int        `json:"graph"` // -1 if no link carried anything
	There  linkLoad   `json:"there"` // on the edges from their first end to their second
	Back   linkLoad   `json:"back"`  // and back
	Count  int        `json:"n"`     // of nodes
	Nodes  timeSplit  `json:"nodes"`
	More   []column   `json:"more"` // by node, aligned with NodeCosts
	Phases []phaseRow `json:"phases"`
	// Physical has the physical links that were busy longest. It is empty without a platform.
	Physical []physicalUse `json:"physical,omitempty"`
	Crossed  int           `json:"crossed,omitempty"` // how many links carried anything
	Wired    *wiredLoad    `json:"wired,omitempty"`   // nil: positions are unknown
}

// physicalUse is the traffic of a physical link.
type physicalUse struct {
	Name     string  `json:"name"`
	Rate     column  `json:"rate"` // bit/s; nil: unlimited
	Bytes    int64   `json:"bytes"`
	Messages int64   `json:"messages"`
	Busy     float64 `json:"busy"`  // seconds
	Share    float64 `json:"share"` // of what it could have carried
	Users    string  `json:"users"` // connections, in words
}

// linkLoad is the traffic of directed links. NaN means that there is no such link.
type linkLoad struct {
	Bytes column `json:"bytes"` // with headers and retransmissions
	Busy  column `json:"busy"`  // seconds
}

// timeSplit is the time of each node by activity, in seconds. Sending overlaps the others.
type timeSplit struct {
	Computing column `json:"computing"`
	Sending   column `json:"sending"`
	Waiting   column `json:"waiting"`
}

// phaseRow is the traffic of one part of the messages of one phase.
type phaseRow struct {
	Phase    string `json:"phase"`
	Part     string `json:"part"`
	Kind     string `json:"kind"`
	Shape    string `json:"shape"`
	Messages int64  `json:"messages"`
	Elements int64  `json:"elements"` // once per sender
	Wire     int64  `json:"wire"`     // once per receiver
	Bytes    int64  `json:"bytes"`
}
