package study

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/build"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/execute"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/sections"
	"tallynet/scenarios/spec"
	"tallynet/sim"
)

// TestEveryKeyCounts changes each key of small scenarios, according to its declaration.
// Each change must give another key in the store of runs, or a resume would return another
// scenario's numbers. It must also give another result, or the key would be ignored.
func TestEveryKeyCounts(t *testing.T) {
	t.Parallel()
	const rest = "version: 1\nproblem: {kind: quadratic, p: 2, q: 3}\n"
	const dagm = "algorithms: [{name: dagm, outer: 4, inner: 2, neumann: 2, alpha: 0.02, beta: 0.05}]\n"
	const method = "algorithms: [{name: dagm, outer: 40, inner: 1, neumann: 1, alpha: 0.02, beta: 0.05}]\n"
	bases := []string{
		rest + dagm + "topology: {kind: ring, nodes: 4}\n" +
			"network: {latency: 1ms, bandwidth: 1Mbit/s, jitter: {kind: normal, mean: 100us, deviation: 20us}, " +
			"overhead: {message: 40B, packet: 66B, mtu: 20B}, contention: nic, nic: {up: 200kbit/s, down: 300kbit/s, " +
			"nodes: [{node: 0, up: 100kbit/s, down: 90kbit/s}]}, " +
			"links: [{from: 0, to: 1, latency: 10ms, bandwidth: 100kbit/s, oneway: true}]}\n" +
			"compute: {speed: 1MFLOP/s, straggler: {kind: lognormal, sigma: 0.5, window: 1ms, nodes: [1]}, " +
			"nodes: [{node: 2, speed: 2MFLOP/s}]}\n",
		rest + dagm + "topology: {kind: ring, nodes: 4}\n" +
			"compute: {calls: {grad_f: 1ms, grad_g: 2ms, hvp: 3ms, jvp: 4ms, hessian: 5ms, jacobian: 6ms, solve: 7ms, " +
			"round: 8ms}, nodes: [{node: 2, calls: {grad_f: 2ms, grad_g: 3ms, hvp: 4ms, jvp: 5ms, hessian: 6ms, " +
			"jacobian: 7ms, solve: 8ms, round: 9ms}}]}\n",
		rest + "algorithms: [{name: dgbo, outer: 3, terms: 2, alpha: 0.02, gamma: 0.05, beta: 0.5, lipschitz: 10}]\n" +
			"topology: {kind: ring, nodes: 4}\ncompute: {calls: {hessian: 5ms, jacobian: 6ms, solve: 7ms, jvp: 1ms}, " +
			"nodes: [{node: 2, calls: {jacobian: 9ms}}]}\n",
		rest + "algorithms: [{name: d-soba, outer: 3, alpha: 0.02, beta: 0.05, gamma: 0.05, theta: 1}]\n" +
			"topology: {kind: ring, nodes: 4}\ncompute: {calls: {hvp: 1ms, jvp: 1ms}, nodes: [{node: 2, calls: {hvp: 2ms}}]}\n",
		rest + dagm + "topology: {kind: ring, nodes: 4}\n" +
			"tariffs: {machine: {idle: 50W, busy: 200W, price: 0.5/h, nodes: [{node: 2, idle: 40W, busy: 300W, price: " +
			"2/h}]}, " +
			"link: {energy: 10nJ/B, price: 0.09/GB, links: [{from: 0, to: 1, oneway: true, energy: 20nJ/B, price: 1/GB}]}}\n",
		rest + dagm + "topology: {kind: ring, nodes: 4}\nnetwork: {overhead: {message: 40B, packet: 66B, mtu: 20B}, " +
			"flow: {window: 64B}}\nplace: in-order\n" +
			"platform: {kind: racks, racks: 2, hosts: 2, nic: 1Mbit/s, uplink: 100kbit/s, latency: {nic: 5us, uplink: 2ms}}\n" +
			"tariffs: {link: {energy: 10nJ/B, price: 0.09/GB, links: [{name: rack0*, energy: 20nJ/B, price: 1/GB}]}}\n",
		rest + dagm + "topology: {kind: ring, nodes: 4}\nplace: [3, 1, 0, 2]\n" +
			"platform: {kind: switch, hosts: 4, up: 1Mbit/s, down: 500kbit/s, latency: 50us}\n",
		rest + dagm + "topology: {kind: ring, nodes: 4}\n" +
			"platform: {kind: fat-tree, k: 4, bandwidth: 1Mbit/s, oversubscription: 2, latency: 5us}\n",
		rest + dagm + "topology: {kind: ring, nodes: 4}\n" +
			"platform: {kind: wireless, positions: [[0, 0], [10, 0], [0, 10], [40, 40]], range: 50m, bandwidth: 1Mbit/s, " +
			"latency: 5us, access: [[0, 0], [40, 30]], backhaul: 100kbit/s, backhaul_latency: 1ms}\n",
		rest + dagm + "topology: {kind: ring, nodes: 4}\n" +
			"platform: {kind: wireless, positions: [[0, 0], [30, 0], [0, 30], [30, 30]], range: 50m, bandwidth: 1Mbit/s}\n",
		rest + method + "topology: {kind: ring, nodes: 4}\nstop: {iterations: 9, time: 1h, payload: 1GB, growth: 1e8}\n" +
			"record: {every: 2, metrics: [grad_norm2], iterates: final}\n",
		rest + method + "topology: {kind: ring, nodes: 4}\nstop: {payload: 1200B}\n",
		rest + method + "topology: {kind: ring, nodes: 4}\nstop: {time: 20ms}\n",
		rest + method + "topology: {kind: ring, nodes: 4}\nstop: {target: {grad_norm2: 1e-12}}\n",
	}
	const silent = "silence: {kind: last, after: 3ms}\n"
	bases = append(
		bases,
		rest+dagm+"topology: {kind: ring, nodes: 4}\nnetwork: {loss: {kind: independent, p: 0.3, timeout: 2ms, backoff: 3, "+
			"attempts: 3}}\n"+silent,
		rest+dagm+"topology: {kind: ring, nodes: 4}\nnetwork: {loss: {kind: bursts, enter: 0.3, leave: 0.5, bad: "+
			"0.5, good: 0.2, "+
			"timeout: 2ms, backoff: 3}}\n",
		rest+dagm+"topology: {kind: ring, nodes: 4}\nfaults: {hosts: [{node: 1, down: 2ms, up: 5ms}], "+
			"links: [{from: 0, to: 1, down: 6ms, up: 9ms}], partitions: [{nodes: [0, 3], down: 9ms, up: 12ms}]}\n"+silent,
		rest+dagm+"topology: {kind: ring, nodes: 4}\nfaults: {random_hosts: {up: 30ms, down: 2ms}, "+
			"random_links: {up: 30ms, down: 2ms}}\n"+silent,
	)
	bases = append(bases, changingBases()...)
	bases = append(bases, compressedBases()...)
	bases = append(bases, fileBases(t)...)
	for _, problem := range []string{
		"hyper-ridge, dim: 3, samples: {train: 4, val: 4}",
		"hyper-logistic, dim: 3, samples: {train: 4, val: 4}, test: 9",
		"hyper-softmax, dim: 3, samples: {train: 4, val: 4}, test: 40",
		"hyper-svm, data: synthetic, dim: 3, samples: {train: 4, val: 4}, test: 40",
		"hyper-l2, data: synthetic, dim: 3, samples: {train: 4, val: 4}, test: 40",
		"hyper-cleaning, data: synthetic, dim: 3, samples: {train: 4, val: 4}, test: 40",
		"fair-loss, data: synthetic, dim: 3, samples: {train: 4, val: 4}, test: 40",
		"hyper-representation, data: synthetic, dim: 3, hidden: 2, samples: {train: 4, val: 4}, test: 40",
		"hyper-representation-linear, dim: 3, hidden: 2, samples: {train: 4, val: 4}",
		"conditioned, dim: 3", "conditioned, dim: 3, shape: " +
			"convex", "toy-floor", "toy-coreset", "toy-degenerate", "toy-minimax",
	} {
		bases = append(bases, "version: 1\n"+dagm+"topology: {kind: ring, nodes: 3}\nproblem: {kind: "+problem+"}\n")
	}
	bases = append(bases, "version: 1\n"+dagm+"topology: {kind: ring, nodes: 3}\nproblem: {kind: "+
		"hyper-text, features: 110, classes: 2, length: 20, samples: {train: 4, val: 4}, test: 5}\n")
	for _, problem := range []string{
		"consensus, dim: 3", "least-squares, dim: 3, samples: 4", "logistic, dim: 3, samples: 4",
	} {
		bases = append(bases, "version: 1\nalgorithms: [{name: dgd, outer: 5, alpha: 0.1}]\n"+
			"topology: {kind: ring, nodes: 3}\nproblem: {kind: "+problem+"}\n")
	}
	for _, e := range scenariotest.Catalog().Topologies {
		text := "{kind: " + e.Name + ", nodes: 9, weights: lazy-metropolis"
		switch e.Name {
		case "hypercube":
			text = "{kind: hypercube, nodes: 8, weights: lazy-metropolis"
		case "edges":
			text = "{kind: edges, nodes: 3, weights: lazy-metropolis"
		}
		for _, p := range e.Params {
			if p.Required {
				text += fmt.Sprintf(", %s: %s", p.Name, p.Example)
			}
		}
		bases = append(bases, rest+dagm+"topology: "+strings.Replace(text, "radius: 0.3", "radius: 0.7", 1)+"}\n")
	}
	p := perturber{t: t, seen: map[string]string{}, idle: map[string]int{}}
	for _, base := range bases {
		p.base(base)
	}
	for key, why := range p.seen {
		if why != "" && reasons[key] == "" {
			t.Errorf("%s: %s", key, why)
		}
	}
	for key := range reasons {
		if why, ok := p.seen[key]; !ok || why == "" {
			t.Errorf("%s has a reason and needs none", key)
		}
	}
	if len(p.seen) < 60 {
		t.Errorf("only %d keys were changed", len(p.seen))
	}
}

