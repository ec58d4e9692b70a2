package node

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"tallynet/channel"
	"tallynet/metrics"
)

// Mixed is an object of MixAll. Dst becomes the weighted average of Src over the node and its neighbours. Dst
// may be Src, but must not overlap it otherwise.
type Mixed struct {
	Name       string
	Kind       metrics.Kind
	Rows, Cols int
	Dst, Src   []float64
	unread     bool
	symmetric  bool // elements below the diagonal are not read
}

// MixVec returns a vector to be mixed: dst (d) from src (d).
func MixVec(name string, dst, src []float64) Mixed {
	return Mixed{Name: name, Kind: metrics.Vector, Rows: len(src), Cols: 1, Dst: dst, Src: src}
}

// MixMat returns a matrix to be mixed: dst (r x c) from src (r x c).
func MixMat(name string, dst, src *mat.Dense) Mixed {
	s := channel.Mat(name, src)
	return Mixed{Name: name, Kind: metrics.Matrix, Rows: s.Rows, Cols: s.Cols, Dst: channel.Mat(name, dst).Data,
		Src: s.Data}
}

// MixSym returns a symmetric matrix to be mixed: dst (r x r) from src (r x r). Neither may be a view into a
// larger matrix. All r² elements are sent and counted. The average is that of the diagonal and above.
func MixSym(name string, dst, src *mat.SymDense) Mixed {
	all := func(m *mat.SymDense) []float64 {
		s := m.RawSymmetric()
		return channel.Mat(name, mat.NewDense(s.N, s.N, s.Data[:s.N*s.N])).Data
	}
	r := src.SymmetricDim()
	return Mixed{Name: name, Kind: metrics.Matrix, Rows: r, Cols: r, Dst: all(dst), Src: all(src), symmetric: true}
}

// mirror copies the elements of Src above the diagonal to below it.
func (o *Mixed) mirror() {
	for i := range o.Rows {
		for j := range i {
			o.Src[i*o.Cols+j] = o.Src[j*o.Cols+i]
		}
	}
}

// Unread returns the object for an exchange whose average the node does not use. It is sent, counted and
// charged as usual, and Dst stays unchanged.
func (o Mixed) Unread() Mixed {
	o.unread = true
	return o
}

// part returns the object as a message part with the given data, its Src or Dst.
func (o *Mixed) part(data []float64) channel.Part {
	return channel.Part{Name: o.Name, Kind: o.Kind, Rows: o.Rows, Cols: o.Cols, Data: data}
}

// Mix exchanges v (d) with all neighbours and sets dst (d) = w_ii v + sum of w_ij v_j over the
// neighbours j, in ascending order. It charges 2 d FLOPs per term.
func (p *Proc) Mix(dst []float64, phase string, v []float64) {
	p.mixAll(phase, []Mixed{MixVec(phase, dst, v)}, nil)
}

// MixAll is Mix for several objects that travel in one message.
func (p *Proc) MixAll(phase string, m ...Mixed) { p.mixAll(phase, m, nil) }

