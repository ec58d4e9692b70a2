package problems

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"tallynet/metrics"
	"tallynet/scenarios/problems/budget"
	"tallynet/scenarios/problems/gemm"
)

// QuadraticNode is one node's data of
//
//	g_i(x, y) = 1/2 y'H y + x'P y + q'y
//	f_i(x, y) = 1/2 x'A x + x'B y + 1/2 y'C y + a'x + c'y
//
// Matrices are lists of rows. A nil field means zero, except H, which must be given and
// be symmetric and positive definite. A and C must be symmetric. (Symmetric means up to
// 1e-9 of the largest element; the mean of the two triangles is used.)
type QuadraticNode struct {
	H [][]float64 // q x q
	P [][]float64 // p x q
	A [][]float64 // p x p
	B [][]float64 // p x q
	C [][]float64 // q x q

	LinearG  []float64 // q, length q
	LinearFx []float64 // a, length p
	LinearFy []float64 // c, length q
}

// QuadraticSpec is an explicit quadratic problem.
type QuadraticSpec struct {
	Name  string // for About; "" means "explicit"
	Nodes []QuadraticNode
	X0    []float64 // length p, the same for all nodes; nil means zero
	Y0    []float64 // length q; nil means zero
	// Budget limits the needs of the problem; the zero value means the defaults.
	Budget budget.Limit
}

// Size implements Sized. Lists of the wrong length are found when the problem is built.
func (s QuadraticSpec) Size() Size {
	p, q, err := s.dims()
	if err != nil {
		return Size{}
	}
	need := quadraticNeed(float64(len(s.Nodes)), float64(p), float64(q)).Plus(budget.Float64s(2, float64(q), float64(q)))
	need.Flops = float64(len(s.Nodes)) * math.Pow(float64(q), 3) / 3
	return newSize(len(s.Nodes), float64(p), float64(q), need)
}

// quadraticNeed returns the memory of the nodes' matrices and of the oracles' scratch space.
func quadraticNeed(nodes, p, q float64) budget.Need {
	return budget.Float64s(nodes, 2*q*q+2*p*q+p*p+3*(p+q))
}

// Quadratic is a bilevel problem with quadratic f and g. All quantities of interest have
// closed forms; see ClosedForm.
type Quadratic struct {
	frame
	name string
	data []quadraticNode // of each node
}

// quadraticNode is a complete QuadraticNode: dense, row-major, no field nil.
type quadraticNode struct {
	h, pm, am, bm, cm blas64.General // H, P, A, B, C
	qv, av, cv        []float64      // q, a, c
}

// inner returns the elements of g.
func (n *quadraticNode) inner() [][]float64 { return [][]float64{n.h.Data, n.pm.Data, n.qv} }

// outer returns the elements of f.
func (n *quadraticNode) outer() [][]float64 {
	return [][]float64{n.am.Data, n.bm.Data, n.cm.Data, n.av, n.cv}
}

// NewQuadratic checks spec and builds the problem. The error names the node and
// the field, as in "nodes[2].H[1]: 2 numbers, want 3".
func NewQuadratic(spec QuadraticSpec) (*Quadratic, error) {
	if len(spec.Nodes) == 0 {
		return nil, fmt.Errorf("nodes: the list is empty; want at least one node with H")
	}
	p, q, err := spec.dims()
	if err != nil {
		return nil, err
	}
	if err := fits(spec, spec.Budget, "quadratic"); err != nil {
		return nil, err
	}
	qp := &Quadratic{name: spec.Name, frame: frame{p: p, q: q, nodes: len(spec.Nodes)}}
	if qp.name == "" {
		qp.name = "explicit"
	}
	for i := range spec.Nodes {
		n, err := newQuadraticNode(fmt.Sprintf("nodes[%d]", i), &spec.Nodes[i], p, q)
		if err != nil {
			return nil, err
		}
		qp.data = append(qp.data, n)
	}
	if qp.x0, err = quadVector("x0", spec.X0, p); err != nil {
		return nil, err
	}
	if qp.y0, err = quadVector("y0", spec.Y0, q); err != nil {
		return nil, err
	}
	return qp, nil
}