// reasons states why a change of a key need not change a run.
var reasons = map[string]string{
	"network.duplex":                   "its only value is full",
	"platform(switch).hosts":           "hosts without a node change nothing",
	"network.contention":               "dedicated contradicts the interfaces that are given",
	"topology.center":                  "a server wants another method",
	"topology.repeated":                "these edges are given once",
	"topology.weights(explicit)":       "its example is for two nodes",
	"stop.growth":                      "it ends runs that diverge, and this one does not",
	"algorithms(dgbo).batch":           "this problem has no samples",
	"algorithms(dbo).mode":             "homogeneous has no step gamma, which the base gives",
	"algorithms(soba).batch":           "this problem has no samples",
	"wire(low-rank).direction":         "what this server sends are vectors, which low-rank sends as they are",
	"platform(graph).component":        "this network is connected",
	"dynamics(client-sampling)":        "it is for a server, and the other kinds are not",
	"algorithms(d-soba).batch":         "this problem has no samples",
	"problem(hyper-text).first_index":  "it is of files, and these texts are drawn",
	"faults.state":                     "dagm keeps more than its iterate",
	"network.loss(independent).policy": "drop has no timeout, which the base gives",
	"network.loss(bursts).policy":      "drop has no timeout, which the base gives",
}

// perturber changes the keys of scenarios, one at a time.
type perturber struct {
	t    *testing.T
	text string
	kind string            // of its problem
	key  string            // the base's key in the store
	run  string            // the base's result
	seen map[string]string // by key, without indices: the failure; "" if a change was right
	idle map[string]int    // by key and kind of problem: bases without a right change
}

