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
	for _, c := range []Codec{Float64{}, Float32, Float16, BFloat16} {
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

// Rounded is a wire format that rounds to a binary format with fewer bits than float64: to nearest, ties to even.
// Numbers beyond its range become ±Inf.
type Rounded struct {
	name                      string
	bytes                     int64
	precision, minExp, maxExp int // see roundTo
}

// The formats binary32 and binary16 of IEEE 754, and bfloat16.
var (
	Float32  = Rounded{"float32", 4, 24, -126, 127}
	Float16  = Rounded{"float16", 2, 11, -14, 15}
	BFloat16 = Rounded{"bfloat16", 2, 8, -126, 127}
)

// Name returns the name of the format.
func (f Rounded) Name() string { return f.name }

// Size returns the bytes of n elements.
func (f Rounded) Size(n int) int64 { return f.bytes * int64(n) }

// Encode rounds src.
func (f Rounded) Encode(dst, src []float64) {
	if f != Float32 {
		roundTo(dst, src, f.precision, f.minExp, f.maxExp)
		return
	}
	roundThrough[float32](dst, src) // which is faster
}

// roundThrough rounds to a floating-point type of the hardware.
func roundThrough[F constraints.Float](dst, src []float64) {
	for i, v := range src {
		dst[i] = float64(F(v))
	}
}

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
