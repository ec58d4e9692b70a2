package cli

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tallynet/scenarios/keys"
)

const growing = `version: 1
name: growing
ask: {choose: topology.kind, by: time, along: network.latency}
topology: {kind: ring, nodes: 6}
network: {latency: 1ms, contention: nic, nic: {up: 1Mbit/s, down: 1Mbit/s}}
problem: {kind: quadratic, p: 4, q: 4, condition: 4, heterogeneity: 0.5}
algorithms:
  - {name: dagm, outer: 200, inner: 1, neumann: 3, alpha: 0.05, beta: 0.2}
stop: {grad_norm2: 0.2}
sweep:
  topology.kind: [ring, complete]
  network.latency: [10us, 100ms]
`

// TestGrowingStudy runs a study whose seeds are added and whose sweep is refined, reads it back, and runs it again.
func TestGrowingStudy(t *testing.T) {
	enter(t)
	writeFile(t, "g.yaml", growing)
	args := []string{"run", "g.yaml", "--set", "seeds={until: 20%, most: 12}", "--refine", "--out", "out"}
	_, errs, code := simulate(args...)
	if code != codeDone || !strings.Contains(errs, "the answer changes around network.latency = ") {
		t.Fatalf("code %d\n%s", code, errs)
	}
	var saved struct {
		Scenario struct {
			Seeds struct {
				Run   int
				Until string
				Most  int
			}
			Sweep map[string][]string
		}
		Facts      []string
		Provenance struct{ Seeds []uint64 }
		Runs       []json.RawMessage
		Answer     struct {
			Cells []struct {
				By      string
				At      map[string]string
				Choices []struct{ Name string }
				Best    int
			}
		}
	}
	if err := json.Unmarshal([]byte(readText(t, filepath.Join("out", "result.json"))), &saved); err != nil {
		t.Fatal(err)
	}
	seeds, values := saved.Scenario.Seeds, saved.Scenario.Sweep["network.latency"]
	if n := len(saved.Provenance.Seeds); seeds.Run != n || seeds.Until != "20%" || seeds.Most != 12 || len(values) < 4 ||
		len(saved.Runs) != n*2*len(values) {
		t.Errorf("%+v, %d values, %d runs", seeds, len(values), len(saved.Runs))
	}
	if !slices.ContainsFunc(saved.Facts, func(f string) bool { return strings.Contains(f, "seeds ran") }) {
		t.Errorf("the facts are %q", saved.Facts)
	}
	answers := map[string]string{} // by latency
	for _, c := range saved.Answer.Cells {
		if answers[c.At["network.latency"]] = ""; c.Best == 1 {
			answers[c.At["network.latency"]] = c.Choices[0].Name
		}
	}
	changed := 0
	for i := range values[1:] {
		low, _ := keys.Quantity(values[i])
		high, _ := keys.Quantity(values[i+1])
		if answers[values[i]] != answers[values[i+1]] {
			if changed++; high > 1.05*low {
				t.Errorf("the answer changes between %s and %s", values[i], values[i+1])
			}
		}
	}
	if changed == 0 || answers["10us"] == "" || answers["10us"] == answers["100ms"] {
		t.Errorf("the answers are %v", answers)
	}
	if out := mustSimulate(t, "report", "out"); !strings.Contains(out, "seeds ran") {
		t.Errorf("report does not say how many seeds ran:\n%s", out)
	}
	if _, errs, code = simulate(args...); code != codeDone || strings.Contains(errs, "differ") ||
		!strings.Contains(errs, "were already stored") {
		t.Errorf("again: code %d\n%s", code, errs)
	}
}

func TestRefineErrors(t *testing.T) {
	enter(t)
	listed := strings.Replace(growing, "sweep:\n  topology.kind: [ring, complete]\n  network.latency: [10us, 100ms]\n",
		"points: [{network.latency: 10us}, {network.latency: 1ms}]\n", 1)
	writeFile(t, "g.yaml", strings.Replace(listed, "choose: topology.kind", "choose: algorithm", 1))
	for want, args := range map[string][]string{
		"--refine adds values to a sweep, and g.yaml has none": {"run", "g.yaml", "--refine"},
		"--share reports nothing, so there is no answer":       {"run", "g.yaml", "--refine", "--share", "1/2"},
	} {
		if _, errs, code := simulate(args...); code != codeUsage || !strings.Contains(errs, want) {
			t.Errorf("%v: code %d\n%s", args, code, errs)
		}
	}
}
