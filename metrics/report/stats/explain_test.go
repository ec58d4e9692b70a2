package stats

import (
	"math"
	"slices"
	"testing"
)

// R: g <- expand.grid(r = 1:2, C = factor(1:2), B = factor(1:3), A = factor(1:2)); g$y <- y;
// ss <- function(f) sum((fitted(lm(f, g)) - mean(g$y))^2); total <- sum((g$y - mean(g$y))^2);
// First: c(ss(y ~ A), ss(y ~ B), ss(y ~ C)) / total; Within: 1 - ss(y ~ A * B * C) / total;
// Total: (ss(y ~ A * B * C) - c(ss(y ~ B * C), ss(y ~ A * C), ss(y ~ A * B))) / total.
// Unbalanced: the same of g[-c(1, 2, 7, 24), ].
func TestExplain(t *testing.T) {
	y := []float64{1.2, 1.0, 3.1, 3.4, 2.2, 2.0, 4.4, 4.0, 2.9, 3.3, 5.2, 5.6, 1.9, 1.7, 3.0, 3.1, 2.5, 2.9, 6.1, 6.6,
		4.1, 3.8, 8.0, 8.3}
	var levels [][]int
	for i := range y {
		levels = append(levels, []int{i / 12, i / 4 % 3, i / 2 % 2})
	}
	for _, c := range []struct {
		name         string
		without      []int // counted from 1
		first, total []float64
		within       float64
		balanced     bool
	}{
		{"balanced", nil, []float64{0.0864743580883, 0.3600049758808, 0.4513722834225},
			[]float64{0.152566034085, 0.443037683082, 0.518016835063}, 0.00713209581335, true},
		{"unbalanced", []int{1, 2, 7, 24}, []float64{0.018185914026, 0.233967943645, 0.391586112016},
			[]float64{0.168546275177, 0.542564232528, 0.606724352244}, 0.0090510843199, false},
	} {
		var l [][]int
		var x []float64
		for i := range y {
			if !slices.Contains(c.without, i+1) {
				l, x = append(l, levels[i]), append(x, y[i])
			}
		}
		e := Explain(l, x)
		for j := range c.first {
			if !near(e.First[j], c.first[j], 1e-11) || !near(e.Total[j], c.total[j], 1e-11) {
				t.Errorf("%s: factor %d: %v and %v, want %v and %v", c.name, j, e.First[j], e.Total[j], c.first[j],
					c.total[j])
			}
		}
		if !near(e.Within, c.within, 1e-11) || e.Balanced != c.balanced || e.Method != BetweenMeans {
			t.Errorf("%s: %+v", c.name, e)
		}
	}
	if e := Explain([][]int{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, []float64{1, 2, 3, 5}); !e.Balanced {
		t.Errorf("one observation of each combination: %+v", e)
	}
	twins := Explain([][]int{{0, 0}, {1, 1}}, []float64{1, 2}) // two factors that vary together
	if twins.First[0] != 1 || twins.Total[0] != 0 || twins.Balanced {
		t.Errorf("twins: %+v", twins)
	}
	for why, y := range map[string][]float64{
		"the observations do not differ":            {0.1, 0.1, 0.1},
		"an observation is not finite":              {1, nan, 2},
		"the numbers are too large to compute with": {1e308, -1e308, 1e308},
	} {
		e := Explain([][]int{{0}, {1}, {2}}, y)
		if !math.IsNaN(e.First[0]) || !math.IsNaN(e.Total[0]) || !math.IsNaN(e.Within) || e.Method != why {
			t.Errorf("%v: %+v", y, e)
		}
	}
	if e := Explain(nil, nil); !math.IsNaN(e.Within) || e.Method != "no observations" {
		t.Errorf("nothing: %+v", e)
	}
}
