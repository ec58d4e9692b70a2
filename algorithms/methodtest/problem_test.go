package methodtest

import (
	"runtime"
	"slices"
	"sync"
	"testing"

	"tallynet/algorithms"
	"tallynet/scenarios/problems/oracletest"
)

// The problems of the suite have correct derivatives.
func TestLocal(t *testing.T) {
	for _, d := range [][2]int{{3, 4}, {4, 2}, {1, 3}} {
		if err := oracletest.Check(newLocal(newShare(2, d[0], d[1]), .5), oracletest.Options{}); err != nil {
			t.Errorf("p, q = %v: %v", d, err)
		}
	}
}

// Numberings that keep the order of all neighbour lists differ from the first numbering,
// if there are others, and do keep the order.
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

// Methods may be checked in parallel: GOMAXPROCS has its old value afterwards.
func TestOtherThreadsSideBySide(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	for _, threads := range []int{1, 2} {
		runtime.GOMAXPROCS(threads)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				s := newSuite(Case{New: func() algorithms.Method { return algorithms.DGD{Outer: 3, Alpha: .01} }})
				for range 10 {
					if other, _, err := s.playOnOtherThreads(s.typical()); err != nil || other != 3-threads {
						t.Errorf("%d threads instead of %d: %v", other, threads, err)
					}
				}
			})
		}
		all.Wait()
		if now := runtime.GOMAXPROCS(0); now != threads {
			t.Errorf("GOMAXPROCS is %d, and was %d", now, threads)
		}
	}
}
