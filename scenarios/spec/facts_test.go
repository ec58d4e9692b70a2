package spec

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tallynet/scenarios/facts"
)

const factsFile = `version: 1
paper: {id: p, cite: P et al.}
readings:
  - {name: step, open: the step, main: short, support: its text, values: {short: {algorithms.dagm.alpha: 0.01}, long: {algorithms.dagm.alpha: 0.02}}}
tables:
  - {id: t, place: Table 1, class: number, columns: {k: [3, 5]}, rows: {a: [7, 9], b: [14, 18]}}
facts:
  - {id: ratio, place: Table 1, class: order, says: a needs less, of: t-a-3 / t-b-3}
  - {id: count, place: Section 2, class: cost-formula, says: rounds, value: 2*K}
  - {id: s-nodes, place: Section 3, class: setting, says: "6"}
  - {id: rate, place: Theorem 1, class: bound, says: it falls, value: -1/2, typed_in: [algorithms.dagm.alpha]}
  - {id: seen, place: Figure 1, class: shape, says: a curve, unjudged: the text lacks it}
`

const factScenario = `version: 1
topology: {kind: ring, nodes: 6}
problem: {kind: quadratic, p: 3, q: 4}
algorithms:
  - {name: dagm, outer: 5, inner: 1, neumann: 1, alpha: 0.01, beta: 0.1}
paper: p
readings: [step]
why: {t-a-*: "{t-a-3} is printed, and {=dagm.totals.rounds} came out"}
claims:
  - {fact: t-a-*, measured: dagm.totals.rounds + column.k}
  - {fact: t-b-*, measured: 2 * dagm.totals.rounds}
  - {fact: count, measured: dagm.totals.rounds, with: {K: dagm.iterations}}
  - {fact: rate, measured: 0 * dagm.totals.rounds - 1}
settings:
  - {fact: s-nodes, key: topology.nodes}
  - {name: others, key: [topology, problem, algorithms, seeds], reason: not stated}
`

// loadFacts loads a scenario with a registry beside it.
func loadFacts(t *testing.T, registry, scenario string) (string, *Scenario, error) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "s.yaml")
	for name, text := range map[string]string{file: scenario, filepath.Join(dir, "facts.yaml"): registry} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Load(file, builtin(), nil)
	return file, s, err
}

// TestFacts: a claim about a pattern is one for each fact, with the heads of its column; ratios follow by themselves.
func TestFacts(t *testing.T) {
	file, s, err := loadFacts(t, factsFile, factScenario)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"t-a-3": "dagm.totals.rounds + 3", "t-a-5": "dagm.totals.rounds + 5",
		"t-b-3": "2 * dagm.totals.rounds", "t-b-5": "2 * dagm.totals.rounds", "count": "dagm.totals.rounds",
		"rate": "0 * dagm.totals.rounds - 1", "ratio": "[ratio(dagm.totals.rounds + 3, 2 * dagm.totals.rounds)]"}
	for _, c := range s.Claims {
		if want[c.Fact.ID] != c.Check {
			t.Errorf("%s: %q, want %q", c.Fact.ID, c.Check, want[c.Fact.ID])
		}
		delete(want, c.Fact.ID)
		if c.Typed != (c.Fact.ID == "rate") {
			t.Errorf("%s follows from what is set: %v", c.Fact.ID, c.Typed)
		}
	}
	if len(want) > 0 {
		t.Errorf("no claims: %v", want)
	}
	if len(s.Variants) != 2 || s.Variant.String() != "step = short" || s.Settings[0].Paper != "6" {
		t.Errorf("%v, %v, %+v", s.Variants, s.Variant, s.Settings[0])
	}
	long, err := LoadVariant(file, builtin(), s.Variants[1], false)
	if err != nil || long.Algorithms[0].Args.Float("alpha") != 0.02 || long.Variant.String() != "step = long" {
		t.Errorf("%v: %+v", err, long)
	}
	text, err := s.YAML()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := ParseResolved("x.yaml", text, builtin()); err != nil || !SameRuns(s, again) {
		t.Errorf("the resolved scenario: %v\n%s", err, text)
	}
	if _, err := facts.Load(filepath.Join(filepath.Dir(file), "facts.yaml")); err != nil {
		t.Error(err)
	}
}

// TestWrongFacts: what a scenario says of facts fits the registry, and its texts have no numbers of their own.
func TestWrongFacts(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"fact: count", "fact: counts", "has no fact counts"},
		{"fact: count", "fact: seen", "seen is judged by no run"},
		{"fact: count", "fact: s-nodes", "s-nodes is a setting"},
		{"measured: 0 * dagm.totals.rounds - 1", "measured: '-'", "unexpected"},
		{", with: {K: dagm.iterations}", "", "K"},
		{"paper: p\n", "", "names no paper"},
		{"paper: p\n", "paper: q\n", "has the facts of p"},
		{"readings: [step]", "readings: [steps]", "has no reading steps"},
		{"fact: s-nodes", "fact: s-node", "there is no setting s-node"},
		{"why: {t-a-*", "why: {u-*", "judges no fact u-*"},
		{"came out", "came out, 42 of it", "the number 42 is neither printed"},
		{"{t-a-3} is", "{t-a-4} is", "there is no fact t-a-4"},
		{"{=dagm.totals.rounds}", "{=dagm.totals.round}", "round"},
		{"reason: not stated", "reason: it takes 42 s", "the number 42 is neither printed"},
		{"settings:\n  - {fact: s-nodes, key: topology.nodes}\n  - {name: others, key: [topology, problem, algorithms, " +
			"seeds], reason: not stated}\n", "", "says what the paper's settings are"},
		{"fact: count, measured", "fact: count, printed: 5, measured", "printed"},
	} {
		changed := strings.Replace(factScenario, c.old, c.new, 1)
		if changed == factScenario {
			t.Errorf("%q is not in the scenario", c.old)
		}
		if _, _, err := loadFacts(t, factsFile, changed); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.new, err, c.want)
		}
	}
}
