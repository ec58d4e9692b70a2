package budget_test

import (
	"errors"
	"testing"

	"tallynet/scenarios/problems/budget"
)

func TestCheck(t *testing.T) {
	square := func(n int) budget.Need {
		return budget.Float64s(float64(n), float64(n)).Plus(budget.Need{Flops: float64(n)})
	}
	dimension := budget.Dimension{Name: "q", Value: 100_000, Need: square}
	if err := (budget.Limit{}).Check("a matrix", square(1000), dimension); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		limit budget.Limit
		need  budget.Need
		want  string
	}{
		{budget.Limit{}, square(100_000),
			"a matrix needs 80 GB of memory, and the limit is 4 GB; what would fit: q up to 22360 (here 100000); " +
				budget.Raise},
		{budget.Limit{Bytes: 1e12, Flops: 5}, square(100_000),
			"a matrix needs 100 kFLOP of work, and the limit is 5 FLOP; what would fit: q up to 5 (here 100000); " +
				budget.Raise},
		{budget.Limit{Bytes: 1}, square(100_000), "a matrix needs 80 GB of memory, and the limit is 1 B; " + budget.Raise},
	} {
		err := c.limit.Check("a matrix", c.need, dimension)
		var over *budget.Error
		if !errors.As(err, &over) || over.Need != c.need || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	if err := (budget.Limit{Bytes: 1e11}).Check("a matrix", square(100_000)); err != nil {
		t.Error(err)
	}
}

func TestUnits(t *testing.T) {
	for v, want := range map[float64]string{0: "0 B", 999: "999 B", 999.6: "1 kB", 1.6e12: "1.6 TB", 2e30: "2e+06 YB"} {
		if got := budget.Bytes(v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}
