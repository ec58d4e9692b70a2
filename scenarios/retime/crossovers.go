package retime

import (
	"cmp"
	"context"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"tallynet/metrics/report/stats"
	"tallynet/scenarios/build"
)

// Narrow is the ratio of the two ends of a Crossing, at most.
const Narrow = 1.001

// Crossing is a change of the cheapest choice along a key: it is From at Low and To at High.
type Crossing struct {
	Low, High float64
	From, To  int // -1: no choice has a finite cost
}

// At returns the middle of the crossing.
func (c Crossing) At() float64 { return math.Sqrt(c.Low * c.High) }

// Along returns a function of a key's value, in its base unit: for each trace the time in seconds of its last sample
// there, +Inf for nil.
func Along(ctx context.Context, key string, traces []*Trace) func(x float64) ([]float64, error) {
	return func(x float64) ([]float64, error) {
		costs := slices.Repeat([]float64{math.Inf(1)}, len(traces))
		g, going := errgroup.WithContext(ctx)
		for i, t := range traces {
			if t == nil {
				continue
			}
			g.Go(func() error {
				there, err := t.in.Scenario.WithNumber(key, x)
				if err != nil {
					return err
				}
				in, err := build.Outline(there, t.in.Seed)
				if err != nil {
					return err
				}
				times, err := t.Times(going, in)
				if err == nil {
					costs[i] = times[len(times)-1].Seconds()
				}
				return err
			})
		}
		return costs, g.Wait()
	}
}

// place is a point along a key, with the costs and the cheapest choice there.
type place struct {
	x     float64
	costs []float64
	best  int
}

// by returns by how much choice i is dearer than choice k.
func (p *place) by(i, k int) float64 {
	if i < 0 || k < 0 {
		return math.NaN()
	}
	return p.costs[i] - p.costs[k]
}

// Crossovers returns where the cheapest of some choices changes between two positive values of a key, in order. cost
// returns the cost of each choice at x; of equal costs the first counts as the cheapest. The search looks at the ends,
// at the powers of ten between them, and at the given points. A choice that is cheapest only between two of these may
// not be found.
func Crossovers(cost func(x float64) ([]float64, error), low, high float64, points ...float64) ([]Crossing, error) {
	points = append(slices.Clone(points), low, high)
	for k := math.Ceil(math.Log10(low)); math.Pow(10, k) < high; k++ {
		points = append(points, math.Pow(10, k))
	}
	slices.Sort(points)
	look := func(x float64) (place, error) {
		costs, err := cost(x)
		p := place{x, costs, -1}
		for i, c := range costs {
			if !math.IsInf(c, 1) && (p.best < 0 || c < costs[p.best]) {
				p.best = i
			}
		}
		return p, err
	}
	var all []Crossing
	var before place
	for i, x := range slices.Compact(points) {
		here, err := look(x)
		if err == nil && i > 0 {
			all, err = between(all, look, before, here)
		}
		if err != nil {
			return nil, err
		}
		before = here
	}
	return all, nil
}

// between appends the crossings between two points. It narrows each down by the method of Oliveira and Takahashi (ACM
// Transactions on Mathematical Software 47(1), 2020) in the logarithm: by false position where that is faster than
// bisection, and never in more than one step more.
func between(all []Crossing, look func(float64) (place, error), a, b place) ([]Crossing, error) {
	if a.best == b.best {
		return all, nil
	}
	width, from, to := math.Log(b.x/a.x), a.best, b.best
	for most := 2 * width; b.x > a.x*Narrow; most /= 2 { // most: the widest bracket that is allowed now
		now := math.Log(b.x / a.x)
		at, root := now/2, a.by(from, to)/(a.by(from, to)-b.by(from, to))*now
		if !math.IsNaN(root) {
			root += math.Copysign(min(now*now/width/5, math.Abs(at-root)), at-root)
			at += math.Copysign(min(most/2-at, math.Abs(root-at)), root-at)
		}
		mid, err := look(a.x * math.Exp(at))
		switch {
		case err != nil:
			return all, err
		case mid.best == from:
			a = mid
		case mid.best == to:
			b = mid
		default:
			if all, err = between(all, look, a, mid); err != nil {
				return all, err
			}
			return between(all, look, mid, b)
		}
	}
	return append(all, Crossing{a.x, b.x, from, to}), nil
}

// Crossover is a change of the cheapest choice over several seeds.
type Crossover struct {
	From, To int
	At       stats.Estimate // the median over the seeds that have the change
	None     int            // the number of seeds that do not
}

// OverSeeds summarizes the crossings of each seed, in the order of their medians. If a seed has a change more than
// once, its first one counts.
func OverSeeds(seeds [][]Crossing) []Crossover {
	at := map[[2]int][]float64{}
	var all []Crossover
	for _, crossings := range seeds {
		for k, c := range crossings {
			id := [2]int{c.From, c.To}
			if slices.IndexFunc(crossings, func(o Crossing) bool { return o.From == c.From && o.To == c.To }) < k {
				continue
			}
			if at[id] == nil {
				all = append(all, Crossover{From: c.From, To: c.To})
			}
			at[id] = append(at[id], c.At())
		}
	}
	for i := range all {
		x := at[[2]int{all[i].From, all[i].To}]
		all[i].At, all[i].None = stats.Median(x, 1), len(seeds)-len(x)
	}
	slices.SortStableFunc(all, func(a, b Crossover) int { return cmp.Compare(a.At.Value, b.At.Value) })
	return all
}
