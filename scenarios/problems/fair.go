package problems

import (
	"cmp"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"tallynet/metrics"
	"tallynet/scenarios/problems/budget"
)

// FairConfig describes tuning a loss for data with rare classes. The model is linear,
// with logits o = Y s, where y = Y (C x d) flattened by rows. x = (δ, l), p = 2C, scales
// and shifts the logits of each class in training:
//
//	g_i(x, y) = mean training loss CE(σ(δ)∘o + l, class) + (Ridge/2) ‖y‖²
//	f_i(x, y) = mean validation loss ω_class CE(o, class),  ω_c = N / (C N_c)
//
// With Hidden = h > 0 the model is a network, o = V (φ, 1), φ = relu(W s + b), and all of it
// is inside: y = (W, b, V), W (h x d) and V (C x (h + 1)) flattened by rows.
//
// CE is the cross entropy after softmax, σ(a) = 1/(1 + e^-a), and N_c of the network's N
// validation samples are of class c: all classes have equal weight in f.
//
// Source: Nazari et al., arXiv 2211.04088, section 6.3, with the parametric loss of
// Tarzanagh, Li, Thrampoulidis, Oymak, ICML 2022 (FedNest).
//
// Departure: without Hidden the model is linear; there is a ridge, with which y*(x) of the
// linear model is unique; f weights classes by their counts, which the source leaves open.
// Of the network, that of FedNest's program, W starts at N(0, 2/d) and b at 0, and nothing is
// dropped out.
type FairConfig struct {
	Nodes   int
	Samples Samples // per node, at least 1 of each

	Synthetic *Synthetic // exactly one kind of data
	MNIST     *Digits
	Own       *Own // says how many samples each node has; Samples is not used

	Hidden int     // hidden units h; 0: the model is linear
	Bias   bool    // append a feature that is always 1
	Ridge  float64 // > 0
	X0, Y0 float64 // value of every coordinate of the starting point, of y but W and b
	Seed   uint64
	// Budget is what the problem may need at most; the zero value means the defaults.
	Budget budget.Limit
}

// NewFair builds the problem. It is a Scorer.
func NewFair(c FairConfig) (Problem, error) {
	if err := cmp.Or(c.source().checkSamples(), needFinite(c.X0, c.Y0), needPositive("ridge", c.Ridge),
		needAmount("hidden", float64(c.Hidden))); err != nil {
		return nil, err
	}
	if err := fits(c, c.Budget); err != nil {
		return nil, err
	}
	d, err := c.source().deal(targetClass)
	if err != nil {
		return nil, err
	}
	f := &fair{
		base: base{
			name: "fair-loss", about: d.about, nodes: c.Nodes, samples: c.Samples, held: d,
			p: 2 * d.classes, q: d.classes * d.train.x.Cols, x0: c.X0, y0: c.Y0,
		},
		data: d, ridge: c.Ridge, omega: make([]float64, d.classes),
	}
	f.linearScorer = linearScorer{from: d, n: f.q}
	count := make([]float64, d.classes)
	for _, t := range d.val.t {
		count[int(t)]++
	}
	for k, n := range count {
		if n > 0 {
			f.omega[k] = float64(d.val.len()) / (float64(d.classes) * n)
		}
	}
	if c.Hidden > 0 {
		return f.hiddenLayer(c.Hidden, c.Seed), nil
	}
	return f, nil
}

type fair struct {
	base
	// The accuracy is that of the model y, whose logits are neither scaled nor shifted.
	linearScorer
	data  *dealt
	ridge float64
	omega []float64 // weight of each class in f
}

// weights returns those of node i's validation samples.
func (f *fair) weights(i int) []float64 {
	s := f.data.nodeVal(i)
	omega := make([]float64, s.len())
	for k, t := range s.t {
		omega[k] = f.omega[int(t)]
	}
	return omega
}

func (f *fair) Local(i int) Local {
	mustNode(i, f.nodes)
	n, d := f.data.classes, f.data.train.x.Cols
	l := &fairFormulas{n: n, d: d, ridge: f.ridge}
	l.val = newSoftmaxRisk(n, f.data.nodeVal(i))
	l.val.weigh(f.weights(i))
	own := f.data.nodeTrain(i)
	lifted := newSamples(own.len(), d+1)
	for k := range own.t {
		row := lifted.row(k)
		row[copy(row, own.row(k))] = 1
	}
	copy(lifted.t, own.t)
	l.train = newSoftmaxRisk(n, lifted)
	for _, v := range []*[]float64{&l.w, &l.dir, &l.out, &l.grad} {
		*v = make([]float64, n*(d+1))
	}
	l.a, l.slope = make([]float64, n), make([]float64, n)
	return &oracle{formulas: l, p: f.p, q: f.q}
}

