package scenarios

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/result"
	"tallynet/scenarios/claims"
	"tallynet/sim"
)

// Scenario is a checked scenario with every default filled in. In a study it holds
// the first point of the grid; Points gives them all. It is not changed after loading.
type Scenario struct {
	Version    int
	Name       string // of the scenario; the file's own name where none is given
	About      string
	Seeds      []uint64 // one run of each algorithm and grid point for each
	Topology   Topology
	Network    Network
	Compute    Compute
	Wire       string // the numbers' format on the wire: float64, float32, float16, bfloat16
	Problem    Problem
	Algorithms []Algorithm
	Stop       Stop
	Record     Record
	List       [][]Setting // the points that are written out; each times the sweep
	Sweep      []Axis      // ordered as in the file: the first key changes slowest
	Claims     []Claim
	Tables     []Table
	Small      []Setting // what makes the small form of it; see LoadSmall

	file string
	tree *Value
	src  *Source
	cat  *Catalog
	set  bool // overrides were given
}

// Topology is the graph and its mixing matrix.
type Topology struct {
	Kind    string
	Nodes   int
	Args    Args // the parameters of the kind
	Weights Weights
}

// Server reports whether node 0 is a server, which holds no data.
func (t Topology) Server() bool { return t.Kind == "star" && t.Args.String("center") == "server" }

// DataNodes returns the number of nodes that hold data: all, or all but the server.
func (t Topology) DataNodes() int {
	if t.Server() {
		return t.Nodes - 1
	}
	return t.Nodes
}

// Weights is the mixing matrix. Of kind "explicit" it is Args.Matrix("matrix").
type Weights struct {
	Kind string
	Args Args
}

// Network is the links.
type Network struct {
	Latency    sim.Time
	Bandwidth  Rate
	Jitter     Jitter
	Overhead   Overhead
	Contention string // "dedicated" or "nic"
	NIC        *NIC   // nil for dedicated
	Links      []Link
}

// Jitter is a random extra latency.
type Jitter struct {
	Kind            string // none, uniform (on [0, 2 Mean]), exponential, normal (cut off at 0)
	Mean, Deviation sim.Time
}

// Overhead is the headers of messages and packets.
type Overhead struct {
	Message, Packet Size
	MTU             Size // 0: a message is one packet
}

// NIC is the interface that a node's links share.
type NIC struct {
	Up, Down Rate
	Nodes    []NodeNIC // exceptions
}

// NodeNIC is the interface of some nodes.
type NodeNIC struct {
	Node     []int
	Up, Down Rate
}

// Link is an exception: the latency and bandwidth of the link between two nodes.
type Link struct {
	From, To  int
	OneWay    bool // only From -> To; otherwise both directions
	Latency   sim.Time
	Bandwidth Rate
}

// Compute is the machines.
type Compute struct {
	Machine
	Straggler *Straggler // nil: none
	Nodes     []NodeMachine
}

// Machine is what one node computes with: a call that has a duration of its own
// takes that; anything else takes its FLOPs / Speed.
type Machine struct {
	Speed Speed // Instant: in no time
	Calls Calls
}

// Calls holds durations of oracle calls; -1: by FLOPs. Round is charged once for each exchange.
type Calls struct {
	GradF, GradG, HVP, JVP, Hessian, Jacobian, Solve, Round sim.Time
}

// NodeMachine is the machine of some nodes.
type NodeMachine struct {
	Node []int
	Machine
}

// Straggler is a random slowdown, drawn for each window of simulated time.
type Straggler struct {
	Kind   string  // constant, lognormal, exponential, pareto
	Factor float64 // of constant
	Sigma  float64 // of lognormal: exp(Sigma N(0,1))
	Mean   float64 // of exponential: 1 + Exp(Mean)
	Shape  float64 // of pareto, with minimum 1
	Window sim.Time
	Nodes  []int // nil: all
}

// Problem is what is optimized.
type Problem struct {
	Kind string
	Args Args
}

// Algorithm is one method with its parameters.
type Algorithm struct {
	Name  string // as written: a name or an alias of the catalog
	Label string // unique in the scenario
	Args  Args   // where tuned: of the first point of the grid
	Tune  *Tune  // nil: not tuned
}

// Tune is a search for the parameters that reach a target at the least cost.
type Tune struct {
	Grid   []Axis             // ordered: the first key changes slowest
	By     string             // what the best has least of
	To     []result.Condition // the target: all of them at once; nil: By is a metric, taken at the end of the run
	Points []TunePoint        // the grid, in order
}

// TunePoint is one point of a tuning grid.
type TunePoint struct {
	Values []Setting
	Args   Args
}

// Stop says when a run ends: whichever comes first. Zero values do not stop.
type Stop struct {
	Iterations int
	Time       sim.Time
	Payload    Size
	Growth     float64            // of grad_norm2 over its first value: beyond it the run has diverged
	Metrics    []result.Condition // each by itself
	Target     []result.Condition // all at once
}

// Record says what is kept of a run.
type Record struct {
	Every    int      // iterations between samples
	Metrics  []string // nil: all that the problem has
	Iterates string   // none, final, all
}

// Claim is a statement about the runs that is checked when they are done.
type Claim struct {
	Text    string
	Source  string // where it is printed
	Printed any    // the number (int or float64) or words there; nil: none
	Check   string // an expression; see package claims
	Differs bool   // it is known not to hold
	Reason  string // why
	Exact   bool   // the printed numbers or formulas are met, not only an order or a trend
	Full    bool   // the small form of the scenario cannot show it

	path  string // claims[0]
	at    Position
	check *claims.Check
	unfit string // why the check makes no sense with the overrides
}

