package claims

import (
	"fmt"
	"math"
	"slices"

	"tallynet/metrics/report/stats"
)

// Comparisons of estimates compare intervals. A comparison that holds at one end and fails at the other is undecided.
// A plain number is an interval of width 0.

// resampling is the seed of the bootstrap, on which an interval depends a little.
const resampling = 1

// exponent is an exponent of scaling: see stats.Exponent.
func exponent(x, y []float64) stats.Estimate { return stats.Exponent(x, y, resampling) }

// growth estimates the exponent of a law with a free offset; see stats.Growth. If ys has more numbers than xs, it
// holds the replicates of each x, one x after the other.
func growth(e *evaluation, a []any) any {
	x, y, p := a[0].([]float64), a[1].([]float64), a[2].(float64)
	if n := len(x); n > 0 && len(y)%n == 0 {
		var each []float64
		for _, v := range x {
			each = append(each, slices.Repeat([]float64{v}, len(y)/n)...)
		}
		x = each
	}
	if !(p > 0) {
		v := e.missing("growth wants a positive power, got %v", p)
		return Interval{v, v, v}
	}
	return e.estimate("growth", x, y, func(x, y []float64) stats.Estimate { return stats.Growth(x, y, p, resampling) })
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	n := len(x)
	return (x[(n-1)/2] + x[n/2]) / 2
}

// compared returns a helper that compares two amounts. The one on the right is the limit of a margin.
func compared(name string, of func(a, b Interval) (yes, no bool)) helper {
	call := func(e *evaluation, args []any) any {
		a, b := args[0].(Interval), args[1].(Interval)
		yes, no := of(a, b)
		return e.decided(name, yes, no, a, b)
	}
	usage := name + "(a, b)"
	return helper{usage: usage, takes: []parameter{anAmount, anAmount}, gives: false, call: call, compares: 2}
}

// around returns a helper that compares an amount with a number up to a tolerance.
func around(name string, of func(a Interval, x, tolerance float64) (yes, no bool)) helper {
	call := func(e *evaluation, args []any) any {
		a, x, tolerance := args[0].(Interval), args[1].(float64), args[2].(float64)
		if math.IsNaN(tolerance) {
			e.missing("the tolerance of %s is not a number", e.here)
		}
		yes, no := of(a, x, tolerance)
		return e.decided(name, yes, no, a, Interval{x, x, x})
	}
	takes := []parameter{anAmount, aNumber, aNumber}
	return helper{usage: name + "(a, x, tolerance)", takes: takes, gives: false, call: call, compares: 1}
}

// covers reports whether an interval contains x and ends within the tolerance of it. A wider interval is undecided.
func covers(a Interval, x, tolerance float64) (yes, no bool) {
	return a.Low <= x && x <= a.High && a.Low >= x-tolerance && a.High <= x+tolerance, x < a.Low || x > a.High
}

// about reports whether an interval lies within the tolerance of x, or outside it.
func about(a Interval, x, tolerance float64) (yes, no bool) {
	return a.Low >= x-tolerance && a.High <= x+tolerance, a.High < x-tolerance || a.Low > x+tolerance
}

// decided returns the answer. If there is none, it records why.
func (e *evaluation) decided(name string, yes, no bool, a, b Interval) bool {
	for _, v := range []Interval{a, b} {
		if math.IsNaN(v.Value) || math.IsNaN(v.Low) || math.IsNaN(v.High) {
			if len(e.remarks) == 0 { // else a remark says why
				e.missing("a part of %s is not a number", e.here)
			}
			return false
		}
	}
	if !yes && !no {
		e.missing("%s: the interval %s decides nothing beside %s", name, a.text(), b.text())
	}
	return yes
}

// text formats an interval, or a number.
func (v Interval) text() string {
	if v.Low == v.High {
		return fmt.Sprintf("%.4g", v.Value)
	}
	return fmt.Sprintf("%.4g [%.4g, %.4g]", v.Value, v.Low, v.High)
}
