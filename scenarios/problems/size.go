package problems

import (
	"cmp"
	"fmt"
	"math"

	"tallynet/scenarios/problems/budget"
	"tallynet/scenarios/problems/data"
)

// Sized is implemented by the configuration of every problem. Constructors call fits with
// the configuration's Budget before they allocate anything.
type Sized interface {
	// Size computes what the problem will need from its dimensions alone: nothing is read,
	// drawn or allocated. Images and mushrooms may still be missing; those that come
	// with this program are assumed.
	Size() Size
}

// Size holds properties of a problem that are known before it is built.
type Size struct {
	P, Q float64 // the lengths of x and y; 0 if only a file states them
	// Need is the memory of the data, of two sets of oracles (one runs, one measures) and
	// of a few iterates of each node, and the work of drawing the data. What methods add,
	// such as Hessians, comes on top.
	Need budget.Need
	// Limited means that the problem is MatrixLimited.
	Limited bool
}

// fits returns an error unless the limit allows a problem of a kind.
func fits(c Sized, limit budget.Limit, kind string) error {
	s := c.Size()
	return limit.Check(fmt.Sprintf("%s (x of %.0f and y of %.0f numbers)", kind, s.P, s.Q), s.Need)
}

// newSize adds the iterates of a few nodes to the needs of data and oracles.
func newSize(nodes int, p, q float64, need budget.Need) Size {
	n := float64(nodes)
	return Size{P: p, Q: q, Need: need.Plus(budget.Float64s(p+q, 3*n+12))}
}

// drawing is the work of drawing or reading one number.
const drawing = 20

// dataSize returns the number of features, bias included, the number of classes (1 if targets
// are no classes) and what the samples need that deal makes, with one risk for each node's
// training and validation samples in each of two sets of oracles.
func (c TaskConfig) dataSize() (d, classes float64, need budget.Need) {
	t, n, test := c.target(), float64(c.Nodes), 0.0
	classes = 1
	switch {
	case c.Synthetic != nil:
		d = float64(c.Synthetic.Dim)
		if t == targetClass {
			classes = float64(cmp.Or(c.Synthetic.Classes, 3))
		}
		if t != targetNumber {
			test = float64(cmp.Or(c.Synthetic.Test, 1000))
		}
		need = budget.Float64s(classes+1, d, 2)
		need.Flops = classes * d * n * drawing
	case c.MNIST != nil:
		d, classes, test = c.MNIST.size(t)
	case c.Mushroom != nil:
		d, test = data.MushroomInputs, 8124
		if m := c.Mushroom.Data; m != nil {
			d, test = float64(m.Features()), float64(len(m.Labels))
		}
		if t == targetClass {
			classes = 2
		}
	}
	m := c.rows()
	if c.Own != nil {
		d, classes, test = c.Own.size(t)
		need = need.Plus(budget.Float64s(m+test, d)) // the table, besides the dealt samples
	}
	if c.Bias {
		d++
	}
	need = need.Plus(budget.Float64s(m+test, d+1)).Plus(budget.Float64s(2, m, 3*classes+4))
	need.Flops += (m + test) * d * (drawing + 2*classes)
	return d, classes, need
}

// rows returns the number of samples of all nodes.
func (c TaskConfig) rows() float64 {
	switch {
	case c.Own != nil:
		return float64(c.Own.Table.Len())
	case c.single():
		return float64(c.Nodes) * float64(c.Samples.Train)
	}
	return float64(c.Nodes) * (float64(c.Samples.Train) + float64(c.Samples.Val))
}

// trainRows returns the number of training samples of all nodes; of own data, about.
func (c TaskConfig) trainRows() float64 {
	if c.Own == nil {
		return float64(c.Nodes) * float64(c.Samples.Train)
	}
	s := c.Own.Split
	return math.Ceil(c.rows() * s.Train / (s.Train + s.Val + s.Test))
}
