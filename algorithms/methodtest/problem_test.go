package methodtest

import (
	"slices"
	"testing"

	"tallynet/algorithms"
	"tallynet/scenarios/problems/oracletest"
)

// The problems of the suite have the derivatives that they say.
func TestLocal(t *testing.T) {
	for _, d := range [][2]int{{3, 4}, {4, 2}, {1, 3}} {
		if err := oracletest.Check(newLocal(newShare(2, d[0], d[1]), .5), oracletest.Options{}); err != nil {
			t.Errorf("p, q = %v: %v", d, err)
		}
	}
}

// Numberings that keep the order of all lists of neighbours are not the first one, where
// there are others, and do keep it.
func TestOrderKeeping(t *testing.T) {
	other := 0
	for _, n := range networks(algorithms.Requirements{}) {
		numbers := orderKeeping(n)
		for id := range n.nodes() {
			row := n.w.Graph().Neighbors(id)
			if !slices.IsSortedFunc(row, func(a, b int) int { return numbers[a] - numbers[b] }) {
				t.Errorf("%s: numbers %v change the order of %v", n.name, numbers, row)
			}
		}
		if !slices.IsSorted(numbers) {
			other++
		}
	}
	if other < 4 {
		t.Errorf("only %d networks are numbered otherwise", other)
	}
}
