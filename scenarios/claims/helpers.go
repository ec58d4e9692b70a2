package claims

import (
	"fmt"
	"math"
	"slices"

	"github.com/expr-lang/expr/ast"
	"gonum.org/v1/gonum/stat"

	"tallynet/metrics"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/stats"
)

// parameter is the type of an argument of a helper.
type parameter uint8

const (
	aLabel  parameter = iota // of an algorithm; this and the next four must be literals
	aMetric                  // by name
	aCost                    // by ID
	aKind                    // of message parts or oracle calls
	aPlace                   // swept keys with values
	aRun
	aNumber
	aValue   // a number or a list of numbers
	anAmount // a number or an interval
)

// helper is a function of this package that a check can call.
type helper struct {
	usage string
	takes []parameter
	rest  []parameter // what may follow, any number of times
	kinds []string
	needs need
	gives any // a value of the kind that it returns, or aRun
	// compares is the number of leading arguments that it compares.
	compares int
	call     func(e *evaluation, a []any) any
}

var measured = []parameter{aRun, aMetric, aNumber}

// until returns a helper for the cost of reaching a value.
func until(usage, id string) helper {
	return helper{usage: usage, takes: measured, needs: needReach, gives: 0.0, call: func(e *evaluation, a []any) any {
		return e.reach(a[0].(*runView), e.target(a[1:3], false), id)
	}}
}

// untilOf is like until, but further arguments select the kinds that the cost is summed over.
func untilOf(usage, id string, kinds []string, ofKind func(kind string) string) helper {
	h := until(usage, id)
	h.rest, h.kinds = []parameter{aKind}, kinds
	h.call = func(e *evaluation, a []any) any {
		ids := []string{id}
		if len(a) > 3 {
			ids = nil
			for _, kind := range kinds {
				if slices.Contains(a[3:], any(kind)) {
					ids = append(ids, ofKind(kind))
				}
			}
		}
		return e.reach(a[0].(*runView), e.target(a[1:3], false), ids...)
	}
	return h
}

// within returns a helper for a metric at the last sample within a budget.
func within(usage, id string) helper {
	return helper{usage: usage, takes: measured, needs: needEnd, gives: 0.0, call: func(e *evaluation, a []any) any {
		r, cost, budget := a[0].(*runView), metrics.FindCost(id), a[2].(float64)
		fits := func(s *result.Sample) bool { return cost.Value(&s.Moment) <= budget }
		return e.sample(r, a[1].(string), fits, "%s has no sample with %s <= %v", r.Label, id, budget)
	}}
}

// fromPairs returns a helper for an estimate from two lists of numbers.
func fromPairs(name string, of func(x, y []float64) stats.Estimate) helper {
	pair := []parameter{aValue, aValue}
	return helper{usage: name + "(xs, ys)", takes: pair, gives: Interval{}, call: func(e *evaluation, a []any) any {
		return e.estimate(name, a[0].([]float64), a[1].([]float64), of)
	}}
}

// ofNumbers returns a helper for numbers and lists of numbers.
func ofNumbers(name string, gives any, of func(*evaluation, []float64) any) helper {
	some := []parameter{aValue}
	call := func(e *evaluation, a []any) any {
		var all []float64
		for _, x := range a {
			all = append(all, x.([]float64)...)
		}
		return of(e, all)
	}
	return helper{usage: name + "(a, b, ...)", takes: some, rest: some, gives: gives, call: call}
}

// fold returns a helper that reduces numbers to one.
func fold(name string, of func([]float64) float64) helper {
	return ofNumbers(name, 0.0, func(e *evaluation, x []float64) any {
		if len(x) == 0 {
			return e.missing("%s looks at nothing", name)
		}
		return of(x)
	})
}

func ordered() helper {
	h := ofNumbers("ordered", false, func(e *evaluation, x []float64) any { // they never decrease
		if len(x) < 2 {
			e.missing("ordered wants at least two numbers, got %d", len(x))
		}
		for i := 1; i < len(x); i++ {
			e.comparable(e.here, x[i-1], x[i])
		}
		return slices.IsSorted(x)
	})
	h.compares = math.MaxInt
	return h
}

