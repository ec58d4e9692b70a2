package present

import (
	"slices"
	"testing"

	"tallynet/metrics/report/figure"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/spec"
	"tallynet/scenarios/study"
)

// The picture of a real run shows the problem's own points for the run's grid point.
func TestLandmarksOfCoreset(t *testing.T) {
	s, err := spec.Parse("coreset.yaml", []byte(`version: 1
topology: {kind: complete, nodes: 1}
problem: {kind: toy-coreset}
algorithms: [{name: bome, outer: 2, alpha: 0.05, xi: 0.05}]
sweep: {problem.variant: [paper, code]}
`), catalog.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	set, err := result.NewSetting("problem.variant", "code")
	if err != nil {
		t.Fatal(err)
	}
	study, err := study.FromRuns(s)
	if err != nil {
		t.Fatal(err)
	}
	marks := landmarks(study, result.Settings{set})
	if !slices.Contains(marks, figure.Mark{Label: "optimum", X: 1.8, Y: 0.4}) || !slices.Contains(marks,
		figure.Mark{Label: "a₄", X: -3, Y: -2}) {
		t.Errorf("%+v", marks)
	}
}

// The page has the tables of the study, and that of its physical links.
func TestPageHasThePlatform(t *testing.T) {
	s, err := spec.Parse("racks.yaml", []byte(`version: 1
about: "Which\n rack?"
topology: {kind: ring, nodes: 4}
platform: {kind: racks, racks: 2, hosts: 2, nic: 1Gbit/s, uplink: 1Gbit/s}
problem: {kind: quadratic, p: 2, q: 2}
algorithms: [{name: dagm, outer: 2, inner: 1, neumann: 1, alpha: 0.02, beta: 0.2}]
`), catalog.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	st, err := study.FromRuns(s)
	if err != nil {
		t.Fatal(err)
	}
	report := &result.Report{Scenario: []byte("{}"), Runs: []result.Run{{Label: "DAGM", Seed: 1, Status: result.Completed,
		Physical: new(result.PhysicalTotals), PlatformLinks: []result.PlatformLinkRow{{Link: "up", Messages: 1}}}}}
	shown, err := Show(st, report)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Page(st, report, shown)
	if err != nil || p.About != "Which rack?" || len(p.Tables) == 0 || len(p.Folded) != 1 ||
		p.Folded[0].Title != "The platform: links that carried most, and for whom" {
		t.Errorf("%v: %q, %d tables and %v", err, p.About, len(p.Tables), p.Folded)
	}
}
