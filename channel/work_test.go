package channel

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"tallynet/sim"
)

// TestWindowOfARoundTrip: a window of 125,000 bytes, a million bits, per round trip: 40 ms if the way there takes
// 10 and the way back 30, and twice the latency if there is no way back.
func TestWindowOfARoundTrip(t *testing.T) {
	c := FabricConfig{
		Nodes: 3, Links: []Link{{0, 1, 10 * ms, Unlimited}, {1, 0, 30 * ms, Unlimited}, {0, 2, 10 * ms, Unlimited}},
		Platform: &Platform{
			Links: []PhysicalLink{{"wire", 1e9, false}}, Window: 125_000,
			Route: func(int, int) ([]int, error) { return []int{0}, nil },
		},
	}
	for link, want := range []sim.Time{10*ms + 40*ms, 30*ms + 40*ms, 10*ms + 20*ms} {
		if got := play(fabric(t, c), []flow{{link: link, bytes: 125_000}})[0].arrives; got != want {
			t.Errorf("link %d: a window arrives at %v, want %v", link, got, want)
		}
	}
}

// TestWindowIsExact: 8e9 times the bytes are the bits of a second. A window beyond 63 bits is no limit.
func TestWindowIsExact(t *testing.T) {
	for _, c := range []struct {
		unit  rateUnit
		bytes int64
		span  sim.Time
		want  uint64
	}{
		{0, 1, sim.Second, 8}, {3, 1, sim.Second, 64}, {0, 1, 3 * sim.Second, 2}, {0, 0, 1, noLimit}, {0, 1, 0, noLimit},
		{0, 1<<51 - 1, 1953125, 1<<63 - 4096}, {0, 1 << 51, 1953125, noLimit}, // 8e9 = 4096 x 1953125
		// 8e9 times 2305843010 is 2^64 and some 6.3e9.
		{0, 2305843010, 1, noLimit}, {0, 2305843010, 2, noLimit}, {0, 2305843010, 3, 6148914693333333333},
		{1, 2305843010, 2, noLimit},
	} {
		if got := c.unit.window(c.bytes, c.span); got != c.want {
			t.Errorf("unit 2^-%d: %d bytes in %d ns are %d units, want %d", c.unit, c.bytes, c.span, got, c.want)
		}
	}
}

// TestWorkIsExact compares 128-bit work with big integers.
func TestWorkIsExact(t *testing.T) {
	whole := func(w work) *big.Int {
		high := new(big.Int).SetUint64(w.high)
		return high.Lsh(high, 64).Or(high, new(big.Int).SetUint64(w.low))
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		rate := r.Uint64() >> (1 + r.UintN(62))
		from := moment{sim.Time(r.Int64N(1 << 50)), int32(r.IntN(ticks)) - ticks/2}
		to := moment{from.at + 1 + sim.Time(r.Int64N(1<<50)), int32(r.IntN(ticks)) - ticks/2}
		want := big.NewInt(int64(to.at-from.at)*ticks + int64(to.tick-from.tick))
		want.Mul(want, new(big.Int).SetUint64(rate))
		done := from.done(rate, to)
		if whole(done).Cmp(want) != 0 {
			t.Fatalf("a rate of %d from %v to %v does %v, want %v", rate, from, to, whole(done), want)
		}
		more := product(r.Uint64(), r.Uint64())
		rest := new(big.Int).Sub(whole(more), want)
		if rest.Sign() < 0 {
			rest.SetInt64(0)
		}
		if got := more.minus(done); whole(got).Cmp(rest) != 0 {
			t.Fatalf("%v - %v is %v, want %v", whole(more), want, whole(got), rest)
		}
	}
}

// TestWorkEndsWhenItIsDone checks that after inverts done, to the tick up to 2^53 ns and to the nanosecond
// beyond. Work longer than the horizon ends beyond it.
func TestWorkEndsWhenItIsDone(t *testing.T) {
	const late = sim.Horizon - 1<<40
	for _, rate := range []uint64{1 << finest, 1e9 << 10, 12345678901} {
		for _, from := range []moment{{}, {5, -512}, {7 * ms, 300}} {
			for _, span := range []sim.Time{1, us + 3, sim.Second, 1<<52 - 1, 1 << 53, 1<<53 + 1, 1 << 55, late} {
				for _, tick := range []int32{-512, 0, 511} {
					if span > 1<<52 {
						from.tick, tick = 0, 0
					}
					want := moment{from.at + span, tick}
					if got := from.after(from.done(rate, want), rate); got != want {
						t.Errorf("at a rate of %d, what is done from %v to %v ends at %v", rate, from, want, got)
					}
				}
			}
			for _, times := range []uint64{2, 3, 1 << 9, 1 << 30} { // horizons
				if got := from.after(product(rate*times, uint64(sim.Horizon)).shifted(fine), rate); got.at != 2*sim.Horizon {
					t.Errorf("at a rate of %d, what takes %d horizons from %v on ends at %v", rate, times, from, got)
				}
			}
		}
	}
}
