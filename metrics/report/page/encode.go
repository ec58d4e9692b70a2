package page

import (
	"encoding/json"
	"math"
	"strconv"
)

// digits is the number of significant digits in the file. It exceeds what hovering and zooming show.
const digits = 6

// appendNumber appends a number as JSON. Integers keep all digits; a number that is not finite becomes null.
func appendNumber(b []byte, x float64) []byte {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return append(b, "null"...)
	case x == math.Trunc(x) && math.Abs(x) < 1<<53:
		return strconv.AppendInt(b, int64(x), 10)
	}
	return strconv.AppendFloat(b, x, 'g', digits, 64)
}

// MarshalJSON writes an array. If all numbers are equal, it writes one of them; an empty column is null.
func (c column) MarshalJSON() ([]byte, error) {
	if len(c) == 0 {
		return []byte("null"), nil
	}
	if len(c) > 1 && c.constant() {
		return appendNumber(nil, c[0]), nil
	}
	b := append(make([]byte, 0, 12*len(c)), '[')
	for i, x := range c {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendNumber(b, x)
	}
	return append(b, ']'), nil
}

func (c column) constant() bool {
	for _, x := range c[1:] {
		if x != c[0] {
			return false
		}
	}
	return true
}

// MarshalJSON writes [value, low, high, runs, note].
func (e chartValue) MarshalJSON() ([]byte, error) {
	number := func(x float64) json.RawMessage { return appendNumber(nil, x) }
	all := []any{number(e.Value), number(e.Low), number(e.High), e.Runs}
	if e.Note != "" {
		all = append(all, e.Note)
	}
	return json.Marshal(all)
}

// line is a column that is From + Per k at iteration k.
type line struct {
	From float64 `json:"from"`
	Per  float64 `json:"per"`
}

// MarshalJSON writes a cost that is proportional to the iterations as two numbers.
func (c curve) MarshalJSON() ([]byte, error) {
	costs := make([]any, len(c.Costs))
	for i, column := range c.Costs {
		costs[i] = column
		if from, per, ok := column.line(c.Iterations); ok {
			costs[i] = line{from, per}
		}
	}
	return json.Marshal(struct {
		Iterations []int    `json:"iterations"`
		Costs      []any    `json:"costs"`
		Values     []column `json:"values"`
	}{c.Iterations, costs, c.Values})
}