// enough is the number of failing bases with one kind of problem after which a defaulted key with a reason, or one
// that stops at a metric, counts as unchangeable for that kind.
const enough = 3

// base changes every key of a scenario, in the sections below.
func (p *perturber) base(text string) {
	p.text = text
	var err error
	if p.key, p.run, err = runOf(text, nil); err != nil {
		p.t.Fatalf("%v\n%s", err, text)
	}
	s, err := spec.Parse("x.yaml", []byte(text), scenariotest.Catalog(), nil)
	if err != nil {
		p.t.Fatal(err)
	}
	p.kind = s.Problem.Kind
	for _, top := range spec.Keys(scenariotest.Catalog()) {
		switch top.Name {
		case "topology":
			p.variant("topology", s.Topology.Args, top)
		case "problem":
			for i := range top.Variants.Entries {
				if e := &top.Variants.Entries[i]; e.Name == s.Problem.Kind {
					p.section("problem", s.Problem.Args, top.Variants.Params(e)[1:])
				}
			}
		case "algorithms":
			if s.Problem.Kind == "quadratic" {
				p.section("algorithms[0]", s.Algorithms[0].Args, params(s.Algorithms[0], scenariotest.Catalog()))
			}
		case "network":
			p.section("network", s.Network, top.Params)
		case "compute":
			p.section("compute", s.Compute, top.Params)
		case "tariffs":
			if s.Tariffs.Read() {
				p.section("tariffs", s.Tariffs, top.Params)
			}
		case "platform":
			if s.Platform.Read() {
				p.variant("platform", s.Platform, top)
			}
		case "place":
			if s.Place != nil {
				p.change("place", "place", "spread", "[0, 0, 1, 1]", "random")
			}
		case "dynamics":
			p.optional("dynamics", s.Dynamics, top)
		case "faults":
			p.optional("faults", s.Faults, top)
		case "silence":
			p.optional("silence", s.Silence, top)
		case "stop":
			p.section("stop", s.Stop, top.Params)
		case "record":
			p.section("record", s.Record, top.Params)
		case "wire":
			p.change("wire", "wire", "float32")
			if sections.Compresses(s.Wire) {
				p.optional("wire", s.Compress, top)
			}
		case "seed":
			p.change("seed", "seed", "2")
		}
	}
}

