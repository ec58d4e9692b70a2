package scenarios

import "testing"

// TestNetworkInWords: what the links are, and how many differ.
func TestNetworkInWords(t *testing.T) {
	const base = "version: 1\nproblem: {kind: quadratic, p: 1, q: 1}\ntopology: {kind: ring, nodes: 4}\n" +
		"algorithms: [{name: dagm, outer: 2, inner: 1, neumann: 1, alpha: 0.1, beta: 0.1}]\n"
	const nic = "{latency: 2ms, bandwidth: 8Mbit/s, contention: nic, nic: {up: 1Gbit/s, down: 1Gbit/s}}"
	for network, want := range map[string]string{
		"{}": "latency 1ms, bandwidth 1Gbit/s, dedicated",
		nic:  "latency 2ms, bandwidth 8Mbit/s, nic",
		"{links: [{from: 0, to: 1, latency: 1s}, {from: 1, to: 2, latency: 1s}]}": "latency 1ms, bandwidth 1Gbit/s, " +
			"dedicated; 2 links differ",
	} {
		if got := mustParse(t, base+"network: "+network).Links(); got != want {
			t.Errorf("%s: %s, want %s", network, got, want)
		}
	}
}
