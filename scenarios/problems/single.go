package problems

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"tallynet/metrics"
	"tallynet/scenarios/problems/budget"
	"tallynet/sim"
)

// SingleConfig describes a single-level problem (q = 0) over linear models,
//
//	f_i(x) = mean loss of x over node i's samples + (L2/2) ‖x‖²
//
// with a sample's loss
//
//	least-squares  1/2 (s'x - t)²
//	logistic       log(1 + exp(-t s'x)), t = ±1
type SingleConfig struct {
	Loss    string // "least-squares", "logistic"
	Nodes   int
	Samples int // per node, at least 1

	Synthetic *Synthetic // exactly one kind of data
	MNIST     *Digits    // logistic only
	Mushroom  *Mushroom  // logistic only
	Own       *Own       // says how many samples each node has; Samples is not used

	Bias bool    // append a feature that is always 1; L2 applies to it too
	L2   float64 // >= 0
	X0   float64 // value of every coordinate of the starting point
	Seed uint64
	// Budget is what the problem may need at most; the zero value means the defaults.
	Budget budget.Limit
}

// NewSingle builds the problem. Least squares is Solved, logistic is a Scorer. The
// samples are behind f, so they are the Local's validation samples.
func NewSingle(c SingleConfig) (Problem, error) {
	t := targetSign
	switch c.Loss {
	case "least-squares":
		t = targetNumber
		if c.MNIST != nil || c.Mushroom != nil {
			return nil, fmt.Errorf("data is mnist or mushroom, but the targets of least-squares are numbers, " +
				"not classes; choose loss logistic or synthetic data")
		}
	case "logistic":
	default:
		return nil, wrong("loss", "loss is %q; choose least-squares or logistic", c.Loss)
	}
	if err := cmp.Or(c.checkSamples(), needAmount("l2", c.L2), needFinite(c.X0, 0)); err != nil {
		return nil, err
	}
	if err := fits(c, c.Budget); err != nil {
		return nil, err
	}
	d, err := c.source().deal(t)
	if err != nil {
		return nil, err
	}
	s := &single{config: c, data: d}
	if t == targetNumber {
		return leastSquares{s}, nil
	}
	p, _ := s.Dims()
	return scoredSingle{s, linearScorer{from: d, n: p, ofX: true}}, nil
}

func (c SingleConfig) checkSamples() error {
	if c.Own != nil {
		return nil // they are counted when they are dealt
	}
	return needCount("samples", c.Samples)
}

type single struct {
	config SingleConfig
	data   *dealt
}

func (s *single) Dims() (p, q int) { return s.data.train.x.Cols, 0 }
func (s *single) Nodes() int       { return s.data.nodes }

func (s *single) Start(i int) (x0, y0 []float64) {
	mustNode(i, s.data.nodes)
	p, _ := s.Dims()
	return fill(p, s.config.X0), nil
}

func (s *single) About() string {
	p, _ := s.Dims()
	return fmt.Sprintf("%s: %s; %s with %s, p = %d, l2 = %g",
		s.config.Loss, s.data.about, nodesText(s.data.nodes), s.data.counts(), p, s.config.L2)
}

// Holdings implements Divided.
func (s *single) Holdings() []Holding { return s.data.Holdings() }

func (s *single) Local(i int) Local {
	mustNode(i, s.data.nodes)
	l := loss{kind: halfSquared}
	if s.config.Loss == "logistic" {
		l.kind = logistic
	}
	p, _ := s.Dims()
	return &oracle{formulas: &singleFormulas{risk: newMarginRisk(l, s.data.nodeTrain(i)), l2: s.config.L2}, p: p}
}

// scoredSingle is a single on data with classes.
type scoredSingle struct {
	*single
	linearScorer
}

// leastSquares is a single with a closed form.
type leastSquares struct{ *single }

// Solution implements Solved by the normal equations. Where all nodes have equally many
// samples, the mean of the nodes' means is the mean over all samples.
func (s leastSquares) Solution() (x, y []float64, err error) {
	all := s.data.weighted()
	p, scale := all.x.Cols, 1/float64(all.len())
	h := mat.NewSymDense(p, nil)
	blas64.Syrk(blas.Trans, scale, all.x, 0, h.RawSymmetric())
	for j := range p {
		h.SetSym(j, j, h.At(j, j)+s.config.L2)
	}
	rhs := make([]float64, p)
	gemvT(rhs, scale, all.x, all.t, 0)
	var chol mat.Cholesky
	var sol mat.VecDense
	if !chol.Factorize(h) {
		return nil, nil, fmt.Errorf("problems: least squares with %d samples in total and p = %d "+
			"has no unique solution; set l2 > 0 or take more samples", all.len(), p)
	}
	if err := chol.SolveVecTo(&sol, mat.NewVecDense(p, rhs)); err != nil {
		return nil, nil, fmt.Errorf("problems: least squares is close to singular; set l2 > 0: %w", err)
	}
	return sol.RawVector().Data, nil, nil
}

