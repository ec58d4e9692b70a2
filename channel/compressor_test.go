package channel

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"tallynet/sim"
)

func compressors() []Compressor {
	return []Compressor{TopK{.1}, TopK{1}, RandomK{.3, false}, RandomK{.3, true}, QSGD{1, false}, QSGD{4, false},
		QSGD{15, true}, Sign{}, Int8{}, LowRank{1}, LowRank{3}}
}

func gaussian(rng *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return v
}

// wantBytes is the size of a message of rows x cols numbers by its formula.
func wantBytes(c Compressor, rows, cols, width int) int {
	n := rows * cols
	index := int(math.Ceil(math.Log2(float64(n))))
	k := func(share float64) int { return max(1, int(math.Ceil(share*float64(n)))) }
	bits := 0
	switch c := c.(type) {
	case TopK:
		bits = k(c.Share) * (index + width)
	case RandomK:
		bits = k(c.Share) * (index + width)
	case QSGD:
		bits = width + n*(1+int(math.Ceil(math.Log2(float64(c.Levels+1)))))
	case Sign:
		bits = width + n
	case Int8:
		bits = width + 8*n
	case LowRank:
		bits = min(n, c.Rank*(rows+cols)) * width
	}
	return (bits + 7) / 8
}

// TestBytesEqualTheBuffer checks that a decoder that sees only the buffer decodes the receivers'
// values, and that the buffer has the formula's length.
func TestBytesEqualTheBuffer(t *testing.T) {
	rng := sim.Stream(1, "codec")
	for _, c := range compressors() {
		for _, shape := range [][2]int{
			{1, 1}, {2, 1}, {7, 1}, {64, 1}, {65, 1}, {8, 8}, {13, 9}, {300, 4}, {9, 13}, {4, 300},
		} {
			for _, width := range []uint{32, 64} {
				rows, cols := shape[0], shape[1]
				src, dst, again := gaussian(rng, rows*cols), make([]float64, rows*cols), make([]float64, rows*cols)
				z, s := Compression{Compressor: c, Width: width, Step: 1}, State{}
				bytes := z.Encode(dst, src, rows, cols, NoMemory, &s, rng)
				what := fmt.Sprintf("%s %+v, %d x %d, %d bits", c.Name(), c, rows, cols, width)
				if want := wantBytes(c, rows, cols, int(width)); int(bytes) != want || len(s.w.buf) != want {
					t.Errorf("%s: %d bytes, a buffer of %d, want %d", what, bytes, len(s.w.buf), want)
				}
				if n := z.Bytes(rows, cols); n != bytes {
					t.Errorf("%s: %d bytes by its formula, want %d", what, n, bytes)
				}
				z.read(again, slices.Clone(s.w.buf), rows, cols)
				if !slices.Equal(again, dst) {
					t.Errorf("%s: a decoder reads %v, receivers get %v", what, again, dst)
				}
			}
		}
	}
}

// TestEmptyArraysHaveNoBytes covers empty arrays.
func TestEmptyArraysHaveNoBytes(t *testing.T) {
	for _, c := range compressors() {
		z := Compression{Compressor: c, Width: 64, Step: 1}
		for _, shape := range [][2]int{{0, 0}, {0, 5}, {5, 0}, {1, 0}, {0, 1}} {
			if n := z.Bytes(shape[0], shape[1]); n != 0 {
				t.Errorf("%s %+v, %d x %d: %d bytes", c.Name(), c, shape[0], shape[1], n)
			}
		}
	}
}

// TestErrorBounds checks the error bound of each compressor.
func TestErrorBounds(t *testing.T) {
	rng := sim.Stream(2, "codec")
	for range 200 {
		const n = 50
		src, dst := gaussian(rng, n), make([]float64, n)
		norm := floats.Norm(src, 2)
		errorOf := func(c Compressor, d float64) float64 {
			z := Compression{Compressor: c, Width: 64, Step: 1}
			z.Encode(dst, src, n/5, 5, NoMemory, &State{}, rng)
			return floats.Distance(dst, src, d)
		}
		for _, c := range []struct {
			c        Compressor
			d, bound float64
		}{
			{TopK{.2}, 2, math.Sqrt(1-.2) * norm}, {TopK{1}, 2, 0}, {RandomK{.2, true}, 2, norm},
			{QSGD{4, false}, math.Inf(1), norm / 4}, {Int8{}, math.Inf(1), floats.Norm(src, math.Inf(1)) / 254 * (1 + 1e-12)},
			{Sign{}, 2, norm}, {LowRank{5}, 2, 1e-12 * norm}, {LowRank{1}, 2, norm},
		} {
			if e := errorOf(c.c, c.d); e > c.bound {
				t.Errorf("%s %+v: the error is %g, want at most %g", c.c.Name(), c.c, e, c.bound)
			}
		}
	}
}

