package metrics

import "fmt"

// Prediction is the closed form of a run's cost, to be compared with Totals.
type Prediction struct {
	Initial      Cost `json:"initial"`       // up to the initial point, iteration 0
	PerIteration Cost `json:"per_iteration"` // of outer iteration 1
	// Varies says that the cost differs between iterations.
	Varies bool        `json:"varies,omitempty"`
	Total  Cost        `json:"total"`           // up to the last iteration; counts saturate
	Terms  Terms       `json:"-"`               // of Total, exact at any size
	Bound  bool        `json:"bound"`           // the numbers are upper bounds
	Paper  *PaperCount `json:"paper,omitempty"` // the paper's own accounting
}

// Check returns an error that names the first count that differs from the prediction for the whole run or, if
// the prediction is a bound, exceeds it. Samples are not predicted.
func (p *Prediction) Check(t *Totals) error {
	for _, n := range p.pairs(t) {
		switch {
		case p.Bound && n.counted > n.predicted:
			return fmt.Errorf("%s: counted %d, above the bound of %d", n.name, n.counted, n.predicted)
		case !p.Bound && n.counted != n.predicted:
			return fmt.Errorf("%s: counted %d, predicted %d", n.name, n.counted, n.predicted)
		}
	}
	return nil
}

// CheckSpan returns an error that names the first count below one prediction, unless that is a bound, or above
// another one.
func CheckSpan(least, most *Prediction, t *Totals) error {
	above := *most
	above.Bound = true
	for _, n := range least.pairs(t) {
		if !least.Bound && n.counted < n.predicted {
			return fmt.Errorf("%s: counted %d, at least %d predicted", n.name, n.counted, n.predicted)
		}
	}
	return above.Check(t)
}

// pair is a predicted and a counted number.
type pair struct {
	name               string
	predicted, counted int64
}

// pairs returns the numbers of each cost.
func (p *Prediction) pairs(t *Totals) []pair {
	all := []pair{
		{"rounds", p.Total.Rounds, t.Rounds}, {"messages", p.Total.Messages, t.Messages},
		{"broadcast scalars", p.Total.Broadcast.Scalar, t.Broadcast.Scalar},
		{"broadcast vector elements", p.Total.Broadcast.Vector, t.Broadcast.Vector},
		{"broadcast matrix elements", p.Total.Broadcast.Matrix, t.Broadcast.Matrix},
		{"wire scalars", p.Total.Wire.Scalar, t.Wire.Scalar},
		{"wire vector elements", p.Total.Wire.Vector, t.Wire.Vector},
		{"wire matrix elements", p.Total.Wire.Matrix, t.Wire.Matrix},
	}
	for c := range NumCalls {
		all = append(all, pair{c.String() + " calls", p.Total.Oracle.Of(c), t.Oracle.Of(c)})
	}
	return all
}
