package claims

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"

	"tallynet/metrics"
	"tallynet/metrics/result"
	"tallynet/sim"
)

// Metric is a metric that runs have.
type Metric struct {
	Name string
	More bool // more is better
}

// Scope is what the checks of a study can name.
type Scope struct {
	Labels  []string // of the algorithms, all different
	Points  []result.Settings
	Seeds   []uint64
	Metrics []Metric
}

// Check is a check that makes sense in its scope.
type Check struct {
	scope   Scope
	program *vm.Program
	sides   []side
	labels  []string        // that it names, in order
	needs   map[string]need // what it asks of their runs
	metrics []string        // that it names
	orders  bool            // it compares by order somewhere, not by equality only
}

// side is a part of a check whose value is reported.
type side struct {
	text    string
	program *vm.Program
}

// need is what a check asks of a run, in increasing order.
type need uint8

const (
	needStatus  need = iota // how it ended
	needSamples             // what it reached on the way
	needEnd                 // where it ended
)

// Error is something wrong with a check.
type Error struct {
	Offset  int // of the place in the text, in characters
	Message string
	Hint    string // what to write instead; may be empty
}

func (e *Error) Error() string { return e.Message }

// Labels returns the labels whose runs the check needs.
func (c *Check) Labels() []string { return c.labels }

// Orders reports whether the check compares by order somewhere: <, ordered and the
// like, and not by == and within only.
func (c *Check) Orders() bool { return c.orders }

// Metrics returns the metrics that the check names.
func (c *Check) Metrics() []string { return c.metrics }

// builtins are the functions of Expr that a check may use besides the helpers. None of
// them has a clock.
func builtins() []string {
	return []string{"all", "any", "none", "one", "filter", "map", "count", "sum", "len", "abs", "floor", "ceil", "round", "last", "sort", "reverse"}
}

// options are how a check is read. Without short circuits, both sides of "and" and
// "or" are measured.
func options(env map[string]any) []expr.Option {
	o := []expr.Option{expr.Env(env), expr.DisableAllBuiltins(), expr.DisableShortCircuit()}
	for _, name := range builtins() {
		o = append(o, expr.EnableBuiltin(name))
	}
	return o
}

// identifiers returns the names of runs that a check can write without run("..."), and
// their labels: lower case, where there is one run of each label.
func (s *Scope) identifiers() map[string]string {
	names := map[string]string{}
	if len(s.Points)*len(s.Seeds) != 1 {
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

// Compile reads a check. What it names must be in the scope: it is tried on made-up
// runs of the same shape, so that what could only fail is found before anything runs.
// The error is an *Error.
func Compile(text string, scope Scope) (*Check, error) {
	c, _, err := compile(text, scope, expr.AsBool())
	return c, err
}

// compile reads an expression and returns its value on made-up runs besides.
func compile(text string, scope Scope, more ...expr.Option) (*Check, any, error) {
	c := &Check{scope: scope, needs: map[string]need{}}
	trial := c.evaluation(imagined(&scope))
	env := trial.environment()
	o := options(env)
	tree, err := parse(text, o)
	if err != nil {
		return nil, nil, located(err)
	}
	w := &walker{scope: &scope, env: env, check: c}
	w.walk(tree, nil)
	if w.err != nil {
		return nil, nil, w.err
	}
	if len(c.labels) == 0 {
		return nil, nil, &Error{0, "the check names no run: it would say nothing about them", "as in " + example(&scope)}
	}
	c.finish(w)
	if c.program, err = expr.Compile(text, append(o, more...)...); err != nil {
		return nil, nil, located(err)
	}
	for _, n := range w.sides {
		if slices.ContainsFunc(c.sides, func(s side) bool { return s.text == n }) {
			continue
		}
		p, err := expr.Compile(n, o...)
		if err != nil {
			return nil, nil, located(err)
		}
		c.sides = append(c.sides, side{n, p})
	}
	value, err := expr.Run(c.program, env)
	if err != nil {
		return nil, nil, located(err)
	}
	return c, value, nil
}

// finish turns what was found of runs without a label of their own into needs of all.
func (c *Check) finish(w *walker) {
	for _, l := range c.labels {
		c.needs[l] = max(c.needs[l], w.anonymous)
	}
}

// parse is the first step of expr.Compile.
func parse(text string, options []expr.Option) (ast.Node, error) {
	config := conf.CreateNew()
	for _, o := range options {
		o(config)
	}
	for name := range config.Disabled {
		delete(config.Builtins, name)
	}
	tree, err := parser.ParseWithConfig(text, config)
	if err != nil {
		return nil, err
	}
	return tree.Node, nil
}

// located turns an error of Expr into one with a place.
func located(err error) error {
	var e *file.Error
	if !errors.As(err, &e) {
		return &Error{0, err.Error(), ""}
	}
	message := e.Message
	if e.Prev != nil {
		message = e.Prev.Error()
	}
	message = strings.NewReplacer("type *claims.Run", "a run", "*claims.Run", "a run", "claims.", "").Replace(message) // no names of this package
	return &Error{e.From, strings.TrimSpace(message), ""}
}

func example(s *Scope) string {
	if len(s.Points)*len(s.Seeds) == 1 {
		if name := identifier(s.Labels[0]); name != "" {
			return name + ".totals.matrix_bytes == 0"
		}
		return fmt.Sprintf("run(%q).totals.matrix_bytes == 0", s.Labels[0])
	}
	return fmt.Sprintf("all(runs(%q), .totals.matrix_bytes == 0)", s.Labels[0])
}

// imagined returns runs of the shape that the study will have.
func imagined(s *Scope) []result.Run {
	var runs []result.Run
	for _, p := range s.Points {
		for _, seed := range s.Seeds {
			for _, l := range s.Labels {
				r := result.Run{Label: l, Seed: seed, Point: p, Status: result.Completed, Predicted: &metrics.Prediction{Paper: &metrics.PaperCount{}}}
				for _, m := range s.Metrics {
					r.Metrics = append(r.Metrics, m.Name)
				}
				for k := range 3 {
					sm := result.Sample{Moment: metrics.Moment{Iteration: k, Totals: metrics.Totals{Time: sim.Time(k), Rounds: int64(k), Payload: metrics.KindBytes{int64(k)}}}}
					for range s.Metrics {
						sm.Values = append(sm.Values, 1/float64(k+1))
					}
					r.Samples = append(r.Samples, sm)
				}
				r.Finish()
				runs = append(runs, r)
			}
		}
	}
	return runs
}
