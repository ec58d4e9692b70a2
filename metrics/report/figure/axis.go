package figure

import (
	"math"
	"strconv"
	"strings"

	"tallynet/metrics/report/quantity"
)

// axis maps values, or their decimal logarithms, to [0, 1] and labels them.
type axis struct {
	log    bool
	unit   *quantity.Unit
	lo, hi float64 // in values, or decimal logarithms
	fixed  []tick  // of an axis of names, which has no values

	ticks  []tick
	suffix string // the unit with its prefix, or ""
	factor string // multiplies the labels: "×10⁶", or ""
}

type tick struct {
	at    float64 // in [0, 1]
	label string  // "" for a minor tick
}

// fits reports whether the labels of ticks do not overlap.
type fits func([]tick) bool

// span is the range of the points on one axis; the zero span is empty.
type span struct {
	lo, hi   float64
	nonempty bool
}

func (s *span) add(v float64) {
	if !s.nonempty {
		*s = span{v, v, true}
	}
	s.lo, s.hi = min(s.lo, v), max(s.hi, v)
}

// newAxis returns an axis that covers the span and a margin. It has no ticks yet.
func newAxis(s span, log bool, unit *quantity.Unit) axis {
	a := axis{log: log, unit: unit}
	const margin = 0.04
	size := math.Max(math.Abs(s.lo), math.Abs(s.hi))
	switch width := s.hi - s.lo; {
	case !s.nonempty && log:
		a.lo, a.hi = -1, 1
	case !s.nonempty:
		a.lo, a.hi = 0, 1
	case log && width < 1e-6: // one value: half a decade to each side
		a.lo, a.hi = s.lo-0.5, s.hi+0.5
	case !log && size < 1e-290: // zero, or too small to divide
		a.lo, a.hi = -1, 1
	case log || width > 1e-9*size:
		a.lo, a.hi = s.lo-margin*width, s.hi+margin*width
	default: // one value at the resolution of ticks
		a.lo, a.hi = s.lo-0.1*size, s.hi+0.1*size
	}
	return a
}

// position maps a value, or its decimal logarithm, to [0, 1].
func (a *axis) position(v float64) float64 { return (v - a.lo) / (a.hi - a.lo) }

// label returns name with the unit of the axis.
func (a *axis) label(name string) string {
	switch {
	case a.suffix == "":
		return name
	case name == "":
		return a.suffix
	}
	return name + " (" + a.suffix + ")"
}

// setTicks sets as many ticks as have labels that fit, up to about seven.
func (a *axis) setTicks(fit fits) {
	if a.fixed != nil {
		a.ticks = a.fixed
		return
	}
	if a.unit != nil {
		a.suffix = a.unit.Symbol
	}
	if a.log {
		a.setLogTicks(fit)
		return
	}
	power := a.power()
	for n := 7; ; n-- {
		a.ticks = a.linearTicks(n, power)
		if n == 1 || fit(a.ticks) {
			return
		}
	}
}

// power returns the power of ten that divides the tick labels, and sets suffix and factor
// accordingly.
func (a *axis) power() int {
	largest := math.Max(math.Abs(a.lo), math.Abs(a.hi))
	if a.unit != nil {
		p := a.unit.PrefixFor(largest)
		a.suffix = p.Name + a.unit.Symbol
		return p.Power
	}
	exponent := int(math.Floor(math.Log10(largest)))
	if exponent >= -2 && exponent < 6 {
		return 0
	}
	power := 3 * int(math.Floor(float64(exponent)/3))
	a.factor = "×10" + superscript(power)
	return power
}

// linearTicks returns about n ticks at multiples of 1, 2 or 5 times a power of ten, with
// minor ticks in between.
func (a *axis) linearTicks(n, power int) []tick {
	step, exponent, minors := niceStep((a.hi - a.lo) / float64(n))
	decimals := max(power-exponent, 0)
	var ticks []tick
	minor := step / float64(minors)
	first := math.Ceil(a.lo/minor - 1e-9)
	for i := 0.0; first+i <= a.hi/minor+1e-9; i++ {
		k := first + i
		t := tick{at: a.position(k * minor)}
		if math.Mod(k, float64(minors)) == 0 {
			t.label = decimal(scaleDown(k/float64(minors)*step, power), decimals)
		}
		ticks = append(ticks, t)
	}
	return ticks
}

// niceStep rounds a step up to 1, 2 or 5 times 10^exponent. It also returns the number of
// minor steps in it.
func niceStep(step float64) (nice float64, exponent, minors int) {
	exponent = int(math.Floor(math.Log10(step)))
	for _, c := range []struct {
		times  float64
		minors int
	}{{1, 5}, {2, 4}, {5, 5}} {
		if nice := c.times * math.Pow10(exponent); nice >= step*(1-1e-9) {
			return nice, exponent, c.minors
		}
	}
	return math.Pow10(exponent + 1), exponent + 1, 5
}

// scaleDown returns v / 10^power.
func scaleDown(v float64, power int) float64 {
	if power < 0 {
		return v * math.Pow10(-power)
	}
	return v / math.Pow10(power)
}

