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
	counted := t.counts()
	for i, want := range p.Total.Counts() {
		switch n := counted[i].Value; {
		case p.Bound && n > want.Value:
			return fmt.Errorf("%s: counted %d, above the bound of %d", want.Name, n, want.Value)
		case !p.Bound && n != want.Value:
			return fmt.Errorf("%s: counted %d, predicted %d", want.Name, n, want.Value)
		}
	}
	return nil
}

// CheckSpan returns an error that names the first count below one prediction, unless that is a bound, or above
// another one.
func CheckSpan(least, most *Prediction, t *Totals) error {
	above, counted := *most, t.counts()
	above.Bound = true
	for i, want := range least.Total.Counts() {
		if n := counted[i].Value; !least.Bound && n < want.Value {
			return fmt.Errorf("%s: counted %d, at least %d predicted", want.Name, n, want.Value)
		}
	}
	return above.Check(t)
}

// counts returns the numbers that are predicted.
func (t *Totals) counts() []NamedCount {
	return Cost{Rounds: t.Rounds, Messages: t.Messages, Broadcast: t.Broadcast, Wire: t.Wire, Oracle: t.Oracle}.Counts()
}
