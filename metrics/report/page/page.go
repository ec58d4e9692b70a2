package page

import (
	"tallynet/metrics"
	"tallynet/metrics/report/figure"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// Page is everything that the page shows, in its order. What is empty is left out.
type Page struct {
	Kind      string // report, where empty
	Title     string
	About     string   // the question, in a sentence
	Facts     []string // of the graph, the links and the problem
	Methods   []methodWords
	Headline  string   // the answer, in a sentence
	Sentences []string // what else there is to say
	Goals     []string // the targets
	Claims    []result.Claim
	Tables    []table.Table
	Folded    []table.Table // to be unfolded one by one
	Charts    chartData
	Notes     []string // what the charts leave out

	outcomes []int // which of the summary's Charts.Outcomes are

	Provenance []fact
	Command    string // makes the page again
	Scenario   string // as resolved
}

// methodWords is a method with its parameters in words.
type methodWords struct{ Label, Algorithm, Parameters string }

// fact is a name and what there is to say of it.
type fact struct{ Name, Text string }

// chartData is what the charts draw. Its parts refer to each other by index.
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
	Open     *openView     `json:"open,omitempty"`
	Graphs   []drawnGraph  `json:"graphs"`
	Wirings  []drawnWiring `json:"wirings,omitempty"`
	Details  []runDetail   `json:"details"`

	NodeCosts []measure     `json:"nodeCosts"` // of runDetail.More
	Timelines []runTimeline `json:"timelines"`
	UnderWay  bool          `json:"underWay,omitempty"` // runs that are interrupted go on
}

// openView is the view that shows the headline, which comes first.
type openView struct {
	View    string `json:"view"`
	Outcome int    `json:"outcome"` // of Outcomes; -1: any
	Axis    int    `json:"axis"`    // of Axes; -1: any
}

// axis is a swept key with its values, which are numbers too if Numbers is not empty.
type axis struct {
	Name    string   `json:"name"`
	Short   string   `json:"short"` // in the names of curves
	Values  []string `json:"values"`
	Numbers column   `json:"numbers,omitempty"`
}

// measure is something that is measured.
type measure struct {
	ID    string       `json:"id,omitempty"` // of an outcome, see fold.Outcome, or of a cost
	Name  string       `json:"name"`
	Title string       `json:"title,omitempty"` // of a metric, in words, as on the axes of figures
	Unit  metrics.Unit `json:"unit"`
	More  bool         `json:"more,omitempty"` // more is better
	// Headline says that it is shown first where there is nothing more important.
	Headline bool `json:"headline,omitempty"`
	// Target says that it is a cost to reach an accuracy.
	Target bool `json:"target,omitempty"`
}

// targetLine is a value of a metric that was asked for.
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

// chartValue is a number over runs, NaN where there is none, with its interval.
type chartValue struct {
	Value, Low, High float64
	Runs             int    // that it is made of
	Note             string // "median", "2 of 5 did not get there" ...
}

// curve is what a run measured and cost at some of its recorded iterations. A column
// that is nil was not recorded.
type curve struct {
	Iterations []int
	Costs      []column
	Values     []column
}

// column is numbers, one for each row; those that are not finite are missing.
type column []float64

// runCurve is the curve of one run.
type runCurve struct {
	Group  int    `json:"group"`
	Seed   uint64 `json:"seed,string"` // a number of JavaScript has 53 bits
	Failed string `json:"failed,omitempty"`
	Curve  curve  `json:"curve"`
}

// meanCurve is the curve of those runs of a group that ended well: medians and quartiles of the
// values, to the end of the longest run, those that ended before being carried on; see
// fold.FoldCurves.
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

// runDetail is what the ledger knows of one run.
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
	// Physical are the links of its platform that were busy longest, if it has one.
	Physical []physicalUse `json:"physical,omitempty"`
	Crossed  int           `json:"crossed,omitempty"` // how many links carried anything
	Wired    *wiredLoad    `json:"wired,omitempty"`   // nil: it is not known where they lie
}

// physicalUse is what a physical link has carried.
type physicalUse struct {
	Name     string  `json:"name"`
	Rate     column  `json:"rate"` // bit/s; nil: unlimited
	Bytes    int64   `json:"bytes"`
	Messages int64   `json:"messages"`
	Busy     float64 `json:"busy"`  // seconds
	Share    float64 `json:"share"` // of what it could have carried
	Users    string  `json:"users"` // whose messages, in words
}

// linkLoad is what directed links carried. NaN: there is no such link.
type linkLoad struct {
	Bytes column `json:"bytes"` // with headers and retransmissions
	Busy  column `json:"busy"`  // seconds
}

// timeSplit is what each node did with its time, in seconds. Sending overlaps the others.
type timeSplit struct {
	Computing column `json:"computing"`
	Sending   column `json:"sending"`
	Waiting   column `json:"waiting"`
}

// phaseRow is what one part of the messages of one phase amounts to.
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