func oneRun(e *evaluation, a []any) any      { return e.runsAt(a[0].(string), nil)[0] }
func runs(e *evaluation, a []any) any        { return e.runsAt(a[0].(string), nil) }
func runsOfPoint(e *evaluation, a []any) any { return e.runsAt(a[0].(string), a[1].(map[string]any)) }

func cost(e *evaluation, a []any) any {
	if len(a) > 2 {
		return e.reach(a[0].(*runView), e.target(a[2:], false), a[1].(string))
	}
	return e.reach(a[0].(*runView), e.check.scope.Targets[0], a[1].(string))
}

func kept(e *evaluation, a []any) any {
	return e.reach(a[0].(*runView), e.target(a[2:], true), a[1].(string))
}

// metricAt is the metric at the recorded iteration k.
func metricAt(e *evaluation, a []any) any {
	r, k := a[0].(*runView), a[2].(float64)
	at := func(s *result.Sample) bool { return float64(s.Iteration) == k }
	return e.sample(r, a[1].(string), at, "%s has no recorded iteration %v; the last is %d", r.Label, k, r.run.Iterations)
}

// near is within(a, b, tolerance): |a - b| <= tolerance |b|.
func near(e *evaluation, args []any) any {
	a, b, tolerance := args[0].(float64), args[1].(float64), args[2].(float64)
	e.comparable(e.here, a, b)
	if math.IsNaN(tolerance) {
		e.missing("the tolerance of %s is not a number", e.here)
	}
	return a == b || math.Abs(a-b) <= tolerance*math.Abs(b) && !math.IsInf(b, 0)
}

var helpers = map[string]helper{
	"run":  {usage: "run(LABEL)", takes: []parameter{aLabel}, gives: aRun, call: oneRun},
	"runs": {usage: "runs(LABEL)", takes: []parameter{aLabel}, gives: []any{aRun}, call: runs},
	"at": {
		usage: "at(LABEL, {KEY: value})", takes: []parameter{aLabel, aPlace}, gives: []any{aRun}, call: runsOfPoint,
	},

	"cost": {
		usage: "cost(run, COST, METRIC, value, ...), or cost(run, COST)", needs: needReach, gives: 0.0, call: cost,
		takes: []parameter{aRun, aCost}, rest: []parameter{aMetric, aNumber},
	},
	"kept": {
		usage: "kept(run, COST, METRIC, value, ...)", needs: needReach, gives: 0.0, call: kept,
		takes: []parameter{aRun, aCost, aMetric, aNumber}, rest: []parameter{aMetric, aNumber},
	},
	"first":     until("first(run, METRIC, value)", "iterations"),
	"to_time":   until("to_time(run, METRIC, value)", "time_s"),
	"to_rounds": until("to_rounds(run, METRIC, value)", "rounds"),
	"to_bytes": untilOf("to_bytes(run, METRIC, value, KIND...)", "payload_bytes", names(metrics.NumKinds),
		func(kind string) string { return kind + "_bytes" }),
	"to_calls": untilOf("to_calls(run, METRIC, value, KIND...)", "oracle_calls", names(metrics.NumCalls),
		func(kind string) string { return "oracle." + kind }),

	"metric": {
		usage: "metric(run, METRIC, k)", takes: measured, needs: needSamples, gives: 0.0, call: metricAt,
	},
	"metric_at_bytes": within("metric_at_bytes(run, METRIC, bytes)", "payload_bytes"),
	"metric_at_time":  within("metric_at_time(run, METRIC, seconds)", "time_s"),

	"slope":    fromPairs("slope", stats.LogLogSlope),
	"ratio":    fromPairs("ratio", stats.Ratio),
	"exponent": fromPairs("exponent", exponent),
	"growth": {
		usage: "growth(xs, ys, p)", takes: []parameter{aValue, aValue, aNumber}, gives: Interval{}, call: growth,
	},
	"difference": fromPairs("difference", func(x, y []float64) stats.Estimate {
		return stats.Difference(x, y, resampling)
	}),
	"interval": ofNumbers("interval", Interval{}, func(e *evaluation, x []float64) any {
		return e.given("interval", stats.Mean(x, resampling))
	}),

	"below":    compared("below", func(a, b Interval) (yes, no bool) { return a.High < b.Low, a.Low >= b.High }),
	"above":    compared("above", func(a, b Interval) (yes, no bool) { return a.Low > b.High, a.High <= b.Low }),
	"at_most":  compared("at_most", func(a, b Interval) (yes, no bool) { return a.High <= b.Low, a.Low > b.High }),
	"at_least": compared("at_least", func(a, b Interval) (yes, no bool) { return a.Low >= b.High, a.High < b.Low }),
	"covers":   around("covers", covers),
	"about":    around("about", about),

	"median":  fold("median", median),
	"mean":    fold("mean", func(x []float64) float64 { return stat.Mean(x, nil) }),
	"min":     fold("min", slices.Min[[]float64]),
	"max":     fold("max", slices.Max[[]float64]),
	"ordered": ordered(),
	"log": {usage: "log(x)", takes: []parameter{aNumber}, gives: 0.0, call: func(e *evaluation, a []any) any {
		return math.Log(a[0].(float64))
	}},
	"within": {
		usage: "within(a, b, tolerance)", takes: []parameter{aNumber, aNumber,
			aNumber}, gives: false, call: near, compares: 2,
	},
}

