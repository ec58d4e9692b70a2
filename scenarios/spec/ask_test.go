package spec

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/metrics/report/result"
)

func atMost(metric string, value float64) result.Condition {
	return result.Condition{Metric: metric, Relation: "<=", Value: value}
}

// TestAskOfShipped reads what the shipped scenarios ask, and more forms of it.
func TestAskOfShipped(t *testing.T) {
	target := func(conditions ...result.Condition) *result.Target { return &result.Target{Conditions: conditions} }
	floor := atMost("grad_norm2", 1.1)
	floor.Floor = true
	accurate := result.Condition{Metric: "test_accuracy", Relation: ">=", Value: 0.9}
	small, byTime, byBytes := target(atMost("grad_norm2", 0.1)), []string{"time_s"}, []string{"payload_bytes"}
	agreed := func(level float64) *result.Target {
		return target(atMost("grad_norm2", level), atMost("consensus_error", level))
	}
	method, kind := []string{"algorithm"}, []string{"topology.kind"}
	for _, c := range []struct {
		file, ask string
		want      result.Question
	}{
		{"quickstart", "{choose: algorithm, by: bytes, along: [network.latency, network.bandwidth]}",
			result.Question{Choose: method, By: byBytes, To: target(atMost("grad_norm2", 5e-5), accurate),
				Along: []string{"network.latency", "network.bandwidth"}}},
		{"quickstart-tuning", "{choose: parameters, by: bytes, to: {grad_norm2: 5e-5, kept: true}}",
			result.Question{Choose: []string{"parameters"}, By: byBytes,
				To: &result.Target{Conditions: []result.Condition{atMost("grad_norm2", 5e-5)}, Kept: true}}},
		{"quickstart-tuning", "{choose: parameters}", result.Question{Choose: []string{"parameters"},
			To: &result.Target{Conditions: []result.Condition{atMost("grad_norm2", 5e-5), accurate}, Kept: true}}},
		{"what-limits", "{effect: [network.latency, network.bandwidth, compute.speed], by: time, of: algorithm}",
			result.Question{Effect: []string{"network.latency", "network.bandwidth", "compute.speed"}, Of: method, By: byTime,
				To: target(atMost("grad_norm2", 0.25))}},
		{"two-racks", "{choose: [topology.kind, algorithm], by: time, along: platform.uplink}",
			result.Question{Choose: []string{"topology.kind", "algorithm"}, By: byTime, To: small,
				Along: []string{"platform.uplink"}}},
		{"topology-networks", "{choose: [topology.kind, algorithm], by: [time, bytes, iterations], along: network}",
			result.Question{Choose: []string{"topology.kind", "algorithm"}, Along: []string{"network"},
				By: []string{"time_s", "payload_bytes", "iterations"},
				To: target(atMost("grad_norm2", 0.03), atMost("consensus_error", 0.35))}},
		{"topology-networks", "{choose: topology, by: rounds, to: {objective: 1, consensus_error: 2}, along: points}",
			result.Question{Choose: []string{"topology"}, By: []string{"rounds"},
				Along: []string{"points"},
				To:    target(atMost("objective", 1), atMost("consensus_error", 2))}},
		{"topology-size", "{effect: topology.nodes, by: [time, iterations, bytes], of: topology.kind}",
			result.Question{Effect: []string{"topology.nodes"}, Of: kind,
				By: []string{"time_s", "iterations", "payload_bytes"},
				To: target(atMost("grad_norm2", 0.2), atMost("consensus_error", 1.5))}},
		{"wan-regions", "{choose: [topology.kind, algorithm], by: time, along: place}",
			result.Question{Choose: []string{"topology.kind", "algorithm"}, By: byTime, To: small, Along: []string{"place"}}},
		{"fat-tree", "{effect: [place, platform.oversubscription], by: time, of: topology.kind}",
			result.Question{Effect: []string{"place", "platform.oversubscription"}, Of: kind, By: byTime, To: small}},
		{"lossy", "{effect: silence, by: time, to: {grad_norm2: 1.1 x floor, kept: true}, along: network.loss.p}",
			result.Question{Effect: []string{"silence"}, By: byTime, Along: []string{"network.loss.p"},
				To: &result.Target{Conditions: []result.Condition{floor}, Kept: true}}},
		{"stragglers-async", "{choose: algorithm, by: time, to: {grad_norm2: 1e-3}, along: compute.straggler.mean}",
			result.Question{Choose: method, By: byTime, To: target(atMost("grad_norm2", 1e-3)),
				Along: []string{"compute.straggler.mean"}}},
		{"one-peer", "{choose: dynamics, by: [bytes, time], to: stop.target}",
			result.Question{Choose: []string{"dynamics"}, By: []string{"payload_bytes", "time_s"}, To: agreed(1e-8)}},
		{"compression", "{choose: [algorithm, wire], by: bytes, to: {grad_norm2: 1e-5}, along: to}",
			result.Question{Choose: []string{"algorithm", "wire"}, By: byBytes, Along: []string{"to"},
				To: target(atMost("grad_norm2", 1e-5))}},
		{"gossip", "{choose: algorithm, by: [time, bytes], to: {consensus_error: 1e-3}}",
			result.Question{Choose: method, By: []string{"time_s", "payload_bytes"},
				To: target(atMost("consensus_error", 1e-3))}},
		{"single-level", "{choose: algorithm, by: bytes, to: {grad_norm2: 1e-8}}",
			result.Question{Choose: method, By: byBytes, To: target(atMost("grad_norm2", 1e-8))}},
		{"star", "{choose: algorithm, by: bytes, along: network}", result.Question{Choose: method, By: byBytes,
			To: target(atMost("grad_norm2", 1e-4)), Along: []string{"network"}}},
		{"all-decentralized", "{choose: algorithm, by: bytes}", result.Question{Choose: method, By: byBytes}},
		{"all-decentralized", "{by: [gradients, test_accuracy]}",
			result.Question{By: []string{"gradients", "test_accuracy"}}},
		{"mnist-196", "{choose: algorithm, by: [bytes, time], along: problem.pool}",
			result.Question{Choose: method, By: []string{"payload_bytes", "time_s"}, Along: []string{"problem.pool"},
				To: target(atMost("grad_norm2", 2e-5), accurate)}},
	} {
		s, err := Load(filepath.Join("..", c.file+".yaml"), builtin(), []string{"ask=" + c.ask})
		if err != nil {
			t.Error(err)
			continue
		}
		c.want.Given = true
		if c.file == "all-decentralized" {
			c.want.To = s.Ask.To
		}
		if d := cmp.Diff(&c.want, s.Ask); d != "" {
			t.Errorf("%s, ask: %s:\n%s", c.file, c.ask, d)
		}
		text, err := s.YAML()
		if err != nil {
			t.Fatal(err)
		}
		back, err := ParseResolved("result.json", text, builtin())
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(s.Ask, back.Ask); d != "" {
			t.Errorf("%s: a round trip changes the question:\n%s", c.file, d)
		}
	}
}

