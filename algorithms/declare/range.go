package declare

import (
	"math"
	"strconv"
	"strings"
)

// Range bounds a number, or each number of a list. For quantities with units it
// is in base units: ns, bit/s, bytes, FLOP/s, mm. The zero Range bounds nothing.
type Range struct {
	Min, Max         float64
	OpenMin, OpenMax bool
	set              bool
}

// AtLeast is [least, ∞).
func AtLeast(least float64) Range { return Range{Min: least, Max: math.Inf(1), set: true} }

// Above is (least, ∞).
func Above(least float64) Range { return Range{Min: least, Max: math.Inf(1), OpenMin: true, set: true} }

// Between is [least, most].
func Between(least, most float64) Range { return Range{Min: least, Max: most, set: true} }

// Inside is (least, most).
func Inside(least, most float64) Range {
	return Range{Min: least, Max: most, OpenMin: true, OpenMax: true, set: true}
}

// AboveUpTo is (least, most].
func AboveUpTo(least, most float64) Range {
	return Range{Min: least, Max: most, OpenMin: true, set: true}
}

// FromBelow is [least, most).
func FromBelow(least, most float64) Range {
	return Range{Min: least, Max: most, OpenMax: true, set: true}
}

// Contains reports whether v is in the range. A NaN never is.
func (r Range) Contains(v float64) bool {
	if !r.set {
		return v == v
	}
	return (v > r.Min || !r.OpenMin && v == r.Min) && (v < r.Max || !r.OpenMax && v == r.Max)
}

// String returns the range in words: "at least 1", "above 0 and at most 1".
func (r Range) String() string {
	if !r.set {
		return ""
	}
	var parts []string
	if !math.IsInf(r.Min, -1) {
		word := "at least "
		if r.OpenMin {
			word = "above "
		}
		parts = append(parts, word+FormatFloat(r.Min))
	}
	if !math.IsInf(r.Max, 1) {
		word := "at most "
		if r.OpenMax {
			word = "below "
		}
		parts = append(parts, word+FormatFloat(r.Max))
	}
	return strings.Join(parts, " and ")
}

// IsSet reports whether the range bounds anything.
func (r Range) IsSet() bool { return r.set }

// FormatFloat returns a whole number without an exponent, and other numbers as short as they can be read back.
func FormatFloat(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}
