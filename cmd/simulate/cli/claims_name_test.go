package cli

import "testing"

func TestShortName(t *testing.T) {
	for name, want := range map[string]string{
		"dagm.totals.matrix_bytes": "dagm.totals.matrix_bytes",
		`slope(map(runs("DAGM"), .point["problem.q"]), map(runs("DAGM"), .totals.payload_bytes)).value`:                "slope(...).value",
		`map(at("DAGM", {"network.latency": "1ms", "topology.nodes": 8}), .final.grad_norm2)[0]`:                       "map(...)[0]",
		`10 * to_bytes(run("DGBO (b = 1)"), "grad_norm2", 5e-05) / max(dagm.totals.payload_bytes, dgbo.totals.time_s)`: "10 * to_bytes(...) / max(...)",
	} {
		if got := shortName(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
