package channel

import (
	"math"
	"math/bits"
	"slices"
)

// Large parts are often matrices that are zero in most places, such as a diagonal or a first iterate. Where the wire
// format keeps every bit, a message knows which pieces of such a part hold nothing but +0, so that neither the copy
// nor its receivers go over them.

// Piece is how many numbers of a part are known together to be +0 or not, and Word how many are known by one word.
const (
	Piece = 64
	Word  = 64 * Piece
)

// known tells for each piece of a part, 64 to a word, whether it may hold anything but +0. None: any may.
type known []uint64

// Nonzero tells which pieces of part i may hold anything but +0: bit b stands for the b-th from number from on, a
// multiple of Word. It is all ones where nothing is known.
func (m *Message) Nonzero(i, from int) uint64 {
	k := m.knows(i)
	if len(k) == 0 {
		return math.MaxUint64
	}
	return k[from/Word]
}

// words returns how many words know the pieces of n numbers.
func words(n int) int { return (n + Word - 1) / Word }

// copyKnown copies src to dst and returns what is known of it, in the memory of was, what was known of dst.
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

// fresh makes known that the data of a new message is zero.
func (m *Message) fresh() {
	for i, s := range m.Parts {
		if n := s.Rows * s.Cols; n >= Word {
			m.copied(i, make(known, words(n)))
		}
	}
}

// copied keeps what is known of part i.
func (m *Message) copied(i int, k known) {
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

// forget makes nothing known of part i.
func (m *Message) forget(i int) {
	if m.known != nil {
		m.known[i] = m.known[i][:0]
	}
}

// forgetAll makes nothing known of any part.
func (m *Message) forgetAll() {
	for i := range m.known {
		m.forget(i)
	}
}

// allZero reports whether all numbers are +0.
func allZero(v []float64) bool {
	for _, x := range v {
		if math.Float64bits(x) != 0 {
			return false
		}
	}
	return true
}

// Stretches yields where the pieces that have a bit begin and end, those side by side in one, among n numbers.
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
