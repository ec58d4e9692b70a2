package topologies

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/mat"
)

func rowsOfDense(m *Mixing) [][]float64 {
	d, rows := m.Dense(), make([][]float64, m.Nodes())
	for i := range rows {
		rows[i] = mat.Row(nil, i, d)
	}
	return rows
}

// TestWeightsByHand uses the path 0 - 1 - 2 with the degrees 1, 2, 1.
func TestWeightsByHand(t *testing.T) {
	path, ring := made(Path(3)), made(Ring(4))
	for _, c := range []struct {
		m    *Mixing
		want [][]float64
	}{
		{Metropolis(path), [][]float64{{2. / 3, 1. / 3, 0}, {1. / 3, 1. / 3, 1. / 3}, {0, 1. / 3, 2. / 3}}},
		{LazyMetropolis(path), [][]float64{{3. / 4, 1. / 4, 0}, {1. / 4, 2. / 4, 1. / 4}, {0, 1. / 4, 3. / 4}}},
		{MaxDegree(made(Star(3, 0))), [][]float64{{1. / 3, 1. / 3, 1. / 3}, {1. / 3, 2. / 3, 0}, {1. / 3, 0, 2. / 3}}},
		{must(UniformNeighbor(ring)), [][]float64{{1. / 3, 1. / 3, 0, 1. / 3}, {1. / 3, 1. / 3, 1. / 3, 0},
			{0, 1. / 3, 1. / 3, 1. / 3}, {1. / 3, 0, 1. / 3, 1. / 3}}},
		{must(RingA(ring, 0.4)), [][]float64{{0.4, 0.3, 0, 0.3}, {0.3, 0.4, 0.3, 0}, {0, 0.3, 0.4, 0.3},
			{0.3, 0, 0.3, 0.4}}},
		{Metropolis(made(Complete(1))), [][]float64{{1}}},
		{LazyMetropolis(made(Complete(1))), [][]float64{{1}}},
		{MaxDegree(made(Complete(1))), [][]float64{{1}}},
		{must(UniformNeighbor(made(Complete(1)))), [][]float64{{1}}},
	} {
		if d := cmp.Diff(c.want, rowsOfDense(c.m), cmpopts.EquateApprox(0, 1e-15)); d != "" {
			t.Errorf("%s on %s (-want +got):\n%s", c.m.Rule(), c.m.Graph().Name(), d)
		}
	}
}

// TestDoublyStochastic checks the definition for every rule on every graph, and compares At and Self with the
// dense matrix.
func TestDoublyStochastic(t *testing.T) {
	for _, g := range families() {
		rules := []*Mixing{Metropolis(g), LazyMetropolis(g), MaxDegree(g)}
		if m, err := UniformNeighbor(g); err == nil {
			rules = append(rules, m)
		}
		if m, err := RingA(g, 0.33); err == nil {
			rules = append(rules, m)
		}
		for _, m := range rules {
			if _, err := FromMatrix(g, rowsOfDense(m)); err != nil {
				t.Errorf("%s on %s: %v", m.Rule(), g.Name(), err)
			}
			dense := m.Dense()
			for i := range g.Nodes() {
				if m.Self(i) != m.At(i, i) || m.Self(i) < 0 {
					t.Errorf("%s on %s: Self(%d) = %g, At = %g", m.Rule(), g.Name(), i, m.Self(i), m.At(i, i))
				}
				for j := range g.Nodes() {
					if m.At(i, j) != dense.At(i, j) {
						t.Fatalf("%s on %s: At(%d, %d) = %g", m.Rule(), g.Name(), i, j, m.At(i, j))
					}
				}
			}
		}
	}
}

func TestFromMatrix(t *testing.T) {
	g := made(Path(3))
	w := [][]float64{{0.5, 0.5, 0}, {0.5, 0.25, 0.25}, {0, 0.25, 0.75}}
	if d := cmp.Diff(w, rowsOfDense(must(FromMatrix(g, w)))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	must(FromMatrix(g, [][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}})) // edges without weight
}

func TestWeightErrors(t *testing.T) {
	g := made(Path(3))
	third := 1. / 3
	for name, c := range map[string]struct {
		w    [][]float64
		want string
	}{
		"rows":    {[][]float64{{1}}, "has 1 row, but the graph has 3 nodes"},
		"columns": {[][]float64{{1, 0, 0}, {0, 1}, {0, 0, 1}}, "row 1 has 2 entries, not 3"},
		"NaN": {[][]float64{{1, 0, 0}, {0, nan, 0}, {0, 0, 1}},
			"row 1, column 1 is NaN, not a finite number"},
		"Inf": {[][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, math.Inf(1)}},
			"row 2, column 2 is +Inf"},
		"negative": {[][]float64{{1.5, -0.5, 0}, {-0.5, 1.5, 0}, {0, 0, 1}},
			"row 0, column 1 is -0.5"},
		"support": {[][]float64{{0.5, 0, 0.5}, {0, 1, 0}, {0.5, 0, 0.5}},
			"row 0, column 2 is 0.5, but nodes 0 and 2 are not neighbours; " +
				"add the edge or make it 0"},
		"lopsided": {[][]float64{{0.5, 0.5, 0}, {0.4, 0.6, 0}, {0, 0, 1}},
			"not symmetric: row 0, column 1 is 0.5, but row 1, column 0 is 0.4"},
		"barely": {[][]float64{{0.5, 0.5, 0}, {0.5 - 2e-12, 0.5, 0}, {0, 0, 1}}, "not symmetric"},
		"sum": {[][]float64{{0.5, 0.4, 0}, {0.4, 0.6, 0}, {0, 0, 1}},
			"row 0 sums to 0.9, not 1 (off by -0.1; the tolerance is 1e-12): " +
				"adding 0.1 to column 0 corrects it"},
		"rounded": {[][]float64{{0.6667, 0.3333, 0}, {0.3333, third, 0.3333}, {0, 0.3333, 0.6667}},
			"row 1 sums to 0.99993333"},
	} {
		if _, err := FromMatrix(g, c.w); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	fail := func(_ *Mixing, err error) error { return err }
	twoRings := must(FromEdges(6, [][2]int{{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}}))
	for _, c := range []struct {
		err  error
		want string
	}{
		{fail(UniformNeighbor(g)), "uniform-neighbor is doubly stochastic only on a regular graph, " +
			"but node 0 has degree 1 and node 1 has 2; take metropolis"},
		{fail(RingA(g, 0.4)), "ring-a needs a ring, but node 0 has 1 neighbour; take metropolis"},
		{fail(RingA(twoRings, 0.4)), "ring-a needs one ring: the graph is not connected"},
		{fail(RingA(made(Ring(4)), 1)), "a must be at least 0 and below 1 (at 1 no node hears another), not 1"},
		{fail(RingA(made(Ring(4)), nan)), "a must be at least 0 and below 1 (at 1 no node hears another), not NaN"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want %q", c.err, c.want)
		}
	}
}
