package metrics

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
)

// most is the largest count. It stands for itself and everything above it: sums and products saturate, and
// anything added to most is most.
const most = math.MaxInt64

// sum returns a + b, which saturates.
func sum(a, b int64) int64 {
	s := a + b
	switch {
	case a == most || b == most, a > 0 && b > 0 && s < 0:
		return most
	case a < 0 && b < 0 && s >= 0:
		return -most
	}
	return s
}

// product returns a b, which saturates.
func product(a, b int64) int64 {
	high, low := bits.Mul64(magnitude(a), magnitude(b))
	if high > 0 || low > most {
		low = most
	}
	if (a < 0) != (b < 0) {
		return -int64(low)
	}
	return int64(low)
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

// CheckCounts returns an error that names the first count of a moment that overflowed 64 bits.
func (m *Moment) CheckCounts() error {
	for _, c := range costItems {
		if c.Of == nil {
			continue
		}
		if n := c.Of(m); n == most || n < 0 {
			return fmt.Errorf("%s: the total at iteration %d is more than 64 bits hold (9.2e18)", c.Name, m.Iteration)
		}
	}
	return nil
}

// Term is a cost that occurs a number of times.
type Term struct {
	Cost
	Times int64
}

// Terms is a sum of costs. Its totals are exact at any size.
type Terms []Term

// Of returns the exact total of a count.
func (t Terms) Of(count func(*Cost) int64) *big.Int {
	total := new(big.Int)
	for i := range t {
		n := big.NewInt(count(&t[i].Cost))
		total.Add(total, n.Mul(n, big.NewInt(t[i].Times)))
	}
	return total
}

// Cost returns the sum. Its counts saturate.
func (t Terms) Cost() Cost {
	var c Cost
	for i := range t {
		c = c.Plus(t[i].Cost.Times(t[i].Times))
	}
	return c
}
