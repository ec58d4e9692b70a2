package algorithms_test

import (
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms"
	"tallynet/metrics"
	"tallynet/node"
	"tallynet/scenarios/problems"
)

// noted is a Local whose samples are quadratics: f is the mean over val, g the mean
// over train. It records the batch of each call.
type noted struct {
	algorithms.Local   // nil: the other calls
	val, train         []algorithms.Local
	onVal, onTrain     []int // the batch; nil: all
	seen               strings.Builder
	scratchP, scratchQ []float64
}

// newNoted makes the given numbers of samples, all different.
func newNoted(val, train int) *noted {
	var spec problems.QuadraticSpec
	for i := range max(val, train) {
		spec.Nodes = append(spec.Nodes, problems.QuadraticNode{
			H: symmetric(i, 3, 2+float64(i)/2, .3), P: waves(i+4, 2, 3, .6), A: symmetric(i+8, 2, 3, .4),
			B: waves(i+12, 2, 3, .4), C: symmetric(i+16, 3, .5, .2),
			LinearG: waveVector(i+20, 3), LinearFx: waveVector(i+24, 2), LinearFy: waveVector(i+28, 3),
		})
	}
	qp := must(problems.NewQuadratic(spec))
	s := &noted{scratchP: make([]float64, 2), scratchQ: make([]float64, 3)}
	for i := range val {
		s.val = append(s.val, qp.Local(i))
	}
	for i := range train {
		s.train = append(s.train, qp.Local(i))
	}
	return s
}

func (s *noted) Dims() (p, q int)                { return 2, 3 }
func (s *noted) Samples() (val, train int)       { return len(s.val), len(s.train) }
func (s *noted) SetBatch(val, train []int)       { s.onVal, s.onTrain = val, train }
func (s *noted) Flops(metrics.Call, int) float64 { return 1 }

// mean sets dst to the mean of call over the samples of the batch.
func (s *noted) mean(dst []float64, of []algorithms.Local, batch []int, call func(l algorithms.Local, dst []float64)) {
	fmt.Fprint(&s.seen, batch)
	if batch == nil {
		for i := range of {
			batch = append(batch, i)
		}
	}
	one := s.scratchP
	if len(dst) == 3 {
		one = s.scratchQ
	}
	clear(dst)
	for _, i := range batch {
		call(of[i], one)
		floats.AddScaled(dst, 1/float64(len(batch)), one)
	}
}

func (s *noted) GradFx(dst, x, y []float64) {
	s.mean(dst, s.val, s.onVal, func(l algorithms.Local, d []float64) { l.GradFx(d, x, y) })
}
func (s *noted) GradFy(dst, x, y []float64) {
	s.mean(dst, s.val, s.onVal, func(l algorithms.Local, d []float64) { l.GradFy(d, x, y) })
}
func (s *noted) GradGx(dst, x, y []float64) {
	s.mean(dst, s.train, s.onTrain, func(l algorithms.Local, d []float64) { l.GradGx(d, x, y) })
}
func (s *noted) GradGy(dst, x, y []float64) {
	s.mean(dst, s.train, s.onTrain, func(l algorithms.Local, d []float64) { l.GradGy(d, x, y) })
}
func (s *noted) HessGyyMul(dst, x, y, v []float64) {
	s.mean(dst, s.train, s.onTrain, func(l algorithms.Local, d []float64) { l.HessGyyMul(d, x, y, v) })
}
func (s *noted) JacGxyMul(dst, x, y, v []float64) {
	s.mean(dst, s.train, s.onTrain, func(l algorithms.Local, d []float64) { l.JacGxyMul(d, x, y, v) })
}

// ends returns the last x and y of a method, and the batches that it used.
func ends(t *testing.T, m algorithms.Method, val, train int, seed uint64) (x, y []float64, seen string) {
	t.Helper()
	l := newNoted(val, train)
	on := split{2, 3, func(int) algorithms.Local { return l }, waveStart(2, 3)}
	w := world{w: single(), on: on, every: algorithms.Iterations(m), configure: func(c *node.Config) { c.Seed = seed }}
	last := finish(t, w, m).last()
	return last.X[0], last.Y[0], l.seen.String()
}

// The mean of SABA over all draws of blocks is SABA on all samples, since every iterate
// is affine in each of the independent draws. Trying many seeds covers all draws.
func TestSABAIsUnbiased(t *testing.T) {
	wantX, wantY, _ := ends(t, algorithms.SABA{Outer: 3, Rho: .1, Gamma: .05}, 2, 3, 1)
	for _, c := range []struct{ batch, draws int }{
		{2, 2 * 2 * 2}, // blocks {0, 1} and {2}, and all validation samples
		{1, 6 * 6 * 6},
	} {
		meanX, meanY := make([]float64, 2), make([]float64, 3)
		met := map[string]bool{}
		moved := false
		for seed := uint64(1); seed < 6000 && len(met) < c.draws; seed++ {
			x, y, seen := ends(t, algorithms.SABA{Outer: 3, Rho: .1, Gamma: .05, Batch: c.batch}, 2, 3, seed)
			if met[seen] {
				continue
			}
			met[seen] = true
			floats.AddScaled(meanX, 1/float64(c.draws), x)
			floats.AddScaled(meanY, 1/float64(c.draws), y)
			moved = moved || floats.Distance(x, wantX, 2) > 1e-4
		}
		if len(met) != c.draws || !moved {
			t.Fatalf("met %d different draws, want %d; moved: %v", len(met), c.draws, moved)
		}
		closeTo(t, "mean x", meanX, wantX, 1e-12)
		closeTo(t, "mean y", meanY, wantY, 1e-12)
	}
}

