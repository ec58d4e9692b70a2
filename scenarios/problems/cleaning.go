package problems

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"tallynet/metrics"
	"tallynet/scenarios/problems/budget"
)

// CleaningConfig describes data hyper-cleaning: some training labels are wrong, and x
// determines the weight of each training sample,
//
//	g_i(x, y) = (1/m) Σ_e σ(x_{im+e}) L_e(y) + C_r ‖y‖²   over node i's m training samples
//	f_i(x, y) = mean of L_e(y) over node i's validation samples, whose labels are correct
//
// where L is the cross entropy of softmax(Y s), y = Y (C x d) flattened by rows, and
// σ(a) = 1/(1 + e^-a). x has one element for each training sample of the network,
// p = nodes · m. Node i's g depends only on block i of x: the other rows of its cross
// derivative are 0.
//
// Source: Chen, Huang, Ma, arXiv 2206.05670, experiment on hyper-cleaning.
//
// Departure: the paper states neither whether x holds the weights of all nodes nor how
// labels are corrupted. Here x does, and each training sample gets the label of another
// class with probability Corruption.
type CleaningConfig struct {
	Nodes   int
	Samples Samples // per node, at least 1 of each

	Synthetic *Synthetic // exactly one kind of data
	MNIST     *Digits
	Own       *Own // says how many samples each node has; Samples is not used

	Bias       bool    // append a feature that is always 1; its weights are regularized too
	Corruption float64 // probability that a training label is wrong, 0 to 1
	Ridge      float64 // C_r > 0
	X0, Y0     float64 // value of every coordinate of the starting point
	Seed       uint64
	// Budget is what the problem may need at most; the zero value means the defaults.
	Budget budget.Limit
}

// NewCleaning builds the problem. It is a Scorer and Fitted; its training accuracy and loss
// are measured on the nodes' labels, including the wrong ones, and without the weights.
func NewCleaning(c CleaningConfig) (Problem, error) {
	if err := cmp.Or(c.source().checkSamples(), needFinite(c.X0, c.Y0), needPositive("ridge", c.Ridge)); err != nil {
		return nil, err
	}
	if !(c.Corruption >= 0 && c.Corruption <= 1) {
		return nil, wrong("corruption", "corruption is %v; want a probability, 0 to 1", c.Corruption)
	}
	if err := fits(c, c.Budget); err != nil {
		return nil, err
	}
	d, err := c.source().deal(targetClass)
	if err != nil {
		return nil, err
	}
	out := &cleaning{
		base: base{
			name: "hyper-cleaning", about: d.about, nodes: c.Nodes, samples: c.Samples, held: d,
			p: d.train.len(), q: d.classes * d.train.x.Cols, x0: c.X0, y0: c.Y0,
		},
		data: d, ridge: c.Ridge,
	}
	out.linearScorer = linearScorer{from: d, n: out.q}
	return out, nil
}

// check returns an error unless there is at least one sample of each kind.
func (s Samples) check() error {
	if err := needCount("samples.train", s.Train); err != nil {
		return err
	}
	return needCount("samples.val", s.Val)
}

type cleaning struct {
	base
	linearScorer
	data  *dealt
	ridge float64
}

func (c *cleaning) Local(i int) Local {
	mustNode(i, c.nodes)
	lo, hi := c.data.trainOf(i)
	l := &cleaningFormulas{lo: lo, ridge: c.ridge}
	l.val = newSoftmaxRisk(c.data.classes, c.data.nodeVal(i))
	l.train = newSoftmaxRisk(c.data.classes, c.data.nodeTrain(i))
	l.weight, l.slope = make([]float64, hi-lo), make([]float64, hi-lo)
	return &oracle{formulas: l, p: c.p, q: c.q}
}

// TrainLoss implements Fitted.
func (c *cleaning) TrainLoss(x, y []float64) float64 { return c.lossOn(c.data.train, x, y) }

// TestLoss implements Fitted.
func (c *cleaning) TestLoss(x, y []float64) float64 { return c.lossOn(c.data.tested(), x, y) }

func (c *cleaning) lossOn(s samples, x, y []float64) float64 {
	if s.len() == 0 {
		return math.NaN()
	}
	return newSoftmaxRisk(c.data.classes, s).value(c.coefficients(x, y))
}

type cleaningFormulas struct {
	heldOut[*softmaxRisk]     // train is weighted by σ(x)
	memory                    // of node i's block of x, for weight and slope
	lo                    int // node i's block of x begins here
	ridge                 float64
	weight, slope         []float64 // σ(x_e) and σ'(x_e) of each training sample
}

