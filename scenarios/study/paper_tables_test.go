package study

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
)

const tableScenario = `
version: 1
name: tables
seeds: 2
topology: {kind: ring, nodes: 6}
problem: {kind: quadratic, p: 3, q: 4}
algorithms:
  - {name: dagm, outer: 3, inner: 2, neumann: 1, alpha: 0.02, beta: 0.05}
  - {name: dgbo, outer: 3, terms: 2, alpha: 0.02, gamma: 0.05, beta: 0.5, lipschitz: 10}
points:
  - {problem.p: 2, problem.q: 2}
  - {problem.p: 4, problem.q: 4}
  - {problem.p: 4, problem.q: 8}
sweep: {topology.nodes: [6, 8]}
small: {points: [{problem.p: 2, problem.q: 2}, {problem.p: 4, problem.q: 4}, {problem.p: 3, problem.q: 8}], sweep: {topology.nodes: [6]}, seeds: 1}
claims:
  - {text: no matrix, source: "A, Table 1: words", check: 'all(runs("DAGM"), .totals.matrix_bytes == 0)'}
  - {text: on eight nodes, source: "A, Table 1", check: 'all(at("DAGM", {"topology.nodes": 8}), .totals.matrix_bytes == 0)', small: false}
tables:
  - name: table-1
    title: Matrix elements of a node and iteration
    source: "A, Table 1"
    columns: [q = 2, q = 4, q = 8, slope]
    x: [2, 4, 8, 16]
    scale: log
    rows:
      - name: DGBO
        cells: >-
          [map([2, 4, 8], at("DGBO", {"problem.q": #, "topology.nodes": 6})[0].predicted.per_iteration.broadcast_elements.matrix / 6),
          slope([1, 2, 4], [3, 6, 12])]
      - {name: DAGM, cells: 'map([2, 4, 8, 8], at("DAGM", {"problem.q": #, "topology.nodes": 6})[0].totals.matrix_bytes)'}
      - {name: never, cells: 'map([2, 4, 8, 8], first(at("DAGM", {"problem.q": #, "topology.nodes": 6})[0], "grad_norm2", 1e-30))'}
`

