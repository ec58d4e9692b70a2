package problems

import (
	"fmt"
	"slices"

	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems/budget"
)

// ToyConfig describes one of the small problems of BOME (Liu, Ye, Wright, Stone, Liu,
// NeurIPS 2022), whose v and θ are x and y here. Each node has the whole problem.
//
//	coreset     f = Scale ‖y - (3, -2)‖², g = ‖y - Σ_j σ_j(x) a_j‖², σ the softmax, p = 4,
//	            q = 2. Variant paper has a = (1,3), (3,1), (-2,2), (-3,2), where
//	            y → (3, 1); variant code has a_4 = (-3,-2), where y → (1.8, 0.4). Both
//	            are approached only as x goes to infinity.
//	minimax     f = xy, g = -xy, p = q = 1: the solution is 0. For x ≠ 0, g has no
//	            minimizer.
//	degenerate  p = 1, q = 2, and many inner minimizers. Variant paper is f =
//	            ‖y - (x, 1)‖², g = (y_1 - x)²: every x with y = (x, 1) is optimal. Variant
//	            code, also used by Liu et al. 2020, is f = 1/2 (x - y_2)² + 1/2 (y_1 - 1)²,
//	            g = 1/2 y_1² - x y_1: x = 1, y = (1, 1) is optimal.
//
// Source: BOME's section on toy problems; variant code comes from its program.
type ToyConfig struct {
	Kind    string // "coreset", "minimax", "degenerate"
	Variant string // "paper", "code"; "" for minimax
	Nodes   int
	Scale   float64   // coreset only, > 0: 1 in the paper, 0.1 in its program
	X0, Y0  []float64 // starting point; a single number sets all coordinates
	// Budget limits the needs of the problem; the zero value means the defaults.
	Budget budget.Limit
}

// Size implements Sized.
func (c ToyConfig) Size() Size {
	p, q := c.dims()
	return newSize(c.Nodes, float64(p), float64(q), budget.Need{})
}

// dims returns the sizes of a toy.
func (c ToyConfig) dims() (p, q int) {
	switch c.Kind {
	case "coreset":
		return 4, 2
	case "minimax":
		return 1, 1
	}
	return 1, 2
}

// NewToy builds the problem. All toys are Known. minimax and degenerate are Solved, though
// degenerate's variant paper returns an error; degenerate is InnerSolved; minimax is
// Unmeasurable.
func NewToy(c ToyConfig) (Problem, error) {
	if err := fits(c, c.Budget, c.Kind); err != nil {
		return nil, err
	}
	t := toy{frame: frame{nodes: c.Nodes}}
	t.p, t.q = c.dims()
	t.about = "toy " + c.Kind
	if c.Variant != "" {
		t.about += ", as in BOME's " + c.Variant
	}
	var err error
	if t.x0, err = start("x0", c.X0, t.p); err != nil {
		return nil, err
	}
	if t.y0, err = start("y0", c.Y0, t.q); err != nil {
		return nil, err
	}
	switch {
	case c.Kind == "coreset":
		return newCoreset(t, c.Scale, c.Variant), nil
	case c.Kind == "minimax":
		return minimax{t}, nil
	case c.Variant == "paper":
		return paperDegenerate{degenerate{t}}, nil
	}
	return codeDegenerate{degenerate{t}}, nil
}

// start returns the n coordinates of a starting point.
func start(name string, v []float64, n int) ([]float64, error) {
	switch len(v) {
	case n:
		return slices.Clone(v), nil
	case 0:
		return make([]float64, n), nil
	case 1:
		return fill(n, v[0]), nil
	}
	return nil, keys.Wrong(name, "%s has %d numbers; want %d, or one for all coordinates", name, len(v), n)
}

// toy is the common part of all toys.
type toy struct {
	frame
	about string
}

func (t toy) About() string {
	return fmt.Sprintf("%s; %s with the same f and g, p = %d, q = %d", t.about, nodesText(t.nodes), t.p, t.q)
}

func (t toy) local(i int, f functions, c costs) Local {
	mustNode(i, t.nodes)
	l := &toyFormulas{functions: f, columnwise: columnwise{hessian: f.hessMul, jacobian: f.jacMul}, costs: c}
	return &oracle{formulas: l, p: t.p, q: t.q}
}

// toyFormulas completes a toy's functions. All matrices come from products.
type toyFormulas struct {
	functions
	noSamples
	columnwise
	costs costs
}

// flops returns the table next to each toy's functions. A product with a matrix of
// zeros and ones, and a constant matrix, cost nothing.
func (t *toyFormulas) flops(sizes) costs { return t.costs }
