package retime

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tallynet/algorithms"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/build"
	"tallynet/scenarios/execute"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
	"tallynet/sim"
	"tallynet/sim/slow"
)

// pick returns one of some texts.
func pick(rng *rand.Rand, all ...string) string { return all[rng.IntN(len(all))] }

// randomSetup returns the part of a scenario on which iterates depend.
func randomSetup(rng *rand.Rand, m algorithms.Declared) string {
	problem, topology := "quadratic, p: 2, q: 3", pick(rng, "kind: ring, nodes: 5", "kind: exponential, nodes: 8",
		"kind: complete, nodes: 4", "kind: erdos-renyi, nodes: 7, p: 0.4", "kind: path, nodes: 4")
	server := "kind: star, nodes: 6, center: server"
	switch n := m.Needs(); {
	case n.SingleLevel:
		problem = "least-squares, dim: 3, samples: 4"
	case n.Server == algorithms.ServerRequired:
		topology = server
	case n.OneNode:
		topology = "kind: complete, nodes: 1"
		if n.Server == algorithms.ServerAllowed {
			topology = pick(rng, topology, server)
		}
	}
	method := scenariotest.Shortest(*scenariotest.Catalog().Algorithm(m.Declare().Name))
	text := "version: 1\ntopology: {" + topology + "}\nproblem: {kind: " + problem + "}\nalgorithms: [" +
		strings.Replace(method, ": 4", ": 9", 1) + "]\n" +
		pick(rng, "", "", "wire: float32\n", "wire: {compress: top-k, share: 0.4, memory: none, direction: up}\n",
			"wire: {compress: qsgd, levels: 4, unbiased: true, memory: none, direction: up}\n") +
		pick(rng, "", "", "stop: {payload: 900B}\n", "stop: {gradients: 40}\n") +
		pick(rng, "", "record: {every: 2}\n", "record: {every: 4}\n")
	if topology == server {
		return text + pick(rng, "", "dynamics: {kind: client-sampling, share: 0.4, rounds: 2}\n")
	}
	return text + pick(rng, "", "", "", "dynamics: matching\n", "dynamics: {kind: random-edges, p: 0.5}\n")
}

// randomNetwork returns links, machines and faults.
func randomNetwork(t *testing.T, rng *rand.Rand) string {
	t.Helper()
	duration := func(least, most float64) string { return fmt.Sprintf("%.6fms", least+rng.Float64()*(most-least)) }
	rate := func() string { return fmt.Sprintf("%dbit/s", 200_000+int64(rng.Float64()*rng.Float64()*1e7)) }
	network := []string{pick(rng, "", "jitter: {kind: uniform, mean: "+duration(0.01, 3)+"}",
		"jitter: {kind: exponential, mean: "+duration(0.01, 3)+"}", "jitter: {kind: normal, mean: 1ms, deviation: 2ms}"),
		pick(rng, "", "overhead: {message: 40B, packet: 6B, mtu: 30B}"),
		pick(rng, "", "", "loss: {kind: independent, p: 0.1, timeout: "+duration(1, 9)+"}",
			"loss: {kind: bursts, enter: 0.2, leave: 0.5, timeout: 3ms}")}
	text := pick(rng, "", "platform: {kind: switch, up: "+rate()+", down: "+rate()+", latency: "+duration(0, 2)+"}\n",
		"platform: {kind: racks, racks: 2, hosts: 4, nic: "+rate()+", uplink: "+rate()+", latency: {uplink: 2ms}}\n",
		"platform: {kind: fat-tree, k: 4, bandwidth: "+rate()+", oversubscription: 2, latency: "+duration(0, 1)+"}\n",
		"platform: {kind: wan-regions, hosts: 2, nic: "+rate()+"}\n",
		"platform: {kind: wireless, positions: [[0, 0], [1, 0], [0, 1], [1, 1], [2, 0], [0, 2], [2, 2], [3, 0]], "+
			"bandwidth: "+rate()+"}\n", "platform: {kind: graph, file: "+halfDuplex(t)+", duplex: half}\n")
	if text == "" || rng.IntN(2) == 0 {
		text = ""
		network = append(network, "latency: "+pick(rng, "0s", duration(0, 0.1), duration(1, 70)),
			"bandwidth: "+pick(rng, "unlimited", rate()), pick(rng, "", "contention: nic, nic: {up: "+rate()+", down: "+
				rate()+"}"))
	} else {
		network = append(network, pick(rng, "", "flow: {window: 100B}"))
		text += pick(rng, "", "place: packed\n", "place: spread\n")
	}
	network = slices.DeleteFunc(network, func(s string) bool { return s == "" })
	text += "network: {" + strings.Join(network, ", ") + "}\n"
	text += "compute: {" + pick(rng, "speed: unlimited", fmt.Sprintf("speed: %dFLOP/s", 10_000+rng.Int64N(1e6)),
		"calls: {grad_f: 10us, grad_g: 333ns, hvp: 7us, round: 1us}") +
		pick(rng, "", ", straggler: {kind: lognormal, sigma: 0.5, window: 3ms}",
			", straggler: {kind: pareto, shape: 2.5, window: 7ms}", ", straggler: {kind: exponential, mean: 1}",
			", straggler: {kind: constant, factor: 3.3, nodes: [0]}") + "}\n"
	return text + pick(rng, "", "", "faults: {hosts: [{node: 0, down: 2ms, up: 9ms}]}\n",
		"faults: {random_links: {up: 2s, down: 50ms}}\n", "faults: {random_hosts: {up: 2s, down: 50ms}}\n")
}

