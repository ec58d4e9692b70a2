package spec

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/claims"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/sections"
	"tallynet/topologies/platform"
)

// AlgorithmSpec is one method with its parameters.
type AlgorithmSpec struct {
	Name  string    // as written: a name or an alias of the catalog
	Label string    // unique in the scenario
	Args  keys.Args // where tuned: of the first point of the grid
	Tune  *Tune     // nil: not tuned
	// At are values of swept keys: the method runs at the grid points that have them. nil: at all.
	At []GridValue

	Index int // in the file
}

// Tune is a search for the parameters that reach a target at the least cost.
type Tune struct {
	Grid   []Axis             // ordered: the first key changes slowest
	By     string             // what the best has least of
	To     []result.Condition // the target: all of them at once; nil: By is a metric, taken at the end of the run
	Points []TunePoint        // the grid, in order
	MoreBy bool               // By is a metric for which more is better
}

// TunePoint is one point of a tuning grid.
type TunePoint struct {
	Values []GridValue
	Args   keys.Args
}

// FigureSpec is a figure of a paper, drawn again from the runs of the study.
type FigureSpec struct {
	Name    string // of its files
	Title   string
	Source  string // where it is printed
	Printed string // what is to be seen there, in words
	Curves  []CurveSpec
	Panels  []PanelSpec

	path string
	at   keys.FilePosition
}

// PanelSpec is a metric over a cost.
type PanelSpec struct {
	Title      string
	X          string // the ID of the cost
	PerNode    bool
	Y          string // the metric
	LogX, LogY bool
	Target     *float64    // a level to be marked
	Paths      bool        // in place of X and Y: the ways of the iterates in their plane
	Curves     []CurveSpec // nil: those of the figure
}

// CurveSpec is some runs that become one curve.
type CurveSpec struct {
	Label string
	Runs  string // an expression whose value is a list of runs; see package claims

	path     string
	at       keys.FilePosition
	Compiled *claims.Selection
	Unfit    string // why the expression makes no sense with the overrides
}

// PaperSetting is a row of the table that holds the paper's settings against the scenario's.
type PaperSetting struct {
	Name   string // of what is set: "nodes", "step sizes"
	Paper  string // what the paper prints
	Here   string // in words; empty: what the keys say
	Keys   []string
	Same   bool   // Paper and Here say the same in other words
	Reason string // why it differs

	path string
	args keys.Args
	// value is what the keys say.
	value string
}

// Scenario is a checked scenario with every default filled in. In a study it holds
// the first point of the grid; Points gives them all. It is not changed after loading.
type Scenario struct {
	Limits Limits // of what a study may take; they change nothing in its results
	// Ahead is told how many bytes an instance and its runs will take, about, before they are allocated; it may be
	// nil, and may be called by several goroutines.
	Ahead      func(bytes int64)
	Version    int
	Name       string // of the scenario; the file's own name where none is given
	About      string
	Seeds      []uint64 // one run of each algorithm and grid point for each
	DataSeed   *uint64  // of the data of all runs; nil: each run's own seed
	Topology   sections.TopologySpec
	Dynamics   keys.Args // see dynamics.go; not read where the graph stays as it is
	Platform   keys.Args // see platform.go; not read where there is none
	Place      []string  // a word, or a host for each node
	Network    keys.Args // see network.go
	Compute    keys.Args // see compute.go
	Tariffs    keys.Args // see tariffs.go; not read where there are none
	Faults     keys.Args // see faults.go; not read where there are none
	Silence    keys.Args // not read where nodes wait
	Wire       string    // the numbers' format on the wire, or the name of a compressor
	Compress   keys.Args // the compressor's section; of a format, one without keys
	Problem    ProblemSpec
	Algorithms []AlgorithmSpec
	Stop       keys.Args // see stop.go
	Record     keys.Args
	List       [][]GridValue // the points that are written out; each times the sweep
	ListNames  []string      // of the points of List, "" where the file gives none
	Sweep      []Axis        // ordered as in the file: the first key changes slowest
	Claims     []ClaimSpec
	Tables     []TableSpec
	Figures    []FigureSpec
	Settings   []PaperSetting // of the paper and of the scenario, side by side
	Small      []GridValue    // what makes the small form of it; see LoadSmall

	file    string
	links   func() (*platform.Platform, error) // makes the platform, once
	tree    *keys.Value
	src     *keys.Source
	Catalog *catalog.Catalog
	set     bool // overrides were given
}

