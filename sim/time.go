package sim

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// Time is a point in simulated time, or a duration, in whole nanoseconds.
type Time int64

// Durations.
const (
	Nanosecond  Time = 1
	Microsecond      = 1000 * Nanosecond
	Millisecond      = 1000 * Microsecond
	Second           = 1000 * Millisecond

	// Never is later than every event.
	Never Time = math.MaxInt64

	// Horizon is about 37 years. No run reaches it. A few durations of at most this length can be
	// added to any time of a run without overflow.
	Horizon Time = 1 << 60
)

// Seconds converts seconds to a Time, rounded half up to a nanosecond. It is for random delays and other
// floats; a ratio of integers goes through Quotient. It panics if s does not fit (292 years) or is NaN: whoever
// computes a duration checks the inputs first.
func Seconds(s float64) Time {
	v := float64(s * 1e9) // the conversion keeps the product from being fused with the difference
	ns := math.Floor(v)
	if v-ns >= 0.5 { // exact, where v + 0.5 would itself be rounded
		ns++
	}
	if !(ns >= -1<<63 && ns < 1<<63) {
		panic("sim: " + strconv.FormatFloat(s, 'g', -1, 64) + " s does not fit a Time")
	}
	return Time(ns)
}

// Span is Seconds for a computed number, which may be very large: it saturates at Horizon. A NaN panics.
func Span(s float64) Time {
	if s > Horizon.Seconds() {
		return Horizon
	}
	return Seconds(s)
}

// Quotient returns a times b over c, an exact quotient of integers, rounded half up to a nanosecond. It
// saturates at Horizon. A c of 0 panics.
func Quotient(a, b, c uint64) Time {
	t, rest := Divide(a, b, 0, c)
	if rest >= c-rest { // false at the horizon, where the rest is 0
		t++
	}
	return t
}

// Divide returns (a times b plus carry) over c, rounded down, and the remainder in units of 1/c nanosecond.
// Passing the remainder as the next carry loses nothing. The product has 128 bits. It saturates at Horizon,
// with a remainder of 0. A c of 0 panics.
func Divide(a, b, carry, c uint64) (t Time, rest uint64) {
	high, low := bits.Mul64(a, b)
	low, over := bits.Add64(low, carry, 0)
	high += over
	if c > 0 && high >= c {
		return Horizon, 0
	}
	whole, rest := bits.Div64(high, low, c)
	if whole >= uint64(Horizon) {
		return Horizon, 0
	}
	return Time(whole), rest
}

// Times returns n t, which saturates at Horizon. Neither may be negative.
func (t Time) Times(n int64) Time {
	high, low := bits.Mul64(uint64(t), uint64(n))
	if high > 0 || low > uint64(Horizon) {
		return Horizon
	}
	return Time(low)
}

// Seconds returns t in seconds.
func (t Time) Seconds() float64 { return float64(t) / 1e9 }

// String returns t exactly, in the largest unit in which it is at least one: 1500000 is "1.5ms".
func (t Time) String() string {
	if t == Never {
		return "never"
	}
	atLeast := func(unit Time) bool { return t >= unit || t <= -unit }
	switch {
	case t == 0:
		return "0s"
	case atLeast(Second):
		return decimal(int64(t), 9) + "s"
	case atLeast(Millisecond):
		return decimal(int64(t), 6) + "ms"
	case atLeast(Microsecond):
		return decimal(int64(t), 3) + "us"
	}
	return fmt.Sprintf("%dns", int64(t))
}

// decimal returns v / 10^digits without trailing zeros.
func decimal(v int64, digits int) string {
	sign := ""
	u := uint64(v)
	if v < 0 {
		sign, u = "-", -u
	}
	s := fmt.Sprintf("%0*d", digits+1, u)
	s = s[:len(s)-digits] + "." + s[len(s)-digits:]
	return sign + strings.TrimRight(strings.TrimRight(s, "0"), ".")
}
