package execute

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tallynet/algorithms"
	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/metrics/report/result"
	"tallynet/node"
	"tallynet/scenarios/build"
	"tallynet/scenarios/measure"
	"tallynet/scenarios/predict"
	"tallynet/sim"
)

// conclude sets the status by the way the simulation ended, and the totals of the run.
func (r *runner) conclude(ending node.Ending, err error) {
	s := r.in.Scenario
	r.run.Finish()
	switch ending {
	case node.Finished:
		r.end(result.Completed, fmt.Sprintf("all %d iterations done", r.last))
	case node.OutOfTime:
		r.end(result.Completed, fmt.Sprintf("stop.time: %v of simulated time have passed", s.Stop.Duration("time")))
	case node.Stalled:
		r.end(result.Stalled, err.Error())
	case node.Interrupted:
		r.end(result.Interrupted, fmt.Sprintf("interrupted after iteration %d", r.run.Iterations))
	case node.Failed:
		if errors.Is(err, node.ErrDiverged) {
			r.end(result.Diverged, err.Error())
		} else {
			r.end(result.Failed, err.Error())
		}
	}
	if r.run.Status == result.Diverged {
		r.run.Reason += r.wire.reason()
	}
	r.run.Hash, r.run.EventsHash, r.run.IteratesHash = r.net.Digest(), r.net.EventsDigest(), r.net.IteratesDigest()
	r.run.Links, r.run.Nodes, r.run.Phases = linkRows(r.net), nodeRows(r.net), phaseRows(r.net)
	for _, d := range r.in.Holdings() {
		n := &r.run.Nodes[d.Node]
		n.Train, n.Val, n.Labels = d.Train, d.Val, d.LabelsText()
	}
	links, crossings := r.net.Physical()
	r.run.SetPhysical(links, crossings, r.net.CriticalPath(), channel.Unlimited, r.net.Clock())
	if r.run.Physical != nil && r.in.Platform != nil {
		r.run.Physical.Assumed = r.in.Platform.Notes
	}
	r.charge()
	r.predict()
	if ending == node.Stalled || ending == node.Failed || len(r.run.Samples) == 0 {
		r.brokeOff()
	}
	r.ahead()
	r.notes()
	if err := r.net.CheckConservation(); err != nil {
		r.run.Status, r.run.Reason = result.Failed, err.Error()
	}
	r.nodeMetrics()
}

// brokeOff sets the totals of a run that has no sample, or that stalled or failed between two of them, to all that it
// spent, whatever was recorded. The time in which messages were still on their way and no node went on counts as idle.
// The closed form is that of whole iterations, so there is none.
func (r *runner) brokeOff() {
	s := &metrics.Snapshot{At: r.net.Clock(), Counters: r.net.Total()}
	for i := range r.net.Nodes() {
		s.At = max(s.At, r.net.Outcome(i).Clock)
	}
	s.Path.Idle += s.At - s.Path.Total()
	r.run.Predicted = nil
	r.run.Totals = metrics.NewTotals(s, r.net.Ledger().Traffic(s.Tallies))
	if t := r.in.Engine.Tariffs; t != nil {
		for i := range r.net.Nodes() {
			s.Computing = s.Computing.Plus(t.Computing(i, r.net.Outcome(i).Compute))
		}
		r.run.Totals.Costs = t.Costs(s)
	}
}

// nodeMetrics sets the final metrics of the nodes that hold data. After a failed run the problem may fail too.
func (r *runner) nodeMetrics() {
	if len(r.run.Samples) == 0 || r.run.Status == result.Failed {
		return
	}
	names, values := r.eval.Nodes(r.has)
	r.run.NodeMetrics = names
	for i := range r.in.Problem.Nodes() {
		n := &r.run.Nodes[r.in.Servers()+i]
		for k := range values {
			n.Final = append(n.Final, values[k][i])
		}
	}
}

// ahead sets the difference between the ledgers and the totals of the last sample.
func (r *runner) ahead() {
	a := result.Ahead{Messages: -r.run.Totals.Messages, PayloadBytes: -r.run.Totals.PayloadBytes()}
	for _, n := range r.run.Nodes {
		a.Messages += n.Messages
		a.PayloadBytes += n.Payload
	}
	if a.Messages > 0 {
		r.run.Ahead = &a
	}
}

// predict sets the closed-form cost of the completed iterations. A run whose counts differ from it has failed. Where
// nodes are in different iterations there is no such cost, but a bound.
func (r *runner) predict() {
	if m, ok := r.method.(algorithms.Unpredicted); ok {
		r.note("%s", m.NoPrediction())
		return
	}
	r.run.Predicted = predict.Predict(r.method, r.in.Dims(), r.run.Iterations)
	r.run.Predicted.Bound = r.run.Predicted.Bound || r.in.Bounds()
	_, withoutRounds := r.method.(algorithms.Asynchronous)
	if len(r.run.Samples) == 0 || len(r.net.Gone()) > 0 {
		return
	}
	err := r.run.Predicted.Check(&r.run.Totals)
	if r.clocked && (r.run.Status != result.Completed || r.run.Iterations < r.last || withoutRounds) {
		furthest := 0 // the nodes are in different iterations, each at some point of its own
		for i := range r.net.Nodes() {
			furthest = max(furthest, r.net.Outcome(i).Iterations)
		}
		err = metrics.CheckSpan(r.run.Predicted, predict.Predict(r.method, r.in.Dims(), furthest+1), &r.run.Totals)
		r.run.Predicted = nil
	}
	if err != nil {
		r.run.Status = result.Failed
		r.run.Reason = fmt.Sprintf("what was counted differs from the method's closed form: %v; "+
			"the method's Cost or its Run is wrong", err)
	}
}