// mixAll is MixAll and, unless sent is nil, MixAllSent.
func (p *Proc) mixAll(phase string, m []Mixed, sent []Sent) {
	if len(p.weights) != len(p.neighbors) {
		panic(fmt.Sprintf("node: node %d mixes, but has no weights", p.id))
	}
	for i := range m {
		o := &m[i]
		if len(o.Dst) != len(o.Src) && !o.unread {
			panic(fmt.Sprintf("node: mixing %q: want a dst of %d numbers, as src, got %d",
				o.Name, len(o.Src), len(o.Dst)))
		}
		if o.symmetric && p.net.cfg.Compress != nil { // a compressor reads all elements
			o.mirror()
		}
	}
	size := p.pack(m)
	// If the wire format is exact, the copy that was sent equals Src. A neighbour has just read
	// it, so that it is in the cache, and Src is not.
	_, exact := p.net.cfg.Codec.(channel.Float64)
	step := 0. // of compressed differences
	if z := p.net.cfg.Compress; z != nil && !p.sendMode.whole && sent == nil {
		exact = z.Memory == channel.Difference
		if exact && len(p.neighbors) > 0 {
			step = z.Step
		}
	}
	got := p.exchange(phase, p.parts, p.net.cfg.Silence.After, exact || sent != nil)
	p.checkParts(got)
	if _, w := p.roundWeights(); len(w) != len(p.hearsFrom()) {
		panic(fmt.Sprintf("node: node %d mixes in a round that has no doubly stochastic matrix", p.id))
	}
	self, weights := p.heardWeights(got)
	for i := range m {
		switch o := &m[i]; {
		case o.unread:
		case step > 0:
			p.mixDifferences(o, i, step, got)
		case p.own != nil:
			average(o.Dst, i, self, p.own.Parts[i].Data, weights, got)
		default:
			average(o.Dst, i, self, o.Src, weights, got)
		}
	}
	for i, o := range sent {
		copy(o.Own, p.own.Parts[i].Data)
	}
	p.Work(float64(2 * int64(size) * int64(len(got)+1)))
	p.releaseHeld()
}

// mixDifferences moves Src towards the weighted average of the copies h that nodes have of each other, which
// converge to the values: dst = src + step (sum of w_ij h_j - h_i).
//
// Source: Koloskova, Stich, Jaggi, "Decentralized stochastic optimization and gossip algorithms with compressed
// communication", ICML 2019.
func (p *Proc) mixDifferences(o *Mixed, part int, step float64, got []*channel.Message) {
	if p.own == nil { // no neighbours in this round
		copy(o.Dst, o.Src)
		return
	}
	own := p.own.Parts[part].Data
	self, weights := p.roundWeights()
	for e, v := range o.Src {
		sum := float64((self - 1) * own[e])
		for k, m := range got {
			sum += float64(weights[k] * m.Parts[part].Data[e])
		}
		o.Dst[e] = v + float64(step*sum)
	}
}

// heardWeights returns the node's weight on itself, with those on the neighbours without a message, and its weights on
// the senders of the messages.
func (p *Proc) heardWeights(got []*channel.Message) (self float64, weights []float64) {
	self, all := p.roundWeights()
	if len(got) == len(p.hearsFrom()) {
		return self, all
	}
	weights = p.heardFrom[:0]
	for k, j := range p.hearsFrom() {
		if slices.ContainsFunc(got, func(m *channel.Message) bool { return m.From == j }) {
			weights = append(weights, all[k])
		} else {
			self += all[k]
		}
	}
	p.heardFrom = weights
	return self, weights
}

// pack sets p.parts to the parts of objects, and returns the number of their elements.
func (p *Proc) pack(m []Mixed) (size int) {
	p.parts = p.parts[:0]
	for _, o := range m {
		p.parts = append(p.parts, o.part(o.Src))
		size += len(o.Src)
	}
	return size
}

// checkParts panics unless messages have the parts p.parts, with which they are mixed.
func (p *Proc) checkParts(got []*channel.Message) {
	for _, m := range got {
		if len(m.Parts) != len(p.parts) {
			panic(misuse(fmt.Sprintf("node: node %d mixes %d objects in phase %q, and node %d sent %d",
				p.id, len(p.parts), m.Phase, m.From, len(m.Parts))))
		}
		for i := range p.parts {
			if s, w := &m.Parts[i], &p.parts[i]; s.Rows != w.Rows || s.Cols != w.Cols {
				panic(misuse(fmt.Sprintf("node: node %d mixes %q, %d x %d, in phase %q, and node %d sent %q, %d x %d",
					p.id, w.Name, w.Rows, w.Cols, m.Phase, m.From, s.Name, s.Rows, s.Cols)))
			}
		}
	}
}
