package channel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// pattern fills v with stretches of +0 and of numbers, -0 among them.
func pattern(v []float64, rng *rand.Rand) {
	for i := 0; i < len(v); {
		n, zero := 1+rng.IntN(300), rng.IntN(2) == 0
		for ; n > 0 && i < len(v); n, i = n-1, i+1 {
			switch v[i] = 0; {
			case zero:
			case rng.IntN(20) == 0:
				v[i] = math.Copysign(0, -1)
			default:
				v[i] = rng.NormFloat64()
			}
		}
	}
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })
}

// TestMessagesKnowTheirZeros: a message that is used again and again holds what was sent, in every bit, and every
// number other than +0 is in a piece that it owns up to.
func TestMessagesKnowTheirZeros(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, verify := range []bool{false, true} {
		p := &Pool{Codec: Float64{}, Verify: verify}
		left := 0 // pieces that are known to be zero
		for round := range 60 {
			x, y := make([]float64, 4096+rng.IntN(3)*1111), make([]float64, 9000)
			if round%7 > 0 { // else all zero
				pattern(x, rng)
				pattern(y, rng)
			}
			parts := []Part{Vec("x", x), Scalar("s", []float64{1}), Vec("y", y)}
			if round%5 == 0 { // of the same class, as a class without shapes has them, and of the same length in all
				parts[0], parts[2] = parts[2], parts[0]
			}
			m := p.New(0, parts, 1)
			for i, want := range parts {
				if !sameBits(m.Vec(i), want.Data) {
					t.Fatalf("verify %v, round %d: part %d is not what was sent", verify, round, i)
				}
				for from := 0; from < len(want.Data); from += Word {
					known := m.Nonzero(i, from)
					for b := range 64 {
						at := min(from+b*Piece, len(want.Data))
						v := want.Data[at:min(at+Piece, len(want.Data))]
						switch {
						case known>>b&1 == 1:
						case !allZero(v):
							t.Fatalf("round %d: part %d says that its numbers from %d on are zero", round, i, at)
						case len(v) > 0:
							left++
						}
					}
				}
			}
			p.Release(m)
		}
		if left == 0 || len(p.all) != 1 {
			t.Errorf("%d pieces were known to be zero, in %d messages: the test shows nothing", left, len(p.all))
		}
	}
}

// TestEncodedPartsAreNotKnown: what a compressor wrote may be anywhere.
func TestEncodedPartsAreNotKnown(t *testing.T) {
	p := &Pool{Codec: Float64{}}
	zero := []Part{Vec("x", make([]float64, 5000))}
	p.Release(p.New(0, zero, 1))
	m := p.NewBy(0, zero, 1, func(_ int, dst []float64) { dst[4999] = 1 })
	if m.Nonzero(0, Word)>>14&1 == 0 {
		t.Error("the number that was encoded is taken for a zero")
	}
	p.Release(m)
	if m = p.New(0, zero, 1); m.Vec(0)[4999] != 0 {
		t.Error("the number of an earlier message is still there")
	}
}

// TestRoundedPartsAreNotKnown: what a wire format rounds may be anywhere, in a new message and in one used again.
func TestRoundedPartsAreNotKnown(t *testing.T) {
	for _, codec := range []Codec{Float64{}, Float32, Float16, BFloat16} {
		p := &Pool{Codec: codec}
		for range 3 {
			x := make([]float64, 2*Word)
			x[Word] = 1
			m := p.New(0, []Part{Vec("x", x)}, 1)
			if m.Vec(0)[Word] != 1 || m.Nonzero(0, Word)&1 == 0 {
				t.Errorf("%s: the number %v is taken for a zero", codec.Name(), m.Vec(0)[Word])
			}
			p.Release(m)
		}
	}
}

func TestStretches(t *testing.T) {
	for _, c := range []struct {
		pieces uint64
		n      int
		want   []int
	}{
		{0, 1000, nil}, {math.MaxUint64, 1000, []int{0, 1000}}, {0b1011, 1000, []int{0, 128, 192, 256}},
		{0b1110, 100, []int{64, 100}}, {0b1100, 100, nil}, {1 << 63, Word, []int{63 * Piece, Word}},
	} {
		var got []int
		for from, to := range Stretches(c.pieces, c.n) {
			got = append(got, from, to)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("stretches of %b in %d: got %v, want %v", c.pieces, c.n, got, c.want)
		}
		for range Stretches(c.pieces, c.n) {
			got = got[2:]
			break
		}
		if want := max(0, len(c.want)-2); len(got) != want {
			t.Errorf("stretches of %b in %d: %d ends are left after the first, want %d", c.pieces, c.n, len(got), want)
		}
	}
}
