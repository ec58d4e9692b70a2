package main

import (
	"iter"
	"math/rand/v2"
	"slices"
)

// some returns at most count of the groups, in their order; which ones decides the seed, each as likely as any other.
// A count of 0 means all.
func some(groups [][]mutant, count int, seed uint64) [][]mutant {
	if count <= 0 || count >= len(groups) {
		return groups
	}
	chosen := rand.New(rand.NewPCG(seed, 1<<32)).Perm(len(groups))[:count] // draw numbers its generators from 0
	slices.Sort(chosen)
	out := make([][]mutant, count)
	for i, from := range chosen {
		out[i] = groups[from]
	}
	return out
}

// draw yields the mutants in a random order that the seed decides: one of each group in
// turn, and within a group one of each kind of edit in turn.
func draw(groups [][]mutant, seed uint64) iter.Seq[mutant] {
	var queues [][]mutant
	for i, g := range groups {
		queues = append(queues, mixed(g, rand.New(rand.NewPCG(seed, uint64(i)))))
	}
	order := rand.New(rand.NewPCG(seed, uint64(len(groups)))).Perm(len(groups))
	return func(yield func(mutant) bool) {
		for left := true; left; {
			left = false
			for _, i := range order {
				if len(queues[i]) == 0 {
					continue
				}
				left = true
				if !yield(queues[i][0]) {
					return
				}
				queues[i] = queues[i][1:]
			}
		}
	}
}

// mixed returns the mutants of a group with the kinds of edit in turn.
func mixed(group []mutant, r *rand.Rand) []mutant {
	byKind := map[string][]mutant{}
	for _, m := range group {
		byKind[m.operator] = append(byKind[m.operator], m)
	}
	var kinds []string
	for kind := range byKind {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	r.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	for _, kind := range kinds {
		some := byKind[kind]
		r.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
	}
	out := make([]mutant, 0, len(group))
	for i := 0; len(out) < len(group); i++ {
		for _, kind := range kinds {
			if i < len(byKind[kind]) {
				out = append(out, byKind[kind][i])
			}
		}
	}
	return out
}

// choose returns the first mutants of an order, up to and including the count-th that is neither known to be
// equivalent nor broken. That one and its like have survived so far.
func choose(order iter.Seq[mutant], known map[string]bool, count int,
	fails func([]mutant) (map[int]bool, error)) ([]verdict, error) {
	next, stop := iter.Pull(order)
	defer stop()
	var out []verdict
	for left := count; left > 0; {
		var some []mutant
		begin := len(out)
		for len(some) < left {
			m, ok := next()
			if !ok {
				break
			}
			v := verdict{mutant: m, what: survived}
			if known[m.key()] {
				v.what = equivalent
			} else {
				some = append(some, m)
			}
			out = append(out, v)
		}
		if len(some) == 0 {
			break
		}
		bad, err := fails(some)
		if err != nil {
			return nil, err
		}
		i := 0
		for k := range out[begin:] {
			v := &out[begin+k]
			if v.what != survived {
				continue
			}
			if bad[i] {
				v.what = broken
			} else {
				left--
			}
			i++
		}
	}
	return out, nil
}
