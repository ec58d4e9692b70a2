package problems

import (
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"tallynet/scenarios/problems/data"
)

// sparseRisk is softmaxRisk for sparse samples: the mean cross entropy of softmax(Y s),
// with the coefficients Y (C x d) flattened by rows. Every call takes O(C nonzeros) and
// adds to its destination, so the zero part of a derivative costs nothing.
//
// It copies the coefficients of the A features that its samples have, out of d, and
// stores them feature by feature, so that each nonzero meets C neighbours in memory.
type sparseRisk struct {
	classes, features int
	rows              []sparseRow
	active            []int // the features that occur in the samples, ascending
	nonzeros          float64
	batch             []int // the samples in use, if batched
	batched           bool

	memory                // of the gathered coefficients, A x C, for what follows
	pi     blas64.General // m x C, probabilities
	mean   float64        // the mean loss

	gathered, sum []float64 // scratch, A x C
	rho           []float64 // scratch, C
}

// sparseRow is one sample; its columns are positions in sparseRisk.active.
type sparseRow struct {
	columns []int32
	values  []float64
	class   int
}

func newSparseRisk(classes, d int, s []data.SparseSample) *sparseRisk {
	r := &sparseRisk{
		classes: classes, features: d, rows: make([]sparseRow, len(s)), rho: make([]float64, classes),
	}
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

// setBatch makes idx the samples in use; nil means all.
func (r *sparseRisk) setBatch(idx []int) {
	batched := idx != nil
	if batched != r.batched || !slices.Equal(idx, r.batch) {
		r.forget()
	}
	r.batched, r.batch = batched, append(r.batch[:0], idx...)
	for _, i := range idx {
		mustSample(i, len(r.rows))
	}
}

// used returns the number of samples in use.
func (r *sparseRisk) used() int {
	if r.batched {
		return len(r.batch)
	}
	return len(r.rows)
}

// row returns the k-th sample in use.
func (r *sparseRisk) row(k int) *sparseRow {
	if r.batched {
		k = r.batch[k]
	}
	return &r.rows[k]
}

// gather copies the part of v that belongs to active features.
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

// logits sets dst = V s, where v is the gathered V.
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

// at computes the probabilities at w unless they are known. It compares only the gathered
// coefficients, since the samples depend on no others.
func (r *sparseRisk) at(w []float64) {
	m, n := r.used(), r.classes
	if m == 0 {
		panic("problems: a call on an empty batch")
	}
	v := r.gather(w)
	if r.recall(v) {
		return
	}
	r.pi = growMatrix(r.pi, m, n)
	total := 0.0
	for k := range m {
		row, pi := r.row(k), r.pi.Data[k*n:(k+1)*n]
		row.logits(pi, v)
		total += softmax(pi, row.class)
	}
	r.mean = total / float64(m)
}

func (r *sparseRisk) value(w []float64) float64 {
	r.at(w)
	return r.mean
}

// grad sets dst to the gradient.
func (r *sparseRisk) grad(dst, w []float64) {
	clear(dst)
	r.addGrad(dst, w)
}

// addGrad adds the gradient, the mean of (π - onehot) s'.
func (r *sparseRisk) addGrad(dst, w []float64) {
	r.at(w)
	clear(r.sum)
	m, n := r.used(), r.classes
	for k := range m {
		row := r.row(k)
		floats.ScaleTo(r.rho, 1/float64(m), r.pi.Data[k*n:(k+1)*n])
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
