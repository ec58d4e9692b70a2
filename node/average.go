package node

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/channel"
)

// mixBlock is the number of elements that average handles at a time. They stay in the cache (32 kB) while
// the values of all neighbours are added.
const mixBlock = 4096

// average sets dst to self times src plus the weighted sum of part i of the messages. Terms are added in the
// order of the messages, so that the result does not depend on the block size.
func average(dst []float64, i int, self float64, src, weights []float64, got []*channel.Message) {
	for from := 0; from < len(dst); from += mixBlock {
		to := min(from+mixBlock, len(dst))
		averageBlock(dst[from:to], i, from, self, src[from:to], weights, got)
	}
}

// averageBlock is average for the elements from..from+len(dst)-1 of part i. It adds two messages per pass.
func averageBlock(dst []float64, i, from int, self float64, src, weights []float64, got []*channel.Message) {
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
