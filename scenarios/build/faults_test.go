package build_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/algorithms"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/build"
	"tallynet/scenarios/execute"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
	"tallynet/scenarios/study"
	"tallynet/sim"
)

const faultBase = "version: 1\ntopology: {kind: ring, nodes: 5}\nproblem: {kind: quadratic, p: 2, q: 3}\n" +
	"algorithms: [{name: dagm, outer: 60, inner: 1, neumann: 1, alpha: 0.02, beta: 0.05}]\n"

// studyRuns runs the first method of a scenario.
func faultRun(t *testing.T, text string) result.Run {
	t.Helper()
	s, err := spec.Parse(filepath.Join(t.TempDir(), "x.yaml"), []byte(text), scenariotest.Catalog(), nil)
	if err != nil {
		t.Fatal(err)
	}
	study, err := study.New(s, &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	return execute.Run(context.Background(), study.First(), s.Algorithms[0], s.Algorithms[0].Args, nil)
}

// ending returns the values of the last sample.
func ending(r result.Run) []float64 { return r.Samples[len(r.Samples)-1].Values }

// TestLossInScenarios: retransmission costs time and bytes but changes no iterate. A dropped
// message stalls a method that waits, and changes the iterates of one that does not.
func TestLossInScenarios(t *testing.T) {
	whole := faultRun(t, faultBase)
	again := faultRun(t, faultBase+"network: {loss: {kind: independent, p: 0.2, timeout: 5ms}}\n")
	if again.Status != result.Completed || !slices.Equal(ending(again), ending(whole)) ||
		again.Totals.Time <= whole.Totals.Time {
		t.Errorf(
			"retransmission: %s %s, time %v, without loss %v",
			again.Status,
			again.Reason,
			again.Totals.Time,
			whole.Totals.Time,
		)
	}
	share := float64(again.Totals.Retransmitted) / float64(again.Totals.PayloadBytes())
	if again.Totals.Messages != whole.Totals.Messages || share < .2 || share > .3 || again.Totals.LostMessages != 0 {
		t.Errorf("%d messages, %g sent again, want 0.25", again.Totals.Messages, share)
	}
	stalled := faultRun(t, faultBase+"network: {loss: {kind: independent, p: 0.2, policy: drop}}\n")
	if stalled.Status != result.Stalled || !strings.Contains(stalled.Reason, "was lost at") {
		t.Errorf("%s: %s", stalled.Status, stalled.Reason)
	}
	for _, kind := range []string{"last", "renormalize"} {
		r := faultRun(t, faultBase+"network: {loss: {kind: bursts, enter: 0.1, leave: 0.5, policy: drop}}\n"+
			"silence: {kind: "+kind+", after: 10ms}\n")
		if r.Status != result.Completed || slices.Equal(ending(r), ending(whole)) || r.Totals.LostMessages == 0 {
			t.Errorf("%s: %s %s, lost %d", kind, r.Status, r.Reason, r.Totals.LostMessages)
		}
	}
}

// TestTotalsOfAStall: a run that stalls has spent as much whatever was recorded. In round 7 both messages of 8 ms are
// cut at 60 ms.
func TestTotalsOfAStall(t *testing.T) {
	for network, crossed := range map[string]float64{ // links on the way of a message
		"platform: {kind: switch, up: 8Mbit/s, latency: 1ms}\nnetwork: {loss: {kind: none, policy: drop}}\n": 2,
		"network: {latency: 1ms, bandwidth: 8Mbit/s, loss: {kind: none, policy: drop}}\n":                    1,
	} {
		for _, every := range []string{"1", "4", "1000000"} {
			r := faultRun(t, "version: 1\ntopology: {kind: path, nodes: 2}\n"+network+
				"compute: {speed: unlimited}\nfaults: {links: [{from: 0, to: 1, down: 60ms, up: 70ms}]}\n"+
				"tariffs: {machine: {price: 3600/h}, link: {price: 1000000/GB}}\n"+
				"problem: {kind: consensus, dim: 1000}\nalgorithms: [{name: gossip, rounds: 50}]\n"+
				"record: {every: "+every+", metrics: [consensus_error]}\n")
			c := &r.Totals
			if r.Status != result.Stalled || c.Time != 60*sim.Millisecond || c.Path.Total() != c.Time || c.Messages != 14 ||
				c.LostMessages != 2 || c.LostBytes != 16000 || c.Rounds != 7 || r.Ahead != nil ||
				math.Abs(c.MachineMoney-0.12) > 1e-9 || math.Abs(c.LinkMoney-112*crossed) > 1e-9 {
				t.Errorf("%srecord.every %s: %s, %+v, after the last sample %v", network, every, r.Status, *c, r.Ahead)
			}
		}
	}
}

// TestSameFaultsForAnyNumberOfWorkers: runs with loss, outages, jitter, stragglers and compression have the same
// entries and hashes for any workers and any order.
func TestSameFaultsForAnyNumberOfWorkers(t *testing.T) {
	const faulty = "version: 1\ntopology: {kind: ring, nodes: 5}\nproblem: {kind: quadratic, p: 2, q: 3}\nseeds: 3\n" +
		"network: {latency: 1ms, bandwidth: 1Mbit/s, jitter: {kind: exponential, mean: 100us}, " +
		"loss: {kind: bursts, enter: 0.1, leave: 0.5, timeout: 5ms, attempts: 5}}\n" +
		"compute: {speed: 1MFLOP/s, straggler: {kind: lognormal, sigma: 0.5}}\n" +
		"faults: {random_hosts: {up: 100ms, down: 10ms}, random_links: {up: 100ms, down: 10ms}}\n" +
		"silence: {kind: renormalize, after: 20ms}\nwire: {compress: random-k, share: 0.5, memory: feedback}\n" +
		"algorithms:\n  - {name: dagm, outer: 30, inner: 2, neumann: 2, alpha: 0.02, beta: 0.05}\n" +
		"  - {name: ma-dbo, outer: 30, inner: 2, higp: 2, alpha: 0.02, eta_y: 0.05, gamma: 0.05, theta: 0.5}\n"
	runs := studyRuns(t, faulty, 1)
	want := inJSON(t, runs)
	for _, r := range runs {
		if r.Status != result.Completed || r.Totals.Retransmitted == 0 || r.Hash == "" {
			t.Errorf("%s: %s, %d bytes sent again: want a run with faults", r.Status, r.Reason, r.Totals.Retransmitted)
		}
	}
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	for _, procs := range []int{1, 2} {
		runtime.GOMAXPROCS(procs)
		for _, workers := range []int{2, 5} {
			if diff := cmp.Diff(want, inJSON(t, studyRuns(t, faulty, workers))); diff != "" {
				t.Errorf("GOMAXPROCS %d, %d workers: %s", procs, workers, diff)
			}
		}
	}
}

// TestClosedFormsUnderLoss: with retransmission the closed form is exact except for repeated messages. Including
// these it holds in expectation, times 1/(1-p), where p is the long-run share of lost attempts.
func TestClosedFormsUnderLoss(t *testing.T) {
	for _, c := range []struct {
		loss string
		p    float64
		rare float64 // factor of the variance over independent losses: (2 - enter - leave)/(enter + leave)
	}{
		{"{kind: none}", 0, 1}, {"{kind: independent, p: 0.1}", .1, 1}, {"{kind: independent, p: 0.4}", .4, 1},
		{"{kind: bursts, enter: 0.1, leave: 0.3}", .25, 4},
		{"{kind: bursts, enter: 0.2, leave: 0.3, bad: 0.5, good: 0.1}", .6*.1 + .4*.5, 3},
	} {
		for _, method := range []string{
			"{name: dagm, outer: 300, inner: 2, neumann: 3, alpha: 0.02, beta: 0.05}",
			"{name: sldbo, outer: 2000, alpha: 0.005, beta: 0.01, eta: 0.01}",
		} {
			loss := strings.TrimSuffix(c.loss, "}")
			r := faultRun(t, "version: 1\ntopology: {kind: ring, nodes: 5}\nproblem: {kind: quadratic, p: 2, q: 3}\n"+
				"algorithms: ["+method+"]\nrecord: {every: 100}\nnetwork: {loss: "+loss+", timeout: 5ms, backoff: 1}}\n")
			n, predicted := &r.Totals, r.Predicted.Total
			if r.Status != result.Completed || n.Messages != predicted.Messages ||
				n.PayloadBytes() != 8*predicted.Wire.Total() {
				t.Errorf("%s %s, %s: %d messages, %d bytes, want %d and %d", r.Status, r.Reason, c.loss, n.Messages,
					n.PayloadBytes(), predicted.Messages, 8*predicted.Wire.Total())
			}
			got := float64(n.PayloadBytes()+n.Retransmitted) / float64(8*predicted.Wire.Total())
			want := 1 / (1 - c.p)
			// A geometric number of attempts has the variance p/(1-p)².
			bound := 5 * math.Sqrt(c.rare*c.p/float64(predicted.Messages)) / (1 - c.p)
			if !(math.Abs(got-want) <= bound) {
				t.Errorf("%s, %s: %g times the bytes of the closed form, want %g +- %g", c.loss, method, got, want, bound)
			}
		}
	}
}

// TestOutagesInScenarios: each kind of outage changes the run.
func TestOutagesInScenarios(t *testing.T) {
	dir := t.TempDir()
	trace := filepath.Join(dir, "a.csv")
	if err := os.WriteFile(trace, []byte("node,time,state\n2,10ms,off\n2,0.05,on\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{faultRun(t, faultBase).Hash: "no fault"}
	for _, faults := range []string{
		"hosts: [{node: 1, down: 10ms, up: 50ms}]", "links: [{from: 0, to: 1, down: 10ms, up: 60ms}]",
		"partitions: [{nodes: [0, 1], down: 10ms, up: 70ms}]", "random_hosts: {up: 100ms, down: 10ms}",
		"random_links: {up: 100ms, down: 10ms}", "trace: " + trace,
	} {
		r := faultRun(t, faultBase+"network: {loss: {kind: independent, p: 0, timeout: 5ms}}\nfaults: {"+faults+"}\n")
		if other, ok := seen[r.Hash]; ok || r.Status != result.Completed {
			t.Errorf("%s: %s %s, the same hash as %s", faults, r.Status, r.Reason, other)
		}
		seen[r.Hash] = faults
	}
	r := faultRun(t, faultBase+"silence: {kind: renormalize, after: 10ms}\nfaults: {hosts: [{node: 1, down: 10ms}]}\n")
	if r.Status != result.Completed ||
		!slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "nodes [1] went down for good") }) {
		t.Errorf("%s %s: %q", r.Status, r.Reason, r.Notes)
	}
}

