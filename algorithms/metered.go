package algorithms

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms/share"
	"tallynet/metrics"
	"tallynet/node"
)

// Local is one node's share of a problem.
type Local = share.Local

// Oracle is what an algorithm may ask of its own node's problem. Every call is
// counted, weighted by the samples that it touches, and takes simulated time.
// Shapes, destinations and aliasing are those of Local.
type Oracle interface {
	Dims() (p, q int)
	// Start sets x (p) and y (q) to the node's initial point.
	Start(x, y []float64)
	F(x, y []float64) float64
	G(x, y []float64) float64
	GradFx(dst, x, y []float64)
	GradFy(dst, x, y []float64)
	GradGx(dst, x, y []float64)
	GradGy(dst, x, y []float64)
	HessGyyMul(dst, x, y, v []float64)
	JacGxyMul(dst, x, y, v []float64)
	HessGyy(dst *mat.SymDense, x, y []float64)
	JacGxy(dst *mat.Dense, x, y []float64)
	// HessGyyMulMat sets dst (q x m) = H v, v (q x m). It counts as m HVPs.
	HessGyyMulMat(dst *mat.Dense, x, y []float64, v *mat.Dense)
	// FactorGyy makes f solve with A = scale ∇²_yy g + shift I at (x, y). It counts one
	// Hessian; the factorization is the method's own work.
	FactorGyy(f *Factor, x, y []float64, scale, shift float64) error
	// Solve sets dst (q) = A⁻¹ b with a factored q x q matrix A, such as a Factor or a
	// mat.Cholesky, and counts one solve.
	Solve(dst []float64, a Factored, b []float64)
	// Draw draws size validation and size training samples, with replacement, from
	// the node's own streams for a purpose, none if the problem has none; size 0
	// draws the full batch.
	Draw(size int, purpose string) Batch
	// Blocks cuts the node's validation and its training samples into blocks of size
	// samples, the last maybe shorter; size 0 is one block of all. A problem without
	// samples has one block.
	Blocks(size int) (val, train []Block)
	// On returns the same oracle on a batch. The same sample at two points is On(b) twice.
	On(b Batch) Oracle
}

// Batch is a choice of a node's samples. The zero value is all of them.
type Batch struct {
	val, train []int
}

// Block is a part of a node's samples, and its share of them.
type Block struct {
	Batch Batch
	Share float64
}

// Metered wraps a node's Local as its Oracle: it charges c for every call.
// x0 (p) and y0 (q) are the node's initial point.
func Metered(c *node.Context, l Local, x0, y0 []float64) Oracle {
	p, q := l.Dims()
	if len(x0) != p || len(y0) != q {
		panic(fmt.Sprintf("algorithms: start of node %d has %d and %d numbers, the problem %d and %d", c.ID(),
			len(x0), len(y0), p, q))
	}
	return &metered{meter: &meter{c: c, l: l, x0: x0, y0: y0, streams: map[string]*rand.Rand{}}}
}

// meter is shared by a node's oracle and its restrictions to batches.
type meter struct {
	c       *node.Context
	l       Local
	x0, y0  []float64
	current Batch
	streams map[string]*rand.Rand
	col     [2][]float64    // scratch of HessGyyMulMat
	vec     [2]mat.VecDense // scratch of Solve: dst and b as gonum wants them
}

type metered struct {
	*meter
	batch Batch
}

// charge selects the batch and charges n calls.
func (m *metered) charge(call metrics.Call, n int, validation bool) {
	if !m.current.same(m.batch) {
		m.l.SetBatch(m.batch.val, m.batch.train)
		m.current = m.batch
	}
	val, train := m.l.Samples()
	samples := train
	if m.batch.train != nil {
		samples = len(m.batch.train)
	}
	if validation {
		samples = val
		if m.batch.val != nil {
			samples = len(m.batch.val)
		}
	}
	m.c.Charge(call, n, int64(n)*int64(samples), m.l.Flops(call, samples))
}

// same reports whether two batches are the same draw.
func (b Batch) same(c Batch) bool { return sameList(b.val, c.val) && sameList(b.train, c.train) }

func sameList(a, b []int) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

func (m *metered) Dims() (p, q int) { return m.l.Dims() }

func (m *metered) Start(x, y []float64) {
	copy(x, m.x0)
	copy(y, m.y0)
}

func (m *metered) F(x, y []float64) float64 {
	m.charge(metrics.CallValue, 1, true)
	return m.l.F(x, y)
}

