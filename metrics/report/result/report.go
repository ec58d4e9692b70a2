package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/jsonio"
	"tallynet/metrics/list"
	"tallynet/sim"
)

// Schema names the format of result.json. Within v1 keys are only added.
const Schema = "tallynet/result/v1"

// Report is the result of a study. Its runs may be brief: then they are loaded one at a time for writing.
type Report struct {
	Schema     string          `json:"schema"`
	Scenario   json.RawMessage `json:"scenario"` // as resolved, with every default
	Provenance Provenance      `json:"provenance"`
	Facts      []string        `json:"facts,omitempty"` // in words: the graph, the links and the problem of the first run
	Data       []NodeData      `json:"data,omitempty"`  // what each node of the first run holds, where data are samples
	Answer     *Answer         `json:"answer,omitempty"`
	Runs       []Run           `json:"runs"`
	Claims     []Claim         `json:"claims,omitempty"`
	Tables     []PaperTable    `json:"tables,omitempty"`
	Written    []string        `json:"files,omitempty"` // the names of the other files that were written with it
}

// Files returns the files of a report. The last one is result.json, to which the others belong.
func (r *Report) Files() []File {
	files := list.Map(r.tables(), func(f rowTable) File { return f.file(r) })
	return append(files, File{"result.json", r.WriteJSON})
}

// rowTable is a rowFile of any type of rows.
type rowTable interface {
	file(*Report) File
	readRows(*Report, io.Reader) error
	find(r *Report, folder string) (foundRows, error)
}

// tables returns the CSV files of the report.
func (r *Report) tables() []rowTable {
	files := []rowTable{iterationFile, linkFile, nodeFile, phaseFile}
	if r.overPlatform() {
		files = append(files, platformLinkFile, crossingFile)
	}
	if r.timed() {
		files = append(files, timelineFile)
	}
	return files
}

// Provenance is the origin of a result. Only it may differ between two equal studies.
type Provenance struct {
	Version     string   `json:"version"`
	Commit      string   `json:"commit"`
	Modified    bool     `json:"modified"` // the sources differ from the commit
	GoVersion   string   `json:"go_version"`
	Platform    string   `json:"platform"` // as in linux/amd64
	CommandLine []string `json:"command_line"`
	Seeds       []uint64 `json:"seeds"`
	// Seconds is the duration of the runs, and Finished their end in RFC 3339. They are read from results of earlier
	// versions and no longer written, so that equal studies have equal results.
	Seconds  float64 `json:"seconds,omitempty"`
	Finished string  `json:"finished,omitempty"`
}

// ShortCommit returns the beginning of the commit, for people.
func (p *Provenance) ShortCommit() string { return p.Commit[:min(len(p.Commit), 12)] }

// Status says how a run ended.
type Status string

// The ways in which a run ends.
const (
	Completed   Status = "completed"   // all iterations are done, or a stop rule on time or traffic was met
	Reached     Status = "reached"     // a stop rule on a metric was met
	Diverged    Status = "diverged"    // a number became non-finite, or far too large
	Stalled     Status = "stalled"     // nodes wait for what cannot come
	Failed      Status = "failed"      // an error; Reason says which
	Interrupted Status = "interrupted" // by the user; what was recorded until then is kept
)

