package build_test

import (
	"slices"
	"strings"
	"testing"

	"tallynet/channel"
	"tallynet/scenarios/build"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
	"tallynet/sim"
)

// TestNetworkInWords: the text describes the links, and how many differ.
func TestNetworkInWords(t *testing.T) {
	const nic = "{latency: 2ms, bandwidth: 8Mbit/s, contention: nic, nic: {up: 1Gbit/s, down: 1Gbit/s}}"
	for network, want := range map[string]string{
		"{}": "latency 1ms, bandwidth 1Gbit/s, dedicated",
		nic:  "latency 2ms, bandwidth 8Mbit/s, nic",
		"{links: [{from: 0, to: 1, latency: 1s}]}": "latency 1ms, bandwidth 1Gbit/s, dedicated; 1 link differs",
		"{links: [{from: 0, to: 1, latency: 1s}, {from: 1, to: 2, latency: 1s}]}": "latency 1ms, bandwidth 1Gbit/s, " +
			"dedicated; 2 links differ",
	} {
		if got := scenariotest.Parse(t, networkBase+network).Links(); got != want {
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
		in, err := build.Build(scenariotest.Parse(t, base+more), 1, &scenariotest.Data)
		if err != nil {
			t.Fatal(err)
		}
		if got := in.Engine.NICs; !slices.Equal(got, want) {
			t.Errorf("%s: %+v, want %+v", more, got, want)
		}
	}
}

// networkBase is a scenario of four nodes in a ring, with an empty network section at its end.
const networkBase = "version: 1\nproblem: {kind: quadratic, p: 1, q: 1}\ntopology: {kind: ring, nodes: 4}\n" +
	"algorithms: [{name: dagm, outer: 2, inner: 1, neumann: 1, alpha: 0.1, beta: 0.1}]\nnetwork: "

// TestNetworkLinkErrors: settings of the section that must fit together, besides those in TestLimitsOfRanges.
func TestNetworkLinkErrors(t *testing.T) {
	const nic = "nic: {up: 1Gbit/s, down: 1Gbit/s"
	for network, want := range map[string]string{
		"{contention: dedicated, " + nic + "}}": "interfaces would change nothing",
		"{" + nic + "}}":                        "interfaces would change nothing",
		"{contention: nic}":                     "contention nic needs the interfaces' bandwidths",
		"{contention: nic, " + nic + ", nodes: [{node: [4], up: 1Mbit/s}]}}": "node",
		"{contention: nic, " + nic + ", nodes: [{node: [3], up: 1Mbit/s}]}}": "",

		"{links: [{from: 2, to: 2, latency: 1s}]}": "want two nodes, got 2 twice",
		"{links: [{from: 4, to: 0, latency: 1s}]}": "from",
		"{links: [{from: 0, to: 4, latency: 1s}]}": "to",

		"{links: [{from: 0, to: 1, latency: 1s}, {from: 0, to: 1, latency: 2s}]}": "between 0 and 1 was given above",
		"{links: [{from: 0, to: 1, latency: 1s}, {from: 0, to: 3, latency: 2s}]}": "",
		"{links: [{from: 0, to: 1, latency: 1s}, {from: 2, to: 1, latency: 2s}]}": "",
		"{links: [{from: 0, to: 1, latency: 1s}, {from: 1, to: 2, latency: 2s}]}": "",
		"{links: [{from: 0, to: 1, latency: 1s}, {from: 3, to: 0, latency: 2s}]}": "",
	} {
		_, err := spec.Parse("test.yaml", []byte(networkBase+network+"\n"), scenariotest.Catalog(), nil)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", network, err, want)
		}
	}
}

// TestNetworkLinks: exceptions apply to both directions, or to one.
func TestNetworkLinks(t *testing.T) {
	s := scenariotest.Parse(t, networkBase+"{latency: 2ms, bandwidth: 1Mbit/s, links: [{from: 0, to: 1, latency: 1s}, "+
		"{from: 2, to: 1, bandwidth: 8Mbit/s, oneway: true}]}\n")
	in, err := build.Build(s, 1, &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	of := in.Engine.Link
	type pair struct {
		latency sim.Time
		bits    int64
	}
	for link, want := range map[[2]int]pair{
		{0, 1}: {sim.Second, 1e6}, {1, 0}: {sim.Second, 1e6}, {2, 1}: {2 * sim.Millisecond, 8e6},
		{1, 2}: {2 * sim.Millisecond, 1e6}, {3, 0}: {2 * sim.Millisecond, 1e6},
	} {
		if latency, bits := of(link[0], link[1]); (pair{latency, bits}) != want {
			t.Errorf("from %d to %d: %v, %d bit/s, want %v", link[0], link[1], latency, bits, want)
		}
	}
	_, err = build.Build(scenariotest.Parse(t, networkBase+"{links: [{from: 0, to: 2, latency: 1s}]}\n"), 1,
		&scenariotest.Data)
	if err == nil || !strings.Contains(err.Error(), "nodes 0 and 2 are not neighbours in this graph") {
		t.Errorf("a link that is none: %v", err)
	}
}
