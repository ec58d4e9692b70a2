package quantity

import (
	"math"
	"strconv"
	"strings"

	"tallynet/metrics"
)

// DefaultDigits is the default number of significant digits.
const DefaultDigits = 3

// Count returns n with thousands separators: "12,345".
func Count(n int64) string {
	return Group(strconv.FormatInt(n, 10), ",")
}

// Bytes returns n with an SI unit (1 kB = 1000 B) and three significant digits:
// "999 B", "1.23 MB".
func Bytes(n int64) string {
	return Value{float64(n), InBytes, DefaultDigits}.String()
}

// Seconds returns s with a unit from ns to s and three significant digits:
// "4.50 ms", "1.23 s", "12,345 s".
func Seconds(s float64) string {
	return Value{s, InSeconds, DefaultDigits}.String()
}

// Plural returns a number of things: "1 run", "2,000 runs".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Count(int64(n)) + " " + noun + "s"
}

// Amount returns a number in a unit of a metric or a cost; "-" if it is not finite.
func Amount(u metrics.Unit, x float64) string {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return "-"
	case u == metrics.Bytes && math.Abs(x) < 1<<62:
		return Bytes(int64(math.Round(x)))
	case UnitOf(u) != nil:
		return Value{x, *UnitOf(u), DefaultDigits}.String()
	case u == metrics.Count && x == math.Trunc(x) && math.Abs(x) < 1<<53:
		return Count(int64(x))
	}
	return Float(x, 3)
}

// Float returns x with the given number of significant digits, without an exponent from
// 1e-3 up to 1e5: "0.0250", "1234", "2.5e-4". Digits before the decimal point are never
// rounded away. Non-finite numbers are "NaN", "∞" and "-∞".
func Float(x float64, digits int) string {
	mantissa, exponent := Scientific(x, digits)
	if exponent == "" {
		return mantissa
	}
	return mantissa + "e" + exponent
}

// Scientific splits Float's result into mantissa and decimal exponent ("" if none).
func Scientific(x float64, digits int) (mantissa, exponent string) {
	switch {
	case math.IsNaN(x):
		return "NaN", ""
	case math.IsInf(x, 1):
		return "∞", ""
	case math.IsInf(x, -1):
		return "-∞", ""
	case x == 0:
		return "0", ""
	}
	digits = max(digits, 1)
	mantissa, tail, _ := strings.Cut(strconv.FormatFloat(x, 'e', digits-1, 64), "e")
	power, err := strconv.Atoi(tail)
	if err != nil {
		panic("quantity: strconv wrote an invalid exponent: " + tail)
	}
	if power < -3 || power >= 5 {
		return mantissa, strconv.Itoa(power)
	}
	return strconv.FormatFloat(x, 'f', max(digits-1-power, 0), 64), ""
}

// Unit is a unit of measure with its decimal prefixes, in ascending order.
type Unit struct {
	Symbol   string
	prefixes []Prefix
}

// A Prefix is a decimal prefix of a unit.
type Prefix struct {
	Name  string
	Power int // of ten
}

var (
	InBytes = Unit{"B", []Prefix{{"", 0}, {"k", 3}, {"M", 6}, {"G", 9}, {"T", 12}, {"P", 15}, {"E", 18}, {"Z", 21},
		{"Y", 24}}}
	InJoules = Unit{"J", []Prefix{{"f", -15}, {"p", -12}, {"n", -9}, {"µ", -6}, {"m", -3}, {"", 0}, {"k", 3}, {"M", 6},
		{"G", 9}, {"T", 12}, {"P", 15}}}
	// Seconds have no prefix above 1: nobody reads kiloseconds.
	InSeconds = Unit{"s", []Prefix{{"n", -9}, {"µ", -6}, {"m", -3}, {"", 0}}}
)

var prefixed = map[metrics.Unit]*Unit{metrics.Bytes: &InBytes, metrics.Seconds: &InSeconds, metrics.Joules: &InJoules}

// UnitOf returns the unit of numbers that are written with prefixes; nil for others.
func UnitOf(u metrics.Unit) *Unit { return prefixed[u] }

// PrefixFor returns the largest prefix that leaves x at 1 or more.
func (u Unit) PrefixFor(x float64) Prefix {
	best := u.prefixes[0]
	for _, p := range u.prefixes {
		if math.Abs(x) >= math.Pow10(p.Power) {
			best = p
		}
	}
	return best
}

// In writes x in a unit of a key: s, B, J, or another symbol, such as bit/s, with the prefixes k, M, G and T.
func In(symbol string, x float64, digits int) string {
	if symbol == "" {
		return Float(x, digits)
	}
	u := Unit{symbol, InBytes.prefixes}
	for _, known := range []Unit{InSeconds, InJoules} {
		if known.Symbol == symbol {
			u = known
		}
	}
	return Value{x, u, digits}.String()
}

// Value is a number with a unit, for people.
type Value struct {
	Number float64
	Unit   Unit
	Digits int // significant
}

// Split returns the number with thousands separators and the unit with its prefix.
func (q Value) Split(separator string) (number, symbol string) {
	digits := max(q.Digits, 1)
	if q.Number == 0 || math.IsNaN(q.Number) || math.IsInf(q.Number, 0) {
		return Float(q.Number, digits), q.Unit.Symbol
	}
	// Round before choosing the prefix: 999,999 B is 1.00 MB, not 1000 kB.
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(q.Number, 'e', digits-1, 64), 64)
	if err != nil { // out of range
		rounded = q.Number
	}
	p := q.Unit.PrefixFor(rounded)
	x := q.Number / math.Pow10(p.Power)
	if p.Power < 0 {
		x = q.Number * math.Pow10(-p.Power)
	}
	symbol = p.Name + q.Unit.Symbol
	if q.Unit.Symbol == InBytes.Symbol && p.Power == 0 && x == math.Trunc(x) {
		return Group(strconv.FormatFloat(x, 'f', 0, 64), separator), symbol // whole bytes have no fraction
	}
	mantissa, exponent := Scientific(x, digits)
	if exponent != "" && math.Abs(x) >= 1e5 && math.Abs(x) < 1e15 {
		mantissa, exponent = strconv.FormatFloat(x, 'f', 0, 64), ""
	}
	number = Group(mantissa, separator)
	if exponent != "" {
		number += "e" + exponent
	}
	return number, symbol
}

func (q Value) String() string {
	number, symbol := q.Split(",")
	return number + " " + symbol
}

// Group puts separators between the thousands of a decimal number's integer part.
func Group(number, separator string) string {
	whole, _, _ := strings.Cut(number, ".")
	for i := len(whole) - 3; i > 0 && '0' <= number[i-1] && number[i-1] <= '9'; i -= 3 {
		number = number[:i] + separator + number[i:]
	}
	return number
}

// Measured returns a number that was compared with a claim: a whole number in full, any other with six digits, +Inf,
// which stands for a missed target, as "never", and NaN as "no value".
func Measured(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "never"
	case math.IsNaN(x):
		return "no value"
	case x == math.Trunc(x) && math.Abs(x) < 1<<53:
		return Count(int64(x))
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}
