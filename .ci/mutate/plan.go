package main

import (
	"slices"
	"strings"
)

// A target is a package whose numbers matter.
type target struct {
	folder string
	files  []string // empty: all
	run    string   // the tests of the package that are run; empty: all
	then   []string // arguments of go test for the packages that lean on it
}

// plan lists the targets. The tests of what leans on a package are few and quick ones.
var plan = []target{
	{folder: "sim", then: []string{"./node"}},
	{folder: "channel", then: []string{"./node", "./metrics"}},
	{folder: "node", then: []string{"./algorithms -run=Twin|Cost"}},
	{folder: "metrics", then: []string{"./metrics/result", "./node", "./scenarios -run=EveryKeyCounts|Ledger|Limits"}},
	{folder: "metrics/result", then: []string{"./metrics/views"}},
	{folder: "metrics/stats", then: []string{"./metrics/study", "./metrics/views", "./scenarios/claims"}},
	{folder: "metrics/study", then: []string{"./metrics/views"}},
	{folder: "topologies", then: []string{"./scenarios -run=Topolog|EveryKeyCounts"}},
	{folder: "algorithms", then: []string{"./scenarios -run=^TestEveryMethod$"}},
	{folder: "scenarios/problems", then: []string{"./scenarios/measure"}},
	{folder: "scenarios/measure", then: []string{"./scenarios -run=Measured|EveryKeyCounts"}},
	{folder: "scenarios/claims", then: []string{"./scenarios -run=^TestClaim"}},
	{folder: "scenarios", files: []string{"run.go", "run_ledgers.go", "network.go", "compute.go", "study_key.go",
		"stop.go", "targets.go", "wire.go"},
		run: "Ledger|Limits|Stop|Target|Network|Compute|Study|Store|Wrong|Optimum|Divergence|Matri|FaultErrors|" +
			"Staleness|Straggler|Compressed|Directed|Client|Loss|Outages|Tariffs|Platform|Trace|Phase|Predicted|" +
			"Interrupt|Recorded|SamplesEnd|Overflow|Cores|Inputs|Restart|Availability|DataSeed",
		then: []string{"./scenarios -run=EveryKeyCounts"}},
}

// holds returns whether a file of the target's folder is mutated.
func (t target) holds(file string) bool {
	if strings.HasSuffix(file, "_test.go") {
		return false
	}
	return len(t.files) == 0 || slices.Contains(t.files, file)
}

// steps returns the arguments of go test, in order.
func (t target) steps() []string {
	own := "./" + t.folder
	if t.run != "" {
		own += " -run=" + t.run
	}
	return append([]string{own}, t.then...)
}
