package problems

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"tallynet/metrics"
	"tallynet/sim"
)

// Samples counts the samples of each node.
type Samples struct{ Train, Val int }

// HyperConfig describes hyper-parameter optimization: choose the strength of an
// element-wise regularizer of a linear model so that it does well on held-out data,
//
//	f_i(x, y) = mean validation loss of y          (no regularizer)
//	g_i(x, y) = mean training loss of y + 1/2 Σ_b exp(x_a(b)) y_b²,  a(b) = b mod p
//
// with p = q and a(b) = b unless SharedAcrossClasses. Losses of a sample s with
// target t:
//
//	ridge     (s'y - t)²
//	logistic  log(1 + exp(-t s'y)), t = ±1
//	softmax   the cross entropy of softmax(Y s), y = Y (C x d) flattened by rows
//	svm       the hinge loss max(0, u), u = 1 - t s'y, t = ±1; with Smoothing w it is
//	          u²/(2w) for 0 < u < w and u - w/2 beyond
//
// Without smoothing the derivatives are those almost everywhere (the second is 0, and
// the subgradient at the kink u = 0 is 0): y*(x) lies on kinks, where no gradient is
// zero, so that the problem is Unmeasurable.
//
// Scalar has one x for all coefficients, p = 1: the regularizer 1/2 exp(x) ‖y‖².
//
// Source: Nazari et al., arXiv 2211.04088, section 6.1; the regularizer is that of
// Chen, Huang, Ma, arXiv 2206.05670.
//
// Departure: Nazari et al. print the regularizer y'exp(x), which is linear in y
// and leaves the logistic inner problem without a minimizer.
type HyperConfig struct {
	Loss    string // "ridge", "logistic", "softmax", "svm"
	Nodes   int
	Samples Samples // of each node, at least 1 of both

	Synthetic *Synthetic // exactly one kind of data
	MNIST     *MNIST
	Mushroom  *Mushroom
	// LabelNoise is the probability that a training sample has a wrong label, that of
	// any other class with equal probability. Only for data with classes.
	LabelNoise float64

	// Bias appends a feature that is always 1. Its weight is regularized like the others.
	Bias bool
	// SharedAcrossClasses gives softmax one x for each feature (p = d) in place of
	// one for each coefficient (p = q = C d).
	SharedAcrossClasses bool
	Scalar              bool
	Smoothing           float64 // svm only, >= 0; 0: the hinge itself

	X0, Y0 float64 // the value of every coordinate of the starting point, such as log 0.05
	// Y0Spread is the standard deviation of what is added to each coordinate of each
	// node's starting y: normal numbers of the node's own. 0: all nodes start at Y0.
	Y0Spread float64
	Seed     uint64
}

// NewHyper builds the problem. It is a Scorer, except ridge on synthetic data,
// which has no classes. Its Locals implement BlockHVP.
func NewHyper(c HyperConfig) (Problem, error) {
	var t target
	switch c.Loss {
	case "ridge":
		t = targetNumber
	case "logistic", "svm":
		t = targetSign
	case "softmax":
		t = targetClass
	default:
		return nil, wrong("loss", "loss is %q; choose ridge, logistic, softmax or svm", c.Loss)
	}
	if err := c.Samples.check(); err != nil {
		return nil, err
	}
	if err := needFinite(c.X0, c.Y0); err != nil {
		return nil, err
	}
	if c.SharedAcrossClasses && t != targetClass {
		return nil, fmt.Errorf("shared across classes is set, but loss %s has no classes of coefficients; only softmax has", c.Loss)
	}
	if err := needAmount("smoothing", c.Smoothing); err != nil {
		return nil, err
	}
	if err := needAmount("y0_spread", c.Y0Spread); err != nil {
		return nil, err
	}
	if c.Smoothing != 0 && c.Loss != "svm" {
		return nil, wrong("smoothing", "smoothing is %v, but loss %s is smooth; only svm is not", c.Smoothing, c.Loss)
	}
	if c.Scalar && c.SharedAcrossClasses {
		return nil, fmt.Errorf("scalar has one x in all; it is not shared across classes too")
	}
	d, err := source{nodes: c.Nodes, train: c.Samples.Train, val: c.Samples.Val, synthetic: c.Synthetic, mnist: c.MNIST,
		mushroom: c.Mushroom, bias: c.Bias, seed: c.Seed, labelNoise: c.LabelNoise}.deal(t)
	if err != nil {
		return nil, err
	}
	h := &hyper{config: c, data: d}
	h.p = d.train.x.Cols
	h.q = h.p
	if t == targetClass {
		h.q *= d.classes
		if !c.SharedAcrossClasses {
			h.p = h.q
		}
	}
	if c.Scalar {
		h.p = 1
	}
	if c.Loss == "svm" && c.Smoothing == 0 {
		return kinkedHyper{scoredHyper{h}}, nil
	}
	if d.classes > 0 {
		return scoredHyper{h}, nil
	}
	return h, nil
}

