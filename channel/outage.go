package channel

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"tallynet/sim"
)

// Span is a time during which something is down: from From on and before Until. Until is Never for something
// that never comes back.
type Span struct{ From, Until sim.Time }

// Downtime says when a link or host is down: during all the spans, and at random.
type Downtime struct {
	Spans []Span
	// MeanUp and MeanDown are the means of the exponential times for which it is up and down,
	// in turn, up first; 0: it does not fail at random.
	MeanUp, MeanDown sim.Time
}

// None reports whether it is never down.
func (d *Downtime) None() bool { return len(d.Spans) == 0 && d.MeanUp == 0 }

func (d *Downtime) check() error {
	for _, s := range d.Spans {
		if s.From < 0 || s.Until <= s.From {
			return fmt.Errorf("want an outage that begins at 0 or later and ends after it begins, got %v to %v",
				s.From, s.Until)
		}
	}
	if d.MeanUp < 0 || d.MeanDown < 0 || (d.MeanUp == 0) != (d.MeanDown == 0) {
		return fmt.Errorf("want mean times above 0 of being up and of being down, got %v and %v", d.MeanUp, d.MeanDown)
	}
	return nil
}

// Outages answers when something is down. Random spans are drawn as they are needed.
type Outages struct {
	given  []Span // ascending and disjoint
	random []Span
	drawn  sim.Time // up to which random is complete
	down   Downtime
	rng    *rand.Rand
}

// NewOutages returns the outages that d describes. Random ones are drawn from rng.
func NewOutages(d Downtime, rng *rand.Rand) (*Outages, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	spans := slices.Clone(d.Spans)
	slices.SortFunc(spans, func(a, b Span) int { return cmp.Compare(a.From, b.From) })
	o := &Outages{down: d, rng: rng}
	for _, s := range spans {
		if k := len(o.given) - 1; k >= 0 && s.From <= o.given[k].Until {
			o.given[k].Until = max(o.given[k].Until, s.Until)
			continue
		}
		o.given = append(o.given, s)
	}
	return o, nil
}

// Until reports whether it is down at t and, if so, when it is up again.
func (o *Outages) Until(t sim.Time) (until sim.Time, down bool) {
	for until = t; until != sim.Never; {
		next := max(contains(o.given, until), contains(o.upTo(until), until))
		if next == until {
			break
		}
		until = next
	}
	return until, until > t
}

// Next returns when it goes down, at t or later; Never if it does not. It must be up at t.
func (o *Outages) Next(t sim.Time) sim.Time {
	next := sim.Never
	if i := after(o.given, t); i < len(o.given) {
		next = o.given[i].From
	}
	if o.down.MeanUp > 0 {
		all := o.upTo(t)
		next = min(next, all[after(all, t)].From)
	}
	return next
}

// after returns the index of the first span that ends after t.
func after(all []Span, t sim.Time) int {
	i, _ := slices.BinarySearchFunc(all, t, func(s Span, t sim.Time) int {
		if s.Until <= t {
			return -1
		}
		return 1
	})
	return i
}

// contains returns the end of the span that contains t; t if there is none.
func contains(all []Span, t sim.Time) sim.Time {
	if i := after(all, t); i < len(all) && all[i].From <= t {
		return all[i].Until
	}
	return t
}

// upTo returns the random spans. At least one of them ends after t.
func (o *Outages) upTo(t sim.Time) []Span {
	for o.down.MeanUp > 0 && o.drawn <= t {
		from := within(o.drawn + max(1, sim.Span(float64(o.down.MeanUp.Seconds()*o.rng.ExpFloat64()))))
		until := within(from + max(1, sim.Span(float64(o.down.MeanDown.Seconds()*o.rng.ExpFloat64()))))
		if until <= o.drawn {
			return append(o.random, Span{sim.Never - 1, sim.Never}) // beyond the horizon nothing happens
		}
		o.random = append(o.random, Span{from, until})
		o.drawn = until
	}
	return o.random
}
