package metrics

import (
	"math"
	"testing"
)

// TestAmountsDoNotWrap checks that products saturate, whichever half overflows.
func TestAmountsDoNotWrap(t *testing.T) {
	const all = math.MaxUint64
	third := uint64(all/3) * 2 // 3 third = 2^65 - 2
	for _, c := range []struct {
		a    Amount
		n    uint64
		want Amount
	}{
		{Amount{0, all}, 3, Amount{2, all - 2}}, {Amount{5, 7}, 2, Amount{10, 14}},
		{Amount{1 << 62, 0}, 3, Amount{3 << 62, 0}},
		{Amount{1 << 63, 0}, 2, mostAmount},   // the high half alone
		{Amount{all / 2, all}, 3, mostAmount}, // likewise
		{Amount{(all - 1) / 2, all}, 2, Amount{all, all - 1}},
		{Amount{third, all}, 3, mostAmount},   // the high half with the carry of the low half
		{Amount{all / 3, all}, 3, mostAmount}, // the carry of the low half alone
	} {
		if got := c.a.times(c.n); got != c.want {
			t.Errorf("%x times %d: %x, want %x", c.a, c.n, got, c.want)
		}
	}
	if got := (Amount{all, all}).Plus(Amount{0, 1}); got != mostAmount {
		t.Errorf("a sum wraps to %x", got)
	}
}