// singleLevel is embedded in formulas with g = 0 and q = 0.
type singleLevel struct{}

func (singleLevel) g(x, y []float64) float64                                { return 0 }
func (singleLevel) fy(dst, x, y []float64)                                  {}
func (singleLevel) gx(dst, x, y []float64)                                  { clear(dst) }
func (singleLevel) gy(dst, x, y []float64)                                  {}
func (singleLevel) hessMul(dst, x, y, v []float64)                          {}
func (singleLevel) hessMulMat(dst *mat.Dense, x, y []float64, v *mat.Dense) {}
func (singleLevel) jacMul(dst, x, y, v []float64)                           { clear(dst) }
func (singleLevel) hess(dst *mat.SymDense, x, y []float64)                  {}
func (singleLevel) jac(dst *mat.Dense, x, y []float64)                      {}

type singleFormulas struct {
	singleLevel
	risk *marginRisk
	l2   float64
}

func (l *singleFormulas) counts() (val, train int)  { return l.risk.len(), 0 }
func (l *singleFormulas) setBatch(val, train []int) { l.risk.setBatch(val) }

func (l *singleFormulas) f(x, y []float64) float64 {
	return l.risk.value(x) + l.l2/2*dot(x, x)
}

func (l *singleFormulas) fx(dst, x, y []float64) {
	l.risk.grad(dst, x)
	blas64.Axpy(l.l2, vec(x), vec(dst))
}

// flops counts, for m samples, m(2p + 3) + 2p + 2 for a value and m(4p + 3) + 2p for a
// gradient, 22 more per sample for the logistic loss, and nothing for g.
func (l *singleFormulas) flops(n sizes) costs {
	m, p := n.samples, n.p
	return costs{
		metrics.CallValue: m*l.risk.flops().value + 2*p + 2,
		metrics.CallGradF: m*l.risk.flops().grad + 2*p,
	}
}

// ConsensusConfig describes average consensus as a problem,
//
//	f_i(x) = 1/2 ‖x - b_i‖²,  b_i from N(0, I),
//
// whose solution is the mean of all b_i. Node i starts at b_i. The problem is single-level.
type ConsensusConfig struct {
	Nodes int
	Dim   int // p
	Seed  uint64
	// Budget is what the problem may need at most; the zero value means the defaults.
	Budget budget.Limit
}

// Consensus is the problem that ConsensusConfig describes.
type Consensus struct {
	dim int
	b   [][]float64
}

// NewConsensus draws the problem. b_i depends only on the seed and i.
func NewConsensus(c ConsensusConfig) (*Consensus, error) {
	if err := cmp.Or(needCount("nodes", c.Nodes), needCount("dim", c.Dim)); err != nil {
		return nil, err
	}
	if err := fits(c, c.Budget); err != nil {
		return nil, err
	}
	out := &Consensus{dim: c.Dim}
	for i := range c.Nodes {
		out.b = append(out.b, gaussian(1, c.Dim, sim.Stream(c.Seed, "data", i)).Data)
	}
	return out, nil
}

// Dims implements Problem.
func (c *Consensus) Dims() (p, q int) { return c.dim, 0 }

// Nodes implements Problem.
func (c *Consensus) Nodes() int { return len(c.b) }

// Start implements Problem: b_i.
func (c *Consensus) Start(i int) (x0, y0 []float64) {
	mustNode(i, len(c.b))
	return slices.Clone(c.b[i]), nil
}

// About implements Problem.
func (c *Consensus) About() string {
	return fmt.Sprintf("consensus: mean of %d standard normal vectors, p = %d", len(c.b), c.dim)
}

// Local implements Problem.
func (c *Consensus) Local(i int) Local {
	mustNode(i, len(c.b))
	return &oracle{formulas: &consensusFormulas{b: c.b[i]}, p: c.dim}
}

// Solution implements Solved: the mean of all b_i.
func (c *Consensus) Solution() (x, y []float64, err error) {
	x = make([]float64, c.dim)
	for _, b := range c.b {
		blas64.Axpy(1/float64(len(c.b)), vec(b), vec(x))
	}
	return x, nil, nil
}

type consensusFormulas struct {
	singleLevel
	noSamples
	b []float64
}

func (l *consensusFormulas) f(x, y []float64) float64 {
	sum := 0.0
	for j, v := range x {
		sum += (v - l.b[j]) * (v - l.b[j])
	}
	return sum / 2
}

func (l *consensusFormulas) fx(dst, x, y []float64) {
	for j, v := range x {
		dst[j] = v - l.b[j]
	}
}

// flops counts 3p + 1 for a value, p for a gradient and nothing for g.
func (l *consensusFormulas) flops(n sizes) costs {
	return costs{
		metrics.CallValue: 3*n.p + 1,
		metrics.CallGradF: n.p,
	}
}
