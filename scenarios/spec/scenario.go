package spec

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/claims"
	"tallynet/scenarios/facts"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/sections"
	"tallynet/topologies/platform"
)

// Scenario is a checked scenario with all defaults filled in. In a study it holds the first grid point; Points returns
// all of them. It is not modified after loading.
//
// The sections dynamics, platform, tariffs, faults and silence may be missing; then their Args report Read() == false.
type Scenario struct {
	Limits     Limits // resources that a study may use; they do not affect results
	Version    int
	Name       string // by default the base name of the file
	About      string
	Ask        *result.Question // nil if the file states none
	Seeds      []uint64         // each algorithm runs at each grid point once for each seed
	DataSeed   *uint64          // of the data of all runs; nil: each run uses its own seed
	Until      float64          // seeds are added until margins are decided to this percentage; 0: none are
	Most       int              // seeds, with Until
	Topology   sections.TopologySpec
	Dynamics   keys.Args
	Platform   keys.Args
	Place      []string // a placement policy, or a host for each node
	Network    keys.Args
	Compute    keys.Args
	Tariffs    keys.Args
	Faults     keys.Args
	Silence    keys.Args
	Wire       string    // the number format of messages, or the name of a compressor
	Compress   keys.Args // the parameters of the compressor
	Problem    ProblemSpec
	Algorithms []AlgorithmSpec
	Stop       keys.Args
	Record     keys.Args
	List       []ListedPoint // each is combined with every combination of the sweep
	Sweep      []Axis        // in the order of the file; the first axis changes slowest
	PaperID    string        // of the paper that it reproduces; "" if none
	Facts      *facts.Registry
	Readings   []string
	Variants   []facts.Variant // of the readings; the first is the main one
	Variant    facts.Variant   // that this scenario has
	Why        jsonio.Object   // reasons by the IDs of facts
	Claims     []ClaimSpec
	Tables     []TableSpec
	Figures    []FigureSpec
	Settings   []PaperSetting
	Small      []GridValue // the changes that make the small form; see LoadSmall

	ask        keys.Args
	file       string
	links      func() (*platform.Platform, error) // builds the platform once
	tree       *keys.Value
	declared   []keys.Param // of all keys
	src        *keys.Source
	Catalog    *catalog.Catalog
	overridden bool             // loaded with overrides
	known      map[float64]bool // the numbers that texts may have
	scope      claims.Scope
	inserts    []*claims.Check // the expressions in reasons
}

// ProblemSpec is the optimization problem.
type ProblemSpec struct {
	Kind string
	Args keys.Args
}

// File returns the path that the scenario was loaded from.
func (s *Scenario) File() string { return s.file }

// Dir returns the folder that paths in the scenario are relative to.
func (s *Scenario) Dir() string { return filepath.Dir(s.file) }

// Hash returns the beginning of a hash of the scenario's text and of the printed facts that it judges.
func (s *Scenario) Hash() string {
	h := sha256.New()
	fmt.Fprintln(h, strings.Join(s.src.Lines, "\n"))
	if s.Facts != nil {
		fmt.Fprintf(h, "%+v", s.Facts.Facts)
	}
	return fmt.Sprintf("%x", h.Sum(nil))[:16]
}

// at returns the position of the value at path ("algorithms[0].alpha", "algorithms.DAGM.alpha"), or of the nearest
// enclosing section in the file.
func (s *Scenario) at(path string) keys.FilePosition {
	p, err := keys.ParsePath(s.byIndex(path))
	if err != nil || s.tree == nil {
		return s.src.At(1, 1)
	}
	pos, _ := keys.Find(s.tree, p)
	return pos
}

// byIndex replaces the label in "algorithms.LABEL" by its index. Labels may contain dots, and default labels are not
// in the file.
func (s *Scenario) byIndex(path string) string {
	rest, ok := strings.CutPrefix(path, "algorithms.")
	if !ok {
		return path
	}
	var longest *AlgorithmSpec
	for i := range s.Algorithms {
		a := &s.Algorithms[i]
		after, ok := strings.CutPrefix(rest, a.Label)
		if ok && (after == "" || after[0] == '.') && (longest == nil || len(a.Label) > len(longest.Label)) {
			longest = a
		}
	}
	if longest == nil {
		return path
	}
	return fmt.Sprintf("algorithms[%d]%s", longest.Index, rest[len(longest.Label):])
}

// Errorf returns an error located at path, with the line and a caret. It serves errors that show only when the
// scenario is built, such as an unconnected graph. The format may contain one %w. If the wrapped error is a
// *keys.ParamError, the error is located at that parameter.
func (s *Scenario) Errorf(path, format string, args ...any) *keys.FileError {
	err := fmt.Errorf(format, args...)
	text := err.Error()
	if about, ok := errors.AsType[*keys.ParamError](err); ok && about.Param != "" {
		path = keys.JoinKey(path, about.Param)
		text = strings.Replace(text, about.Error(), about.Message, 1)
	}
	e := s.src.Fail(s.at(path), path, "", "%s", text)
	e.Err = errors.Unwrap(err)
	return e
}
