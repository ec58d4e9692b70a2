package channel

import (
	"fmt"
	"math"
	"math/rand/v2"

	"tallynet/sim"
)

// LossKind is a model of message loss.
type LossKind uint8

// The kinds of loss.
const (
	NoLoss LossKind = iota
	Independent
	Bursts
)

// Loss describes the random loss of messages. Each link draws from its own stream, which serves nothing else,
// so that enabling loss leaves every other random number unchanged.
type Loss struct {
	Kind LossKind
	// P is the probability of a loss, for Independent.
	P float64
	// Bursts is the Gilbert-Elliott model: a link is good or bad and changes its state between two
	// messages with the probabilities Enter (good to bad) and Leave (bad to good). A message is
	// lost with the probability Good or Bad. The state at the first message is stationary.
	//
	// Source: Gilbert, "Capacity of a burst-noise channel", Bell System Technical Journal 39,
	// 1960; Elliott, "Estimates of error rates for codes on burst-noise channels", 42, 1963.
	Enter, Leave, Good, Bad float64
}

// bad returns the share of time in which a link is bad.
func (l Loss) bad() float64 { return l.Enter / (l.Enter + l.Leave) }

func (l Loss) check() error {
	probability := func(name string, p float64) error {
		if !(p >= 0 && p <= 1) {
			return fmt.Errorf("loss: %s: want a probability from 0 to 1, got %g", name, p)
		}
		return nil
	}
	switch l.Kind {
	case NoLoss:
		return nil
	case Independent:
		return probability("p", l.P)
	case Bursts:
		for _, x := range []struct {
			name string
			p    float64
		}{{"enter", l.Enter}, {"leave", l.Leave}, {"good", l.Good}, {"bad", l.Bad}} {
			if err := probability(x.name, x.p); err != nil {
				return err
			}
		}
		if l.Enter+l.Leave == 0 {
			return fmt.Errorf("loss: enter and leave are both 0: no link would ever change")
		}
		return nil
	}
	return fmt.Errorf("loss: unknown kind %d", l.Kind)
}

// Losses draws the losses on all links of a network.
type Losses struct {
	loss    Loss
	links   []Link
	streams []int // by node; nil: the node's number
	seed    uint64
	of      []linkLoss // by link, made when first needed
}

type linkLoss struct {
	rng *rand.Rand
	bad bool
}

// NewLosses returns the draws of loss on the given links. streams is as in FabricConfig.
func NewLosses(loss Loss, links []Link, seed uint64, streams []int) (*Losses, error) {
	if err := loss.check(); err != nil {
		return nil, err
	}
	return &Losses{loss: loss, links: links, streams: streams, seed: seed, of: make([]linkLoss, len(links))}, nil
}

// Next draws whether the next message on a link is lost. The number of draws does not depend on their results.
func (l *Losses) Next(link int) bool {
	if l.loss.Kind == NoLoss {
		return false
	}
	s := &l.of[link]
	if s.rng == nil {
		from, to := int(l.links[link].From), int(l.links[link].To)
		if l.streams != nil {
			from, to = l.streams[from], l.streams[to]
		}
		s.rng = sim.Stream(l.seed, "loss", from, to)
		if l.loss.Kind == Bursts {
			s.bad = s.rng.Float64() < l.loss.bad()
		}
	} else if l.loss.Kind == Bursts {
		change := l.loss.Enter
		if s.bad {
			change = l.loss.Leave
		}
		if s.rng.Float64() < change {
			s.bad = !s.bad
		}
	}
	p := l.loss.P
	if l.loss.Kind == Bursts {
		if p = l.loss.Good; s.bad {
			p = l.loss.Bad
		}
	}
	return s.rng.Float64() < p
}

// Retransmission says how a sender repeats lost messages. The first attempt after a loss departs Timeout after
// the lost one would have arrived or was cut; each further one waits Backoff times as long, up to a minute. A
// message that is not lost is never repeated.
type Retransmission struct {
	Timeout sim.Time
	Backoff float64 // at least 1
	// Attempts bounds the attempts per message, the first included; 0: no bound.
	Attempts int
}

// Check returns an error if a field of r is out of range. r may be nil.
func (r *Retransmission) Check() error {
	if r == nil {
		return nil
	}
	if r.Timeout <= 0 || !(r.Backoff >= 1) || math.IsInf(r.Backoff, 0) || r.Attempts < 0 {
		return fmt.Errorf("retransmission: want a timeout above 0, a backoff of at least 1 and no negative number of "+
			"attempts, got %v, %g and %d", r.Timeout, r.Backoff, r.Attempts)
	}
	return nil
}

// longestTimeout bounds growing timeouts, as RFC 6298 (2.5) allows.
const longestTimeout = 60 * sim.Second

// Wait returns the time between a failed attempt and the next one, given the number of failed attempts, at
// least 1. If it grows, it is at most 60 s.
func (r *Retransmission) Wait(failed int) sim.Time {
	grown := sim.Span(float64(r.Timeout.Seconds() * math.Pow(r.Backoff, float64(failed-1))))
	return min(grown, max(r.Timeout, longestTimeout))
}