// dims infers q from H and p from the first field that has it as a length.
func (s QuadraticSpec) dims() (p, q int, err error) {
	q = len(s.Nodes[0].H)
	if q == 0 {
		return 0, 0, fmt.Errorf("nodes[0].H: missing; every node needs H (q x q, symmetric positive definite)")
	}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		for _, k := range []int{len(n.P), len(n.A), len(n.B), len(n.LinearFx)} {
			if k > 0 {
				return k, q, nil
			}
		}
	}
	if len(s.X0) > 0 {
		return len(s.X0), q, nil
	}
	return 0, 0, fmt.Errorf("nodes: nothing determines the length p of x; give P, A, B or a of some node, or x0")
}

func newQuadraticNode(path string, n *QuadraticNode, p, q int) (quadraticNode, error) {
	var out quadraticNode
	for _, m := range []struct {
		name      string
		dst       *blas64.General
		rows      [][]float64
		r, c      int
		symmetric bool
	}{
		{"H", &out.h, n.H, q, q, true},
		{"P", &out.pm, n.P, p, q, false},
		{"A", &out.am, n.A, p, p, true},
		{"B", &out.bm, n.B, p, q, false},
		{"C", &out.cm, n.C, q, q, true},
	} {
		var err error
		if *m.dst, err = quadMatrix(path+"."+m.name, m.rows, m.r, m.c); err != nil {
			return out, err
		}
		if m.symmetric {
			if err := symmetrize(path+"."+m.name, *m.dst); err != nil {
				return out, err
			}
		}
	}
	if n.H == nil {
		return out, fmt.Errorf("%s.H: missing; every node needs H (q x q, symmetric positive definite)", path)
	}
	var chol mat.Cholesky
	if h := mat.NewSymDense(q, slices.Clone(out.h.Data)); !chol.Factorize(h) {
		return out, fmt.Errorf("%s.H: not positive definite%s, so this node's inner problem has no unique solution; "+
			"add a multiple of the identity", path, smallestEigenvalue(h))
	}
	for _, v := range []struct {
		name string
		dst  *[]float64
		src  []float64
		n    int
	}{{"q", &out.qv, n.LinearG, q}, {"a", &out.av, n.LinearFx, p}, {"c", &out.cv, n.LinearFy, q}} {
		var err error
		if *v.dst, err = quadVector(path+"."+v.name, v.src, v.n); err != nil {
			return out, err
		}
	}
	return out, nil
}

// smallestEigenvalue describes how far a matrix is from being positive definite.
func smallestEigenvalue(m mat.Symmetric) string {
	var eigen mat.EigenSym
	if !eigen.Factorize(m, false) {
		return ""
	}
	return fmt.Sprintf(" (its smallest eigenvalue is %.3g)", eigen.Values(nil)[0])
}

// quadVector copies v; nil becomes n zeros.
func quadVector(path string, v []float64, n int) ([]float64, error) {
	if v == nil {
		return make([]float64, n), nil
	}
	if len(v) != n {
		return nil, fmt.Errorf("%s: %d numbers, want %d", path, len(v), n)
	}
	return slices.Clone(v), nil
}

// quadMatrix copies rows into a dense matrix; nil becomes zeros.
func quadMatrix(path string, rows [][]float64, r, c int) (blas64.General, error) {
	m := newGeneral(r, c)
	if rows == nil {
		return m, nil
	}
	if len(rows) != r {
		return m, fmt.Errorf("%s: %d rows, want %d", path, len(rows), r)
	}
	for i, row := range rows {
		if row == nil {
			row = []float64{}
		}
		v, err := quadVector(fmt.Sprintf("%s[%d]", path, i), row, c)
		if err != nil {
			return m, err
		}
		copy(m.Data[i*c:], v)
	}
	return m, nil
}

// symmetrize makes m exactly symmetric. It is an error if m deviates from symmetry by more
// than 1e-9 of its largest element.
func symmetrize(path string, m blas64.General) error {
	largest := 0.0
	for _, v := range m.Data {
		largest = max(largest, v, -v)
	}
	for i := range m.Rows {
		for j := range i {
			lo, up := &m.Data[i*m.Stride+j], &m.Data[j*m.Stride+i]
			if d := *lo - *up; max(d, -d) > 1e-9*largest {
				return fmt.Errorf("%s: not symmetric: [%d][%d] is %v, but [%d][%d] is %v", path, i, j, *lo, j, i, *up)
			}
			mean := *lo/2 + *up/2
			if *lo != *up {
				*lo, *up = mean, mean
			}
		}
	}
	return nil
}

// About implements Problem.
func (qp *Quadratic) About() string {
	return fmt.Sprintf("quadratic (%s): %s, p = %d, q = %d", qp.name, nodesText(qp.nodes), qp.p, qp.q)
}

