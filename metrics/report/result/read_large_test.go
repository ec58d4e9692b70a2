package result

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tallynet/metrics"
)

// manyRuns returns a result of several seeds, with runs without rows, and names that need quotes.
func manyRuns(t *testing.T) *Report {
	t.Helper()
	report := example(t)
	full := report.Runs[0]
	report.Runs = nil
	for seed := range 20 {
		run := full
		if seed > 5 {
			run.Physical, run.PlatformLinks, run.Crossings = nil, nil, nil
		}
		run.Seed, run.Reason = uint64(seed), strings.Repeat("r", seed)
		run.Label = fmt.Sprintf("a \"quoted\",\nlabel %d", seed/10)
		run.Samples = nil
		for k := range seed % 4 {
			run.Samples = append(run.Samples, Sample{Moment: metrics.Moment{Iteration: k},
				Values: []float64{float64(seed), float64(k), 0.5}})
		}
		run.Recorded = 0
		run.Finish()
		if seed%5 == 0 {
			run.Links, run.Phases = nil, nil
		}
		if seed > 2 {
			run.Timeline, run.Happenings = nil, nil
		}
		report.Runs = append(report.Runs, run)
	}
	return report
}

// TestOpenLarge: runs whose rows stay in the files equal those of ReadFolder.
func TestOpenLarge(t *testing.T) {
	folder := t.TempDir()
	if err := WriteFiles(folder, manyRuns(t).Files(), nil); err != nil {
		t.Fatal(err)
	}
	want, err := ReadFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	got, err := openLarge(folder)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got.Runs {
		if got.Runs[i].Samples != nil || got.Runs[i].Nodes != nil {
			t.Fatalf("run %d keeps its rows", i)
		}
	}
	sameResult(t, want, got)
	sameResult(t, want, got) // rows are read on each request
	small, err := OpenFolder(folder)
	if err != nil || len(small.Runs) != len(want.Runs) || small.Runs[7].Load != nil {
		t.Errorf("a small result: %v", err)
	}
}

// TestOpenLargeRefuses files that it cannot read. ReadFolder then reads them, or reports the error.
func TestOpenLargeRefuses(t *testing.T) {
	for name, change := range map[string]func(lines []string) []string{
		"a lost line":      func(l []string) []string { return append(l[:3:3], l[4:]...) },
		"scattered rows":   func(l []string) []string { return append(append(l[:1:1], l[len(l)-1]), l[1:len(l)-1]...) },
		"a damaged number": func(l []string) []string { l[2] = strings.Replace(l[2], ",0,", ",zero,", 1); return l },
		"no header":        func(l []string) []string { return l[1:] },
	} {
		folder := t.TempDir()
		report := manyRuns(t)
		for i := range report.Runs {
			report.Runs[i].Label = "plain" // so that each row is one line
		}
		if err := WriteFiles(folder, report.Files(), nil); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folder, "iterations.csv")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := change(strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n"))
		for i := range lines {
			lines[i] = strings.TrimSuffix(lines[i], "\n") + "\n"
		}
		if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := openLarge(folder); err == nil {
			t.Errorf("%s: it is opened", name)
		}
	}
}
