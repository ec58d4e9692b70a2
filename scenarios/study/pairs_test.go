package study

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/execute"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/predict"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
	"tallynet/sim"
)

var (
	tuples     = flag.Int("tuples", 150, "random tuples of TestRandomTuples")
	firstTuple = flag.Int("tuple", 0, "the first of them")
)

// option is a choice for one part of a scenario.
type option struct {
	text    string
	neutral bool   // it changes no iterate of a method that goes on with it
	loses   bool   // messages are lost for good, so that a run may stall
	needs   string // of the topology, or of the wire
}

// parts are the choices for each part of a scenario; the first is the default.
var parts = [][]option{
	{{text: "topology: {kind: ring, nodes: 5}\n"}, {text: "topology: {kind: star, nodes: 6, center: server}\n"},
		{text: "topology: {kind: complete, nodes: 1}\n"}, {text: "topology: {kind: exponential, nodes: 8}\n"},
		{text: "topology: {kind: star, nodes: 5}\n"}, {text: "topology: {kind: complete, nodes: 2}\n"}},
	{{}, {text: "dynamics: one-peer-exponential\n", needs: "exponential"}, {text: "dynamics: matching\n"},
		{text: "dynamics: {kind: random-edges, p: 0.5}\n"}, {text: "dynamics: cycle\n"},
		{text: "dynamics: {kind: client-sampling, share: 0.4, rounds: 2}\n", needs: "server"},
		{text: "dynamics: {kind: client-sampling, share: 1}\n", needs: "server", neutral: true},
		{text: "dynamics: {kind: schedule, rounds: [\"0-1 1-2 2-3 3-4 4-0\"]}\n", needs: "ring", neutral: true},
		{text: "dynamics: {kind: schedule, directed: true, rounds: [\"0-1 1-2 2-3 3-4 4-0\"]}\n", needs: "ring"}},
	{{}, {text: "wire: float32\n"}, {text: "wire: {compress: top-k, share: 0.4}\n"},
		{text: "wire: {compress: top-k, share: 0.4, memory: feedback, direction: up, format: float32}\n"},
		{text: "wire: {compress: qsgd, levels: 4, unbiased: true, memory: none, direction: up}\n"},
		{text: "wire: {compress: sign, memory: none, format: float32}\n"},
		{text: "wire: {compress: low-rank, rank: 1, memory: feedback}\n"}},
	{{}, {text: "silence: {kind: last, after: 20ms}\n"}, {text: "silence: {kind: renormalize, after: 20ms}\n"}},
	{{text: "latency: 1ms", neutral: true},
		{text: "latency: 2ms, bandwidth: 1Mbit/s, jitter: {kind: exponential, mean: 1ms}", neutral: true},
		{text: "loss: {kind: independent, p: 0.2, timeout: 5ms}", neutral: true},
		{text: "loss: {kind: independent, p: 0.1, policy: drop}", loses: true},
		{text: "loss: {kind: bursts, enter: 0.2, leave: 0.5, timeout: 5ms, attempts: 2}", loses: true}},
	{{}, {text: "faults: {hosts: [{node: 0, down: 2ms, up: 9ms}]}\n", neutral: true},
		{text: "faults: {random_links: {up: 30ms, down: 2ms}}\n", neutral: true},
		{text: "faults: {state: lose, hosts: [{node: 0, down: 2ms, up: 9ms}]}\n", loses: true}},
	{{}, {text: "compute: {speed: 1MFLOP/s, straggler: {kind: lognormal, sigma: 0.5}}\n", neutral: true}},
	{{text: "record: {iterates: final}\n"}, {text: "record: {iterates: final, interval: 700us}\n", neutral: true},
		{text: "record: {iterates: final, interval: 700us}\nstop: {time: 7ms}\n"},
		{text: "record: {iterates: final, interval: 900us}\nstop: {payload: 300B}\n"}},
}

const network = 4 // the part whose options are keys of one section

// tuple is a method, and a choice for each part.
type tuple struct {
	method algorithms.Declared
	text   string // of the method, as a file has it
	choice [8]int
}

func (c *tuple) option(part int) option { return parts[part][c.choice[part]] }

// suit sets the topology that the dynamics need.
func (c *tuple) suit() {
	if needs := c.option(1).needs; needs != "" {
		c.choice[0] = slices.IndexFunc(parts[0], func(o option) bool { return strings.Contains(o.text, needs) })
	}
}

func (c *tuple) scenario() string {
	problem := "quadratic, p: 2, q: 3"
	if c.method.Needs().SingleLevel {
		problem = "least-squares, dim: 3, samples: 4"
	}
	text := "version: 1\nproblem: {kind: " + problem + "}\nalgorithms: [" + c.text + "]\n"
	for part := range parts {
		if part == network {
			text += "network: {" + c.option(part).text + "}\n"
		} else {
			text += c.option(part).text
		}
	}
	return text
}

func (c *tuple) parse() (*spec.Scenario, error) {
	return spec.Parse("x.yaml", []byte(c.scenario()), scenariotest.Catalog(), nil)
}

// build returns what runs a tuple, on some cores. If the reader refuses it for a reason of the table, it is nil.
func (c *tuple) build() (run func(*sim.Cores) result.Run, err error) {
	s, err := c.parse()
	if err != nil {
		return nil, err
	}
	st, err := New(s, &scenariotest.Data)
	if err == nil {
		return func(cores *sim.Cores) result.Run {
			return execute.RunOn(context.Background(), st.First(), cores, s.Algorithms[0], s.Algorithms[0].Args, nil, nil)
		}, nil
	}
	refusals := []string{"there are no clients to sample", "has the edge", "topology: {kind: exponential"}
	for _, row := range algorithms.Misfits() {
		refusals = append(refusals, row.Why)
	}
	if slices.ContainsFunc(refusals, func(why string) bool { return strings.Contains(err.Error(), why) }) {
		err = nil
	}
	return nil, err
}

