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
