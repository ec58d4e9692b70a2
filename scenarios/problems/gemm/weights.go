package gemm

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// weights are the factors of several weighted sums of a matrix's rows. Term k of sum i has the factor
// data[i next + k step].
type weights struct {
	data        []float64
	sums, next  int
	terms, step int
}

// addRows sets row i of dst to beta times itself plus sum i of the rows of b. beta is 0 or 1. column is
// scratch of w.terms elements; it is not used if step is 1.
func (w weights) addRows(dst, b blas64.General, beta float64, column []float64) {
	if beta == 0 && w.mostlyZero() && finiteRows(b) {
		w.rowByRow(dst, b, beta, addNonZero, column)
		return
	}
	rows, cols := sumKernel(dst, w, b, beta)
	top, below := w, w
	top.sums, below.sums, below.data = rows, w.sums-rows, w.data[min(rows*w.next, len(w.data)):]
	top.rowByRow(part(dst, 0, rows, cols, b.Cols), part(b, 0, b.Rows, cols, b.Cols), beta, addTerms, column)
	below.rowByRow(part(dst, rows, dst.Rows, 0, b.Cols), b, beta, addTerms, column)
}

// blockElements is the number of elements in a block of rows that is reused: 256 kB, which fits in a
// second-level cache.
const blockElements = 1 << 15

// adder sets dst to beta times itself plus the rows of b times their factors.
type adder func(dst []float64, b blas64.General, factors []float64, beta float64)

// rowByRow is addRows with one call of add for each row and block of b.
func (w weights) rowByRow(dst, b blas64.General, beta float64, add adder, column []float64) {
	if dst.Rows == 0 || dst.Cols == 0 {
		return
	}
	block := max(4, blockElements/dst.Cols)
	for k := 0; k < w.terms; k += block {
		to := min(k+block, w.terms)
		for i := range dst.Rows {
			add(dst.Data[i*dst.Stride:i*dst.Stride+dst.Cols], part(b, k, to, 0, b.Cols), w.of(i, k, to, column), beta)
		}
		beta = 1
	}
}

// of returns the factors of some terms of sum i. It copies them to column unless they are contiguous.
func (w weights) of(i, from, to int, column []float64) []float64 {
	at := i*w.next + from*w.step
	if w.step == 1 {
		return w.data[at : at+to-from]
	}
	column = column[:to-from]
	for k := range column {
		column[k] = w.data[at+k*w.step]
	}
	return column
}

// addTerms sets dst = b'factors + beta dst.
func addTerms(dst []float64, b blas64.General, factors []float64, beta float64) {
	blas64.Gemv(blas.Trans, 1, b, vec(factors), beta, vec(dst))
}

// addNonZero is addTerms without the rows whose factor is 0, which must be finite. Adding ±0 changes no bit
// of a sum that starts at +0.
func addNonZero(dst []float64, b blas64.General, factors []float64, beta float64) {
	if beta == 0 {
		clear(dst)
	}
	for from := 0; from < len(factors); {
		to := from
		for to < len(factors) && factors[to] != 0 {
			to++
		}
		if to > from {
			addTerms(dst, part(b, from, to, 0, b.Cols), factors[from:to], 1)
		}
		from = to + 1
	}
}

// mostlyZero reports whether skipping terms with factor 0 pays. Features are often 0: four fifths of a digit's
// pixels are. With few sums, checking that the rows are finite costs more than it saves.
func (w weights) mostlyZero() bool {
	if w.sums < 8 {
		return false
	}
	zeros := 0
	for i := range w.sums {
		for k := range w.terms {
			if w.data[i*w.next+k*w.step] == 0 {
				zeros++
			}
		}
	}
	return zeros > w.sums*w.terms/3*2
}

// finiteRows reports whether all elements and the sums of all rows are finite.
func finiteRows(a blas64.General) bool {
	for i := range a.Rows {
		if v := floats.Sum(a.Data[i*a.Stride : i*a.Stride+a.Cols]); v-v != 0 {
			return false
		}
	}
	return true
}
