package methodtest

import (
	"fmt"
	"maps"
	"slices"

	"tallynet/algorithms"
	"tallynet/metrics"
)

// slack is how far a bound may exceed the largest count. A bound that is looser in every run says little.
const slack = 1.5

// predicted is the cost of the start and of iterations 1 ... k.
func predicted(m algorithms.Method, k int, d algorithms.Dims) (c metrics.Cost) {
	for i := range k + 1 {
		c = c.Plus(algorithms.CostAt(m, i, d))
	}
	return c
}

// cost compares counts with the closed form, up to each iteration. For an asynchronous method, whose nodes
// are not in step, it compares the totals.
func (s *suite) cost() error {
	closest := map[string]float64{} // by count: the largest share of a bound that was used
	for _, u := range s.setups() {
		out, err := s.play(u)
		if err != nil {
			return err
		}
		m := s.New()
		for k, at := range out.at {
			want := predicted(m, k, u.dims())
			if s.asynchronous && k < s.iterations {
				continue
			}
			if err := s.compareCost(u, k, want, at.cost); err != nil {
				return err
			}
			if want.Bound {
				use(closest, want, at.cost)
			}
			if one := algorithms.CostAt(m, k, u.dims()); one.Bound && k > 0 && !s.asynchronous {
				use(closest, one, at.cost.Plus(out.at[k-1].cost.Times(-1)))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(closest)) {
		if used := closest[name]; used*slack < 1 {
			return fmt.Errorf("%s: %s: at most %.0f%% of what Cost gives as a bound was ever counted; want a closer bound",
				s.Name, name, 100*used)
		}
	}
	return nil
}

// use records the largest share of a bound that was counted.
func use(closest map[string]float64, bound, counted metrics.Cost) {
	have := counted.Counts()
	for i, w := range bound.Counts() {
		if w.Value > 0 {
			closest[w.Name] = max(closest[w.Name], float64(have[i].Value)/float64(w.Value))
		}
	}
}

func (s *suite) compareCost(u setup, k int, want, got metrics.Cost) error {
	have := got.Counts()
	for i, w := range want.Counts() {
		switch counted := have[i].Value; {
		case want.Bound && counted > w.Value:
			return s.errorf(u, "iteration %d: %s: counted %d, above the bound of %d that Cost gives",
				k, w.Name, counted, w.Value)
		case !want.Bound && counted != w.Value:
			return s.errorf(u, "iteration %d: %s: counted %d, predicted %d by Cost", k, w.Name, counted, w.Value)
		}
	}
	return nil
}

// oneNode checks that a single node exchanges nothing.
func (s *suite) oneNode() error {
	for _, u := range s.setups() {
		if u.nodes() > 1 {
			continue
		}
		out, err := s.play(u)
		if err != nil {
			return err
		}
		last := out.at[s.iterations].cost
		if last.Messages > 0 || last.Rounds > 0 {
			return s.errorf(u, "a node by itself made %d exchanges and sent %d messages, want none", last.Rounds, last.Messages)
		}
	}
	return nil
}
