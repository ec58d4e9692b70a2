package problems

import (
	"fmt"
	"math"
	"strings"
	"sync"

	"gonum.org/v1/gonum/blas/blas64"

	"tallynet/scenarios/problems/budget"
	"tallynet/sim"
)

// TaskConfig describes a learning problem: a linear model with the coefficients y, a mean
// loss over samples, a regularizer, and the place where x enters. Kind names them. With the
// mean validation loss of y and the mean training loss of y over node i's samples,
//
//	least-squares, logistic       single-level (q = 0): the model's coefficients are x,
//	                              f_i(x) = mean training loss of x + (L2/2) ‖x‖²
//	hyper-ridge, hyper-logistic,  x is the regularizer's strength,
//	hyper-svm, hyper-softmax      f_i = validation loss
//	                              g_i = training loss + 1/2 Σ_b exp(x_a(b)) y_b²,  a(b) = b mod p
//	hyper-cleaning                x weighs training samples,
//	                              f_i = validation loss
//	                              g_i = (1/m) Σ_e σ(x_{im+e}) L_e(y) + Ridge ‖y‖²
//	fair-loss                     x scales and shifts the training logits o of each class,
//	                              f_i = mean of ω_class CE(o, class),  ω_c = N / (C N_c)
//	                              g_i = mean of CE(σ(δ)∘o + l, class) + (Ridge/2) ‖y‖²,  x = (δ, l)
//	hyper-representation          x is a hidden layer with h = Hidden units,
//	                              φ(s) = relu(W s + b),  x = (W, b)
//	                              f_i = validation loss on (φ, 1)
//	                              g_i = training loss on (φ, 1) + (Ridge/2) ‖y‖²
//	hyper-representation-linear   the same with φ(s) = Λ's instead of (φ, 1),  x = Λ (d x h)
//
// σ(a) = 1/(1 + e^-a). The loss of a sample s with target t is
//
//	least-squares, hyper-representation-linear  1/2 (s'y - t)²
//	hyper-ridge                                 (s'y - t)²
//	logistic, hyper-logistic                    log(1 + exp(-t s'y)), t = ±1
//	hyper-svm                                   max(0, u), u = 1 - t s'y, t = ±1; with Smoothing w
//	                                            u²/(2w) for 0 < u < w and u - w/2 for u >= w
//	others                                      the cross entropy of softmax(Y s), y = Y (C x d)
//
// All matrices are flattened by rows.
//
// hyper-svm without smoothing uses the derivatives that hold almost everywhere: the second
// is 0, and the first is 0 at the kink u = 0. Then y*(x) lies on kinks, where no gradient is
// zero, so the problem is Unmeasurable. (Departure: Nazari et al. print the regularizer
// y'exp(x), which is linear in y and leaves the logistic inner problem without a minimizer.)
//
// hyper-cleaning has one element of x for each training sample of the network. Node i's g
// depends on its own block of x only. (Departure: Chen, Huang and Ma state neither whether x
// holds the weights of all nodes nor how labels are corrupted.)
//
// fair-loss gives all classes equal weight in f: N_c of the network's N validation samples are
// of class c. With Hidden units the model is a network that is all inside:
// o = V (relu(W s + b), 1), y = (W, b, V). (Departures: without Hidden the model is linear; there
// is a ridge, with which y*(x) of the linear model is unique. In the network of FedNest's program,
// W starts at N(0, 2/d) and b at 0 here, and there is no dropout.)
//
// hyper-representation starts at the same random x on all nodes. relu has derivative 0 at its kink.
// (Departure: a ridge makes y*(x) unique.) The linear one takes only Dim and Noise from Synthetic;
// samples, Λ° and w° have standard normal entries, and t = s'Λ°w° + Noise ζ, as in Grazzi et al. 2020.
//
// Package catalog names the sources.
type TaskConfig struct {
	Kind    string
	Nodes   int
	Samples Samples // per node, at least 1 of each; Val is not used without an inner level

	Synthetic *Synthetic // exactly one kind of data
	MNIST     *Digits
	Mushroom  *Mushroom
	Own       *Own // states the samples of each node; Samples is not used
	// LabelNoise is the probability that a training sample has a wrong label; all wrong
	// classes are equally likely. Validation and test labels stay correct.
	LabelNoise float64
	// AnyLabel makes such a label any of all classes, the right one too, as in Ji, Liu,
	// Liang, Ying, arXiv 2205.14224: of ten classes, 0.1 then gives 9 % wrong labels.
	AnyLabel bool
	Bias     bool // append a feature that is always 1; its coefficients are regularized too

	// SharedAcrossClasses gives hyper-softmax one x for each feature (p = d) instead of one
	// for each coefficient (p = q = C d), and Scalar gives hyper-... one x for all (p = 1).
	SharedAcrossClasses bool
	Scalar              bool
	Smoothing           float64 // hyper-svm; 0 means the hinge loss itself
	L2                  float64
	Ridge               float64 // > 0
	Hidden              int     // hidden units
	// Init is the standard deviation of the starting x of hyper-representation; 0 means
	// sqrt(2/d) (He et al. 2015), with b = 0, and 1 for the linear one.
	Init float64

	X0, Y0 float64 // value of every coordinate of the starting point that is not random
	// Y0Spread is the standard deviation of normal noise that hyper-... adds to every
	// coordinate of every node's starting y. With 0 all nodes start at Y0.
	Y0Spread float64
	Seed     uint64
	// Budget limits the needs of the problem; the zero value means the defaults.
	Budget budget.Limit
}

