package problems

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"tallynet/scenarios/problems/budget"
	"tallynet/sim"
)

// QuadraticConfig describes a random quadratic problem.
//
// Inner problem. Let D be diagonal with D_jj = κ^(j/(q-1)), j = 0 ... q-1 (1 if
// q = 1), so that its eigenvalues run from 1 to κ, evenly in the logarithm. With
// orthogonal matrices U drawn uniformly, Gaussian matrices M (p x q) and vectors u
// (q), once for all nodes (index 0) and once for each (index i), and h the
// heterogeneity,
//
//	H_i = (1-h) U_0 D U_0' + h U_i D U_i'
//	P_i = ((1-h) M_0 + h M_i) / sqrt(max(p, q))
//	q_i = (1-h) u_0 + h u_i
//
// All eigenvalues of H_i lie in [1, κ]; at h = 0 all nodes have one inner problem.
//
// Outer objective, which differs between nodes for any h: with a Gaussian matrix R_i of
// size p+q,
//
//	[A_i B_i; B_i' C_i] = I + R_i R_i' / (p+q),   a_i, c_i Gaussian.
//
// So f_i is jointly strongly convex with modulus 1, y*(x) is affine, and Φ is strongly
// convex with modulus 1, both shared and personal. With SharedOuter s > 0, every A, B,
// C, a and c is (1-s) times the node's own plus s times one that all nodes share, which
// keeps the moduli.
type QuadraticConfig struct {
	Nodes         int
	P, Q          int
	Condition     float64 // κ >= 1; 0 means 10
	Heterogeneity float64 // h in [0, 1]
	SharedOuter   float64 // s in [0, 1]; 0 means independent f_i, 1 the same f on all nodes
	X0, Y0        float64 // value of every coordinate of the starting point
	Seed          uint64
	// Budget limits the needs of the problem; the zero value means the defaults.
	Budget budget.Limit
}

// Size implements Sized. Drawing a node takes some more matrices: those of an orthogonal
// one, or of the outer objective.
func (c QuadraticConfig) Size() Size {
	n, p, q := float64(c.Nodes)+1, float64(c.P), float64(c.Q)
	need := quadraticNeed(n, p, q).Plus(budget.Float64s(max(7*q*q, 2*(p+q)*(p+q))))
	need.Flops = n * (8*q*q*q + 2*math.Pow(p+q, 3) + drawing*(p+q)*(p+q))
	return newSize(c.Nodes, p, q, need)
}

// GenerateQuadratic draws the problem that c describes. Node i's data depend on
// the seed and i, not on the number of nodes.
func GenerateQuadratic(c QuadraticConfig) (*Quadratic, error) {
	if c.Condition == 0 {
		c.Condition = 10
	}
	if err := fits(c, c.Budget, "quadratic"); err != nil {
		return nil, err
	}
	qp := &Quadratic{
		name:  c.name(),
		frame: frame{c.P, c.Q, c.Nodes, fill(c.P, c.X0), fill(c.Q, c.Y0)},
	}
	rng := sim.Stream(c.Seed, "data")
	shared := drawInner(c, rng)
	shared.drawOuter(c.P, c.Q, rng)
	for i := range c.Nodes {
		rng := sim.Stream(c.Seed, "data", i)
		own := drawInner(c, rng)
		blend(c.Heterogeneity, own.inner(), shared.inner())
		own.drawOuter(c.P, c.Q, rng)
		if c.SharedOuter > 0 {
			blend(1-c.SharedOuter, own.outer(), shared.outer())
		}
		qp.data = append(qp.data, own)
	}
	return qp, nil
}

func (c QuadraticConfig) name() string {
	name := fmt.Sprintf("generated, condition %g, heterogeneity %g", c.Condition, c.Heterogeneity)
	if c.SharedOuter > 0 {
		name += fmt.Sprintf(", outer %g", 1-c.SharedOuter)
	}
	return name
}

// drawInner draws H, P and q of one inner problem.
func drawInner(c QuadraticConfig, rng *rand.Rand) quadraticNode {
	n := quadraticNode{pm: gaussian(c.P, c.Q, rng), qv: gaussian(1, c.Q, rng).Data}
	blas64.Scal(1/math.Sqrt(float64(max(c.P, c.Q))), vec(n.pm.Data))
	u, d := orthogonal(c.Q, rng), fill(c.Q, 1)
	for j := range d {
		if c.Q > 1 {
			d[j] = math.Pow(c.Condition, float64(j)/float64(c.Q-1))
		}
	}
	n.h = sandwich(u, d, u)
	mirror(n.h) // the product is symmetric up to rounding only
	return n
}

// blend sets each of own to (1-h) shared + h own. At h = 0 it is exactly shared.
func blend(h float64, own, shared [][]float64) {
	for k, v := range own {
		for e, s := range shared[k] {
			v[e] = (1-h)*s + h*v[e]
		}
	}
}

// drawOuter draws A, B, C, a and c.
func (n *quadraticNode) drawOuter(p, q int, rng *rand.Rand) {
	s := p + q
	r := gaussian(s, s, rng)
	m := newGeneral(s, s)
	blas64.Gemm(blas.NoTrans, blas.Trans, 1/float64(s), r, r, 0, m)
	for i := range s {
		m.Data[i*s+i]++
	}
	mirror(m)
	block := func(row, col, rows, cols int) blas64.General {
		out := newGeneral(rows, cols)
		for i := range rows {
			copy(out.Data[i*cols:(i+1)*cols], m.Data[(row+i)*s+col:])
		}
		return out
	}
	n.am, n.bm, n.cm = block(0, 0, p, p), block(0, p, p, q), block(p, p, q, q)
	n.av, n.cv = gaussian(1, p, rng).Data, gaussian(1, q, rng).Data
}
