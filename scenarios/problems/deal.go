package problems

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/blas/blas64"

	"tallynet/scenarios/problems/data"
	"tallynet/sim"
)

// Synthetic describes random samples with a linear truth. With d = Dim, noise ν
// and heterogeneity h, node i has
//
//	truth      w_i = w + h δ_i,  w and δ_i from N(0, I/d); for softmax one row for each class
//	features   s = h μ_i + ξ,    μ_i and ξ from N(0, I)
//	target     s'w_i + ν ζ       ridge, least squares; ζ from N(0, 1)
//	label      its sign          logistic
//	class      argmax_c (W_i s)_c + ν ζ_c    softmax
//
// so that at h = 0 all nodes draw from one distribution. Test samples follow w with
// h = 0. A node's first samples stay the same if more are asked for.
type Synthetic struct {
	Dim           int
	Noise         float64 // >= 0
	Heterogeneity float64 // >= 0
	Classes       int     // softmax only; 0 means 3
	Test          int     // test samples of problems with classes; 0 means 1000
}

// MNIST describes digits as samples: pixels scaled to [0, 1] and averaged over
// squares of Pool x Pool. Each node gets training images of its own, no image is
// used twice. The test samples are all test images of the chosen classes.
type MNIST struct {
	Images *data.MNIST // see data.Loader
	// Classes are the digits used. Losses of two classes (logistic, ridge) take
	// exactly two, the first is -1 and the second +1. For softmax nil means all ten.
	Classes   []int
	Pool      int // divides 28: 2 gives 14 x 14 = 196 features, 4 gives 49; 0 means 1
	Partition data.Partition
}

// target is what a loss wants to be told about a sample.
type target uint8

const (
	targetNumber target = iota
	targetSign          // -1 or +1
	targetClass         // 0, 1, ...
)

// source is where samples come from and how many of them.
type source struct {
	nodes      int
	train, val int // for each node
	synthetic  *Synthetic
	mnist      *MNIST
	bias       bool // append a feature that is always 1
	seed       uint64
}

func (c source) deal(t target) (*dealt, error) {
	if err := needCount("nodes", c.nodes); err != nil {
		return nil, err
	}
	switch {
	case c.synthetic != nil && c.mnist != nil:
		return nil, fmt.Errorf("data is both synthetic and mnist; choose one")
	case c.synthetic != nil:
		return c.dealSynthetic(t)
	case c.mnist != nil:
		return c.dealMNIST(t)
	}
	return nil, fmt.Errorf("data is missing; choose synthetic or mnist")
}

// width returns the number of columns for d features.
func (c source) width(d int) int {
	if c.bias {
		return d + 1
	}
	return d
}

// split returns a row's features, with the bias, if any, set to 1.
func (c source) split(row []float64) []float64 {
	if !c.bias {
		return row
	}
	row[len(row)-1] = 1
	return row[:len(row)-1]
}

func (c source) dealSynthetic(t target) (*dealt, error) {
	s := *c.synthetic
	if err := needCount("dim", s.Dim); err != nil {
		return nil, err
	}
	if err := needAmount("noise", s.Noise); err != nil {
		return nil, err
	}
	if err := needAmount("heterogeneity", s.Heterogeneity); err != nil {
		return nil, err
	}
	switch {
	case t != targetClass && s.Classes != 0:
		return nil, fmt.Errorf("classes is %d, but only softmax has a number of classes", s.Classes)
	case s.Classes == 0:
		s.Classes = 3
	case s.Classes < 2:
		return nil, fmt.Errorf("classes is %d; want at least 2", s.Classes)
	}
	if s.Test == 0 {
		s.Test = 1000
	}
	if err := needCount("test", s.Test); err != nil {
		return nil, err
	}
	width := c.width(s.Dim)
	out := &dealt{
		nodes: c.nodes, train: newSamples(c.nodes*c.train, width), val: newSamples(c.nodes*c.val, width),
		about: fmt.Sprintf("synthetic data, noise %g, heterogeneity %g", s.Noise, s.Heterogeneity),
	}
	models := 1
	switch t {
	case targetSign:
		out.classes = 2
	case targetClass:
		out.classes, models = s.Classes, s.Classes
	}
	truth := newTruth(models, s.Dim, sim.Stream(c.seed, "data"))
	for i := range c.nodes {
		own := truth.at(s.Heterogeneity, sim.Stream(c.seed, "data", i))
		c.draw(out.nodeTrain(i), own, s.Noise, t, sim.Stream(c.seed, "data", i, 1))
		if c.val > 0 {
			c.draw(out.nodeVal(i), own, s.Noise, t, sim.Stream(c.seed, "data", i, 2))
		}
	}
	if out.classes > 0 {
		out.test = newSamples(s.Test, width)
		c.draw(out.test, truth, s.Noise, t, sim.Stream(c.seed, "test"))
	}
	return out, nil
}

