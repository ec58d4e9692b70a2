package claims

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/report/result"
)

// The values of an expression are float64, string, bool, []any, *runView, object, point, final and Interval. All
// numbers are float64.

// runView is a run in an expression.
type runView struct {
	Label string
	Seed  uint64
	Point result.Settings

	run *result.Run
}

// object maps names to values.
type object map[string]any

// point has the swept keys of a run. Values that are not numbers are texts.
type point map[string]any

// final has the metrics of a run's last sample.
type final struct{ run *runView }

// absent is the reason why an object lacks a number.
type absent string

// Interval is an estimate and its 95 % confidence interval.
type Interval struct{ Value, Low, High float64 }

// fields are the fields of a run.
var fields = map[string]struct {
	needs need
	of    func(*runView) any
}{
	"label":      {needStatus, func(r *runView) any { return r.Label }},
	"seed":       {needStatus, func(r *runView) any { return float64(r.Seed) }},
	"point":      {needStatus, func(r *runView) any { return newPoint(r.Point) }},
	"status":     {needStatus, func(r *runView) any { return string(r.run.Status) }},
	"reason":     {needStatus, func(r *runView) any { return r.run.Reason }},
	"iterations": {needEnd, func(r *runView) any { return float64(r.run.Iterations) }},
	"final":      {needEnd, func(r *runView) any { return final{r} }},
	"totals": {needEnd, func(r *runView) any {
		return costs(&metrics.Moment{Iteration: r.run.Iterations, Totals: r.run.Totals}, nil)
	}},
	"predicted": {needEnd, predicted},
}

// kindOf returns a noun for the type of a value.
func kindOf(v any) string {
	switch v := v.(type) {
	case float64:
		return "a number"
	case string:
		return "a text"
	case bool:
		return "true or false"
	case []any:
		if len(v) > 0 {
			if _, ok := v[0].(*runView); ok {
				return "a list of runs"
			}
		}
		return "a list"
	case *runView:
		return "a run"
	case Interval:
		return "an interval, which has .value, .low and .high"
	}
	return "a group of values"
}

// field returns a field of a value. ok is false if it has none of that name.
func (e *evaluation) field(v any, name string) (member any, ok bool) {
	switch v := v.(type) {
	case *runView:
		f, ok := fields[name]
		if !ok {
			return nil, false
		}
		if name == "totals" {
			if e.totalsOf != v.run { // a check often asks for several in turn; made-up runs are all one
				e.totalsOf, e.totals = v.run, f.of(v)
			}
			return e.totals, true
		}
		return f.of(v), true
	case point:
		member, ok := v[name]
		return member, ok
	case final:
		if x, ok := v.run.run.Final.Values.Get(name); ok {
			return x, true
		}
		return e.missing("%s has no metric %s", v.run.Label, name), true
	case Interval:
		member, ok := map[string]float64{"value": v.Value, "low": v.Low, "high": v.High}[name]
		return member, ok
	case object:
		member, ok := v[name]
		if reason, missing := member.(absent); missing {
			return e.missing("%s", string(reason)), true
		}
		return member, ok
	}
	return nil, false
}

// members returns the names of the fields of a value.
func members(v any) []string {
	switch v := v.(type) {
	case *runView:
		return slices.Sorted(maps.Keys(fields))
	case Interval:
		return []string{"value", "low", "high"}
	case object:
		return slices.Sorted(maps.Keys(v))
	}
	return nil
}

// costs returns the items of the table of costs at a moment. An ID "a.b" becomes b in a group a. Times also appear in
// nanoseconds, as in result.json. If heads is not nil, only IDs that begin with one of them are returned.
func costs(m *metrics.Moment, heads []string) object {
	all := object{}
	for _, c := range metrics.CostItems() {
		if head, _, _ := strings.Cut(c.ID, "."); heads != nil && !slices.Contains(heads, head) {
			continue
		}
		all.set(c.ID, c.Value(m))
		if c.Unit == metrics.Seconds {
			all.set(strings.TrimSuffix(c.ID, "_s")+"_ns", float64(c.Of(m)))
		}
	}
	return all
}

func (o object) set(path string, value float64) {
	head, rest, dotted := strings.Cut(path, ".")
	if !dotted {
		o[head] = value
		return
	}
	if o[head] == nil {
		o[head] = object{}
	}
	o[head].(object).set(rest, value)
}

// predicted returns the costs of a run in closed form.
func predicted(r *runView) any {
	p := r.run.Predicted
	if p == nil {
		panic(nothing("no costs are predicted for " + r.Label))
	}
	paper := object{"elements_per_node": absent("the paper does not count what " + r.Label + " sends")}
	if p.Paper != nil {
		paper["elements_per_node"] = p.Paper.ElementsPerNode
	}
	return object{
		"initial": predictedCosts(p.Initial), "per_iteration": predictedCosts(p.PerIteration),
		"total": predictedCosts(p.Total), "varies": p.Varies, "bound": p.Bound, "paper": paper,
	}
}

// predictedCosts returns the items of the table of costs that have a closed form.
func predictedCosts(c metrics.Cost) object {
	t := metrics.Totals{Rounds: c.Rounds, Oracle: c.Oracle}
	t.Messages, t.Broadcast, t.Wire = c.Messages, c.Broadcast, c.Wire
	heads := []string{"rounds", "messages", "broadcast_elements", "wire_elements", "oracle", "oracle_calls"}
	return costs(&metrics.Moment{Totals: t}, heads)
}

func newPoint(settings result.Settings) point {
	all := point{}
	for _, s := range settings {
		all[s.Key] = s.Text()
		if x, ok := number(s); ok {
			all[s.Key] = x
		}
	}
	return all
}

// number returns a setting as a number, if it is one.
func number(s result.Setting) (float64, bool) {
	text := string(s.Value) // of JSON, where nothing but numbers begins so
	if text == "" || text[0] != '-' && (text[0] < '0' || text[0] > '9') {
		return 0, false
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil
}

// matches reports whether a setting has the value that a check names.
func matches(s result.Setting, want any) bool {
	switch w := want.(type) {
	case float64:
		x, ok := number(s)
		return ok && x == w
	case bool:
		return string(s.Value) == strconv.FormatBool(w)
	case string:
		return s.Text() == w
	}
	return false
}

// identifier returns the identifier for the run of a label, or "".
func identifier(label string) string {
	for i, c := range label {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return ""
		}
	}
	return strings.ToLower(label)
}

// leaves calls take with each item of nested lists, or with a value that is no list. It returns the first value that
// take refuses, or nil.
func (e *evaluation) leaves(value any, take func(v any) bool) any {
	list, ok := value.([]any)
	if !ok {
		if take(value) {
			return nil
		}
		return value
	}
	e.step(len(list))
	for _, item := range list {
		if other := e.leaves(item, take); other != nil {
			return other
		}
	}
	return nil
}

// flatten appends the numbers of a value to dst. It returns the first value of another type, or nil.
func (e *evaluation) flatten(dst *[]float64, value any) any {
	return e.leaves(value, func(v any) bool {
		x, ok := v.(float64)
		if ok {
			*dst = append(*dst, x)
		}
		return ok
	})
}
