package budget_test

import (
	"errors"
	"strings"
	"testing"

	"tallynet/scenarios/problems/budget"
)

func TestCheck(t *testing.T) {
	square := func(n int) budget.Need {
		return budget.Float64s(float64(n), float64(n)).Plus(budget.Need{Flops: float64(n)})
	}
	if err := (budget.Limit{}).Check("a matrix", square(1000)); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		limit budget.Limit
		need  budget.Need
		want  string
	}{
		{budget.Limit{}, square(100_000),
			"a matrix needs 80 GB of memory, and the limit is 4 GB; " + budget.Raise},
		{budget.Limit{Bytes: 1e12, Flops: 5}, square(100_000),
			"a matrix needs 100 kFLOP of work, and the limit is 5 FLOP; " + budget.Raise},
		{budget.Limit{Bytes: 1}, square(100_000), "a matrix needs 80 GB of memory, and the limit is 1 B; " + budget.Raise},
	} {
		err := c.limit.Check("a matrix", c.need)
		var over *budget.Error
		if !errors.As(err, &over) || over.Need != c.need || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
			continue
		}
		over.Fits = "q up to 5"
		if got, want := err.Error(), "; what would fit: q up to 5; "+budget.Raise; !strings.HasSuffix(got, want) {
			t.Errorf("%s, want %s at its end", got, want)
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
