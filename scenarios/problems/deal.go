package problems

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"tallynet/scenarios/problems/data"
	"tallynet/sim"
)

// Synthetic describes random samples whose targets follow a linear model. With d = Dim,
// noise ν and heterogeneity h, node i has
//
//	model      w_i = w + h δ_i,  w and δ_i from N(0, I/d), or N(0, I) with StandardModel;
//	           for softmax one row per class
//	features   s = h μ_i + ξ,    μ_i and ξ from N(0, I)
//	target     s'w_i + ν ζ       ridge, least squares; ζ from N(0, 1)
//	label      its sign          logistic
//	class      argmax_c (W_i s)_c + ν ζ_c    softmax
//
// so that at h = 0 all nodes draw from one distribution. Test samples follow w with
// h = 0. Asking for more samples leaves a node's first ones unchanged. With ScaleByNode
// the features of node i = 1, 2, ... are multiplied by i, so their variance is i². With
// ScaleByNode, StandardModel, h = 0 and ν = 0.1 the data are those of Chen, Huang, Ma,
// arXiv 2206.05670, figure 1: ν turns about 0.45 % of the labels, without StandardModel
// 3.2 %. (Departure: they print the noise as a vector; here it is one number per sample.)
type Synthetic struct {
	Dim           int
	Noise         float64 // >= 0
	Heterogeneity float64 // >= 0
	Classes       int     // softmax only; 0 means 3
	Test          int     // test samples of problems with classes; 0 means 1000
	ScaleByNode   bool
	StandardModel bool // the entries of w and δ_i are standard normal
}

// Digits describes digits as samples: pixels scaled to [0, 1] and averaged over squares
// of Pool x Pool. No training image is used twice. The test samples are all test images
// of the chosen classes.
type Digits struct {
	Images *data.MNIST // see data.Loader
	Name   string      // of the data set, if not MNIST
	// Classes are the digits used. The losses with targets -1 and +1 take exactly two:
	// the first is -1, the second +1. For softmax nil means all ten.
	Classes []int
	Pool    int // divides 28: 2 gives 14 x 14 = 196 features, 4 gives 49; 0 means 1
	// Normalized shifts and scales pixels by 0.1307 and 0.3081, as many programs do.
	Normalized bool
	Partition  data.Partition
	// Imbalance μ makes the training images long-tailed: class k = 0, 1, ... of Classes
	// keeps at most N μ^k of its images, N = 6,000 for MNIST. 0 and 1 keep all of them.
	// Tarzanagh, Li, Thrampoulidis, Oymak, ICML 2022 (FedNest) use 0.01^(1/9).
	Imbalance float64
}

func (s *Digits) size(t target) (d, classes, test float64) {
	side, test, pool := 28, 10_000.0, max(s.Pool, 1)
	if s.Images != nil {
		side, test = s.Images.Train.Rows, float64(s.Images.Test.Len())
	}
	side /= pool
	classes = 1
	if t == targetClass {
		classes = 10
		if s.Classes != nil {
			classes = float64(len(s.Classes))
		}
	}
	return float64(side * side), classes, test
}

// target is the kind of target that a loss needs.
type target uint8

const (
	targetNumber target = iota
	targetSign          // -1 or +1
	targetClass         // 0, 1, ...
)

func (c TaskConfig) deal(t target) (*dealt, error) {
	var out *dealt
	var err error
	switch {
	case c.Kind == "hyper-representation-linear":
		out = c.dealLinear()
	case c.Synthetic != nil:
		out = c.dealSynthetic(t)
	case c.Mushroom != nil:
		out, err = c.dealMushroom(t)
	case c.Own != nil:
		out, err = c.dealOwn(t)
	default:
		out, err = c.dealMNIST(t)
	}
	if err == nil && c.LabelNoise > 0 {
		c.spoil(out)
	}
	return out, err
}

// spoil gives training samples wrong labels.
func (c TaskConfig) spoil(d *dealt) {
	for i := range c.Nodes {
		rng := sim.Stream(c.Seed, "data", i, 3)
		for k, t := range d.nodeTrain(i).t {
			wrong := rng.Float64() < c.LabelNoise
			if c.AnyLabel {
				if label := float64(rng.IntN(d.classes)); wrong {
					d.nodeTrain(i).t[k] = label
					if d.signs {
						d.nodeTrain(i).t[k] = 2*label - 1
					}
				}
				continue
			}
			other := rng.IntN(d.classes - 1)
			switch {
			case !wrong:
			case d.signs:
				d.nodeTrain(i).t[k] = -t
			case other >= int(t):
				d.nodeTrain(i).t[k] = float64(other + 1)
			default:
				d.nodeTrain(i).t[k] = float64(other)
			}
		}
	}
	what := "wrong"
	if c.AnyLabel {
		what = "redrawn from all classes"
	}
	d.about += fmt.Sprintf(", %g of the training labels %s", c.LabelNoise, what)
}

