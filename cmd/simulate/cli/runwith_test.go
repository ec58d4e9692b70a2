package cli

import (
	"tallynet/metrics"
	"tallynet/metrics/result"
	"tallynet/sim"
)

// runWith is a run whose metrics go as given; iteration k has sent 100 k bytes.
func runWith(label string, seed uint64, status result.Status, gradient, accuracy []float64) result.Run {
	r := result.Run{Label: label, Seed: seed, Status: status, Metrics: []string{"grad_norm2", "test_accuracy"}}
	for k := range gradient {
		s := result.Sample{Moment: metrics.Moment{Iteration: k}, Values: []float64{gradient[k], accuracy[k]}}
		s.Totals.Time = sim.Time(k) * sim.Millisecond
		s.Totals.Payload[metrics.Vector] = int64(100 * k)
		r.Samples = append(r.Samples, s)
	}
	r.Finish()
	return r
}
