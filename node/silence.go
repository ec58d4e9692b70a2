package node

import (
	"fmt"
	"slices"

	"tallynet/channel"
	"tallynet/sim"
)

// SilenceKind selects how an exchange treats a neighbour whose message does not come.
type SilenceKind uint8

// The kinds of silence.
const (
	Wait        SilenceKind = iota // wait forever; a stalled run says which nodes wait for which
	Last                           // use the last message of the neighbour; without one, as Renormalize
	Renormalize                    // leave the neighbour out; its weight goes to the node itself
)

// Silence sets how long the exchanges of a program wait, and what they do then. It applies to Mix, MixAll and
// Average, which know the senders of messages. Exchange always waits.
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

// clientPatience is the ratio of a client's patience to that of its server: the server may start later, takes
// its time, and then answers.
const clientPatience = 4

// rememberMessage keeps the last message of neighbour k in a class.
func (p *Proc) rememberMessage(class int, m *channel.Message, k int) {
	if p.net.ledger.Class(class).Shapeless {
		return // the last message may have another shape than the missing one
	}
	for len(p.heard) <= class {
		p.heard = append(p.heard, nil)
	}
	if p.heard[class] == nil {
		p.heard[class] = make([]*channel.Message, len(p.neighbors))
	}
	old := p.heard[class][k]
	if old != nil && old.Occurrence >= m.Occurrence {
		return
	}
	p.net.pool.Retain(m)
	p.heard[class][k] = m
	if old != nil {
		p.net.pool.Release(old)
	}
}

// fill replaces the missing messages of an exchange by the last ones of the class.
func (p *Proc) fill(class int) {
	for k, m := range p.got {
		if m != nil {
			p.rememberMessage(m.Class, m, k)
		}
	}
	if class >= len(p.heard) {
		return
	}
	for k, m := range p.heard[class] {
		if p.got[k] == nil && m != nil && slices.Contains(p.hearsFrom(), p.neighbors[k]) {
			p.got[k] = m
			p.net.pool.Retain(m)
		}
	}
}

// releaseRemembered releases the messages that rememberMessage keeps.
func (p *Proc) releaseRemembered() {
	for _, row := range p.heard {
		for _, m := range row {
			if m != nil {
				p.net.pool.Release(m)
			}
		}
	}
	p.heard = nil
}
