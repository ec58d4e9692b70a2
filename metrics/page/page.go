package page

import (
	"tallynet/metrics"
	"tallynet/metrics/render"
	"tallynet/metrics/result"
)

// Page is everything that the page shows, in its order. What is empty is left out.
type Page struct {
	Title     string
	About     string   // the question, in a sentence
	Facts     []string // of the graph, the links and the problem
	Methods   []Method
	Sentences []string // the answer
	Claims    []result.Claim
	Tables    []render.Table
	Folded    []render.Table // to be unfolded one by one
	Charts    Charts
	Notes     []string // what the charts leave out

	Provenance []Fact
	Command    string // makes the page again
	Scenario   string // as resolved
}

// Method is a method with its parameters in words.
type Method struct{ Label, Algorithm, Parameters string }

// Fact is a name and what there is to say of it.
type Fact struct{ Name, Text string }

// Charts is what the charts draw. Its parts refer to each other by index.
type Charts struct {
	Axes     []Axis     `json:"axes"`     // what was swept
	Methods  []string   `json:"methods"`  // labels
	Outcomes []Quantity `json:"outcomes"` // of Group.Values
	Costs    []Quantity `json:"costs"`    // of Curve.Costs: iterations, rounds, bytes ...
	Metrics  []Quantity `json:"metrics"`  // of Curve.Values
	Targets  []Line     `json:"targets"`
	Level    float64    `json:"level,omitempty"` // of the intervals, as 0.95
	Groups   []Group    `json:"groups"`
	Runs     []Run      `json:"runs"`
	Means    []Mean     `json:"means"`
	Graphs   []Graph    `json:"graphs"`
	Details  []Detail   `json:"details"`
}

// Axis is a swept key with its values, which are numbers too if Numbers is not empty.
type Axis struct {
	Name    string   `json:"name"`
	Values  []string `json:"values"`
	Numbers Column   `json:"numbers,omitempty"`
}

// Quantity is something that is measured.
type Quantity struct {
	Name  string       `json:"name"`
	Title string       `json:"title,omitempty"` // of a metric, for people, if its name is another
	Unit  metrics.Unit `json:"unit"`
	More  bool         `json:"more,omitempty"` // more is better
	// Headline says that it is shown first where there is nothing more important.
	Headline bool `json:"headline,omitempty"`
	// Target says that it is a cost to reach an accuracy.
	Target bool `json:"target,omitempty"`
}

// Line is a value of a metric that was asked for.
type Line struct {
	Metric int     `json:"metric"`
	Value  float64 `json:"value"`
}

// Group is one method at one grid point: the runs that differ in the seed only.
type Group struct {
	Method int        `json:"method"`
	Point  []int      `json:"point"`  // the value on each axis, or -1
	Status string     `json:"status"` // how its runs ended: "4 reached, 1 diverged"
	Values []Estimate `json:"values"` // aligned with Outcomes
}

// Estimate is a number over runs, NaN where there is none, with its interval.
type Estimate struct {
	Value, Low, High float64
	Runs             int    // that it is made of
	Note             string // "median", "2 of 5 did not get there" ...
}

// Curve is what a run measured and cost at some of its recorded iterations. A column
// that is nil was not recorded.
type Curve struct {
	Iterations []int
	Costs      []Column
	Values     []Column
}

// Column is numbers, one for each row; those that are not finite are missing.
type Column []float64

// Run is the curve of one run.
type Run struct {
	Group  int    `json:"group"`
	Seed   uint64 `json:"seed,string"` // a number of JavaScript has 53 bits
	Failed string `json:"failed,omitempty"`
	Curve  Curve  `json:"curve"`
}

// Mean is the curve of those runs of a group that ended well: medians and quartiles of the
// values, to the end of the longest run, those that ended before being carried on; see
// study.FoldCurves.
type Mean struct {
	Group int      `json:"group"`
	Runs  int      `json:"runs"`
	Curve Curve    `json:"curve"`
	Low   []Column `json:"low"` // aligned with Curve.Values
	High  []Column `json:"high"`
}

// Position is a place in the plane, y pointing down.
type Position struct{ X, Y float64 }

// Graph is a graph as it is drawn.
type Graph struct {
	X     Column   `json:"x"` // by node
	Y     Column   `json:"y"`
	Edges [][2]int `json:"edges"`
}

// Detail is what the ledger knows of one run.
type Detail struct {
	Group  int     `json:"group"`
	Title  string  `json:"title"` // in words: seed, status, iterations, time
	Graph  int     `json:"graph"` // -1 if no link carried anything
	There  Load    `json:"there"` // on the edges from their first end to their second
	Back   Load    `json:"back"`  // and back
	Nodes  Split   `json:"nodes"`
	Phases []Phase `json:"phases"`
}

// Load is what directed links carried. NaN: there is no such link.
type Load struct {
	Bytes Column `json:"bytes"` // with headers and retransmissions
	Busy  Column `json:"busy"`  // seconds
}

// Split is what each node did with its time, in seconds. Sending overlaps the others.
type Split struct {
	Computing Column `json:"computing"`
	Sending   Column `json:"sending"`
	Waiting   Column `json:"waiting"`
}

// Phase is what one part of the messages of one phase amounts to.
type Phase struct {
	Phase    string `json:"phase"`
	Part     string `json:"part"`
	Kind     string `json:"kind"`
	Shape    string `json:"shape"`
	Messages int64  `json:"messages"`
	Elements int64  `json:"elements"` // once per sender
	Wire     int64  `json:"wire"`     // once per receiver
	Bytes    int64  `json:"bytes"`
}
