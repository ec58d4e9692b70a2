package spec

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestWithNumber sets numbers of all kinds, at the first point of a grid.
func TestWithNumber(t *testing.T) {
	const text = `version: 1
topology: {kind: ring, nodes: 4}
platform: {kind: racks, racks: 2, hosts: 2, nic: 10Gbit/s, uplink: unlimited, latency: {nic: 5us}}
network: {loss: {kind: independent, p: 0.1}}
compute: {straggler: {kind: lognormal, sigma: 0.5}}
tariffs: {machine: {idle: 50W}}
problem: {kind: consensus, dim: 1}
algorithms: [{name: gossip, rounds: 1}]
sweep: {compute.speed: [1GFLOP/s, 2GFLOP/s], network.overhead.message: [40B, 8kB]}
`
	s, err := Parse("x.yaml", []byte(text), builtin(), nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Limits.Runs = 7
	for _, c := range []struct {
		key  string
		x    float64
		want string // in the resolved scenario
	}{
		{"platform.uplink", 2.5e9, `"uplink":"2.5Gbit/s"`}, {"platform.latency.uplink", 75.5e-6, `"uplink":"75.5us"`},
		{"platform.latency.nic", 1.23456789e-3, `"nic":"1.234568ms"`}, {"compute.speed", 1e12, `"speed":"1TFLOP/s"`},
		{"network.overhead.message", 1499.6, `"message":"1.5kB"`}, {"compute.straggler.sigma", 0.25, `"sigma":0.25`},
		{"network.loss.attempts", 2.2, `"attempts":2`}, {"tariffs.machine.idle", 60, `"idle":"60W"`},
	} {
		got, err := s.WithNumber(c.key, c.x)
		if err != nil {
			t.Errorf("%s: %v", c.key, err)
			continue
		}
		all, err := json.Marshal(got.Resolved())
		if err != nil || !strings.Contains(string(all), c.want) || got.Limits.Runs != 7 || len(got.Sweep) > 0 ||
			c.key != "compute.speed" && !strings.Contains(string(all), `"speed":"1GFLOP/s"`) {
			t.Errorf("%s = %g: %s, %v, want %s", c.key, c.x, all, err, c.want)
		}
	}
	for key, want := range map[string]string{
		"network.latency": "network.latency", "platform.kind": "cannot be the number", "platform": "cannot be the number",
		"nothing.here": "cannot be the number", "platform.nothing": "cannot be the number",
		"platform.latency": "cannot be the number", "platform.uplink.up": "cannot be the number",
		"compute.straggler.sigma": "it must be above 0", "platform.uplink": "cannot be the number -1e+300",
	} {
		if _, err := s.WithNumber(key, -1e300); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", key, err, want)
		}
	}
}
