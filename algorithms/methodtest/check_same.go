package methodtest

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"tallynet/sim"
)

// determinism repeats one setup in several ways that must not matter.
func (s *suite) determinism() error {
	u := s.typical()
	u.slow = true
	m := s.New()
	first, err := s.playWith(u, m)
	if err != nil {
		return err
	}
	same := func(how string, out outcome, err error) error {
		if err == nil && out.digest != first.digest {
			return s.errorf(u, "%s: another result than at first (digest %s, at first %s)", how, out.digest, first.digest)
		}
		return err
	}
	again, err := s.playWith(u, m)
	errs := []error{same("the same instance again", again, err)}
	again, err = s.play(u)
	errs = append(errs, same("a new instance", again, err))
	apart := u
	apart.apart = true
	again, err = s.play(apart)
	errs = append(errs, same("an instance for each node", again, err))
	threads, again, err := s.playOnOtherThreads(u)
	errs = append(errs, same(fmt.Sprintf("GOMAXPROCS %d", threads), again, err))
	if err := errors.Join(errs...); err != nil || s.faulty { // nodes may share memory, and would race
		return err
	}
	u.helped = true
	again, err = s.play(u)
	return same("computed ahead on other cores; do nodes share memory?", again, err)
}

// threading guards GOMAXPROCS. Without it, parallel tests would restore each other's temporary values.
var threading sync.Mutex

// playOnOtherThreads runs a setup with GOMAXPROCS 1, or 2 if it is 1.
func (s *suite) playOnOtherThreads(u setup) (threads int, out outcome, err error) {
	threading.Lock()
	defer threading.Unlock()
	before := runtime.GOMAXPROCS(0)
	threads = 1 + 1/before
	runtime.GOMAXPROCS(threads)
	defer runtime.GOMAXPROCS(before)
	out, err = s.play(u)
	return threads, out, err
}

// roundoff is the relative difference that another order of summation may make.
const roundoff = 1e-8

// renumbering gives nodes other numbers. Each must compute and cost the same as before.
func (s *suite) renumbering() error {
	if s.Deviations.Numbers != "" {
		return nil
	}
	d := s.dimensions()[0]
	for _, n := range networks(s.needs) {
		u := s.on(n, d[0], d[1])
		u.slow = s.timed() // so that no two events of a node fall together
		before, err := s.play(u)
		if err != nil {
			return err
		}
		for _, u.numbers = range s.numberings(n) {
			after, err := s.play(u)
			if err != nil {
				return err
			}
			if err := s.sameNodes(u, before, after, roundoff); err != nil {
				return err
			}
		}
	}
	return nil
}

// numberings are ways to number the nodes of a network otherwise. A server stays node 0.
func (s *suite) numberings(n network) [][]int {
	if s.Deviations.NeighborOrder != "" {
		return [][]int{orderKeeping(n)}
	}
	ids := n.data()
	reversed, mixed := make([]int, n.nodes()), make([]int, n.nodes())
	perm := sim.Stream(3, "numbers").Perm(len(ids))
	for k, id := range ids {
		reversed[id], mixed[id] = ids[len(ids)-1-k], ids[perm[k]]
	}
	return [][]int{reversed, mixed}
}

// orderKeeping renumbers nodes so that every list of neighbours keeps its order. It repeatedly takes the last
// node that needs not wait for another.
func orderKeeping(n network) []int {
	numbers := slices.Repeat([]int{-1}, n.nodes())
	waits := func(id int) bool {
		for i := range n.nodes() {
			row := n.w.Graph().Neighbors(i)
			k := slices.Index(row, id)
			if k > 0 && numbers[row[k-1]] < 0 {
				return true
			}
		}
		return false
	}
	for next := range numbers {
		for id := n.nodes() - 1; id >= 0; id-- {
			if numbers[id] < 0 && !waits(id) {
				numbers[id] = next
				break
			}
		}
	}
	return numbers
}

// sameNodes compares two runs node by node: iterates up to a relative tolerance, counts
// and drawn samples exactly.
func (s *suite) sameNodes(u setup, want, got outcome, tolerance float64) error {
	for k := range want.at {
		a, b := want.at[k], got.at[k]
		for id := range a.x {
			for _, v := range []struct {
				name      string
				want, got []float64
			}{{"x", a.x[id], b.x[id]}, {"y", a.y[id], b.y[id]}} {
				if d := distance(v.want, v.got); !(d <= tolerance) {
					return s.errorf(u, "iteration %d: %s of node %d differs by %.2g: %v, want %v",
						k, v.name, u.number(id), d, v.got, v.want)
				}
			}
		}
		have := counts(b.cost)
		for i, w := range counts(a.cost) {
			if have[i].value != w.value {
				return s.errorf(u, "iteration %d: %s: counted %d, want %d", k, w.name, have[i].value, w.value)
			}
		}
	}
	for id := range want.drawn {
		if !slices.EqualFunc(want.drawn[id], got.drawn[id], batch.equal) {
			return s.errorf(u, "node %d draws other samples", u.number(id))
		}
	}
	return nil
}

// distance is the largest difference, relative to max(1, |a|). Of vectors of different
// lengths it is infinite.
func distance(a, b []float64) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	d := 0.
	for i, v := range a {
		d = max(d, math.Abs(v-b[i])/max(1, math.Abs(v)))
	}
	return d
}

// time slows links and machines down. A synchronous method must compute and count the same, to the last bit,
// and draw the same samples.
func (s *suite) time() error {
	if s.timed() {
		return nil
	}
	d := s.dimensions()[0]
	for _, n := range networks(s.needs) {
		u := s.on(n, d[0], d[1])
		fast, err := s.play(u)
		if err != nil {
			return err
		}
		u.slow = true
		slow, err := s.play(u)
		if err != nil {
			return err
		}
		if err := s.sameNodes(u, fast, slow, 0); err != nil {
			return fmt.Errorf("%w; without delays it does not: does a node read what another has, or the clock?", err)
		}
	}
	return nil
}