// TestUnbiased checks that the mean of 100,000 messages is the array, and that the variance is within its
// bound.
func TestUnbiased(t *testing.T) {
	const n, draws = 12, 100_000
	rng := sim.Stream(3, "codec")
	src := gaussian(rng, n)
	norm := floats.Norm(src, 2)
	for _, c := range []struct {
		c     Compressor
		omega float64 // E|C(x) - x|² <= omega |x|²
	}{{RandomK{.25, false}, 3}, {QSGD{1, false}, QSGD{1, false}.omega(n)}, {QSGD{4, false}, QSGD{4, false}.omega(n)}} {
		mean, dst := make([]float64, n), make([]float64, n)
		second := 0.
		z, s := Compression{Compressor: c.c, Width: 64, Step: 1}, State{}
		for range draws {
			z.Encode(dst, src, n, 1, NoMemory, &s, rng)
			floats.AddScaled(mean, 1./draws, dst)
			second += math.Pow(floats.Distance(dst, src, 2), 2) / draws
		}
		if bound := 5 * math.Sqrt(c.omega/draws) * norm; !(floats.Distance(mean, src, 2) <= bound) {
			t.Errorf("%s: the mean is %v, want %v within %g", c.c.Name(), mean, src, bound)
		}
		if !(second <= c.omega*norm*norm*1.02) {
			t.Errorf("%s: E|C(x) - x|² is %g, want at most %g", c.c.Name(), second, c.omega*norm*norm)
		}
	}
}

// TestRandomKIsUnbiased is exhaustive: over all choices of k elements the mean is the array, and
// the mean squared error is n/k - 1 of its square, or 1 - k/n as a contraction.
func TestRandomKIsUnbiased(t *testing.T) {
	const n, k, draws = 6, 3, 100_000
	src := []float64{3, -1, 0, 2, -5, .5}
	square := floats.Dot(src, src)
	for _, c := range []RandomK{{float64(k) / n, false}, {float64(k) / n, true}} {
		s := coding{rows: n, cols: 1, width: 64}
		mean, dst, second, choices := make([]float64, n), make([]float64, n), 0., 0.
		for set := range 1 << n {
			if bits.OnesCount(uint(set)) != k {
				continue
			}
			var w bitWriter
			for i := range n {
				if set>>i&1 == 1 {
					w.put(uint64(i), indexBits(n))
					w.number(src[i], 64)
				}
			}
			c.decode(&bitReader{buf: w.buf}, dst, &s)
			floats.Add(mean, dst)
			second += math.Pow(floats.Distance(dst, src, 2), 2)
			choices++
		}
		floats.Scale(1/choices, mean)
		want, factor := slices.Clone(src), float64(n)/k-1
		if c.Contract {
			floats.Scale(float64(k)/n, want)
			factor = 1 - float64(k)/n
		}
		if d := floats.Distance(mean, want, 2); !(d <= 1e-12) || !(math.Abs(second/choices-factor*square) <= 1e-12*square) {
			t.Errorf("%+v: the mean is %v, want %v; the squared error %g, want %g", c, mean, want, second/choices,
				factor*square)
		}
		chosen := map[string]int{} // encode chooses each set as often
		s.rng = sim.Stream(7, "codec")
		for range draws {
			var w bitWriter
			c.encode(&w, src, &s)
			chosen[string(w.buf)]++
		}
		for _, times := range chosen { // binomial
			if len(chosen) != int(choices) || !(math.Abs(float64(times)-draws/choices) <= 5*math.Sqrt(draws/choices)) {
				t.Errorf("%+v: of %g sets %d were drawn, one of them %d times of %d", c, choices, len(chosen), times, draws)
			}
		}
	}
}