// report runs a scenario that was loaded.
func report(t *testing.T, s *spec.Scenario) *result.Report {
	t.Helper()
	st, runs := played(t, s)
	r, err := st.Report(runs, result.Provenance{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestPaperTable(t *testing.T) {
	r := report(t, scenariotest.Parse(t, tableScenario))
	if len(r.Runs) != 2*2*3*2 || len(r.Tables) != 1 {
		t.Fatalf("%d runs, %d tables", len(r.Runs), len(r.Tables))
	}
	table := r.Tables[0]
	var got []float64
	for _, c := range table.Rows[0].Cells {
		got = append(got, float64(c.Value))
	}
	// b q^2 + p q with b = 2: 8 + 4, 32 + 16, 128 + 32; and the exponent of a straight line.
	if diff := cmp.Diff([]float64{12, 48, 160, 1}, got,
		cmp.Comparer(func(a, b float64) bool { return a-b < 1e-12 && b-a < 1e-12 })); diff != "" {
		t.Error(diff)
	}
	if c := table.Rows[0].Cells[3]; !(c.Low > 0.999 && c.High < 1.001) {
		t.Errorf("the interval of the slope: %v", c)
	}
	if c := table.Rows[2].Cells[0].Value; !(c > 1e300) {
		t.Errorf("what is never reached: %v", c)
	}
	if table.Rows[1].Reason != "" || len(table.Rows[1].Cells) != 4 {
		t.Errorf("row %+v", table.Rows[1])
	}
}

// A table needs runs that can answer it, as a claim does.
func TestPaperTableOfRunsThatDidNotFinish(t *testing.T) {
	s := scenariotest.Parse(t, scenariotest.Study+`
tables:
  - name: t
    title: t
    source: A
    columns: [bytes, to reach]
    rows:
      - {name: ends, cells: '[dagm.totals.payload_bytes, 0]'}
      - {name: reaches, cells: '[to_bytes(dagm, "grad_norm2", 1e-30), 0]'}
      - {name: was not recorded, cells: '[metric(dgbo, "grad_norm2", 99), 0]'}
`, "algorithms[0].alpha=1e9")
	rows := report(t, s).Tables[0].Rows
	if rows[0].Cells != nil || !strings.Contains(rows[0].Reason, "diverged") {
		t.Errorf("the end of a run that diverged: %+v", rows[0])
	}
	if len(rows[1].Cells) != 2 || rows[1].Reason != "" {
		t.Errorf("what a run that diverged never reached: %+v", rows[1])
	}
	if len(rows[2].Cells) != 2 || !strings.Contains(rows[2].Reason, "no recorded iteration 99") {
		t.Errorf("an iteration that does not exist: %+v", rows[2])
	}
}

// TestListOfPoints compares the points of a scenario with a list by hand.
func TestListOfPoints(t *testing.T) {
	points, err := scenariotest.Parse(t, tableScenario).Points()
	if err != nil {
		t.Fatal(err)
	}
	type at struct{ p, q, nodes int }
	var got []at
	for _, p := range points {
		got = append(got, at{p.Scenario.Problem.Args.Int("p"), p.Scenario.Problem.Args.Int("q"),
			p.Scenario.Topology.Nodes})
		if len(p.Values) != 3 || p.Values[0].Key != "problem.p" || p.Values[2].Key != "topology.nodes" {
			t.Errorf("the point says %v", p.Values)
		}
	}
	want := []at{{2, 2, 6}, {2, 2, 8}, {4, 4, 6}, {4, 4, 8}, {4, 8, 6}, {4, 8, 8}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(at{})); diff != "" {
		t.Error(diff)
	}
}

func TestSmallForm(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tables.yaml")
	src := tableScenario
	if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	full, err := spec.Load(path, scenariotest.Catalog(), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := spec.LoadSmall(path, scenariotest.Catalog())
	if err != nil {
		t.Fatal(err)
	}
	if len(full.Seeds) != 2 || len(s.Seeds) != 1 || s.Name != full.Name || len(full.Claims) != 2 || len(s.Claims) != 1 {
		t.Errorf("full: %d seeds, %d claims; small: %d, %d", len(full.Seeds), len(full.Claims), len(s.Seeds),
			len(s.Claims))
	}
	r := report(t, s)
	if len(r.Runs) != 6 || r.Claims[0].Verdict != result.Holds ||
		float64(r.Tables[0].Rows[0].Cells[2].Value) != 2*64+3*8 {
		t.Errorf("%d runs, claims %+v, tables %+v", len(r.Runs), r.Claims, r.Tables)
	}
	// A scenario without a small form is its own.
	if err := os.WriteFile(path, []byte(scenariotest.Study), 0o666); err != nil {
		t.Fatal(err)
	}
	if s, err := spec.LoadSmall(path, scenariotest.Catalog()); err != nil || len(s.Algorithms) != 3 {
		t.Errorf("without a small form: %v", err)
	}
}

// TestTablesResolve writes the scenario and reads it again.
func TestTablesResolve(t *testing.T) {
	s := scenariotest.Parse(t, tableScenario)
	text, err := s.YAML()
	if err != nil {
		t.Fatal(err)
	}
	again := scenariotest.Parse(t, string(text))
	if len(again.List) != 3 || len(again.Tables) != 1 || len(again.Small) != 3 || !again.Claims[1].Full {
		t.Fatalf("%+v", again)
	}
	a, b := s.Tables[0], again.Tables[0]
	if a.Rows[0].Cells != b.Rows[0].Cells || cmp.Diff(a.X, b.X) != "" || a.Log != b.Log || a.Title != b.Title {
		t.Errorf("%+v\n%+v", a, b)
	}
	// With other values a row that no longer applies is left out, with the reason.
	s = scenariotest.Parse(t, tableScenario, `sweep["topology.nodes"]=[8, 10]`)
	r := report(t, s)
	if reason := r.Tables[0].Rows[1].Reason; !strings.Contains(reason, "with the values of this run") {
		t.Errorf("reason %q", reason)
	}
}

// TestPointsOfOtherKeysResolve: keys that only the first point has are not written for all.
func TestPointsOfOtherKeysResolve(t *testing.T) {
	s := scenariotest.Parse(t, scenariotest.Study+`
points:
  - {topology.kind: erdos-renyi, topology.p: 0.5}
  - {topology.kind: complete}
`)
	text, err := s.YAML()
	if err != nil {
		t.Fatal(err)
	}
	if again := scenariotest.Parse(t, string(text)); len(again.List) != 2 {
		t.Errorf("%d points", len(again.List))
	}
}
