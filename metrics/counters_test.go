package metrics

import "testing"

// A run has as many rounds as its busiest node, whichever reports last.
func TestRoundsAreThoseOfTheBusiestNode(t *testing.T) {
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