const asking = `version: 1
name: asking
topology: {kind: ring, nodes: 4}
network: {latency: 1ms}
problem: {kind: least-squares, dim: 3, samples: 9}
algorithms: [{name: dgd, outer: 5, alpha: 0.1}]
stop: {grad_norm2: 1e-3}
small: {problem.dim: 2}
sweep:
  topology.kind: [ring, complete]
`

// TestAskErrors checks the place and the words of errors.
func TestAskErrors(t *testing.T) {
	for _, c := range []struct{ ask, want string }{
		{"{chose: algorithm}", "did you mean choose?"},
		{"[algorithm]", "want a section of keys"},
		{"{choose: algorithms}", "ask:11:15: ask.choose: nothing that may stand here is called algorithms"},
		{"{choose: [algorithm, topology.knd]}", "ask:11:27: ask.choose[1]: nothing that may stand here is called " +
			"topology.knd"},
		{"{choose: [algorithm, topology.knd]}", "did you mean topology.kind?"},
		{"{choose: parameters}", "nothing that may stand here is called parameters"},
		{"{choose: points}", "nothing that may stand here is called points"},
		{"{choose: network.latency}", "nothing that may stand here is called network.latency"},
		{"{choose: to}", "nothing that may stand here is called to"},
		{"{along: network.latncy}", "did you mean network.latency?"},
		{"{along: topology.weights}", "nothing that may stand here is called topology.weights"},
		{"{along: compute.straggler.mean}", "nothing that may stand here"},
		{"{choose: topology.kind, along: topology}", "ask.along: the question names topology.kind twice"},
		{"{choose: [algorithm, algorithm]}", "ask.choose[1]: the question names algorithm twice"},
		{"{choose: algorithm, effect: topology.kind}", "effect is not used where choose is given"},
		{"{of: algorithm}", "of is used only where effect is given"},
		{"{by: tme}", "did you mean time?"},
		{"{by: [time, time]}", "ask.by[1]: the question names time twice"},
		{"{by: energy}", "ask.by: the scenario has no tariffs"},
		{"{to: 1e-3}", "want stop.target, or metrics and their levels"},
		{"{to: {}}", "want stop.target, or metrics and their levels"},
		{"{to: {grad_norm: 1}}", "did you mean grad_norm2?"},
		{"{to: {grad_norm2: small}}", "want a number"},
		{"{to: {grad_norm2: -1}}", "out of range"},
		{"{to: {grad_norm2: 0.9 x floor}}", "ask.to.grad_norm2: 0.9 is out of range: it must be at least 1"},
		{"{to: {grad_norm2: x floor}}", "want a number"},
		{"{to: {grad_norm2: floor}}", "want a number"},
		{"{to: {test_accuracy: 1.1 x floor}}", "more is better: it has no floor"},
		{"{to: {kept: true}}", "want a metric and its level"},
		{"{to: {grad_norm2: 1, kept: maybe}}", "neither true nor false"},
	} {
		_, err := Parse("ask", []byte(asking+"ask: "+c.ask+"\n"), builtin(), nil)
		if err == nil {
			t.Errorf("%s loads", c.ask)
			continue
		}
		checkPositions(t, err)
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant: %s", c.ask, err, c.want)
		}
	}
	for text, want := range map[string]string{
		strings.Replace(asking, "stop: {grad_norm2: 1e-3}", "ask: {to: stop.target}", 1): "no target stops the runs",
		strings.Replace(asking, "topology.kind: [ring", "ask.by: [time, bytes]\n  topology.kind: [ring",
			1): "ask cannot be swept",
		strings.Replace(asking, "problem.dim: 2", "ask.by: time", 1): "ask stays the same in the small form",
	} {
		if _, err := Parse("ask", []byte(text), builtin(), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestAskChangesNoRun checks that a question adds a target and changes nothing that runs depend on.
func TestAskChangesNoRun(t *testing.T) {
	parse := func(sets ...string) *Scenario {
		t.Helper()
		s, err := Parse("ask", []byte(asking), builtin(), sets)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	without, own := parse(), parse().Targets()
	if without.Ask != nil || len(own) != 1 {
		t.Fatalf("asks %+v, to %v", without.Ask, own)
	}
	for _, c := range []struct {
		ask  []string
		want int // targets
	}{
		{[]string{"ask.by=time"}, 1},
		{[]string{"ask.along=network.latency"}, 1},
		{[]string{"ask={by: time, along: [network.latency, to]}", "ask.to={grad_norm2: 1e-3}"}, 2},
		{[]string{"ask.to={grad_norm2: 1e-2}"}, 2},
		{[]string{"ask.to={grad_norm2: 1e-3, kept: true}"}, 2},
		{[]string{"ask.to={grad_norm2: 2 x floor}"}, 1},
	} {
		s := parse(c.ask...)
		if s.Ask == nil || !SameRuns(s, without) {
			t.Errorf("%v changes the runs", c.ask)
		}
		all := s.Targets()
		if len(all) != c.want || c.want == 2 && !all[0].Equal(*s.Ask.To) || !all[len(all)-1].Equal(own[0]) {
			t.Errorf("%v: the targets are %v", c.ask, all)
		}
		points, err := s.Points()
		if err != nil || !cmp.Equal(points[1].Scenario.Targets(), all) {
			t.Errorf("%v: the targets of a point are %v, %v", c.ask, points[1].Scenario.Targets(), err)
		}
	}
	floor := parse("ask.to={grad_norm2: 2 x floor}").Ask.To
	if got := floor.String(); got != "grad_norm2 <= 2 x floor" {
		t.Errorf("the target is %q", got)
	}
}
