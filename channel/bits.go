package channel

import (
	"fmt"
	"math"
)

// bitWriter packs bits. The first goes to the highest bit of the first byte.
type bitWriter struct {
	buf  []byte
	left uint // bits free in the last byte
}

func (w *bitWriter) reset() { w.buf, w.left = w.buf[:0], 0 }

// put appends the lowest n bits of v, the highest first.
func (w *bitWriter) put(v uint64, n uint) {
	for n > 0 {
		if w.left == 0 {
			w.buf, w.left = append(w.buf, 0), 8
		}
		k := min(n, w.left)
		part := v >> (n - k) & (1<<k - 1)
		w.buf[len(w.buf)-1] |= byte(part << (w.left - k))
		w.left -= k
		n -= k
	}
}

// number appends v as a float of 32 or 64 bits.
func (w *bitWriter) number(v float64, width uint) {
	if width == 32 {
		w.put(uint64(math.Float32bits(float32(v))), 32)
		return
	}
	w.put(math.Float64bits(v), 64)
}

func (w *bitWriter) numbers(all []float64, width uint) {
	for _, v := range all {
		w.number(v, width)
	}
}

// bitReader reads the bits of a bitWriter.
type bitReader struct {
	buf []byte
	at  uint // bits read
}

func (r *bitReader) get(n uint) uint64 {
	var v uint64
	for n > 0 {
		if r.at/8 >= uint(len(r.buf)) {
			panic(fmt.Sprintf("channel: a buffer of %d bytes is read past its end", len(r.buf)))
		}
		k := min(n, 8-r.at%8)
		part := uint64(r.buf[r.at/8]) >> (8 - r.at%8 - k) & (1<<k - 1)
		v = v<<k | part
		r.at += k
		n -= k
	}
	return v
}

func (r *bitReader) number(width uint) float64 {
	if width == 32 {
		return float64(math.Float32frombits(uint32(r.get(32))))
	}
	return math.Float64frombits(r.get(64))
}

func (r *bitReader) numbers(dst []float64, width uint) {
	for i := range dst {
		dst[i] = r.number(width)
	}
}
