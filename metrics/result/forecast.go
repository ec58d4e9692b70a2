package result

import "tallynet/metrics"

// Forecast is what a run would cost, in closed form.
type Forecast struct {
	Label            string
	Point            Settings
	Nodes, DataNodes int
	Iterations       int
	*metrics.Prediction
	// Bytes of all messages without headers, once per receiver.
	VectorBytes, MatrixBytes, PayloadBytes int64
	Tuned                                  bool // the parameters are those of the first point of a tuning grid
}
