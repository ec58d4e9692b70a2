package execute

import (
	"testing"

	"tallynet/metrics"
	"tallynet/metrics/report/result"
)

// TestPhaseRowsOfTwoClasses: rows of one part are added; rows that differ in any key stay separate.
func TestPhaseRowsOfTwoClasses(t *testing.T) {
	row := result.PhaseRow{Phase: "mix", Part: "x", Kind: metrics.Vector, Rows: 1, Cols: 1, Messages: 2, Broadcast: 3,
		Wire: 4, Bytes: 5}
	rows := addPhase(addPhase(nil, row), row)
	if len(rows) != 1 || rows[0].Messages != 4 || rows[0].Broadcast != 6 || rows[0].Wire != 8 || rows[0].Bytes != 10 {
		t.Errorf("the same row twice: %+v", rows)
	}
	for i, change := range []func(*result.PhaseRow){
		func(r *result.PhaseRow) { r.Phase = "up" }, func(r *result.PhaseRow) { r.Part = "y" },
		func(r *result.PhaseRow) { r.Kind = metrics.Scalar }, func(r *result.PhaseRow) { r.Rows = 2 },
		func(r *result.PhaseRow) { r.Cols = 2 },
	} {
		other := row
		change(&other)
		if rows = addPhase(rows, other); len(rows) != i+2 || rows[i+1] != other {
			t.Errorf("%+v became part of %+v", other, rows)
		}
	}
}
