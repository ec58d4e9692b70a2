package answer

import (
	"math"
	"strconv"
	"strings"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/quantity"
)

// SentenceCase begins a name with a capital letter.
func SentenceCase(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// plain is a number near 1 with two decimals, and any other with two or three digits.
func plain(x jsonio.Real) string {
	switch v := math.Abs(float64(x)); {
	case math.IsInf(float64(x), 0) || v == 0:
		return quantity.Float(float64(x), 1)
	case v < 0.0995:
		return quantity.Float(float64(x), 2)
	case v < 9.995:
		return strconv.FormatFloat(float64(x), 'f', 2, 64)
	}
	return quantity.Float(float64(x), 3)
}

// interval is "0.28–0.34", or with "to" between numbers that have signs of their own.
func interval(low, high string) string {
	if strings.ContainsAny(low+high, "-−") {
		return low + " to " + high
	}
	return low + "–" + high
}
