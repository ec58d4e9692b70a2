package scenarios

import (
	"strings"
	"testing"
)

// TestLimitsOfRanges: a range includes its upper end, and nothing beyond; a link may differ in one thing.
func TestLimitsOfRanges(t *testing.T) {
	const head = "version: 1\ntopology: {kind: ring, nodes: 4}\nproblem: {kind: logistic}\n" +
		"algorithms: [{name: dgd, alpha: 0.1}]\n"
	const twice = "was given above"
	for _, c := range []struct{ line, want string }{
		{"compute: {straggler: {kind: lognormal, sigma: 10}}", ""},
		{"compute: {straggler: {kind: lognormal, sigma: 10.5}}", "out of range"},
		{"compute: {straggler: {kind: exponential, mean: 1e6}}", ""},
		{"compute: {straggler: {kind: exponential, mean: 1.5e6}}", "out of range"},
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
