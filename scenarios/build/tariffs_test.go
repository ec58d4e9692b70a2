package build_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/build"
	"tallynet/scenarios/execute"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
)

func ranWith(t *testing.T, text string) result.Run {
	t.Helper()
	in := built(t, text)
	a := in.Scenario.Algorithms[0]
	run := execute.Run(context.Background(), in, a, a.Args, nil)
	if run.Status != result.Completed {
		t.Fatalf("%s: %s", run.Status, run.Reason)
	}
	return run
}

// TestTariffsByHand: each of 6 nodes sends 8 kB to both neighbours of a ring, once.
func TestTariffsByHand(t *testing.T) {
	const tariffs = "tariffs: {machine: {idle: 50W, busy: 200W, price: 3.6/h, nodes: [{node: 2, idle: 10W}]}, " +
		"link: {energy: 10nJ/B, price: 2/GB%s}}"
	const idle = 5*50 + 10
	for _, c := range []struct {
		name, lines, links  string
		seconds             float64 // of the run
		hops, dearer, other float64 // bytes over links, and over links of other tariffs, of 1 uJ/B
	}{
		{"lines", "network: {latency: 1ms, bandwidth: 1Mbit/s}", "", 0.065, 96e3, 0, 0},
		{"a line that differs", "network: {latency: 1ms, bandwidth: 1Mbit/s}", ", links: [{from: 0, to: 1, energy: 1uJ/B}]",
			0.065, 96e3, 16e3, 0},
		{"a direction that differs", "network: {latency: 1ms, bandwidth: 1Mbit/s}",
			", links: [{from: 0, to: 1, oneway: true, energy: 1uJ/B}]", 0.065, 96e3, 8e3, 0},
		{"interfaces", "network: {latency: 1ms, bandwidth: 1Gbit/s, contention: nic, nic: {up: 1Mbit/s, down: 1Mbit/s}}", "",
			0.129, 192e3, 0, 0},
		{"an uplink that differs", "network: {latency: 1ms, bandwidth: 1Gbit/s, contention: nic, nic: {up: 1Mbit/s, " +
			"down: 1Mbit/s}}", ", links: [{name: node 3 up, energy: 1uJ/B}]", 0.129, 192e3, 16e3, 0},
		{"racks", "platform: {kind: racks, racks: 2, hosts: 3, nic: 1Mbit/s, uplink: unlimited, latency: {nic: 500us, " +
			"uplink: 0s}}",
			", links: [{name: rack*, energy: 1uJ/B}]", 0.129, 8*16e3 + 4*32e3, 8*16e3 + 4*32e3, 0},
		{"a medium", "platform: {kind: wireless, hosts: 6, bandwidth: 1Mbit/s, latency: 1ms}", "", 0.385, 48e3, 0, 0},
		{"a medium without limit", "platform: {kind: wireless, hosts: 6, bandwidth: unlimited, latency: 1ms}", "", 0.001,
			48e3, 0, 0},
	} {
		run := ranWith(t, overPlatform("compute: {speed: unlimited}\n"+c.lines+"\n"+fmt.Sprintf(tariffs, c.links)))
		totals := run.Totals
		near := func(what string, got, want float64) {
			if !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
				t.Errorf("%s: %s: got %v, want %v", c.name, what, got, want)
			}
		}
		near("time", totals.Time.Seconds(), c.seconds)
		near("energy of machines", totals.MachineEnergy, idle*c.seconds)
		near("energy of links", totals.LinkEnergy, 10e-9*(c.hops-c.dearer)+1e-6*c.dearer)
		near("energy", totals.Energy, totals.MachineEnergy+totals.LinkEnergy)
		near("price of machines", totals.MachineMoney, 6*c.seconds/1000)
		near("price of links", totals.LinkMoney, 2e-9*c.hops)
		near("money", totals.Money, totals.MachineMoney+totals.LinkMoney)
		var machines, sent, links float64
		for _, n := range run.Nodes {
			machines += n.Machine.Joules
			sent += n.Sent.Joules
		}
		for _, l := range run.Links {
			links += l.Charge.Joules
		}
		for _, l := range run.PlatformLinks {
			links += l.Charge.Joules
		}
		near("energy in nodes.csv", machines, totals.MachineEnergy)
		near("energy of links in nodes.csv", sent, totals.LinkEnergy)
		near("energy by link", links, totals.LinkEnergy)
	}
}