// TestContractionBounds checks that the expected squared error of contractions is within the theoretical bound.
func TestContractionBounds(t *testing.T) {
	const n, draws = 12, 20_000
	rng := sim.Stream(8, "codec")
	src := gaussian(rng, n)
	square := floats.Dot(src, src)
	for _, c := range []struct {
		c     Compressor
		delta float64 // E|C(x) - x|² <= (1 - delta) |x|²
	}{
		{RandomK{.25, true}, .25}, {QSGD{4, true}, 1 / (1 + QSGD{4, false}.omega(n))}, {TopK{.25}, .25},
		{QSGD{1, true}, 1 / (1 + QSGD{1, false}.omega(n))}, {Sign{}, 1. / n},
	} {
		z, s, dst, second := Compression{Compressor: c.c, Width: 64, Step: 1}, State{}, make([]float64, n), 0.
		for range draws {
			z.Encode(dst, src, n, 1, NoMemory, &s, rng)
			second += math.Pow(floats.Distance(dst, src, 2), 2) / draws
		}
		if !(second <= (1-c.delta)*square*1.01) {
			t.Errorf("%s %+v: E|C(x) - x|² is %g of the square, want at most %g", c.c.Name(), c.c, second/square, 1-c.delta)
		}
	}
}

// TestDecodersWithMemory decodes buffers alone, and sums them up for differences. The result must equal
// the receivers' values that Encode returns.
func TestDecodersWithMemory(t *testing.T) {
	const rows, cols = 9, 4
	for _, c := range compressors() {
		for _, memory := range []Memory{NoMemory, Feedback, Difference} {
			rng := sim.Stream(9, "codec")
			z, s := Compression{Compressor: c, Width: 32, Step: 1}, State{}
			says, has, got := make([]float64, rows*cols), make([]float64, rows*cols), make([]float64, rows*cols)
			for k := range 20 {
				z.Encode(says, gaussian(rng, rows*cols), rows, cols, memory, &s, rng)
				z.read(got, slices.Clone(s.w.buf), rows, cols)
				if memory == Difference {
					floats.Add(has, got)
				} else {
					copy(has, got)
				}
				if !slices.Equal(has, says) {
					t.Fatalf("%s %+v, memory %d, message %d: a receiver has %v, want %v", c.Name(), c, memory, k, has, says)
				}
			}
		}
	}
}

// TestFeedback checks that the total error of the messages equals the memory, which stays bounded; without
// feedback it grows.
func TestFeedback(t *testing.T) {
	const n, rounds = 40, 400
	rng := sim.Stream(4, "codec")
	gap := func(memory Memory) float64 {
		z, s := Compression{Compressor: TopK{.1}, Width: 64, Step: 1}, State{}
		src := gaussian(sim.Stream(5, "x"), n)
		dst, sum := make([]float64, n), make([]float64, n)
		for range rounds {
			z.Encode(dst, src, n, 1, memory, &s, rng)
			floats.Add(sum, dst)
		}
		floats.AddScaled(sum, -rounds, src)
		return floats.Norm(sum, 2) / floats.Norm(src, 2)
	}
	if with, without := gap(Feedback), gap(NoMemory); with > 20 || without < 100 {
		t.Errorf("after %d rounds the gap is %g with feedback, %g without", rounds, with, without)
	}
}

// TestDifference checks that the receivers' values converge to the array.
func TestDifference(t *testing.T) {
	for _, c := range []Compressor{TopK{.1}, RandomK{.1, true}, QSGD{4, true}, Sign{}, Int8{}, LowRank{1}} {
		rng := sim.Stream(6, "codec")
		z, s := Compression{Compressor: c, Width: 64, Step: 1}, State{}
		src, dst := gaussian(rng, 60), make([]float64, 60)
		for range 600 {
			z.Encode(dst, src, 12, 5, Difference, &s, rng)
		}
		if d := floats.Distance(dst, src, 2); !(d <= 1e-6) {
			t.Errorf("%s: after 600 messages the difference is %g", c.Name(), d)
		}
	}
}

// TestNotFinite checks that a number that is not finite arrives unchanged.
func TestNotFinite(t *testing.T) {
	z, s := Compression{Compressor: Int8{}, Width: 32, Step: 1}, State{}
	dst := make([]float64, 2)
	if b := z.Encode(dst, []float64{1, math.Inf(1)}, 2, 1, Feedback, &s, nil); b != 8 || !math.IsInf(dst[1], 1) ||
		dst[0] != 1 {
		t.Errorf("%v in %d bytes", dst, b)
	}
}