// TestPhysicalLinksFail: a rack's uplink that is down in both directions acts as a partition of the nodes
// on both sides. An interface that is down cuts what its node sends, not what it receives. Lost messages
// are repeated or, if dropped, stall the method.
func TestPhysicalLinksFail(t *testing.T) {
	const base = "version: 1\ntopology: {kind: ring, nodes: 6}\nproblem: {kind: quadratic, p: 20, q: 30}\n" +
		"algorithms: [{name: dagm, outer: 20, inner: 1, neumann: 1, alpha: 0.02, beta: 0.05}]\n"
	const racks = "platform: {kind: racks, racks: 2, hosts: 3, nic: 1Mbit/s, uplink: 1Mbit/s, latency: {nic: 50us, " +
		"uplink: 500us}}\n"
	const again, drop = "network: {loss: {kind: none, timeout: 5ms}}\n", "network: {loss: {kind: none, policy: drop}}\n"
	const down = "down: 20.5ms, up: 90ms}"
	run := func(network, faults string) result.Run {
		return faultRun(t, base+network+"faults: {"+faults+"}\n")
	}
	whole := faultRun(t, base+racks+again)
	uplink := run(racks+again, "links: [{name: rack0.up, "+down+", {name: rack0.down, "+down+"]")
	if uplink.Status != result.Completed || uplink.Hash == whole.Hash || uplink.Totals.Retransmitted == 0 ||
		!slices.Equal(ending(uplink), ending(whole)) || uplink.Totals.Time <= whole.Totals.Time {
		t.Errorf("%s %s: %d bytes sent again, %v", uplink.Status, uplink.Reason, uplink.Totals.Retransmitted,
			uplink.Totals.Time)
	}
	for how, faults := range map[string]string{
		"a partition":    "partitions: [{nodes: [0, 1, 2], " + down + "]",
		"a pattern":      "links: [{name: 'rack0.[ud]*', " + down + "]",
		"the other rack": "links: [{name: 'rack1.[ud]*', " + down + "]",
		"both edges":     "links: [{from: 2, to: 3, " + down + ", {from: 5, to: 0, " + down + "]",
	} {
		if r := run(racks+again, faults); r.Hash != uplink.Hash {
			t.Errorf("%s: another run than with the uplink down: %v, %v", how, r.Totals.Time, uplink.Totals.Time)
		}
	}
	if r := run(racks+drop, "links: [{name: rack0.up, "+down+"]"); r.Status != result.Stalled ||
		!strings.Contains(r.Reason, "from nodes [2]") && !strings.Contains(r.Reason, "from nodes [0]") {
		t.Errorf("%s %s: want node 3 to wait for 2, or 5 for 0", r.Status, r.Reason)
	}
	const nics = "network: {contention: nic, nic: {up: 1Mbit/s, down: 1Mbit/s}, loss: {kind: none, timeout: 5ms}}\n"
	interfaces := run(nics, "links: [{name: node 3 up, "+down+"]")
	for _, l := range interfaces.Links {
		if (l.Retransmitted > 0) != (l.From == 3) {
			t.Errorf("link %d to %d: %d bytes sent again; the uplink of node 3 was down", l.From, l.To, l.Retransmitted)
		}
	}
	for text, want := range map[string]string{
		racks + "faults: {links: [{name: rack9*, down: 1s}]}\n":            "no link is called \"rack9*\"",
		racks + "faults: {links: [{name: '[', down: 1s}]}\n":               "is not a pattern",
		racks + "faults: {links: [{name: rack0.up, from: 0, down: 1s}]}\n": "and not both",
		racks + "faults: {links: [{from: 0, down: 1s}]}\n":                 "want the two nodes of a link",
		"faults: {links: [{name: rack0.up, down: 1s}]}\n":                  "there is no platform, so links have no names",
	} {
		if err := buildOf(base + text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestTariffsUnderFaults: every attempt to send is paid: the bytes of the closed form and the repeated bytes cost
// energy and money, on links and on a switch, where a message crosses two links. Machines are on until the end, which
// comes later.
func TestTariffsUnderFaults(t *testing.T) {
	const tariffs = "tariffs: {machine: {idle: 50W, busy: 50W, price: 3.6/h}, link: {energy: 10nJ/B, price: 2/GB}}\n"
	for network, hops := range map[string]float64{
		"network: {latency: 1ms, bandwidth: 1Mbit/s, ":                   1,
		"network: {contention: nic, nic: {up: 1Mbit/s, down: 1Mbit/s}, ": 2,
	} {
		for _, faults := range []string{"", "faults: {random_links: {up: 50ms, down: 5ms}}\n",
			"faults: {hosts: [{node: 1, down: 10ms, up: 50ms}], random_hosts: {up: 80ms, down: 5ms}}\n"} {
			r := faultRun(t, faultBase+network+"loss: {kind: bursts, enter: 0.1, leave: 0.5, timeout: 5ms, attempts: 50}}\n"+
				faults+tariffs)
			n := &r.Totals
			if r.Status != result.Completed || n.Retransmitted == 0 {
				t.Fatalf("%s: %s %s, %d bytes sent again", faults, r.Status, r.Reason, n.Retransmitted)
			}
			left := n.PayloadBytes() + n.Retransmitted
			if faults != "" { // a first attempt that meets a link that is down does not leave, and costs nothing
				paid := int64(math.Round(n.LinkEnergy / 10e-9 / hops))
				if paid < n.PayloadBytes() || paid >= left {
					t.Errorf("%s%s: %d bytes were paid, want %d or more, and less than %d", network, faults, paid, n.PayloadBytes(),
						left)
				}
				left = paid
			}
			bytes := hops * float64(left)
			for _, c := range []struct {
				what      string
				got, want float64
			}{
				{"energy of links", n.LinkEnergy, 10e-9 * bytes}, {"money for links", n.LinkMoney, 2e-9 * bytes},
				{"energy of machines", n.MachineEnergy, 5 * 50 * n.Time.Seconds()},
				{"money for machines", n.MachineMoney, 5 * n.Time.Seconds() / 1000},
			} {
				if !(math.Abs(c.got-c.want) <= 1e-9*c.want) {
					t.Errorf("%s%s: %s: %g, want %g", network, faults, c.what, c.got, c.want)
				}
			}
		}
	}
}

// TestMethodsThatRestart: the error that refuses faults.state: lose lists the methods that support it.
func TestMethodsThatRestart(t *testing.T) {
	err := buildOf(faultBase + "faults: {state: lose, hosts: [{node: 1, down: 1s, up: 2s}]}\n")
	if err == nil {
		t.Fatal("DAGM takes faults.state: lose")
	}
	_, text, _ := strings.Cut(err.Error(), "or take ")
	text, _, _ = strings.Cut(text, "\n")
	named := strings.FieldsFunc(strings.ReplaceAll(text, " or ", ", "), func(r rune) bool { return r == ',' || r == ' ' })
	var takes []string
	for _, m := range algorithms.Methods() {
		if m.Needs().Restarts {
			takes = append(takes, m.Declare().Name)
		}
	}
	slices.Sort(named)
	slices.Sort(takes)
	if !slices.Equal(named, takes) {
		t.Errorf("the refusal names %v, and %v take it", named, takes)
	}
}

// buildOf returns the error of building a scenario.
func buildOf(text string) error {
	s, err := spec.Parse("x.yaml", []byte(text), scenariotest.Catalog(), nil)
	if err == nil {
		_, err = build.Build(s, 1, &scenariotest.Data)
	}
	return err
}

// TestFaultErrors: invalid settings are refused, with the place and the correct form.
func TestFaultErrors(t *testing.T) {
	for text, want := range map[string]string{
		"faults: {links: [{from: 0, to: 2, down: 1s}]}\n": "faults.links[0]: nodes 0 and " +
			"2 are not neighbours",
		"faults: {trace: none.csv}\n":                                               "faults.trace",
		"faults: {state: lose, hosts: [{node: 1, down: 1s, up: 2s}]}\n":             "write faults.state: keep",
		"network: {loss: {kind: bursts, enter: 0, leave: 0}}\n":                     "no link would ever change",
		"network: {loss: {kind: independent, p: 1}}\n":                              "p, set attempts, or policy: drop",
		"network: {loss: {kind: bursts, enter: 0.1, leave: 0}}\n":                   "no link recovers",
		"network: {loss: {kind: bursts, enter: 0.1, leave: 0.5, good: 1}}\n":        "no link recovers",
		"network: {loss: {kind: independent, p: 0.1, policy: drop, timeout: 1s}}\n": "timeout",
	} {
		if err := buildOf(faultBase + text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// studyRuns runs the study of a scenario's text.
func studyRuns(t *testing.T, text string, workers int) []result.Run {
	t.Helper()
	st, err := study.New(scenariotest.Parse(t, text), &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := st.Run(t.Context(), study.Options{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return runs
}

// inJSON returns runs as in result.json.
func inJSON(t *testing.T, runs []result.Run) string {
	t.Helper()
	text, err := json.Marshal(runs)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
