package sim

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestSecondsRoundsHalfUp(t *testing.T) {
	for _, c := range []struct {
		s    float64
		want Time
	}{
		{0, 0}, {1, Second}, {-1, -Second}, {0.5e-9, 1}, {-0.5e-9, 0}, {1.5e-9, 2}, {-1.5e-9, -1}, {2.5e-9, 3},
		{0.49e-9, 0}, {-0.51e-9, -1}, {64e-6, 64 * Microsecond}, {0.1e-3, 100 * Microsecond},
		{0.49999999999999994e-9, 0}, // + 0.5 is rounded to 1
	} {
		if got := Seconds(c.s); got != c.want {
			t.Errorf("Seconds(%v) = %d, want %d", c.s, got, c.want)
		}
	}
	// A float64 of nanoseconds has no room for a half after 52 days. The product
	// with 1e9 is rounded only once.
	s := 5e6
	for range 100 {
		s = math.Nextafter(s, 1e7)
		want, _ := big.NewFloat(s * 1e9).Int64()
		if got := Seconds(s); got != Time(want) {
			t.Errorf("Seconds(%v) = %d, want %d", s, got, want)
		}
	}
}

func TestSecondsOutOfRange(t *testing.T) {
	for _, s := range []float64{1e10, -1e10, math.Inf(1), math.Inf(-1), math.NaN(), 9223372036.9, 9223372036.854775808} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Seconds(%v) does not panic", s)
				}
			}()
			Seconds(s)
		}()
	}
	if got := Seconds(9.2e9); got != 9_200_000_000*Second {
		t.Errorf("Seconds(9.2e9) = %v", got)
	}
	if got := Seconds(-9223372036.854775808); got != math.MinInt64 {
		t.Errorf("the least time is %v", got)
	}
}

// TestSpan checks that Span saturates at the horizon and equals Seconds below.
func TestSpan(t *testing.T) {
	for s, want := range map[float64]Time{0: 0, 1.5: 1500 * Millisecond, -1: -Second, Horizon.Seconds(): Horizon,
		2e9: Horizon, math.Inf(1): Horizon} {
		if got := Span(s); got != want {
			t.Errorf("Span(%g) = %v, want %v", s, got, want)
		}
	}
}

func TestTimeString(t *testing.T) {
	for want, v := range map[string]Time{
		"0s": 0, "1ns": 1, "-999ns": -999, "1us": Microsecond, "1.5ms": 1500 * Microsecond,
		"2.064ms":   2064 * Microsecond,
		"999.999us": 999999, "-1s": -Second, "61.000000001s": 61*Second + 1, "never": Never,
		"-9223372036.854775808s": math.MinInt64,
	} {
		if got := v.String(); got != want {
			t.Errorf("%d is %q, want %q", int64(v), got, want)
		}
	}
}

// TestDivideEqualsBig compares quotients and remainders with big integers.
func TestDivideEqualsBig(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	bigOf := func(v uint64) *big.Int { return new(big.Int).SetUint64(v) }
	for range 20000 {
		a, b, c := r.Uint64()>>r.IntN(64), r.Uint64()>>r.IntN(64), 1+r.Uint64()>>(1+r.IntN(63))
		carry := r.Uint64N(c)
		product := new(big.Int).Mul(bigOf(a), bigOf(b))
		whole, rest := new(big.Int).QuoRem(new(big.Int).Add(product, bigOf(carry)), bigOf(c), new(big.Int))
		if whole.Cmp(big.NewInt(int64(Horizon))) >= 0 {
			whole, rest = big.NewInt(int64(Horizon)), new(big.Int)
		}
		if got, left := Divide(a, b, carry, c); int64(got) != whole.Int64() || left != rest.Uint64() {
			t.Fatalf("(%d x %d + %d) / %d is %d, rest %d, want %v, rest %v", a, b, carry, c, got, left, whole, rest)
		}
		twice := new(big.Int).Add(product.Lsh(product, 1), bigOf(c)) // floor((2 a b + c) / 2 c)
		half := twice.Quo(twice, new(big.Int).Lsh(bigOf(c), 1))
		if half.Cmp(big.NewInt(int64(Horizon))) > 0 {
			half = big.NewInt(int64(Horizon))
		}
		if got := Quotient(a, b, c); int64(got) != half.Int64() {
			t.Fatalf("%d x %d / %d is %d, want %v", a, b, c, got, half)
		}
	}
	if got, rest := Divide(2*uint64(Horizon)+1, 1, 0, 2); got != Horizon || rest != 0 {
		t.Errorf("half a nanosecond beyond the horizon is %v, rest %d", got, rest)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a division by 0 does not panic")
			}
		}()
		Divide(1, 1, 0, 0)
	}()
	if got := (Horizon / 2).Times(3); got != Horizon {
		t.Errorf("three halves of the horizon are %v", got)
	}
	for n, want := range map[int64]Time{0: 0, 3: 3 * Second, 1 << 40: Horizon, math.MaxInt64: Horizon} {
		if got := Second.Times(n); got != want {
			t.Errorf("%d seconds are %v, want %v", n, got, want)
		}
	}
}
