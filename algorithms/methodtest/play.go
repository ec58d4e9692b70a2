package methodtest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tallynet/algorithms"
	"tallynet/metrics"
	"tallynet/node"
)

// snapshot is the record of an iteration. Iterates are indexed by identity, not by number.
type snapshot struct {
	x, y [][]float64
	cost metrics.Cost
}

// outcome is a run that reached its end.
type outcome struct {
	at     []snapshot // by iteration
	digest string
	drawn  [][]batch // by who a node is: the samples that it used, one batch after the other
}

// partial reports whether only some of the samples were drawn.
func (o outcome) partial() bool {
	for _, batches := range o.drawn {
		if slices.ContainsFunc(batches, batch.partial) {
			return true
		}
	}
	return false
}

// play runs the method to its end, and checks the rules that hold for every run.
func (s *suite) play(u setup) (outcome, error) { return s.playWith(u, s.New()) }

func (s *suite) playWith(u setup, shared algorithms.Method) (out outcome, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = s.errorf(u, "it panics: %v", p)
		}
	}()
	if s.iterations < 2 || s.iterations > 50 {
		return out, fmt.Errorf("%s: it has %d iterations: want 2 to 50", s.Name, s.iterations)
	}
	var net *node.Network
	ids := u.ids()
	cfg := u.config()
	cfg.Recorder = metrics.NewRecorder(u.nodes(), 1, s.iterations, func(r *metrics.Snapshot) bool {
		out.at = append(out.at, taken(r, net.Ledger().Traffic(r.Tallies), ids))
		return true
	})
	cfg.Reports = &node.Reports{Last: s.iterations, P: u.p, Q: u.q}
	locals := make([]*local, u.nodes())
	net, err = node.New(cfg, func(number int) node.Handler {
		m := shared
		if u.apart {
			m = s.New()
		}
		id := ids[number]
		x0, y0 := s.start(u, id)
		if u.server && id == 0 {
			return handler(m, algorithms.NoData(u.p, u.q), x0, y0)
		}
		locals[id] = newLocal(s.share(u, id), u.bend)
		return handler(m, locals[id], x0, y0)
	})
	if err != nil {
		panic("methodtest: " + err.Error())
	}
	if err := toItsEnd(net); err != nil {
		return out, s.errorf(u, "%w", err)
	}
	out.digest = net.Digest()
	out.drawn = make([][]batch, u.nodes())
	for id, l := range locals {
		if l != nil {
			out.drawn[id] = l.drawn
		}
	}
	return out, nil
}

// toItsEnd runs a network. It returns an error if an iteration is not reported, or if messages are not conserved.
func toItsEnd(net *node.Network) error {
	ending, err := net.Run(context.Background(), node.Limits{})
	switch {
	case err != nil:
		return err
	case ending != node.Finished:
		return errors.New("the run ended before all nodes were done")
	}
	return net.CheckConservation()
}

// handler is a node's side of the method.
func handler(m algorithms.Method, l algorithms.Local, x0, y0 []float64) node.Handler {
	if a, ok := m.(algorithms.Asynchronous); ok {
		return node.Deferred(func(c *node.Context) node.Handler {
			return a.Handler(algorithms.Metered(c, l, x0, y0))
		})
	}
	return node.Program(func(p *node.Proc) {
		m.(algorithms.Algorithm).Run(p, algorithms.Metered(p.Context, l, x0, y0))
	})
}

// taken copies a snapshot. ids maps numbers to identities.
func taken(r *metrics.Snapshot, t metrics.Traffic, ids []int) snapshot {
	s := snapshot{
		x: make([][]float64, len(ids)), y: make([][]float64, len(ids)),
		cost: metrics.Cost{
			Rounds: r.Rounds, Messages: t.Messages, Broadcast: t.Broadcast, Wire: t.Wire, Oracle: r.Oracle,
		},
	}
	for number, id := range ids {
		s.x[id], s.y[id] = slices.Clone(r.X[number]), slices.Clone(r.Y[number])
	}
	return s
}