// Run is one algorithm with one seed at one point of the study's grid.
type Run struct {
	Algorithm  string    `json:"algorithm"`
	Label      string    `json:"label"`
	Seed       uint64    `json:"seed"`
	Point      Settings  `json:"point"`                // the swept keys
	Numbers    *Settings `json:"quantities,omitempty"` // see Quantities; nil if there are none
	PointName  string    `json:"point_name,omitempty"` // of the listed point, if the file names it
	Parameters Settings  `json:"parameters,omitempty"` // of the algorithm
	Defaults   []string  `json:"defaults,omitempty"`   // the parameters that are not in the file
	Status     Status    `json:"status"`
	Reason     string    `json:"reason"`
	Notes      []string  `json:"notes,omitempty"` // what the user should know, as in "graph drawn 3 times"
	Iterations int       `json:"iterations"`      // outer iterations that all nodes finished
	Hash       string    `json:"hash"`            // of the deliveries and the reported iterates
	// Of the deliveries alone, which are integers, and of the reported iterates alone.
	EventsHash   string              `json:"events_hash,omitempty"`
	IteratesHash string              `json:"iterates_hash,omitempty"`
	Final        Final               `json:"final"`
	Totals       metrics.Totals      `json:"totals"`
	Ahead        *Ahead              `json:"after_last_sample,omitempty"`
	Physical     *PhysicalTotals     `json:"physical,omitempty"` // of a run over a platform
	Timeline     *Timeline           `json:"timeline,omitempty"` // of a run whose beginning is in timeline.csv
	Predicted    *metrics.Prediction `json:"predicted,omitempty"`
	Targets      []Attempt           `json:"targets,omitempty"`
	Tuning       *Tuning             `json:"tuning,omitempty"`
	X            Iterates            `json:"x,omitempty"` // one row per node that holds data, if recorded
	Y            Iterates            `json:"y,omitempty"`
	// set by WriteJSON where the samples keep their iterates
	Trajectory []Iterate `json:"trajectory,omitempty"`
	// set by Finish: how many samples there are, which iterations.csv has
	Recorded int `json:"recorded,omitempty"`

	// These go to the CSV files.
	Metrics     []string   `json:"-"` // the names of Sample.Values
	NodeMetrics []string   `json:"-"` // the names of NodeRow.Final
	Samples     []Sample   `json:"-"`
	Links       []LinkRow  `json:"-"`
	Nodes       []NodeRow  `json:"-"`
	Phases      []PhaseRow `json:"-"`

	PlatformLinks []PlatformLinkRow `json:"-"` // as Physical, if there is one
	Crossings     []CrossingRow     `json:"-"`
	Happenings    []Happening       `json:"-"` // as Timeline, if there is one

	// Shares is the run itself if this one stands for it at another point of the grid: a method with the same
	// settings at both points has run once.
	Shares *Run `json:"-"`

	// Load returns the whole run if this is a brief one; see Brief.
	Load func() (*Run, error) `json:"-"`
}

// Settings is an ordered list of settings. In JSON it is an object in that order.
type Settings []Setting

// Setting is a key of a scenario with its value, in JSON.
type Setting struct {
	Key   string
	Value json.RawMessage // compact
}

// NewSetting returns a setting with any value that JSON can hold.
func NewSetting(key string, value any) (Setting, error) {
	raw, err := jsonio.Marshal(value)
	if err != nil {
		return Setting{}, fmt.Errorf("setting %s: %w", key, err)
	}
	return Setting{Key: key, Value: raw}, nil
}

// Text returns the value for people: a string without its quotes, anything else
// as in JSON.
func (s Setting) Text() string {
	var text string
	if json.Unmarshal(s.Value, &text) == nil && len(s.Value) > 0 && s.Value[0] == '"' {
		return text
	}
	return string(s.Value)
}

// Text returns the settings in one line: "a = 1, b = x" if the separator is " = ".
func (p Settings) Text(separator string) string {
	return strings.Join(list.Map(p, func(s Setting) string { return s.Key + separator + s.Text() }), ", ")
}

// Equal reports whether two lists hold the same settings in the same order.
func (p Settings) Equal(o Settings) bool {
	return slices.EqualFunc(p, o, func(a, b Setting) bool { return a.Key == b.Key && bytes.Equal(a.Value, b.Value) })
}

// Name returns a name that is unique among runs: "DGBO at topology.nodes = 8, seed 3".
func (r *Run) Name() string {
	name := r.Label
	if at := r.pointText(); at != "" {
		name += " at " + at
	}
	return fmt.Sprintf("%s, seed %d", name, r.Seed)
}

// pointText returns the grid point of the run: its name, if it has one, and its settings.
func (r *Run) pointText() string {
	at := r.Point.Text(" = ")
	switch {
	case r.PointName == "":
		return at
	case at == "":
		return r.PointName
	}
	return r.PointName + " (" + at + ")"
}

// Quantities returns the swept values with units as numbers in the unit that their keys end with: network.latency_s.
func (r *Run) Quantities() Settings {
	if r.Numbers == nil {
		return nil
	}
	return *r.Numbers
}

// Keys returns the keys in order.
func (p Settings) Keys() []string { return list.Map(p, func(s Setting) string { return s.Key }) }

// Without returns the settings without that of a key.
func (p Settings) Without(key string) Settings {
	return slices.DeleteFunc(slices.Clone(p), func(s Setting) bool { return s.Key == key })
}

