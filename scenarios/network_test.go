package scenarios

import (
	"slices"
	"testing"

	"tallynet/channel"
)

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

// TestNetworkInterfaces: one for all nodes, or one for each.
func TestNetworkInterfaces(t *testing.T) {
	const base = "version: 1\nproblem: {kind: quadratic, p: 1, q: 1}\ntopology: {kind: ring, nodes: 3}\n" +
		"algorithms: [{name: dagm, outer: 2, inner: 1, neumann: 1, alpha: 0.1, beta: 0.1}]\n" +
		"network: {contention: nic, nic: {up: 1Gbit/s, down: 2Gbit/s"
	nic := channel.NIC{UpBitsPerSecond: 1e9, DownBitsPerSecond: 2e9}
	other := channel.NIC{UpBitsPerSecond: 3e9, DownBitsPerSecond: 4e9}
	for more, want := range map[string][]channel.NIC{
		"}}": {nic}, ", nodes: [{node: [1], up: 3Gbit/s, down: 4Gbit/s}]}}": {nic, other, nic},
	} {
		s := mustParse(t, base+more)
		if got := nics(s.Network.Section("nic"), 3); !slices.Equal(got, want) {
			t.Errorf("%s: %+v, want %+v", more, got, want)
		}
	}
}
