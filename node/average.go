package node

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"tallynet/channel"
)

// mixBlock is how many numbers are averaged at a time, so that they stay in a cache while what all neighbours sent is
// added: those that a message knows by one word (32 kB).
const mixBlock = channel.Word

// average sets dst to self times src plus the sum of the weights times part i of the messages, in their order. Where
// own is not nil, src is part i of it. Every element is the same sum in the same order, whatever its block.
func average(dst []float64, i int, self float64, src []float64, own *channel.Message, weights []float64,
	got []*channel.Message) {
	if len(dst) < mixBlock { // nothing is known of it
		averageDense(dst, i, 0, self, src, weights, got)
		return
	}
	for from := 0; from < len(dst); from += mixBlock {
		to := min(from+mixBlock, len(dst))
		if dense(own, i, from, to, got) {
			averageDense(dst[from:to], i, from, self, src[from:to], weights, got)
			continue
		}
		b := block{dst: dst[from:to]}
		b.first(self, src[from:to], nonzero(own, i, from))
		k := 0
		for ; k+1 < len(got); k += 2 {
			b.addTwo(weights[k], got[k].Parts[i].Data[from:to], nonzero(got[k], i, from),
				weights[k+1], got[k+1].Parts[i].Data[from:to], nonzero(got[k+1], i, from))
		}
		if k < len(got) {
			b.add(weights[k], got[k].Parts[i].Data[from:to], nonzero(got[k], i, from))
		}
		b.end()
	}
}

// averageDense is average for numbers from..from+len(dst)-1 of part i, two messages at a time.
func averageDense(dst []float64, i, from int, self float64, src, weights []float64, got []*channel.Message) {
	data := func(k int) []float64 { return got[k].Parts[i].Data[from : from+len(dst)] }
	if len(got) < 2 {
		floats.ScaleTo(dst, self, src)
	}
	k := 0
	for ; k+1 < len(got); k += 2 {
		sum3(dst, self, src, weights[k], data(k), weights[k+1], data(k+1))
		self, src = 1, dst
	}
	if k < len(got) {
		floats.AddScaled(dst, weights[k], data(k))
	}
}

// dense reports whether nothing is known to be +0 of numbers from..to-1, at most a word, of part i.
func dense(own *channel.Message, i, from, to int, got []*channel.Message) bool {
	zero := ^nonzero(own, i, from)
	for _, m := range got {
		zero |= ^m.Nonzero(i, from)
	}
	pieces := (to - from + channel.Piece - 1) / channel.Piece
	return zero<<(64-pieces) == 0
}

func nonzero(m *channel.Message, part, from int) uint64 {
	if m == nil {
		return math.MaxUint64
	}
	return m.Nonzero(part, from)
}

// block is a part of a weighted sum. Terms are added only in the pieces where the vector may be other than +0. Then
// what is left out is a zero, which could change nothing but -0 to +0: end does that.
type block struct {
	dst      []float64
	positive uint64 // pieces that hold no -0
	plus     uint64 // pieces where +0 was left out
}

func (b *block) first(w float64, v []float64, pieces uint64) {
	if w < 0 || pieces == math.MaxUint64 {
		floats.ScaleTo(b.dst, w, v)
		return
	}
	for from, to := range channel.Stretches(pieces, len(v)) {
		floats.ScaleTo(b.dst[from:to], w, v[from:to])
	}
	b.positive = ^pieces
	for from, to := range channel.Stretches(b.positive, len(v)) {
		clear(b.dst[from:to])
	}
}

func (b *block) add(w float64, v []float64, pieces uint64) {
	for from, to := range channel.Stretches(pieces, len(v)) {
		floats.AddScaled(b.dst[from:to], w, v[from:to])
	}
	b.leftOut(w, pieces)
}

// addTwo is add twice, in one pass over the pieces that neither leaves out.
func (b *block) addTwo(w float64, v []float64, pieces uint64, w2 float64, v2 []float64, pieces2 uint64) {
	for from, to := range channel.Stretches(pieces&pieces2, len(v)) {
		sum3(b.dst[from:to], 1, b.dst[from:to], w, v[from:to], w2, v2[from:to])
	}
	for from, to := range channel.Stretches(pieces&^pieces2, len(v)) {
		floats.AddScaled(b.dst[from:to], w, v[from:to])
	}
	for from, to := range channel.Stretches(pieces2&^pieces, len(v)) {
		floats.AddScaled(b.dst[from:to], w2, v2[from:to])
	}
	b.leftOut(w, pieces)
	b.leftOut(w2, pieces2)
}

// leftOut notes that a term of weight w was added in some pieces only.
func (b *block) leftOut(w float64, pieces uint64) {
	if w >= 0 {
		b.plus |= ^pieces
	}
}

func (b *block) end() {
	for from, to := range channel.Stretches(b.plus&^b.positive, len(b.dst)) {
		floats.AddConst(0, b.dst[from:to])
	}
}
