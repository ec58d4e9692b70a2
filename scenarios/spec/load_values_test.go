package spec

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tallynet/metrics"
	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/result"
	"tallynet/node"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/measure"
	"tallynet/scenarios/sections"
	"tallynet/sim"
)

// full is a scenario with every section.
const full = `version: 1
name: full
about: Everything that a scenario can say.
seeds: [3, 18446744073709551615]
topology:
  kind: watts-strogatz
  nodes: 12
  k: 4
  beta: 0.25
  weights: max-degree
network:
  latency: 0.1ms
  bandwidth: 100MB/s
  jitter: {kind: normal, mean: 100us, deviation: 20us}
  overhead: {message: 40B, packet: 66B, mtu: 1500B}
  contention: nic
  nic: {up: 1Gbit/s, down: unlimited, nodes: [{node: [0, 3], up: 10Mbit/s}]}
  links:
    - {from: 0, to: 1, latency: 10ms}
    - {from: 1, to: 2, oneway: true, bandwidth: 1Mbit/s}
    - {from: 2, to: 1, oneway: true, bandwidth: 2Mbit/s, latency: 0}
compute:
  calls: {grad_f: 1ms, hessian: 10ms, round: 1us}
  straggler: {kind: pareto, shape: 2.5, window: 2s, nodes: [1, 2]}
  nodes:
    - {node: 4, speed: 1GFLOP/s}
    - {node: [5, 6], calls: {hvp: 3ms}}
wire: float32
problem: {kind: hyper-softmax, samples: 50, x0: -3, dim: 7, classes: 4}
algorithms:
  - {name: dagm, outer: 5, inner: 2, neumann: 3, alpha: 1e-2, beta: 0.1}
  - name: dgtbo
    inner: 4
    jhip: 5
    eta_y: 0.1
    gamma: 0.2
    tune: {grid: {eta_x: [0.1, 1], outer: [10, 20, 30]}, by: payload_bytes, to: {grad_norm2: 1e-4}}
stop: {iterations: 1e3, time: 1min, payload: 1GB, grad_norm2: 1e-6, test_accuracy: 0.9}
record: {every: 2, metrics: [grad_norm2, objective], iterates: final}
sweep:
  topology.nodes: [12, 20]
  algorithms.dagm.alpha: [1e-2, 2.50]
`