// TestTariffsChangeNothingElse: a run with tariffs equals the run without them, apart from energy and money.
func TestTariffsChangeNothingElse(t *testing.T) {
	plain := ranWith(t, overPlatform(""))
	with := ranWith(t, overPlatform("tariffs: {machine: {idle: 5W}, link: {energy: 1nJ/bit}}"))
	if plain.Hash != with.Hash || plain.Totals.Energy != 0 || with.Totals.LinkEnergy == 0 {
		t.Errorf("got %s and %s, %+v and %+v", plain.Hash, with.Hash, plain.Totals.Costs, with.Totals.Costs)
	}
}

func TestTariffErrors(t *testing.T) {
	const rack = "platform: {kind: racks, racks: 2, hosts: 3, nic: 1Gbit/s, uplink: 1Gbit/s}\n"
	for _, c := range []struct{ lines, want string }{
		{"tariffs: {machine: {idle: 50}}", "50 has no unit"},
		{"tariffs: {machine: {idle: 50J}}", "is not a unit of a power"},
		{"tariffs: {machine: {idle: -5W}}", "out of range"},
		{"tariffs: {machine: {idle: 50W, busy: 20W}}", "want no less while it computes"},
		{"tariffs: {machine: {idle: 50W, nodes: [{node: 1}]}}", "the machine differs in nothing"},
		{"tariffs: {machine: {nodes: [{node: 6, idle: 1W}]}}", "there is no node 6"},
		{"tariffs: {machine: {price: $0.5/h}}", "is not a price of time"},
		{"tariffs: {machine: {price: 1e-11/h}}", "the nearest values are 0e-9/h and 1e-9/h"},
		{"tariffs: {link: {energy: 10nJ}}", "is not a unit of an energy for each byte"},
		{"tariffs: {link: {price: 1/KB}}", "is not a unit of a price of data"},
		{"tariffs: {link: {links: [{from: 0, to: 1}]}}", "the link differs in nothing"},
		{"tariffs: {link: {links: [{from: 0, energy: 1J/B}]}}", "want the two nodes"},
		{"tariffs: {link: {links: [{from: 0, to: 3, energy: 1J/B}]}}", "nodes 0 and 3 are not neighbours"},
		{"tariffs: {link: {links: [{name: rack*, energy: 1J/B}]}}", "there is no platform"},
		{rack + "tariffs: {link: {links: [{from: 0, to: 1, energy: 1J/B}]}}", "name is missing"},
		{rack + "tariffs: {link: {links: [{name: pod*, energy: 1J/B}]}}", `no link is called "pod*"`},
		{rack + "tariffs: {link: {links: [{name: '[', energy: 1J/B}]}}", "is not a pattern"},
	} {
		s, err := spec.Parse(filepath.Join(t.TempDir(), "x.yaml"), []byte(overPlatform(c.lines)), scenariotest.Catalog(),
			nil)
		if err == nil {
			_, err = build.Build(s, 1, &scenariotest.Data)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "x.yaml:") {
			t.Errorf("%s: want %q, got %v", c.lines, c.want, err)
		}
	}
}

// TestTariffsCountHeaders: headers cost what other bytes of their link cost.
func TestTariffsCountHeaders(t *testing.T) {
	run := ranWith(t, overPlatform("network: {overhead: {message: 1000B}}\ntariffs: {link: {energy: 10nJ/B}}"))
	links := 0.0
	for _, l := range run.Links {
		links += l.Charge.Joules
	}
	if want := 10e-9 * (96e3 + 12*1000); !(math.Abs(links-want) <= 1e-12) ||
		!(math.Abs(run.Totals.LinkEnergy-want) <= 1e-12) {
		t.Errorf("links cost %v J, and all of them %v J, want %v", links, run.Totals.LinkEnergy, want)
	}
}
