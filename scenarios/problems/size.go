package problems

import (
	"fmt"
	"math"

	"tallynet/scenarios/problems/budget"
	"tallynet/scenarios/problems/data"
)

// Sized is implemented by the configuration of every problem. Constructors call fits with
// the configuration's Budget before they allocate anything.
type Sized interface {
	// Size says what the problem will be, from dimensions alone and in no time: nothing is
	// read, drawn or allocated. Images and mushrooms may still be missing; those that come
	// with this program are assumed.
	Size() Size
	// kind names the problem, and levers are the dimensions that determine its size.
	kind() string
	levers() []budget.Lever
}

// Size is what is known of a problem before it is built.
type Size struct {
	P, Q float64 // the lengths of x and y
	// Need is the memory of the data, of two sets of oracles (one runs, one measures) and
	// of a few iterates of each node, and the work of drawing the data. What methods add,
	// such as Hessians, comes on top.
	Need budget.Need
}

// fits returns an error unless the limit allows a problem: what it needs, what the limit
// is, and what would fit.
func fits(c Sized, limit budget.Limit) error {
	s := c.Size()
	what := fmt.Sprintf("%s (x of %.0f and y of %.0f numbers)", c.kind(), s.P, s.Q)
	return limit.Check(what, s.Need, c.levers()...)
}

// lever is one dimension of a configuration.
func lever[C Sized](c C, name string, value int, set func(c *C, v int)) budget.Lever {
	return budget.Lever{Name: name, Value: value, Need: func(v int) budget.Need {
		changed := c
		set(&changed, v)
		return changed.Size().Need
	}}
}

// newSize adds to what data and oracles need the iterates of a few nodes' vectors.
func newSize(nodes int, p, q float64, need budget.Need) Size {
	n := float64(nodes)
	return Size{p, q, need.Plus(budget.Float64s(p+q, 3*n+12))}
}

// drawing is the work of one random number, and of one number that is read.
const drawing = 20

// sizes returns the number of features, bias included, the number of classes and what the
// samples need that deal makes, with one risk for each node's training and validation
// samples in each of two sets of oracles.
func (c source) size(t target) (d, classes float64, need budget.Need) {
	n, test := float64(c.nodes), 0.0
	classes = 1
	switch {
	case c.synthetic != nil:
		d = float64(c.synthetic.Dim)
		if t == targetClass {
			classes = 3
			if c.synthetic.Classes != 0 {
				classes = float64(c.synthetic.Classes)
			}
		}
		if t != targetNumber {
			test = 1000
			if c.synthetic.Test != 0 {
				test = float64(c.synthetic.Test)
			}
		}
		need = budget.Float64s(classes+1, d, 2)
		need.Flops = classes * d * n * drawing
	case c.mnist != nil:
		d, classes, test = c.mnist.size(t)
	case c.mushroom != nil:
		d, test = data.MushroomInputs, 8124
		if m := c.mushroom.Data; m != nil {
			d, test = float64(m.Features()), float64(len(m.Labels))
		}
		if t == targetClass {
			classes = 2
		}
	}
	m := n * (float64(c.samples.Train) + float64(c.samples.Val))
	if c.own != nil {
		d, classes, m, test = c.own.size(t)
		need = need.Plus(budget.Float64s(m+test, d)) // the table, besides what is dealt
	}
	if c.bias {
		d++
	}
	need = need.Plus(budget.Float64s(m+test, d+1)).Plus(budget.Float64s(2, m, 3*classes+4))
	need.Flops += (m + test) * d * (drawing + 2*classes)
	return d, classes, need
}

// rows returns the number of samples of all nodes.
func (c source) rows() float64 {
	if c.own != nil {
		_, _, m, _ := c.own.size(targetNumber)
		return m
	}
	return float64(c.nodes) * (float64(c.samples.Train) + float64(c.samples.Val))
}

