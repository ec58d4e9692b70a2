package problems

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"tallynet/sim"
)

// RepresentationConfig describes hyper-representation: x makes features of samples,
// y is a linear model on them, with h = Hidden features,
//
//	mlp     φ(s) = relu(W s + b),  x = (W, b), W (h x d) flattened by rows, p = h (d + 1);
//	        the loss is the cross entropy of softmax(Y (φ, 1)), y = Y (C x (h + 1))
//	        flattened by rows, its last column the bias, q = C (h + 1)
//	linear  φ(s) = Λ's,  x = Λ (d x h) flattened by rows, p = d h;
//	        the loss is 1/2 (φ'y - t)², q = h
//
//	g_i(x, y) = mean training loss + (Ridge/2) ‖y‖²
//	f_i(x, y) = mean validation loss
//
// At a kink of relu its derivative is 0. Products never form a matrix; Hessians and
// Jacobians of more than MaxMatrix elements are refused by a panic.
//
// Sources: mlp, 784-200-10 on MNIST: Nazari et al., arXiv 2211.04088, figure 4 (p =
// 157,000, q = 2,010). linear: Ji, Liu, Liang, Ying, arXiv 2205.14224, table 3, with
// data as in Grazzi et al. 2020: training and validation samples, Λ° and w° of
// standard normal entries, t = s'Λ°w° + Noise ζ.
//
// Departure: the mlp's inner problem has a ridge, so that y*(x) is unique.
type RepresentationConfig struct {
	Model   string // "mlp", "linear"
	Nodes   int
	Samples Samples // of each node, at least 1 of both
	Hidden  int     // h

	// Synthetic or MNIST is where an mlp's samples come from. A linear model takes Dim
	// and Noise from Synthetic.
	Synthetic *Synthetic
	MNIST     *MNIST

	Ridge float64 // > 0: without it y*(x) need not be unique
	// Init is the standard deviation of the starting x, the same on all nodes; 0 means
	// sqrt(2/d) for mlp (He et al. 2015), with b = 0, and 1 for linear.
	Init float64
	Y0   float64
	Seed uint64
}

// MaxMatrix is the largest number of elements of a Hessian or Jacobian that the
// oracle of a representation forms: 256 MB.
const MaxMatrix = 1 << 25

// NewRepresentation builds the problem. An mlp is a Scorer.
func NewRepresentation(c RepresentationConfig) (Problem, error) {
	if err := c.Samples.check(); err != nil {
		return nil, err
	}
	if err := needCount("hidden", c.Hidden); err != nil {
		return nil, err
	}
	if err := needFinite(0, c.Y0); err != nil {
		return nil, err
	}
	if err := needPositive("ridge", c.Ridge); err != nil {
		return nil, err
	}
	if err := needAmount("init", c.Init); err != nil {
		return nil, err
	}
	r := &representation{config: c}
	var err error
	switch c.Model {
	case "mlp":
		r.data, err = source{nodes: c.Nodes, train: c.Samples.Train, val: c.Samples.Val, synthetic: c.Synthetic, mnist: c.MNIST, seed: c.Seed}.deal(targetClass)
	case "linear":
		r.data, err = c.dealLinear()
	default:
		return nil, wrong("model", "model is %q; choose mlp or linear", c.Model)
	}
	if err != nil {
		return nil, err
	}
	d := r.data.train.x.Cols
	r.p, r.q = d*c.Hidden, c.Hidden
	if r.config.Init == 0 {
		r.config.Init = 1
	}
	if c.Model == "linear" {
		return r, nil
	}
	r.p, r.q = (d+1)*c.Hidden, r.data.classes*(c.Hidden+1)
	if c.Init == 0 {
		r.config.Init = math.Sqrt(2 / float64(d))
	}
	return scoredRepresentation{r}, nil
}

