package node

import (
	"context"
	"errors"
	"fmt"

	"tallynet/metrics"
	"tallynet/sim"
)

// Recording is what the programs of a run do that takes time: they compute, send, wait and report. It has the sizes of
// messages and no data. If iterates do not depend on when messages arrive, neither does the recording, and Times plays
// it on any network with the same graph. After its run it does not change, so that it may be played concurrently.
type Recording struct {
	steps []step         // distinct ones
	index map[step]int32 // in steps
	nodes [][]int32      // by node: its steps in order
	kept  int            // the number of them
	why   string         // why the run has no recording; "" if it has one
}

// step is something that a program does.
type step struct {
	kind      stepKind
	exchanged bool // a message of an exchange
	call      metrics.Call
	phase     string
	n         int // calls, the occurrence of an exchange, nanoseconds, the number of a round, or a sender
	to        int // the receiver by index, or everyone
	payload   int64
	flops     float64
}

type stepKind uint8

const (
	chargeStep stepKind = iota
	workStep
	roundStep
	turnStep
	closingStep
	sendStep
	collectStep
	receiveStep
	sleepStep
	reportStep
	returnStep
)

// everyone stands for all receivers of a round.
const everyone = -1

// mostSteps bounds the memory of a recording, to about 256 MiB.
const mostSteps = 1 << 26

// record records a step of the node's program.
func (c *Context) record(s step) {
	r := c.net.cfg.Recording
	if r == nil || r.why != "" {
		return
	}
	k, known := r.index[s]
	if !known {
		k = int32(len(r.steps))
		r.steps = append(r.steps, s)
		r.index[s] = k
		r.kept += 40 // the memory of so many
	}
	r.nodes[c.id] = append(r.nodes[c.id], k)
	if r.kept++; r.kept > mostSteps {
		*r = Recording{why: "it is too long"}
	}
}

// timely says that what the node's program does depends on time, so that the run has no recording.
func (c *Context) timely(what string) {
	if r := c.net.cfg.Recording; r != nil && r.why == "" {
		*r = Recording{why: fmt.Sprintf("node %d %s", c.id, what)}
	}
}

// Times plays the recording on the links and machines of cfg, whose graph is that of the recorded run. It returns when
// all nodes have reported iterations 0, every, 2 every ... and last: to the nanosecond the times of a run there. It
// returns an error if there is no recording, if the recording ends too early, or if something is lost for good.
func (r *Recording) Times(ctx context.Context, cfg Config, every, last int) ([]sim.Time, error) {
	if r.why != "" {
		return nil, fmt.Errorf("the run has no recording: %s", r.why)
	}
	var times []sim.Time
	known := sim.Never // when the first program comes to the end of the recording, and not to its own
	cfg.Recorder = metrics.NewRecorder(len(r.nodes), every, last, func(s *metrics.Snapshot) bool {
		if s.At <= known {
			times = append(times, s.At)
		}
		return s.At <= known && s.Iteration < last
	})
	cfg.Codec, cfg.Compress, cfg.Tariffs, cfg.Reports, cfg.Recording = nil, nil, nil, nil, nil
	n, err := New(cfg, func(id int) Handler {
		return Program(func(p *Proc) {
			for _, k := range r.nodes[id] {
				if !p.play(&r.steps[k]) {
					return
				}
			}
			known = min(known, p.now)
		})
	})
	if err != nil {
		return nil, err
	}
	switch ending, err := n.Run(ctx, Limits{}); {
	case n.Lost() > 0 || len(n.Gone()) > 0:
		return nil, errors.New("messages or nodes are lost for good")
	case ending == Interrupted || ending == Failed:
		return nil, err
	case len(times) <= (last+every-1)/every:
		return nil, errors.New("the recording ends before its last iteration does on this network")
	}
	return times, nil
}

// play does a step. It returns false if the program returned there.
func (p *Proc) play(s *step) bool {
	switch s.kind {
	case chargeStep:
		p.Charge(s.call, s.n, 0, s.flops)
	case workStep:
		p.Work(s.flops)
	case roundStep:
		p.chargeRound()
	case turnStep:
		p.takeTurn(s.n)
	case closingStep:
		p.Closing()
	case sendStep:
		to := p.receivers()
		if s.to != everyone {
			to = p.net.indices[s.to : s.to+1]
		}
		phase := p.net.phase(s.phase)
		if len(p.net.classesOf[phase]) == 0 {
			p.net.addClass(phase, nil, false, 0)
		}
		m := p.net.pool.New(p.net.classesOf[phase][0], nil, len(to))
		m.Bytes = s.payload + p.net.overhead(phase, s.payload)
		p.net.ship(p.Context, m, phase, s.n, s.exchanged, to)
	case collectStep:
		p.collect(p.net.phase(s.phase), s.n, 0)
		p.hold()
		p.releaseHeld()
	case receiveStep:
		p.Receive(s.phase, s.n)
	case sleepStep:
		p.Sleep(sim.Time(s.n))
	case reportStep:
		p.Report(p.reported+1, nil, nil)
	}
	return s.kind != returnStep
}
