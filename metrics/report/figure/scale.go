package figure

import "math"

// Figures and pages share these rules of scales. The script of a page repeats them, since its controls
// change what is drawn. A test compares both.

// Logarithmic reports whether values should be drawn on a logarithmic axis, which is the case if they span
// more than two decades. Zeros are ignored, and so are negative numbers as small as rounding errors. Other
// negative numbers require a linear axis.
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

// FarApart reports whether curves that end at these costs should be drawn over a logarithmic axis, which is the
// case if one costs more than ten times as much as another, and none ends at 0.
func FarApart(ends []float64) bool {
	const far = 10
	least, most := math.Inf(1), 0.0
	for _, x := range ends {
		least, most = min(least, x), max(most, x)
	}
	return least > 0 && most > far*least
}

// Reach returns a function that reports whether a curve of a failed run is drawn at v. The argument values has
// the values of successful runs. Curves are drawn up to a decade beyond them on a logarithmic axis, and up to
// half their span on a linear one.
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

// Range returns the ends of an axis that covers values and a margin. It ignores values that cannot be drawn,
// and reports false if there are no others.
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
