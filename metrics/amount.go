package metrics

import (
	"math/big"
	"math/bits"
)

// Amount is an exact count of 128 bits: of femtojoules, or of small parts of money. One that 128
// bits do not hold stays the largest, as Most does in 64. Adding is exact in any order.
type Amount struct{ high, low uint64 }

// mostAmount represents itself and everything above it.
var mostAmount = Amount{1<<64 - 1, 1<<64 - 1}

// AmountOf returns rate x times.
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

// times returns a x n.
func (a Amount) times(n uint64) Amount {
	over, high := bits.Mul64(a.high, n)
	carry, low := bits.Mul64(a.low, n)
	high, more := bits.Add64(high, carry, 0)
	if over+more > 0 {
		return mostAmount
	}
	return Amount{high, low}
}

// Equal reports whether both are the same.
func (a Amount) Equal(b Amount) bool { return a == b }

// over returns a / (b c), the nearest float64.
func (a Amount) over(b, c int64) float64 {
	n := new(big.Int).SetUint64(a.high)
	n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(a.low))
	x, _ := new(big.Rat).SetFrac(n, new(big.Int).Mul(big.NewInt(b), big.NewInt(c))).Float64()
	return x
}
