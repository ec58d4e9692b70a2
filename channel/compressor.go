package channel

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Compressor encodes an array in fewer bytes than its elements take. A receiver's values are decoded from the
// very bytes that are counted.
type Compressor interface {
	Name() string
	// encode writes src; decode reads as many elements to dst. Both know the coding.
	encode(w *bitWriter, src []float64, s *coding)
	decode(r *bitReader, dst []float64, s *coding)
	// bits returns the number of bits that encode writes for n finite elements, in closed form.
	bits(n int, s *coding) int64
}

// coding holds what encoder and decoder both know, and the encoder's scratch memory.
type coding struct {
	rows, cols int
	width      uint // bits of a float: 32 or 64
	rng        *rand.Rand
	order      []int32
	tall, wide []float64 // factors of LowRank
}

// indexBits returns the number of bits of an index below n.
func indexBits(n int) uint { return uint(bits.Len(uint(n - 1))) }

// keptCount returns how many of n elements a share is, at least one.
func keptCount(share float64, n int) int {
	return min(n, max(1, int(math.Ceil(float64(share*float64(n))))))
}

// TopK keeps a share of the elements, those of largest magnitude and, among equal ones, the first. Each is sent
// as an index of ceil(log2 n) bits and its value. It is biased: the error is at most sqrt(1 - k/n) of the norm.
type TopK struct{ Share float64 }

// Name returns "top-k".
func (TopK) Name() string { return "top-k" }

func (c TopK) encode(w *bitWriter, src []float64, s *coding) {
	s.all(len(src))
	slices.SortFunc(s.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(math.Abs(src[b]), math.Abs(src[a])), cmp.Compare(a, b))
	})
	s.writePairs(w, src, keptCount(c.Share, len(src)))
}

func (c TopK) bits(n int, s *coding) int64 { return pairBits(keptCount(c.Share, n), n, s) }

// pairBits returns the bits of k pairs of an index below n and a float.
func pairBits(k, n int, s *coding) int64 { return int64(k) * int64(indexBits(n)+s.width) }

func (c TopK) decode(r *bitReader, dst []float64, s *coding) {
	sparse(r, dst, s, keptCount(c.Share, len(dst)), 1)
}

// all sets order to 0, 1, ..., n-1.
func (s *coding) all(n int) {
	s.order = s.order[:0]
	for i := range n {
		s.order = append(s.order, int32(i))
	}
}

// writePairs writes the first k elements of order, in ascending order, as pairs of an index and a value.
func (s *coding) writePairs(w *bitWriter, src []float64, k int) {
	slices.Sort(s.order[:k])
	for _, i := range s.order[:k] {
		w.put(uint64(i), indexBits(len(src)))
		w.number(src[i], s.width)
	}
}

// sparse reads k pairs of an index and a value.
func sparse(r *bitReader, dst []float64, s *coding, k int, scale float64) {
	clear(dst)
	for range k {
		i := r.get(indexBits(len(dst)))
		dst[i] = float64(scale * r.number(s.width))
	}
}

// RandomK keeps a share of the elements, drawn anew for each message, and sends them as TopK does. Scaled by
// n/k it is unbiased. Contract leaves the values unscaled, so that the expected squared error is 1 - k/n of the
// squared norm.
type RandomK struct {
	Share    float64
	Contract bool
}

// Name returns "random-k".
func (RandomK) Name() string { return "random-k" }

func (c RandomK) encode(w *bitWriter, src []float64, s *coding) {
	s.all(len(src))
	k := keptCount(c.Share, len(src))
	for i := range k {
		j := i + s.rng.IntN(len(src)-i)
		s.order[i], s.order[j] = s.order[j], s.order[i]
	}
	s.writePairs(w, src, k)
}

func (c RandomK) bits(n int, s *coding) int64 { return pairBits(keptCount(c.Share, n), n, s) }

func (c RandomK) decode(r *bitReader, dst []float64, s *coding) {
	k := keptCount(c.Share, len(dst))
	scale := 1.
	if !c.Contract {
		scale = float64(len(dst)) / float64(k)
	}
	sparse(r, dst, s, k, scale)
}

// QSGD sends the norm and, of each element, its sign and its magnitude as one of Levels + 1 fractions of the
// norm. Magnitudes are rounded at random so that their mean is right. Contract divides by 1 + omega, where
// omega = min(n / Levels², sqrt(n) / Levels) bounds the relative variance.
//
// Source: Alistarh, Grubic, Li, Tomioka, Vojnović, "QSGD: Communication-efficient SGD via gradient quantization
// and encoding", NeurIPS 2017, section 3.1, with words of fixed length.
type QSGD struct {
	Levels   int
	Contract bool
}

// Name returns "qsgd".
func (QSGD) Name() string { return "qsgd" }

