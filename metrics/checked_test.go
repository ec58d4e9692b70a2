package metrics

import (
	"math"
	"strings"
	"testing"
)

// TestCountsSaturate checks that sums and products saturate.
func TestCountsSaturate(t *testing.T) {
	for _, c := range []struct{ a, b, sum, product int64 }{
		{2, 3, 5, 6}, {-2, 3, 1, -6}, {0, most, most, 0}, {1, most, most, most}, {-1, most, most, -most},
		{most - 1, 1, most, most - 1}, {most - 1, 2, most, most}, {1 << 32, 1 << 31, 1<<32 + 1<<31, most},
		{1 << 32, 1<<31 - 1, 1<<32 + 1<<31 - 1, 1<<63 - 1<<32}, {math.MaxInt64 / 2, 3, math.MaxInt64/2 + 3, most},
		{math.MinInt64, math.MinInt64, -most, most}, {math.MinInt64, -1, -most, most}, {-most, -1, math.MinInt64, most},
		{-5, -7, -12, 35}, {5, -7, -2, -35}, {0, 0, 0, 0}, {-1, 0, -1, 0},
	} {
		s, p := sum(c.a, c.b), product(c.a, c.b)
		if s != c.sum || p != c.product || sum(c.b, c.a) != s || product(c.b, c.a) != p {
			t.Errorf("%d and %d: sum %d, product %d, want %d and %d", c.a, c.b, s, p, c.sum, c.product)
		}
	}
	l := NewLedger(1)
	l.AddClass(Class{Phase: "x", Parts: []Shape{{Kind: Vector, Rows: 1, Cols: 1, Bytes: 8}}, Overhead: 4e18})
	for messages, want := range map[int64]string{
		2: "", 3: "overhead bytes: the total at iteration 5 is more than 64 bits hold",
	} {
		m := Moment{Iteration: 5, Totals: NewTotals(&Snapshot{}, l.Traffic([]Tally{{Broadcasts: 1, Messages: messages}}))}
		if err := m.CheckCounts(); (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%d messages: %v", messages, err)
		}
	}
}

// TestTermsAreExact counts 20.2 EB and 2.02 ZB to the last byte.
func TestTermsAreExact(t *testing.T) {
	bytes := func(c *Cost) int64 { return c.Wire.Total() }
	per := Cost{Wire: Elements{Vector: 1, Matrix: 2016_000_000_000_000}}
	for times, want := range map[int64]string{1e4: "20160000000000010003", 1e6: "2016000000000001000003"} {
		terms := Terms{{Cost{Wire: Elements{Scalar: 3}}, 1}, {per, times}}
		if got := terms.Of(bytes).String(); got != want {
			t.Errorf("%d times: %s, want %s", times, got, want)
		}
		if got := terms.Cost().Wire; got.Matrix != most || got.Scalar != 3 || got.Vector != times {
			t.Errorf("%d times: %+v", times, got)
		}
	}
}
