package scenarios

import (
	"strings"

	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
)

// Template returns a commented scenario to start from: small enough to run in about
// a second. It names what the catalog offers.
func Template(cat *catalog.Catalog) []byte {
	list := func(entries []keys.Entry) string {
		var b strings.Builder
		column := 0
		for i, name := range keys.EntryNames(entries) {
			if i > 0 && column+len(name) > 70 {
				b.WriteString("\n  #   ")
				column = 0
			} else if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(name)
			column += len(name) + 1
		}
		return b.String()
	}
	return []byte(strings.NewReplacer(
		"{topologies}", list(cat.TopologyEntries()), "{weights}", list(cat.WeightsEntries()),
		"{problems}", list(cat.ProblemEntries()), "{algorithms}", list(cat.AlgorithmEntries()),
	).Replace(template))
}

const template = `# A scenario of Tallynet. Run it:   simulate run FILE
# What a name means and takes:      simulate describe NAME
# Every key, for your editor:       simulate schema
version: 1
name: my-scenario
about: How much does DAGM send until the hypergradient is small, on a ring of 8 nodes?
seed: 1                     # or seeds: 10 for the replicates 1..10

topology:
  # {topologies}
  kind: ring
  nodes: 8
  # {weights}
  weights: metropolis

network:
  latency: 1ms              # every quantity carries its unit
  bandwidth: 1Gbit/s        # bits per second; 1MB/s is 8Mbit/s
  # jitter: {kind: exponential, mean: 100us}
  # overhead: {message: 40B, packet: 66B, mtu: 1500B}
  # contention: nic         # links of a node share its interface
  # nic: {up: 1Gbit/s, down: 1Gbit/s}
  # links: [{from: 0, to: 1, latency: 10ms, bandwidth: 10Mbit/s}]

compute:
  speed: 10GFLOP/s          # or calls: {grad_f: 1ms, grad_g: 1ms, hvp: 2ms, ...}
  # straggler: {kind: lognormal, sigma: 0.5, nodes: [3]}

wire: float64               # float32 float16 bfloat16

problem:
  # {problems}
  kind: quadratic
  p: 5                      # the length of x, the upper variable
  q: 10                     # the length of y, the lower variable
  condition: 10
  heterogeneity: 0.5

algorithms:
  # {algorithms}
  - {name: dagm, outer: 200, inner: 10, neumann: 20, alpha: 0.05, beta: 0.05}
  # - {name: dgbo, label: DGBO (b=5), ...}

stop: {iterations: 200}     # also: time: 60s, payload: 1GB, grad_norm2: 1e-4; whichever comes first
record: {every: 1}

# sweep:                    # a study: every combination, once for each seed
#   topology.nodes: [8, 16, 32]
#   network.latency: [0.1ms, 10ms]
`
