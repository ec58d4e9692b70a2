package figure

import "math"

// The rules of scales that figures and pages share. A page, whose controls change what is drawn,
// has them in its script, too; a test compares both.

// Logarithmic reports whether values are drawn on a logarithmic axis: where they span more than two
// decades. A zero does not prevent it: it is left out. Neither does a negative number that is rounding.
// Really negative numbers do.
func Logarithmic(values []float64) bool {
	const rounding, decades = 1e-9, 100
	negative, least, most := 0.0, math.Inf(1), 0.0
	for _, v := range values {
		switch {
		case math.IsInf(v, 0) || math.IsNaN(v):
		case v < 0:
			negative = max(negative, -v)
		case v > 0:
			least, most = min(least, v), max(most, v)
		}
	}
	return negative <= rounding*most && most > decades*least
}

// FarApart reports whether curves that end at these costs are drawn over a logarithmic axis: where one costs
// ten times as much as another, and none ends at 0.
func FarApart(ends []float64) bool {
	const far = 10
	least, most := math.Inf(1), 0.0
	for _, x := range ends {
		least, most = min(least, x), max(most, x)
	}
	return least > 0 && most > far*least
}

// Reach returns whether a curve of a run that did not end well is drawn at a value: up to a decade on a
// logarithmic axis, or half their span on a linear one, beyond the values of runs that ended well.
func Reach(values []float64, log bool) func(v float64) bool {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) && (!log || v > 0) {
			low, high = min(low, v), max(high, v)
		}
	}
	if low > high {
		return func(float64) bool { return true }
	}
	room := (high - low) / 2
	if log {
		room = 9 * high
	}
	return func(v float64) bool { return v <= high+room && (log || v >= low-room) }
}

// Range returns the ends of an axis for values: where they lie, with a margin. What cannot be drawn is
// left out; without values it reports false.
func Range(values []float64, log bool) (low, high float64, ok bool) {
	var s span
	for _, v := range values {
		if y, ok := scaled(v, log); ok {
			s.add(y)
		}
	}
	a := newAxis(s, log, nil)
	if log {
		return math.Pow(10, a.lo), math.Pow(10, a.hi), s.nonempty
	}
	return a.lo, a.hi, s.nonempty
}
