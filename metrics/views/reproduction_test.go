package views

import (
	"strings"
	"testing"

	"tallynet/metrics/result"
)

func TestItemOf(t *testing.T) {
	for source, want := range map[string][2]string{
		"Ji et al., Table 3: loss at k = 10, 50": {"Ji et al.", "Table 3"},
		"Nazari et al., Section S1":              {"Nazari et al.", "Section S1"},
		"somewhere":                              {"somewhere", ""},
	} {
		if paper, name := itemOf(source); paper != want[0] || name != want[1] {
			t.Errorf("%q: %q, %q", source, paper, name)
		}
	}
}

// TestOutcomesOfItems counts claims by hand.
func TestOutcomesOfItems(t *testing.T) {
	holds := result.Claim{Source: "A, Table 1: x", Verdict: result.Holds}
	exact, differs, fails := holds, holds, holds
	exact.Exact = true
	differs.Verdict, differs.Expected = result.Fails, result.Differs
	fails.Verdict = result.Fails
	for want, claims := range map[string][]result.Claim{
		"reproduced exactly":       {exact, exact},
		"reproduced in its claim":  {exact, holds},
		"differs":                  {differs, differs},
		"differs in 1 of 3 claims": {exact, differs, holds},
		"not as stated here: 1 hold, 1 fail, 0 differ as expected, 0 undecided": {holds, fails},
	} {
		items := itemsOf([]Verified{{Claims: claims}})
		if len(items) != 1 || items[0].outcome() != want {
			t.Errorf("%d items, outcome %q, want %q", len(items), items[0].outcome(), want)
		}
	}
}

func TestShortName(t *testing.T) {
	for name, want := range map[string]string{
		"dagm.totals.matrix_bytes": "dagm.totals.matrix_bytes",
		`slope(map(runs("DAGM"), .point["problem.q"]), map(runs("DAGM"), .totals.payload_bytes)).value`:                "slope(...).value",
		`map(at("DAGM", {"network.latency": "1ms", "topology.nodes": 8}), .final.grad_norm2)[0]`:                       "map(...)[0]",
		`10 * to_bytes(run("DGBO (b = 1)"), "grad_norm2", 5e-05) / max(dagm.totals.payload_bytes, dgbo.totals.time_s)`: "10 * to_bytes(...) / max(...)",
		`run("SPARKLE-ED").totals.broadcast_elements.vector / run("D-SOBA").iterations`:                                `run("SPARKLE-ED").totals.broadcast_elements.vector / run("D-SOBA").iterations`,
	} {
		if got := shortName(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestBroken(t *testing.T) {
	if got := strings.Join(broken("ab cdefghij k", 4), "|"); got != "ab|cdef|ghij|k" {
		t.Error(got)
	}
	if got := broken("", 4); len(got) != 1 || got[0] != "" {
		t.Errorf("%q", got)
	}
}
