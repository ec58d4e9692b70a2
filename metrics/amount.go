package metrics

import (
	"math/big"
	"math/bits"
)

// Amount is an exact count of 128 bits, of femtojoules or of small fractions of money. It saturates on
// overflow, as counts of 64 bits do. Adding is exact in any order.
type Amount struct{ high, low uint64 }

// mostAmount is the largest amount. It stands for itself and everything above it.
var mostAmount = Amount{1<<64 - 1, 1<<64 - 1}

// AmountOf returns rate times n.
func AmountOf(rate, times uint64) Amount {
	high, low := bits.Mul64(rate, times)
	return Amount{high, low}
}

// Plus returns a + b.
func (a Amount) Plus(b Amount) Amount {
	low, carry := bits.Add64(a.low, b.low, 0)
	high, carry := bits.Add64(a.high, b.high, carry)
	if carry > 0 {
		return mostAmount
	}
	return Amount{high, low}
}

// times returns a times n.
func (a Amount) times(n uint64) Amount {
	over, high := bits.Mul64(a.high, n)
	carry, low := bits.Mul64(a.low, n)
	high, more := bits.Add64(high, carry, 0)
	if over+more > 0 {
		return mostAmount
	}
	return Amount{high, low}
}

// Equal reports whether a and b are equal.
func (a Amount) Equal(b Amount) bool { return a == b }

// over returns the float64 nearest to a / (b c).
func (a Amount) over(b, c int64) float64 {
	n := new(big.Int).SetUint64(a.high)
	n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(a.low))
	x, _ := new(big.Rat).SetFrac(n, new(big.Int).Mul(big.NewInt(b), big.NewInt(c))).Float64()
	return x
}
