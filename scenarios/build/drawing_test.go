package build_test

import (
	"slices"
	"testing"

	"tallynet/scenarios/build"
	"tallynet/scenarios/scenariotest"
)

// The wiring of a scenario is its platform with the nodes on their hosts, in the order of the runs' links. For
// interfaces of nodes it is a switch. Dedicated links have no wiring.
func TestWiring(t *testing.T) {
	const rest = "\nproblem: {kind: consensus, dim: 1}\nalgorithms: [{name: gossip}]\n"
	for name, c := range map[string]struct {
		text   string
		places string // names of the first and the last
		links  int
		nodes  []int // on the first host
	}{
		"racks": {"topology: {kind: ring, nodes: 8}\nplace: packed\n" +
			"platform: {kind: racks, racks: 2, hosts: 2, nic: 1Gbit/s, uplink: 1Gbit/s}", "rack0.host0 core", 12, []int{0, 1}},
		"interfaces": {"topology: {kind: ring, nodes: 5}\nnetwork: {contention: nic, nic: {up: 1Gbit/s, down: 1Gbit/s}}",
			"node 0 switch", 10, []int{0}},
		"lines":     {"topology: {kind: ring, nodes: 5}", "", 0, nil},
		"too large": {"topology: {kind: ring, nodes: 5}\nplatform: {kind: switch, hosts: 60, up: 1Gbit/s}", "", 0, nil},
	} {
		w, err := build.Draw(scenariotest.Parse(t, "version: 1\n"+c.text+rest), 1, 50)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if w == nil {
			if c.links > 0 {
				t.Errorf("%s has no wiring", name)
			}
			continue
		}
		if got := w.Places[0].Name + " " + w.Places[len(w.Places)-1].Name; got != c.places || 2*len(w.Lines) != c.links ||
			!slices.Equal(w.Places[0].Nodes, c.nodes) {
			t.Errorf("%s: places %s, %d lines, nodes %d on the first", name, got, len(w.Lines), w.Places[0].Nodes)
		}
	}
}