// truth is the model that makes targets, one row of w for each class or one in all,
// and the mean of the features.
type truth struct {
	w    blas64.General
	mean []float64
}

func newTruth(models, dim int, rng *rand.Rand) truth {
	tr := truth{gaussian(models, dim, rng), make([]float64, dim)}
	blas64.Scal(1/math.Sqrt(float64(dim)), vec(tr.w.Data))
	return tr
}

// at returns a node's own truth at heterogeneity h.
func (tr truth) at(h float64, rng *rand.Rand) truth {
	own := newTruth(tr.w.Rows, tr.w.Cols, rng)
	for k, w := range tr.w.Data {
		own.w.Data[k] = w + h*own.w.Data[k]
	}
	for j := range own.mean {
		own.mean[j] = h * rng.NormFloat64()
	}
	return own
}

// draw fills dst with samples of tr.
func (c source) draw(dst samples, tr truth, noise float64, t target, rng *rand.Rand) {
	score := make([]float64, tr.w.Rows)
	for i := range dst.t {
		features := c.split(dst.row(i))
		for j := range features {
			features[j] = tr.mean[j] + rng.NormFloat64()
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
			best := 0
			for k, v := range score {
				if v > score[best] {
					best = k
				}
			}
			dst.t[i] = float64(best)
		}
	}
}

func (c source) dealMNIST(t target) (*dealt, error) {
	s := *c.mnist
	if s.Images == nil {
		return nil, fmt.Errorf("data: mnist has no images; load them with data.Loader")
	}
	if s.Classes == nil && t == targetClass {
		s.Classes = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	}
	value, err := targetsOf(s.Classes, t)
	if err != nil {
		return nil, err
	}
	if s.Pool == 0 {
		s.Pool = 1
	}
	side := s.Images.Train.Rows
	if s.Pool < 1 || side%s.Pool != 0 {
		return nil, fmt.Errorf("pool is %d; want a divisor of %d: 1, 2, 4, 7 or 14", s.Pool, side)
	}
	pool := s.Images.Train.Select(s.Classes)
	parts, err := s.Partition.Deal(pool, s.Images.Train.Labels, c.nodes, c.train+c.val, sim.Stream(c.seed, "partition"))
	if err != nil {
		return nil, fmt.Errorf("mnist, digits %v: %w", s.Classes, err)
	}
	d := side / s.Pool * (side / s.Pool)
	test := s.Images.Test.Select(s.Classes)
	out := &dealt{
		nodes: c.nodes, train: newSamples(c.nodes*c.train, c.width(d)), val: newSamples(c.nodes*c.val, c.width(d)),
		test: newSamples(len(test), c.width(d)), classes: len(s.Classes), about: s.about(side / s.Pool),
	}
	take := func(dst samples, from *data.Images, idx []int) {
		for k, i := range idx {
			from.Features(c.split(dst.row(k)), i, s.Pool)
			dst.t[k] = value[from.Labels[i]]
		}
	}
	for i, part := range parts {
		take(out.nodeTrain(i), s.Images.Train, part[:c.train])
		take(out.nodeVal(i), s.Images.Train, part[c.train:])
	}
	take(out.test, s.Images.Test, test)
	return out, nil
}

func (s MNIST) about(side int) string {
	digits := make([]string, len(s.Classes))
	for k, c := range s.Classes {
		digits[k] = fmt.Sprint(c)
	}
	kind := s.Partition.Kind
	switch kind {
	case "":
		kind = "iid"
	case "dirichlet":
		kind = fmt.Sprintf("dirichlet(%g)", s.Partition.Alpha)
	}
	return fmt.Sprintf("MNIST digits %s at %d x %d, %s", strings.Join(digits, ","), side, side, kind)
}

// targetsOf returns the target of each label.
func targetsOf(classes []int, t target) (value [256]float64, err error) {
	if t != targetClass && len(classes) != 2 {
		return value, fmt.Errorf("classes is %v; this loss separates two digits: want two, as in [4, 9]", classes)
	}
	if len(classes) < 2 {
		return value, fmt.Errorf("classes is %v; want at least two digits", classes)
	}
	var seen [10]bool
	for k, c := range classes {
		if c < 0 || c > 9 {
			return value, fmt.Errorf("classes: %d is no digit; want 0 to 9", c)
		}
		if seen[c] {
			return value, fmt.Errorf("classes: %d is given twice", c)
		}
		seen[c] = true
		value[c] = float64(k)
		if t != targetClass {
			value[c] = float64(2*k - 1)
		}
	}
	return value, nil
}
