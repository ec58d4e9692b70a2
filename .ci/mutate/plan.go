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

// Tests that run methods over networks of every kind take a few seconds each at most; keys perturbs every key of a
// scenario.
const (
	instances = "./scenarios/build -run=Network|FaultErrors|Staleness|Straggler|CHOCO|LEAD|Compressed|Directed|" +
		"Changing|PushSum|Client|Loss|Outages|Tariffs|Platform|Physical|SamplesEnd|DataSeed|AllReduce|Restart"
	studies = "./scenarios/study -run=Ledger|Limits|Stop|Study|Wrong|Optimum|Divergence|Trace|Predicted|" +
		"Interrupt|Recorded|Overflow|Cores|Inputs|NodeMetrics"
	keys = "./scenarios/study -run=EveryKeyCounts"
)

// plan lists the targets. Of what leans on a package, the tests that take longest come last.
var plan = []target{
	{folder: "sim", then: []string{"./node"}},
	{folder: "channel", then: []string{"./node", "./metrics", instances, studies}},
	{folder: "node", then: []string{"./algorithms -run=Twin|Cost", instances, studies}},
	{folder: "metrics", then: []string{"./metrics/report/result", "./node", instances, studies, keys}},
	{folder: "metrics/report/result", then: []string{"./metrics/report/parquet", "./metrics/report/views"}},
	{folder: "metrics/report/stats", then: []string{"./metrics/report/fold", "./metrics/report/views",
		"./scenarios/claims"}},
	{folder: "metrics/report/fold", then: []string{"./metrics/report/views"}},
	{folder: "topologies", then: []string{"./scenarios/predict", "./scenarios/build -run=Dynamics|Changing",
		"./scenarios/study -run=Topolog", keys}},
	{folder: "algorithms", then: []string{studies}}, // its own tests run every method
	{folder: "scenarios/problems", then: []string{"./scenarios/measure", "./scenarios/build -run=Own|OneClass|DataSeed",
		"./scenarios/study -run=Texts"}},
	{folder: "scenarios/measure", then: []string{"./scenarios/study -run=Losses|DerivedMetrics|OmittedMetrics", keys}},
	{folder: "scenarios/claims", then: []string{"./scenarios/study -run=^TestClaims|PaperTable|SmallForm"}},
	{folder: "scenarios/execute", then: []string{instances, studies, keys}},
	{folder: "scenarios/sections", files: []string{"network.go", "machines.go", "wire.go"},
		then: []string{instances, studies, keys}},
	{folder: "scenarios/spec", files: []string{"stop.go", "targets.go"}, run: "Defaults|Ask",
		then: []string{"./scenarios/study -run=Stop|Agreement|KeyReference", keys}},
	{folder: "scenarios/study", files: []string{"key.go"}, run: "Digest|SameScenario|Recorded", then: []string{keys}},
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