// width returns the number of columns for d features.
func (c TaskConfig) width(d int) int {
	if c.Bias {
		return d + 1
	}
	return d
}

// split returns a row's features without the bias, which it sets to 1.
func (c TaskConfig) split(row []float64) []float64 {
	if !c.Bias {
		return row
	}
	row[len(row)-1] = 1
	return row[:len(row)-1]
}

func (c TaskConfig) dealSynthetic(t target) *dealt {
	s := *c.Synthetic
	s.Classes, s.Test = cmp.Or(s.Classes, 3), cmp.Or(s.Test, 1000)
	out := c.newDealt(s.Dim)
	out.about = fmt.Sprintf("synthetic data, noise %g, heterogeneity %g", s.Noise, s.Heterogeneity)
	models := 1
	switch t {
	case targetSign:
		out.classes, out.signs = 2, true
	case targetClass:
		out.classes, models = s.Classes, s.Classes
	}
	modelScale := 1 / math.Sqrt(float64(s.Dim))
	if s.StandardModel {
		modelScale = 1
		out.about += ", standard model"
	}
	truth := newTruth(models, s.Dim, modelScale, sim.Stream(c.Seed, "data"))
	for i := range c.Nodes {
		own := truth.at(s.Heterogeneity, modelScale, sim.Stream(c.Seed, "data", i))
		if s.ScaleByNode {
			own.scale = float64(i + 1)
		}
		c.draw(out.nodeTrain(i), own, s.Noise, t, sim.Stream(c.Seed, "data", i, 1))
		if c.Samples.Val > 0 {
			c.draw(out.nodeVal(i), own, s.Noise, t, sim.Stream(c.Seed, "data", i, 2))
		}
	}
	if out.classes > 0 {
		out.test = newSamples(s.Test, c.width(s.Dim))
		c.draw(out.test, truth, s.Noise, t, sim.Stream(c.Seed, "test"))
	}
	return out
}

// dealLinear draws the data of a linear representation. Those of node i depend only on
// the seed and i.
func (c TaskConfig) dealLinear() *dealt {
	s := c.Synthetic
	rng := sim.Stream(c.Seed, "data")
	lambda, w := gaussian(s.Dim, c.Hidden, rng), gaussian(1, c.Hidden, rng)
	truth := make([]float64, s.Dim)
	gemv(truth, 1, lambda, w.Data, 0)
	out := c.newDealt(s.Dim)
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
	return out
}

// truth is the distribution of samples: the model that their targets follow, with one row
// for each class or a single one, and the mean of the features.
type truth struct {
	w     blas64.General
	mean  []float64
	scale float64 // of the features
}

func newTruth(models, dim int, scale float64, rng *rand.Rand) truth {
	tr := truth{gaussian(models, dim, rng), make([]float64, dim), 1}
	blas64.Scal(scale, vec(tr.w.Data))
	return tr
}

// at draws a node's own truth at heterogeneity h.
func (tr truth) at(h, scale float64, rng *rand.Rand) truth {
	own := newTruth(tr.w.Rows, tr.w.Cols, scale, rng)
	for k, w := range tr.w.Data {
		own.w.Data[k] = w + h*own.w.Data[k]
	}
	for j := range own.mean {
		own.mean[j] = h * rng.NormFloat64()
	}
	return own
}

// draw fills dst with samples from tr.
func (c TaskConfig) draw(dst samples, tr truth, noise float64, t target, rng *rand.Rand) {
	score := make([]float64, tr.w.Rows)
	for i := range dst.t {
		features := c.split(dst.row(i))
		for j := range features {
			features[j] = tr.scale * (tr.mean[j] + rng.NormFloat64())
		}
		gemv(score, 1, tr.w, features, 0)
		for k := range score {
			score[k] += noise * rng.NormFloat64()
		}
		switch t {
		case targetNumber:
			dst.t[i] = score[0]
		case targetSign:
			dst.t[i] = math.Copysign(1, score[0])
		case targetClass:
			dst.t[i] = float64(floats.MaxIdx(score))
		}
	}
}

// newDealt returns samples of d features for all nodes, still to be filled.
func (c TaskConfig) newDealt(d int) *dealt {
	return &dealt{
		nodes: c.Nodes,
		train: newSamples(c.Nodes*c.Samples.Train, c.width(d)),
		val:   newSamples(c.Nodes*c.Samples.Val, c.width(d)),
	}
}

