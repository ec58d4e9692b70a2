package predict

import (
	"math/big"

	"tallynet/algorithms"
	"tallynet/channel"
	"tallynet/metrics"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/build"
)

// setBytes sets the bytes of all messages of a method, in closed form.
func setBytes(in *build.Instance, f *result.Forecast, m algorithms.Method) {
	each := big.NewInt(in.Engine.Codec.Size(1))
	bytes := func(of func(*metrics.Cost) int64) *big.Int { n := f.Terms.Of(of); return n.Mul(n, each) }
	scalars := bytes(func(c *metrics.Cost) int64 { return c.Wire.Scalar })
	f.VectorBytes = bytes(func(c *metrics.Cost) int64 { return c.Wire.Vector })
	f.MatrixBytes = bytes(func(c *metrics.Cost) int64 { return c.Wire.Matrix })
	_, asynchronous := m.(algorithms.Asynchronous) // which make no exchanges
	if z := in.Engine.Compress; z != nil && !asynchronous {
		s := squeeze{z, in.Scenario.Topology.Server() && z.UpOnly, each, func(d algorithms.Dims) metrics.Terms {
			return algorithms.CostTerms(m, d, f.Iterations)
		}, in.Dims()}
		n := s.at(metrics.Scalar, 0, 0)
		s.shrink(scalars, n, n, 1, 1)
		exact := s.vectors(f.VectorBytes) && s.matrices(f.MatrixBytes)
		f.Bound = f.Bound || !exact
	}
	f.PayloadBytes = new(big.Int).Add(scalars, f.VectorBytes)
	f.PayloadBytes.Add(f.PayloadBytes, f.MatrixBytes)
}

// squeeze converts counts of elements into the bytes of compressed arrays. Methods send scalars, vectors of length
// p or q and matrices of p x q, q x q or p x p, so the count of elements is a polynomial in p and q. Its
// coefficients, which are differences of its values, are the numbers of arrays. If it is no such polynomial, the
// bytes without compression are an upper bound.
type squeeze struct {
	z     *channel.Compression
	half  bool     // only the way up to a server is compressed: half of all elements
	each  *big.Int // bytes of an element as it is
	terms func(d algorithms.Dims) metrics.Terms
	dims  algorithms.Dims
}

// at returns the number of compressed elements of a kind if p and q were larger by dp and dq.
func (s *squeeze) at(kind metrics.Kind, dp, dq int) *big.Int {
	d := s.dims
	d.P, d.Q = d.P+dp, d.Q+dq
	return s.terms(d).Of(func(c *metrics.Cost) int64 { return c.Wire.Of(kind) - c.Whole.Of(kind) })
}

// vectors converts the bytes of all vectors without compression into those with it. If not all have length p or q, it
// returns false and leaves them.
func (s *squeeze) vectors(bytes *big.Int) bool {
	all := s.at(metrics.Vector, 0, 0)
	p := new(big.Int).Sub(s.at(metrics.Vector, 1, 0), all)
	q := new(big.Int).Sub(s.at(metrics.Vector, 0, 1), all)
	ofP, ofQ := product(p, s.dims.P), product(q, s.dims.Q)
	if all.Cmp(new(big.Int).Add(ofP, ofQ)) != 0 {
		return false
	}
	s.shrink(bytes, ofP, p, s.dims.P, 1)
	s.shrink(bytes, ofQ, q, s.dims.Q, 1)
	return true
}

// matrices does for matrices what vectors does for vectors.
func (s *squeeze) matrices(bytes *big.Int) bool {
	at := func(dp, dq int) *big.Int { return s.at(metrics.Matrix, dp, dq) }
	all, right, up := at(0, 0), at(1, 0), at(0, 1)
	pq := new(big.Int).Sub(at(1, 1), right)
	pq.Sub(pq, up).Add(pq, all)
	second := func(far, near *big.Int) *big.Int { // half of the second difference
		d := new(big.Int).Sub(far, near)
		d.Sub(d, near).Add(d, all)
		return d.Rsh(d, 1)
	}
	pp, qq := second(at(2, 0), right), second(at(0, 2), up)
	ofPQ := product(product(pq, s.dims.P), s.dims.Q)
	ofPP, ofQQ := product(product(pp, s.dims.P), s.dims.P), product(product(qq, s.dims.Q), s.dims.Q)
	sum := new(big.Int).Add(ofPQ, ofPP)
	if all.Cmp(sum.Add(sum, ofQQ)) != 0 {
		return false
	}
	s.shrink(bytes, ofPQ, pq, s.dims.P, s.dims.Q)
	s.shrink(bytes, ofPP, pp, s.dims.P, s.dims.P)
	s.shrink(bytes, ofQQ, qq, s.dims.Q, s.dims.Q)
	return true
}

// shrink replaces in bytes the size of a number of elements by that of a number of compressed arrays.
func (s *squeeze) shrink(bytes, elements, arrays *big.Int, rows, cols int) {
	change := new(big.Int).Mul(arrays, big.NewInt(s.z.Bytes(rows, cols)))
	change.Sub(change, new(big.Int).Mul(elements, s.each))
	if s.half {
		change.Rsh(change, 1)
	}
	bytes.Add(bytes, change)
}

func product(n *big.Int, by int) *big.Int { return new(big.Int).Mul(n, big.NewInt(int64(by))) }
