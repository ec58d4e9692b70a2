package channel

import (
	"math/rand/v2"

	"tallynet/sim"
)

// JitterKind is a distribution of extra delay.
type JitterKind uint8

// The distributions of jitter. Normal is truncated at zero, since no delay is negative.
const (
	NoJitter JitterKind = iota
	Uniform             // on [0, 2 Mean]
	Exponential
	Normal // mean Mean, standard deviation Deviation
)

// Jitter is a random extra latency, drawn for each message from the link's own stream. It never reorders the
// messages of a link.
type Jitter struct {
	Kind      JitterKind
	Mean      sim.Time
	Deviation sim.Time
}

// draw draws a delay. It is not for NoJitter. Conversions keep products from being fused with sums.
func (j Jitter) draw(r *rand.Rand) sim.Time {
	mean := j.Mean.Seconds()
	switch j.Kind {
	case Uniform:
		return sim.Span(float64(2 * mean * r.Float64()))
	case Exponential:
		return sim.Span(float64(mean * r.ExpFloat64()))
	}
	return sim.Span(max(0, mean+float64(j.Deviation.Seconds()*r.NormFloat64()))) // Normal
}

// delays draws the jitter of links.
type delays struct {
	jitter  Jitter
	links   []Link
	rands   []*rand.Rand // by link, made when first needed; nil without jitter
	seed    uint64
	streams []int
}

func newDelays(c *FabricConfig) delays {
	d := delays{jitter: c.Jitter, links: c.Links, seed: c.Seed, streams: c.Streams}
	if c.Jitter.Kind != NoJitter {
		d.rands = make([]*rand.Rand, len(c.Links))
	}
	return d
}

// delay returns the next jitter of a link.
func (d *delays) delay(link int) sim.Time {
	if d.rands == nil {
		return 0
	}
	return d.draw(link)
}

func (d *delays) draw(link int) sim.Time {
	if d.rands[link] == nil {
		from, to := int(d.links[link].From), int(d.links[link].To)
		if d.streams != nil {
			from, to = d.streams[from], d.streams[to]
		}
		d.rands[link] = sim.Stream(d.seed, "jitter", from, to)
	}
	return d.jitter.draw(d.rands[link])
}
