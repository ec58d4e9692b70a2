package retime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"

	"tallynet/algorithms"
	"tallynet/metrics"
	"tallynet/node"
	"tallynet/scenarios/build"
	"tallynet/scenarios/execute"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/spec"
	"tallynet/sim"
)

// Retimable returns why the iterates of a method depend on time; nil if they do not. The instance may be an outline.
func Retimable(in *build.Instance, alg spec.AlgorithmSpec) error {
	m, err := build.Method(in.Scenario, alg, alg.Args)
	if err != nil {
		return err
	}
	_, rounds := m.(algorithms.Algorithm)
	s, stop, record := in.Setting(), in.Scenario.Stop, in.Scenario.Record
	switch {
	case !rounds:
		return fmt.Errorf("%s has no rounds: what it computes depends on when messages arrive", alg.Label)
	case s.GoesOn:
		return errors.New("silence: nodes go on without messages that come late")
	case s.Loses:
		return errors.New("messages or nodes are lost for good, and on another network these are others")
	case s.Forgets:
		return errors.New("faults.state: what hosts lose depends on when they go down")
	case stop.Duration("time") > 0:
		return errors.New("stop.time: how many iterations are done depends on how long they take")
	case record.Duration("interval") > 0:
		return errors.New("record.interval: samples are taken at moments of simulated time")
	}
	return nil
}

// Trace is a recorded run, up to a sample.
type Trace struct {
	in          *build.Instance
	alg         spec.AlgorithmSpec
	every, last int
	recording   node.Recording
}

// Record repeats a run up to its sample of iteration last, without metrics, and records it. args are the parameters of
// the run, which may be tuned. It returns an error if iterates depend on time, or if the run is interrupted.
func Record(ctx context.Context, in *build.Instance, alg spec.AlgorithmSpec, args keys.Args, last int) (t *Trace,
	err error) {
	if err := Retimable(in, alg); err != nil {
		return nil, err
	}
	m, err := build.Method(in.Scenario, alg, args)
	if err != nil {
		return nil, err
	}
	defer func() {
		if p := recover(); p != nil { // the method has a bug
			err = fmt.Errorf("%s: %v", alg.Label, p)
		}
	}()
	if c, ok := m.(io.Closer); ok { // code in another process
		defer func() { err = errors.Join(err, c.Close()) }()
	}
	t = &Trace{in: in, alg: alg, every: in.Scenario.Record.Int("every"), last: last}
	end := last + ahead(in)
	cfg := in.Engine
	cfg.Recording = &t.recording
	cfg.Recorder = metrics.NewRecorder(in.Graph.Nodes(), end, algorithms.Iterations(m), func(s *metrics.Snapshot) bool {
		return s.Iteration < end || end >= algorithms.Iterations(m)
	})
	n, err := node.New(cfg, execute.Handlers(in, m))
	if err != nil {
		return nil, err
	}
	// A run that fails or diverges later has its samples before that.
	if ending, err := n.Run(ctx, node.Limits{}); ending == node.Interrupted {
		return nil, err
	}
	return t, nil
}

// ahead returns by how many iterations a node can be ahead of the slowest one: news reach all nodes within as many
// rounds as the graph is wide. Where rounds lack edges it is an estimate; playing notices if it is too small.
func ahead(in *build.Instance) int {
	hops, exact := in.Graph.Diameter()
	if !exact || in.Dynamics != nil {
		hops = in.Graph.Nodes()
	}
	return hops + 1
}

// Times returns the times of the run's samples on the links and machines of an instance, which may be an outline: to
// the nanosecond those of a run there. It may differ from the recorded one in network, platform, place, compute,
// tariffs and faults only.
func (t *Trace) Times(ctx context.Context, in *build.Instance) ([]sim.Time, error) {
	if err := Retimable(in, t.alg); err != nil {
		return nil, err
	}
	cause := func(in *build.Instance) []any {
		s, whole := in.Scenario, keys.Which{}
		return []any{in.Seed, s.DataSeed, s.WireValue(), s.Topology.Args.Resolved(whole), s.Dynamics.Resolved(whole),
			s.Problem.Args.Resolved(whole)}
	}
	if !reflect.DeepEqual(cause(t.in), cause(in)) {
		return nil, errors.New("iterates differ from the recorded ones: another seed, topology, dynamics, wire or problem")
	}
	return t.recording.Times(ctx, in.Engine, t.every, t.last)
}
