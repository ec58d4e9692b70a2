package cli

import (
	"bytes"
	"encoding/json"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics/report/result"
)

// runsOf returns runs[] of a scenario's result as it stands in the file.
func runsOf(t *testing.T, args ...string) []json.RawMessage {
	t.Helper()
	return runsIn(t, mustSimulate(t, append([]string{"run", "--fresh", "--quiet", "--format", "json"}, args...)...))
}

// runsIn returns runs[] of a result.json as it stands there.
func runsIn(t *testing.T, text string) []json.RawMessage {
	t.Helper()
	var result struct{ Runs []json.RawMessage }
	if err := json.Unmarshal([]byte(text), &result); err != nil {
		t.Fatal(err)
	}
	return result.Runs
}

func equalRuns(a, b []json.RawMessage) bool {
	return slices.EqualFunc(a, b, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) })
}

func TestSameBytesForAnyNumberOfWorkers(t *testing.T) {
	enter(t)
	want := runsOf(t, "study.yaml", "--workers", "1")
	files := contents(t, "results/study")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, procs := range []int{1, 2} {
		runtime.GOMAXPROCS(procs)
		for _, workers := range []string{"1", "4"} {
			if got := runsOf(t, "study.yaml", "--workers", workers); !equalRuns(got, want) {
				t.Errorf("GOMAXPROCS %d, %s workers: other runs", procs, workers)
			}
			for name, text := range contents(t, "results/study") {
				if text != files[name] && name != "result.json" && name != "report.html" { // have the command line
					t.Errorf("GOMAXPROCS %d, %s workers: another %s", procs, workers, name)
				}
			}
		}
	}
	if got := runsOf(t, "study.yaml", "--seed", "3"); equalRuns(got, want[:len(got)]) {
		t.Error("another seed gives the same runs")
	}
}

func TestUnrelatedAlgorithmChangesNothing(t *testing.T) {
	enter(t)
	text := readText(t, "two.yaml")
	more := strings.Replace(string(text), "algorithms:\n",
		"algorithms:\n  - {name: dgtbo, outer: 5, inner: 2, jhip: 2, eta_x: 0.01, eta_y: 0.01, gamma: 0.01}\n", 1)
	writeFile(t, "three.yaml", more)
	two := runsOf(t, "two.yaml", "--out", "a")
	three := runsOf(t, "three.yaml", "--out", "b")
	if len(three) != 3 || !equalRuns(two, three[1:]) {
		t.Error("a method that was added changes the others' runs")
	}
}

func TestJitterChangesTimesOnly(t *testing.T) {
	enter(t)
	read := func(args ...string) []result.Run {
		out := mustSimulate(t, append([]string{"run", "two.yaml", "--quiet", "--format", "json"}, args...)...)
		report, err := result.ReadReport(strings.NewReader(out))
		if err != nil {
			t.Fatal(err)
		}
		return report.Runs
	}
	plain := read()
	jitter := read("--set", "network.jitter={kind: exponential, mean: 1ms}")
	for i := range plain {
		a, b := plain[i], jitter[i]
		if a.Totals.Time >= b.Totals.Time {
			t.Errorf("%s: %v without jitter, %v with it", a.Label, a.Totals.Time, b.Totals.Time)
		}
		for j, v := range a.Final.Values { // the same data, the same starting point
			if b.Final.Values[j] != v {
				t.Errorf("%s: %v with jitter, %v without", a.Label, b.Final.Values[j], v)
			}
		}
	}
}

// fewerSeeds makes whatif.yaml a study of 72 runs, more than the 64 that its store always keeps decoded. The
// study still has several seeds, and more methods and points than a figure has curves.
func fewerSeeds(t *testing.T) {
	t.Helper()
	replaceIn(t, "whatif.yaml", "seeds: 5", "seeds: 2")
}

// fewRuns makes whatif.yaml a study of 24 runs that still has several graphs, latencies and methods.
func fewRuns(t *testing.T) {
	t.Helper()
	replaceIn(t, "whatif.yaml", "seeds: 5", "seeds: 1")
	replaceIn(t, "whatif.yaml", "[ring, complete, star]", "[ring, complete]")
}

// TestStudyOfManyRuns executes 72 runs with one worker and with two, and then none, since all are stored.
func TestStudyOfManyRuns(t *testing.T) {
	enter(t)
	fewerSeeds(t)
	mustSimulateDrawn(t, "run", "whatif.yaml", "--workers", "1")
	want := contents(t, "results/whatif")
	var others []string
	for _, args := range [][]string{{"--workers", "2", "--fresh"}, {"--workers", "2"}} {
		mustSimulateDrawn(t, append([]string{"run", "whatif.yaml", "--out", "other"}, args...)...)
		got := contents(t, "other")
		others = append(others, got["result.json"])
		delete(got, "result.json") // contains the command line, as does the page; its runs are compared below
		delete(got, "report.html")
		for name, text := range got {
			if want[name] != text {
				t.Errorf("%v: %s differs", args, name)
			}
		}
	}
	one := runsIn(t, readText(t, "results/whatif/result.json"))
	for _, again := range others {
		if runs := runsIn(t, again); len(one) != 72 || !equalRuns(one, runs) {
			t.Errorf("%d and %d runs, which differ", len(one), len(runs))
		}
	}
}
