package problems

import (
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
)

// A batch with the same indices is gathered again if the samples were replaced, and only
// then.
func TestBatchAfterReset(t *testing.T) {
	of := func(values ...float64) samples {
		return samples{x: blas64.General{Rows: len(values), Cols: 1, Stride: 1, Data: values},
			t: make([]float64, len(values))}
	}
	r := newMarginRisk(loss{kind: halfSquared}, of(1, 2, 3))
	idx := []int{2}
	r.setBatch(idx)
	first := r.used().x.Data[0]
	r.setBatch(nil)
	r.part.x.Data[0] = -1 // shows whether the batch is copied again
	r.setBatch(idx)
	if got := r.used().x.Data[0]; first != 3 || got != -1 {
		t.Errorf("gathered %g, then %g; want 3, then -1", first, got)
	}
	r.reset(of(4, 5, 6))
	r.setBatch(idx)
	if got := r.used().x.Data[0]; got != 6 {
		t.Errorf("after a reset the batch holds %g, want 6", got)
	}
}
