package algorithms_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms"
	"tallynet/metrics"
	"tallynet/scenarios/problems"
	"tallynet/topologies"
)

// The twins of the methods run on whole networks: the x_i and y_i of all nodes
// are one column each, the data of all nodes one block-diagonal matrix, and
// mixing is multiplication with W kron I. They share no code with the methods.

// stacked is a quadratic problem on a network,
//
//	sum g_i = 1/2 y'H y + x'P y + q'y,  sum f_i = 1/2 x'A x + x'B y + 1/2 y'C y + a'x + c'y.
type stacked struct {
	n, p, q          int
	wx, wy           *mat.Dense // W kron I_p, W kron I_q
	selfY            *mat.Dense // diag(W) kron I_q
	h, pm, a, b, c   *mat.Dense // block-diagonal
	qv, av, cv       *mat.Dense // columns
	hRows, pRows     *mat.Dense // the blocks of h and pm, one above the other
	x0, y0           *mat.Dense // columns
	nodes            []problems.QuadraticNode
	startX, startY   [][]float64
	problemOfMethods *problems.Quadratic
}

// stack puts the problem on the network; node i starts at starts(i).
func stack(w *topologies.Mixing, spec problems.QuadraticSpec, starts func(i int) (x, y []float64)) stacked {
	n, p, q := len(spec.Nodes), len(spec.Nodes[0].P), len(spec.Nodes[0].H)
	s := stacked{
		n: n, p: p, q: q, nodes: spec.Nodes, problemOfMethods: must(problems.NewQuadratic(spec)),
		wx: new(mat.Dense), wy: new(mat.Dense), selfY: new(mat.Dense),
		h: mat.NewDense(n*q, n*q, nil), pm: mat.NewDense(n*p, n*q, nil), a: mat.NewDense(n*p, n*p, nil),
		b: mat.NewDense(n*p, n*q, nil), c: mat.NewDense(n*q, n*q, nil),
		qv: mat.NewDense(n*q, 1, nil), av: mat.NewDense(n*p, 1, nil), cv: mat.NewDense(n*q, 1, nil),
		hRows: mat.NewDense(n*q, q, nil), pRows: mat.NewDense(n*p, q, nil),
		x0: mat.NewDense(n*p, 1, nil), y0: mat.NewDense(n*q, 1, nil),
	}
	diag := mat.NewDense(n, n, nil)
	for i, node := range spec.Nodes {
		diag.Set(i, i, w.At(i, i))
		block(s.h, i*q, i*q, node.H)
		block(s.pm, i*p, i*q, node.P)
		block(s.a, i*p, i*p, node.A)
		block(s.b, i*p, i*q, node.B)
		block(s.c, i*q, i*q, node.C)
		block(s.hRows, i*q, 0, node.H)
		block(s.pRows, i*p, 0, node.P)
		x, y := starts(i)
		s.startX, s.startY = append(s.startX, x), append(s.startY, y)
		column(s.qv, i*q, node.LinearG)
		column(s.av, i*p, node.LinearFx)
		column(s.cv, i*q, node.LinearFy)
		column(s.x0, i*p, x)
		column(s.y0, i*q, y)
	}
	s.wx.Kronecker(w.Dense(), eye(p))
	s.wy.Kronecker(w.Dense(), eye(q))
	s.selfY.Kronecker(diag, eye(q))
	return s
}

func block(dst *mat.Dense, r, c int, rows [][]float64) {
	for i, row := range rows {
		for j, v := range row {
			dst.Set(r+i, c+j, v)
		}
	}
}

func column(dst *mat.Dense, r int, v []float64) {
	for i, e := range v {
		dst.Set(r+i, 0, e)
	}
}

// split returns the same problem as the methods see it.
func (s stacked) split() split {
	sp := splitOf(s.problemOfMethods)
	sp.start = func(i int) (x, y []float64) { return s.startX[i], s.startY[i] }
	return sp
}

