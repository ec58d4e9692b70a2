package topologies

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Spectrum holds the eigenvalues that decide how fast W averages. The eigenvalues of W are 1 = λ1 >= λ2 >= ...
// >= λn >= -1. A single node has no λ2; Lambda2 and LambdaN are then 0.
type Spectrum struct {
	Lambda2 float64
	LambdaN float64
	// Gap is the spectral gap 1 - max(|λ2|, |λn|). It is not the difference of
	// rounded numbers, so that small gaps keep their digits.
	Gap float64
	// Tolerance bounds the absolute error of Gap: the residual of the eigenpair that determines
	// it, and rounding.
	Tolerance float64
}

// Sigma returns max(|λ2|, |λn|). Each round shrinks the disagreement (the norm of the nodes' distances from
// their mean) by at least this factor.
func (s Spectrum) Sigma() float64 { return 1 - s.Gap }

// Rounds returns how many rounds it takes in the worst case to shrink the disagreement by factor, which is
// between 0 and 1: ln(factor) / ln(sigma), rounded up; at least 1, and +Inf if there is no gap.
func (s Spectrum) Rounds(factor float64) float64 {
	if !(factor > 0 && factor < 1) {
		panic("topologies: Rounds: factor must be between 0 and 1")
	}
	if s.Gap <= 0 {
		return math.Inf(1)
	}
	// Slightly less, so that rounding does not add a round if sigma^k is exactly factor.
	return max(1, math.Ceil((1-1e-11)*math.Log(factor)/math.Log1p(-s.Gap)))
}

// denseNodes is the largest number of nodes for the dense eigensolver, which takes a few milliseconds then and
// needs no start vector.
const denseNodes = 200

// lanczosWork bounds how many entries of W Spectrum reads, in about 20 s.
const lanczosWork = 20_000_000_000

// Spectrum returns the extreme eigenvalues of W and its gap. Up to 200 nodes it uses a dense eigensolver.
// Above, it uses Lanczos iteration on I - W, orthogonal to the vector of ones, until the residual of each end
// is below 1e-8 of its distance from ±1, or 1e-14. The smaller the gap, the longer it takes: a ring of 10,000
// nodes takes 0.2 s on one core, a ring of 100,000 about 15 s, a random graph of that size about 1 s.
//
// If its bound on work stops the iteration (a ring of a million nodes, after about 25 s), it returns an error
// with the estimate so far, which is an upper bound of the gap.
func (m *Mixing) Spectrum() (Spectrum, error) {
	n := m.Nodes()
	switch {
	case n == 1:
		return Spectrum{Gap: 1}, nil
	case n <= denseNodes:
		return m.denseSpectrum(), nil
	}
	return m.lanczosSpectrum(int(max(100, lanczosWork/int64(n+len(m.w)))))
}

func (m *Mixing) denseSpectrum() Spectrum {
	var eig mat.EigenSym
	laplacian := m.Dense()
	for i := range m.self {
		for j := i; j < m.Nodes(); j++ {
			laplacian.SetSym(i, j, -laplacian.At(i, j))
		}
		laplacian.SetSym(i, i, 1-m.self[i])
	}
	if !eig.Factorize(laplacian, false) {
		panic("topologies: the dense eigensolver failed on a symmetric matrix")
	}
	v := eig.Values(nil) // ascending; the first is the 0 of the vector of ones
	low, high := v[1], 2-v[len(v)-1]
	return Spectrum{
		Lambda2: 1 - low, LambdaN: high - 1, Gap: gapOf(low, high), Tolerance: float64(m.Nodes()) * 0x1p-51,
	}
}

func (m *Mixing) lanczosSpectrum(maxSteps int) (Spectrum, error) {
	e := m.lanczos(maxSteps)
	low, high := e.low, 2-e.high // 1 - λ2 and 1 + λn
	s := Spectrum{Lambda2: 1 - e.low, LambdaN: 1 - e.high, Gap: gapOf(low, high)}
	residual := e.lowResidual
	if high < low {
		residual = e.highResidual
	}
	s.Tolerance = residual + 2e-15
	if !e.converged {
		return s, fmt.Errorf("spectral gap: not converged after %d steps on %d nodes: the gap is at most %.3g, "+
			"too small to find in reasonable time; take fewer nodes or a better connected graph",
			e.steps, m.Nodes(), s.Gap)
	}
	return s, nil
}

// gapOf returns the smaller distance. It returns 0 if there is no gap and rounding makes it negative.
func gapOf(low, high float64) float64 { return max(0, min(low, high)) }
