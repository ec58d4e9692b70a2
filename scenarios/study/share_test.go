package study

import (
	"context"
	"slices"
	"sync"
	"testing"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
)

// TestShares: processes that share a study do each run once, and leave what one process
// would, even if a method is tuned.
func TestShares(t *testing.T) {
	const text = "version: 1\ntopology: {kind: ring, nodes: 4}\nproblem: {kind: quadratic, p: 2, q: 3}\nseeds: 4\n" +
		"sweep: {network.latency: [1ms, 2ms]}\nalgorithms:\n  - {name: dgbo, outer: 3, terms: 2, alpha: 0.02, gamma: " +
		"0.5, beta: 0.1, lipschitz: 20}\n" +
		"  - {name: dagm, outer: 3, inner: 2, neumann: 1, beta: 0.1, tune: {grid: {alpha: [0.01, 0.02, 0.03]}, by: " +
		"grad_norm2}}\n"
	s, err := spec.Parse("s.yaml", []byte(text), scenariotest.Catalog(), nil)
	if err != nil {
		t.Fatal(err)
	}
	st, err := New(s, &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := st.Run(context.Background(), Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	dir, did := t.TempDir(), make([]int, 3)
	var group sync.WaitGroup
	for k := range did {
		store, err := result.OpenRunStore(dir)
		if err != nil {
			t.Fatal(err)
		}
		group.Go(func() {
			_, err := st.Run(context.Background(), Options{Workers: 1, Store: store, Share: Share{k + 1, 3},
				Notify: func(e Event) {
					if e.Done != nil && !e.Stored {
						did[k]++
					}
				}})
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	store, err := result.OpenRunStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	standing, err := st.Standing(store, "")
	want := Standing{Runs: 16, Stored: 16, Trials: 6, Tried: 6}
	if err != nil || standing != want {
		t.Errorf("%+v, %v; want %+v", standing, err, want)
	}
	if total := did[0] + did[1] + did[2]; total < 20 || total > 22 { // the best trials are runs of the first seed
		t.Errorf("%d runs and trials were done, by %d", total, did)
	}
	shared, err := st.Run(context.Background(), Options{Workers: 1, Store: store, Notify: func(e Event) {
		if e.Done != nil && !e.Stored {
			t.Error("the run that reports did a run itself")
		}
	}})
	if err != nil || len(shared) != len(alone) {
		t.Fatal(len(shared), err)
	}
	for i := range alone {
		if alone[i].Hash != shared[i].Hash || alone[i].Label != shared[i].Label {
			t.Errorf("run %d: %s, want %s", i, shared[i].Hash, alone[i].Hash)
		}
	}
}

// TestShareOrder: a process begins with its own part, and all parts together are complete.
func TestShareOrder(t *testing.T) {
	for _, n := range []int{0, 1, 5, 20, 23} {
		var own []int
		for k := range 4 {
			order := Share{k + 1, 4}.order(n)
			for _, i := range order {
				if i%4 == k {
					own = append(own, i)
				}
			}
			for i, v := range order {
				if i > 0 && order[i-1]%4 != k && v%4 == k {
					t.Errorf("share %d of %d jobs: %v: its own are not first", k+1, n, order)
				}
			}
			slices.Sort(order)
			for i, v := range order {
				if i != v {
					t.Errorf("share %d of %d jobs: %v", k+1, n, order)
				}
			}
			if len(order) != n {
				t.Errorf("%d of %d jobs", len(order), n)
			}
		}
		if len(own) != n {
			t.Errorf("parts of %d jobs have %d together", n, len(own))
		}
	}
}