// taskKind is the meaning of a Kind.
type taskKind struct {
	loss lossKind
	x    place
}

// place is the place of x in a problem.
type place uint8

const (
	inRegularizer place = iota // regularizer
	inModel                    // x are the model's coefficients, and there is no inner level
	inWeights                  // weightedRisk
	inLogits                   // liftedRisk, or networkFormulas
	inFeatures                 // encodedRisk
)

var taskKinds = map[string]taskKind{
	"least-squares":               {halfSquared, inModel},
	"logistic":                    {logistic, inModel},
	"hyper-ridge":                 {squared, inRegularizer},
	"hyper-logistic":              {logistic, inRegularizer},
	"hyper-svm":                   {hinge, inRegularizer},
	"hyper-softmax":               {crossEntropy, inRegularizer},
	"hyper-cleaning":              {crossEntropy, inWeights},
	"fair-loss":                   {crossEntropy, inLogits},
	"hyper-representation":        {crossEntropy, inFeatures},
	"hyper-representation-linear": {halfSquared, inFeatures},
}

func (c TaskConfig) traits() taskKind { return taskKinds[c.Kind] }

// single reports whether there is no inner level. Then validation samples are for training too.
func (c TaskConfig) single() bool { return c.traits().x == inModel }

func (c TaskConfig) target() target {
	switch c.traits().loss {
	case squared, halfSquared:
		return targetNumber
	case crossEntropy:
		return targetClass
	}
	return targetSign
}

// dims returns the lengths of x and y for d features, classes (1 if targets are no classes)
// and m training samples of all nodes.
func (c TaskConfig) dims(d, classes, m float64) (p, q float64) {
	h := float64(c.Hidden)
	q = classes * d
	switch c.traits().x {
	case inModel:
		return d, 0
	case inWeights:
		return m, q
	case inLogits:
		if h > 0 {
			q = h*(d+1) + classes*(h+1)
		}
		return 2 * classes, q
	case inFeatures:
		if c.target() == targetNumber {
			return d * h, h
		}
		return (d + 1) * h, classes * (h + 1)
	}
	switch {
	case c.Scalar:
		return 1, q
	case c.SharedAcrossClasses:
		return d, q
	}
	return q, q
}

// Size implements Sized. It is zero if only a file that is not read yet states it.
func (c TaskConfig) Size() Size {
	if c.Own != nil && c.Own.Table == nil {
		return Size{}
	}
	d, classes, need := c.dataSize()
	m, h := c.rows(), float64(c.Hidden)
	switch c.traits().x {
	case inLogits: // an oracle's copies of samples or features, four lifted vectors, two points
		if h == 0 {
			need = need.Plus(budget.Float64s(2, m+6*classes*float64(c.Nodes), d+1))
		} else {
			need = need.Plus(budget.Float64s(8, m, h+1))
		}
	case inFeatures: // features of the samples, and what flows back
		need = need.Plus(budget.Float64s(6, m, h+1))
	}
	p, q := c.dims(d, classes, c.trainRows())
	s := newSize(c.Nodes, p, q, need)
	s.Limited = c.Hidden > 0
	return s
}

func (c TaskConfig) kind() string { return strings.TrimSuffix(c.Kind, "-linear") }

