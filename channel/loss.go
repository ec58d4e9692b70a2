package channel

import (
	"fmt"
	"math"
	"math/rand/v2"

	"tallynet/sim"
)

// LossKind says how losses follow each other on a link.
type LossKind uint8

// The kinds of loss.
const (
	NoLoss LossKind = iota
	Independent
	Bursts
)

// Loss is a random loss of messages. Each link draws from its own stream, which serves nothing
// else, so that switching loss on leaves every other random number as it was.
type Loss struct {
	Kind LossKind
	// P is the probability of Independent, at least 0 and at most 1.
	P float64
	// Bursts is the chain of Gilbert and Elliott: a link is good or bad, and changes between two
	// messages with the probabilities Enter (good to bad) and Leave (bad to good). A message is
	// lost with the probability Good or Bad. The first message meets the stationary state.
	//
	// Source: Gilbert, "Capacity of a burst-noise channel", Bell System Technical Journal 39,
	// 1960; Elliott, "Estimates of error rates for codes on burst-noise channels", 42, 1963.
	Enter, Leave, Good, Bad float64
}

// Rate returns the share of messages that are lost in the long run.
func (l Loss) Rate() float64 {
	switch l.Kind {
	case Independent:
		return l.P
	case Bursts:
		bad := l.bad()
		return float64((1-bad)*l.Good) + float64(bad*l.Bad)
	}
	return 0
}

// bad returns the share of time that a link is bad.
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

// Losses draws the losses of all links of a network.
type Losses struct {
	loss    Loss
	links   []Link
	streams []int // by node; nil: its number
	seed    uint64
	of      []linkLoss // by link, made when first needed
}

type linkLoss struct {
	rng *rand.Rand
	bad bool
}

// NewLosses checks loss and returns its draws on the given links. streams is as in FabricConfig.
func NewLosses(loss Loss, links []Link, seed uint64, streams []int) (*Losses, error) {
	if err := loss.check(); err != nil {
		return nil, err
	}
	return &Losses{loss: loss, links: links, streams: streams, seed: seed, of: make([]linkLoss, len(links))}, nil
}

// Next draws whether the next message on a link is lost. It takes the same number of draws
// whatever comes out.
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

// Retransmission says how a sender retransmits lost messages. The first attempt after a loss
// leaves Timeout after the lost one would have arrived, or was cut; each further one waits Backoff
// times as long, up to a minute. A message that is not lost is never sent twice.
type Retransmission struct {
	Timeout sim.Time
	Backoff float64 // at least 1
	// Attempts is the most a message is tried in all; 0: until it arrives.
	Attempts int
}

func (r *Retransmission) check() error {
	if r.Timeout <= 0 || !(r.Backoff >= 1) || math.IsInf(r.Backoff, 0) || r.Attempts < 0 {
		return fmt.Errorf("retransmission: want a timeout above 0, a backoff of at least 1 and no negative number of "+
			"attempts, got %v, %g and %d", r.Timeout, r.Backoff, r.Attempts)
	}
	return nil
}

// longestTimeout bounds timeouts that grow, as RFC 6298 allows (2.5).
const longestTimeout = 60 * sim.Second

// Wait returns how long after a number of failed attempts, at least 1, the next one leaves: at
// most 60 s if it grows.
func (r *Retransmission) Wait(failed int) sim.Time {
	grown := sim.Span(float64(r.Timeout.Seconds() * math.Pow(r.Backoff, float64(failed-1))))
	return min(grown, max(r.Timeout, longestTimeout))
}

// Check returns what is wrong with r, which may be nil.
func (r *Retransmission) Check() error {
	if r == nil {
		return nil
	}
	return r.check()
}
