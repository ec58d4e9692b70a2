package result

import (
	"fmt"
	"math"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/list"
)

// ClaimClass is the author of a claim's statement. Claims in early results have none.
type ClaimClass string

// The classes of claims.
const (
	OfPaper ClaimClass = "paper" // a printed number, order or shape
	OfBound ClaimClass = "bound" // a printed upper bound, with which a result can only be consistent
	Ours    ClaimClass = "ours"  // a statement that the source does not make
)

// Of returns the class, or a guess for a claim without one.
func (c *Claim) Of() ClaimClass {
	switch {
	case c.Class != "":
		return c.Class
	case c.Printed != nil:
		return OfPaper
	}
	return Ours
}

// Margin is a number, with its 95 % confidence interval if it has one, beside the limit
// that a claim sets for it. In JSON a number that is not finite is null.
type Margin struct {
	Name  string      `json:"name"` // the expression
	Value jsonio.Real `json:"value"`
	Low   jsonio.Real `json:"low"`
	High  jsonio.Real `json:"high"`
	Limit jsonio.Real `json:"limit"`
}

// below returns how far the value lies below the limit.
func (m *Margin) below() float64 { return float64(m.Limit - m.Value) }

// String compares the value with the limit: "1.03 [0.9, 1.16], 0.97 below 2".
func (m *Margin) String() string {
	text := short(m.Value)
	if !math.IsNaN(float64(m.Low)) && m.Low != m.High {
		text += fmt.Sprintf(" [%s, %s]", short(m.Low), short(m.High))
	}
	switch d := m.below(); {
	case math.IsNaN(d) || math.IsInf(d, 0):
		return text
	case d < 0:
		return text + fmt.Sprintf(", %s above %s", short(jsonio.Real(-d)), short(m.Limit))
	case d > 0:
		return text + fmt.Sprintf(", %s below %s", short(jsonio.Real(d)), short(m.Limit))
	}
	return text + ", at " + short(m.Limit)
}

// short writes a number in three digits.
func short(x jsonio.Real) string { return fmt.Sprintf("%.3g", float64(x)) }

// Finding returns the outcome in the words of the claim's class: a paper's statement is reproduced, a bound is kept,
// a statement of ours holds.
func (c *Claim) Finding() string {
	switch out := c.Outcome(); {
	case out == "differs as expected":
		return "differs"
	case c.Expected == Open && c.Verdict == Undecided:
		return "undecided"
	case c.Of() == OfBound && c.Verdict == Holds && len(c.Margins) > 0:
		return out + " (" + c.Margins[0].String() + ")"
	case c.Of() != OfPaper || out != string(Holds):
		return out
	case c.Exact:
		return "reproduced exactly"
	}
	return "reproduced"
}

// Why returns why the claim is undecided, why it differs, or why it holds by construction; "" if nothing is known.
func (c *Claim) Why() string {
	switch {
	case c.Verdict != Undecided:
		return c.Because
	case c.Expected == Open && c.Reason != "":
		return c.Because + " (" + c.Reason + ")"
	case c.Expected == Open:
		return c.Because
	}
	return c.Reason
}

// Part is a part of the check of a claim, and what it amounts to.
type Part struct{ Name, Text string }

// Parts returns the parts of the check with a number, in the given form, and then the others.
func (c *Claim) Parts(number func(float64) string) []Part {
	parts := list.Map(c.Measured, func(v NamedValue) Part { return Part{v.Name, number(v.Value)} })
	return append(parts, list.Map(c.Observed, func(s Setting) Part { return Part{s.Key, s.Text()} })...)
}
