package study_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/problems/data"
	"tallynet/scenarios/spec"
	"tallynet/scenarios/study"
)

// heldBy returns the memory that the runs of a study keep, besides what their store keeps of them. The second time
// the runs are read from the store.
func heldBy(t *testing.T, points, seeds int) (bytes uint64, runs []result.Run) {
	t.Helper()
	src := fmt.Sprintf("version: 1\ntopology: {kind: complete, nodes: 2}\nproblem: {kind: consensus, dim: 2}\n"+
		"algorithms: [{name: gossip, rounds: 4}]\nseeds: %d\nsweep: {problem.dim: [", seeds)
	for p := range points {
		src += fmt.Sprintf("%d, ", p+1)
	}
	s, err := spec.Parse("many.yaml", []byte(src[:len(src)-2]+"]}\n"), catalog.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	st, err := study.New(s, new(data.Loader))
	if err != nil {
		t.Fatal(err)
	}
	store, err := result.OpenRunStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	o := study.Options{Workers: 2, Store: store}
	if _, err := st.Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	heap := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	if o.Store, err = result.OpenRunStore(store.Folder()); err != nil {
		t.Fatal(err)
	}
	before := heap()
	if runs, err = st.Run(context.Background(), o); err != nil || len(runs) != points*seeds {
		t.Fatalf("%d runs: %v", len(runs), err)
	}
	for i := range runs {
		runs[i].Load = nil // the store behind it keeps 8 MB of runs, for any number
	}
	o.Store = nil
	after := heap()
	runtime.KeepAlive(st)
	runtime.KeepAlive(runs)
	if runs, err = st.Run(context.Background(), study.Options{Workers: 2, Store: store}); err != nil {
		t.Fatal(err)
	}
	return after - min(before, after), runs
}

// TestRunsOfALargeStudyAreSmall: a stored run keeps less than 3 kB in memory, whatever it recorded, so a
// hundred thousand runs stay far below 2 GiB.
func TestRunsOfALargeStudyAreSmall(t *testing.T) {
	few, runs := heldBy(t, 10, 5)
	many, all := heldBy(t, 10, 15)
	each := (int64(many) - int64(few)) / int64(len(all)-len(runs))
	t.Logf("%d runs hold %d bytes, %d hold %d: %d for each more", len(runs), few, len(all), many, each)
	if each > 2500 {
		t.Errorf("a run keeps %d bytes in memory", each)
	}
	for i := range all {
		r := &all[i]
		if r.Samples != nil || r.Nodes != nil || r.Links != nil || r.Phases != nil {
			t.Fatalf("%s keeps what is long", r.Name())
		}
		full, err := r.Full()
		if err != nil || len(full.Samples) != 5 || len(full.Nodes) != 2 || full.Point.Text("=") != r.Point.Text("=") ||
			full.Seed != r.Seed || full.Hash != r.Hash || full.Final.Iteration != r.Final.Iteration {
			t.Fatalf("%s: what is read again is another run (%v)", r.Name(), err)
		}
	}
}