// ProblemSpec is what is optimized.
type ProblemSpec struct {
	Kind string
	Args keys.Args
}

// ClaimSpec is a statement about the runs that is checked when they are done.
type ClaimSpec struct {
	Name    string // in tables; may be empty
	Class   result.ClaimClass
	Text    string
	Source  string // where it is printed
	Printed any    // the number (int or float64) or words there; nil: none
	Check   string // an expression; see package claims
	Differs bool   // it is known not to hold
	Open    bool   // the runs are known not to decide it
	Reason  string // why, or why it holds by construction
	// Construction says that the scenario sets what is claimed.
	Construction bool
	Exact        bool // the printed numbers or formulas are met, not only an order or a trend
	Full         bool // the small form of the scenario cannot show it

	path     string // claims[0]
	at       keys.FilePosition
	Stated   bool // the file gives the class
	Compiled *claims.Check
	unfit    string // why the check makes no sense with the overrides
}

// TableSpec is a table of a paper, made again from the runs of the study.
type TableSpec struct {
	Name    string // of its files
	Title   string
	Source  string // where it is printed
	Corner  string // the head of the first column
	Columns []string
	Rows    []RowSpec
	X       []float64 // of the columns: the table is drawn too; nil: it is not
	XLabel  string
	YLabel  string
	Log     bool // both scales
	Full    bool // the small form cannot make it

	path string
}

// RowSpec is a row of a Table.
type RowSpec struct {
	Name    string
	Cells   string   // an expression whose value is the list of cells; see package claims; "": none
	Printed []any    // what is printed there: numbers or words; nil: nothing
	Claims  []string // the names of claims whose outcomes are the outcome of the row
	Note    string   // said of the outcome

	path     string
	at       keys.FilePosition
	claimsAt keys.FilePosition
	Compiled *claims.List
	Unfit    string // why the expression makes no sense with the overrides
}

// GridPoint is one point of a study's grid.
type GridPoint struct {
	Name     string // of the listed point, as the file gives it; "" if it gives none
	Values   []GridValue
	Scenario *Scenario
}

// Metrics returns the settings as a report has them.
func (p GridPoint) Metrics() result.Settings { return SettingsOf(p.Values) }

// File returns the path that the scenario was loaded from.
func (s *Scenario) File() string { return s.file }

// Dir returns the folder that paths in the scenario are relative to.
func (s *Scenario) Dir() string { return filepath.Dir(s.file) }

// at returns the place of the value that path names ("algorithms[0].alpha",
// "algorithms.DAGM.alpha"), or of the nearest section around it that is in the file.
func (s *Scenario) at(path string) keys.FilePosition {
	p, err := keys.ParsePath(s.byIndex(path))
	if err != nil || s.tree == nil {
		return s.src.At(1, 1)
	}
	pos, _ := keys.Find(s.tree, p)
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
			found, index = a.Label, s.Algorithms[i].Index
		}
	}
	if index < 0 {
		return path
	}
	return fmt.Sprintf("algorithms[%d]%s", index, rest[len(found):])
}

// Errorf returns an error at the place of path, with the line and a caret: for what
// shows only when the scenario is built, as an unconnected graph. The format may have one
// %w; where that error is about one parameter (a *keys.ParamError), the place is that
// parameter's.
func (s *Scenario) Errorf(path, format string, args ...any) *keys.FileError {
	err := fmt.Errorf(format, args...)
	text := err.Error()
	var about *keys.ParamError
	if errors.As(err, &about) && about.Param != "" {
		path = keys.JoinKey(path, about.Param)
		text = strings.Replace(text, about.Error(), about.Message, 1)
	}
	e := s.src.Fail(s.at(path), path, "", "%s", text)
	e.Err = errors.Unwrap(err)
	return e
}