// text formats a section as JSON.
func text(a keys.Args) string {
	b, err := jsonio.Marshal(a.Resolved(keys.Which{}))
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func TestFull(t *testing.T) {
	s := mustParse(t, full)
	calls := node.Machine{Round: sim.Microsecond, Straggler: node.Straggler{}}
	for c := range calls.Calls {
		calls.Calls[c] = node.ByFlops
	}
	ofFour := calls
	ofFour.FlopsPerSecond = 1e9
	calls.Calls[metrics.CallGradF], calls.Calls[metrics.CallHessian] = sim.Millisecond, 10*sim.Millisecond
	ofFive := calls
	ofFive.Calls[metrics.CallHVP] = 3 * sim.Millisecond
	slow := calls
	slow.Straggler = node.Straggler{Kind: node.Pareto, Shape: 2.5, Window: 2 * sim.Second}
	machines := sections.Machines(s.Compute, s.Topology.Nodes)
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"seeds", s.Seeds, []uint64{3, 1<<64 - 1}},
		{"nodes", s.Topology.Nodes, 12},
		{"beta", s.Topology.Args.Float("beta"), 0.25},
		{"weights", s.Topology.Weights.Kind(), "max-degree"},
		{"network", text(s.Network),
			`{"latency":"100us","bandwidth":"800Mbit/s","duplex":"full","jitter":{"kind":"normal","mean":"100us","deviatio` +
				`n":"20us"},` +
				`"overhead":{"message":"40B","packet":"66B","mtu":"1.5kB"},"contention":"nic",` +
				`"nic":{"up":"1Gbit/s","down":"unlimited","nodes":[{"node":[0,3],"up":"10Mbit/s","down":"unlimited"}]},` +
				`"links":[{"from":0,"to":1,"oneway":false,"latency":"10ms","bandwidth":"800Mbit/s"},` +
				`{"from":1,"to":2,"oneway":true,"latency":"100us","bandwidth":"1Mbit/s"},{"from":2,"to":1,"oneway":true,"late` +
				`ncy":"0s","bandwidth":"2Mbit/s"}]}`},
		{"compute", text(s.Compute), `{"speed":"unlimited","calls":{"grad_f":"1ms","hessian":"10ms","round":"1us"},` +
			`"straggler":{"kind":"pareto","shape":2.5,"window":"2s","nodes":[1,2]},` +
			`"nodes":[{"node":[4],"speed":"1GFLOP/s"},{"node":[5,6],"speed":"unlimited","calls":{"hvp":"3ms"}}]}`},
		{"machines", []node.Machine{machines[0], machines[1], machines[4], machines[5]},
			[]node.Machine{calls, slow, ofFour, ofFive}},
		{"wire", s.Wire, "float32"},
		{"samples", s.Problem.Args.Section("samples").Int("val"), 50},
		{"classes", s.Problem.Args.Ints("classes"), []int{4}},
		{"a default", s.Problem.Args.Float("noise"), 0.1},
		{"label", s.Algorithms[1].Label, "DGTBO"},
		{"tune", s.Algorithms[1].Tune.Grid, []Axis{{"eta_x", []any{0.1, 1}, nil}, {"outer", []any{10, 20, 30}, nil}}},
		{"tune points", len(s.Algorithms[1].Tune.Points), 6},
		{"the point of the run", s.Algorithms[1].Args.Float("eta_x"), 0.1},
		{"the fifth point", s.Algorithms[1].Tune.Points[4].Values, []GridValue{{"eta_x", 1}, {"outer", 20}}},
		{"its arguments", s.Algorithms[1].Tune.Points[4].Args.Int("outer"), 20},
		{"target", s.Algorithms[1].Tune.To, []result.Condition{conditionOn(measure.Metrics(), "grad_norm2", 1e-4)}},
		{"stop", text(s.Stop),
			`{"iterations":1000,"time":"60s","payload":"1GB","growth":100000000,"grad_norm2":0.000001,"test_accuracy":0.9}`},
		{"record", text(s.Record), `{"every":2,"metrics":["grad_norm2","objective"],"iterates":"final"}`},
		{"sweep", s.Sweep, []Axis{{"topology.nodes", []any{12, 20}, nil}, {"algorithms.dagm.alpha", []any{0.01, 2.5}, nil}}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.what, c.got, c.want)
		}
	}
	if s.Problem.Args.Has("pool") {
		t.Error("a parameter of other data has a value")
	}
}

func TestDefaults(t *testing.T) {
	s := mustParse(t, "version: 1\ntopology: {kind: complete, nodes: 1}\nproblem: {kind: consensus, dim: "+
		"3}\nalgorithms: [gossip]\n")
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"name", s.Name, "test"},
		{"seeds", s.Seeds, []uint64{1}},
		{"weights", s.Topology.Weights.Kind(), "metropolis"},
		{"network", text(s.Network),
			`{"latency":"1ms","bandwidth":"1Gbit/s","duplex":"full","jitter":"none","overhead":{"message":"0B","packet":"0` +
				`B"},"contention":"dedicated"}`},
		{"compute", text(s.Compute), `{"speed":"10GFLOP/s","straggler":"none"}`},
		{"wire", s.Wire, "float64"},
		{"stop", text(s.Stop), `{"growth":100000000}`},
		{"record", text(s.Record), `{"every":1,"iterates":"none"}`},
		{"label", s.Algorithms[0].Label, "Gossip"},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.what, c.got, c.want)
		}
	}
}