// partition deals samples of pool to the nodes; see data.Partition.
func (c TaskConfig) partition(p data.Partition, pool []int, labels []byte) ([][]int, error) {
	return p.Deal(pool, labels, c.Nodes, c.Samples.Train+c.Samples.Val, sim.Stream(c.Seed, "partition"))
}

// reader reads a data set's sample i.
type reader struct {
	features func(dst []float64, i int)
	target   func(i int) float64
}

// read fills dst with the samples idx.
func (c TaskConfig) read(dst samples, idx []int, read reader) {
	for k, i := range idx {
		read.features(c.split(dst.row(k)), i)
		dst.t[k] = read.target(i)
	}
}

// readTest makes the samples idx dst's test samples. Their features are read on first use.
func (c TaskConfig) readTest(dst *dealt, d int, idx []int, read reader) {
	dst.test = newSamples(len(idx), c.width(d))
	for k, i := range idx {
		dst.test.t[k] = read.target(i)
	}
	dst.fill = func() { c.read(dst.test, idx, read) }
}

// readParts fills each node's training and then its validation samples from its part.
func (c TaskConfig) readParts(dst *dealt, parts [][]int, read reader) {
	for i, part := range parts {
		c.read(dst.nodeTrain(i), part[:c.Samples.Train], read)
		c.read(dst.nodeVal(i), part[c.Samples.Train:], read)
	}
}

func (c TaskConfig) dealMNIST(t target) (*dealt, error) {
	s := *c.MNIST
	if s.Classes == nil && t == targetClass {
		s.Classes = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	}
	value := targetsOf(s.Classes, t)
	s.Pool = max(s.Pool, 1)
	side := s.Images.Train.Rows
	parts, err := c.partition(s.Partition, c.longTail(s), s.Images.Train.Labels)
	if err != nil {
		return nil, fmt.Errorf("mnist, digits %v: %w", s.Classes, err)
	}
	test := s.Images.Test.Select(s.Classes)
	d := side / s.Pool * (side / s.Pool)
	out := c.newDealt(d)
	out.classes, out.signs = len(s.Classes), t != targetClass
	out.about = s.about(side / s.Pool)
	for _, class := range s.Classes {
		out.names = append(out.names, fmt.Sprint(class))
	}
	from := func(images *data.Images) reader {
		pixels := func(dst []float64, i int) {
			images.Features(dst, i, s.Pool)
			for k := range dst {
				if s.Normalized && k < d { // not the bias
					dst[k] = (dst[k] - 0.1307) / 0.3081
				}
			}
		}
		return reader{pixels,
			func(i int) float64 { return value[images.Labels[i]] }}
	}
	c.readParts(out, parts, from(s.Images.Train))
	c.readTest(out, d, test, from(s.Images.Test))
	return out, nil
}

// longTail returns the indices of the training images that may be dealt.
func (c TaskConfig) longTail(s Digits) []int {
	pool := s.Images.Train.Select(s.Classes)
	if s.Imbalance == 0 || s.Imbalance == 1 {
		return pool
	}
	var left [256]int
	full := float64(s.Images.Train.Len()) / 10
	for k, class := range s.Classes {
		left[class] = int(full*math.Pow(s.Imbalance, float64(k)) + 1e-9)
	}
	rng := sim.Stream(c.Seed, "partition", 1)
	rng.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	return slices.DeleteFunc(pool, func(i int) bool {
		left[s.Images.Train.Labels[i]]--
		return left[s.Images.Train.Labels[i]] < 0
	})
}

func (s Digits) about(side int) string {
	digits := make([]string, len(s.Classes))
	for k, c := range s.Classes {
		digits[k] = fmt.Sprint(c)
	}
	name, kind := "MNIST digits", partitionAbout(s.Partition)
	if s.Name != "" {
		name = s.Name + " classes"
	}
	if s.Imbalance != 0 && s.Imbalance != 1 {
		kind += fmt.Sprintf(", imbalance %.4g", s.Imbalance)
	}
	return fmt.Sprintf("%s %s at %d x %d, %s", name, strings.Join(digits, ","), side, side, kind)
}

func partitionAbout(p data.Partition) string {
	switch p.Kind {
	case "":
		return "iid"
	case "dirichlet":
		return fmt.Sprintf("dirichlet(%g)", p.Concentration)
	case "own-class":
		return fmt.Sprintf("own-class(%g)", p.Own)
	}
	return p.Kind
}

// targetsOf returns the target of each label.
func targetsOf(classes []int, t target) (value [256]float64) {
	for k, c := range classes {
		value[c] = float64(k)
		if t != targetClass {
			value[c] = float64(2*k - 1)
		}
	}
	return value
}