// NewTask builds the problem. least-squares is Solved. A problem with classes is a Scorer, and
// so is everything else but hyper-representation-linear. hyper-... and hyper-cleaning with classes
// are Fitted; their training accuracy and loss are measured on the nodes' labels, including
// the wrong ones, and without weights. All are MatrixLimited, to any size without Hidden units.
func NewTask(c TaskConfig) (Problem, error) {
	if err := fits(c, c.Budget, c.kind()); err != nil {
		return nil, err
	}
	d, err := c.deal(c.target())
	if err != nil {
		return nil, err
	}
	t := newTask(c, d)
	scored := scorer{t}
	switch {
	case c.Kind == "least-squares":
		return leastSquares{t}, nil
	case d.classes == 0:
		return t, nil
	case t.kind.x == inModel:
		return convexTask{t, scored}, nil
	case t.kind.x == inLogits && c.Hidden > 0:
		return struct {
			*task
			scorer
			unmeasurable
		}{t, scored, "the inner problem is a network's and not convex; without hidden the model is linear"}, nil
	case t.kind.x == inLogits || t.kind.x == inFeatures:
		return struct {
			*task
			scorer
		}{t, scored}, nil
	case c.Kind == "hyper-svm" && c.Smoothing == 0:
		return struct {
			*task
			scorer
			fit
			unmeasurable
		}{t, scored, fit{t}, "the hinge loss has no derivative at y*(x); set smoothing above 0"}, nil
	}
	return struct {
		*task
		scorer
		fit
	}{t, scored, fit{t}}, nil
}

// convexTask is a task whose x are the coefficients of a model.
type convexTask struct {
	*task
	scorer
}

func (convexTask) Convex() {}

// unmeasurable implements Unmeasurable.
type unmeasurable string

// WhyUnmeasurable implements Unmeasurable.
func (u unmeasurable) WhyUnmeasurable() string { return string(u) }

// task is the problem that a TaskConfig describes.
type task struct {
	base
	config  TaskConfig
	kind    taskKind
	data    *dealt
	encoder encoder // of hidden units; nil: there are none
	// random returns the random part of a starting point, the same for all nodes.
	random func() []float64
	omega  []float64 // weight of each class in f; nil: 1
}

func newTask(c TaskConfig, d *dealt) *task {
	t := &task{config: c, kind: c.traits(), data: d, base: base{name: c.kind(), about: d.about,
		holds: d.counts()}}
	features, classes := d.train.x.Cols, 1
	if c.target() == targetClass {
		classes = d.classes
	}
	p, q := c.dims(float64(features), float64(classes), float64(d.train.len()))
	t.frame = frame{int(p), int(q), c.Nodes, fill(int(p), c.X0), fill(int(q), c.Y0)}
	if t.kind.x == inLogits {
		t.omega = classWeights(d)
	}
	if c.Hidden == 0 {
		return t
	}
	t.encoder = reluEncoder{features, c.Hidden}
	deviation, biases := math.Sqrt(2/float64(features)), c.Hidden
	switch c.Kind {
	case "fair-loss":
		t.name += ", network"
	case "hyper-representation":
		t.name += fmt.Sprintf(", mlp, %d hidden", c.Hidden)
	default:
		t.name += fmt.Sprintf(", linear, %d hidden", c.Hidden)
		t.encoder = linearEncoder{features, c.Hidden}
		deviation, biases = 1, 0
	}
	if c.Init > 0 {
		deviation = c.Init
	}
	t.random = sync.OnceValue(func() []float64 {
		weights := gaussian(1, features*c.Hidden, sim.Stream(c.Seed, "start")).Data
		blas64.Scal(deviation, vec(weights))
		return append(weights, make([]float64, biases)...)
	})
	return t
}

// classWeights returns the weight of each class with which all classes have equal weight in f.
func classWeights(d *dealt) []float64 {
	count, omega := make([]float64, d.classes), make([]float64, d.classes)
	for _, t := range d.val.t {
		count[int(t)]++
	}
	for k, n := range count {
		if n > 0 {
			omega[k] = float64(d.val.len()) / (float64(d.classes) * n)
		}
	}
	return omega
}

// LargestMatrix implements MatrixLimited.
func (t *task) LargestMatrix() int {
	if t.encoder == nil {
		return math.MaxInt
	}
	return MaxMatrix
}

// About implements Problem.
func (t *task) About() string {
	if t.kind.x != inModel {
		return t.base.About()
	}
	return fmt.Sprintf("%s: %s; %s with %s, p = %d, l2 = %g",
		t.name, t.about, nodesText(t.nodes), t.holds, t.p, t.config.L2)
}

// Holdings implements Divided.
func (t *task) Holdings() []Holding { return t.data.Holdings() }

// Start implements Problem.
func (t *task) Start(i int) (x0, y0 []float64) {
	x0, y0 = t.base.Start(i)
	switch {
	case t.random == nil:
	case t.kind.x == inFeatures:
		copy(x0, t.random())
	default:
		copy(y0, t.random())
	}
	if t.config.Y0Spread > 0 {
		rng := sim.Stream(t.config.Seed, "start", i)
		for b := range y0 {
			y0[b] += t.config.Y0Spread * rng.NormFloat64()
		}
	}
	return x0, y0
}

