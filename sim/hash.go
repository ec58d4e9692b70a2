package sim

import (
	"encoding/binary"
	"encoding/hex"
	"math"
)

// Hash is a 64-bit digest of a sequence. It is a checksum that tells two runs apart, not a cryptographic hash.
// The zero value is ready to use.
type Hash struct{ h uint64 }

// Word adds one 64-bit word.
func (d *Hash) Word(w uint64) {
	// The constant makes a zero change the digest too.
	h := (d.h ^ w + 0x9e3779b97f4a7c15) * 0x9fb21c651e98df25
	d.h = h ^ h>>32
}

// Floats adds the bits of v, element by element. Equal numbers with different bits (0 and -0) give different
// digests, since runs are compared bit by bit.
func (d *Hash) Floats(v []float64) {
	h := *d // in a register
	for _, x := range v {
		h.Word(math.Float64bits(x))
	}
	*d = h
}

// FloatsOfBoth adds v to two digests in one pass, which takes little longer than one digest.
func FloatsOfBoth(a, b *Hash, v []float64) {
	g, h := *a, *b
	for _, x := range v {
		w := math.Float64bits(x)
		g.Word(w)
		h.Word(w)
	}
	*a, *b = g, h
}

// Sum returns the digest.
func (d *Hash) Sum() uint64 { return mix64(d.h) }

// String returns Sum as 16 hexadecimal digits.
func (d *Hash) String() string {
	return hex.EncodeToString(binary.BigEndian.AppendUint64(nil, d.Sum()))
}
