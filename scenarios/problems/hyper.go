package problems

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"tallynet/metrics"
	"tallynet/scenarios/problems/budget"
	"tallynet/sim"
)

// Samples is the number of samples per node.
type Samples struct{ Train, Val int }

// HyperConfig describes hyper-parameter optimization: choose the strength of the
// element-wise regularizer of a linear model so that it does well on held-out data,
//
//	f_i(x, y) = mean validation loss of y          (no regularizer)
//	g_i(x, y) = mean training loss of y + 1/2 Σ_b exp(x_a(b)) y_b²,  a(b) = b mod p
//
// with p = q and a(b) = b unless SharedAcrossClasses. The loss of a sample s with
// target t is
//
//	ridge     (s'y - t)²
//	logistic  log(1 + exp(-t s'y)), t = ±1
//	softmax   the cross entropy of softmax(Y s), y = Y (C x d) flattened by rows
//	svm       the hinge loss max(0, u), u = 1 - t s'y, t = ±1; with Smoothing w it is
//	          u²/(2w) for 0 < u < w and u - w/2 for u >= w
//
// Without smoothing, derivatives are those that hold almost everywhere: the second is 0,
// and the first is 0 at the kink u = 0. Then y*(x) lies on kinks, where no gradient is
// zero, so the problem is Unmeasurable.
//
// Scalar gives all coefficients one x, p = 1: the regularizer is 1/2 exp(x) ‖y‖².
//
// Source: Nazari et al., arXiv 2211.04088, section 6.1, with the regularizer of Chen,
// Huang, Ma, arXiv 2206.05670.
//
// Departure: Nazari et al. print the regularizer y'exp(x), which is linear in y and
// leaves the logistic inner problem without a minimizer.
type HyperConfig struct {
	Loss    string // "ridge", "logistic", "softmax", "svm"
	Nodes   int
	Samples Samples // per node, at least 1 of each

	Synthetic *Synthetic // exactly one kind of data
	MNIST     *Digits
	Mushroom  *Mushroom
	Own       *Own // says how many samples each node has; Samples is not used
	// LabelNoise is the probability that a training sample has a wrong label; all wrong
	// classes are equally likely. Only for data with classes.
	LabelNoise float64
	// AnyLabel makes such a label any of all classes, the right one too, as in Ji, Liu,
	// Liang, Ying, arXiv 2205.14224: of ten classes, 0.1 then gives 9 % wrong labels.
	AnyLabel bool

	Bias bool // append a feature that is always 1; its weights are regularized too
	// SharedAcrossClasses gives softmax one x for each feature (p = d) instead of one
	// for each coefficient (p = q = C d).
	SharedAcrossClasses bool
	Scalar              bool
	Smoothing           float64 // svm only, >= 0; 0 means the hinge loss itself

	X0, Y0 float64 // value of every coordinate of the starting point, such as log 0.05
	// Y0Spread is the standard deviation of normal noise added to every coordinate of
	// every node's starting y. With 0 all nodes start at Y0.
	Y0Spread float64
	Seed     uint64
	// Budget is what the problem may need at most; the zero value means the defaults.
	Budget budget.Limit
}

// NewHyper builds the problem. It is a Scorer, except ridge on synthetic data, which
// has no classes.
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
	if err := cmp.Or(c.source().checkSamples(), needFinite(c.X0, c.Y0)); err != nil {
		return nil, err
	}
	if c.SharedAcrossClasses && t != targetClass {
		return nil, fmt.Errorf("x is shared across classes, but only loss softmax has coefficients per class, "+
			"and loss is %s; unset one of them", c.Loss)
	}
	if err := cmp.Or(needAmount("smoothing", c.Smoothing), needAmount("y0_spread", c.Y0Spread)); err != nil {
		return nil, err
	}
	if c.Smoothing != 0 && c.Loss != "svm" {
		return nil, wrong("smoothing", "smoothing is %v, but only loss svm is smoothed, and loss is %s; leave smoothing out",
			c.Smoothing, c.Loss)
	}
	if c.Scalar && c.SharedAcrossClasses {
		return nil, fmt.Errorf("a scalar x cannot also be shared across classes; unset one of them")
	}
	if err := fits(c, c.Budget); err != nil {
		return nil, err
	}
	d, err := c.source().deal(t)
	if err != nil {
		return nil, err
	}
	h := &hyper{
		base: base{
			name: "hyper-" + c.Loss, about: d.about, nodes: c.Nodes, samples: c.Samples, held: d,
			p: d.train.x.Cols, q: d.train.x.Cols, x0: c.X0, y0: c.Y0,
		},
		config: c, data: d,
	}
	if t == targetClass {
		h.q *= d.classes
		if !c.SharedAcrossClasses {
			h.p = h.q
		}
	}
	if c.Scalar {
		h.p = 1
	}
	if d.classes == 0 {
		return h, nil
	}
	scored := scoredHyper{h, linearScorer{from: d, n: h.q}}
	if c.Loss == "svm" && c.Smoothing == 0 {
		return kinkedHyper{scored}, nil
	}
	return scored, nil
}

type hyper struct {
	base
	config HyperConfig
	data   *dealt
}

func (h *hyper) Start(i int) (x0, y0 []float64) {
	x0, y0 = h.base.Start(i)
	if h.config.Y0Spread > 0 {
		rng := sim.Stream(h.config.Seed, "start", i)
		for b := range y0 {
			y0[b] += h.config.Y0Spread * rng.NormFloat64()
		}
	}
	return x0, y0
}