// note appends a note, unless it is empty.
func (r *runner) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); text != "" {
		r.run.Notes = append(r.run.Notes, text)
	}
}

// notes appends what the user should know of the run.
func (r *runner) notes() {
	if d := r.in.Graph.Draws(); d > 1 {
		r.note("the graph was drawn %d times until it was connected", d)
	}
	if !r.in.Scenario.Topology.Server() {
		r.note("%s", build.Mixes(r.in.Mixing))
	}
	if names := r.apart(); names != "" && r.run.Iterations >= r.in.Engine.Period {
		r.note("nodes cannot agree on %s: in the rounds that exchange it, they always meet the same neighbours, which do "+
			"not connect all nodes", names)
	}
	sent := r.net.Ledger().Classes()
	if r.in.Engine.Compress != nil && len(sent) > 0 &&
		!slices.ContainsFunc(sent, func(c metrics.Class) bool { return c.Varies }) {
		r.note("nothing was compressed: only exchanges with all neighbours are, and the method sends its messages one by " +
			"one")
	}
	r.note("%s", r.worse())
	if lost := r.net.Lost(); lost > 0 {
		r.note("%d messages were lost and never arrived", lost)
	}
	if gone := r.net.Gone(); len(gone) > 0 {
		r.note("nodes %v went down for good: metrics use their last iterates, and the closed form of the cost does not "+
			"apply", gone)
	}
	r.note("%s", r.leftOut())
	needs := r.method.Needs()
	ofPhi := r.eval.Measures("objective") || r.eval.Measures("grad_norm2")
	if needs.HomogeneousG && ofPhi {
		r.note("the method assumes that all nodes have the same inner problem; if they do not, its limit is not the optimum")
	}
	if needs.PersonalY && ofPhi && r.eval.Shared() && r.in.Problem.Nodes() > 1 {
		r.note("in this method each node has its own y, but objective and grad_norm2 are those with one y for all: write " +
			"problem.inner: personal to measure the method's own")
	}
	if err := r.eval.Inexact(); err != nil {
		r.note("%v", err)
	}
}

// apart names what nodes exchanged on graphs that together do not connect them; "" if there is nothing.
func (r *runner) apart() string {
	met := maps.Clone(r.net.Met())
	maps.DeleteFunc(met, func(_ string, rounds []bool) bool { return r.in.Dynamics.Connects(rounds) })
	return strings.Join(slices.Sorted(maps.Keys(met)), ", ")
}

// worse says that a completed run ended worse than it started: at a larger objective or, if that is not recorded, at
// another loss or a larger gradient. It returns "" if it did not.
func (r *runner) worse() string {
	names := []string{"objective", "suboptimality", "outer_loss", "own_loss", "train_loss", "grad_norm2"}
	i := slices.IndexFunc(names, r.eval.Measures)
	if i < 0 || r.run.Status != result.Completed || len(r.run.Samples) == 0 {
		return ""
	}
	from, _ := r.value(&r.run.Samples[0], names[i])
	if names[i] == "grad_norm2" {
		from = r.first
	}
	to, _ := r.run.Final.Values.Get(names[i])
	if a, b := fmt.Sprintf("%.3g", from), fmt.Sprintf("%.3g", to); to > from && a != b {
		return fmt.Sprintf("the run ended worse than it started: %s went from %s to %s; a smaller step may help", names[i],
			a, b)
	}
	return ""
}

// leftOut says which metrics were not recorded because they take long, and how to record them. It returns "" if the
// scenario chooses its metrics.
func (r *runner) leftOut() string {
	s := r.in.Scenario
	names, work := measure.LeftOut(r.in.Problem, s.Catalog.Metrics)
	names = slices.DeleteFunc(names, r.eval.Measures)
	if len(names) == 0 || s.Record.Strings("metrics") != nil {
		return ""
	}
	return fmt.Sprintf("the test accuracy is that of the average model, which no node has: %s would take %.2g "+
		"multiplications per sample, and metrics that take more than %.2g are recorded only if named; name them "+
		"in record.metrics, perhaps with a larger record.every", strings.Join(names, " and "), work, measure.Cheap)
}

// charge sets what each machine and each link cost, by the tariffs. Links are the physical ones of a platform, or the
// lines of the edges. Machines are on until the last one has ended.
func (r *runner) charge() {
	t := r.in.Engine.Tariffs
	if t == nil {
		return
	}
	var end sim.Time
	for i := range r.net.Nodes() {
		end = max(end, r.net.Outcome(i).Clock)
	}
	for i := range r.run.Nodes {
		o := r.net.Outcome(i)
		r.run.Nodes[i].Machine, r.run.Nodes[i].Sent = t.Machines[i].Of(end, o.Compute).Charge(), o.Links.Charge()
	}
	if r.run.Physical != nil {
		for i := range r.run.PlatformLinks {
			l := &r.run.PlatformLinks[i]
			l.Charge = t.Links[i].Of(l.Bytes).Charge()
		}
		return
	}
	for i := range r.run.Links {
		l := &r.run.Links[i]
		l.Charge = t.Links[i].Of(l.PayloadBytes() + l.Overhead).Charge()
	}
}