// at returns the training risk weighted by σ(x).
func (l *cleaningFormulas) at(x []float64) *softmaxRisk {
	own := x[l.lo : l.lo+len(l.weight)]
	if !l.recall(own) {
		for e, v := range own {
			l.weight[e] = sigmoid(v)
			l.slope[e] = l.weight[e] * sigmoid(-v)
		}
		l.train.weigh(l.weight)
	}
	return l.train
}

// sigmoid returns 1/(1 + e^-a) without overflow.
func sigmoid(a float64) float64 {
	if a >= 0 {
		return 1 / (1 + math.Exp(-a))
	}
	e := math.Exp(a)
	return e / (1 + e)
}

func (l *cleaningFormulas) g(x, y []float64) float64 {
	return l.at(x).value(y) + l.ridge*dot(y, y)
}

func (l *cleaningFormulas) gx(dst, x, y []float64) {
	r := l.at(x)
	r.at(y)
	l.perSample(dst, r.losses)
}

// perSample sets dst to σ'(x_e) v_e / m, where v has one element for each of the m
// samples in use, and a sample may occur in a batch repeatedly.
func (l *cleaningFormulas) perSample(dst, v []float64) {
	clear(dst)
	own := dst[l.lo : l.lo+len(l.weight)]
	for k, value := range v {
		e := l.train.index(k)
		own[e] += l.slope[e] * value / float64(len(v))
	}
}

func (l *cleaningFormulas) gy(dst, x, y []float64) {
	l.at(x).grad(dst, y)
	blas64.Axpy(2*l.ridge, vec(y), vec(dst))
}

func (l *cleaningFormulas) hessMul(dst, x, y, v []float64) {
	l.at(x).hessMul(dst, y, v)
	blas64.Axpy(2*l.ridge, vec(v), vec(dst))
}

func (l *cleaningFormulas) hessMulMat(dst *mat.Dense, x, y []float64, v *mat.Dense) {
	riskBlock(dst, l.at(x), y, v, 2*l.ridge)
}

// jacMul sets element e to σ'(x_e) ⟨∇L_e, v⟩ / m.
func (l *cleaningFormulas) jacMul(dst, x, y, v []float64) {
	l.perSample(dst, l.at(x).sampleSlopes(y, v))
}

func (l *cleaningFormulas) hess(dst *mat.SymDense, x, y []float64) {
	riskHess(dst, l.at(x), y, 2*l.ridge)
}

func (l *cleaningFormulas) hessRisk(x []float64) risk { return l.at(x) }

func (l *cleaningFormulas) hessDiagonal(dst, x []float64) { constant(dst, 2*l.ridge) }

// jac sets row e to σ'(x_e) ∇L_e / m.
func (l *cleaningFormulas) jac(dst *mat.Dense, x, y []float64) {
	dst.Zero()
	r := l.at(x)
	s := r.at(y)
	n, d := r.classes, s.x.Cols
	for k, t := range s.t {
		e := r.index(k)
		row := dst.RawRowView(l.lo + e)
		for class := range n {
			g := r.pi.Data[k*n+class]
			if class == int(t) {
				g--
			}
			blas64.Axpy(l.slope[e]*g/float64(s.len()), vec(s.row(k)), vec(row[class*d:(class+1)*d]))
		}
	}
}

// flops counts, for m samples, C classes, q = C d and k = 23C + 10, with 10 for an
// elementary function and 21 for σ(x_e):
//
//	value     m(2q + k + 23) + 2q + 1    g, which costs more than f
//	grad_f    m(4q + k)
//	grad_g    m(4q + k + 22) + 2q        by y, which costs more than by x
//	hvp       m(6q + k + 5C + 22) + 2q
//	jvp       m(4q + k + 2C + 25)
//	hessian   m(2q + k + 22 + q(q+1) + C(C+1)(d+3)/2) + q
//	jacobian  m(3q + k + 2C + 23)
func (l *cleaningFormulas) flops(n sizes) costs {
	m, q, classes := n.samples, n.q, float64(l.train.classes)
	each := l.train.flops()
	const weight = 2*flopsElementary + 2 // σ(x_e), and its product with 1/m
	return costs{
		metrics.CallValue:    m*(each.value+weight+1) + 2*q + 1,
		metrics.CallGradF:    m * each.grad,
		metrics.CallGradG:    m*(each.grad+weight) + 2*q,
		metrics.CallHVP:      m*(each.hvp+weight) + 2*q,
		metrics.CallJVP:      m * (each.value + 2*q + 2*classes + weight + 3),
		metrics.CallHessian:  m*(each.hessian+weight) + q,
		metrics.CallJacobian: m * (each.value + q + 2*classes + weight + 1),
	}
}
