package problems

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"tallynet/metrics"
)

// CleaningConfig describes data hyper-cleaning: some training labels are wrong, and x
// says how much each training sample counts,
//
//	g_i(x, y) = (1/m) Σ_e σ(x_{im+e}) L_e(y) + C_r ‖y‖²   over node i's m training samples
//	f_i(x, y) = mean of L_e(y) over node i's validation samples, whose labels are right
//
// with L the cross entropy of softmax(Y s), y = Y (C x d) flattened by rows, and
// σ(a) = 1/(1 + e^-a). x has one element for each training sample of the network,
// p = nodes · m, of which node i's g knows block i only: the other rows of its
// cross derivative are 0.
//
// Source: Chen, Huang, Ma, arXiv 2206.05670, experiment on hyper-cleaning.
//
// Departure: they do not say whether x is one vector of all weights, as here, or how
// labels are made wrong; here each training sample has, with probability
// Corruption, the label of another class.
type CleaningConfig struct {
	Nodes   int
	Samples Samples // of each node, at least 1 of both

	Synthetic *Synthetic // exactly one kind of data
	MNIST     *MNIST

	Bias       bool    // append a feature that is always 1; it is regularized like the others
	Corruption float64 // probability that a training label is wrong, 0 to 1
	Ridge      float64 // C_r > 0
	X0, Y0     float64 // the value of every coordinate of the starting point
	Seed       uint64
}

// NewCleaning builds the problem. It is a Scorer, and what it calls training accuracy
// is measured on the labels as the nodes have them, wrong ones too.
func NewCleaning(c CleaningConfig) (Problem, error) {
	if err := c.Samples.check(); err != nil {
		return nil, err
	}
	if err := needFinite(c.X0, c.Y0); err != nil {
		return nil, err
	}
	if err := needPositive("ridge", c.Ridge); err != nil {
		return nil, err
	}
	if !(c.Corruption >= 0 && c.Corruption <= 1) {
		return nil, wrong("corruption", "corruption is %v; want a probability, 0 to 1", c.Corruption)
	}
	d, err := source{nodes: c.Nodes, train: c.Samples.Train, val: c.Samples.Val, synthetic: c.Synthetic, mnist: c.MNIST,
		bias: c.Bias, seed: c.Seed, labelNoise: c.Corruption}.deal(targetClass)
	if err != nil {
		return nil, err
	}
	return &cleaning{config: c, data: d, p: c.Nodes * c.Samples.Train, q: d.classes * d.train.x.Cols}, nil
}

// check returns an error unless there is a sample of both kinds.
func (s Samples) check() error {
	if err := needCount("samples.train", s.Train); err != nil {
		return err
	}
	return needCount("samples.val", s.Val)
}

type cleaning struct {
	config CleaningConfig
	data   *dealt
	p, q   int
}

func (c *cleaning) Dims() (p, q int) { return c.p, c.q }
func (c *cleaning) Nodes() int       { return c.data.nodes }

func (c *cleaning) Start(i int) (x0, y0 []float64) {
	mustNode(i, c.data.nodes)
	return fill(c.p, c.config.X0), fill(c.q, c.config.Y0)
}

func (c *cleaning) About() string {
	return fmt.Sprintf("hyper-cleaning: %s; %d nodes with %d training and %d validation samples, p = %d, q = %d",
		c.data.about, c.data.nodes, c.config.Samples.Train, c.config.Samples.Val, c.p, c.q)
}

// Accuracy implements Scorer: of the model y.
func (c *cleaning) Accuracy(x, y []float64) (train, test float64) {
	mustLen("y", y, c.q)
	return accuracy(y, c.data.train), accuracy(y, c.data.test)
}

func (c *cleaning) Local(i int) Local {
	mustNode(i, c.data.nodes)
	l := &cleaningLocal{
		p: c.p, q: c.q, lo: i * c.config.Samples.Train, ridge: c.config.Ridge,
		val: newSoftmaxRisk(c.data.classes, c.data.nodeVal(i)), train: newSoftmaxRisk(c.data.classes, c.data.nodeTrain(i)),
	}
	m := l.train.len()
	l.weight, l.slope = make([]float64, m), make([]float64, m)
	return l
}

type cleaningLocal struct {
	p, q  int
	lo    int // node i's block of x begins here
	ridge float64
	val   *softmaxRisk
	train *softmaxRisk // weighted by σ(x)

	x             []float64 // node i's block at which the weights are known
	weight, slope []float64 // σ(x_e) and σ'(x_e) of each training sample
}

func (l *cleaningLocal) Dims() (p, q int)          { return l.p, l.q }
func (l *cleaningLocal) Samples() (val, train int) { return l.val.len(), l.train.len() }

func (l *cleaningLocal) SetBatch(val, train []int) {
	l.val.setBatch(val)
	l.train.setBatch(train)
}

func (l *cleaningLocal) point(x, y []float64) {
	mustLen("x", x, l.p)
	mustLen("y", y, l.q)
	own := x[l.lo : l.lo+len(l.weight)]
	if sameBits(l.x, own) {
		return
	}
	l.x = append(l.x[:0], own...)
	for e, v := range own {
		l.weight[e] = sigmoid(v)
		l.slope[e] = l.weight[e] * sigmoid(-v)
	}
	l.train.weigh(l.weight)
}

// sigmoid returns 1/(1 + e^-a) without overflow.
func sigmoid(a float64) float64 {
	if a >= 0 {
		return 1 / (1 + math.Exp(-a))
	}
	e := math.Exp(a)
	return e / (1 + e)
}

func (l *cleaningLocal) F(x, y []float64) float64 {
	l.point(x, y)
	return l.val.value(y)
}

