package node

import (
	"fmt"
	"slices"

	"tallynet/channel"
	"tallynet/sim"
)

// SilenceKind is what an exchange does about a neighbour that is not heard from.
type SilenceKind uint8

// The ways to meet silence.
const (
	Wait        SilenceKind = iota // forever: a run that stalls says who waits for whom
	Last                           // take what was last heard of the neighbour; see Renormalize where nothing was
	Renormalize                    // go on without it: its weight goes to the node itself
)

// Silence says how long the exchanges of a program wait, and what they do then. It is for Mix,
// MixAll and Average, which look messages up by their senders; Exchange always waits.
type Silence struct {
	Kind  SilenceKind
	After sim.Time // of Last and Renormalize: from the start of an exchange
}

func (s *Silence) check() error {
	if s.Kind > Renormalize || s.After < 0 || (s.Kind == Wait) != (s.After == 0) {
		return fmt.Errorf("silence: want to wait, or a time above 0 after which to go on, got kind %d after %v",
			s.Kind, s.After)
	}
	return nil
}

// clientPatience is how many times as long a client waits for its server as the server for its
// clients: the server may begin later, takes its time, and answers.
const clientPatience = 4

// remember keeps the last message of each neighbour in a class of messages.
func (p *Proc) remember(class int, m *channel.Message, k int) {
	if p.net.ledger.Class(class).Shapeless {
		return // what was heard may have another shape than what is missing
	}
	kept := p.keeps()
	for len(kept.heard) <= class {
		kept.heard = append(kept.heard, nil)
	}
	if kept.heard[class] == nil {
		kept.heard[class] = make([]*channel.Message, len(p.neighbors))
	}
	old := kept.heard[class][k]
	if old != nil && old.Occurrence >= m.Occurrence {
		return
	}
	p.net.pool.Retain(m)
	kept.heard[class][k] = m
	if old != nil {
		p.net.pool.Release(old)
	}
}

// lastOf returns the last message of neighbour k in a class, or nil.
func (p *Proc) lastOf(class, k int) *channel.Message {
	if p.kept == nil || class < 0 || class >= len(p.kept.heard) || p.kept.heard[class] == nil {
		return nil
	}
	return p.kept.heard[class][k]
}

// fill puts the last messages where an exchange of the given class has nothing.
func (p *Proc) fill(class int) {
	if p.net.cfg.Silence.Kind != Last {
		return
	}
	for k, m := range p.got {
		switch {
		case m != nil:
			p.remember(m.Class, m, k)
		case p.lastOf(class, k) != nil && slices.Contains(p.hears(), p.neighbors[k]):
			p.got[k] = p.lastOf(class, k)
			p.net.pool.Retain(p.got[k])
		}
	}
}

// forgetAll releases what was remembered.
func (p *Proc) forgetAll() {
	if p.kept == nil {
		return
	}
	for _, row := range p.kept.heard {
		for _, m := range row {
			if m != nil {
				p.net.pool.Release(m)
			}
		}
	}
	p.kept.heard = nil
}
