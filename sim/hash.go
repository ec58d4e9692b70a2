package sim

import (
	"encoding/binary"
	"encoding/hex"
	"math"
)

// Hash is a 64-bit digest of what a run did, in order. It is a checksum that tells two runs
// apart, not a cryptographic hash. The zero value is ready.
type Hash struct{ h uint64 }

// Word adds one 64-bit word.
func (d *Hash) Word(w uint64) {
	// The constant makes a zero change the digest too.
	h := (d.h ^ w + 0x9e3779b97f4a7c15) * 0x9fb21c651e98df25
	d.h = h ^ h>>32
}

// Floats adds the bits of v, element by element. Equal numbers with different
// bits (0 and -0) differ, as they should: the promise is bit-identity.
func (d *Hash) Floats(v []float64) {
	h := *d // in a register
	for _, x := range v {
		h.Word(math.Float64bits(x))
	}
	*d = h
}

// FloatsOfBoth adds v to two digests in one pass, which takes hardly longer than one of them.
func FloatsOfBoth(a, b *Hash, v []float64) {
	g, h := *a, *b
	for _, x := range v {
		w := math.Float64bits(x)
		g.Word(w)
		h.Word(w)
	}
	*a, *b = g, h
}

// Sum returns the digest of all that was added.
func (d *Hash) Sum() uint64 { return mix64(d.h) }

// String returns Sum as 16 hexadecimal digits.
func (d *Hash) String() string {
	return hex.EncodeToString(binary.BigEndian.AppendUint64(nil, d.Sum()))
}
