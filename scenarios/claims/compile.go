package claims

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"

	"tallynet/metrics"
	"tallynet/metrics/report/result"
	"tallynet/sim"
)

// Limits of one check. Readable checks are far below them.
const (
	maxText     = 4_000 // characters
	maxRuns     = 1_000_000
	maxSteps    = 2_000_000 // parts evaluated and items of lists made,
	stepsPerRun = 100       // and these besides for each run
)

// Metric is a metric that runs have.
type Metric struct {
	Name string
	More bool // more is better
}

// Scope holds the names that the checks of a study can use.
type Scope struct {
	Labels []string // of the algorithms, all different
	Points []result.Settings
	// At has the points of labels that run at some points only.
	At      map[string][]result.Settings
	Seeds   []uint64
	Metrics []Metric
	Targets []result.Target // what the scenario wants reached
	// Constants permits expressions that name no run, as a printed formula with its settings.
	Constants bool
}

// Check is a compiled check.
type Check struct {
	scope   Scope
	tree    ast.Node
	sides   []side
	labels  []string        // that it names, in order
	needs   map[string]need // by label
	metrics []string        // that it names
}

// side is a part of a check whose value is reported, such as a side of a comparison.
type side struct {
	node ast.Node
	text string
	each bool // it has a value for each item of a list
}

// need is how far a run must have got for a check, in increasing order.
type need uint8

const (
	needStatus  need = iota // how it ended
	needReach               // what it reached, if anything
	needSamples             // its numbers on the way
	needEnd                 // its numbers at the end
)

// Error reports an invalid check.
type Error struct {
	Offset  int // in the text, in characters
	Message string
	Hint    string // what to write instead; may be empty
}

func (e *Error) Error() string { return e.Message }

// Labels returns the labels whose runs the check needs.
func (c *Check) Labels() []string { return c.labels }

// Metrics returns the metrics that the check names.
func (c *Check) Metrics() []string { return c.metrics }

// size is the number of runs of a label that runs everywhere.
func (s *Scope) size() int { return len(s.Points) * len(s.Seeds) }

// sizeOf is the number of runs of a label.
func (s *Scope) sizeOf(label string) int { return len(s.pointsOf(label)) * len(s.Seeds) }

// pointsOf returns the points where a label runs.
func (s *Scope) pointsOf(label string) []result.Settings {
	if at, ok := s.At[label]; ok {
		return at
	}
	return s.Points
}

// identifiers maps the identifiers of runs to their labels. There are none if labels have several runs. An identifier
// is the label itself or its lower case.
func (s *Scope) identifiers() map[string]string {
	names := map[string]string{}
	if s.size() != 1 {
		return names
	}
	for _, l := range s.Labels {
		if name := identifier(l); name != "" {
			names[name] = l
			names[l] = l
		}
	}
	return names
}

// Compile parses a check, whose names must be in the scope. It evaluates the check on made-up runs of the same shape,
// so that errors are found before anything runs. The error is an *Error.
func Compile(text string, scope Scope) (*Check, error) {
	c, value, err := compile(text, scope)
	if err != nil {
		return nil, err
	}
	if _, ok := value.(bool); !ok && value != nil {
		return nil, &Error{0, "a check is true or false, not " + kindOf(value), "as in " + example(&scope)}
	}
	return c, nil
}

// compile parses an expression. It also returns its value on made-up runs, or nil if that is unknown.
func compile(text string, scope Scope) (*Check, any, error) {
	if n := utf8.RuneCountInString(text); n > maxText {
		return nil, nil, &Error{0, fmt.Sprintf("the expression has %d characters; the limit is %d", n, maxText), ""}
	}
	if n := len(scope.Labels) * scope.size(); n > maxRuns {
		message := fmt.Sprintf("the study has %d runs; checks are limited to %d", n, maxRuns)
		return nil, nil, &Error{0, message, "sweep fewer values"}
	}
	tree, err := parse(text)
	if err != nil {
		return nil, nil, err
	}
	c := &Check{scope: scope, tree: tree, needs: map[string]need{}}
	trial := c.evaluation(imagined(&c.scope))
	w := &walker{scope: &c.scope, runs: c.scope.identifiers(), check: c, trial: trial}
	w.kinds = map[ast.Node]any{}
	w.walk(tree, nil)
	if w.err != nil {
		return nil, nil, w.err
	}
	if len(c.labels) == 0 && !scope.Constants {
		const message = "the check names no run, so it would say nothing about the runs"
		return nil, nil, &Error{0, message, "as in " + example(&scope)}
	}
	for _, l := range c.labels {
		c.needs[l] = max(c.needs[l], w.anonymous)
	}
	trial = c.evaluation(trial.runs)
	value, wrong := trial.run()
	if wrong == nil && value == nil && !w.depends { // no other runs would have it
		wrong = &Error{0, trial.remarks[0], ""}
	}
	if wrong != nil {
		return nil, nil, wrong
	}
	return c, value, nil
}

// parse parses an expression. It disables all functions of Expr but the builtins.
func parse(text string) (ast.Node, error) {
	config := conf.CreateNew()
	ours := builtinNames()
	for name := range config.Builtins {
		config.Disabled[name] = !slices.Contains(ours, name)
	}
	tree, err := parser.ParseWithConfig(text, config)
	if e, ok := errors.AsType[*file.Error](err); ok {
		return nil, &Error{e.From, e.Message, ""}
	} else if err != nil {
		return nil, &Error{0, err.Error(), ""}
	}
	return tree.Node, nil
}

func example(s *Scope) string {
	if s.size() == 1 {
		if name := identifier(s.Labels[0]); name != "" {
			return name + ".totals.matrix_bytes == 0"
		}
		return fmt.Sprintf("run(%q).totals.matrix_bytes == 0", s.Labels[0])
	}
	return fmt.Sprintf("all(runs(%q), .totals.matrix_bytes == 0)", s.Labels[0])
}

// imagined returns made-up runs with the labels, points and seeds of the study. All have the same numbers.
func imagined(s *Scope) []*runView {
	r := &result.Run{Status: result.Completed, Predicted: &metrics.Prediction{Paper: &metrics.PaperCount{}}}
	for _, m := range s.Metrics {
		r.Metrics = append(r.Metrics, m.Name)
	}
	for k := range 3 {
		sm := result.Sample{Moment: metrics.Moment{Iteration: k}}
		sm.Totals = metrics.Totals{Time: sim.Time(k), Rounds: int64(k)}
		sm.Totals.Payload = metrics.KindBytes{int64(k)}
		sm.Values = slices.Repeat([]float64{1 / float64(k+1)}, len(s.Metrics))
		r.Samples = append(r.Samples, sm)
	}
	r.Finish()
	var runs []*runView
	for _, l := range s.Labels {
		for _, p := range s.pointsOf(l) {
			for _, seed := range s.Seeds {
				runs = append(runs, &runView{l, seed, p, r})
			}
		}
	}
	return runs
}
