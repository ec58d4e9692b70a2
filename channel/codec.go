package channel

import (
	"fmt"
	"math"

	"golang.org/x/exp/constraints"
)

// Codec is a wire format. Encode sets dst to what a receiver decodes from the encoded src; both have the same
// length and do not overlap. Size returns the bytes of n encoded elements.
type Codec interface {
	Name() string
	Encode(dst, src []float64)
	Size(n int) int64
}

// NewCodec returns the codec called float64, float32, float16 or bfloat16.
func NewCodec(name string) (Codec, error) {
	for _, c := range []Codec{Float64{}, Float32{}, Float16{}, BFloat16{}} {
		if c.Name() == name {
			return c, nil
		}
	}
	return nil, fmt.Errorf("unknown wire format %q: want float64, float32, float16 or bfloat16", name)
}

// Float64 is IEEE 754 binary64: 8 bytes, exact.
type Float64 struct{}

// Name returns "float64".
func (Float64) Name() string { return "float64" }

// Size returns 8 n.
func (Float64) Size(n int) int64 { return 8 * int64(n) }

// Encode copies src.
func (Float64) Encode(dst, src []float64) { copy(dst, src) }

// Float32 rounds to IEEE 754 binary32, 4 bytes.
type Float32 struct{}

// Name returns "float32".
func (Float32) Name() string { return "float32" }

// Size returns 4 n.
func (Float32) Size(n int) int64 { return 4 * int64(n) }

// Encode rounds to nearest, ties to even; beyond the range becomes ±Inf.
func (Float32) Encode(dst, src []float64) { roundThrough[float32](dst, src) }

// roundThrough rounds to a floating-point type of the hardware.
func roundThrough[F constraints.Float](dst, src []float64) {
	for i, v := range src {
		dst[i] = float64(F(v))
	}
}

// Float16 rounds to IEEE 754 binary16, 2 bytes: 11 bits of precision, up to 65504.
type Float16 struct{}

// Name returns "float16".
func (Float16) Name() string { return "float16" }

// Size returns 2 n.
func (Float16) Size(n int) int64 { return 2 * int64(n) }

// Encode rounds to nearest, ties to even; beyond the range becomes ±Inf.
func (Float16) Encode(dst, src []float64) { roundTo(dst, src, 11, -14, 15) }

// BFloat16 rounds to bfloat16, 2 bytes: the range of binary32 with 8 bits of precision.
type BFloat16 struct{}

// Name returns "bfloat16".
func (BFloat16) Name() string { return "bfloat16" }

// Size returns 2 n.
func (BFloat16) Size(n int) int64 { return 2 * int64(n) }

// Encode rounds to nearest, ties to even; beyond the range becomes ±Inf.
func (BFloat16) Encode(dst, src []float64) { roundTo(dst, src, 8, -126, 127) }

// roundTo rounds to a binary format with the given precision in bits and least and greatest exponent of a
// normal number. It rounds once, from float64: going through float32 would round twice and get some ties wrong.
func roundTo(dst, src []float64, precision, minExp, maxExp int) {
	overflow := math.Ldexp(1, maxExp+1)
	for i, v := range src {
		exp := int(math.Float64bits(v)>>52&0x7ff) - 1023 // |v| in [2^exp, 2^(exp+1))
		if exp > maxExp {
			if exp < 1024 { // neither Inf nor NaN
				v = math.Copysign(math.Inf(1), v)
			}
			dst[i] = v
			continue
		}
		// The last bit of the result is 2^ulp. That is also the last bit of 1.5 2^(52+ulp), so
		// that adding v to it rounds v there, ties to even.
		ulp := max(exp, minExp) - (precision - 1)
		shift := float64(1.5 * math.Float64frombits(uint64(52+ulp+1023)<<52))
		r := v + shift - shift
		if math.Abs(r) >= overflow {
			r = math.Inf(1)
		}
		dst[i] = math.Copysign(r, v) // a zero keeps its sign
	}
}
