package data

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Partition describes how labelled samples are dealt to nodes. The zero value ignores
// labels.
//
//	iid        the samples are shuffled
//	by-label   after McMahan et al. 2017: Shards · nodes shards of one label each, as far as
//	           the samples suffice, of which each node gets Shards at random
//	dirichlet  Hsu, Qi, Brown 2019: each node draws its own class shares from
//	           Dirichlet(Concentration · p), where p are the shares in all samples: the smaller
//	           Concentration, the fewer classes a node has. A class that
//	           runs out is replaced by the others in proportion to the node's shares.
//	own-class  Nazari et al., arXiv 2211.04088, section 6.3: the share Own of node i's
//	           samples is of class i (modulo the number of classes), as far as there are
//	           enough; the rest is drawn from all remaining samples
type Partition struct {
	Kind          string  // "iid" (the default), "by-label", "dirichlet", "own-class"
	Shards        int     // by-label: per node; 0 means 2, and 1 gives nearly one class per node
	Concentration float64 // dirichlet: concentration, > 0; small values are skewed, large ones nearly iid
	Own           float64 // own-class: share of a node's own class, in [0, 1]
}

// Deal gives perNode samples of pool to each node, no sample to two: element i of the
// result lists the samples of node i in random order. labels[s] is the label of sample s
// for each s in pool. The result depends only on the arguments and rng.
func (p Partition) Deal(pool []int, labels []byte, nodes, perNode int, rng *rand.Rand) ([][]int, error) {
	if need := nodes * perNode; need > len(pool) {
		return nil, fmt.Errorf("%d nodes with %d samples each need %d samples, but there are %d; "+
			"take fewer samples or nodes, or more classes", nodes, perNode, need, len(pool))
	}
	classes := make([]int, len(labels))
	for s, l := range labels {
		classes[s] = int(l)
	}
	return p.DealSizes(pool, classes, slices.Repeat([]int{perNode}, nodes), rng)
}

// DealSizes is Deal with sizes[i] samples for node i, together at most those of pool.
// labels[s] >= 0 is the label of sample s.
func (p Partition) DealSizes(pool, labels, sizes []int, rng *rand.Rand) ([][]int, error) {
	total := 0
	for i, n := range sizes {
		if total += n; total > len(pool) || total < 0 {
			return nil, fmt.Errorf("nodes 0 to %d need %d samples, but there are %d; take fewer", i, total, len(pool))
		}
	}
	shuffled := slices.Clone(pool)
	rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	var dealt [][]int
	switch p.Kind {
	case "by-label":
		dealt = p.dealShards(shuffled, labels, sizes, rng)
	case "dirichlet":
		dealt = p.dealDirichlet(shuffled, labels, sizes, rng)
	case "own-class":
		dealt = p.dealOwn(shuffled, labels, sizes)
	default:
		at := 0
		for _, n := range sizes {
			dealt = append(dealt, slices.Clone(shuffled[at:at+n]))
			at += n
		}
	}
	for _, d := range dealt {
		rng.Shuffle(len(d), func(i, j int) { d[i], d[j] = d[j], d[i] })
	}
	return dealt, nil
}

// dealShards deals shuffled samples in shards of one label. The labels have shards in proportion to their samples, and
// random nodes get them. Where no label has enough samples left, a shard goes on with another one.
func (p Partition) dealShards(samples, labels, sizes []int, rng *rand.Rand) [][]int {
	type shard struct{ node, size int }
	var all []shard
	each := min(cmp.Or(p.Shards, 2), slices.Min(sizes))
	for i, n := range sizes {
		for k := range each {
			all = append(all, shard{i, (n + k) / each}) // as equal as they can be
		}
	}
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	slices.SortStableFunc(all, func(a, b shard) int { return b.size - a.size })

	left := byClass(samples, labels)
	var total []int
	for _, c := range left {
		total = append(total, len(c))
	}
	dealt := make([][]int, len(sizes))
	for _, s := range all {
		// The method of Sainte-Laguë: the largest quotient gets the next shard.
		next, most := -1, 0.0
		for c := range left {
			quotient := float64(total[c]) / float64(2*(total[c]-len(left[c]))+s.size)
			if len(left[c]) >= s.size && quotient > most {
				next, most = c, quotient
			}
		}
		for s.size > 0 {
			if next < 0 || len(left[next]) == 0 {
				next = fullest(left)
			}
			n := min(s.size, len(left[next]))
			dealt[s.node] = append(dealt[s.node], left[next][:n]...)
			left[next] = left[next][n:]
			s.size -= n
		}
	}
	return dealt
}

