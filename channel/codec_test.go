package channel

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/x448/float16"
)

func encode(c Codec, v float64) float64 {
	dst := []float64{0}
	c.Encode(dst, []float64{v})
	return dst[0]
}

// same compares bits, except that any NaN equals any other.
func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
}

// TestSixteenBitsAreFixedPoints encodes every number that the two formats can represent.
func TestSixteenBitsAreFixedPoints(t *testing.T) {
	for i := range 1 << 16 {
		for _, c := range []struct {
			codec Codec
			value float64
		}{
			{Float16, float64(float16.Frombits(uint16(i)).Float32())},
			{BFloat16, float64(math.Float32frombits(uint32(i) << 16))},
		} {
			if got := encode(c.codec, c.value); !same(got, c.value) {
				t.Fatalf("%s of %v is %v", c.codec.Name(), c.value, got)
			}
		}
	}
}

// rounded rounds v once with math/big: precision bits, fewer below the least
// normal exponent, infinity from the overflow threshold on.
func rounded(v float64, precision uint, minExp, maxExp int) float64 {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return v
	}
	b := new(big.Float).SetMode(big.ToNearestEven)
	exp := new(big.Float).SetFloat64(v).MantExp(nil) - 1
	if exp >= minExp {
		b.SetPrec(precision).SetFloat64(v)
	} else {
		// A subnormal is a multiple of the least unit: rounding 2^(minExp+1) + |v| to
		// one bit more than the format's precision rounds |v| to a multiple.
		base := new(big.Float).SetMantExp(big.NewFloat(1), minExp+1)
		b.SetPrec(precision+1).Add(base, new(big.Float).SetFloat64(math.Abs(v)))
		b.SetPrec(53).Sub(b, base)
		if v < 0 {
			b.Neg(b)
		}
	}
	if got := b.MantExp(nil) - 1; b.Sign() != 0 && got > maxExp {
		return math.Copysign(math.Inf(1), v)
	}
	f, _ := b.Float64()
	return math.Copysign(f, v)
}

func TestRoundingEqualsBigFloat(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var values []float64
	for range 40_000 {
		e := r.IntN(340) - 170
		values = append(values, math.Ldexp(r.Float64()*2-1, e), math.Float64frombits(r.Uint64()),
			math.Ldexp(r.Float64()*2-1, r.IntN(40)-26))
	}
	// All midpoints between neighbouring float16 numbers and the numbers next
	// to them, and the same for some bfloat16.
	for i := range uint16(0x7bff) {
		mid := (float64(float16.Frombits(i).Float32()) + float64(float16.Frombits(i+1).Float32())) / 2
		values = append(values, mid, math.Nextafter(mid, 1e9), math.Nextafter(mid, 0), -mid)
	}
	for i := uint32(0); i < 0x7f7f; i += 5 {
		mid := (float64(math.Float32frombits(i<<16)) + float64(math.Float32frombits((i+1)<<16))) / 2
		values = append(values, mid, math.Nextafter(mid, math.Inf(1)), math.Nextafter(mid, 0), -mid)
	}
	values = append(values, 0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64,
		math.SmallestNonzeroFloat64, -1e-300, 65504, 65519.99999999999, 65520, 65536,
		0x1.fep127, 0x1.ffp127, 0x1.feffffffffffp127)
	for _, v := range values {
		for _, c := range []struct {
			codec     Codec
			precision uint
			min, max  int
		}{{Float32, 24, -126, 127}, {Float16, 11, -14, 15}, {BFloat16, 8, -126, 127}} {
			if got, want := encode(c.codec, v), rounded(v, c.precision, c.min, c.max); !same(got, want) {
				t.Fatalf("%s of %v (%x) is %v, want %v", c.codec.Name(), v, v, got, want)
			}
		}
		if got := encode(Float64{}, v); !same(got, v) {
			t.Fatalf("float64 of %v is %v", v, got)
		}
	}
}

func TestSizes(t *testing.T) {
	for name, size := range map[string]int64{"float64": 8, "float32": 4, "float16": 2, "bfloat16": 2} {
		c, err := NewCodec(name)
		if err != nil || c.Name() != name || c.Size(1000) != 1000*size || c.Size(0) != 0 {
			t.Errorf("%s: %v, %v, %d bytes for 1000", name, c, err, c.Size(1000))
		}
	}
	want := `unknown wire format "float8": want float64, float32, float16 or bfloat16`
	if _, err := NewCodec("float8"); err == nil || err.Error() != want {
		t.Errorf("float8: %v", err)
	}
}

func BenchmarkEncode(b *testing.B) {
	src, dst := make([]float64, 1000), make([]float64, 1000)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range src {
		src[i] = r.NormFloat64()
	}
	for _, c := range []Codec{Float64{}, Float32, Float16, BFloat16} {
		b.Run(c.Name(), func(b *testing.B) {
			b.SetBytes(8000)
			for b.Loop() {
				c.Encode(dst, src)
			}
		})
	}
}