type hyper struct {
	config HyperConfig
	data   *dealt
	p, q   int
}

func (h *hyper) Dims() (p, q int) { return h.p, h.q }
func (h *hyper) Nodes() int       { return h.data.nodes }

func (h *hyper) Start(i int) (x0, y0 []float64) {
	mustNode(i, h.data.nodes)
	y0 = fill(h.q, h.config.Y0)
	if h.config.Y0Spread > 0 {
		rng := sim.Stream(h.config.Seed, "start", i)
		for b := range y0 {
			y0[b] += h.config.Y0Spread * rng.NormFloat64()
		}
	}
	return fill(h.p, h.config.X0), y0
}

func (h *hyper) About() string {
	return fmt.Sprintf("hyper-%s: %s; %d nodes with %d training and %d validation samples, p = %d, q = %d",
		h.config.Loss, h.data.about, h.data.nodes, h.config.Samples.Train, h.config.Samples.Val, h.p, h.q)
}

func (h *hyper) Local(i int) Local {
	mustNode(i, h.data.nodes)
	return &hyperLocal{p: h.p, q: h.q, val: h.risk(h.data.nodeVal(i)), train: h.risk(h.data.nodeTrain(i))}
}

func (h *hyper) risk(s samples) risk {
	switch h.config.Loss {
	case "ridge":
		return newMarginRisk(loss{kind: squared}, s)
	case "logistic":
		return newMarginRisk(loss{kind: logistic}, s)
	case "svm":
		return newMarginRisk(loss{hinge, h.config.Smoothing}, s)
	}
	return newSoftmaxRisk(h.data.classes, s)
}

// scoredHyper is a hyper whose data have classes.
type scoredHyper struct{ *hyper }

// Accuracy implements Scorer: of the model y.
func (h scoredHyper) Accuracy(x, y []float64) (train, test float64) {
	mustLen("y", y, h.q)
	return accuracy(y, h.data.train), accuracy(y, h.data.test)
}

// kinkedHyper is a support vector machine without smoothing.
type kinkedHyper struct{ scoredHyper }

// WhyUnmeasurable implements Unmeasurable.
func (kinkedHyper) WhyUnmeasurable() string {
	return "the hinge loss has no derivative at y*(x); set smoothing above 0"
}

type hyperLocal struct {
	p, q       int
	val, train risk
	x          []float64 // the point at which ex is known
	ex         []float64 // exp(x)
}

func (l *hyperLocal) Dims() (p, q int)          { return l.p, l.q }
func (l *hyperLocal) Samples() (val, train int) { return l.val.len(), l.train.len() }

func (l *hyperLocal) SetBatch(val, train []int) {
	l.val.setBatch(val)
	l.train.setBatch(train)
}

func (l *hyperLocal) point(x, y []float64) {
	mustLen("x", x, l.p)
	mustLen("y", y, l.q)
}

// exp returns exp(x), element by element.
func (l *hyperLocal) exp(x []float64) []float64 {
	if l.ex != nil && sameBits(l.x, x) {
		return l.ex
	}
	l.x = append(l.x[:0], x...)
	l.ex = grow(l.ex, l.p)
	for a, v := range x {
		l.ex[a] = math.Exp(v)
	}
	return l.ex
}

func (l *hyperLocal) F(x, y []float64) float64 {
	l.point(x, y)
	return l.val.value(y)
}

func (l *hyperLocal) G(x, y []float64) float64 {
	l.point(x, y)
	ex, sum := l.exp(x), 0.0
	for b := 0; b < l.q; b += l.p {
		for a, e := range ex {
			sum += e * y[b+a] * y[b+a]
		}
	}
	return l.train.value(y) + sum/2
}

func (l *hyperLocal) GradFx(dst, x, y []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.p)
	clear(dst) // f knows x only through y
}

func (l *hyperLocal) GradFy(dst, x, y []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.q)
	l.val.grad(dst, y)
}

