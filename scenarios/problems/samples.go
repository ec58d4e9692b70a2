package problems

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
)

// samples are m labelled samples of d features.
type samples struct {
	x blas64.General // m x d, one sample a row
	// t holds a target for each sample: any number for least squares, -1 or +1 for
	// the logistic loss, the class 0, 1, ... for softmax.
	t []float64
}

func newSamples(m, d int) samples { return samples{x: newGeneral(m, d), t: make([]float64, m)} }

func (s samples) len() int { return len(s.t) }

func (s samples) row(i int) []float64 { return s.x.Data[i*s.x.Stride : i*s.x.Stride+s.x.Cols] }

// slice returns samples lo to hi-1, sharing memory.
func (s samples) slice(lo, hi int) samples {
	x := s.x
	x.Rows = hi - lo
	x.Data = s.x.Data[lo*s.x.Stride : hi*s.x.Stride]
	return samples{x: x, t: s.t[lo:hi]}
}

// gather copies the samples idx of src into s, reusing s's memory.
func (s *samples) gather(src samples, idx []int) {
	d := src.x.Cols
	s.x = blas64.General{Rows: len(idx), Cols: d, Stride: d, Data: slices.Grow(s.x.Data[:0], len(idx)*d)[:len(idx)*d]}
	s.t = slices.Grow(s.t[:0], len(idx))[:len(idx)]
	for k, i := range idx {
		if i < 0 || i >= src.len() {
			panic(fmt.Sprintf("problems: batch index %d, there are %d samples", i, src.len()))
		}
		copy(s.row(k), src.row(i))
		s.t[k] = src.t[i]
	}
}

// batch remembers which samples were gathered last, so that a batch that is used for
// several calls is copied once. The zero value has gathered nothing.
type batch struct {
	idx      []int
	gathered bool
}

// gather makes part the samples idx of all, and reports whether it was not yet.
func (b *batch) gather(part *samples, all samples, idx []int) bool {
	if b.gathered && slices.Equal(idx, b.idx) {
		return false
	}
	part.gather(all, idx)
	b.idx, b.gathered = append(b.idx[:0], idx...), true
	return true
}

// dealt are the samples of all nodes, train and validation samples of node i in
// rows i·per ... (i+1)·per - 1 of one matrix each, and test samples of no node.
type dealt struct {
	nodes      int
	train, val samples // val is empty for single-level problems
	test       samples
	classes    int    // 0: the targets are numbers; 2: -1 and +1, or classes 0 and 1; more: 0, 1, ...
	signs      bool   // the targets of the two classes are -1 and +1
	about      string // the data in a few words
}

func (d *dealt) nodeTrain(i int) samples { return node(d.train, i, d.nodes) }
func (d *dealt) nodeVal(i int) samples   { return node(d.val, i, d.nodes) }

func node(s samples, i, nodes int) samples {
	per := s.len() / nodes
	return s.slice(i*per, (i+1)*per)
}

// accuracy returns the fractions of s that a linear model with the given
// coefficients gets right: C x d of them for C classes, d for targets -1 and +1,
// where the boundary itself counts as wrong.
func accuracy(coef []float64, s samples) float64 {
	m, d := s.len(), s.x.Cols
	if m == 0 {
		return 0
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
	mulTransB(o, s.x, blas64.General{Rows: c, Cols: d, Stride: d, Data: coef})
	for i, t := range s.t {
		row := o.Data[i*c : (i+1)*c]
		best := 0
		for k, v := range row {
			if v > row[best] {
				best = k
			}
		}
		if best == int(t) {
			right++
		}
	}
	return float64(right) / float64(m)
}