// Table is a table of a paper, made again from the runs of the study.
type Table struct {
	Name    string // of its files
	Title   string
	Source  string // where it is printed
	Columns []string
	Rows    []TableRow
	X       []float64 // of the columns: the table is drawn too; nil: it is not
	XLabel  string
	YLabel  string
	Log     bool // both scales

	path string
}

// TableRow is a row of a Table.
type TableRow struct {
	Name    string
	Cells   string // an expression whose value is the list of cells; see package claims
	Printed []any  // what is printed there: numbers or words; nil: nothing

	at    Position
	cells *claims.List
	unfit string // why the expression makes no sense with the overrides
}

// Axis is a key and the values that it takes.
type Axis struct {
	Key    string
	Values []any // as in Setting
}

// Setting is a key and one value of it.
type Setting struct {
	Key   string
	Value any // a bool, int, float64 or string; a list as []any, a section as Ordered
}

// Point is one point of a study's grid.
type Point struct {
	Values   []Setting
	Scenario *Scenario
}

// Metrics returns the settings as a report has them.
func (p Point) Metrics() result.Settings { return pointOf(p.Values) }

// File returns the path that the scenario was loaded from.
func (s *Scenario) File() string { return s.file }

// Dir returns the folder that paths in the scenario are relative to.
func (s *Scenario) Dir() string { return filepath.Dir(s.file) }

// Catalog returns the catalog that the scenario was checked against.
func (s *Scenario) Catalog() *Catalog { return s.cat }

// At returns the place of the value that path names ("algorithms[0].alpha",
// "algorithms.DAGM.alpha"), or of the nearest section around it that is in the file.
func (s *Scenario) At(path string) Position {
	p, err := ParsePath(s.byIndex(path))
	if err != nil || s.tree == nil {
		return s.src.At(1, 1)
	}
	pos, _ := Find(s.tree, p)
	return pos
}

// byIndex replaces the label in "algorithms.LABEL" by its index, since a label may
// have dots and a default one is not in the file.
func (s *Scenario) byIndex(path string) string {
	rest, ok := strings.CutPrefix(path, "algorithms.")
	if !ok {
		return path
	}
	found, index := "", -1
	for i, a := range s.Algorithms {
		after, ok := strings.CutPrefix(rest, a.Label)
		if ok && (after == "" || after[0] == '.') && len(a.Label) > len(found) {
			found, index = a.Label, i
		}
	}
	if index < 0 {
		return path
	}
	return fmt.Sprintf("algorithms[%d]%s", index, rest[len(found):])
}

// Errorf returns an error at the place of path, with the line and a caret: for what
// shows only when the scenario is built, as an unconnected graph. Where the text
// begins with a key of that section ("p is ...", "matrix: row 0 ...", "edges[1]: ..."),
// the place is that key's. The format may have one %w.
func (s *Scenario) Errorf(path, format string, args ...any) *FileError {
	err := fmt.Errorf(format, args...)
	text, pos := err.Error(), s.At(path)
	for {
		word, rest, colon := text, "", false
		if i := strings.IndexAny(text, ": "); i > 0 {
			word, colon = text[:i], strings.HasPrefix(text[i:], ": ")
			rest = strings.TrimPrefix(text[i:], ": ")
		}
		switch at, found := s.below(path, word); {
		case found:
			path, pos = JoinKey(path, word), at
		case !strings.HasSuffix(path, word):
			colon = false
		}
		if !colon {
			break
		}
		text = rest
	}
	e := s.src.Fail(pos, path, "", "%s", text)
	e.err = errors.Unwrap(err)
	return e
}

// below finds the key in the section at path.
func (s *Scenario) below(path, key string) (Position, bool) {
	steps, err := ParsePath(s.byIndex(JoinKey(path, key)))
	if err != nil || key == "" {
		return Position{}, false
	}
	return Find(s.tree, steps)
}

// Metric is something that a run can report of its iterates, stop at, or be tuned to.
type Metric struct {
	Name  string
	About string
	More  bool // more is better
	Asked bool // recorded only where a file names it
}

// Metrics returns what record, stop and tune can name.
func Metrics() []Metric {
	return []Metric{
		{Name: "objective", About: "Φ at the average x"},
		{Name: "grad_norm2", About: "||∇Φ||² at the average x"},
		{Name: "consensus_error", About: "mean squared distance of the x_i to their average"},
		{Name: "consensus_error_y", About: "mean squared distance of the y_i to their average"},
		{Name: "stationarity", About: "grad_norm2 + consensus_error: small where the average x is stationary and the nodes agree on it; only where named", Asked: true},
		{Name: "inner_error", About: "mean squared distance of the y_i to y*(average x)"},
		{Name: "outer_loss", About: "the mean of the f_i at the average x and y: of held-out data, the loss of the model that the nodes have", Asked: true},
		{Name: "inner_loss", About: "the mean of the g_i at the average x and y, regularizer included", Asked: true},
		{Name: "solution_error", About: "toys: squared distance of the average (x, y), or what of it converges, to the known optimal points"},
		{Name: "train_accuracy", About: "share of the training samples classified correctly", More: true},
		{Name: "test_accuracy", About: "share of the test samples classified correctly", More: true},
	}
}

func metricNames() []string {
	var names []string
	for _, m := range Metrics() {
		names = append(names, m.Name)
	}
	return names
}

// costs returns what a run can be tuned to need least of.
func costs() []string {
	var ids []string
	for _, c := range metrics.CostItems() {
		ids = append(ids, c.ID)
	}
	return ids
}
