package metrics

import (
	"fmt"
	"testing"

	"tallynet/sim"
)

// TestRoundsOfTheBusiestNode checks that a run has as many rounds as its busiest node, for any order
// of reports.
func TestRoundsOfTheBusiestNode(t *testing.T) {
	for _, rounds := range [][]int64{{3, 7, 5}, {7, 5, 3}, {3, 5, 7}, {7, 7, 0}} {
		var all Counters
		for _, n := range rounds {
			all.Add(&Counters{Rounds: n})
		}
		if all.Rounds != 7 {
			t.Errorf("nodes with %v rounds make a run of %d, want 7", rounds, all.Rounds)
		}
	}
}

// TestMeanAge: 4 values have a total age of 2 s, and 2 of them of 6 iterations.
func TestMeanAge(t *testing.T) {
	for s, want := range map[Stale][2]float64{
		{Mixed: 4, Age: 2 * sim.Second, Counted: 2, Iterations: 6}: {0.5, 3}, {Mixed: 1, Age: sim.Second}: {1, 0},
		{Counted: 1, Iterations: 7}: {0, 7}, {}: {0, 0},
	} {
		if seconds, iterations := s.Mean(); seconds != want[0] || iterations != want[1] {
			t.Errorf("%+v: %g s and %g iterations, want %g", s, seconds, iterations, want)
		}
	}
}

// TestMainCosts: seven costs compare methods, in this order. Figures draw over four, and three are headlines.
func TestMainCosts(t *testing.T) {
	want := []string{"iterations", "payload_bytes", "time_s", "rounds", "oracle_calls", "energy_j", "money"}
	ranked := RankedCosts()
	for i, c := range ranked {
		if c.Main() != (i < len(want)) || c.Main() && c.ID != want[i] {
			t.Errorf("cost %d is %s, by which methods are compared: %t", i, c.ID, c.Main())
		}
	}
	var drawn, headlines []string
	for _, c := range AxisCosts() {
		drawn = append(drawn, c.ID)
	}
	for _, c := range Headlines() {
		headlines = append(headlines, c.ID)
	}
	if fmt.Sprint(drawn) != "[iterations payload_bytes oracle_calls time_s]" ||
		fmt.Sprint(headlines) != "[iterations payload_bytes time_s]" {
		t.Errorf("drawn over %v, compared in %v", drawn, headlines)
	}
	if len(ranked) != len(CostItems()) || len(ranked) < 40 {
		t.Errorf("%d costs", len(ranked))
	}
}

// TestPlacesOfCosts checks which costs are counted, which are real numbers and which are derived, and that
// FindCost finds them.
func TestPlacesOfCosts(t *testing.T) {
	m := Moment{Iteration: 3, Totals: Totals{Rounds: 5, Time: 1500 * sim.Millisecond}}
	m.Totals.Energy = 2.5
	m.Totals.Payload[Vector] = 7
	for id, want := range map[string]struct {
		value       float64
		field, real bool
	}{
		"iterations": {3, false, false}, "rounds": {5, true, false}, "time_s": {1.5, true, false},
		"energy_j": {2.5, false, true}, "payload_bytes": {7, false, false}, "vector_bytes": {7, true, false},
		"scalar_bytes": {0, true, false}, "money": {0, false, true},
	} {
		c := FindCost(id)
		if c == nil {
			t.Fatalf("there is no cost %s", id)
		}
		if got := c.Value(&m); got != want.value {
			t.Errorf("%s is %g, want %g", id, got, want.value)
		}
		if (c.Field != nil) != want.field || (c.Real != nil) != want.real {
			t.Errorf("%s is a field: %t, a real number: %t", id, c.Field != nil, c.Real != nil)
		}
	}
	if FindCost("none") != nil {
		t.Error("there is a cost that is none")
	}
	e := Elements{Scalar: 1, Vector: 2, Matrix: 3}
	if e.Of(Scalar) != 1 || e.Of(Vector) != 2 || e.Of(Matrix) != 3 {
		t.Errorf("%+v by kind: %d, %d, %d", e, e.Of(Scalar), e.Of(Vector), e.Of(Matrix))
	}
	if c := (Bill{}).Charge(); c != (Charge{}) {
		t.Errorf("nothing costs %+v", c)
	}
}
