package channel

import (
	"math/bits"

	"tallynet/sim"
)

// A flow is reckoned in integers, so that all processors agree and the order of additions does
// not matter. A rate is a whole number of units of 2^-shift bit/s, and the work that a flow has
// left is a whole number of what one unit does in a nanosecond, in 128 bits.

// unit is the shift of a fabric's unit of rate: the finest, up to 32, in which 63 bits hold its
// fastest link. At 10 Gbit/s a unit is 2^-29 bit/s.
type unit uint

// noLimit is the rate of what is not limited.
const noLimit = 1<<64 - 1

// unitFor returns the unit of a fabric whose fastest link has the given rate.
func unitFor(fastest int64) unit { return unit(min(32, 63-bits.Len64(uint64(fastest)))) }

// rate returns a rate in units.
func (u unit) rate(bitsPerSecond int64) uint64 {
	if bitsPerSecond == Unlimited {
		return noLimit
	}
	return uint64(bitsPerSecond) << u
}

// window returns the rate of bytes a span of time, rounded down; noLimit if 63 bits do not hold it.
func (u unit) window(bytes int64, span sim.Time) uint64 {
	if bytes == 0 || span == 0 {
		return noLimit
	}
	w := u.work(bytes)
	if w.high >= uint64(span) {
		return noLimit
	}
	rate, _ := bits.Div64(w.high, w.low, uint64(span))
	if rate > 1<<63 {
		return noLimit
	}
	return rate
}

// work returns the work of moving bytes. It is exact: 8e9 x 2^32 x 2^63 is below 2^128.
func (u unit) work(bytes int64) work {
	high, low := bits.Mul64(uint64(bytes), 8*uint64(sim.Second))
	return work{high<<u | low>>(64-u), low << u}
}

// work is an amount of work, of 128 bits.
type work struct{ high, low uint64 }

// done returns what a rate does in a span of time.
func done(rate uint64, span sim.Time) work {
	high, low := bits.Mul64(rate, uint64(span))
	return work{high, low}
}

func (w work) less(v work) bool { return w.high < v.high || w.high == v.high && w.low < v.low }

func (w work) plus(v work) work {
	low, carry := bits.Add64(w.low, v.low, 0)
	high, _ := bits.Add64(w.high, v.high, carry)
	return work{high, low}
}

// minus returns w - v, and 0 where v is more.
func (w work) minus(v work) work {
	if w.less(v) {
		return work{}
	}
	low, borrow := bits.Sub64(w.low, v.low, 0)
	high, _ := bits.Sub64(w.high, v.high, borrow)
	return work{high, low}
}

// over returns how long the work takes at a rate, rounded half up; beyond the horizon it is
// twice the horizon.
func (w work) over(rate uint64) sim.Time {
	if w.high >= rate {
		if w == (work{}) {
			return 0
		}
		return 2 * sim.Horizon
	}
	whole, rest := bits.Div64(w.high, w.low, rate)
	if whole >= uint64(2*sim.Horizon) {
		return 2 * sim.Horizon
	}
	if rest >= rate-rest {
		whole++
	}
	return sim.Time(whole)
}