// fairFormulas computes g as the plain softmax risk of the lifted coefficients
//
//	Ỹ = [diag(σ(δ)) Y, l]  on the lifted samples  (s, 1),
//
// and derivatives by the chain rule through Ỹ.
type fairFormulas struct {
	heldOut[*softmaxRisk]     // train is over the lifted samples
	n, d                  int // classes, features
	ridge                 float64

	a, slope  []float64 // σ(δ) and σ'(δ)
	w         []float64 // Ỹ
	dir, out  []float64 // scratch, a lifted direction and a product
	grad      []float64 // scratch, the lifted gradient
	h, vm, om blas64.General
}

// lift sets a, slope and Ỹ for the point (x, y).
func (l *fairFormulas) lift(x, y []float64) {
	for k, v := range x[:l.n] {
		l.a[k] = sigmoid(v)
		l.slope[k] = l.a[k] * sigmoid(-v)
	}
	l.liftVector(l.w, y)
	for k, shift := range x[l.n:] {
		l.w[k*(l.d+1)+l.d] = shift
	}
}

// liftVector sets dst = [diag(a) V, 0].
func (l *fairFormulas) liftVector(dst, v []float64) {
	for k, a := range l.a {
		row := dst[k*(l.d+1) : (k+1)*(l.d+1)]
		floats.ScaleTo(row[:l.d], a, v[k*l.d:(k+1)*l.d])
		row[l.d] = 0
	}
}

// drop sets dst = diag(a) times the first d columns of the lifted u.
func (l *fairFormulas) drop(dst, u []float64) {
	for k, a := range l.a {
		floats.ScaleTo(dst[k*l.d:(k+1)*l.d], a, u[k*(l.d+1):k*(l.d+1)+l.d])
	}
}

func (l *fairFormulas) g(x, y []float64) float64 {
	l.lift(x, y)
	return l.train.value(l.w) + l.ridge/2*dot(y, y)
}

func (l *fairFormulas) gx(dst, x, y []float64) {
	l.lift(x, y)
	l.train.grad(l.grad, l.w)
	clear(dst)
	l.addSlopes(dst, l.grad, y)
	l.setShifts(dst, l.grad)
}

// addSlopes adds σ'(δ_k) ⟨u_k, v_k⟩ to element k of dst, where u_k is row k of the lifted
// u without its last element and v_k is row k of v.
func (l *fairFormulas) addSlopes(dst, u, v []float64) {
	for k, slope := range l.slope {
		dst[k] += slope * dot(u[k*(l.d+1):k*(l.d+1)+l.d], v[k*l.d:(k+1)*l.d])
	}
}

// setShifts sets the second half of dst to the last column of the lifted u.
func (l *fairFormulas) setShifts(dst, u []float64) {
	for k := range l.n {
		dst[l.n+k] = u[k*(l.d+1)+l.d]
	}
}

func (l *fairFormulas) gy(dst, x, y []float64) {
	l.lift(x, y)
	l.train.grad(l.grad, l.w)
	l.drop(dst, l.grad)
	blas64.Axpy(l.ridge, vec(y), vec(dst))
}

func (l *fairFormulas) hessMul(dst, x, y, v []float64) {
	l.lift(x, y)
	l.liftVector(l.dir, v)
	l.train.hessMul(l.out, l.w, l.dir)
	l.drop(dst, l.out)
	blas64.Axpy(l.ridge, vec(v), vec(dst))
}

func (l *fairFormulas) hessMulMat(dst *mat.Dense, x, y []float64, v *mat.Dense) {
	l.lift(x, y)
	_, m := v.Dims()
	l.vm, l.om = growMatrix(l.vm, len(l.w), m), growMatrix(l.om, len(l.w), m)
	for k, a := range l.a {
		for j := range l.d {
			floats.ScaleTo(l.vm.Data[(k*(l.d+1)+j)*m:(k*(l.d+1)+j+1)*m], a, v.RawRowView(k*l.d+j))
		}
		clear(l.vm.Data[(k*(l.d+1)+l.d)*m : (k+1)*(l.d+1)*m])
	}
	l.train.hessMulMat(l.om, l.w, l.vm)
	for k, a := range l.a {
		for j := range l.d {
			row := dst.RawRowView(k*l.d + j)
			floats.ScaleTo(row, a, l.om.Data[(k*(l.d+1)+j)*m:(k*(l.d+1)+j+1)*m])
			blas64.Axpy(l.ridge, vec(v.RawRowView(k*l.d+j)), vec(row))
		}
	}
}

