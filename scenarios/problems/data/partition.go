package data

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Partition says how labelled samples are dealt out to nodes of equal size. The
// zero value deals them independently of the label.
//
//	iid        the shuffled samples, one stretch for each node
//	by-label   McMahan et al. 2017: sorted by label, cut into Shards · nodes
//	           stretches, each node gets Shards of them at random
//	dirichlet  Hsu, Qi, Brown 2019: each node draws its own shares of the classes
//	           from Dirichlet(Alpha · p), p the shares of all samples together. A class
//	           that runs out is replaced by the others in proportion to the node's shares.
type Partition struct {
	Kind   string  // "iid" (the default), "by-label", "dirichlet"
	Shards int     // by-label: stretches for each node; 0 means 2, and 1 nearly one class for each node
	Alpha  float64 // dirichlet: concentration, > 0; small is skewed, large is nearly iid
}

// Validate returns an error that says what is wrong.
func (p Partition) Validate() error {
	switch p.Kind {
	case "", "iid", "by-label":
	case "dirichlet":
		if !(p.Alpha > 0) || math.IsInf(p.Alpha, 0) {
			return fmt.Errorf("alpha is %v; partition dirichlet needs a finite number > 0, say 0.5", p.Alpha)
		}
	default:
		return fmt.Errorf("partition is %q; choose iid, by-label or dirichlet", p.Kind)
	}
	if p.Shards < 0 {
		return fmt.Errorf("shards is %d; want at least 1", p.Shards)
	}
	if p.Shards != 0 && p.Kind != "by-label" {
		return fmt.Errorf("shards is %d, but only partition by-label has shards", p.Shards)
	}
	if p.Alpha != 0 && p.Kind != "dirichlet" {
		return fmt.Errorf("alpha is %v, but only partition dirichlet has an alpha", p.Alpha)
	}
	return nil
}

// Deal gives each of the nodes perNode of the samples: the result's element i
// lists node i's samples, in random order, as values of pool. No sample is given
// twice. labels[s] is the label of sample s, for each s in pool.
//
// The deal depends only on the arguments and on rng.
func (p Partition) Deal(pool []int, labels []byte, nodes, perNode int, rng *rand.Rand) ([][]int, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if nodes < 1 || perNode < 1 {
		return nil, fmt.Errorf("%d nodes with %d samples each: want at least 1 of both", nodes, perNode)
	}
	if need := nodes * perNode; need > len(pool) {
		return nil, fmt.Errorf("%d nodes with %d samples each need %d samples, there are %d; take fewer samples or nodes, or more classes", nodes, perNode, need, len(pool))
	}
	shuffled := slices.Clone(pool)
	rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	var dealt [][]int
	switch p.Kind {
	case "by-label":
		dealt = p.dealShards(shuffled[:nodes*perNode], labels, nodes, perNode, rng)
	case "dirichlet":
		dealt = p.dealDirichlet(shuffled, labels, nodes, perNode, rng)
	default:
		for i := range nodes {
			dealt = append(dealt, slices.Clone(shuffled[i*perNode:(i+1)*perNode]))
		}
	}
	for _, d := range dealt {
		rng.Shuffle(len(d), func(i, j int) { d[i], d[j] = d[j], d[i] })
	}
	return dealt, nil
}

// dealShards deals samples, which are exactly nodes · perNode.
func (p Partition) dealShards(samples []int, labels []byte, nodes, perNode int, rng *rand.Rand) [][]int {
	shards := p.Shards
	if shards == 0 {
		shards = 2
	}
	shards = min(shards, perNode)
	slices.SortStableFunc(samples, func(a, b int) int { return int(labels[a]) - int(labels[b]) })

	// Stretch t goes to hand t % shards, and each node gets one stretch of each hand.
	// Stretches of one hand have one size, so that all nodes end with perNode.
	dealt := make([][]int, nodes)
	order := make([][]int, shards)
	for h := range order {
		order[h] = rng.Perm(nodes)
	}
	at := 0
	for t := range nodes * shards {
		hand := t % shards
		size := perNode / shards
		if hand < perNode%shards {
			size++
		}
		node := order[hand][t/shards]
		dealt[node] = append(dealt[node], samples[at:at+size]...)
		at += size
	}
	return dealt
}

func (p Partition) dealDirichlet(samples []int, labels []byte, nodes, perNode int, rng *rand.Rand) [][]int {
	var byLabel [256][]int
	for _, s := range samples {
		byLabel[labels[s]] = append(byLabel[labels[s]], s)
	}
	var left [][]int // the classes that there are, by label
	var prior []float64
	for _, c := range byLabel {
		if len(c) > 0 {
			left = append(left, c)
			prior = append(prior, float64(len(c))/float64(len(samples)))
		}
	}
	dealt := make([][]int, nodes)
	share := make([]float64, len(left))
	for i := range dealt {
		for c := range share {
			share[c] = distuv.Gamma{Alpha: p.Alpha * prior[c], Beta: 1, Src: rng}.Rand()
		}
		for range perNode {
			c := drawClass(share, left, rng)
			dealt[i] = append(dealt[i], left[c][0])
			left[c] = left[c][1:]
		}
	}
	return dealt
}

// drawClass draws a class that has samples left, in proportion to share, or to what
// is left where all their shares are zero.
func drawClass(share []float64, left [][]int, rng *rand.Rand) int {
	weight := func(c int) float64 {
		if len(left[c]) == 0 {
			return 0
		}
		return share[c]
	}
	total := 0.0
	for c := range left {
		total += weight(c)
	}
	if !(total > 0) {
		weight = func(c int) float64 { return float64(len(left[c])) }
		total = 0
		for c := range left {
			total += weight(c)
		}
	}
	u := rng.Float64() * total
	last := -1
	for c := range left {
		if len(left[c]) == 0 {
			continue
		}
		last = c
		if u -= weight(c); u < 0 {
			break
		}
	}
	return last // rounding may leave u at 0 after the last class
}