func (h *hyper) Local(i int) Local {
	mustNode(i, h.nodes)
	l := &hyperFormulas{}
	l.val, l.train = h.risk(h.data.nodeVal(i)), h.risk(h.data.nodeTrain(i))
	return &oracle{formulas: l, p: h.p, q: h.q}
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

// scoredHyper is a hyper on data with classes.
type scoredHyper struct {
	*hyper
	linearScorer
}

// TrainLoss implements Fitted.
func (h scoredHyper) TrainLoss(x, y []float64) float64 { return h.lossOn(h.data.train, x, y) }

// TestLoss implements Fitted.
func (h scoredHyper) TestLoss(x, y []float64) float64 { return h.lossOn(h.data.tested(), x, y) }

// lossOn returns the mean loss of the model over samples, NaN if there are none.
func (h scoredHyper) lossOn(s samples, x, y []float64) float64 {
	if s.len() == 0 {
		return math.NaN()
	}
	return h.risk(s).value(h.coefficients(x, y))
}

// kinkedHyper is a support vector machine without smoothing.
type kinkedHyper struct{ scoredHyper }

// WhyUnmeasurable implements Unmeasurable.
func (kinkedHyper) WhyUnmeasurable() string {
	return "the hinge loss has no derivative at y*(x); set smoothing above 0"
}

type hyperFormulas struct {
	heldOut[risk]
	memory           // of x, for ex
	ex     []float64 // exp(x)
}

// exp returns exp(x), element by element.
func (l *hyperFormulas) exp(x []float64) []float64 {
	if !l.recall(x) {
		l.ex = grow(l.ex, len(x))
		for a, v := range x {
			l.ex[a] = math.Exp(v)
		}
	}
	return l.ex
}

func (l *hyperFormulas) g(x, y []float64) float64 {
	ex, sum := l.exp(x), 0.0
	for b := 0; b < len(y); b += len(x) {
		for a, e := range ex {
			sum += e * y[b+a] * y[b+a]
		}
	}
	return l.train.value(y) + sum/2
}

func (l *hyperFormulas) gx(dst, x, y []float64) {
	l.jacMul(dst, x, y, y) // 1/2 exp(x) y², summed over the classes
	blas64.Scal(0.5, vec(dst))
}

func (l *hyperFormulas) gy(dst, x, y []float64) {
	l.train.grad(dst, y)
	l.addDiagonal(dst, x, y)
}

// addDiagonal adds diag(exp(x)) v to dst.
func (l *hyperFormulas) addDiagonal(dst, x, v []float64) {
	ex := l.exp(x)
	for b := 0; b < len(v); b += len(x) {
		for a, e := range ex {
			dst[b+a] += e * v[b+a]
		}
	}
}

func (l *hyperFormulas) hessMul(dst, x, y, v []float64) {
	l.train.hessMul(dst, y, v)
	l.addDiagonal(dst, x, v)
}

func (l *hyperFormulas) hessMulMat(dst *mat.Dense, x, y []float64, v *mat.Dense) {
	ex := l.exp(x)
	l.train.hessMulMat(dst.RawMatrix(), y, v.RawMatrix())
	for b := range y {
		blas64.Axpy(ex[b%len(x)], vec(v.RawRowView(b)), vec(dst.RawRowView(b)))
	}
}

func (l *hyperFormulas) jacMul(dst, x, y, v []float64) {
	ex := l.exp(x)
	clear(dst)
	for b := 0; b < len(y); b += len(x) {
		for a, e := range ex {
			dst[a] += e * y[b+a] * v[b+a]
		}
	}
}

func (l *hyperFormulas) hess(dst *mat.SymDense, x, y []float64) {
	raw := dst.RawSymmetric()
	l.train.hess(blas64.General{Rows: raw.N, Cols: raw.N, Stride: raw.Stride, Data: raw.Data}, y)
	ex := l.exp(x)
	for b := range y {
		raw.Data[b*raw.Stride+b] += ex[b%len(x)]
	}
}

func (l *hyperFormulas) hessRisk(x []float64) risk { return l.train }

func (l *hyperFormulas) hessDiagonal(dst, x []float64) {
	ex := l.exp(x)
	for b := range dst {
		dst[b] = ex[b%len(x)]
	}
}

func (l *hyperFormulas) jac(dst *mat.Dense, x, y []float64) {
	dst.Zero()
	raw, ex := dst.RawMatrix(), l.exp(x)
	for b, v := range y {
		a := b % len(x)
		raw.Data[a*raw.Stride+b] = ex[a] * v
	}
}

// flops counts, for m samples, d features and C classes (q = C d), with 10 for an
// elementary function (exp, log, division) and, per sample, k = 3 for ridge, 25 for
// logistic, 12 for svm and 23C + 10 for softmax. Every call is charged for the margins,
// even if they are reused:
//
//	value     m(2q + k) + 10p + 3q           g, which costs more than f
//	grad_f    m(4q + k)
//	grad_g    m(4q + k) + 10p + 2q
//	hvp       m(6q + k + 1) + 10p + 2q       softmax: 5C instead of 1
//	jvp       10p + 3q
//	hessian   m(2q + k + q(q+2)) + 10p + q   softmax: q(q+1) + C(C+1)(d+3)/2 instead of q(q+2)
//	jacobian  10p + q
func (l *hyperFormulas) flops(n sizes) costs {
	m, p, q := n.samples, n.p, n.q
	each, exp := l.train.flops(), flopsElementary*p
	return costs{
		metrics.CallValue:    m*each.value + exp + 3*q,
		metrics.CallGradF:    m * each.grad,
		metrics.CallGradG:    m*each.grad + exp + 2*q,
		metrics.CallHVP:      m*each.hvp + exp + 2*q,
		metrics.CallJVP:      exp + 3*q,
		metrics.CallHessian:  m*each.hessian + exp + q,
		metrics.CallJacobian: exp + q,
	}
}