// check plays a tuple, again on several cores, and without what changes no iterate. A run fails by itself if counts
// differ from the closed form, or if messages are not conserved.
func (c *tuple) check(t *testing.T, ran map[result.Status]int) {
	t.Helper()
	fail := func(format string, args ...any) { t.Errorf(format+"\n%s", append(args, c.scenario())...) }
	run, err := c.build()
	if run == nil {
		if err != nil {
			fail("refused, and not for a reason of the table: %v", err)
		}
		ran["refused"]++
		return
	}
	r := run(nil)
	ran[r.Status]++
	loses := c.option(network).loses || c.option(5).loses
	if r.Status == result.Failed || r.Status == result.Stalled && !loses {
		fail("%s: %s", r.Status, r.Reason)
		return
	}
	_, synchronous := c.method.(algorithms.Algorithm)
	if s, err := c.parse(); synchronous && r.Status == result.Completed && r.Predicted != nil && err == nil {
		all, _, err := predict.Forecasts(s, &scenariotest.Data)
		if f := all[0]; err != nil || !f.Bound && f.PayloadBytes.Int64() != r.Totals.PayloadBytes() {
			fail("%d bytes counted, %v predicted: %v", r.Totals.PayloadBytes(), f.PayloadBytes, err)
		}
	}
	again := run(sim.NewCores(3))
	shown := func(r result.Run) string { return fmt.Sprint(r.Hash, r.Totals, r.Links, r.X) }
	if a, b := shown(r), shown(again); a != b {
		fail("another result the second time:\n%s\n%s", a, b)
	}
	plain := *c
	for part := range parts {
		if c.option(part).neutral && (part != 1 || c.choice[2] == 0) {
			plain.choice[part] = 0
		}
	}
	if plain.choice == c.choice || !synchronous || loses || c.choice[3] > 0 || c.choice[7] > 1 ||
		r.Status != result.Completed {
		return
	}
	twin, err := plain.build()
	if twin == nil {
		fail("refused without what changes nothing: %v", err)
		return
	}
	for i, x := range twin(nil).X {
		if d := floats.Distance(r.X[i], x, 2); !(d <= 1e-9) {
			fail("node %d ends at %v, without what changes nothing at %v", i, r.X[i], x)
		}
	}
}

// tupleOf returns a method with its shortest run. A random stream draws its choices and options.
func tupleOf(m algorithms.Declared, rng *rand.Rand) tuple {
	e := *scenariotest.Catalog().Algorithm(m.Declare().Name)
	text := strings.TrimSuffix(scenariotest.Shortest(e), "}")
	c := tuple{method: m}
	for _, p := range e.Params {
		if rng != nil && p.Kind == keys.Enum && !p.Required && p.Only == "" && rng.IntN(2) == 0 {
			text += ", " + p.Name + ": " + p.Enum[rng.IntN(len(p.Enum))]
		}
	}
	for part := range parts {
		if rng != nil && rng.IntN(2) == 0 {
			c.choice[part] = rng.IntN(len(parts[part]))
		}
	}
	switch n := m.Needs(); {
	case n.OneNode && c.choice[0] != 1:
		c.choice[0] = 2
	case n.Server == algorithms.ServerRequired:
		c.choice[0] = 1
	case n.Server == algorithms.ServerRefused && c.choice[0] == 1:
		c.choice[0] = 0
	}
	c.text = text + "}"
	return c
}

// TestEveryPair runs every method on every topology with each other option, and every two options with a method for
// peers and one for a server.
func TestEveryPair(t *testing.T) {
	t.Parallel()
	ran := map[result.Status]int{}
	for _, m := range algorithms.Methods() {
		for topology := range parts[0] {
			c := tupleOf(m, nil)
			c.choice[0] = topology
			c.check(t, ran)
			if run, _ := c.build(); run == nil {
				continue
			}
			for part := 1; part < len(parts); part++ {
				for i := 1; i < len(parts[part]); i++ {
					with := c
					with.choice[part] = i
					with.suit()
					with.check(t, ran)
				}
			}
			break
		}
	}
	for _, m := range []algorithms.Declared{algorithms.DBO{}, algorithms.FedNest{}} {
		for p := range parts {
			for q := range p {
				for i := 1; i < len(parts[p]); i++ {
					for j := 1; j < len(parts[q]); j++ {
						c := tupleOf(m, nil)
						c.choice[p], c.choice[q] = i, j
						c.suit()
						c.check(t, ran)
					}
				}
			}
		}
	}
	t.Log(ran)
}

// TestRandomTuples runs methods with random options of all parts.
func TestRandomTuples(t *testing.T) {
	t.Parallel()
	ran := map[result.Status]int{}
	all := algorithms.Methods()
	for k := *firstTuple; k < *firstTuple+*tuples; k++ {
		rng := sim.Stream(uint64(k), "tuple")
		c := tupleOf(all[rng.IntN(len(all))], rng)
		c.suit()
		c.check(t, ran)
		if t.Failed() {
			t.Fatalf("tuple %d", k)
		}
	}
	if ran[result.Completed] < *tuples/5 {
		t.Errorf("of %d tuples %v: want more that run", *tuples, ran)
	}
	t.Log(ran)
}
