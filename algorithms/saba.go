package algorithms

import (
	"math/rand/v2"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// SABA is SOBA with the variance reduction of SAGA. It cuts the training and the validation samples of its
// node into blocks, draws one of each in an iteration, and keeps each block's last values: ∇_y g, H v and J v
// of a training block, ∇_y f and ∇_x f of a validation block. The limit is exact, whatever the batch. The
// factor b w is 1 for equal blocks; it keeps the estimates unbiased where the last block is shorter.
type SABA struct {
	onOneNode
	Outer      int
	Rho, Gamma float64
	Batch      int
}

func (SABA) Declare() declare.Method {
	return declare.Method{
		Name: "saba", Summary: "SOBA with the variance reduction of SAGA: exact with constant steps",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Step("rho", "the step of y and v; stable below 2 / L"),
			declare.Step("gamma", "the step of x"),
			declare.Samples("samples of a block; 0 is one block of all, which is soba. A block keeps 2q + p " +
				"numbers in memory"),
		},
		Updates: sobaUpdates + `
Each of ∇_y g, H v, J v, ∇_y f, ∇_x f is estimated on a block that is drawn, w its share of the samples, b the number of blocks:
  d = b w (new - kept) + mean,  mean <- mean + w (new - kept),  kept <- new`,
		Source: sobaSource,
		Departures: "The stored values start at 0, which needs no pass over the data and leaves the estimates " +
			"unbiased.",
	}
}

// Run is the single loop of SABA.
func (a SABA) Run(p *node.Proc, o Oracle) {
	s := newSobaState(o)
	val, train := o.Blocks(a.Batch)
	inner := newSagaMemory(train, p.Rand("sample/saba/train"), len(s.gy)+len(s.hv)+len(s.jv))
	outer := newSagaMemory(val, p.Rand("sample/saba/val"), len(s.fy)+len(s.fx))
	p.Report(0, s.x, s.y)
	for k := 1; k <= a.Outer; k++ {
		g, f := inner.draw(), outer.draw()
		s.measure(o.On(f), o.On(g))
		inner.correct(s.gy, s.hv, s.jv)
		outer.correct(s.fy, s.fx)
		s.direct()
		s.step(a.Rho, a.Gamma)
		p.Report(k, s.x, s.y)
	}
}

// Table is 2 q + p numbers for each block of training samples, and q + p for each of validation samples.
func (a SABA) Table(val, train int, d Dims) float64 {
	rows := func(n int) float64 {
		if a.Batch == 0 {
			return 1
		}
		return float64(max(1, (n+a.Batch-1)/a.Batch))
	}
	p, q := float64(d.P), float64(d.Q)
	return rows(train)*(2*q+p) + rows(val)*(q+p)
}

// Cost is a gradient of g, 2 of f, 1 HVP and 1 JVP, each of a block.
func (a SABA) Cost(_ int, d Dims) metrics.Cost { return ownGradients(1, 1).Cost(d) }

// sagaMemory is the table of SAGA (Defazio, Bach, Lacoste-Julien 2014) over blocks of
// samples, for a few vectors at once.
type sagaMemory struct {
	blocks []Block
	rng    *rand.Rand
	kept   [][]float64 // by block
	mean   []float64   // sum of share times kept
	drawn  int
}

func newSagaMemory(blocks []Block, rng *rand.Rand, size int) *sagaMemory {
	m := &sagaMemory{blocks: blocks, rng: rng, mean: zeros(size)}
	for range blocks {
		m.kept = append(m.kept, zeros(size))
	}
	return m
}

// draw chooses the block that the next call of correct is about.
func (m *sagaMemory) draw() Batch {
	m.drawn = m.rng.IntN(len(m.blocks))
	return m.blocks[m.drawn].Batch
}

// correct turns what was measured on the block into SAGA's estimates, and keeps it.
func (m *sagaMemory) correct(parts ...[]float64) {
	share, kept, at := m.blocks[m.drawn].Share, m.kept[m.drawn], 0
	scale := share * float64(len(m.blocks))
	for _, part := range parts {
		for i, now := range part {
			change := now - kept[at]
			part[i] = scale*change + m.mean[at]
			m.mean[at] += share * change
			kept[at] = now
			at++
		}
	}
}
