package problems

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"tallynet/scenarios/problems/data"
)

// sparseRisk is the mean cross entropy of softmax(Y s) over sparse samples s, with the
// coefficients Y (C x d) flattened by rows, as softmaxRisk is over dense ones. Every
// call takes O(C nonzeros) and adds to its destination, so that a zero part of a
// derivative costs nothing.
//
// It works on a copy of the coefficients of those features that its samples have, A of
// d, feature by feature: C neighbours in memory for each nonzero.
type sparseRisk struct {
	classes, features int
	rows              []sparseRow
	active            []int // the features that the samples have, ascending
	nonzeros          float64
	batch             []int // the samples in use, where whole is false
	whole             bool

	w     []float64 // A x C: the point, if known
	known bool
	pi    blas64.General // m x C, probabilities
	mean  float64        // the mean loss

	gathered, sum []float64 // scratch, A x C
	rho           []float64 // scratch, C
}

// sparseRow is one sample; its columns are positions in sparseRisk.active.
type sparseRow struct {
	columns []int32
	values  []float64
	class   int
}

// newSparseRisk takes samples of d features.
func newSparseRisk(classes, d int, s []data.SparseSample) *sparseRisk {
	r := &sparseRisk{classes: classes, features: d, whole: true, rows: make([]sparseRow, len(s)), rho: make([]float64, classes)}
	total := 0
	for _, sample := range s {
		total += len(sample.Features)
		for _, j := range sample.Features {
			r.active = append(r.active, int(j))
		}
	}
	slices.Sort(r.active)
	r.active = slices.Compact(r.active)
	r.nonzeros = float64(total) / float64(len(s))
	for k, sample := range s {
		columns := make([]int32, len(sample.Features))
		for i, j := range sample.Features {
			at, _ := slices.BinarySearch(r.active, int(j))
			columns[i] = int32(at)
		}
		r.rows[k] = sparseRow{columns, sample.Values, sample.Class}
	}
	r.gathered, r.sum = make([]float64, len(r.active)*classes), make([]float64, len(r.active)*classes)
	return r
}

func (r *sparseRisk) len() int { return len(r.rows) }

// setBatch makes idx the samples in use; nil: all.
func (r *sparseRisk) setBatch(idx []int) {
	if whole := idx == nil; whole != r.whole || !whole && !slices.Equal(idx, r.batch) {
		r.known = false
	}
	r.whole = idx == nil
	r.batch = append(r.batch[:0], idx...)
	for _, i := range idx {
		if i < 0 || i >= len(r.rows) {
			panic(fmt.Sprintf("problems: batch index %d, there are %d samples", i, len(r.rows)))
		}
	}
}

// used returns how many samples are in use.
func (r *sparseRisk) used() int {
	if r.whole {
		return len(r.rows)
	}
	return len(r.batch)
}

// row returns the k-th sample in use.
func (r *sparseRisk) row(k int) *sparseRow {
	if r.whole {
		return &r.rows[k]
	}
	return &r.rows[r.batch[k]]
}

// gather copies the active features' part of v.
func (r *sparseRisk) gather(v []float64) []float64 {
	for c := range r.classes {
		own := v[c*r.features : (c+1)*r.features]
		for a, j := range r.active {
			r.gathered[a*r.classes+c] = own[j]
		}
	}
	return r.gathered
}

// scatter adds the sums of the active features to dst.
func (r *sparseRisk) scatter(dst []float64) {
	for c := range r.classes {
		own := dst[c*r.features : (c+1)*r.features]
		for a, j := range r.active {
			own[j] += r.sum[a*r.classes+c]
		}
	}
}

// logits sets dst = V s, v the gathered V.
func (row *sparseRow) logits(dst, v []float64) {
	clear(dst)
	for i, a := range row.columns {
		value := row.values[i]
		for c, w := range v[int(a)*len(dst):][:len(dst)] {
			dst[c] += value * w
		}
	}
}

// spread adds e s' to sum.
func (row *sparseRow) spread(sum, e []float64) {
	for i, a := range row.columns {
		value := row.values[i]
		own := sum[int(a)*len(e):][:len(e)]
		for c, v := range e {
			own[c] += value * v
		}
	}
}

// at makes the probabilities at w known. The memory of the last point is exact: the
// samples know w by the coefficients that are compared, bit by bit.
func (r *sparseRisk) at(w []float64) {
	v := r.gather(w)
	if r.known && sameBits(r.w, v) {
		return
	}
	m, n := r.used(), r.classes
	if m == 0 {
		panic("problems: a call on an empty batch")
	}
	r.w = append(r.w[:0], v...)
	r.pi = growMatrix(r.pi, m, n)
	total := 0.0
	for k := range m {
		row, o := r.row(k), r.pi.Data[k*n:(k+1)*n]
		row.logits(o, v)
		largest := slices.Max(o) // so that no exponential overflows
		wanted, sum := o[row.class]-largest, 0.0
		for c, z := range o {
			o[c] = math.Exp(z - largest)
			sum += o[c]
		}
		for c := range o {
			o[c] /= sum
		}
		total += math.Log(sum) - wanted
	}
	r.mean, r.known = total/float64(m), true
}

func (r *sparseRisk) value(w []float64) float64 {
	r.at(w)
	return r.mean
}

// addGrad adds the gradient, the mean of (π - onehot) s'.
func (r *sparseRisk) addGrad(dst, w []float64) {
	r.at(w)
	clear(r.sum)
	m, n := r.used(), r.classes
	for k := range m {
		row := r.row(k)
		scaleTo(r.rho, 1/float64(m), r.pi.Data[k*n:(k+1)*n])
		r.rho[row.class] -= 1 / float64(m)
		row.spread(r.sum, r.rho)
	}
	r.scatter(dst)
}

// addHessMul adds the Hessian's product with v, the mean of t s' with t = π∘ρ - π(π'ρ)
// and ρ = V s.
func (r *sparseRisk) addHessMul(dst, w, v []float64) {
	r.at(w)
	clear(r.sum)
	m, n := r.used(), r.classes
	r.gather(v)
	for k := range m {
		row := r.row(k)
		row.logits(r.rho, r.gathered)
		centre(r.rho, r.pi.Data[k*n:(k+1)*n], 1/float64(m))
		row.spread(r.sum, r.rho)
	}
	r.scatter(dst)
}
