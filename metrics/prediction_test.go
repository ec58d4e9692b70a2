package metrics

import (
	"fmt"
	"testing"
)

// TestPredictionIsChecked checks that a count that is off by one is found and named, and that a count below a
// bound is valid.
func TestPredictionIsChecked(t *testing.T) {
	var p Prediction
	var counted Totals
	counts := map[string][2]*int64{
		"rounds": {&p.Total.Rounds, &counted.Rounds}, "messages": {&p.Total.Messages, &counted.Messages},
		"broadcast scalars":         {&p.Total.Broadcast.Scalar, &counted.Broadcast.Scalar},
		"broadcast vector elements": {&p.Total.Broadcast.Vector, &counted.Broadcast.Vector},
		"broadcast matrix elements": {&p.Total.Broadcast.Matrix, &counted.Broadcast.Matrix},
		"wire scalars":              {&p.Total.Wire.Scalar, &counted.Wire.Scalar},
		"wire vector elements":      {&p.Total.Wire.Vector, &counted.Wire.Vector},
		"wire matrix elements":      {&p.Total.Wire.Matrix, &counted.Wire.Matrix},
	}
	for c := range NumCalls {
		counts[c.String()+" calls"] = [2]*int64{p.Total.Oracle.At(c), counted.Oracle.At(c)}
	}
	next := int64(10)
	for _, pair := range counts {
		next++
		*pair[0], *pair[1] = next, next
	}
	for name, pair := range counts {
		for more, want := range map[int64][2]string{
			-1: {"counted %d, predicted %d", ""}, 0: {}, 1: {"counted %d, predicted %d", "counted %d, above the bound of %d"},
		} {
			*pair[1] += more
			for bound, form := range map[bool]string{false: want[0], true: want[1]} {
				p.Bound = bound
				text := "<nil>"
				if form != "" {
					text = name + ": " + fmt.Sprintf(form, *pair[1], *pair[0])
				}
				if err := p.Check(&counted); fmt.Sprint(err) != text {
					t.Errorf("%s, %+d, a bound: %v: error %v, want %s", name, more, bound, err, text)
				}
			}
			*pair[1] -= more
		}
	}
	counted.Oracle.Samples++
	if err := p.Check(&counted); err != nil {
		t.Errorf("samples are not predicted: %v", err)
	}
}
