package problems

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/blas/blas64"

	"tallynet/scenarios/problems/budget"
	"tallynet/sim"
)

// RepresentationConfig describes hyper-representation: x turns samples into h = Hidden
// features, and y is a linear model on them,
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
// At its kink relu has derivative 0. Products never form a matrix. The problem is
// MatrixLimited.
//
// Sources: mlp, 784-200-10 on MNIST: Nazari et al., arXiv 2211.04088, figure 4 (p =
// 157,000, q = 2,010). linear: Ji, Liu, Liang, Ying, arXiv 2205.14224, table 3, with
// data as in Grazzi et al. 2020: samples, Λ° and w° have standard normal entries, and
// t = s'Λ°w° + Noise ζ.
//
// Departure: the mlp's inner problem has a ridge, so that y*(x) is unique.
type RepresentationConfig struct {
	Model   string // "mlp", "linear"
	Nodes   int
	Samples Samples // per node, at least 1 of each
	Hidden  int     // h

	// An mlp takes its samples from either Synthetic or MNIST. A linear model takes only
	// Dim and Noise from Synthetic.
	Synthetic *Synthetic
	MNIST     *Digits
	Own       *Own // says how many samples each node has; Samples is not used

	Ridge float64 // > 0: without it y*(x) need not be unique
	// Init is the standard deviation of the starting x, the same on all nodes; 0 means
	// sqrt(2/d) for mlp (He et al. 2015), with b = 0, and 1 for linear.
	Init float64
	Y0   float64
	Seed uint64
	// Budget is what the problem may need at most; the zero value means the defaults.
	Budget budget.Limit
}

// NewRepresentation builds the problem. An mlp is a Scorer.
func NewRepresentation(c RepresentationConfig) (Problem, error) {
	err := cmp.Or(c.source().checkSamples(), needCount("hidden", c.Hidden), needFinite(0, c.Y0),
		needPositive("ridge", c.Ridge),
		needAmount("init", c.Init))
	if err != nil {
		return nil, err
	}
	if err := fits(c, c.Budget); err != nil {
		return nil, err
	}
	r := &representation{
		base: base{
			name:  fmt.Sprintf("hyper-representation, %s, %d hidden", c.Model, c.Hidden),
			nodes: c.Nodes, samples: c.Samples, y0: c.Y0,
		},
		config: c,
	}
	switch c.Model {
	case "mlp":
		r.data, err = c.source().deal(targetClass)
	case "linear":
		r.data, err = c.dealLinear()
	default:
		return nil, wrong("model", "model is %q; choose mlp or linear", c.Model)
	}
	if err != nil {
		return nil, err
	}
	r.about, r.held = r.data.about, r.data
	d := r.data.train.x.Cols
	r.p, r.q, r.start = d*c.Hidden, c.Hidden, sync.OnceValue(r.drawStart)
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

// dealLinear draws the data of a linear representation. Those of node i depend only on
// the seed and i.
func (c RepresentationConfig) dealLinear() (*dealt, error) {
	if err := needCount("nodes", c.Nodes); err != nil {
		return nil, err
	}
	s := c.Synthetic
	if s == nil || c.MNIST != nil || c.Own != nil {
		return nil, wrong("data", "data: a linear representation needs synthetic data, since its targets are numbers; "+
			"for images choose model mlp")
	}
	if err := cmp.Or(needCount("dim", s.Dim), needAmount("noise", s.Noise)); err != nil {
		return nil, err
	}
	rng := sim.Stream(c.Seed, "data")
	lambda, w := gaussian(s.Dim, c.Hidden, rng), gaussian(1, c.Hidden, rng)
	truth := make([]float64, s.Dim)
	gemv(truth, 1, lambda, w.Data, 0)
	out := source{nodes: c.Nodes, samples: c.Samples}.newDealt(s.Dim)
	out.about = fmt.Sprintf("normal data, noise %g", s.Noise)
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
	base
	config RepresentationConfig // Init is set
	data   *dealt
	start  func() []float64 // of x, the same for all nodes
}

// LargestMatrix implements MatrixLimited.
func (r *representation) LargestMatrix() int { return MaxMatrix }

// Start implements Problem. x0 is random, but the same for all nodes.
func (r *representation) Start(i int) (x0, y0 []float64) {
	mustNode(i, r.nodes)
	return slices.Clone(r.start()), fill(r.q, r.y0)
}

// drawStart draws the starting x.
func (r *representation) drawStart() []float64 {
	x0 := gaussian(1, r.p, sim.Stream(r.config.Seed, "start")).Data
	blas64.Scal(r.config.Init, vec(x0))
	if r.config.Model == "mlp" {
		clear(x0[r.p-r.config.Hidden:])
	}
	return x0
}

func (r *representation) encoder() encoder {
	d, h := r.data.train.x.Cols, r.config.Hidden
	if r.config.Model == "linear" {
		return linearEncoder{d, h}
	}
	return reluEncoder{d, h}
}

func (r *representation) Local(i int) Local {
	mustNode(i, r.nodes)
	l := &representationFormulas{h: r.config.Hidden, ridge: r.config.Ridge, encoder: r.encoder()}
	l.val, l.train = r.encoded(r.data.nodeVal(i)), r.encoded(r.data.nodeTrain(i))
	return &oracle{formulas: l, p: r.p, q: r.q, limited: true}
}

func (r *representation) encoded(s samples) *encoded {
	e := &encoded{selection: selection{all: s}, encoder: r.encoder()}
	// The risk's FLOP counts depend on the number of features, even before there is a point.
	none := samples{x: blas64.General{Cols: e.encoder.width(), Stride: e.encoder.width()}}
	if r.config.Model == "linear" {
		e.risk = newMarginRisk(loss{kind: halfSquared}, none)
	} else {
		e.risk = newSoftmaxRisk(r.data.classes, none)
	}
	return e
}

// scoredRepresentation is an mlp.
type scoredRepresentation struct{ *representation }

// Accuracy implements Scorer: that of features and model together.
func (r scoredRepresentation) Accuracy(x, y []float64) (train, test float64) {
	return r.share(x, y, r.data.train), r.share(x, y, r.data.tested())
}

// TrainAccuracy implements Scorer.
func (r scoredRepresentation) TrainAccuracy(i int, x, y []float64) float64 {
	mustNode(i, r.nodes)
	return r.share(x, y, r.data.nodeTrain(i))
}

// TestAccuracy implements Scorer.
func (r scoredRepresentation) TestAccuracy(x, y []float64) float64 {
	return r.share(x, y, r.data.tested())
}

// TestSet implements Scorer.
func (r scoredRepresentation) TestSet() TestSet {
	m := r.data.test.len()
	return TestSet{m, float64(m) * float64(r.p+r.q)}
}

// share returns the accuracy on s.
func (r scoredRepresentation) share(x, y []float64, s samples) float64 {
	mustLen("x", x, r.p)
	mustLen("y", y, r.q)
	e := r.encoder()
	f := newSamples(s.len(), e.width())
	e.encode(f.x, x, s.x)
	return accuracy(y, samples{f.x, s.t})
}
