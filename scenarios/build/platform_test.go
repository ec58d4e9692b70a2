package build_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tallynet/scenarios/build"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
)

// overPlatform is a scenario with the given lines.
func overPlatform(lines string) string {
	return "version: 1\ntopology: {kind: ring, nodes: 6}\nproblem: {kind: consensus, dim: 1000}\n" +
		"algorithms: [{name: gossip, rounds: 1}]\n" + lines + "\n"
}

func built(t *testing.T, text string) *build.Instance {
	t.Helper()
	s, err := spec.Parse(filepath.Join(t.TempDir(), "x.yaml"), []byte(text), scenariotest.Catalog(), nil)
	if err != nil {
		t.Fatal(err)
	}
	in, err := build.Build(s, 1, &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func TestPlace(t *testing.T) {
	racks := "platform: {kind: racks, racks: 2, hosts: 2, nic: 1Gbit/s, uplink: 1Gbit/s}\nplace: "
	for place, want := range map[string][]int{
		"in-order":                               {0, 1, 2, 3, 0, 1},
		"packed":                                 {0, 0, 1, 1, 2, 2},
		"spread":                                 {0, 2, 1, 3, 0, 2},
		"[3, 3, 0, 1, 2, 0]":                     {3, 3, 0, 1, 2, 0},
		"[rack1.host1, rack0.host0, 1, 1, 1, 1]": {3, 0, 1, 1, 1, 1},
	} {
		if in := built(t, overPlatform(racks+place)); !slices.Equal(in.Host, want) {
			t.Errorf("place: %s: got %v, want %v", place, in.Host, want)
		}
	}
	random := built(t, overPlatform(racks+"random"))
	again := built(t, overPlatform(racks+"random"))
	if !slices.Equal(random.Host, again.Host) || slices.Equal(random.Host,
		built(t, overPlatform(racks+"in-order")).Host) {
		t.Errorf("random: got %v and %v", random.Host, again.Host)
	}
}

// TestPlatformReachesTheEngine checks latencies, bandwidths and routes as the engine has them.
func TestPlatformReachesTheEngine(t *testing.T) {
	in := built(t, overPlatform("platform: {kind: racks, racks: 2, hosts: 3, nic: 1Gbit/s, uplink: unlimited, "+
		"latency: {nic: 5us, uplink: 20us}}\nnetwork: {flow: {window: 64kB}}"))
	near, _ := in.Engine.Link(0, 1)
	far, rate := in.Engine.Link(2, 3)
	if near != 10_000 || far != 50_000 || rate != 1<<63-1 {
		t.Errorf("got %v, %v and %d bit/s", near, far, rate)
	}
	route, err := in.Engine.Platform.Route(2, 3)
	if err != nil || fmt.Sprint(route) != "[4 12 15 7]" || in.Engine.Platform.Window != 64_000 {
		t.Errorf("got %v, %v, window %d", route, err, in.Engine.Platform.Window)
	}
	if l := in.Engine.Platform.Links; l[0].BitsPerSecond != 1e9 || l[12].BitsPerSecond != 1<<63-1 {
		t.Errorf("got %+v", l)
	}
}

func TestPlatformErrors(t *testing.T) {
	dir := t.TempDir()
	broken := filepath.Join(dir, "broken.graphml")
	apart := filepath.Join(dir, "apart.gml")
	oneway := filepath.Join(dir, "oneway.gml")
	for path, text := range map[string]string{
		oneway: "graph [ directed 1 node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]",
		broken: "<graphml>\n<graph>\n<node id=\"a\"/>",
		apart: "graph [ node [ id 1 ] node [ id 2 ] node [ id 3 ] node [ id 4 ] node [ id 5 ] node [ id 6 ]\n" +
			"edge [ source 1 target 2 ] edge [ source 3 target 4 ] edge [ source 5 target 6 ] ]",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	onSwitch := "platform: {kind: switch, up: 1Gbit/s}\n"
	for lines, want := range map[string]string{
		onSwitch + "network: {latency: 1ms}":      "network.latency: a platform is given",
		onSwitch + "network: {contention: nic}":   "network.contention: a platform is given",
		onSwitch + "place: sprad":                 "\"sprad\" is not a way to place nodes",
		onSwitch + "place: [0, 1]":                "want a host for each of 6 nodes, got 2",
		onSwitch + "place: [0, 1, 2, 3, 4, 9]":    "place[5]: there is no host 9",
		"place: spread":                           "there is no platform to place nodes on",
		"network: {flow: {window: 1MB}}":          "there is no platform: a line of its own has no window",
		"platform: {kind: swich, up: 1Gbit/s}":    "there is no platform called",
		"platform: {kind: switch}":                "up is missing",
		"platform: {kind: lan-1g, up: 2Gbit/s}":   "lan-1g means up: 1Gbit/s",
		"platform: {kind: graph, file: none.gml}": "there is no file none.gml",
		"platform: {kind: graph, file: " + broken +
			"}": "line 3: the file ends inside <graph>: it is cut off",
		"platform: {kind: graph, file: " + apart +
			"}": "the network has 3 disconnected parts",
		"platform: {kind: graph, file: " + oneway +
			"}": "direction: both makes each edge both directions",
		"platform: {kind: graph, file: " + dir + "}":                                             "is not a regular file",
		"platform: {kind: fat-tree, k: 3, bandwidth: 1Gbit/s}":                                   "want an even k",
		"platform: {kind: racks, racks: 1000000, hosts: 1000000, nic: 1Gbit/s, uplink: 1Gbit/s}": "the limit is",
	} {
		s, err := spec.Parse(filepath.Join(dir, "x.yaml"), []byte(overPlatform(lines)), scenariotest.Catalog(), nil)
		if err == nil {
			_, err = build.Build(s, 1, &scenariotest.Data)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", lines, err, want)
		}
	}
}

// TestPlatformResolved loads the resolved form again, and checks that a file's content is part
// of a run's key in the store.
func TestPlatformResolved(t *testing.T) {
	dir := t.TempDir()
	table := filepath.Join(dir, "regions.csv")
	write := func(text string) {
		if err := os.WriteFile(table, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("0,5ms\n5ms,0\n")
	for _, lines := range []string{
		"platform: {kind: lan-10g}\nplace: packed",
		"platform: fat-tree\nplace: [0, 1, 2, 3, 0, 0]",
		"platform: {kind: regions, file: regions.csv, hosts: 3}\nnetwork: {jitter: {kind: uniform, mean: 1ms}}",
		"platform: {kind: wireless, positions: [[0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [5, 0]], range: 1.5m, bandwidth: " +
			"54Mbit/s}",
		"platform: {kind: switch, up: 1Gbit/s}\nsweep: {topology.nodes: [4, 6], platform.up: [1Gbit/s, 2Gbit/s], place: " +
			"[packed, spread]}",
		"points: [{platform: lan-1g}, {network.latency: 3ms}, {platform: {kind: wireless, bandwidth: 1Gbit/s}, place: " +
			"spread}]",
		"points: [{network.latency: 3ms}, {platform: lan-1g, place: packed}]",
		"sweep: {platform: [lan-1g, wan-regions], place: [spread, random]}",
	} {
		lines = strings.Replace(lines, "fat-tree", "{kind: fat-tree, bandwidth: 1Gbit/s}", 1)
		s, err := spec.Parse(filepath.Join(dir, "x.yaml"), []byte(overPlatform(lines)), scenariotest.Catalog(), nil)
		if err != nil {
			t.Errorf("%s: %v", lines, err)
			continue
		}
		text, err := s.YAML()
		if err != nil {
			t.Fatal(err)
		}
		again, err := spec.ParseResolved(filepath.Join(dir, "y.yaml"), text, scenariotest.Catalog())
		if err != nil {
			t.Errorf("%s: resolved: %v\n%s", lines, err, text)
			continue
		}
		if twice, _ := again.YAML(); strings.ReplaceAll(string(twice), "name: y", "name: x") != string(text) {
			t.Errorf("%s: resolved twice:\n%s\n%s", lines, text, twice)
		}
	}
}

// TestNetworkAssumptions: a run states the assumptions made about its platform's file.
func TestNetworkAssumptions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "net.gml")
	const net = "graph [ node [ id 0 ] node [ id 1 ] node [ id 2 ] " +
		"edge [ source 0 target 1 ] edge [ source 1 target 2 ] ]\n"
	if err := os.WriteFile(file, []byte(net), 0o600); err != nil {
		t.Fatal(err)
	}
	run := studyRuns(t, "version: 1\ntopology: {kind: path, nodes: 3}\nproblem: {kind: consensus, dim: 2}\n"+
		"platform: {kind: graph, file: "+file+"}\nalgorithms: [{name: gossip, rounds: 2}]\n", 1)[0]
	if run.Physical == nil || !strings.Contains(strings.Join(run.Physical.Assumed, "; "), "1Gbit/s") {
		t.Errorf("%+v", run.Physical)
	}
}
