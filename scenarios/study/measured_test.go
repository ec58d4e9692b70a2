package study

import (
	"slices"
	"strings"
	"testing"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/measure"
	"tallynet/scenarios/problems"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
)

// TestLossesAreRecordedIfNamed: losses are recorded for a claim, but not by default.
func TestLossesAreRecordedIfNamed(t *testing.T) {
	const src = `version: 1
topology: {kind: ring, nodes: 4}
problem: {kind: quadratic, p: 2, q: 2}
algorithms:
  - {name: dagm, outer: 2, inner: 1, neumann: 1, alpha: 0.01, beta: 0.01}
`
	const claim = `claims:
  - {text: the loss falls, source: here, check: 'dagm.final.outer_loss < 1e9'}
`
	for text, want := range map[string]bool{src: false, src + claim: true} {
		runs, err := tryStudy(t, t.Context(), text, 1)
		if err != nil {
			t.Fatal(err)
		}
		names := runs[0].Metrics
		if slices.Contains(names, "outer_loss") != want || slices.Contains(names, "inner_loss") || !slices.Contains(names,
			"objective") {
			t.Errorf("recorded %v; want outer_loss %v, inner_loss never, objective always", names, want)
		}
	}
}

// TestDerivedMetricsAreRecordedIfNamed: metrics derived from others are recorded only if something
// names them.
func TestDerivedMetricsAreRecordedIfNamed(t *testing.T) {
	has := measure.Of(problems.InstanceV(), measure.Metrics())
	names := measure.Default(has, false)
	if slices.Contains(names, "stationarity") || !slices.Contains(names, "inner_error") {
		t.Errorf("by default %v are recorded", names)
	}
	alg := spec.AlgorithmSpec{Tune: &spec.Tune{By: "payload_bytes", To: []result.Condition{{Metric: "stationarity",
		Relation: "<=", Value: 1}}}}
	for _, s := range []*spec.Scenario{scenariotest.Parse(t, scenariotest.Small), scenariotest.Parse(t,
		scenariotest.Small, "record.metrics=[objective]")} {
		plain, tuned := s.MeasuredMetrics(has, spec.AlgorithmSpec{}), s.MeasuredMetrics(has, alg)
		if slices.Contains(plain, "stationarity") || !slices.Equal(tuned, append(plain, "stationarity")) {
			t.Errorf("%v are recorded, %v where stationarity is tuned to", plain, tuned)
		}
	}
}

// TestOmittedMetricsAreNoted: if own accuracies are too slow to be recorded by default, a note names
// them and says how to record them. There is no note if they are recorded or if the file
// chose the metrics.
func TestOmittedMetricsAreNoted(t *testing.T) {
	t.Parallel()
	const src = `version: 1
topology: {kind: ring, nodes: 240}
problem: {kind: hyper-logistic, dim: 100, test: 25000, samples: {train: 1, val: 1}}
algorithms:
  - {name: dagm, outer: 0, inner: 1, neumann: 1, alpha: 0.01, beta: 0.01}
`
	const want = "own_test_accuracy and worst_test_accuracy would take 6e+08 multiplications per sample"
	for _, c := range []struct {
		more string
		said bool
	}{
		{"", true}, {"problem.test=1000", false}, {"record.metrics=[grad_norm2]", false},
		{"record.metrics=[own_test_accuracy]", false},
	} {
		var more []string
		if c.more != "" {
			more = []string{c.more}
		}
		s := scenariotest.Parse(t, src, more...)
		study, err := New(s, &scenariotest.Data)
		if err != nil {
			t.Fatal(err)
		}
		runs, err := study.Run(t.Context(), Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		notes := strings.Join(runs[0].Notes, "\n")
		if strings.Contains(notes, want) != c.said || c.said && !strings.Contains(notes, "name them in record.metrics") {
			t.Errorf("%q: notes %q; want %q: %v", c.more, notes, want, c.said)
		}
	}
}