// TestResolved checks that a resolved scenario loads as an equal scenario.
func TestResolved(t *testing.T) {
	for _, src := range []string{
		string(Template(builtin())),
		full,
		"version: 1\nseeds: 10\ntopology: {kind: edges, nodes: 3, edges: [[0, 1], [1, 2]], weights: {matrix: [[0.5, " +
			"0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0.5]]}}\n" +
			"problem: {kind: quadratic, file: q.json}\nalgorithms: [{name: dagm, label: \"1e3\", inner: 1, neumann: " +
			"1, alpha: 1e-7, beta: 123456789.5}]\n",
		"version: 1\ntopology: {kind: [ring, star]}\n" + // replaced by the sweep
			"problem: {kind: logistic}\nalgorithms: [{name: dgd, alpha: 0.1}]\n" +
			"sweep: {topology: [{kind: star, nodes: 5}, {kind: ring, nodes: 5, weights: {kind: ring-a, a: 0.4}}], " +
			"problem.data: [synthetic]}\n",
		"version: 1\ntopology: {kind: ring, nodes: 8}\ncompute: {speed: unlimited, straggler: {kind: lognormal, " +
			"sigma: 0.5}, calls: {round: 1ms}}\n" +
			"problem: {kind: logistic, data: mnist, classes: [0, 1], partition: dirichlet, pool: 2}\nalgorithms: " +
			"[{name: extra, alpha: 0.1}]\n",
	} {
		s := mustParse(t, src)
		js, err := json.Marshal(s.Resolved())
		if err != nil {
			t.Fatal(err)
		}
		ya, err := s.YAML()
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{string(js), string(ya)} {
			again := mustParse(t, text)
			again.Name = s.Name
			if d := diff(s, again); d != "" {
				t.Errorf("%s\nof\n%s", d, text)
			}
			twice, _ := json.Marshal(again.Resolved())
			if string(twice) != string(js) {
				t.Errorf("resolved twice:\n%s\n%s", js, twice)
			}
		}
	}
}

func TestPoints(t *testing.T) {
	points, err := mustParse(t, full).Points()
	if err != nil {
		t.Fatal(err)
	}
	var got [][2]any
	for _, p := range points {
		got = append(got, [2]any{p.Scenario.Topology.Nodes, p.Scenario.Algorithms[0].Args.Float("alpha")})
		if len(p.Scenario.Sweep) != 0 {
			t.Error("a point has a sweep of its own")
		}
		if want := []GridValue{{"topology.nodes", p.Scenario.Topology.Nodes},
			{"algorithms.dagm.alpha", p.Scenario.Algorithms[0].Args.Float("alpha")}}; !reflect.DeepEqual(p.Values,
			want) {
			t.Errorf("the point %v says %v", want, p.Values)
		}
	}
	if want := [][2]any{{12, 0.01}, {12, 2.5}, {20, 0.01}, {20, 2.5}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	one, err := mustParse(t, full, "topology.nodes=9", "sweep={wire: [float16]}").Points()
	if err != nil || len(one) != 1 || one[0].Scenario.Wire != "float16" {
		t.Errorf("%v, %v", one, err)
	}
}

const small = `version: 1
seeds: 4
topology: {kind: ring, nodes: 8}
network:
  latency: 1ms
problem: {kind: quadratic, p: 3, q: 5}
algorithms:
  - {name: dagm, inner: 2, neumann: 3, alpha: 0.01, beta: 0.1}
  - {name: dgbo, label: DGBO (b=5), terms: 5, alpha: 0.01, beta: 0.5, gamma: 0.1, lipschitz: 10}
`

func TestOverrides(t *testing.T) {
	s := mustParse(t, small, "network.latency=2ms", "algorithms[0].alpha=1", "algorithms.DGBO.alpha = 2",
		`algorithms["DGBO (b=5)"].gamma=3`, "seed=7", "stop.grad_norm2=1e-3", "network.jitter.kind=exponential",
		"network.jitter.mean=1us",
		"record={every: 5}")
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"latency", s.Network.Duration("latency"), 2 * sim.Millisecond},
		{"alpha by index", s.Algorithms[0].Args.Float("alpha"), 1.0},
		{"alpha by name", s.Algorithms[1].Args.Float("alpha"), 2.0},
		{"gamma by label", s.Algorithms[1].Args.Float("gamma"), 3.0},
		{"seed for seeds", s.Seeds, []uint64{7}},
		{"a new section", s.conditions(s.Stop), []result.Condition{conditionOn(measure.Metrics(), "grad_norm2", 1e-3)}},
		{"a section key by key", text(s.Network.Section("jitter")), `{"kind":"exponential","mean":"1us"}`},
		{"a whole section", s.Record.Int("every"), 5},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.what, c.got, c.want)
		}
	}
}

