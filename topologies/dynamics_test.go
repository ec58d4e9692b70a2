package topologies

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tallynet/sim"
)

func ofRound(k int) *rand.Rand { return sim.Stream(5, "dynamics", k) }

// matrix returns W_k, or nil.
func (r *Round) matrix() *mat.Dense {
	n := len(r.Out)
	w := mat.NewDense(n, n, nil)
	for i := range n {
		w.Set(i, i, r.Self[i])
		for k, j := range r.In[i] {
			w.Set(i, j, r.Weights[i][k])
		}
	}
	return w
}

// TestRoundsAreDoublyStochastic checks that each W_k is doubly stochastic within the edges of the graph, that
// senders and receivers agree, and that symmetric dynamics are symmetric.
func TestRoundsAreDoublyStochastic(t *testing.T) {
	g := made(Torus(3, 4))
	for _, n := range []int{2, 5, 8, 13} {
		one, err := OnePeerExponential(made(Exponential(n)))
		if err != nil {
			t.Fatal(err)
		}
		checkDynamics(t, one)
	}
	schedule, err := Schedule(made(Ring(4)), [][][2]int{{{0, 1}, {2, 3}}, {{1, 2}}, {}}, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []*Dynamics{Matchings(g, ofRound), RandomEdges(g, .4, ofRound), Cycle(g), Cycle(made(Star(6,
		0))), schedule} {
		checkDynamics(t, d)
	}
}

func checkDynamics(t *testing.T, d *Dynamics) {
	t.Helper()
	rounds := d.Rounds()
	for k := range 200 {
		r := rounds(k)
		w, messages := r.matrix(), 0
		for i := range d.graph.Nodes() {
			if row, col := mat.Sum(w.RowView(i)), mat.Sum(w.ColView(i)); !(math.Abs(row-1)+math.Abs(col-1) <= 1e-12) ||
				w.At(i, i) < 0 {
				t.Fatalf("%s, round %d: row and column %d sum to %g and %g", d.Name(), k, i, row, col)
			}
			for _, j := range r.Out[i] {
				messages++
				if !d.graph.HasEdge(i, j) || !slices.Contains(r.In[j], i) {
					t.Fatalf("%s, round %d: node %d sends to %d", d.Name(), k, i, j)
				}
			}
			for _, j := range r.In[i] {
				if !slices.Contains(r.Out[j], i) {
					t.Fatalf("%s, round %d: node %d hears %d, which does not send", d.Name(), k, i, j)
				}
			}
		}
		if messages > d.MostMessages() || d.Symmetric() && !mat.EqualApprox(w, w.T(), 1e-15) {
			t.Fatalf(
				"%s, round %d: %d messages of at most %d, W = %v",
				d.Name(),
				k,
				messages,
				d.MostMessages(),
				mat.Formatted(w),
			)
		}
	}
}

// TestOnePeerIsExact checks that on 2^k nodes k rounds compute the average.
func TestOnePeerIsExact(t *testing.T) {
	d, err := OnePeerExponential(made(Exponential(16)))
	if err != nil {
		t.Fatal(err)
	}
	product := mat.NewDense(16, 16, nil)
	product.Copy(d.Rounds()(0).matrix())
	for k := 1; k < 4; k++ {
		product.Mul(d.Rounds()(k).matrix(), mat.DenseCopyOf(product))
	}
	for i := range 16 {
		for j := range 16 {
			if product.At(i, j) != 1./16 {
				t.Fatalf("the product of 4 rounds has %g at %d, %d", product.At(i, j), i, j)
			}
		}
	}
}

// TestCycleTakesEveryEdge checks that a period has every edge once, and that matchings are maximal.
func TestCycleTakesEveryEdge(t *testing.T) {
	g := made(Torus(3, 4))
	d, times := Cycle(g), 0
	rounds := d.Rounds()
	for k := range d.period {
		for i := range g.Nodes() {
			times += len(rounds(k).Out[i])
		}
	}
	if times != 2*g.Edges() {
		t.Errorf("%d messages in a period, want %d", times, 2*g.Edges())
	}
	matching := Matchings(g, ofRound).Rounds()
	for k := range 50 {
		r := matching(k)
		for i, j := range g.EdgeSeq() {
			if len(r.Out[i])+len(r.Out[j]) == 0 {
				t.Errorf("round %d: nodes %d and %d are both free", k, i, j)
			}
		}
	}
}

func TestDynamicsErrors(t *testing.T) {
	ring, pair := made(Ring(5)), must(FromEdges(2, [][2]int{{0, 1}}))
	for want, try := range map[string]func() (*Dynamics, error){
		"want at least 2 nodes, got 1":       func() (*Dynamics, error) { return OnePeerExponential(made(Complete(1))) },
		"write topology: {kind: exponential": func() (*Dynamics, error) { return OnePeerExponential(ring) },
		"has the edge [0 2], and ring": func() (*Dynamics, error) {
			return Schedule(ring, [][][2]int{{{0, 2}}},
				false)
		},
		"twice": func() (*Dynamics, error) {
			return Schedule(ring, [][][2]int{{{0, 1}, {1,
				0}}}, false)
		},
		"nothing that node 0 sends ever reaches node 2": func() (*Dynamics, error) {
			return Schedule(ring, [][][2]int{{{0, 1}, {1, 0}, {2, 1}, {3, 2}, {4, 3}}}, true)
		},
		"nothing that node 0 sends ever reaches node 1": func() (*Dynamics, error) {
			return Schedule(pair, [][][2]int{{{1, 0}}}, true)
		},
		"nothing that node 1 sends ever reaches node 0": func() (*Dynamics, error) {
			return Schedule(pair, [][][2]int{{{0, 1}}}, true)
		},
		"at least one round": func() (*Dynamics, error) { return Schedule(ring, nil, true) },
	} {
		if _, err := try(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestClientSampling checks that some of 10 clients are selected and drawn anew after three rounds.
func TestClientSampling(t *testing.T) {
	g := made(Star(11, 0))
	for _, c := range []struct {
		share float64
		heard int
	}{{0.01, 1}, {0.24, 2}, {0.25, 3}, {0.5, 5}, {1, 10}, {1.5, 10}} {
		d := ClientSampling(g, c.share, 3, func(k int) *rand.Rand { return sim.Stream(uint64(k), "clients") })
		name := fmt.Sprintf("%d of 10 clients in a round", c.heard)
		if d.Name() != name || d.MostMessages() != 2*c.heard || !d.Directed() || !d.Sampling() || d.Symmetric() {
			t.Errorf("%g: %s, %d messages; want %s", c.share, d.Name(), d.MostMessages(), name)
		}
		round := d.Rounds()
		often := map[int]int{}
		for k := range 300 {
			r := round(k)
			if k%3 > 0 && !slices.Equal(r.In[0], round(k - 1).In[0]) {
				t.Errorf("%g: rounds %d and %d hear %v and %v", c.share, k-1, k, round(k - 1).In[0], r.In[0])
			}
			if len(r.In[0]) != c.heard || !slices.Equal(r.Out[0], r.In[0]) || r.Weights != nil {
				t.Fatalf("%g: node 0 hears %v and sends to %v", c.share, r.In[0], r.Out[0])
			}
			for i := 1; i < 11; i++ {
				sends := slices.Contains(r.In[0], i)
				if sends {
					often[i]++
				}
				if sends != slices.Equal(r.In[i], []int{0}) || !slices.Equal(r.Out[i], r.In[i]) {
					t.Errorf("%g: client %d hears %v and sends to %v", c.share, i, r.In[i], r.Out[i])
				}
			}
		}
		if len(often) != 10 { // of 100 draws each of 10 is among one with probability 1 - 0.9^100
			t.Errorf("%g: only clients %v are heard", c.share, often)
		}
	}
}

// TestBoundsOfOutlines: a cycle over an outline, whose edges are unknown, has at most one pair for every
// two nodes.
func TestBoundsOfOutlines(t *testing.T) {
	for n, most := range map[int]int{2: 2, 5: 4, 8: 8} {
		if d := Cycle(must(Complete(n)).Outline()); d.MostMessages() != most || d.Name() != "cycle" || !d.Symmetric() {
			t.Errorf("%d nodes: %s, at most %d messages, want %d", n, d.Name(), d.MostMessages(), most)
		}
	}
	d := must(OnePeerExponential(must(Exponential(5)).Outline()))
	if d.MostMessages() != 5 || d.Symmetric() || !slices.Equal(d.Rounds()(5).Out[3], []int{2}) { // 3 + 4 modulo 5
		t.Errorf("one peer: at most %d messages, node 3 sends to %v", d.MostMessages(), d.Rounds()(5).Out[3])
	}
	if d := Cycle(must(FromEdges(3, nil))); d.MostMessages() != 0 || len(d.Rounds()(4).Out[1]) != 0 {
		t.Errorf("without edges: %d messages", d.MostMessages())
	}
}

// TestRoundsAreRemembered checks that a cached round is not drawn again, and that a round that left the cache
// is drawn the same.
func TestRoundsAreRemembered(t *testing.T) {
	g := made(Complete(6))
	drawn := 0
	stream := func(k int) *rand.Rand {
		drawn++
		return sim.Stream(uint64(k), "rounds")
	}
	round := Matchings(g, stream).Rounds()
	for _, c := range []struct{ k, drawn int }{
		{5, 1}, {5, 1}, {6, 2}, {5, 2}, {69, 3}, {69, 3}, {6, 3}, {5, 4}, {65, 5}, {1, 6}, {65, 7}, {65, 7}, {0, 8}, {64, 9},
		{0, 10},
	} {
		got := round(c.k)
		if drawn != c.drawn {
			t.Errorf("round %d: %d were drawn, want %d", c.k, drawn, c.drawn)
		}
		want := Matchings(g, func(k int) *rand.Rand { return sim.Stream(uint64(k), "rounds") }).make(c.k)
		if !slices.Equal(slices.Concat(got.Out...), slices.Concat(want.Out...)) {
			t.Errorf("round %d: %v, want %v", c.k, got.Out, want.Out)
		}
	}
}
