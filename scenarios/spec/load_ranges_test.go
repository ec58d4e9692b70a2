package spec

import (
	"strings"
	"testing"
)

// TestLimitsOfRanges checks the ends of ranges, and which links may be listed beside each other.
func TestLimitsOfRanges(t *testing.T) {
	const head = "version: 1\ntopology: {kind: ring, nodes: 4}\nproblem: {kind: logistic}\n" +
		"algorithms: [{name: dgd, alpha: 0.1}]\n"
	const twice = "was given above"
	for _, c := range []struct{ line, want string }{
		{"compute: {straggler: {kind: lognormal, sigma: 10}}", ""},
		{"compute: {straggler: {kind: lognormal, sigma: 10.5}}", "out of range"},
		{"compute: {straggler: {kind: exponential, mean: 1e6}}", ""},
		{"compute: {straggler: {kind: exponential, mean: 1.5e6}}", "out of range"},
		{"compute: {straggler: {kind: lognormal, sigma: 0.5}}", ""},
		{"compute: {straggler: {kind: exponential, mean: 0.5}}", ""},
		{"compute: {straggler: {kind: pareto, shape: 0.5, window: 1ns}}", ""},
		{"compute: {straggler: {kind: constant, factor: 0.5, nodes: [0]}}", ""},
		{"compute: {straggler: {kind: constant, factor: 0}}", "out of range"},
		{"compute: {speed: 1FLOP/s, calls: {grad_f: 0s, round: 0s}, nodes: [{node: 0, speed: 1FLOP/s}]}", ""},
		{"network: {latency: 0s, bandwidth: 1bit/s}", ""},
		{"network: {bandwidth: 0bit/s}", "out of range"},
		{"network: {contention: nic, nic: {up: 1bit/s, down: 1bit/s}}", ""},
		{"network: {contention: nic, nic: {up: 0bit/s, down: 1bit/s}}", "out of range"},
		{"network: {contention: nic, nic: {up: 1bit/s, down: 0bit/s}}", "out of range"},
		{"network: {overhead: {message: 0B, packet: 0B, mtu: 1B}}", ""},
		{"network: {overhead: {packet: 1B, mtu: 0B}}", "out of range"},
		{"network: {links: [{from: 1, to: 0, latency: 0s, bandwidth: 1bit/s}]}", ""},
		{"network: {jitter: {kind: normal, mean: 1ns, deviation: 1ns}}", ""},
		{"network: {jitter: {kind: normal, mean: 1ns, deviation: 0s}}", "out of range"},
		{"network: {jitter: {kind: uniform, mean: 1ns}}", ""},
		{"network: {jitter: {kind: exponential, mean: 0s}}", "out of range"},
		{"record: {every: 1}", ""},
		{"record: {every: 0}", "out of range"},
		{"stop: {iterations: 1, payload: 1B, time: 1ns, growth: 1.5}", ""},
		{"stop: {iterations: 0}", "out of range"}, {"stop: {iterations: 1, payload: 0B}", "out of range"},
		{"stop: {iterations: 1, time: 0s}", "out of range"}, {"stop: {iterations: 1, growth: 1}", "out of range"},
		{"network: {links: [{from: 0, to: 1, bandwidth: 1Mbit/s}]}", ""},
		{"network: {links: [{from: 0, to: 1, latency: 1ms}]}", ""},
		{"network: {links: [{from: 0, to: 1}]}", "the link differs in nothing"},
		{"network: {links: [{from: 0, to: 1, oneway: true, latency: 1ms}, {from: 1, to: 0, oneway: true, latency: 2ms}]}",
			""},
		{"network: {links: [{from: 0, to: 1, oneway: true, latency: 1ms}, {from: 1, to: 0, latency: 2ms}]}", twice},
		{"network: {links: [{from: 0, to: 1, latency: 1ms}, {from: 1, to: 0, oneway: true, latency: 2ms}]}", twice},
		{"network: {links: [{from: 0, to: 1, latency: 1ms}, {from: 1, to: 0, latency: 2ms}]}", twice},
		{"network: {links: [{from: 0, to: 1, oneway: true, latency: 1ms}, {from: 0, to: 1, oneway: true, latency: 2ms}]}",
			twice},
	} {
		_, err := Parse("a.yaml", []byte(head+c.line+"\n"), builtin(), nil)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v, want %q", c.line, err, c.want)
		}
	}
}