// trainRows returns the number of training samples of all nodes; of own data, about.
func (c source) trainRows() float64 {
	if c.own == nil {
		return float64(c.nodes) * float64(c.samples.Train)
	}
	s := c.own.Split
	return math.Ceil(c.rows() * s.Train / (s.Train + s.Val + s.Test))
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

// dataLevers are those of samples: features, and samples of each node.
func dataLevers[C Sized](c C, synthetic *Synthetic, samples Samples,
	with func(c *C) (**Synthetic, *Samples)) []budget.Lever {
	var ls []budget.Lever
	if synthetic != nil {
		ls = append(ls, lever(c, "dim", synthetic.Dim, func(c *C, v int) {
			at, _ := with(c)
			s := **at
			s.Dim = v
			*at = &s
		}), lever(c, "test", synthetic.Test, func(c *C, v int) {
			at, _ := with(c)
			s := **at
			s.Test = v
			*at = &s
		}))
	}
	ls = append(ls, lever(c, "samples.train", samples.Train, func(c *C, v int) {
		_, s := with(c)
		s.Train = v
	}), lever(c, "samples.val", samples.Val, func(c *C, v int) {
		_, s := with(c)
		s.Val = v
	}))
	if synthetic == nil {
		return ls
	}
	return append(ls, lever(c, "dim and samples alike", max(synthetic.Dim, samples.Train, samples.Val),
		func(c *C, v int) {
			at, n := with(c)
			s := **at
			s.Dim = min(s.Dim, v)
			*at, n.Train, n.Val = &s, min(n.Train, v), min(n.Val, v)
		}))
}

func (c HyperConfig) source() source {
	return source{
		nodes: c.Nodes, samples: c.Samples, synthetic: c.Synthetic, mnist: c.MNIST, mushroom: c.Mushroom,
		own: c.Own, bias: c.Bias, seed: c.Seed, labelNoise: c.LabelNoise, anyLabel: c.AnyLabel,
	}
}

func (c HyperConfig) target() target {
	switch c.Loss {
	case "ridge":
		return targetNumber
	case "softmax":
		return targetClass
	}
	return targetSign
}

// Size implements Sized.
func (c HyperConfig) Size() Size {
	d, classes, need := c.source().size(c.target())
	p, q := d*classes, d*classes
	switch {
	case c.Scalar:
		p = 1
	case c.SharedAcrossClasses:
		p = d
	}
	return newSize(c.Nodes, p, q, need)
}

func (c HyperConfig) kind() string { return "hyper-" + c.Loss }

func (c HyperConfig) levers() []budget.Lever {
	return dataLevers(c, c.Synthetic, c.Samples,
		func(c *HyperConfig) (**Synthetic, *Samples) { return &c.Synthetic, &c.Samples })
}

func (c CleaningConfig) source() source {
	return source{
		nodes: c.Nodes, samples: c.Samples, synthetic: c.Synthetic, mnist: c.MNIST, own: c.Own,
		bias: c.Bias, seed: c.Seed, labelNoise: c.Corruption,
	}
}

// Size implements Sized.
func (c CleaningConfig) Size() Size {
	d, classes, need := c.source().size(targetClass)
	return newSize(c.Nodes, c.source().trainRows(), d*classes, need)
}

func (c CleaningConfig) kind() string { return "hyper-cleaning" }

func (c CleaningConfig) levers() []budget.Lever {
	return dataLevers(c, c.Synthetic, c.Samples,
		func(c *CleaningConfig) (**Synthetic, *Samples) { return &c.Synthetic, &c.Samples })
}

func (c FairConfig) source() source {
	return source{
		nodes: c.Nodes, samples: c.Samples, synthetic: c.Synthetic, mnist: c.MNIST, own: c.Own, bias: c.Bias,
		seed: c.Seed,
	}
}

// Size implements Sized. Each oracle has a copy of its training samples, or of features.
func (c FairConfig) Size() Size {
	d, classes, need := c.source().size(targetClass)
	if c.Hidden > 0 {
		h, m := float64(c.Hidden), c.source().rows()
		return newSize(c.Nodes, 2*classes, h*(d+1)+classes*(h+1), need.Plus(budget.Float64s(8, m, h+1)))
	}
	// Copies of training samples, four lifted vectors, and two points at which losses are known.
	own := c.source().rows() + 6*classes*float64(c.Nodes)
	need = need.Plus(budget.Float64s(2, own, d+1))
	return newSize(c.Nodes, 2*classes, d*classes, need)
}

func (c FairConfig) kind() string { return "fair-loss" }

func (c FairConfig) levers() []budget.Lever {
	return dataLevers(c, c.Synthetic, c.Samples,
		func(c *FairConfig) (**Synthetic, *Samples) { return &c.Synthetic, &c.Samples })
}

func (c RepresentationConfig) source() source {
	return source{nodes: c.Nodes, samples: c.Samples, synthetic: c.Synthetic, mnist: c.MNIST, own: c.Own, seed: c.Seed}
}

// Size implements Sized. Oracles keep the features of their samples, and what flows back.
func (c RepresentationConfig) Size() Size {
	t := targetClass
	if c.Model == "linear" {
		t = targetNumber
	}
	d, classes, need := c.source().size(t)
	h, m := float64(c.Hidden), c.source().rows()
	need = need.Plus(budget.Float64s(6, m, h+1))
	if c.Model == "linear" {
		return newSize(c.Nodes, d*h, h, need)
	}
	return newSize(c.Nodes, (d+1)*h, classes*(h+1), need)
}

func (c RepresentationConfig) kind() string { return "hyper-representation" }

func (c RepresentationConfig) levers() []budget.Lever {
	hidden := lever(c, "hidden", c.Hidden, func(c *RepresentationConfig, v int) { c.Hidden = v })
	return append(dataLevers(c, c.Synthetic, c.Samples, func(c *RepresentationConfig) (**Synthetic, *Samples) {
		return &c.Synthetic, &c.Samples
	}), hidden)
}

func (c SingleConfig) source() source {
	return source{
		nodes: c.Nodes, samples: Samples{Train: c.Samples}, synthetic: c.Synthetic, mnist: c.MNIST,
		mushroom: c.Mushroom, own: c.Own, single: true, bias: c.Bias, seed: c.Seed,
	}
}

func (c SingleConfig) target() target {
	if c.Loss == "least-squares" {
		return targetNumber
	}
	return targetSign
}

// Size implements Sized.
func (c SingleConfig) Size() Size {
	d, _, need := c.source().size(c.target())
	return newSize(c.Nodes, d, 0, need)
}

func (c SingleConfig) kind() string { return c.Loss }

func (c SingleConfig) levers() []budget.Lever {
	ls := []budget.Lever{lever(c, "samples", c.Samples, func(c *SingleConfig, v int) { c.Samples = v })}
	if c.Synthetic == nil {
		return ls
	}
	return append(ls, lever(c, "dim", c.Synthetic.Dim, func(c *SingleConfig, v int) {
		s := *c.Synthetic
		s.Dim = v
		c.Synthetic = &s
	}), lever(c, "dim and samples alike", max(c.Synthetic.Dim, c.Samples), func(c *SingleConfig, v int) {
		s := *c.Synthetic
		s.Dim = min(s.Dim, v)
		c.Synthetic, c.Samples = &s, min(c.Samples, v)
	}))
}

// Size implements Sized.
func (c ConsensusConfig) Size() Size {
	need := budget.Float64s(float64(c.Nodes), float64(c.Dim))
	need.Flops = drawing * float64(c.Nodes) * float64(c.Dim)
	return newSize(c.Nodes, float64(c.Dim), 0, need)
}

func (c ConsensusConfig) kind() string { return "consensus" }

func (c ConsensusConfig) levers() []budget.Lever {
	return []budget.Lever{lever(c, "dim", c.Dim, func(c *ConsensusConfig, v int) { c.Dim = v })}
}

// quadraticNeed is the memory of the matrices H, P, A, B, C of nodes and oracles' scratch.
func quadraticNeed(nodes, p, q float64) budget.Need {
	return budget.Float64s(nodes, 2*q*q+2*p*q+p*p+3*(p+q))
}

// Size implements Sized. While a node is drawn there are some more matrices: those of an
// orthogonal one, or of the outer objective.
func (c QuadraticConfig) Size() Size {
	n, p, q := float64(c.Nodes)+1, float64(c.P), float64(c.Q)
	need := quadraticNeed(n, p, q).Plus(budget.Float64s(max(7*q*q, 2*(p+q)*(p+q))))
	need.Flops = n * (8*q*q*q + 2*math.Pow(p+q, 3) + drawing*(p+q)*(p+q))
	return newSize(c.Nodes, p, q, need)
}

func (c QuadraticConfig) kind() string { return "quadratic" }

func (c QuadraticConfig) levers() []budget.Lever {
	return []budget.Lever{
		lever(c, "q", c.Q, func(c *QuadraticConfig, v int) { c.Q = v }),
		lever(c, "p", c.P, func(c *QuadraticConfig, v int) { c.P = v }),
		lever(c, "q and p", max(c.Q, c.P), func(c *QuadraticConfig, v int) { c.Q, c.P = min(c.Q, v), min(c.P, v) }),
	}
}

// Size implements Sized. Lists of the wrong length are found when the problem is built.
func (s QuadraticSpec) Size() Size {
	p, q, err := s.dims()
	if err != nil {
		return Size{}
	}
	need := quadraticNeed(float64(len(s.Nodes)), float64(p), float64(q)).Plus(budget.Float64s(2, float64(q), float64(q)))
	need.Flops = float64(len(s.Nodes)) * math.Pow(float64(q), 3) / 3
	return newSize(len(s.Nodes), float64(p), float64(q), need)
}

func (s QuadraticSpec) kind() string { return "quadratic" }

func (s QuadraticSpec) levers() []budget.Lever { return nil }

// Size implements Sized.
func (c FloorConfig) Size() Size {
	return newSize(c.Nodes, 2, 2, quadraticNeed(float64(c.Nodes), 2, 2))
}

func (c FloorConfig) kind() string { return "floor" }

func (c FloorConfig) levers() []budget.Lever { return nil }

// Size implements Sized.
func (c ToyConfig) Size() Size {
	p, q := c.dims()
	return newSize(c.Nodes, float64(p), float64(q), budget.Need{})
}

func (c ToyConfig) kind() string { return c.Kind }

func (c ToyConfig) levers() []budget.Lever { return nil }

// dims returns the sizes of a toy, or zeros if there is none of the kind.
func (c ToyConfig) dims() (p, q int) {
	switch c.Kind {
	case "coreset":
		return 4, 2
	case "minimax":
		return 1, 1
	case "degenerate":
		return 1, 2
	}
	return 0, 0
}

// Size implements Sized. Texts of a file must have been read, since only they say how many
// features and classes there are.
func (c TextConfig) Size() Size {
	n, m := float64(c.Nodes), float64(c.Samples.Train)+float64(c.Samples.Val)
	var d, classes, words, test float64 // words of a text
	need := budget.Need{}
	switch {
	case c.Words != nil:
		d, classes, words, test = float64(c.Words.Features), float64(c.Words.Classes), c.Words.Length, float64(c.Words.Test)
		need = budget.Float64s(6, d)
		need.Flops = (n*m + test) * words * drawing * math.Log2(d+1)
	case c.Texts != nil:
		d, classes = float64(c.Texts.Features), float64(len(c.Texts.Labels))
		total := 0.0
		for _, s := range c.Texts.Samples {
			total += float64(len(s.Features))
		}
		words = total / float64(max(len(c.Texts.Samples), 1))
		if c.Test != nil {
			d = max(d, float64(c.Test.Features))
		}
	}
	const wordBytes, headBytes = 2 * (4 + 8), 64 // slices grow to up to twice what they hold
	texts := budget.Need{Bytes: (n*m + test) * (words*wordBytes + headBytes)}
	active := min(d, m*words) // features that a node's texts have
	risks := budget.Need{Bytes: 2 * (n*m*(words*4+80+16*classes) + 16*n*active*classes*2)}
	return newSize(c.Nodes, d, d*classes, need.Plus(texts).Plus(risks))
}

func (c TextConfig) kind() string { return "hyper-text" }

func (c TextConfig) levers() []budget.Lever {
	ls := []budget.Lever{
		lever(c, "samples.train", c.Samples.Train, func(c *TextConfig, v int) { c.Samples.Train = v }),
		lever(c, "samples.val", c.Samples.Val, func(c *TextConfig, v int) { c.Samples.Val = v }),
	}
	if c.Words != nil {
		return append(ls, lever(c, "features", c.Words.Features, func(c *TextConfig, v int) {
			w := *c.Words
			w.Features = v
			c.Words = &w
		}), lever(c, "classes", c.Words.Classes, func(c *TextConfig, v int) {
			w := *c.Words
			w.Classes = v
			c.Words = &w
		}))
	}
	if c.Texts != nil {
		ls = append(ls, lever(c, "indices in the file", c.Texts.Features, func(c *TextConfig, v int) {
			t := *c.Texts
			t.Features = v
			c.Texts, c.Test = &t, nil
		}))
	}
	return ls
}
