package problems

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"tallynet/scenarios/problems/gemm"
)

// Samples is the number of samples per node.
type Samples struct{ Train, Val int }

// samples are m labelled samples of d features.
type samples struct {
	x blas64.General // m x d, one sample a row
	// t holds the target of each sample: any number for least squares, -1 or +1 for two
	// classes, the class 0, 1, ... for softmax.
	t []float64
}

func newSamples(m, d int) samples { return samples{x: newGeneral(m, d), t: make([]float64, m)} }

func (s samples) len() int { return len(s.t) }

func (s samples) row(i int) []float64 { return s.x.Data[i*s.x.Stride : i*s.x.Stride+s.x.Cols] }

// slice returns the samples lo to hi-1, which share memory with s.
func (s samples) slice(lo, hi int) samples {
	x := s.x
	x.Rows = hi - lo
	x.Data = s.x.Data[lo*s.x.Stride : hi*s.x.Stride]
	return samples{x: x, t: s.t[lo:hi]}
}

// gather copies the samples idx of src to s, reusing the memory of s.
func (s *samples) gather(src samples, idx []int) {
	d := src.x.Cols
	s.x = blas64.General{Rows: len(idx), Cols: d, Stride: d, Data: slices.Grow(s.x.Data[:0], len(idx)*d)[:len(idx)*d]}
	s.t = slices.Grow(s.t[:0], len(idx))[:len(idx)]
	for k, i := range idx {
		mustSample(i, src.len())
		copy(s.row(k), src.row(i))
		s.t[k] = src.t[i]
	}
}

func mustSample(i, n int) {
	if i < 0 || i >= n {
		panic(fmt.Sprintf("problems: batch index %d is out of range; the node has %d samples", i, n))
	}
}

// selection is a set of samples, with all or a batch of them in use.
type selection struct {
	all  samples
	idx  []int   // the samples of the last batch
	part samples // copies of them, if gathered
	// gathered is kept while all samples are in use, so that returning to the same
	// batch copies nothing.
	gathered bool
	batched  bool // part is in use, not all
}

func (s *selection) len() int { return s.all.len() }

// use selects the samples idx, or all if idx is nil, and reports whether that changes
// the samples in use.
func (s *selection) use(idx []int) (changed bool) {
	changed = s.batched != (idx != nil)
	s.batched = idx != nil
	if idx == nil || s.gathered && slices.Equal(idx, s.idx) {
		return changed
	}
	s.part.gather(s.all, idx)
	s.idx, s.gathered = append(s.idx[:0], idx...), true
	return true
}

// used returns the samples in use. It panics if there are none.
func (s *selection) used() samples {
	u := s.all
	if s.batched {
		u = s.part
	}
	if u.len() == 0 {
		panic("problems: a call on an empty batch")
	}
	return u
}

// index returns the index among all samples of the k-th one in use.
func (s *selection) index(k int) int {
	if s.batched {
		return s.idx[k]
	}
	return k
}

// memory is the point at which derived quantities are known. The zero value knows none.
type memory struct {
	point []float64
	known bool
}

// recall reports whether the quantities are known at point v, bit by bit. If not, it
// records v, and the caller must compute them.
func (m *memory) recall(v []float64) bool {
	if m.known && sameBits(m.point, v) {
		return true
	}
	m.point, m.known = append(m.point[:0], v...), true
	return false
}

func (m *memory) forget() { m.known = false }

// batch is a selection with the memory of a point, which it forgets if the samples change.
type batch struct {
	selection
	memory
}

func (b *batch) setBatch(idx []int) {
	if b.use(idx) {
		b.forget()
	}
}

// reset replaces all samples.
func (b *batch) reset(s samples) {
	b.all, b.gathered, b.batched = s, false, false
	b.forget()
}

// dealt holds the training and validation samples of all nodes, each kind in one matrix
// ordered by node, and test samples that belong to no node.
type dealt struct {
	nodes      int
	train, val samples // val is empty for single-level problems
	test       samples
	// fill, if not nil, writes the features of test on first use. MNIST's take 62 MB, which a study without
	// accuracies does not need.
	fill   func()
	filled sync.Once
	// Node i has the samples from trainAt[i] to before trainAt[i+1]; nil: all nodes have
	// equally many. valAt is the same for validation.
	trainAt, valAt []int
	classes        int      // 0 if the targets are numbers
	signs          bool     // there are two classes, with targets -1 and +1
	names          []string // of the classes; nil: those of synthetic data
	about          string   // the data in a few words
}

// tested returns the test samples with their features.
func (d *dealt) tested() samples {
	if d.fill != nil {
		d.filled.Do(d.fill)
	}
	return d.test
}

func (d *dealt) nodeTrain(i int) samples { return d.train.slice(d.trainOf(i)) }
func (d *dealt) nodeVal(i int) samples   { return d.val.slice(at(d.valAt, d.val.len()/d.nodes, i)) }

// trainOf returns where node i's training samples begin and end.
func (d *dealt) trainOf(i int) (lo, hi int) { return at(d.trainAt, d.train.len()/d.nodes, i) }

func at(bounds []int, each, i int) (lo, hi int) {
	if bounds == nil {
		return i * each, (i + 1) * each
	}
	return bounds[i], bounds[i+1]
}

// accuracy returns the share of s that a linear model classifies correctly. It has C x d
// coefficients for C classes, or d for targets -1 and +1, where the boundary itself counts
// as wrong. It is NaN if there are no samples.
func accuracy(coef []float64, s samples) float64 {
	m, d := s.len(), s.x.Cols
	if m == 0 {
		return math.NaN()
	}
	right := 0
	if len(coef) == d {
		z := make([]float64, m)
		gemv(z, 1, s.x, coef, 0)
		for i, t := range s.t {
			if z[i]*t > 0 {
				right++
			}
		}
		return float64(right) / float64(m)
	}
	c := len(coef) / d
	o := newGeneral(m, c)
	gemm.MulTransB(o, s.x, blas64.General{Rows: c, Cols: d, Stride: d, Data: coef})
	for i, t := range s.t {
		if floats.MaxIdx(o.Data[i*c:(i+1)*c]) == int(t) {
			right++
		}
	}
	return float64(right) / float64(m)
}

// weighted returns the training samples of all nodes, scaled so that the mean of squares
// over them is the mean of the nodes' own means of squares.
func (d *dealt) weighted() samples {
	if d.trainAt == nil {
		return d.train
	}
	out := newSamples(d.train.len(), d.train.x.Cols)
	for i := range d.nodes {
		lo, hi := d.trainOf(i)
		scale := math.Sqrt(float64(d.train.len()) / float64(d.nodes) / float64(hi-lo))
		for k := lo; k < hi; k++ {
			for j, v := range d.train.row(k) {
				out.row(k)[j] = scale * v
			}
			out.t[k] = scale * d.train.t[k]
		}
	}
	return out
}