func (c QSGD) encode(w *bitWriter, src []float64, s *coding) {
	norm := floats.Norm(src, 2)
	if s.width == 32 {
		norm = float64(math.Nextafter32(float32(norm), math.MaxFloat32)) // no share above 1
	}
	w.number(norm, s.width)
	for _, v := range src {
		share := 0.
		if norm > 0 {
			share = float64(math.Abs(v) / norm * float64(c.Levels))
		}
		level := math.Floor(share)
		if s.rng.Float64() < share-level {
			level++
		}
		sign := uint64(0)
		if math.Signbit(v) {
			sign = 1
		}
		w.put(sign, 1)
		w.put(uint64(level), c.word())
	}
}

func (c QSGD) bits(n int, s *coding) int64 { return int64(s.width) + int64(n)*int64(1+c.word()) }

func (c QSGD) word() uint { return indexBits(c.Levels + 1) }

// omega returns the bound of the relative variance for n elements.
func (c QSGD) omega(n int) float64 {
	l := float64(c.Levels)
	return min(float64(n)/l/l, math.Sqrt(float64(n))/l)
}

func (c QSGD) decode(r *bitReader, dst []float64, s *coding) {
	unit := r.number(s.width) / float64(c.Levels)
	if c.Contract {
		unit /= 1 + c.omega(len(dst))
	}
	for i := range dst {
		sign := r.get(1)
		dst[i] = float64(unit * float64(r.get(c.word())))
		if sign == 1 {
			dst[i] = -dst[i]
		}
	}
}

// Sign sends the mean magnitude and one bit per element for its sign. It is biased.
//
// Source: Karimireddy, Rebjock, Stich, Jaggi, "Error feedback fixes SignSGD and other gradient compression
// schemes", ICML 2019.
type Sign struct{}

// Name returns "sign".
func (Sign) Name() string { return "sign" }

func (Sign) encode(w *bitWriter, src []float64, s *coding) {
	w.number(floats.Norm(src, 1)/float64(len(src)), s.width)
	for _, v := range src {
		if math.Signbit(v) {
			w.put(1, 1)
		} else {
			w.put(0, 1)
		}
	}
}

func (Sign) bits(n int, s *coding) int64 { return int64(s.width) + int64(n) }

func (Sign) decode(r *bitReader, dst []float64, s *coding) {
	scale := r.number(s.width)
	for i := range dst {
		dst[i] = scale
		if r.get(1) == 1 {
			dst[i] = -scale
		}
	}
}

// Int8 sends a scale, the largest magnitude over 127, and each element divided by the scale and rounded to the
// nearest integer from -127 to 127, ties to even. The error of an element is at most half the scale.
type Int8 struct{}

// Name returns "int8".
func (Int8) Name() string { return "int8" }

func (Int8) encode(w *bitWriter, src []float64, s *coding) {
	scale := floats.Norm(src, math.Inf(1)) / 127
	if s.width == 32 {
		scale = float64(float32(scale))
	}
	w.number(scale, s.width)
	for _, v := range src {
		q := 0.
		if scale > 0 {
			q = max(-127, min(127, math.RoundToEven(v/scale)))
		}
		w.put(uint64(uint8(int8(q))), 8)
	}
}

func (Int8) bits(n int, s *coding) int64 { return int64(s.width) + 8*int64(n) }

func (Int8) decode(r *bitReader, dst []float64, s *coding) {
	scale := r.number(s.width)
	for i := range dst {
		dst[i] = float64(scale * float64(int8(r.get(8))))
	}
}

// LowRank sends a matrix of rank Rank near the given one as two factors. They come from one step of the power
// method from a start that is drawn anew. An array that has no more elements than its factors, such as a
// vector, is sent whole.
//
// Source: Vogels, Karimireddy, Jaggi, "PowerSGD: Practical low-rank gradient compression for distributed
// optimization", NeurIPS 2019, without its warm start.
type LowRank struct{ Rank int }

// Name returns "low-rank".
func (LowRank) Name() string { return "low-rank" }

func (c LowRank) whole(s *coding) bool {
	return c.Rank*(s.rows+s.cols) >= s.rows*s.cols
}

func (c LowRank) bits(n int, s *coding) int64 {
	if c.whole(s) {
		return int64(n) * int64(s.width)
	}
	return int64(c.Rank) * int64(s.rows+s.cols) * int64(s.width)
}

func (c LowRank) encode(w *bitWriter, src []float64, s *coding) {
	if c.whole(s) {
		w.numbers(src, s.width)
		return
	}
	tall, wide := s.rows*c.Rank, s.cols*c.Rank
	s.tall, s.wide = slices.Grow(s.tall[:0], tall)[:tall], slices.Grow(s.wide[:0], wide)[:wide]
	for i := range s.wide {
		s.wide[i] = s.rng.NormFloat64()
	}
	for i := range s.rows { // P = M Q
		for k := range c.Rank {
			s.tall[i*c.Rank+k] = dot(s.cols, src[i*s.cols:], 1, s.wide[k:], c.Rank)
		}
	}
	orthonormalize(s.tall, s.rows, c.Rank)
	for j := range s.cols { // Q = M' P
		for k := range c.Rank {
			s.wide[j*c.Rank+k] = dot(s.rows, src[j:], s.cols, s.tall[k:], c.Rank)
		}
	}
	w.numbers(s.tall, s.width)
	w.numbers(s.wide, s.width)
}