// Local implements Problem.
func (qp *Quadratic) Local(i int) Local {
	mustNode(i, qp.nodes)
	return &oracle{formulas: newQuadraticFormulas(&qp.data[i]), p: qp.p, q: qp.q}
}

type quadraticFormulas struct {
	noSamples
	n      *quadraticNode
	tx, ty []float64 // scratch, lengths p and q
}

func newQuadraticFormulas(n *quadraticNode) *quadraticFormulas {
	return &quadraticFormulas{n: n, tx: make([]float64, len(n.av)), ty: make([]float64, len(n.qv))}
}

func (l *quadraticFormulas) f(x, y []float64) float64 {
	copy(l.tx, l.n.av) // f = x'(1/2 A x + B y + a) + y'(1/2 C y + c)
	gemv(l.tx, 0.5, l.n.am, x, 1)
	gemv(l.tx, 1, l.n.bm, y, 1)
	copy(l.ty, l.n.cv)
	gemv(l.ty, 0.5, l.n.cm, y, 1)
	return dot(x, l.tx) + dot(y, l.ty)
}

func (l *quadraticFormulas) g(x, y []float64) float64 {
	copy(l.ty, l.n.qv) // g = y'(1/2 H y + P'x + q)
	gemv(l.ty, 0.5, l.n.h, y, 1)
	gemvT(l.ty, 1, l.n.pm, x, 1)
	return dot(y, l.ty)
}

func (l *quadraticFormulas) fx(dst, x, y []float64) {
	copy(dst, l.n.av) // A x + B y + a
	gemv(dst, 1, l.n.am, x, 1)
	gemv(dst, 1, l.n.bm, y, 1)
}

func (l *quadraticFormulas) fy(dst, x, y []float64) {
	copy(dst, l.n.cv) // B'x + C y + c
	gemvT(dst, 1, l.n.bm, x, 1)
	gemv(dst, 1, l.n.cm, y, 1)
}

func (l *quadraticFormulas) gx(dst, x, y []float64) {
	l.jacMul(dst, x, y, y) // P y
}

func (l *quadraticFormulas) gy(dst, x, y []float64) {
	copy(dst, l.n.qv) // H y + P'x + q
	gemv(dst, 1, l.n.h, y, 1)
	gemvT(dst, 1, l.n.pm, x, 1)
}

func (l *quadraticFormulas) hessMul(dst, x, y, v []float64) {
	gemv(dst, 1, l.n.h, v, 0)
}

func (l *quadraticFormulas) jacMul(dst, x, y, v []float64) {
	gemv(dst, 1, l.n.pm, v, 0)
}

func (l *quadraticFormulas) hess(dst *mat.SymDense, x, y []float64) {
	raw, q := dst.RawSymmetric(), len(y)
	for i := range q {
		copy(raw.Data[i*raw.Stride+i:i*raw.Stride+q], l.n.h.Data[i*q+i:(i+1)*q])
	}
}

func (l *quadraticFormulas) jac(dst *mat.Dense, x, y []float64) {
	for i := range x {
		copy(dst.RawRowView(i), l.n.pm.Data[i*len(y):(i+1)*len(y)])
	}
}

func (l *quadraticFormulas) hessMulMat(dst *mat.Dense, x, y []float64, v *mat.Dense) {
	gemm.Mul(dst.RawMatrix(), l.n.h, v.RawMatrix(), 0)
}

// flops counts, as if all matrices were dense:
//
//	value      2p² + 2pq + 2q² + 2p + 2q      f, which costs more than g
//	grad_f     2pq + 2 max(p,q)² + 2 max(p,q) the more expensive of ∇_x and ∇_y
//	grad_g     2q² + 2pq + 2q
//	hvp 2q²    jvp 2pq
//	hessian q² jacobian pq                    copies, one per element
func (l *quadraticFormulas) flops(n sizes) costs {
	p, q := n.p, n.q
	longer := max(p, q)
	return costs{
		metrics.CallValue:    2*p*p + 2*p*q + 2*q*q + 2*p + 2*q,
		metrics.CallGradF:    2*p*q + 2*longer*longer + 2*longer,
		metrics.CallGradG:    2*q*q + 2*p*q + 2*q,
		metrics.CallHVP:      2 * q * q,
		metrics.CallJVP:      2 * p * q,
		metrics.CallHessian:  q * q,
		metrics.CallJacobian: p * q,
	}
}