// Local implements Problem.
func (t *task) Local(i int) Local {
	mustNode(i, t.nodes)
	return &oracle{formulas: t.formulas(i), p: t.p, q: t.q, limited: t.encoder != nil}
}

// formulas returns node i's.
func (t *task) formulas(i int) formulas {
	val, train := t.data.nodeVal(i), t.data.nodeTrain(i)
	strength := t.config.Ridge
	m := &modelFormulas{regularizer: ridge(strength)}
	switch t.kind.x {
	case inModel:
		return &singleFormulas{risk: t.risk(train), l2: t.config.L2}
	case inRegularizer:
		m.regularizer = expRegularizer(1)
		m.val, m.train, m.coupling = fixedRisk{t.risk(val)}, fixedRisk{t.risk(train)}, m.regularizer
	case inWeights:
		lo, _ := t.data.trainOf(i)
		w := newWeightedRisk(newSoftmaxRisk(t.data.classes, train), lo)
		m.regularizer = ridge(2 * strength)
		m.val, m.train, m.coupling = fixedRisk{t.risk(val)}, w, w
	case inFeatures:
		e := newEncodedRisk(t.encoder, t.config.Hidden, train, t.risk)
		m.val, m.train, m.coupling = newEncodedRisk(t.encoder, t.config.Hidden, val, t.risk), e, e
	case inLogits:
		weights := make([]float64, val.len())
		for k, class := range val.t {
			weights[k] = t.omega[int(class)]
		}
		if layer, ok := t.encoder.(reluEncoder); ok {
			return newNetworkFormulas(layer, t.data.classes, val, weights, train, strength)
		}
		weighed, lifted := newSoftmaxRisk(t.data.classes, val), newLiftedRisk(t.data.classes, train)
		weighed.weigh(weights)
		m.val, m.train, m.coupling = fixedRisk{weighed}, lifted, lifted
	}
	return m
}

// risk returns the mean loss over samples.
func (t *task) risk(s samples) featureRisk {
	if t.kind.loss == crossEntropy {
		return newSoftmaxRisk(t.data.classes, s)
	}
	return newMarginRisk(loss{t.kind.loss, t.config.Smoothing}, s)
}

// model returns the coefficients of the linear model, and the features of samples.
func (t *task) model(x, y []float64, s samples) (coef []float64, features samples) {
	if t.kind.x == inModel {
		mustLen("x", x, t.p)
		return x, s
	}
	mustLen("y", y, t.q)
	if t.encoder == nil {
		return y, s
	}
	if layer, ok := t.encoder.(reluEncoder); ok && t.kind.x == inLogits {
		x, y = y[:layer.size()], y[layer.size():]
	} else {
		mustLen("x", x, t.p)
	}
	features = newSamples(s.len(), t.encoder.width())
	t.encoder.encode(features.x, x, s.x)
	return y, samples{features.x, s.t}
}

// scorer implements Scorer. The accuracy of fair-loss is that of the model y, whose logits are
// neither scaled nor shifted.
type scorer struct{ of *task }

func (s scorer) on(part samples, x, y []float64) float64 {
	coef, features := s.of.model(x, y, part)
	return accuracy(coef, features)
}

// Accuracy implements Scorer.
func (s scorer) Accuracy(x, y []float64) (train, test float64) {
	return s.on(s.of.data.train, x, y), s.TestAccuracy(x, y)
}

// TrainAccuracy implements Scorer.
func (s scorer) TrainAccuracy(i int, x, y []float64) float64 {
	mustNode(i, s.of.nodes)
	return s.on(s.of.data.nodeTrain(i), x, y)
}

// TestAccuracy implements Scorer.
func (s scorer) TestAccuracy(x, y []float64) float64 { return s.on(s.of.data.tested(), x, y) }

// TestSet implements Scorer.
func (s scorer) TestSet() TestSet {
	n, m := s.of.q, s.of.data.test.len()
	if s.of.kind.x == inModel || s.of.kind.x == inFeatures { // x is in the model
		n += s.of.p
	}
	return TestSet{m, float64(m) * float64(n)}
}

// fit implements Fitted.
type fit struct{ of *task }

// TrainLoss implements Fitted.
func (f fit) TrainLoss(x, y []float64) float64 { return f.on(f.of.data.train, x, y) }

// TestLoss implements Fitted.
func (f fit) TestLoss(x, y []float64) float64 { return f.on(f.of.data.tested(), x, y) }

// on returns the mean loss over samples, NaN if there are none.
func (f fit) on(s samples, x, y []float64) float64 {
	if s.len() == 0 {
		return math.NaN()
	}
	coef, features := f.of.model(x, y, s)
	return f.of.risk(features).value(coef)
}