func (l *cleaningLocal) G(x, y []float64) float64 {
	l.point(x, y)
	return l.train.value(y) + l.ridge*dot(y, y)
}

func (l *cleaningLocal) GradFx(dst, x, y []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.p)
	clear(dst) // f knows x only through y
}

func (l *cleaningLocal) GradFy(dst, x, y []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.q)
	l.val.grad(dst, y)
}

func (l *cleaningLocal) GradGx(dst, x, y []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.p)
	l.perSample(dst, l.train.at(y).losses)
}

// perSample sets dst to σ'(x_e) v_e / m for the samples in use, k of them, which are
// a batch's with their repetitions, or all.
func (l *cleaningLocal) perSample(dst, v []float64) {
	clear(dst)
	own := dst[l.lo : l.lo+len(l.weight)]
	for k, value := range v {
		e := l.train.sample(k)
		own[e] += l.slope[e] * value / float64(len(v))
	}
}

func (l *cleaningLocal) GradGy(dst, x, y []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.q)
	l.train.grad(dst, y)
	blas64.Axpy(2*l.ridge, vec(y), vec(dst))
}

func (l *cleaningLocal) HessGyyMul(dst, x, y, v []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.q)
	mustLen("v", v, l.q)
	l.train.hessMul(dst, y, v)
	blas64.Axpy(2*l.ridge, vec(v), vec(dst))
}

func (l *cleaningLocal) HessGyyMulMat(dst *mat.Dense, x, y []float64, v *mat.Dense) {
	l.point(x, y)
	riskBlock(dst, l.train, y, v, 2*l.ridge)
}

// riskBlock sets dst (q x m) = (r's Hessian + a I) v, v (q x m).
func riskBlock(dst *mat.Dense, r risk, y []float64, v *mat.Dense, a float64) {
	_, m := v.Dims()
	mustDims("v", v, len(y), m)
	mustDims("dst", dst, len(y), m)
	out, in := dst.RawMatrix(), v.RawMatrix()
	r.hessMulMat(out, y, in)
	for b := range len(y) {
		blas64.Axpy(a, vec(in.Data[b*in.Stride:b*in.Stride+m]), vec(out.Data[b*out.Stride:b*out.Stride+m]))
	}
}

// riskHess sets dst (q x q) = r's Hessian + a I.
func riskHess(dst *mat.SymDense, r risk, y []float64, a float64) {
	mustDims("dst", dst, len(y), len(y))
	raw := dst.RawSymmetric()
	r.hess(blas64.General{Rows: raw.N, Cols: raw.N, Stride: raw.Stride, Data: raw.Data}, y)
	for b := range raw.N {
		raw.Data[b*raw.Stride+b] += a
	}
}

// JacGxyMul: element e is σ'(x_e) ⟨∇L_e, v⟩ / m.
func (l *cleaningLocal) JacGxyMul(dst, x, y, v []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.p)
	mustLen("v", v, l.q)
	l.perSample(dst, l.train.sampleSlopes(y, v))
}

func (l *cleaningLocal) HessGyy(dst *mat.SymDense, x, y []float64) {
	l.point(x, y)
	riskHess(dst, l.train, y, 2*l.ridge)
}

// JacGxy: row e is σ'(x_e) ∇L_e / m.
func (l *cleaningLocal) JacGxy(dst *mat.Dense, x, y []float64) {
	l.point(x, y)
	mustDims("dst", dst, l.p, l.q)
	dst.Zero()
	c := l.train.at(y)
	n, d := l.train.classes, c.s.x.Cols
	for k := range c.s.t {
		e := l.train.sample(k)
		row := dst.RawRowView(l.lo + e)
		for class := range n {
			g := c.pi.Data[k*n+class]
			if class == int(c.s.t[k]) {
				g--
			}
			blas64.Axpy(l.slope[e]*g/float64(c.s.len()), vec(c.s.row(k)), vec(row[class*d:(class+1)*d]))
		}
	}
}

// Flops counts, with m samples touched, C classes, q = C d, an elementary function as
// 10, k = 23C + 10, and 21 for σ(x_e):
//
//	value     m(2q + k + 23) + 2q + 1    g, the dearer of f and g
//	grad_f    m(4q + k)
//	grad_g    m(4q + k + 22) + 2q        by y, the dearer
//	hvp       m(6q + k + 5C + 22) + 2q
//	jvp       m(4q + k + 2C + 25)
//	hessian   m(2q + k + 22 + q(q+1) + C(C+1)(d+3)/2) + q
//	jacobian  m(3q + k + 2C + 23)
//	solve     q³/3 + 2q²
func (l *cleaningLocal) Flops(c metrics.Call, samples int) float64 {
	m, q, n := float64(samples), float64(l.q), float64(l.train.classes)
	each := l.train.flops()
	const weight = 2*flopsElementary + 2 // σ(x_e), and its product with 1/m
	switch c {
	case metrics.CallValue:
		return m*(each.value+weight+1) + 2*q + 1
	case metrics.CallGradF:
		return m * each.grad
	case metrics.CallGradG:
		return m*(each.grad+weight) + 2*q
	case metrics.CallHVP:
		return m*(each.hvp+weight) + 2*q
	case metrics.CallJVP:
		return m * (each.value + 2*q + 2*n + weight + 3)
	case metrics.CallHessian:
		return m*(each.hessian+weight) + q
	case metrics.CallJacobian:
		return m * (each.value + q + 2*n + weight + 1)
	case metrics.CallSolve:
		return flopsSolve(l.q)
	}
	panic(fmt.Sprintf("problems: unknown oracle call %d", c))
}