// setLogTicks labels every decade, or every k-th one. With fewer than three decades it
// labels the powers of ten, those times 1, 2 and 5, or those times 1 to 9; if these are too
// few or do not fit, it labels even steps.
func (a *axis) setLogTicks(fit fits) {
	decades := int(math.Floor(a.hi) - math.Ceil(a.lo) + 1)
	if decades >= 3 {
		for _, stride := range []int{1, 2, 3, 5, 10, 20, 50, 100, 200, 500} {
			a.ticks = a.decadeTicks(stride)
			if fit(a.ticks) {
				return
			}
		}
		return
	}
	for _, labelled := range []string{"1", "125", "123456789"} {
		a.ticks = a.multipleTicks(labelled)
		if labels(a.ticks) >= 3 && fit(a.ticks) {
			return
		}
	}
	for n := 5; n > 0; n-- {
		a.ticks = a.evenTicks(n)
		if fit(a.ticks) && labels(a.ticks) >= 2 {
			return
		}
	}
	for _, labelled := range []string{"125", "1", ""} { // better few labels than overlapping ones
		if a.ticks = a.multipleTicks(labelled); fit(a.ticks) {
			return
		}
	}
}

// labels counts the labelled ticks.
func labels(ticks []tick) int {
	n := 0
	for _, t := range ticks {
		if t.label != "" {
			n++
		}
	}
	return n
}

// decadeTicks labels the decades that are multiples of stride. It adds minor ticks in
// between, unless they would be too dense.
func (a *axis) decadeTicks(stride int) []tick {
	const few, crowded = 8, 40 // decades
	if stride == 1 && a.hi-a.lo <= few {
		return a.multipleTicks("1")
	}
	var ticks []tick
	for k := int(math.Floor(a.lo)); float64(k) <= a.hi; k++ {
		t := tick{at: a.position(float64(k))}
		if k%stride == 0 {
			t.label = a.powerLabel(k)
		} else if a.hi-a.lo > crowded {
			continue
		}
		ticks = appendInside(ticks, t)
	}
	return ticks
}

// powerLabel formats 10^k, in plain digits on a plain axis.
func (a *axis) powerLabel(k int) string {
	if a.plain() {
		return decimal(math.Pow10(k), max(-k, 0))
	}
	return "10" + superscript(k)
}

// plain reports whether labels on a log axis are short in plain digits.
func (a *axis) plain() bool { return a.lo > -2.5 && a.hi < 4.2 }

// multipleTicks returns ticks at 1 to 9 times each power of ten, labelled where the
// leading digit is in labelled.
func (a *axis) multipleTicks(labelled string) []tick {
	var ticks []tick
	for k := int(math.Floor(a.lo)); float64(k) <= a.hi; k++ {
		for m := 1; m < 10; m++ {
			t := tick{at: a.position(float64(k) + math.Log10(float64(m)))}
			digit := strconv.Itoa(m)
			switch {
			case !strings.Contains(labelled, digit):
			case a.plain():
				t.label = decimal(float64(m)*math.Pow10(k), max(-k, 0))
			case m == 1:
				t.label = a.powerLabel(k)
			default:
				t.label = digit + "×10" + superscript(k)
			}
			ticks = appendInside(ticks, t)
		}
	}
	return ticks
}

// evenTicks returns about n labelled ticks at even steps of the value. It suits a log axis
// that spans a small part of a decade.
func (a *axis) evenTicks(n int) []tick {
	lo, hi := math.Pow(10, a.lo), math.Pow(10, a.hi)
	step, exponent, _ := niceStep((hi - lo) / float64(n))
	power := int(math.Floor(math.Log10(hi)))
	var ticks []tick
	first := math.Ceil(lo/step - 1e-9)
	for i := 0.0; first+i <= hi/step+1e-9; i++ {
		v := (first + i) * step
		t := tick{at: a.position(math.Log10(v))}
		if a.plain() {
			t.label = decimal(v, max(-exponent, 0))
		} else {
			t.label = decimal(scaleDown(v, power), max(power-exponent, 0)) + "×10" + superscript(power)
		}
		ticks = appendInside(ticks, t)
	}
	return ticks
}

// appendInside appends a tick that is on the axis.
func appendInside(ticks []tick, t tick) []tick {
	if t.at < -1e-9 || t.at > 1+1e-9 {
		return ticks
	}
	return append(ticks, t)
}

// decimal formats v with thousands separators and a typographic minus sign.
func decimal(v float64, decimals int) string {
	if v == 0 {
		return "0"
	}
	return strings.Replace(quantity.Group(strconv.FormatFloat(v, 'f', decimals, 64), ","), "-", "−", 1)
}

// superscript formats an exponent in superscript digits.
func superscript(n int) string { return superscriptDigits.Replace(strconv.Itoa(n)) }

var superscriptDigits = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶",
	"7", "⁷", "8", "⁸", "9", "⁹", "-", "⁻")
