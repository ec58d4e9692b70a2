package platform

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"tallynet/sim"
)

// Quantities as people write them in network files.

// quantity matches a number and a unit.
var quantity = regexp.MustCompile(`^\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\s*([^0-9\s].*?)?\s*$`)

// number splits a text into a number and the rest.
func number(text string) (v float64, unit string, ok bool) {
	m := quantity.FindStringSubmatch(text)
	if m == nil {
		return 0, "", false
	}
	v, err := strconv.ParseFloat(m[1], 64)
	return v, m[2], err == nil
}

// timeUnits are in nanoseconds. A minute is min or, as in SimGrid, m.
var timeUnits = map[string]float64{
	"ps": 1e-3, "picosecond": 1e-3, "picoseconds": 1e-3,
	"ns": 1, "nsec": 1, "nanosecond": 1, "nanoseconds": 1,
	"us": 1e3, "µs": 1e3, "μs": 1e3, "usec": 1e3, "microsecond": 1e3, "microseconds": 1e3,
	"ms": 1e6, "msec": 1e6, "msecs": 1e6, "millisecond": 1e6, "milliseconds": 1e6,
	"s": 1e9, "sec": 1e9, "secs": 1e9, "second": 1e9, "seconds": 1e9,
	"m": 60e9, "min": 60e9, "minute": 60e9, "minutes": 60e9,
	"h": 3600e9, "hour": 3600e9, "hours": 3600e9,
	"d": 24 * 3600e9, "w": 7 * 24 * 3600e9,
}

func timeUnit(name string) (ns float64, ok bool) {
	ns, ok = timeUnits[strings.ToLower(strings.TrimSuffix(name, "."))]
	return ns, ok
}

// latencyOf parses a latency. A number without a unit is in the given unit, and needed is set; if that unit is
// empty, it is an error.
func latencyOf(text, unit string) (t sim.Time, needed bool, err error) {
	v, own, ok := number(text)
	if !ok {
		return 0, false, fmt.Errorf("%q is not a latency; write it as 1ms", short(text))
	}
	if own == "" {
		own, needed = unit, v != 0
	}
	ns, ok := timeUnit(own)
	switch {
	case v < 0:
		return 0, false, fmt.Errorf("the latency %s is negative; it must be at least 0", short(strings.TrimSpace(text)))
	case v == 0:
		return 0, false, nil
	case own == "":
		return 0, true, fmt.Errorf("the latency %s has no unit", strings.TrimSpace(text))
	case !ok:
		return 0, false, fmt.Errorf("%q is not a unit of time; use ns, us, ms or s", short(own))
	case v*ns > float64(sim.Horizon):
		return 0, false, fmt.Errorf("the latency %s is too long; no run lasts longer than %v", short(text), sim.Horizon)
	}
	return sim.Time(math.Floor(float64(v*ns) + 0.5)), needed, nil
}

var rateName = regexp.MustCompile(`^([kmgtpeKMGTPE]?)(i?)(bits?|Bits?|b|B|bytes?|Bytes?)?` +
	`(?:\s*(?:/\s*s|/\s*sec|/\s*second|ps|p/s|pbs|s))?$`)

// rateUnit returns the bit/s of a unit: Gbit/s, Gbps, GB/s, MiBps, G.
func rateUnit(name string) (float64, bool) {
	if name == "Mpbs" || name == "Gpbs" { // often mistyped
		name = name[:1] + "bps"
	}
	m := rateName.FindStringSubmatch(strings.TrimSpace(name))
	if m == nil || name == "" || m[1]+m[3] == "" {
		return 0, false
	}
	base := 1000.0
	if m[2] != "" {
		if base = 1024; m[3] == "" {
			return 0, false
		}
	}
	scale := 1.0
	if m[1] != "" {
		scale = math.Pow(base, float64(1+strings.Index("KMGTPE", strings.ToUpper(m[1]))))
	}
	if strings.HasPrefix(m[3], "B") && !strings.HasPrefix(m[3], "Bit") || strings.HasPrefix(m[3], "byte") {
		scale *= 8
	}
	return scale, true
}

// rateOf parses a bandwidth in bit/s; 0 is unlimited. A number without a unit is in the given unit, and needed
// is set; if that unit is empty, it is an error.
func rateOf(text, unit string) (bits float64, needed bool, err error) {
	if w := strings.ToLower(strings.TrimSpace(text)); w == "unlimited" || w == "inf" || w == "infinity" {
		return 0, false, nil
	}
	v, own, ok := number(text)
	if !ok {
		return 0, false, fmt.Errorf("%q is not a bandwidth; write it as 1Gbit/s", short(text))
	}
	if own == "" {
		own, needed = unit, true
	}
	scale, ok := rateUnit(own)
	switch {
	case v <= 0:
		return 0, false, fmt.Errorf("the bandwidth %s must be above 0", short(strings.TrimSpace(text)))
	case own == "":
		return 0, true, fmt.Errorf("the bandwidth %s has no unit", strings.TrimSpace(text))
	case !ok:
		return 0, false, fmt.Errorf("%q is not a unit of bandwidth; use bit/s, Mbit/s, Gbit/s or MB/s", short(own))
	}
	return v * scale, needed, checkRate(v*scale, text)
}

// maxRate is the largest bandwidth of a link, in bit/s.
const maxRate = 9e18

// checkRate returns an error if no link can have the bandwidth.
func checkRate(bits float64, text string) error {
	switch {
	case bits > maxRate:
		return fmt.Errorf("the bandwidth %s is too large; want at most %s", short(strings.TrimSpace(text)),
			rateText(maxRate))
	case bits < 1:
		return fmt.Errorf("the bandwidth %s is less than 1 bit/s, the smallest one", short(strings.TrimSpace(text)))
	}
	return nil
}

// rateText formats a bandwidth so that rateOf parses the same number.
func rateText(bits float64) string {
	if bits == 0 {
		return "unlimited"
	}
	for _, u := range []struct {
		scale float64
		name  string
	}{{1e12, "Tbit/s"}, {1e9, "Gbit/s"}, {1e6, "Mbit/s"}, {1e3, "kbit/s"}} {
		if v := bits / u.scale; v >= 1 && v*u.scale == bits {
			if s := strconv.FormatFloat(v, 'f', -1, 64); len(s) < 12 {
				return s + u.name
			}
		}
	}
	return strconv.FormatFloat(bits, 'f', -1, 64) + "bit/s"
}

// short cuts text that is too long for a message.
func short(text string) string {
	if r := []rune(text); len(r) > 60 {
		return string(r[:57]) + "..."
	}
	return text
}
