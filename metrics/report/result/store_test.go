package result

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRunStore(t *testing.T) {
	store, err := OpenRunStore(filepath.Join(t.TempDir(), "a", "runs"))
	if err != nil {
		t.Fatal(err)
	}
	if run, err := store.Get("none"); run != nil || err != nil {
		t.Errorf("a run that was not stored: %v, %v", run, err)
	}
	report := example(t)
	for i := range report.Runs {
		if err := store.Put(fmt.Sprint(i), &report.Runs[i]); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := filepath.Glob(store.path("*")); err != nil || len(n) != len(report.Runs) {
		t.Errorf("%q are stored: %v", n, err)
	}
	again, err := OpenRunStore(store.Folder())
	if err != nil {
		t.Fatal(err)
	}
	if !store.Wrote("0") || again.Wrote("0") {
		t.Error("the store does not find the run that it wrote")
	}
	back := *report
	back.Runs = nil
	for i := range report.Runs {
		run, err := again.Get(fmt.Sprint(i))
		if err != nil {
			t.Fatal(err)
		}
		back.Runs = append(back.Runs, *run)
	}
	sameResult(t, report, &back)
	if err := os.Rename(store.path("0"), store.path("other")); err != nil {
		t.Fatal(err)
	}
	if run, err := again.Get("other"); err == nil {
		t.Errorf("the run of another key is believed: %v", run.Label)
	}
}

// sameResult compares everything that two reports write.
func sameResult(t *testing.T, want, got *Report) {
	t.Helper()
	for _, f := range want.Files() {
		var a, b bytes.Buffer
		if err := f.Write(&a); err != nil {
			t.Fatal(err)
		}
		for _, g := range got.Files() {
			if g.Name == f.Name {
				if err := g.Write(&b); err != nil {
					t.Fatal(err)
				}
			}
		}
		if diff := cmp.Diff(a.String(), b.String()); diff != "" {
			t.Errorf("%s: %s", f.Name, diff)
		}
	}
}

func TestRunStoreInUse(t *testing.T) {
	folder := t.TempDir()
	report := example(t)
	const keys = 20
	var all sync.WaitGroup
	for range 4 {
		store, err := OpenRunStore(folder)
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			for k := range 3 * keys {
				key := fmt.Sprint(k % keys)
				if err := store.Put(key, &report.Runs[0]); err != nil {
					t.Error(err)
				}
				if run, err := store.Get(key); err != nil || run == nil || run.Label != report.Runs[0].Label {
					t.Errorf("%v, %v", run, err)
				}
			}
		})
	}
	all.Wait()
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != keys {
		t.Errorf("%d files: %v", len(entries), err)
	}
}

// TestBriefRuns writes a report of brief runs, which are loaded one by one.
func TestBriefRuns(t *testing.T) {
	report := example(t)
	loaded := 0
	brief := *report
	brief.Runs = nil
	for i := range report.Runs {
		r := &report.Runs[i]
		b := r.Brief(func() (*Run, error) { loaded++; return r, nil })
		if b.Samples != nil || b.Links != nil || b.Nodes != nil || b.Phases != nil || b.X != nil || b.Y != nil {
			t.Errorf("%s keeps what is long", b.Label)
		}
		brief.Runs = append(brief.Runs, b)
	}
	sameResult(t, report, &brief)
	if loaded == 0 {
		t.Error("nothing was loaded")
	}
	gone := errors.New("gone")
	brief.Runs[0] = report.Runs[0].Brief(func() (*Run, error) { return nil, gone })
	for _, f := range brief.Files() {
		if err := f.Write(&bytes.Buffer{}); !errors.Is(err, gone) {
			t.Errorf("%s is written without its run: %v", f.Name, err)
		}
	}
}

// A name never leads out of the folder.
func TestNamesStayInTheFolder(t *testing.T) {
	folder := t.TempDir()
	victim := filepath.Join(folder, "victim")
	if err := os.WriteFile(victim, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	inside := filepath.Join(folder, "inside")
	if err := os.Mkdir(inside, 0o777); err != nil {
		t.Fatal(err)
	}
	write := func(w io.Writer) error { return nil }
	if WriteFiles(inside, []File{{"../victim", write}}, nil) == nil || WriteFiles(inside, []File{{"a", write}},
		[]string{"../victim"}) == nil {
		t.Error("a name with a path is taken")
	}
	if _, err := os.Stat(victim); err != nil {
		t.Error(err)
	}
	report := example(t)
	report.Tables = []PaperTable{{Name: "../evil"}}
	var b bytes.Buffer
	if err := report.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadReport(&b); err == nil {
		t.Error("a result with such a table is read")
	}
}

// TestRunsThatStayDecoded: many small runs stay, but only the last 64 large ones. A replaced run is read again.
func TestRunsThatStayDecoded(t *testing.T) {
	run := &example(t).Runs[0]
	small, err := OpenRunStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	const many = recentRuns + 10
	decoded := map[string]*Run{}
	get := func(key string) *Run {
		t.Helper()
		run, err := small.Get(key)
		if err != nil || run == nil {
			t.Fatalf("%s: %v, %v", key, run, err)
		}
		return run
	}
	for i := range many {
		key := fmt.Sprint(i)
		if err := small.Put(key, run); err != nil {
			t.Fatal(err)
		}
		decoded[key] = get(key)
	}
	for key, run := range decoded {
		if get(key) != run {
			t.Errorf("%s was decoded again", key)
		}
	}
	if err := small.Put("3", run); err != nil {
		t.Fatal(err)
	}
	if get("3") == decoded["3"] || get("4") != decoded["4"] {
		t.Error("what was stored anew is what was read before, or another run is not")
	}
	var large RunStore
	for i := range many {
		large.remember(recentRun{fmt.Sprint(i), run, recentSize / 10})
	}
	if n := len(large.recent); n != recentRuns {
		t.Errorf("%d large runs stay", n)
	}
	if large.remembered("9") != nil || large.remembered("10") == nil {
		t.Error("not the last that were read stay")
	}
}