// halfDuplex writes a line of eight hosts.
func halfDuplex(t *testing.T) string {
	t.Helper()
	text := `<graphml><graph edgedefault="undirected">`
	for i := range 8 {
		text += fmt.Sprintf(`<node id="n%d"/>`, i)
	}
	for i := range 7 {
		text += fmt.Sprintf(`<edge source="n%d" target="n%d"/>`, i, i+1)
	}
	file := filepath.Join(t.TempDir(), "line.graphml")
	if err := os.WriteFile(file, []byte(text+"</graph></graphml>"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// parse reads a scenario and builds it.
func parse(text string) (*spec.Scenario, *build.Instance, error) {
	s, err := spec.Parse("x.yaml", []byte(text), scenariotest.Catalog(), nil)
	if err != nil {
		return nil, nil, err
	}
	in, err := build.Build(s, 1, &scenariotest.Data)
	return s, in, err
}

func timesOf(r *result.Run) []sim.Time {
	var all []sim.Time
	for i := range r.Samples {
		all = append(all, r.Samples[i].Totals.Time)
	}
	return all
}

// TestTimesAreThoseOfRuns records runs of each synchronous method on one network, and plays them on others, where they
// have the times of real runs.
func TestTimesAreThoseOfRuns(t *testing.T) {
	t.Parallel()
	setups, networks := 2, 5
	if os.Getenv(slow.Variable) != "" {
		setups, networks = 10, 20
	}
	ctx := context.Background()
	cut, played := 0, 0
	for i, m := range algorithms.Methods() {
		if _, ok := m.(algorithms.Algorithm); !ok {
			continue
		}
		rng := sim.Stream(uint64(i), "networks")
		for range setups {
			setup := randomSetup(rng, m)
			s, in, err := parse(setup)
			for err != nil { // it does not suit the method
				setup = randomSetup(rng, m)
				s, in, err = parse(setup)
			}
			alg := s.Algorithms[0]
			base := execute.Run(ctx, in, alg, alg.Args, nil)
			trace, err := Record(ctx, in, alg, alg.Args, base.Iterations)
			if err != nil {
				t.Fatalf("%v\n%s", err, setup)
			}
			for range networks {
				network := randomNetwork(t, rng)
				_, in, err := parse(setup + network)
				if err != nil {
					t.Fatalf("%v\n%s", err, setup+network)
				}
				want := execute.Run(ctx, in, alg, alg.Args, nil)
				got, err := trace.Times(ctx, in)
				if err != nil && strings.Contains(err.Error(), "ends before") {
					cut++
					continue
				}
				if err != nil || !slices.Equal(got, timesOf(&want)) {
					t.Fatalf("%v, %v\nwant %v: %s %s\n%s", got, err, timesOf(&want), want.Status, want.Reason, setup+network)
				}
				played++
			}
		}
	}
	if cut > played/50 || played < 40*setups*networks {
		t.Errorf("%d recordings were too short, %d were not", cut, played)
	}
}
