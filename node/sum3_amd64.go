package node

import "golang.org/x/sys/cpu"

// sum3 sets dst to u a + v b + w c, all of one length; a may be dst. It is one pass over memory where
// floats.ScaleTo and twice floats.AddScaled make three, with the same bits.
func sum3(dst []float64, u float64, a []float64, v float64, b []float64, w float64, c []float64) {
	if n := len(dst); len(a) != n || len(b) != n || len(c) != n {
		panic("node: vectors of different lengths are added")
	}
	if cpu.X86.HasAVX {
		k := len(dst) &^ 7
		sum3AVX(dst[:k], u, a, v, b, w, c)
		dst, a, b, c = dst[k:], a[k:], b[k:], c[k:]
	}
	sum3SSE2(dst, u, a, v, b, w, c)
}

// sum3AVX takes a multiple of eight numbers.
//
//go:noescape
func sum3AVX(dst []float64, u float64, a []float64, v float64, b []float64, w float64, c []float64)

//go:noescape
func sum3SSE2(dst []float64, u float64, a []float64, v float64, b []float64, w float64, c []float64)
