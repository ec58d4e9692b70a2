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
	type pair struct {
		name               string
		predicted, counted int64
	}
	pairs := []pair{
		{"rounds", p.Total.Rounds, t.Rounds}, {"messages", p.Total.Messages, t.Messages},
		{"broadcast scalars", p.Total.Broadcast.Scalar, t.Broadcast.Scalar},
		{"broadcast vector elements", p.Total.Broadcast.Vector, t.Broadcast.Vector},
		{"broadcast matrix elements", p.Total.Broadcast.Matrix, t.Broadcast.Matrix},
		{"wire scalars", p.Total.Wire.Scalar, t.Wire.Scalar},
		{"wire vector elements", p.Total.Wire.Vector, t.Wire.Vector},
		{"wire matrix elements", p.Total.Wire.Matrix, t.Wire.Matrix},
	}
	for c := range NumCalls {
		pairs = append(pairs, pair{c.String() + " calls", p.Total.Oracle.Of(c), t.Oracle.Of(c)})
	}
	for _, q := range pairs {
		switch {
		case p.Bound && q.counted > q.predicted:
			return fmt.Errorf("%s: counted %d, above the bound of %d", q.name, q.counted, q.predicted)
		case !p.Bound && q.counted != q.predicted:
			return fmt.Errorf("%s: counted %d, predicted %d", q.name, q.counted, q.predicted)
		}
	}
	return nil
}
