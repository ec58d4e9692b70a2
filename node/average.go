package node

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/channel"
)

// mixBlock is how many elements average handles at a time, so that they stay in the cache (32 kB) while the
// values of all neighbours are added.
const mixBlock = 4096

// average sets dst to self times src plus the weighted sum of part i of the messages. Terms are added in the
// order of the messages, so that the result does not depend on the block size.
func average(dst []float64, i int, self float64, src, weights []float64, got []*channel.Message) {
	for from := 0; from < len(dst); from += mixBlock {
		to := min(from+mixBlock, len(dst))
		floats.ScaleTo(dst[from:to], self, src[from:to])
		for k, m := range got {
			floats.AddScaled(dst[from:to], weights[k], m.Parts[i].Data[from:to])
		}
	}
}
