package views

import (
	"math"
	"strconv"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/quantity"
)

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return quantity.Count(int64(n)) + " " + noun + "s"
}

// amount is a number with its unit.
func amount(u metrics.Unit, x jsonio.Real) string {
	switch {
	case !x.Finite():
		return "-"
	case u == metrics.Bytes && math.Abs(float64(x)) < 1<<62:
		return quantity.Bytes(int64(math.Round(float64(x))))
	case u == metrics.Seconds:
		return quantity.Seconds(float64(x))
	case u == metrics.Joules:
		return quantity.Joules(float64(x))
	case u == metrics.Count && x == jsonio.Real(math.Trunc(float64(x))) && math.Abs(float64(x)) < 1<<53:
		return quantity.Count(int64(x))
	}
	return quantity.Float(float64(x), 3)
}

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