func (l *hyperLocal) GradGx(dst, x, y []float64) {
	l.JacGxyMul(dst, x, y, y) // 1/2 exp(x) y², summed over the classes
	blas64.Scal(0.5, vec(dst))
}

func (l *hyperLocal) GradGy(dst, x, y []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.q)
	l.train.grad(dst, y)
	l.addDiagonal(dst, x, y)
}

// addDiagonal adds diag(exp(x)) v to dst.
func (l *hyperLocal) addDiagonal(dst, x, v []float64) {
	ex := l.exp(x)
	for b := 0; b < l.q; b += l.p {
		for a, e := range ex {
			dst[b+a] += e * v[b+a]
		}
	}
}

func (l *hyperLocal) HessGyyMul(dst, x, y, v []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.q)
	mustLen("v", v, l.q)
	l.train.hessMul(dst, y, v)
	l.addDiagonal(dst, x, v)
}

func (l *hyperLocal) HessGyyMulMat(dst *mat.Dense, x, y []float64, v *mat.Dense) {
	l.point(x, y)
	_, m := v.Dims()
	mustDims("v", v, l.q, m)
	mustDims("dst", dst, l.q, m)
	out, in, ex := dst.RawMatrix(), v.RawMatrix(), l.exp(x)
	l.train.hessMulMat(out, y, in)
	for b := range l.q {
		blas64.Axpy(ex[b%l.p], vec(in.Data[b*in.Stride:b*in.Stride+m]), vec(out.Data[b*out.Stride:b*out.Stride+m]))
	}
}

func (l *hyperLocal) JacGxyMul(dst, x, y, v []float64) {
	l.point(x, y)
	mustLen("dst", dst, l.p)
	mustLen("v", v, l.q)
	ex := l.exp(x)
	clear(dst)
	for b := 0; b < l.q; b += l.p {
		for a, e := range ex {
			dst[a] += e * y[b+a] * v[b+a]
		}
	}
}

func (l *hyperLocal) HessGyy(dst *mat.SymDense, x, y []float64) {
	l.point(x, y)
	mustDims("dst", dst, l.q, l.q)
	raw := dst.RawSymmetric()
	l.train.hess(blas64.General{Rows: l.q, Cols: l.q, Stride: raw.Stride, Data: raw.Data}, y)
	ex := l.exp(x)
	for b := range l.q {
		raw.Data[b*raw.Stride+b] += ex[b%l.p]
	}
}

func (l *hyperLocal) JacGxy(dst *mat.Dense, x, y []float64) {
	l.point(x, y)
	mustDims("dst", dst, l.p, l.q)
	dst.Zero()
	raw, ex := dst.RawMatrix(), l.exp(x)
	for b, v := range y {
		a := b % l.p
		raw.Data[a*raw.Stride+b] = ex[a] * v
	}
}

// Flops counts, with m the samples touched, d features, C classes (q = C d), an
// elementary function (exp, log, division) as 10, and per sample k = 3 for ridge, 25
// for the logistic loss, 12 for svm, 23C + 10 for softmax. A call starts from nothing: the
// margins are charged to each, though the implementation often has them.
//
//	value     m(2q + k) + 10p + 3q           g, the dearer of f and g
//	grad_f    m(4q + k)
//	grad_g    m(4q + k) + 10p + 2q
//	hvp       m(6q + k + 1) + 10p + 2q       softmax: 5C for the 1
//	jvp       10p + 3q
//	hessian   m(2q + k + q(q+2)) + 10p + q   softmax: q(q+1) + C(C+1)(d+3)/2 for the q(q+2)
//	jacobian  10p + q
//	solve     q³/3 + 2q²
func (l *hyperLocal) Flops(c metrics.Call, samples int) float64 {
	m, p, q := float64(samples), float64(l.p), float64(l.q)
	each, exp := l.train.flops(), flopsElementary*p
	switch c {
	case metrics.CallValue:
		return m*each.value + exp + 3*q
	case metrics.CallGradF:
		return m * each.grad
	case metrics.CallGradG:
		return m*each.grad + exp + 2*q
	case metrics.CallHVP:
		return m*each.hvp + exp + 2*q
	case metrics.CallJVP:
		return exp + 3*q
	case metrics.CallHessian:
		return m*each.hessian + exp + q
	case metrics.CallJacobian:
		return exp + q
	case metrics.CallSolve:
		return flopsSolve(l.q)
	}
	panic(fmt.Sprintf("problems: unknown oracle call %d", c))
}
