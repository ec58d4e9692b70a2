// Package budget computes how much memory and work something needs from its dimensions
// alone, and returns an error before any memory is allocated if that is above a limit.
//
//	dimensions ─► Need{Bytes, Flops} ─► Limit.Check ─► *Error: what it needs, the limit, what would fit
//
// Numbers are float64, so that no product of dimensions overflows.
package budget

import (
	"fmt"
	"math"
	"sort"
	"strings"
)

// Need is an amount of memory and work.
type Need struct {
	Bytes float64 // of memory, at the peak
	Flops float64 // of work; 0 where memory is what counts
}

// Plus returns the sum of two needs.
func (n Need) Plus(m Need) Need { return Need{n.Bytes + m.Bytes, n.Flops + m.Flops} }

// Float64s returns the memory of a product of dimensions in float64 numbers.
func Float64s(dimensions ...float64) Need {
	bytes := 8.0
	for _, d := range dimensions {
		bytes *= d
	}
	return Need{Bytes: bytes}
}

// Defaults of Limit.
const (
	DefaultBytes = 4e9
	DefaultFlops = 1e13 // an hour or more on one core
)

// Limit is an upper bound of a Need. The zero value means the defaults.
type Limit struct{ Bytes, Flops float64 }

func (l Limit) bounds() Limit {
	if l.Bytes == 0 {
		l.Bytes = DefaultBytes
	}
	if l.Flops == 0 {
		l.Flops = DefaultFlops
	}
	return l
}

// Part returns the limit of each of n equal parts.
func (l Limit) Part(n float64) Limit {
	l = l.bounds()
	return Limit{l.Bytes / n, l.Flops / n}
}

// allows reports whether a need is within the limit.
func (l Limit) allows(n Need) bool {
	l = l.bounds()
	return n.Bytes <= l.Bytes && n.Flops <= l.Flops
}

// Dimension is a size that a user could make smaller.
type Dimension struct {
	Name  string // as the user writes it
	Value int
	Need  func(value int) Need // of the whole, with this dimension changed
}

// Check returns an *Error unless the limit allows what is needed.
func (l Limit) Check(what string, need Need, dimensions ...Dimension) error {
	if l.allows(need) {
		return nil
	}
	e := &Error{What: what, Need: need, Limit: l.bounds()}
	for _, d := range dimensions {
		if fits := l.largest(d); fits > 0 && fits < d.Value {
			e.Fits = append(e.Fits, Fit{d.Name, d.Value, fits})
		}
	}
	return e
}

// largest returns the largest value of a dimension that the limit allows, or 0.
func (l Limit) largest(d Dimension) int {
	return sort.Search(d.Value, func(k int) bool { return !l.allows(d.Need(k + 1)) })
}

// Raise says how a user raises the limit.
const Raise = "--max-memory raises the limit"

// Fit is the largest value of a dimension that is within the limit.
type Fit struct {
	Name        string
	Value, Fits int
}

// Error reports a Need above the Limit.
type Error struct {
	What  string
	Need  Need
	Limit Limit
	Fits  []Fit
}

func (e *Error) Error() string {
	var over []string
	if e.Need.Bytes > e.Limit.Bytes {
		over = append(over, fmt.Sprintf("%s of memory, and the limit is %s", Bytes(e.Need.Bytes), Bytes(e.Limit.Bytes)))
	}
	if e.Need.Flops > e.Limit.Flops {
		over = append(over, fmt.Sprintf("%s of work, and the limit is %s", flops(e.Need.Flops), flops(e.Limit.Flops)))
	}
	text := fmt.Sprintf("%s needs %s", e.What, strings.Join(over, "; it needs "))
	var fits []string
	for _, f := range e.Fits {
		fits = append(fits, fmt.Sprintf("%s up to %d (here %d)", f.Name, f.Fits, f.Value))
	}
	if len(fits) > 0 {
		text += "; what would fit: " + strings.Join(fits, ", or ")
	}
	return text + "; " + Raise
}

// Bytes formats an amount of memory, such as "1.6 TB".
func Bytes(v float64) string { return scaled(v, "B") }

// flops formats an amount of work, such as "2.5 TFLOP".
func flops(v float64) string { return scaled(v, "FLOP") }

func scaled(v float64, unit string) string {
	prefixes := []string{"", "k", "M", "G", "T", "P", "E", "Z", "Y"}
	k := 0
	for ; k < len(prefixes)-1 && math.Abs(v) >= 999.5; k++ {
		v /= 1000
	}
	return fmt.Sprintf("%.3g %s%s", v, prefixes[k], unit)
}