// params returns the parameters of the method.
func params(a spec.AlgorithmSpec, cat *catalog.Catalog) []keys.Param {
	return cat.Algorithm(a.Name).Params
}

// optional changes the keys of a section that a base need not have.
func (p *perturber) optional(path string, a keys.Args, v keys.Param) {
	switch {
	case !a.Read():
	case v.Kind == keys.Variant:
		p.kinds(path, a, v)
		p.variant(path, a, v)
	default:
		p.section(path, a, v.Params)
	}
}

func (p *perturber) variant(path string, a keys.Args, v keys.Param) {
	for i := range v.Variants.Entries {
		e := &v.Variants.Entries[i]
		if e.Name == a.Kind() {
			p.section(path, a, v.Variants.Params(e)[1:])
		}
	}
}

// section changes the keys that the base gives, and defaulted keys for which a single
// value can be written.
func (p *perturber) section(path string, a keys.Args, params []keys.Param) {
	for _, q := range params {
		if q.Later != "" || q.Custom || q.Name == "data" { // data have their own keys
			continue
		}
		at := keys.JoinKey(path, q.Name)
		switch q.Kind {
		case keys.Section:
			if a.Given(q.Name) {
				p.section(at, a.Section(q.Name), q.Params)
			}
			continue
		case keys.Sections:
			if a.Given(q.Name) {
				p.section(at+"[0]", a.Sections(q.Name)[0], q.Params)
			}
			continue
		case keys.Variant:
			if a.Has(q.Name) {
				p.kinds(at, a.Section(q.Name), q)
				p.variant(at, a.Section(q.Name), q)
			}
			continue
		}
		if !a.Given(q.Name) && q.Default == nil && path != "stop" && !strings.HasPrefix(path, "topology") ||
			!a.Given(q.Name) && q.Only != "" && !a.Has(q.Name) {
			continue
		}
		name := at
		if of := a.Kind(); of != "" && !strings.HasPrefix(path, "topology") {
			name = path + "(" + of + ")." + q.Name
		}
		p.change(name, at, others(q, a.Value(q.Name))...)
	}
}

// kinds changes the kind of a section.
func (p *perturber) kinds(path string, a keys.Args, v keys.Param) {
	for _, e := range v.Variants.Entries {
		if e.Name == a.Kind() {
			continue
		}
		text := "{" + v.Variants.Key + ": " + e.Name
		for _, q := range e.Params {
			if q.Required {
				text += fmt.Sprintf(", %s: %s", q.Name, q.Example)
			}
		}
		p.change(path+"("+e.Name+")", path, text+"}")
	}
}

