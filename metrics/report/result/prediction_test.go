package result

import (
	"strings"
	"testing"

	"tallynet/metrics"
)

func TestPredictionCheck(t *testing.T) {
	run := &example(t).Runs[0]
	if err := run.Predicted.Check(&run.Totals); err != nil {
		t.Errorf("equal counts: %v", err)
	}
	for name, change := range map[string]func(*metrics.Totals, int64){
		"rounds": func(t *metrics.Totals, n int64) { t.Rounds += n }, "wire matrix elements": func(t *metrics.Totals,
			n int64) {
			t.Wire.Matrix += n
		},
		"broadcast scalars": func(t *metrics.Totals, n int64) { t.Broadcast.Scalar += n },
		"solve calls":       func(t *metrics.Totals, n int64) { t.Oracle.Solve += n },
	} {
		for _, bound := range []bool{false, true} {
			for _, n := range []int64{-1, 1} {
				prediction, totals := *run.Predicted, run.Totals
				prediction.Bound = bound
				change(&totals, n)
				err := prediction.Check(&totals)
				if wrong := !bound || n > 0; wrong != (err != nil) || wrong && !strings.HasPrefix(err.Error(), name+":") {
					t.Errorf("%s off by %d, bound %v: %v", name, n, bound, err)
				}
			}
		}
	}
}