func (s stacked) gradGy(x, y mat.Matrix) *mat.Dense { return sum(mul(s.h, y), mul(s.pm.T(), x), s.qv) }
func (s stacked) gradFx(x, y mat.Matrix) *mat.Dense { return sum(mul(s.a, x), mul(s.b, y), s.av) }
func (s stacked) gradFy(x, y mat.Matrix) *mat.Dense {
	return sum(mul(s.b.T(), x), mul(s.c, y), s.cv)
}

// A trajectory holds a twin's x and y after 0, 1, ... iterations; y may be missing.
type trajectory struct{ x, y []*mat.Dense }

func (t *trajectory) add(x, y *mat.Dense) {
	t.x = append(t.x, mat.DenseCopyOf(x))
	if y != nil {
		t.y = append(t.y, mat.DenseCopyOf(y))
	}
}

// compare compares every recorded iterate of every node with the twin's.
func compare(t *testing.T, out outcome, want trajectory, tolerance float64) {
	t.Helper()
	if len(out.at) != len(want.x) {
		t.Fatalf("%d iterations reported, the twin made %d", len(out.at), len(want.x))
	}
	for k, s := range out.at {
		for i := range s.X {
			near(t, "x", k, i, s.X[i], want.x[k], tolerance)
			if want.y != nil {
				near(t, "y", k, i, s.Y[i], want.y[k], tolerance)
			}
		}
	}
}

func near(t *testing.T, name string, k, i int, got []float64, all *mat.Dense, tolerance float64) {
	t.Helper()
	for c, v := range got {
		if want := all.At(i*len(got)+c, 0); !(math.Abs(v-want) <= tolerance) {
			t.Fatalf("iteration %d, node %d: %s[%d] = %.15g, the stacked twin has %.15g", k, i, name, c, v, want)
		}
	}
}

// mul, sum, times and inverse make formulas readable, not fast.
func mul(a, b mat.Matrix) *mat.Dense {
	var m mat.Dense
	m.Mul(a, b)
	return &m
}

func sum(terms ...mat.Matrix) *mat.Dense {
	m := mat.DenseCopyOf(terms[0])
	for _, t := range terms[1:] {
		m.Add(m, t)
	}
	return m
}

func times(c float64, a mat.Matrix) *mat.Dense {
	var m mat.Dense
	m.Scale(c, a)
	return &m
}

func inverse(a mat.Matrix) *mat.Dense {
	var m mat.Dense
	if err := m.Inverse(a); err != nil {
		panic(err)
	}
	return &m
}

func eye(n int) *mat.Dense {
	m := mat.NewDense(n, n, nil)
	for i := range n {
		m.Set(i, i, 1)
	}
	return m
}

// part returns rows i*rows ... of a stacked matrix.
func part(m *mat.Dense, i, rows int) *mat.Dense {
	_, c := m.Dims()
	return mat.DenseCopyOf(m.Slice(i*rows, (i+1)*rows, 0, c))
}

// wave returns a number in [-1, 1] without a pattern.
func wave(i, a, b int) float64 { return math.Sin(1 + 3.1*float64(i) + 1.7*float64(a) + 2.3*float64(b)) }

func waves(i, rows, cols int, scale float64) [][]float64 {
	m := make([][]float64, rows)
	for a := range m {
		m[a] = make([]float64, cols)
		for b := range m[a] {
			m[a][b] = scale * wave(i, a, b)
		}
	}
	return m
}

// symmetric returns a matrix whose diagonal grows by 1/4, plus waves.
func symmetric(i, n int, diagonal, scale float64) [][]float64 {
	m := waves(i, n, n, scale)
	for a := range m {
		m[a][a] = diagonal + float64(a)/4
		for b := range a {
			m[a][b] = m[b][a]
		}
	}
	return m
}

func waveVector(i, n int) []float64 { return waves(i, 1, n, 1)[0] }