// TestLowRankIsExact: a matrix of at most the sent rank arrives exactly, since a step of the power method keeps the
// span of its columns. A matrix of a higher rank loses some of it.
func TestLowRankIsExact(t *testing.T) {
	const rows, cols = 11, 7
	rng := sim.Stream(10, "codec")
	for rank := 1; rank <= 4; rank++ {
		src, dst := make([]float64, rows*cols), make([]float64, rows*cols)
		for range rank {
			a, b := gaussian(rng, rows), gaussian(rng, cols)
			for i := range src {
				src[i] += a[i/cols] * b[i%cols]
			}
		}
		for sent := 1; sent <= 4; sent++ { // 4 x (11 + 7) numbers are fewer than 77
			z := Compression{Compressor: LowRank{sent}, Width: 64, Step: 1}
			z.Encode(dst, src, rows, cols, NoMemory, &State{}, rng)
			if off := floats.Distance(dst, src, 2) / floats.Norm(src, 2); (off < 1e-10) != (sent >= rank) || !(off < 1) {
				t.Errorf("rank %d of %d: the error is %g of the matrix", sent, rank, off)
			}
		}
	}
}

// TestLowRankSendsSmallMatricesWhole covers a 2 x 2 matrix, whose factors would be no smaller.
func TestLowRankSendsSmallMatricesWhole(t *testing.T) {
	for _, c := range []struct{ rows, cols, rank int }{{2, 2, 1}, {5, 1, 1}, {4, 4, 2}, {3, 6, 2}} {
		src, dst := gaussian(sim.Stream(11, "codec"), c.rows*c.cols), make([]float64, c.rows*c.cols)
		z := Compression{Compressor: LowRank{c.rank}, Width: 64, Step: 1}
		z.Encode(dst, src, c.rows, c.cols, NoMemory, &State{}, sim.Stream(12, "codec"))
		if !slices.Equal(dst, src) {
			t.Errorf("rank %d of %d x %d: %v, want %v", c.rank, c.rows, c.cols, dst, src)
		}
	}
}

// TestLowRankUsesItsMemoryAgain checks that only the first message of a shape allocates.
func TestLowRankUsesItsMemoryAgain(t *testing.T) {
	rng, s := sim.Stream(10, "codec"), coding{rows: 40, cols: 30, width: 64}
	s.rng = rng
	src, w := gaussian(rng, 1200), bitWriter{}
	encode := func() {
		w.reset()
		LowRank{2}.encode(&w, src, &s)
	}
	encode()
	if n := testing.AllocsPerRun(20, encode); n > 0 {
		t.Errorf("%g allocations per message", n)
	}
}

// TestOrthonormalize by hand: a column that depends on earlier columns becomes 0, and no other changes.
func TestOrthonormalize(t *testing.T) {
	v := []float64{
		2, 6, 3, 3,
		0, 0, 4, 4,
		0, 0, 0, 5,
	}
	orthonormalize(v, 3, 4)
	want := []float64{
		1, 0, 0, 0,
		0, 0, 1, 0,
		0, 0, 0, 1,
	}
	if !slices.Equal(v, want) {
		t.Errorf("got %v, want %v", v, want)
	}
}

func TestCompressionIsChecked(t *testing.T) {
	for _, c := range []struct {
		Compression
		good bool
	}{
		{Compression{Compressor: Sign{}, Width: 64, Step: 1}, true},
		{Compression{Compressor: Sign{}, Width: 32, Step: 0.1}, true},
		{Compression{Width: 64, Step: 1}, false},
		{Compression{Compressor: Sign{}, Width: 16, Step: 1}, false},
		{Compression{Compressor: Sign{}, Width: 64}, false},
		{Compression{Compressor: Sign{}, Width: 64, Step: -1}, false},
		{Compression{Compressor: Sign{}, Width: 64, Step: 1.1}, false},
		{Compression{Compressor: Sign{}, Width: 64, Step: math.NaN()}, false},
	} {
		if err := c.Check(); (err == nil) != c.good {
			t.Errorf("%+v: %v", c.Compression, err)
		}
	}
}

// read sets dst (rows x cols) to the array that a message without memory holds.
func (c *Compression) read(dst []float64, buf []byte, rows, cols int) {
	s := coding{rows: rows, cols: cols, width: c.Width}
	if l, ok := c.Compressor.(LowRank); ok {
		s.tall, s.wide = make([]float64, rows*l.Rank), make([]float64, cols*l.Rank)
	}
	c.Compressor.decode(&bitReader{buf: buf}, dst, &s)
}