func TestOverrideErrors(t *testing.T) {
	for _, c := range []struct{ set, want string }{
		{"network.latency=2", "--set network.latency=2: network.latency: 2 has no unit\n  hint: write a time with " +
			"its unit, as in 1ms"},
		{"network.latncy=2ms", "--set network.latncy=2ms: network.latncy: network has no such key\n  hint: did you " +
			"mean latency?"},
		{"network.latency", "--set network.latency: there is no = between a key and its value\n  hint: write --set " +
			"network.latency=2ms"},
		{"network.latency=", "--set network.latency=: there is no value after the =\n  hint: write --set " +
			"network.latency=VALUE"},
		{"=3", "--set =3: the path is empty: write it as in network.latency"},
		{"algorithms[5].alpha=1", "--set algorithms[5].alpha=1: algorithms[5].alpha: algorithms has 2 items; the " +
			"last one is [1]"},
		{"algorithms.dgob.alpha=1", "--set algorithms.dgob.alpha=1: algorithms.dgob.alpha: algorithms has no item " +
			"called dgob; did you mean dgbo?"},
		{"problem.kind.x=1", `--set problem.kind.x=1: problem.kind.x: problem.kind is the single value "quadratic" and ` +
			`has no key x`},
		{"topology={kind: geometric, nodes: 5}",
			"--set topology={kind: geometric, nodes: 5}: topology: radius is missing: the largest distance of " +
				"neighbours\n  hint: write radius: 0.3"},
		{"wire=float16", `--set wire=float16: wire: the sweep sets wire, at test.yaml:10:9: this would change nothing` +
			"\n  hint: write --set 'sweep.wire=[...]'"},
		{"name=[", "--set name=[: name: not valid YAML: sequence end token ']' not found"},
	} {
		_, err := Parse("test.yaml", []byte(small+"sweep: {wire: [float32, float64]}\n"), builtin(), []string{c.set})
		if err == nil || err.Error() != c.want {
			t.Errorf("--set %s:\n%v\nwant\n%s", c.set, err, c.want)
		}
	}
}

func TestAt(t *testing.T) {
	s := mustParse(t, small)
	for path, want := range map[string]string{
		"network.latency":                 "test.yaml:5:12",
		"network.jitter":                  "test.yaml:4:1", // not in the file: the section's position
		"topology.nodes":                  "test.yaml:3:31",
		"algorithms.dagm.alpha":           "test.yaml:8:47",
		`algorithms["DGBO (b=5)"].lambda`: "test.yaml:9:5",
		"algorithms[1].terms":             "test.yaml:9:44",
		"nothing":                         "test.yaml:1:1",
		"a path ] that [ is none":         "test.yaml:1:1",
		"algorithms[7].alpha":             "test.yaml:7:1",
	} {
		if got := s.at(path).String(); got != want {
			t.Errorf("%s is at %s, want %s", path, got, want)
		}
	}
	want := "test.yaml:3:31: topology.nodes: too many\n    3 | topology: {kind: ring, nodes: 8}\n      |            " +
		"                   ^"
	if got := s.Errorf("topology.nodes", "too many").Error(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	// An error about a parameter has the parameter's position; a label may contain dots.
	dots := mustParse(t, strings.Replace(small, "(b=5)", "(b=0.5)", 1))
	cause := errors.New("lipschitz is too small")
	fe := dots.Errorf("algorithms.DGBO (b=0.5)", "%w", keys.About("lipschitz", cause))
	if fe.Path != "algorithms.DGBO (b=0.5).lipschitz" || fe.String() != "test.yaml:9:96" || !errors.Is(fe, cause) {
		t.Errorf("%v, %s", fe, fe.FilePosition)
	}
	set := mustParse(t, small, "topology.nodes=9")
	if got := set.Errorf("topology.nodes",
		"too many").Error(); got != "--set topology.nodes=9: topology.nodes: too many" {
		t.Error(got)
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "small.yaml")
	if err := os.WriteFile(path, []byte(small), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := Load(path, builtin(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.Name != "small" || s.Dir() != dir || s.File() != path {
		t.Errorf("%s, %s, %s", s.Name, s.Dir(), s.File())
	}
}
