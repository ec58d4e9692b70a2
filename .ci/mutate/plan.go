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

// runs are the tests that run methods over networks of every kind, a few seconds each at most; keys is the one that
// perturbs every key of a scenario.
const (
	runs = "./scenarios -run=Ledger|Limits|Stop|Network|Study|Wrong|Optimum|Divergence|Matri|" +
		"FaultErrors|Staleness|Straggler|CHOCO|LEAD|Compressed|Directed|Changing|PushSum|Client|Loss|Outages|Tariffs|" +
		"Platform|Physical|Trace|Phase|Predicted|Interrupt|Recorded|SamplesEnd|Overflow|Cores|Inputs|Restarts|" +
		"Availability|DataSeed|AllReduce|NodeMetrics"
	keys = "./scenarios -run=EveryKeyCounts"
)

// plan lists the targets. Of what leans on a package, the tests that take longest come last.
var plan = []target{
	{folder: "sim", then: []string{"./node"}},
	{folder: "channel", then: []string{"./node", "./metrics", runs}},
	{folder: "node", then: []string{"./algorithms -run=Twin|Cost", runs}},
	{folder: "metrics", then: []string{"./metrics/report/result", "./node", runs, keys}},
	{folder: "metrics/report/result", then: []string{"./metrics/report/parquet", "./metrics/report/views"}},
	{folder: "metrics/report/stats", then: []string{"./metrics/report/fold", "./metrics/report/views",
		"./scenarios/claims"}},
	{folder: "metrics/report/fold", then: []string{"./metrics/report/views"}},
	{folder: "topologies", then: []string{"./scenarios -run=Topolog|Dynamics|Changing|LargeGraphs|EveryFamily", keys}},
	{folder: "algorithms", then: []string{"./scenarios -run=EveryMethod"}},
	{folder: "scenarios/problems", then: []string{"./scenarios/measure", "./scenarios -run=Own|OneClass|Texts|DataSeed"}},
	{folder: "scenarios/measure", then: []string{"./scenarios -run=Losses|Evaluator|LeftOut", keys}},
	{folder: "scenarios/claims", then: []string{"./scenarios -run=^TestClaims|PaperTable|SmallForm"}},
	{folder: "scenarios", files: []string{"run.go", "run_ledgers.go", "network.go", "compute.go", "study_key.go",
		"stop.go", "targets.go", "wire.go"},
		run: strings.TrimPrefix(runs, "./scenarios -run=") + "|Defaults|KeyReference", then: []string{keys}},
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