// Get returns the text of a key, if it is there.
func (p Settings) Get(key string) (string, bool) {
	for _, s := range p {
		if s.Key == key {
			return s.Text(), true
		}
	}
	return "", false
}

// NamedValue is a named number.
type NamedValue struct {
	Name  string
	Value float64
}

// Values is an ordered list of named numbers. In JSON it is an object in that
// order, and a non-finite number is null.
type Values []NamedValue

// names returns the names in order.
func (v Values) names() []string {
	return list.Map(v, func(n NamedValue) string { return n.Name })
}

// Get returns the number with a name, if it is there.
func (v Values) Get(name string) (float64, bool) {
	for _, n := range v {
		if n.Name == name {
			return n.Value, true
		}
	}
	return math.NaN(), false
}

// Final is the last recorded state of a run. In JSON it is one flat object:
// iteration, time_s, time_ns, and the metrics.
type Final struct {
	Iteration int
	Time      sim.Time
	Values    Values
}

// Iterates has one row per node. In JSON a non-finite number is null, which
// reads as NaN.
type Iterates [][]float64

// Sample is the state of a run at a recorded iteration. Values are aligned with
// Run.Metrics; Totals are cumulative.
type Sample struct {
	metrics.Moment
	Values []float64
	X, Y   Iterates // nil unless the iterates of all samples are kept
}

// Iterate is the iterates of all nodes at a recorded iteration, one row per node.
type Iterate struct {
	Iteration int      `json:"iteration"`
	X         Iterates `json:"x"`
	Y         Iterates `json:"y"`
}

// Ahead is what nodes sent after the last sample, because they were ahead of others or answered others when the run
// ended. The ledgers of links, nodes and phases include it, Totals do not.
type Ahead struct {
	Messages     int64 `json:"messages"`
	PayloadBytes int64 `json:"payload_bytes"`
}

// Finish sets Recorded, and sets Final, Totals and Iterations to the last sample, if there is one. Only Links, Nodes
// and Phases include what nodes did after it; the Totals of a run that stalled or failed are set apart.
func (r *Run) Finish() {
	if len(r.Samples) == 0 {
		return
	}
	last := r.Samples[len(r.Samples)-1]
	r.Iterations, r.Totals, r.Recorded = last.Iteration, last.Totals, len(r.Samples)
	r.Final = Final{Iteration: last.Iteration, Time: last.Totals.Time}
	for i, name := range r.Metrics {
		r.Final.Values = append(r.Final.Values, NamedValue{name, last.Values[i]})
	}
}

// Tuning records how the parameters of a run were chosen.
type Tuning struct {
	Rule   string  `json:"rule"` // in words: what was compared, and how
	Trials []Trial `json:"trials"`
}

// Trial is one point of the grid that was searched.
type Trial struct {
	Parameters Settings    `json:"parameters"`
	Status     Status      `json:"status"`
	Measure    jsonio.Real `json:"measure"` // null if the trial did not reach the target
	Chosen     bool        `json:"chosen"`
}

// Claim is a statement about the runs, and whether it holds: what a paper prints, or one of our own.
type Claim struct {
	Fact    string          `json:"fact,omitempty"` // its ID in the registry of the paper
	Text    string          `json:"text"`
	Source  string          `json:"source"`            // where it is printed
	Printed json.RawMessage `json:"printed,omitempty"` // the numbers or the formula there
	Class   ClaimClass      `json:"class,omitempty"`
	Check   string          `json:"check"` // the expression; of a fact, what is measured
	// what the parts of the expression amount to here; null: never, or no number
	Measured Values   `json:"measured"`
	Observed Settings `json:"observed,omitempty"` // those that are not numbers, such as a status
	Verdict  Verdict  `json:"verdict"`
	Reason   string   `json:"reason,omitempty"` // why it is undecided
	// Cells are what was measured of a fact, and Limits the printed values, if it is a formula.
	Cells  []PaperCell `json:"cells,omitempty"`
	Limits []PaperCell `json:"limits,omitempty"`
	// Construction marks a claim that the scenario makes true by its settings, so that it is not an outcome.
	Construction bool `json:"construction,omitempty"`
	// StandIn marks a fact of other data than the paper's.
	StandIn bool `json:"stand_in,omitempty"`
	// Expected is set if the claim is known not to hold. Because gives the reason.
	Expected Expected `json:"expected,omitempty"`
	Because  string   `json:"because,omitempty"`
}