// fullest returns the first of the longest lists.
func fullest(lists [][]int) int {
	best := 0
	for i := range lists {
		if len(lists[i]) > len(lists[best]) {
			best = i
		}
	}
	return best
}

// byClass returns the samples of each class that occurs, ordered by label.
func byClass(samples, labels []int) [][]int {
	var all [][]int
	for _, s := range samples {
		for len(all) <= labels[s] {
			all = append(all, nil)
		}
		all[labels[s]] = append(all[labels[s]], s)
	}
	return slices.DeleteFunc(all, func(c []int) bool { return len(c) == 0 })
}

// dealOwn deals shuffled samples: first each node's own class, then the rest.
func (p Partition) dealOwn(samples, labels, sizes []int) [][]int {
	left := byClass(samples, labels)
	dealt := make([][]int, len(sizes))
	gone := make(map[int]bool)
	for i := range dealt {
		own := &left[i%len(left)]
		n := min(int(math.Round(p.Own*float64(sizes[i]))), len(*own))
		dealt[i] = slices.Clone((*own)[:n])
		*own = (*own)[n:]
		for _, s := range dealt[i] {
			gone[s] = true
		}
	}
	rest := slices.DeleteFunc(samples, func(s int) bool { return gone[s] })
	for i := range dealt {
		n := sizes[i] - len(dealt[i])
		dealt[i] = append(dealt[i], rest[:n]...)
		rest = rest[n:]
	}
	return dealt
}

func (p Partition) dealDirichlet(samples, labels, sizes []int, rng *rand.Rand) [][]int {
	left := byClass(samples, labels)
	var prior []float64
	for _, c := range left {
		prior = append(prior, float64(len(c))/float64(len(samples)))
	}
	dealt := make([][]int, len(sizes))
	share := make([]float64, len(left)) // logarithms
	for i := range dealt {
		for c := range share {
			share[c] = logGamma(p.Concentration*prior[c], rng)
		}
		for range sizes[i] {
			c := drawClass(share, left, rng)
			dealt[i] = append(dealt[i], left[c][0])
			left[c] = left[c][1:]
		}
	}
	return dealt
}

// logGamma returns the logarithm of a Gamma(alpha, 1) variable. A small alpha gives values
// far below the smallest positive number, such as e^-10000, whose logarithms are exact.
// There it is the method of Liu, Martin, Syring, arXiv 1302.1884, which draws logarithms.
func logGamma(alpha float64, rng *rand.Rand) float64 {
	const small = 0.2
	if alpha >= small {
		return math.Log(distuv.Gamma{Alpha: alpha, Beta: 1, Src: rng}.Rand())
	}
	lambda := 1/alpha - 1
	lr := -math.Log1p(1 / lambda / math.E)
	for {
		z := rng.ExpFloat64() + lr
		eta := -z
		if z < 0 {
			z = -rng.ExpFloat64() / lambda
			eta = lambda*z - 1
		}
		if -z-math.Exp(-z/alpha)-eta > -rng.ExpFloat64() {
			return -z / alpha
		}
	}
}

// drawClass draws a class that has samples left, in proportion to the shares, whose
// logarithms are given.
func drawClass(share []float64, left [][]int, rng *rand.Rand) int {
	largest := math.Inf(-1)
	for c, samples := range left {
		if len(samples) > 0 {
			largest = max(largest, share[c])
		}
	}
	if largest > -600 { // e^-600 is far above the smallest number: no need to scale
		largest = 0
	}
	weight := make([]float64, len(left))
	total := 0.0
	for c, samples := range left {
		if len(samples) > 0 {
			weight[c] = math.Exp(share[c] - largest)
			total += weight[c]
		}
	}
	u := rng.Float64() * total
	last := -1
	for c, samples := range left {
		if len(samples) == 0 {
			continue
		}
		last = c
		if u -= weight[c]; u < 0 {
			break
		}
	}
	return last // rounding may leave u at 0 after the last class
}