// fourNodes is an explicit quadratic with p = 3 and q = 5, different on each node.
// The eigenvalues of the H lie between 1 and 5.5.
func fourNodes() problems.QuadraticSpec {
	var spec problems.QuadraticSpec
	for i := range 4 {
		k := float64(i)
		spec.Nodes = append(spec.Nodes, problems.QuadraticNode{
			H: symmetric(i, 5, 2.5+k/3, 0.3), P: waves(i+4, 3, 5, 0.6),
			A: symmetric(i+8, 3, 3+k/5, 0.4), B: waves(i+12, 3, 5, 0.4), C: symmetric(i+16, 5, 0.5, 0.2),
			LinearG: waveVector(i+20, 5), LinearFx: waveVector(i+24, 3), LinearFy: waveVector(i+28, 5),
		})
	}
	return spec
}

func waveStart(p, q int) func(i int) (x, y []float64) {
	return func(i int) (x, y []float64) { return waveVector(i+32, p), waveVector(i+36, q) }
}

func zeroStart(p, q int) func(i int) (x, y []float64) {
	return func(int) (x, y []float64) { return make([]float64, p), make([]float64, q) }
}

// instanceV is a quadratic with p = 2, q = 3 on 4 nodes and known solution. Its
// numbers are entered independently of problems.InstanceV.
func instanceV() problems.QuadraticSpec {
	var spec problems.QuadraticSpec
	for k := 1.0; k <= 4; k++ {
		s := 1 - 2*math.Mod(k, 2)
		spec.Nodes = append(spec.Nodes, problems.QuadraticNode{
			H: [][]float64{{2 + k, 1, 0}, {1, 3, .5}, {0, .5, 1 + k}},
			P: [][]float64{{1, 0, k / 2}, {.5 * s, 1, 0}},
			A: [][]float64{{4 + k, 1}, {1, 5}},
			B: [][]float64{{0, .5, 0}, {.5, 0, .5 * s}},
			C: [][]float64{{k / 2, 0, 0}, {0, k / 2, 0}, {0, 0, k / 2}},

			LinearG: []float64{k, -1, .5}, LinearFx: []float64{-k, 1}, LinearFy: []float64{1, -k, 2},
		})
	}
	return spec
}

// twinCases are the problems and networks on which the twins are compared.
func twinCases() map[string]stacked {
	return map[string]stacked{
		"four nodes, ring": stack(ring(4), fourNodes(), waveStart(3, 5)),
		"four nodes, star": stack(star(4), fourNodes(), waveStart(3, 5)),
		"four nodes, path": stack(path(4), fourNodes(), waveStart(3, 5)),
		"instance V":       stack(ringA(4, .5), instanceV(), zeroStart(2, 3)),
	}
}

// networks are those of twinCases, by the same names.
func networks() map[string]*topologies.Mixing {
	return map[string]*topologies.Mixing{
		"four nodes, ring": ring(4), "four nodes, star": star(4), "four nodes, path": path(4),
		"instance V": ringA(4, .5),
	}
}

// alone is f(x) = 1/2 x'A x + a'x without an inner problem: a Local with q = 0.
type alone struct {
	algorithms.Local // nil: a single-level method must not call the others
	a                [][]float64
	lin              []float64
}

func (l alone) Dims() (p, q int)                { return len(l.lin), 0 }
func (l alone) Samples() (val, train int)       { return 0, 0 }
func (l alone) Flops(metrics.Call, int) float64 { return 1 }
func (l alone) GradFx(dst, x, _ []float64) {
	for i, row := range l.a {
		dst[i] = l.lin[i]
		for j, v := range row {
			dst[i] += v * x[j]
		}
	}
}

// single returns the problem min sum f_i with f_i = 1/2 x'A_i x + a_i'x of s.
func (s stacked) single() split {
	return split{
		p: s.p, local: func(i int) algorithms.Local { return alone{a: s.nodes[i].A, lin: s.nodes[i].LinearFx} },
		start: func(i int) (x, y []float64) { return s.startX[i], nil },
	}
}

// grad returns the gradient of the single-level problem.
func (s stacked) grad(x mat.Matrix) *mat.Dense { return sum(mul(s.a, x), s.av) }

// problemsOfOne returns the first node of fourNodes alone.
func problemsOfOne() problems.QuadraticSpec {
	spec := fourNodes()
	spec.Nodes = spec.Nodes[:1]
	return spec
}
