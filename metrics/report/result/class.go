package result

import "tallynet/metrics/list"

// ClaimClass is the author of a claim's statement. Claims in early results have none.
type ClaimClass string

// Ours is the class of a statement that no paper makes. FactClasses lists the others.
const Ours ClaimClass = "ours"

// Of returns the class, or a guess for a claim without one.
func (c *Claim) Of() ClaimClass {
	switch {
	case c.Class != "":
		return c.Class
	case c.Printed != nil:
		return Number
	}
	return Ours
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
