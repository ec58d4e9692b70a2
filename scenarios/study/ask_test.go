package study

import (
	"strings"
	"testing"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/scenariotest"
)

// TestAskRepeatsNoRun: a changed question takes stored runs, and reads the cost to its target from their samples.
func TestAskRepeatsNoRun(t *testing.T) {
	dir := t.TempDir()
	for i, set := range []string{"name=n", "ask={by: bytes, along: to}", "ask.to={grad_norm2: 1e9}",
		"ask.to={inner_error: 1e9, kept: true}", "ask={by: [grad_norm2, time]}"} {
		s := scenariotest.Parse(t, scenariotest.Study, set)
		st, err := New(s, &scenariotest.Data)
		if err != nil {
			t.Fatal(err)
		}
		store, err := result.OpenRunStore(dir)
		if err != nil {
			t.Fatal(err)
		}
		stored := 0
		runs, err := st.Run(t.Context(), Options{Workers: 1, Store: store, Program: "p", Notify: func(e Event) {
			if e.Done != nil && e.Stored {
				stored++
			}
		}})
		if err != nil || i > 0 && stored != len(runs) {
			t.Errorf("%s: %d of %d runs were stored, %v", set, stored, len(runs), err)
		}
		for _, r := range runs {
			if want := strings.Contains(set, "1e9"); want != (len(r.Targets) == 1 && r.Targets[0].At != nil) {
				t.Errorf("%s: %s has the targets %+v", set, r.Label, r.Targets)
			}
		}
		st.Close()
	}
}

// TestAskMetrics: a question about a metric that the problem does not have is an error of the file, and one that is
// not listed under record is recorded.
func TestAskMetrics(t *testing.T) {
	if _, err := New(scenariotest.Parse(t, scenariotest.Study, "ask.by=test_accuracy"), &scenariotest.Data); err == nil ||
		!strings.Contains(err.Error(), "ask: this problem does not have the metric test_accuracy") {
		t.Error(err)
	}
	st, err := New(scenariotest.Parse(t, scenariotest.Study, "record.metrics=[objective]", "ask={by: inner_error, "+
		"to: {grad_norm2: 1}}"), &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	runs, err := st.Run(t.Context(), Options{Workers: 1})
	if err != nil || strings.Join(runs[0].Metrics, " ") != "objective grad_norm2 inner_error" {
		t.Errorf("%v, %v", runs[0].Metrics, err)
	}
}
