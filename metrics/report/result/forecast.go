package result

import (
	"math/big"

	"tallynet/metrics"
)

// Forecast is what a run would cost, in closed form.
type Forecast struct {
	Label            string
	Point            Settings
	Nodes, DataNodes int
	Iterations       int
	*metrics.Prediction
	// Bytes of all messages without headers, once per receiver.
	VectorBytes, MatrixBytes, PayloadBytes *big.Int
	GoesOn                                 bool // without rounds: nodes go on until the slowest has done its iterations
	Tuned                                  bool // the parameters are those of the first point of a tuning grid
}
