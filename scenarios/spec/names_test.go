package spec

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// A label is how a swept value is shown. It is no part of the value, and the resolved scenario keeps it.
func TestLabelsOfSweptValues(t *testing.T) {
	const axes = "sweep: {wire: [{label: largest tenth, compress: top-k, share: 0.1}, float64], " +
		"network.latency: [{label: near, value: 1ms}, 20ms]}\n"
	without := strings.NewReplacer("label: largest tenth, ", "", "{label: near, value: 1ms}", "1ms").Replace(axes)
	s, plain := mustParse(t, small+axes), mustParse(t, small+without)
	if !SameRuns(s, plain) {
		t.Error("the labels change the runs")
	}
	text, err := json.Marshal(s.Resolved())
	if err != nil {
		t.Fatal(err)
	}
	again, err := ParseResolved("again.json", text, builtin())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Scenario{s, again} {
		var labels []string
		for _, a := range s.Sweep {
			for _, v := range a.Values {
				labels = append(labels, s.LabelOf(SettingsOf([]GridValue{{a.Key, v}})[0]))
			}
		}
		if want := []string{"largest tenth", "float64", "near", "20 ms"}; !slices.Equal(labels, want) {
			t.Errorf("labels %q, want %q", labels, want)
		}
	}
	points, err := mustParse(t, small+"points: [{label: a, network.latency: 1ms}, {name: b, wire: float32}]\n").Points()
	if err != nil || points[0].Name != "a" || points[1].Name != "b" || len(points[0].Values) != 1 {
		t.Errorf("%+v, %v", points, err)
	}
	whole := mustParse(t, small+
		`sweep: {"algorithms[0]": [{name: gossip, label: mean, rounds: 3}, {name: dagm, label: D, `+
		"outer: 2, inner: 2, neumann: 3, alpha: 0.01, beta: 0.1}]}\n")
	if whole.Sweep[0].Labels != nil || whole.Algorithms[0].Label != "mean" {
		t.Errorf("the label of a method is taken for that of a value: %+v", whole.Sweep)
	}
}

func TestWrongLabels(t *testing.T) {
	for line, want := range map[string]string{
		"sweep: {wire: [{label: a, value: float32}, {label: a, value: float64}]}": "test.yaml:10:45: " +
			`sweep.wire[1].label: two of them are called "a"`,
		"sweep: {wire: [{label: 3, value: float32}]}":          "sweep.wire[0].label: want a name in words",
		"sweep: {wire: [{label: a}]}":                          "sweep.wire[0]: the value is empty",
		"sweep: {wire: [float32, {label: a, value: float32}]}": "sweep.wire[1]: the value float32 is given twice",
		"points: [{label: a, name: b, wire: float32}]":         "points[0].name: it has a label and a name",
		"points: [{label: a}, {name: a, wire: float32}]":       `points[1].name: two of them are called "a"`,
	} {
		_, err := Parse("test.yaml", []byte(small+line+"\n"), builtin(), nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n%v\nwant %q", line, err, want)
		}
	}
}

// An axis of the sweep is a path. Overrides name it as it is, whether the file has it or not.
func TestOverridesOfAxes(t *testing.T) {
	const swept = "sweep: {network.latency: [1ms, 2ms, 3ms], wire: [float32]}\n"
	for set, want := range map[string]string{
		"sweep.network.latency=[5ms]":        "network.latency [5ms], wire [float32]",
		"sweep.network.latency[1]=5ms":       "network.latency [1ms 5ms 3ms], wire [float32]",
		`sweep["network.latency"]=[5ms]`:     "network.latency [5ms], wire [float32]",
		"sweep.wire[0]=float64":              "network.latency [1ms 2ms 3ms], wire [float64]",
		"sweep.algorithms.DAGM.alpha=[1]":    "network.latency [1ms 2ms 3ms], wire [float32], algorithms.DAGM.alpha [1]",
		"sweep={topology.nodes: [4, 6]}":     "topology.nodes [4 6]",
		`sweep.algorithms["D (b)"].beta=[1]`: `network.latency [1ms 2ms 3ms], wire [float32], algorithms["D (b)"].beta [1]`,
	} {
		file := strings.Replace(small, "DGBO (b=5)", "D (b)", 1) + swept
		var got []string
		for _, a := range mustParse(t, file, set).Sweep {
			got = append(got, fmt.Sprint(a.Key, " ", a.Values))
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("--set %s: %s, want %s", set, text, want)
		}
	}
	if got := mustParse(t, small, "sweep.topology.nodes=[4, 6]").Sweep; !reflect.DeepEqual(got,
		[]Axis{{"topology.nodes", []any{4, 6}, nil}}) {
		t.Errorf("without a sweep: %v", got)
	}
}

func TestKeyTitles(t *testing.T) {
	s := mustParse(t, small)
	for all, want := range map[string]string{
		"network.latency":                            "latency",
		"topology.kind, topology.nodes":              "graph, nodes",
		"network.loss.p":                             "loss probability",
		"topology.p, network.loss.p":                 "edge probability, loss probability",
		"network.nic.up":                             "uplink",
		"platform.backhaul_latency":                  "backhaul latency",
		"wire.compress, wire.share":                  "wire, share sent",
		"network.links[0].latency, network.latency":  "latency of links[0], latency",
		"algorithms.dagm.alpha, algorithms[1].alpha": "alpha of DAGM, alpha of DGBO (b=5)",
		"problem.kind":                               "problem",
	} {
		var got []string
		for _, key := range strings.Split(all, ", ") {
			got = append(got, s.KeyTitle(key, false))
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("%s: %q, want %q", all, text, want)
		}
	}
	if got := s.KeyTitle("network.nic.up", true); got != "network nic uplink" {
		t.Errorf("the whole name is %q", got)
	}
	s.Algorithms = s.Algorithms[:1]
	if got := s.KeyTitle("algorithms.dagm.alpha", false); got != "alpha" {
		t.Errorf("of the only method: %q", got)
	}
}

// A value with a unit is also a number, in the unit that ends its key.
func TestQuantities(t *testing.T) {
	s := mustParse(t, small)
	got := s.Quantities([]GridValue{{"network.latency", "10ms"}, {"network.bandwidth", "1Gbit/s"},
		{"network.loss.timeout", 0}, {"network.nic.up", "unlimited"}, {"network.overhead.packet", "66B"},
		{"compute.speed", "1.5GFLOP/s"},
		{"topology.nodes", 8}, {"platform.range", "50m"}, {"tariffs.machine.busy", "250W"},
		{"tariffs.link.energy", "10nJ/B"},
		{"algorithms.dagm.interval", "3us"}, {"network.links[0].latency", "2ms"}, {"wire", "float32"}})
	if text, want := got.Text("="), "network.latency_s=0.01, network.bandwidth_bit_per_s=1000000000, "+
		"network.loss.timeout_s=0, network.overhead.packet_bytes=66, compute.speed_flop_per_s=1500000000, "+
		"platform.range_m=50, tariffs.machine.busy_w=250, tariffs.link.energy_j_per_byte=1e-8, "+
		"algorithms.dagm.interval_s=0.000003, network.links[0].latency_s=0.002"; text != want {
		t.Errorf("%s\nwant %s", text, want)
	}
	if got := s.Quantities([]GridValue{{"no.such", "1ms"}}); got != nil {
		t.Error("a key that is not declared has a unit")
	}
}