// The random length of BSA is unbiased: over all lengths and draws of one iteration,
// the mean is what stocBiO does with Q - 1 factors on all samples. Longer products
// have more draws, so each length is averaged first.
func TestBSAIsUnbiased(t *testing.T) {
	const a, b, e, terms = .1, .05, .12, 3
	wantX, _, _ := ends(t, algorithms.StocBiO{Outer: 1, Inner: 1, Q: terms - 1, Alpha: a, Beta: b, Eta: e}, 2, 2, 1)
	met := map[string]bool{}
	var sums [terms][2]float64
	var counts [terms]int
	for seed := uint64(1); seed < 3000; seed++ {
		x, _, seen := ends(t, algorithms.BSA{Outer: 1, Q: terms, Alpha: a, Beta: b, Eta: e, Batch: 1}, 2, 2, seed)
		if met[seen] {
			continue
		}
		met[seen] = true
		length := strings.Count(seen, "[") - 4 // ∇_y g, ∇_y f, ∇_x f and J are not factors
		floats.Add(sums[length][:], x)
		counts[length]++
	}
	if counts != [terms]int{8, 16, 32} { // the samples of ∇_y g, f, J, and of the factors
		t.Fatalf("met %v different draws", counts)
	}
	mean := make([]float64, 2)
	for t := range terms {
		floats.AddScaled(mean, 1/float64(terms*counts[t]), sums[t][:])
	}
	closeTo(t, "mean x", mean, wantX, 1e-12)
}

// SABA with constant steps ends at the optimum for any blocks; SOBA with the same steps
// does not come near.
func TestSABAIsExact(t *testing.T) {
	wantX, wantY, _ := ends(t, algorithms.SOBA{Outer: 4000, Rho: .1, Gamma: .05}, 4, 5, 1)
	for _, batch := range []int{1, 2, 5, 9} {
		x, y, _ := ends(t, algorithms.SABA{Outer: 6000, Rho: .05, Gamma: .01, Batch: batch}, 4, 5, 1)
		closeTo(t, "SABA: x", x, wantX, 1e-9)
		closeTo(t, "SABA: y", y, wantY, 1e-9)
	}
	x, _, _ := ends(t, algorithms.SOBA{Outer: 6000, Rho: .05, Gamma: .01, Batch: 1}, 4, 5, 1)
	if d := floats.Distance(x, wantX, 2); d < 1e-4 {
		t.Errorf("SOBA with batches is only %g from the optimum", d)
	}
}

// VRBO's estimates stay close to the full gradients: between two restarts it comes much
// nearer to its limit than stocBiO with the same batches.
func TestVarianceReductionReduces(t *testing.T) {
	limitX, _, _ := ends(t, algorithms.StocBiO{Outer: 1500, Inner: 2, Q: 20, Alpha: .1, Beta: .05, Eta: .1}, 4, 5, 1)
	plain, _, _ := ends(t, algorithms.StocBiO{Outer: 1500, Inner: 2, Q: 20, Alpha: .1, Beta: .05, Eta: .1,
		Batch: 1}, 4, 5, 1)
	vrbo, _, _ := ends(t, algorithms.VRBO{Outer: 1500, Inner: 2, Period: 10, Q: 20, Alpha: .05, Beta: .1, Eta: .1,
		Batch: 1}, 4, 5, 1)
	a, b := floats.Distance(plain, limitX, 2), floats.Distance(vrbo, limitX, 2)
	if a < 1e-3 || !(b <= a/100) {
		t.Errorf("stocBiO ends %g from the limit, VRBO %g", a, b)
	}
}

// The blocks are all samples, in order, and their shares sum to 1.
func TestBlocks(t *testing.T) {
	program(t, configOf(single()), func(p *node.Proc) {
		for _, c := range []struct{ val, train, size, valBlocks, trainBlocks int }{
			{4, 5, 2, 2, 3}, {4, 5, 0, 1, 1}, {4, 5, 4, 1, 2}, {0, 0, 3, 1, 1}, {1, 1, 1, 1, 1},
		} {
			o := algorithms.Metered(p.Context, &spy{samplesVal: c.val, samplesTrain: c.train}, make([]float64, 2),
				make([]float64, 3))
			val, train := o.Blocks(c.size)
			sum := [2]float64{}
			for i, blocks := range [][]algorithms.Block{val, train} {
				for _, b := range blocks {
					sum[i] += b.Share
				}
			}
			if len(val) != c.valBlocks || len(train) != c.trainBlocks ||
				!floats.EqualApprox(sum[:], []float64{1, 1}, 1e-15) {
				t.Errorf("%+v: %d and %d blocks, shares sum to %v", c, len(val), len(train), sum)
			}
		}
	})
}
