// Package budget computes how much memory and work something needs from its dimensions
// alone, and returns an error before any memory is allocated if that is above a limit.
//
//	dimensions ─► Need{Bytes, Flops} ─► Limit.Check ─► *Error: what it needs, the limit, what would fit
//
// Numbers are float64, so that no product of dimensions overflows.
package budget

import (
	"cmp"
	"fmt"
	"math"
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
	return Limit{cmp.Or(l.Bytes, DefaultBytes), cmp.Or(l.Flops, DefaultFlops)}
}

// Part returns the limit of each of n equal parts.
func (l Limit) Part(n float64) Limit {
	l = l.bounds()
	return Limit{l.Bytes / n, l.Flops / n}
}

// Check returns an *Error unless the limit allows what is needed.
func (l Limit) Check(what string, need Need) error {
	l = l.bounds()
	if need.Bytes <= l.Bytes && need.Flops <= l.Flops {
		return nil
	}
	return &Error{What: what, Need: need, Limit: l}
}

// Raise says how a user raises the limit.
const Raise = "--max-memory raises the limit"

// Error reports a Need above the Limit.
type Error struct {
	What  string
	Need  Need
	Limit Limit
	Fits  string // what would fit, such as "rows up to 7"; "" if that is not known
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
	if e.Fits != "" {
		text += "; what would fit: " + e.Fits
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
