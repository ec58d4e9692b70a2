package channel

import (
	"math"
	"math/bits"
	"slices"
)

// Large parts are often matrices with few nonzero elements, such as a diagonal or an initial iterate. If the wire
// format is exact, a message records which pieces of such a part hold only +0, so that neither the copy nor the
// receivers read them.

// Piece is the number of elements that one bit stands for, and Word the number that one word of bits stands for.
const (
	Piece = 64
	Word  = 64 * Piece
)

// known has a bit for each piece of a part. A clear bit means that all elements are +0. An empty known knows
// nothing.
type known []uint64

// Nonzero returns a mask of the pieces of part i that may hold anything but +0. Bit b stands for the b-th piece
// from element from on, which is a multiple of Word. All bits are set if nothing is known.
func (m *Message) Nonzero(i, from int) uint64 {
	k := m.knows(i)
	if len(k) == 0 {
		return math.MaxUint64
	}
	return k[from/Word]
}

// words returns the number of words for n elements.
func words(n int) int { return (n + Word - 1) / Word }

// copyKnown copies src to dst and returns what is known of it. It reuses was, what was known of dst.
func copyKnown(dst, src []float64, was known) known {
	if n := words(len(src)); len(was) != n {
		was = slices.Grow(was[:0], n)[:n]
		for i := range was {
			was[i] = math.MaxUint64
		}
	}
	for i := range was {
		from := i * Word
		to := min(from+Word, len(src))
		was[i] = copyWord(dst[from:to], src[from:to], was[i])
	}
	return was
}

// copyWord is copyKnown for at most 64 pieces.
func copyWord(dst, src []float64, was uint64) (now uint64) {
	for b := 0; b*Piece < len(src); b++ {
		if v := src[b*Piece : min((b+1)*Piece, len(src))]; !allZero(v) {
			now |= 1 << b
		}
	}
	for from, to := range Stretches(now, len(src)) {
		copy(dst[from:to], src[from:to])
	}
	for from, to := range Stretches(was&^now, len(src)) {
		clear(dst[from:to])
	}
	return now
}

// fresh records that the data of a new message is zero.
func (m *Message) fresh() {
	for i, s := range m.Parts {
		if n := s.Rows * s.Cols; n >= Word {
			m.setPieces(i, make(known, words(n)))
		}
	}
}

// setPieces records what is known of part i.
func (m *Message) setPieces(i int, k known) {
	if m.known == nil {
		m.known = make([]known, len(m.Parts))
	}
	m.known[i] = k
}

// knows returns what is known of part i.
func (m *Message) knows(i int) known {
	if m.known == nil {
		return nil
	}
	return m.known[i]
}

// forgetPieces records that nothing is known of part i.
func (m *Message) forgetPieces(i int) {
	if m.known != nil {
		m.known[i] = m.known[i][:0]
	}
}

// forgetAllPieces records that nothing is known of any part.
func (m *Message) forgetAllPieces() {
	for i := range m.known {
		m.forgetPieces(i)
	}
}

// allZero reports whether all elements are +0.
func allZero(v []float64) bool {
	for _, x := range v {
		if math.Float64bits(x) != 0 {
			return false
		}
	}
	return true
}

// Stretches yields the bounds of the runs of set pieces among n elements.
func Stretches(pieces uint64, n int) func(yield func(from, to int) bool) {
	return func(yield func(from, to int) bool) {
		for at := 0; pieces != 0; {
			at += bits.TrailingZeros64(pieces)
			if at*Piece >= n {
				return
			}
			pieces >>= bits.TrailingZeros64(pieces)
			ones := bits.TrailingZeros64(^pieces)
			if !yield(at*Piece, min((at+ones)*Piece, n)) {
				return
			}
			at += ones
			pieces >>= ones
		}
	}
}
