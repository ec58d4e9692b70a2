package node

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"tallynet/channel"
)

// mixBlock is how many numbers average handles at a time, so that they stay in the cache (32 kB) while the
// values of all neighbours are added.
const mixBlock = channel.Word

// average sets dst to self times src plus the weighted sum of part i of the messages. Terms are added in the
// order of the messages, so that the result does not depend on the block size. If own is not nil, src is part i
// of own.
func average(dst []float64, i int, self float64, src []float64, own *channel.Message, weights []float64,
	got []*channel.Message) {
	if len(dst) < mixBlock { // too small for Message.Nonzero
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

// averageDense is average for the elements from..from+len(dst)-1 of part i. It adds two messages per pass.
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

// dense reports whether none of the elements from..to-1 of part i is known to be zero. They fit one word.
func dense(own *channel.Message, i, from, to int, got []*channel.Message) bool {
	zero := ^nonzero(own, i, from)
	for _, m := range got {
		zero |= ^m.Nonzero(i, from)
	}
	pieces := (to - from + channel.Piece - 1) / channel.Piece
	return zero<<(64-pieces) == 0
}

// nonzero is Message.Nonzero; all bits are set for a nil message.
func nonzero(m *channel.Message, part, from int) uint64 {
	if m == nil {
		return math.MaxUint64
	}
	return m.Nonzero(part, from)
}

// block accumulates a weighted sum. It skips the pieces of a term that are known to be +0. A skipped zero could
// only have turned -0 into +0; end makes up for that.
type block struct {
	dst      []float64
	positive uint64 // pieces without -0
	plus     uint64 // pieces where adding +0 was skipped
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

// addTwo adds two terms. It makes one pass over the pieces where both may be nonzero.
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

// leftOut records that a term of weight w was added to the given pieces only.
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