func (c LowRank) decode(r *bitReader, dst []float64, s *coding) {
	if c.whole(s) {
		r.numbers(dst, s.width)
		return
	}
	r.numbers(s.tall, s.width)
	r.numbers(s.wide, s.width)
	for i := range s.rows {
		for j := range s.cols {
			dst[i*s.cols+j] = dot(c.Rank, s.tall[i*c.Rank:], 1, s.wide[j*c.Rank:], 1)
		}
	}
}

// dot is the inner product of n elements, stepA and stepB apart. The conversion keeps products from being fused with
// sums.
func dot(n int, a []float64, stepA int, b []float64, stepB int) (sum float64) {
	for i := range n {
		sum += float64(a[i*stepA] * b[i*stepB])
	}
	return sum
}

// orthonormalize makes the columns of v (rows x rank) orthonormal, by the Gram-Schmidt process, applied twice.
func orthonormalize(v []float64, rows, rank int) {
	for k := range rank {
		for range 2 {
			for j := range k {
				d := dot(rows, v[j:], rank, v[k:], rank)
				for i := range rows {
					v[i*rank+k] -= float64(d * v[i*rank+j])
				}
			}
		}
		norm := math.Sqrt(dot(rows, v[k:], rank, v[k:], rank))
		for i := range rows {
			if norm > 1e-300 {
				v[i*rank+k] /= norm
			} else {
				v[i*rank+k] = 0
			}
		}
	}
}

// Memory is what a compressor keeps of an array from one message to the next.
type Memory uint8

// The kinds of memory.
const (
	// NoMemory encodes each message by itself.
	NoMemory Memory = iota
	// Feedback adds the error of a message to the next one.
	Feedback
	// Difference encodes the difference from the receivers' values, which add it to these.
	Difference
)

// Compression says how messages are compressed.
type Compression struct {
	Compressor Compressor
	Width      uint // bits of a float: 32 or 64
	Memory     Memory
	// Step is the step size of mixing with Difference; see node.Proc.MixAll.
	Step float64
	// UpOnly leaves messages from a server uncompressed.
	UpOnly bool
}

// Check returns an error if a field of c is out of range.
func (c *Compression) Check() error {
	if c.Compressor == nil || c.Width != 32 && c.Width != 64 || !(c.Step > 0 && c.Step <= 1) {
		return fmt.Errorf(
			"compression: want a compressor, 32 or 64 bits for a number, and a step above 0 and at most 1, got "+
				"%v, %d and %g",
			c.Compressor,
			c.Width,
			c.Step,
		)
	}
	return nil
}

// Bytes returns the bytes of a compressed array (rows x cols) in closed form.
func (c *Compression) Bytes(rows, cols int) int64 {
	if rows*cols == 0 {
		return 0
	}
	return (c.Compressor.bits(rows*cols, &coding{rows: rows, cols: cols, width: c.Width}) + 7) / 8
}

// State is a sender's state of one array. The zero value is the initial state.
type State struct {
	w    bitWriter
	s    coding
	kept []float64 // Feedback: the error so far; Difference: the receivers' values
	sum  []float64
}

// Encode sets dst (rows x cols) to the receivers' values of src after they have decoded a message, and returns
// the bytes of that message. It encodes and decodes the message for that. An array with an element that is not
// finite is sent uncompressed.
func (c *Compression) Encode(
	dst, src []float64,
	rows, cols int,
	memory Memory,
	s *State,
	rng *rand.Rand,
) (bytes int64) {
	n := len(src)
	if n == 0 {
		return 0
	}
	for _, v := range src {
		if math.IsInf(v, 0) || math.IsNaN(v) {
			copy(dst, src)
			return int64(n) * int64(c.Width) / 8
		}
	}
	s.s.rows, s.s.cols, s.s.width, s.s.rng = rows, cols, c.Width, rng
	send := src
	if memory != NoMemory {
		if len(s.kept) != n {
			s.kept, s.sum = make([]float64, n), make([]float64, n)
		}
		send = s.sum
		for i, v := range src {
			if memory == Feedback {
				send[i] = v + s.kept[i]
			} else {
				send[i] = v - s.kept[i]
			}
		}
	}
	s.w.reset()
	c.Compressor.encode(&s.w, send, &s.s)
	c.Compressor.decode(&bitReader{buf: s.w.buf}, dst, &s.s)
	switch memory {
	case Feedback:
		for i := range dst {
			s.kept[i] = send[i] - dst[i]
		}
	case Difference:
		floats.Add(s.kept, dst)
		copy(dst, s.kept)
	}
	return int64(len(s.w.buf))
}