// dealLinear draws the data of a linear representation. Node i's depend on the seed
// and i alone.
func (c RepresentationConfig) dealLinear() (*dealt, error) {
	if err := needCount("nodes", c.Nodes); err != nil {
		return nil, err
	}
	s := c.Synthetic
	if s == nil || c.MNIST != nil {
		return nil, wrong("data", "a linear representation has synthetic data, whose targets are numbers; for images choose model mlp")
	}
	if err := needCount("dim", s.Dim); err != nil {
		return nil, err
	}
	if err := needAmount("noise", s.Noise); err != nil {
		return nil, err
	}
	rng := sim.Stream(c.Seed, "data")
	lambda, w := gaussian(s.Dim, c.Hidden, rng), gaussian(1, c.Hidden, rng)
	truth := make([]float64, s.Dim)
	gemv(truth, 1, lambda, w.Data, 0)
	out := &dealt{nodes: c.Nodes, train: newSamples(c.Nodes*c.Samples.Train, s.Dim), val: newSamples(c.Nodes*c.Samples.Val, s.Dim),
		about: fmt.Sprintf("normal data, noise %g", s.Noise)}
	for i := range c.Nodes {
		for k, dst := range []samples{out.nodeTrain(i), out.nodeVal(i)} {
			rng := sim.Stream(c.Seed, "data", i, k+1)
			for e := range dst.t {
				row := dst.row(e)
				for j := range row {
					row[j] = rng.NormFloat64()
				}
				dst.t[e] = dot(row, truth) + s.Noise*rng.NormFloat64()
			}
		}
	}
	return out, nil
}

type representation struct {
	config RepresentationConfig // Init is set
	data   *dealt
	p, q   int
}

func (r *representation) Dims() (p, q int) { return r.p, r.q }
func (r *representation) Nodes() int       { return r.data.nodes }

// LargestMatrix implements MatrixLimited.
func (r *representation) LargestMatrix() int { return MaxMatrix }

// Start implements Problem: x0 is drawn, and the same for all nodes.
func (r *representation) Start(i int) (x0, y0 []float64) {
	mustNode(i, r.data.nodes)
	x0 = gaussian(1, r.p, sim.Stream(r.config.Seed, "start")).Data
	blas64.Scal(r.config.Init, vec(x0))
	if r.config.Model == "mlp" {
		clear(x0[r.p-r.config.Hidden:])
	}
	return x0, fill(r.q, r.config.Y0)
}

func (r *representation) About() string {
	return fmt.Sprintf("hyper-representation, %s, %d hidden: %s; %d nodes with %d training and %d validation samples, p = %d, q = %d",
		r.config.Model, r.config.Hidden, r.data.about, r.data.nodes, r.config.Samples.Train, r.config.Samples.Val, r.p, r.q)
}

func (r *representation) encoder() encoder {
	d, h := r.data.train.x.Cols, r.config.Hidden
	if r.config.Model == "linear" {
		return linearEncoder{d, h}
	}
	return reluEncoder{d, h}
}

func (r *representation) Local(i int) Local {
	mustNode(i, r.data.nodes)
	return &representationLocal{
		p: r.p, q: r.q, h: r.config.Hidden, ridge: r.config.Ridge, encoder: r.encoder(),
		val: r.encoded(r.data.nodeVal(i)), train: r.encoded(r.data.nodeTrain(i)),
	}
}

func (r *representation) encoded(s samples) *encoded {
	newRisk := func() featureRisk {
		if r.config.Model == "linear" {
			return newMarginRisk(loss{kind: halfSquared}, samples{})
		}
		return newSoftmaxRisk(r.data.classes, samples{})
	}
	e := &encoded{encoder: r.encoder(), full: encodedState{s: s, risk: newRisk()}, part: encodedState{risk: newRisk()}}
	e.cur = &e.full
	// Sizes and FLOP counts are asked before any point is known.
	e.full.risk.reset(samples{x: blas64.General{Cols: e.encoder.width(), Stride: e.encoder.width()}})
	return e
}

// scoredRepresentation is an mlp.
type scoredRepresentation struct{ *representation }

// Accuracy implements Scorer: of features and model together.
func (r scoredRepresentation) Accuracy(x, y []float64) (train, test float64) {
	mustLen("x", x, r.p)
	mustLen("y", y, r.q)
	of := func(s samples) float64 {
		e := r.encoder()
		f := newSamples(s.len(), e.width())
		e.encode(f.x, x, s.x)
		return accuracy(y, samples{f.x, s.t})
	}
	return of(r.data.train), of(r.data.test)
}
