package gemm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// TestSameBitsAsGonum: products of all shapes, also of views into larger matrices, equal gonum's
// matrix-vector products bit for bit and write nothing else. NaNs are in the same places.
func TestSameBitsAsGonum(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	sizes := []int{1, 2, 3, 7, 8, 9, 10, 16, 17, 31, 32, 35, 49, 100}
	if testing.Short() {
		sizes = []int{1, 2, 7, 10, 17, 32}
	}
	var mem memory
	for _, r := range sizes {
		for _, n := range sizes {
			for _, c := range sizes {
				for _, values := range []func() float64{rng.NormFloat64, sparse(rng), wild(rng)} {
					checkProducts(t, &mem, r, n, c, rng.IntN(4), values)
				}
			}
		}
	}
	checkProducts(t, &mem, 10, 3*blockElements/64, 64, 0, rng.NormFloat64) // several blocks
}

// sparse returns numbers of which four fifths are 0 or -0.
func sparse(rng *rand.Rand) func() float64 {
	return func() float64 {
		switch rng.IntN(10) {
		case 0, 1:
			return rng.NormFloat64()
		case 2:
			return math.Copysign(0, -1)
		}
		return 0
	}
}

// wild returns numbers whose products round, cancel, underflow and overflow, and some that are not finite.
func wild(rng *rand.Rand) func() float64 {
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, 5e-324}
	return func() float64 {
		if rng.IntN(50) == 0 {
			return special[rng.IntN(len(special))]
		}
		return math.Ldexp(rng.NormFloat64(), rng.IntN(1200)-600)
	}
}

// checkProducts compares r x c products with n terms, in matrices that have more columns.
func checkProducts(t *testing.T, mem *memory, r, n, c, more int, values func() float64) {
	t.Helper()
	mem.used = 0
	matrix := func(rows, cols int) blas64.General {
		m := blas64.General{Rows: rows, Cols: cols, Stride: cols + more, Data: mem.take(rows * (cols + more))}
		for i := range m.Data {
			m.Data[i] = values()
		}
		return m
	}
	a, at, b, bt, start := matrix(r, n), matrix(n, r), matrix(n, c), matrix(c, n), matrix(r, c)
	for _, beta := range []float64{0, 1} {
		want, got := mem.clone(start), mem.clone(start)
		for i := range r {
			addTerms(want.Data[i*want.Stride:i*want.Stride+c], b, a.Data[i*a.Stride:i*a.Stride+n], beta)
		}
		Mul(got, a, b, beta)
		sameBits(t, fmt.Sprintf("a b + %g dst", beta), got, want, n)
	}
	column := mem.take(n)
	for _, beta := range []float64{0, 1} {
		want, got := mem.clone(start), mem.clone(start)
		for i := range r {
			for k := range column {
				column[k] = at.Data[k*at.Stride+i]
			}
			addTerms(want.Data[i*want.Stride:i*want.Stride+c], b, column, beta)
		}
		MulTransA(got, at, b, beta, column)
		sameBits(t, fmt.Sprintf("a'b + %g dst", beta), got, want, n)
	}
	want, got := mem.clone(start), mem.clone(start)
	for i := range r {
		dots(want.Data[i*want.Stride:], bt, a.Data[i*a.Stride:i*a.Stride+n])
	}
	MulTransB(got, a, bt)
	sameBits(t, "a b'", got, want, n)
	want = matrix(c, c)
	got = mem.clone(want)
	blas64.Syrk(blas.Trans, 1, b, 0, blas64.Symmetric{Uplo: blas.Upper, N: c, Stride: want.Stride, Data: want.Data})
	new(Gram).Set(blas64.Symmetric{Uplo: blas.Upper, N: c, Stride: got.Stride, Data: got.Data}, b)
	sameBits(t, "b'b", got, want, n)
}

// memory is shared by all matrices of one comparison, and reused by the next.
type memory struct {
	all  []float64
	used int
}

func (m *memory) take(n int) []float64 {
	if m.used+n > len(m.all) {
		m.all, m.used = make([]float64, 2*len(m.all)+n), 0
	}
	m.used += n
	return m.all[m.used-n : m.used : m.used]
}

func (m *memory) clone(g blas64.General) blas64.General {
	data := m.take(len(g.Data))
	copy(data, g.Data)
	g.Data = data
	return g
}

// sameBits compares all numbers, including those between the rows. All NaNs are equal.
func sameBits(t *testing.T, what string, got, want blas64.General, terms int) {
	t.Helper()
	for i, w := range want.Data {
		if g := got.Data[i]; math.Float64bits(g) != math.Float64bits(w) && (g == g || w == w) {
			t.Fatalf("%s, %d x %d of %d terms, row %d column %d: got %v, want %v",
				what, want.Rows, want.Cols, terms, i/want.Stride, i%want.Stride, g, w)
		}
	}
}
