package metrics

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestElements(t *testing.T) {
	var e Elements
	e.Add(Scalar, 1)
	e.Add(Vector, 20)
	e.Add(Matrix, 300)
	e.Add(Vector, 20)
	if want := (Elements{1, 40, 300}); e != want || e.Total() != 341 {
		t.Errorf("%+v", e)
	}
	if got, want := e.Plus(Elements{1, 2, 3}).Times(2), (Elements{4, 84, 606}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestOracleCounts gives every kind of call its own number, so that none can be
// taken for another.
func TestOracleCounts(t *testing.T) {
	var o OracleCounts
	names := map[string]bool{}
	for c := range NumCalls {
		o.Add(c, int64(1+c), 10)
		names[c.String()] = true
	}
	want := OracleCounts{Value: 1, GradF: 2, GradG: 3, HVP: 4, JVP: 5, Hessian: 6, Jacobian: 7, Solve: 8, Samples: 80}
	if o != want || len(names) != int(NumCalls) {
		t.Errorf("%+v, names %v", o, names)
	}
	for c := range NumCalls {
		if got := o.Of(c); got != int64(1+c) {
			t.Errorf("%v: %d", c, got)
		}
	}
	if got := o.Plus(o).Plus(o); got != o.Times(3) || o != want {
		t.Errorf("three times: %+v; %+v", got, o)
	}
}

func TestCost(t *testing.T) {
	paper := &PaperCount{Formula: "d1"}
	a := Cost{Rounds: 1, Messages: 10, Broadcast: Elements{Vector: 3}, Wire: Elements{Vector: 6}, Oracle: OracleCounts{HVP: 2}, Paper: paper}
	b := Cost{Rounds: 2, Messages: 20, Broadcast: Elements{Matrix: 5}, Wire: Elements{Matrix: 7}, Oracle: OracleCounts{JVP: 4}, Bound: true}
	got := a.Times(2).Plus(b)
	want := Cost{
		Rounds: 4, Messages: 40, Broadcast: Elements{Vector: 6, Matrix: 5}, Wire: Elements{Vector: 12, Matrix: 7},
		Oracle: OracleCounts{HVP: 4, JVP: 4}, Bound: true, Paper: paper,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