// names returns the names of the values of an enumeration.
func names[T interface {
	~uint8
	fmt.Stringer
}](count T) []string {
	var all []string
	for v := range count {
		all = append(all, v.String())
	}
	return all
}

// parameter returns what the helper takes as its i-th argument.
func (h *helper) parameter(i int) parameter {
	if i < len(h.takes) {
		return h.takes[i]
	}
	return h.rest[(i-len(h.takes))%len(h.rest)]
}

// fits reports whether the helper takes n arguments.
func (h *helper) fits(n int) bool {
	n -= len(h.takes)
	return n == 0 || n > 0 && len(h.rest) > 0 && n%len(h.rest) == 0
}

// call calls a helper.
func (e *evaluation) call(n *ast.CallNode) any {
	name := n.Callee.(*ast.IdentifierNode).Value
	h := helpers[name]
	a := make([]any, len(n.Arguments))
	for i, arg := range n.Arguments {
		a[i] = e.argument(name, arg, h.parameter(i))
	}
	e.here = n
	return h.call(e, a)
}

// argument evaluates an argument and converts it for helpers.
func (e *evaluation) argument(helper string, arg ast.Node, p parameter) any {
	if p == aPlace {
		place := map[string]any{}
		for _, pair := range arg.(*ast.MapNode).Pairs {
			pair := pair.(*ast.PairNode)
			place[pair.Key.(*ast.StringNode).Value] = e.eval(pair.Value)
		}
		return place
	}
	v := e.eval(arg)
	switch x, isNumber := v.(float64); {
	case p == aRun:
		if _, ok := v.(*runView); !ok {
			wrong(arg, "%s wants a run, not %s", helper, kindOf(v))
		}
	case p == aNumber && !isNumber:
		wrong(arg, "%s wants a number, not %s", helper, kindOf(v))
	case p == aValue:
		var numbers []float64
		if other := e.flatten(&numbers, v); other != nil {
			hint := ""
			if _, ok := other.(*runView); ok {
				hint = ": write map(runs(LABEL), .totals.payload_bytes), or another field of the runs"
			}
			wrong(arg, "%s wants numbers, not %s%s", helper, kindOf(other), hint)
		}
		return numbers
	case p == anAmount:
		return amount(helper, arg, v)
	case p == aNumber:
		return x
	}
	return v
}

// amount returns a number or an interval as an interval.
func amount(helper string, arg ast.Node, v any) Interval {
	switch v := v.(type) {
	case float64:
		return Interval{v, v, v}
	case Interval:
		return v
	}
	wrong(arg, "%s wants a number or an interval, not %s", helper, kindOf(v))
	return Interval{}
}
