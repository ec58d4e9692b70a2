package study

import (
	"testing"

	"tallynet/scenarios/scenariotest"
)

// TestIdleInstances: the first run reuses the instance from the study's check, and the next run reuses it
// again. The latest instances stay, as far as memory allows.
func TestIdleInstances(t *testing.T) {
	st, err := New(scenariotest.Parse(t, "version: 1\nseeds: 5\ntopology: {kind: ring, nodes: 3}\n"+
		"problem: {kind: quadratic, p: 2, q: 2}\n"+
		"algorithms: [{name: dagm, outer: 1, inner: 1, neumann: 1, alpha: 0.1, beta: 0.1}]\n"), &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	if len(st.idle.kept) != 4 || st.idle.bytes != 4*st.First().Bytes() {
		t.Fatalf("%d instances are idle, with %g bytes, want 4", len(st.idle.kept), st.idle.bytes)
	}
	built := st.idle.kept[1].instance
	for range 2 {
		if in, err := st.instances[2].enter(); err != nil || in != built || len(st.idle.kept) != 3 {
			t.Fatalf("%v: another instance than was built, or %d idle", err, len(st.idle.kept))
		}
		st.instances[2].leave()
	}
	if last := st.idle.kept[3]; last.of != st.instances[2] {
		t.Error("what was used last is not the last to go")
	}
	if first, err := st.instances[0].enter(); err != nil || first != st.First() || len(st.idle.kept) != 4 {
		t.Errorf("%v: the first instance is another one", err)
	}
	// If each needs 0.4 of the idle limit, the last two stay.
	st.idle.bytes = 0
	for i := range st.idle.kept {
		st.idle.kept[i].bytes = 0.4 * idleBytes
		st.idle.bytes += st.idle.kept[i].bytes
	}
	in, err := st.instances[4].enter()
	if err != nil {
		t.Fatal(err)
	}
	st.instances[4].leave()
	if n := len(st.idle.kept); n != 3 || st.idle.kept[1].of != st.instances[2] || st.idle.kept[2].instance != in {
		t.Errorf("%d are idle, want two of 0.4 and the last", n)
	}
	if st.idle.take(st.instances[1]) != nil {
		t.Error("an instance that was dropped is there")
	}
	for range idleMost {
		st.idle.put(st.instances[3], in)
	}
	if n := len(st.idle.kept); n != idleMost || st.idle.kept[0].of != st.instances[3] {
		t.Errorf("%d small instances are idle, want %d", n, idleMost)
	}
}