// others returns other values of a key, as written in YAML.
func others(q keys.Param, v any) []string {
	var all []string
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	switch v := v.(type) {
	case nil:
		if q.Kind == keys.Float {
			add("0.9")
		}
		if q.Kind == keys.Int {
			add("1")
		}
	case [][2]int:
		add("[[0, 1], [1, 2], [0, 2]]")
	case int:
		add("%d", v+1)
		add("%d", v+2)
		add("%d", max(1, v-1))
		add("%d", v*2)
	case float64:
		add("%v", v/2)
		add("%v", v+0.25)
		add("%v", v*4)
	case bool:
		add("%v", !v)
	case sim.Time:
		add("%dns", int64(v)/2+1)
		add("%dns", 2*int64(v)+1e6)
	case keys.Rate:
		add("%v", v/4)
	case keys.Speed:
		add("%v", v/4)
	case keys.DataSize:
		add("%v", v/2+3)
	case keys.Power:
		add("%v", v/2+1)
	case keys.EnergyPerByte:
		add("%v", v/2+1)
	case keys.PricePerHour:
		add("%v", v/2+1)
	case keys.PricePerGigabyte:
		add("%v", v/2+1)
	case keys.Length:
		add("%v", v*7/10)
	case [][]float64:
		add("[[0, 0], [20, 0], [0, 30], [40, 40]]")
	case []float64:
		add("%v", v[0]+0.5)
	case []int:
		add("[%d]", v[0]+1)
	case []string:
		add("[objective]")
	case string:
		if q.Kind == keys.Path {
			add("%s", strings.Replace(v, "one", "two", 1))
		}
		if q.Name == "name" {
			add("rack*")
		}
		for _, e := range q.Enum {
			if e != v {
				add("%s", e)
			}
		}
	}
	if q.Example != "" {
		add("%s", q.Example)
	}
	if strings.HasSuffix(q.Name, "_error") || strings.HasSuffix(q.Name, "norm2") || q.Name == "stationarity" {
		add("1e6")
	}
	if q.Name == "objective" || strings.HasSuffix(q.Name, "suboptimality") || strings.HasSuffix(q.Name, "_loss") {
		add("1e6")
	}
	return all
}

// change sets the key to other values, until one of them changes the run's key and its result.
func (p *perturber) change(name, path string, values ...string) {
	name = strings.ReplaceAll(name, "[0]", "")
	if why, ok := p.seen[name]; ok && why == "" {
		return
	}
	if p.idle[name+p.kind] >= enough && !strings.Contains(p.text, path[strings.LastIndex(path, ".")+1:]+":") {
		return
	}
	why := "no other value was found"
	for _, v := range values {
		key, run, err := runOf(p.text, []string{path + "=" + v})
		switch {
		case errors.Is(err, errSize):
			p.t.Errorf("%s: with %s: %v", name, v, err)
		case err != nil:
			if why == "no other value was found" {
				why += ": " + strings.SplitN(err.Error(), "\n", 2)[0]
			}
			continue
		case key == p.key && run == p.run:
			why = "with " + v + " the run has the same key in the store and the same result"
		case key == p.key:
			p.t.Errorf("%s: with %s the run has another result and the same key in the store", name, v)
		case run == p.run:
			why = "with " + v + " the run has the same result"
		default:
			why = ""
		}
		if why == "" {
			break
		}
	}
	p.seen[name] = why
	if why != "" && (reasons[name] != "" || strings.HasPrefix(name, "stop.")) {
		p.idle[name+p.kind]++
	}
}

// errSize means that a problem's dimensions differ from those stated beforehand.
var errSize = errors.New("the problem is not of the size that is said of it")

// runOf runs the first algorithm of a scenario. It returns the run's key in the store,
// and its result without the parts that repeat the scenario.
func runOf(text string, overrides []string) (key, run string, err error) {
	s, err := spec.Parse("x.yaml", []byte(text), scenariotest.Catalog(), overrides)
	if err != nil {
		return "", "", err
	}
	study, err := New(s, &scenariotest.Data)
	if err != nil {
		return "", "", err
	}
	in := study.First()
	size, known := build.Size(in.Scenario, s.Problem.Args, s.Topology.DataNodes(), nil)
	if known && (size.P != in.P || size.Q != in.Q) {
		return "", "", fmt.Errorf("%w: p = %d, q = %d instead of %d, %d", errSize, size.P, size.Q, in.P, in.Q)
	}
	j := job{in: study.instances[0], point: study.points[0], args: s.Algorithms[0].Args}
	if key, err = j.key("program"); err != nil {
		return "", "", err
	}
	r := execute.Run(context.Background(), study.First(), s.Algorithms[0], j.args, nil)
	if !slices.Contains([]result.Status{result.Completed, result.Reached, result.Diverged}, r.Status) {
		return "", "", fmt.Errorf("%s: %s", r.Status, r.Reason)
	}
	type sample struct{ Moment, Values any }
	var samples []sample
	for i := range r.Samples {
		samples = append(samples, sample{fmt.Sprint(r.Samples[i].Moment), fmt.Sprint(r.Samples[i].Values)})
	}
	js, err := json.Marshal([]any{r.Status, samples, r.Metrics, fmt.Sprint(r.X), fmt.Sprint(r.Y), fmt.Sprint(r.Nodes),
		fmt.Sprint(r.Links), r.Iterations})
	return key, string(js), err
}
