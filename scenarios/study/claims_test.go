package study

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/metrics"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
)

const claimScenario = scenariotest.Study + `
claims:
  - {text: DAGM sends no matrix, source: Table 2, check: dagm.totals.matrix_bytes == 0}
  - text: a DGBO node sends b = 2 Hessians and a Jacobian
    source: S1
    check: dgbo.totals.broadcast_elements.matrix == 6 * dgbo.iterations * (2 * 4 * 4 + 3 * 4)
  - text: DGTBO sends less than DAGM
    source: none
    check: dgtbo.totals.payload_bytes < dagm.totals.payload_bytes
    expected: differs
    reason: it sends matrices
  - {text: DAGM needs no rounds, source: none, check: dagm.totals.rounds == 0}
`

// decide runs a scenario and returns its report.
func decide(t *testing.T, src string, change func([]result.Run), overrides ...string) *result.Report {
	t.Helper()
	st, runs := played(t, scenariotest.Parse(t, src, overrides...))
	if change != nil {
		change(runs)
	}
	report, err := st.Report(runs, result.Provenance{})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func outcomes(claims []result.Claim) []string {
	var all []string
	for i := range claims {
		all = append(all, claims[i].Outcome())
	}
	return all
}

func TestClaims(t *testing.T) {
	report := decide(t, claimScenario, nil)
	want := []string{"holds", "holds", "differs as expected", "fails"}
	if diff := cmp.Diff(want, outcomes(report.Claims)); diff != "" {
		t.Fatal(diff)
	}
	none := result.NamedValue{Name: "dagm.totals.matrix_bytes", Value: 0}
	if c := report.Claims[0]; c.Class != result.Ours || !slices.Contains(c.Measured, none) {
		t.Errorf("%+v", c)
	}
	if c := report.Claims[2]; c.Because != "it sends matrices" || c.Wrong() || !report.Claims[3].Wrong() {
		t.Errorf("%+v", c)
	}
	// result.json has all of it.
	var b bytes.Buffer
	if err := report.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	again, err := result.ReadReport(&b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(report.Claims, again.Claims); diff != "" {
		t.Error(diff)
	}
	// The stored scenario has the claims, and they can be checked again.
	echo := decide(t, string(again.Scenario), nil)
	if diff := cmp.Diff(report.Claims, echo.Claims); diff != "" {
		t.Error(diff)
	}
}

// TestClaimsOfAnotherRun: with --set a claim may no longer apply. Then it is undecided,
// and the stored scenario omits it.
func TestClaimsOfAnotherRun(t *testing.T) {
	report := decide(t, claimScenario, nil, "seeds=2")
	for _, c := range report.Claims {
		const reason = "with the values of this run: there are 2 runs of"
		if c.Verdict != result.Undecided || !strings.HasPrefix(c.Reason, reason) {
			t.Errorf("%s: %s %s", c.Text, c.Verdict, c.Reason)
		}
	}
	if bytes.Contains(report.Scenario, []byte("claims")) {
		t.Errorf("the echo has claims that do not fit it: %s", report.Scenario)
	}
	wrong := strings.Replace(claimScenario, "dagm.totals.rounds", "dagm.totals.rouns", 1)
	_, err := spec.Parse("x.yaml", []byte(wrong), scenariotest.Catalog(), []string{"seeds=2"})
	if err == nil || !strings.Contains(err.Error(), "dagm.totals has no rouns") {
		t.Errorf("a mistake in the file, with --set: %v", err)
	}
}

// TestClaimMutants: the counts of a subtly wrong method make a claim fail.
func TestClaimMutants(t *testing.T) {
	for _, m := range []struct {
		name   string
		change func(r *result.Run)
		claim  int
	}{
		{"a vector sent as a matrix", func(r *result.Run) {
			if r.Label == "DAGM" {
				r.Totals.Payload[metrics.Matrix] = 8
				r.Totals.Payload[metrics.Vector] -= 8
			}
		}, 0},
		{"a matrix sent as a vector", func(r *result.Run) {
			if r.Label == "DGBO" {
				r.Totals.Broadcast.Matrix -= 12
				r.Totals.Broadcast.Vector += 12
			}
		}, 1},
		{"a missing exchange", func(r *result.Run) {
			if r.Label == "DGBO" {
				r.Totals.Broadcast.Matrix -= 6 * 16
			}
		}, 1},
	} {
		report := decide(t, claimScenario, func(runs []result.Run) {
			for i := range runs {
				m.change(&runs[i])
			}
		})
		if c := report.Claims[m.claim]; c.Verdict != result.Fails {
			t.Errorf("%s: %s: %s %v", m.name, c.Text, c.Verdict, c.Measured)
		}
	}
	// Another parameter, which acts like a wrong loop.
	report := decide(t, claimScenario, nil, "algorithms[1].terms=3")
	if v := report.Claims[1].Verdict; v != result.Fails {
		t.Errorf("three Hessians instead of two: %s", v)
	}
}

// TestClaimsNeedMetrics: a metric that a claim names is recorded; one that the
// problem does not have is an error with a place.
func TestClaimsNeedMetrics(t *testing.T) {
	src := scenariotest.Study + `record: {metrics: [objective]}
claims:
  - {text: a, source: b, check: "dagm.final.grad_norm2 < 1e9 && first(dagm, 'consensus_error', 1e9) == 1"}
`
	if c := decide(t, src, nil).Claims[0]; c.Verdict != result.Holds {
		t.Errorf("%s %s", c.Verdict, c.Reason)
	}
	s := scenariotest.Parse(t, strings.Replace(src, "dagm.final.grad_norm2", "dagm.final.test_accuracy", 1))
	_, err := New(s, &scenariotest.Data)
	const want = "test.yaml:13:45: claims[0].check: problem quadratic does not have the metric test_accuracy"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v", err)
	}
}

// TestClaimsOverAGrid: a study's claims cover all of its points and seeds.
func TestClaimsOverAGrid(t *testing.T) {
	src := scenariotest.Study + `seeds: 2
sweep: {problem.q: [4, 8, 16]}
record: {metrics: [objective]}
stop: {iterations: 2}
claims:
  - text: DGBO's bytes grow with d2^2, DAGM's with d2
    source: Table 2
    check: >-
      within(slope(map(runs("DGBO"), .point["problem.q"]), map(runs("DGBO"), .totals.matrix_bytes)).value, 2, 0.15)
      && slope(map(runs("DAGM"), .point["problem.q"]), map(runs("DAGM"), .totals.vector_bytes)).high < 1.2
      && all(runs("DAGM"), .final.grad_norm2 < 1e9)
  - text: the ratio over the seeds
    source: none
    check: |
      ratio(map(at("DGBO", {"problem.q": 8}), .totals.payload_bytes),
            map(at("DAGM", {"problem.q": 8}), .totals.payload_bytes)).low > 1
`
	report := decide(t, src, nil)
	for _, c := range report.Claims {
		if c.Verdict != result.Holds || len(c.Measured) < 3 {
			t.Errorf("%s: %s %s %v", c.Text, c.Verdict, c.Reason, c.Measured)
		}
	}
}

// TestInterruptedClaims: missing runs leave claims undecided.
func TestInterruptedClaims(t *testing.T) {
	st, err := New(scenariotest.Parse(t, claimScenario), &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := st.Run(context.Background(), Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	got := outcomes(st.Claims(runs[:1]))
	if diff := cmp.Diff([]string{"holds", "undecided", "undecided", "fails"}, got); diff != "" {
		t.Error(diff)
	}
}