func (m *metered) G(x, y []float64) float64 {
	m.charge(metrics.CallValue, 1, false)
	return m.l.G(x, y)
}

func (m *metered) GradFx(dst, x, y []float64) {
	m.charge(metrics.CallGradF, 1, true)
	m.l.GradFx(dst, x, y)
}

func (m *metered) GradFy(dst, x, y []float64) {
	m.charge(metrics.CallGradF, 1, true)
	m.l.GradFy(dst, x, y)
}

func (m *metered) GradGx(dst, x, y []float64) {
	m.charge(metrics.CallGradG, 1, false)
	m.l.GradGx(dst, x, y)
}

func (m *metered) GradGy(dst, x, y []float64) {
	m.charge(metrics.CallGradG, 1, false)
	m.l.GradGy(dst, x, y)
}

func (m *metered) HessGyyMul(dst, x, y, v []float64) {
	m.charge(metrics.CallHVP, 1, false)
	m.l.HessGyyMul(dst, x, y, v)
}

func (m *metered) JacGxyMul(dst, x, y, v []float64) {
	m.charge(metrics.CallJVP, 1, false)
	m.l.JacGxyMul(dst, x, y, v)
}

func (m *metered) HessGyy(dst *mat.SymDense, x, y []float64) {
	m.charge(metrics.CallHessian, 1, false)
	m.l.HessGyy(dst, x, y)
}

func (m *metered) JacGxy(dst *mat.Dense, x, y []float64) {
	m.charge(metrics.CallJacobian, 1, false)
	m.l.JacGxy(dst, x, y)
}

func (m *metered) FactorGyy(f *Factor, x, y []float64, scale, shift float64) error {
	m.charge(metrics.CallHessian, 1, false)
	return f.set(m.l, x, y, scale, shift)
}

func (m *metered) HessGyyMulMat(dst *mat.Dense, x, y []float64, v *mat.Dense) {
	q, cols := v.Dims()
	m.charge(metrics.CallHVP, cols, false)
	if b, ok := m.l.(share.BlockHVP); ok {
		b.HessGyyMulMat(dst, x, y, v)
		return
	}
	if m.col[0] == nil {
		m.col = [2][]float64{zeros(q), zeros(q)}
	}
	for j := range cols {
		mat.Col(m.col[0], j, v)
		m.l.HessGyyMul(m.col[1], x, y, m.col[0])
		dst.SetCol(j, m.col[1])
	}
}

func (m *metered) Solve(dst []float64, a Factored, b []float64) {
	m.charge(metrics.CallSolve, 1, false)
	m.vec[0].SetRawVector(vector(dst))
	m.vec[1].SetRawVector(vector(b))
	// An ill-conditioned matrix still has a solution; whether it is of use shows in
	// the iterates, which Report checks.
	_ = a.SolveVecTo(&m.vec[0], &m.vec[1])
}

func (m *metered) Draw(size int, purpose string) Batch {
	val, train := m.l.Samples()
	if size <= 0 {
		return Batch{}
	}
	return Batch{val: m.draw(size, val, "val/"+purpose), train: m.draw(size, train, "train/"+purpose)}
}

// draw returns size sample numbers from 0 to of-1; nil, which means all, where of is 0.
func (m *metered) draw(size, of int, purpose string) []int {
	if of == 0 {
		return nil
	}
	r := m.streams[purpose]
	if r == nil {
		r = m.c.Rand("sample/" + purpose)
		m.streams[purpose] = r
	}
	b := make([]int, size)
	for i := range b {
		b[i] = r.IntN(of)
	}
	return b
}

func (m *metered) Blocks(size int) (val, train []Block) {
	v, t := m.l.Samples()
	return blocks(v, size, func(b []int) Batch { return Batch{val: b} }),
		blocks(t, size, func(b []int) Batch { return Batch{train: b} })
}

// blocks cuts samples 0 ... of-1 into batches of the given size; a single one of all samples, where that is enough.
func blocks(of, size int, batch func(samples []int) Batch) []Block {
	if size <= 0 || size >= of {
		return []Block{{Share: 1}}
	}
	all := make([]int, of)
	for i := range all {
		all[i] = i
	}
	var cut []Block
	for b := range slices.Chunk(all, size) {
		cut = append(cut, Block{batch(b), float64(len(b)) / float64(of)})
	}
	return cut
}

func (m *metered) On(b Batch) Oracle {
	if b.same(m.batch) {
		return m // so that the full batch allocates nothing
	}
	return &metered{meter: m.meter, batch: b}
}
