package algorithms_test

import (
	"math"
	"testing"

	"tallynet/algorithms"
	"tallynet/metrics"
)

// BA's inner steps up to iteration (2M)^4, M of them in the last, are the sum over n of
// n ((2n)^4 - (2n-2)^4). Roots of exact fourth powers count; math.Pow would round them up.
func TestCostTermsOfBAAreExact(t *testing.T) {
	const m = 100
	a, d := algorithms.BA{}, algorithms.Dims{P: 1, Q: 1, Nodes: 1}
	var want, last int64
	for n := int64(1); n <= m; n++ {
		end := 16 * n * n * n * n
		want += n * (end - last)
		last = end
	}
	terms := algorithms.CostTerms(a, d, int(last))
	got := terms.Of(func(c *metrics.Cost) int64 { return c.Oracle.GradG })
	if !got.IsInt64() || got.Int64() != want || len(terms) != m+1 {
		t.Errorf("%d iterations: %v gradients in %d terms, want %d in %d", last, got, len(terms), want, m+1)
	}
	for n := 1; n <= m; n++ {
		at := 16 * n * n * n * n
		if end, next := a.Cost(at, d).Oracle.GradG, a.Cost(at+1, d).Oracle.GradG; end != int64(n) || next != int64(n+1) {
			t.Errorf("iterations %d and %d take %d and %d steps, want %d and %d", at, at+1, end, next, n, n+1)
		}
	}
}

// Any number of iterations with any period evaluates a few thousand costs, not one per iteration.
func TestCostTermsAskForFewCosts(t *testing.T) {
	const most = math.MaxInt / 1000000 // 9.2e12, where int has 64 bits
	for _, m := range []algorithms.Method{
		algorithms.BA{}, algorithms.BSA{Q: 3}, algorithms.SPDB{}, algorithms.DAGM{Period: most / 3, Inner: 1},
		algorithms.CentralizedDAGM{Period: most / 3, Inner: 1}, algorithms.VRBO{Period: most / 3, Inner: 1},
		algorithms.Prometheus{Period: most / 3, Batch: 1},
	} {
		c := &costsAsked{Method: m}
		d := algorithms.Dims{P: 2, Q: 3, Nodes: 4, Links: 8}
		terms := algorithms.CostTerms(c, d, most)
		var covered int64
		for _, term := range terms {
			covered += term.Times
		}
		if covered != most+1 {
			t.Errorf("%T: the terms are of %d iterations, want %d", m, covered, int64(most+1))
		}
		if c.n > 100*len(terms)+200 {
			t.Errorf("%T: %d costs asked for %d terms", m, c.n, len(terms))
		}
	}
}

// costsAsked counts the calls of Cost.
type costsAsked struct {
	algorithms.Method
	n int
}

func (c *costsAsked) Cost(k int, d algorithms.Dims) metrics.Cost {
	c.n++
	return c.Method.Cost(k, d)
}

func (c *costsAsked) CostPeriod() int { return c.Method.(algorithms.Varying).CostPeriod() }
