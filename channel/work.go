package channel

import (
	"math/bits"

	"tallynet/sim"
)

// Flows are computed in integers, so that all processors agree and the order of additions does
// not matter. A rate is a whole number of units of 2^-shift bit/s, the clock has 2^10 ticks per
// nanosecond, and the remaining work of a flow is a whole number, of 128 bits, of what one unit
// does in a tick.

// rateUnit is the shift of a fabric's unit of rate. It is the finest one, at most 22, at which the fastest link
// fits 63 bits. Up to 2 Tbit/s a unit is 2^-22 bit/s.
type rateUnit uint

const (
	finest = 22
	fine   = 10
	ticks  = 1 << fine // a nanosecond

	// noLimit is an unlimited rate.
	noLimit = 1<<64 - 1
)

// unitFor returns the unit of a fabric whose fastest link has the given rate.
func unitFor(fastest int64) rateUnit { return rateUnit(min(finest, 63-bits.Len64(uint64(fastest)))) }

// rate returns a rate in units.
func (u rateUnit) rate(bitsPerSecond int64) uint64 {
	if bitsPerSecond == Unlimited {
		return noLimit
	}
	return uint64(bitsPerSecond) << u
}

// window returns the rate of bytes per span of time, rounded down; noLimit if it does not fit 63 bits.
func (u rateUnit) window(bytes int64, span sim.Time) uint64 {
	if bytes == 0 || span == 0 {
		return noLimit
	}
	w := product(uint64(bytes), 8*uint64(sim.Second)).shifted(uint(u))
	if w.high >= uint64(span) {
		return noLimit
	}
	rate, _ := bits.Div64(w.high, w.low, uint64(span))
	if rate >= 1<<63 {
		return noLimit
	}
	return rate
}

// work returns the work of moving bytes. It is exact: 8e9 x 2^32 x 2^63 is below 2^128.
func (u rateUnit) work(bytes int64) work {
	return product(uint64(bytes), 8*uint64(sim.Second)).shifted(uint(u) + fine)
}

// work is an amount of work of 128 bits.
type work struct{ high, low uint64 }

func product(a, b uint64) work {
	high, low := bits.Mul64(a, b)
	return work{high, low}
}

func (w work) shifted(by uint) work { return work{w.high<<by | w.low>>(64-by), w.low << by} }

// minus returns w - v, or 0 if v is larger.
func (w work) minus(v work) work {
	low, borrow := bits.Sub64(w.low, v.low, 0)
	high, borrow := bits.Sub64(w.high, v.high, borrow)
	if borrow > 0 {
		return work{}
	}
	return work{high, low}
}

// moment is a time to the tick. The tick is from -ticks/2 to ticks/2 - 1, so that at is the moment rounded half
// up to a nanosecond.
type moment struct {
	at   sim.Time
	tick int32
}

func (m moment) before(o moment) bool { return m.at < o.at || m.at == o.at && m.tick < o.tick }

// done returns the work done at a rate from m to a later moment.
func (m moment) done(rate uint64, to moment) work {
	whole := product(rate, uint64(to.at-m.at)).shifted(fine)
	if to.tick < m.tick {
		return whole.minus(product(rate, uint64(m.tick-to.tick)))
	}
	part := product(rate, uint64(to.tick-m.tick))
	low, carry := bits.Add64(whole.low, part.low, 0)
	return work{whole.high + part.high + carry, low}
}

// after returns when work that begins at m is done at a rate. If that takes more than 2^53 nanoseconds, the
// result is rounded down to a nanosecond; beyond the horizon it is twice the horizon.
func (m moment) after(w work, rate uint64) moment {
	if w == (work{}) {
		return m
	}
	if w.high < rate {
		whole, _ := bits.Div64(w.high, w.low, rate)
		if whole < 1<<63 {
			end := int64(whole) + int64(m.tick) + ticks/2
			return moment{within(m.at + sim.Time(end>>fine)), int32(end&(ticks-1)) - ticks/2}
		}
	}
	nanoseconds := work{w.high >> fine, w.high<<(64-fine) | w.low>>fine}
	if nanoseconds.high >= rate {
		return moment{at: 2 * sim.Horizon}
	}
	whole, _ := bits.Div64(nanoseconds.high, nanoseconds.low, rate)
	return moment{at: within(m.at + sim.Time(min(whole, 2*uint64(sim.Horizon))))}
}