// Expected is the known outcome of a claim. Empty means that it holds.
type Expected string

// Differs is expected of a claim that does not come out as printed, for a known reason.
const Differs Expected = "differs"

// Open is expected of a claim that the runs do not decide, for a known reason.
const Open Expected = "undecided"

// Outcome returns the verdict in the words of the class: what is printed is reproduced or differs, a bound is
// consistent or contradicted, and a statement of our own holds or fails.
func (c *Claim) Outcome() string {
	words := map[Verdict]string{Holds: "reproduced", Fails: "differs", Undecided: "undecided"}
	switch c.Of() {
	case Bound, LowerBound:
		words = map[Verdict]string{Holds: "consistent", Fails: "contradicted", Undecided: "undecided"}
	case Ours:
		words = map[Verdict]string{Holds: "holds", Fails: "fails", Undecided: "undecided"}
		if c.Expected == Differs && c.Verdict == Fails {
			return "differs as expected"
		}
	}
	switch {
	case c.StandIn && c.Verdict == Holds:
		return "on a stand-in"
	case c.Construction && c.Verdict == Holds:
		return "by construction"
	case c.Expected != "" && c.Wrong():
		return words[c.Verdict] + ", not as expected"
	}
	return words[c.Verdict]
}

// Wrong reports whether the outcome differs from the expectation: the claim fails, or it holds although it was
// expected to differ or to stay undecided.
func (c *Claim) Wrong() bool {
	if c.Expected == Open {
		return c.Verdict != Undecided
	}
	return c.Verdict == Fails && c.Expected != Differs || c.Verdict == Holds && c.Expected == Differs
}

// PrintedText returns what the source prints; "" if nothing.
func (c *Claim) PrintedText() string {
	var x float64
	switch {
	case c.Printed == nil:
		return ""
	case json.Unmarshal(c.Printed, &x) == nil:
		return Cells(x)[0].String()
	}
	return Setting{Value: c.Printed}.Text()
}

// Verdict is the outcome of a claim.
type Verdict string

// The outcomes of a claim.
const (
	Holds     Verdict = "holds"
	Fails     Verdict = "fails"
	Undecided Verdict = "undecided" // a run that it needs did not finish
)

// LinkRow is the traffic of one directed link over a run.
type LinkRow struct {
	From, To int
	metrics.Carried
	Busy   sim.Time       // serializing
	Charge metrics.Charge // with tariffs, of a line; over a platform see PlatformLinkRow
}

// NodeRow is one node's share of a run.
type NodeRow struct {
	Node          int
	Compute, Wait sim.Time
	Send          sim.Time // its links, or its first physical links, carrying bits; overlaps both others
	Rounds        int64
	Messages      int64 // sent
	Payload       int64 // bytes sent
	Overhead      int64 // bytes sent
	Oracle        metrics.OracleCounts
	Waits         metrics.Waits // Wait by cause
	// With tariffs: the cost of its machine, and what it paid for on links.
	Machine, Sent metrics.Charge
	Train, Val    int    // samples that it holds; 0 if the data are not samples
	Labels        string // and of which classes: "4: 50; 9: 48"
	// Final has the node's values, at the last sample, of the metrics that are means over the nodes; see
	// Run.NodeMetrics. It is nil if the node holds no data.
	Final []float64
}

// NodeData is the data of one node.
type NodeData struct {
	Node   int          `json:"node"`
	Train  int          `json:"train"` // samples
	Val    int          `json:"val"`
	Labels []LabelCount `json:"labels,omitempty"` // of both; nothing where targets are numbers
}

// LabelCount is a class and how many samples have it.
type LabelCount struct {
	Label string `json:"label"`
	Count int    `json:"count"`
}

// LabelsText writes the classes in one line: "4: 50; 9: 48".
func (d *NodeData) LabelsText() string {
	words := list.Map(d.Labels, func(l LabelCount) string { return fmt.Sprintf("%s: %d", l.Label, l.Count) })
	return strings.Join(words, "; ")
}

// PhaseRow is the traffic of one part of the messages of one phase over a run.
type PhaseRow struct {
	Phase, Part string
	Kind        metrics.Kind
	Rows, Cols  int   // 0 and 0: of several shapes
	Messages    int64 // that hold the part
	Broadcast   int64 // elements, once per sender
	Wire        int64 // elements, once per receiver
	Bytes       int64
}