// jacMul is the derivative of ⟨∇_Ỹ, [diag(σ(δ)) V, 0]⟩ by x, on which both Ỹ and the
// direction depend.
func (l *fairFormulas) jacMul(dst, x, y, v []float64) {
	l.lift(x, y)
	l.train.grad(l.grad, l.w)
	l.liftVector(l.dir, v)
	l.train.hessMul(l.out, l.w, l.dir)
	clear(dst)
	l.addSlopes(dst, l.grad, v)
	l.addSlopes(dst, l.out, y)
	l.setShifts(dst, l.out)
}

func (l *fairFormulas) hess(dst *mat.SymDense, x, y []float64) {
	l.lift(x, y)
	l.h = growMatrix(l.h, len(l.w), len(l.w))
	l.train.hess(l.h, l.w)
	raw := dst.RawSymmetric()
	for r := range raw.N {
		k, j := r/l.d, r%l.d
		for c := r; c < raw.N; c++ {
			kc, jc := c/l.d, c%l.d
			raw.Data[r*raw.Stride+c] = l.a[k] * l.a[kc] * l.h.Data[(k*(l.d+1)+j)*l.h.Stride+kc*(l.d+1)+jc]
		}
		raw.Data[r*raw.Stride+r] += l.ridge
	}
}

// jac takes two products with the lifted Hessian for each class k: one with row k of Y
// and one with the unit vector of the shift.
func (l *fairFormulas) jac(dst *mat.Dense, x, y []float64) {
	l.lift(x, y)
	l.train.grad(l.grad, l.w)
	for k, slope := range l.slope {
		clear(l.dir)
		floats.ScaleTo(l.dir[k*(l.d+1):k*(l.d+1)+l.d], slope, y[k*l.d:(k+1)*l.d])
		l.train.hessMul(l.out, l.w, l.dir)
		row := dst.RawRowView(k)
		l.drop(row, l.out)
		blas64.Axpy(slope, vec(l.grad[k*(l.d+1):k*(l.d+1)+l.d]), vec(row[k*l.d:(k+1)*l.d]))

		clear(l.dir)
		l.dir[k*(l.d+1)+l.d] = 1
		l.train.hessMul(l.out, l.w, l.dir)
		l.drop(dst.RawRowView(l.n+k), l.out)
	}
}

// flops counts, for m samples, C classes, d features, q = C d, q̃ = C(d+1) and
// k = 23C + 10, with 10 for an elementary function:
//
//	value     m(2q̃ + k) + 22C + 3q + 2            g, which costs more than f
//	grad_f    m(4q + k + 1)
//	grad_g    m(4q̃ + k) + 22C + 4q                by y, which costs more than by x
//	hvp       m(6q̃ + k + 5C) + 22C + 5q
//	jvp       m(8q̃ + k + 5C) + 24C + 6q
//	hessian   m(2q̃ + k + q̃(q̃+1) + C(C+1)(d+4)/2) + 22C + q(q+1) + 2q
//	jacobian  m(4q̃ + k + 2C(4q̃ + 5C)) + 22C + q(2C + 4)
func (l *fairFormulas) flops(n sizes) costs {
	m, q, classes := n.samples, n.q, float64(l.n)
	wide := classes * float64(l.d+1)
	each, lift := l.train.flops(), classes*(2*flopsElementary+2)+q
	return costs{
		metrics.CallValue: m*each.value + lift + 2*q + 2,
		metrics.CallGradF: m * (l.val.flops().grad + 1),
		metrics.CallGradG: m*each.grad + lift + 3*q,
		metrics.CallHVP:   m*each.hvp + lift + 4*q,
		// The probabilities once, then a gradient and a product.
		metrics.CallJVP:      m*(each.hvp+2*wide) + lift + 5*q + 2*classes,
		metrics.CallHessian:  m*each.hessian + lift + q*(q+1) + q,
		metrics.CallJacobian: m*(each.grad+2*classes*(4*wide+5*classes)) + lift + q*(2*classes+3),
	}
}
