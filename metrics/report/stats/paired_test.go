package stats

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"tallynet/sim"
)

func TestRatios(t *testing.T) {
	// l <- t.test(log(a / b)); exp(l$estimate); exp(l$conf.int)
	check(t, "log ratio", Ratio(a, b), 0.353685117879, 0.330477732811, 0.378522212511, 6, logRatio, 1e-11)
	// f <- function(r) abs(t.test(a - r * b)$statistic) - qt(0.975, n - 1), its two roots by uniroot
	check(t, "Fieller", fieller95(a, b), 0.353117206983, 0.331007057828, 0.378601715909, 6, fieller, 1e-11)
	c, d := []float64{-1.5, 2, 0.5, 3, 1}, []float64{4, 7, 5, 6, 9}
	check(t, "Fieller", Ratio(c, d), 0.161290322581, -0.230053532102, 0.455782676236, 5, fieller, 1e-11)
	// m <- mean(a) / mean(b); m ± qt(0.975, 5) * sd(a - m * b) / sqrt(6) / mean(b)
	check(t, "denominators about 0", Ratio([]float64{1, 2, 3}, []float64{-1, 0.5, 1}), 12, nan, nan, 3,
		"the mean of the denominators may be 0", 1e-9)
	check(t, "mean 0", Ratio([]float64{1, 2}, []float64{-1, 1}), nan, nan, nan, 2,
		"the mean of the denominators is 0, or the numbers are too large", 0)
	for _, p := range [][2][]float64{{{1, 2, 3}, {0, 1, 2}}, {{0, 3, 6}, {1, 2, 3}}, {{0, 3, 3}, {0, 1, 1}}} {
		want := floats.Sum(p[0]) / floats.Sum(p[1]) // a zero has no logarithm
		if got := Ratio(p[0], p[1]); got.Value != want || got.Value != fieller95(p[0], p[1]).Value {
			t.Errorf("ratio of %v to %v: %v, want %v", p[0], p[1], got.Value, want)
		}
	}
	check(t, "proportional", Ratio([]float64{2, 4, 6}, []float64{1, 2, 3}), 2, 2, 2, 3, exact, 0)
	small, less := make([]float64, len(a)), make([]float64, len(b))
	for i := range a {
		small[i], less[i] = a[i]*1e-6, b[i]*1e-6
	}
	check(t, "Fieller in other units", fieller95(small, less), 0.353117206983, 0.331007057828, 0.378601715909, 6,
		fieller, 1e-11)
	back := Ratio(b, a)
	if e := Ratio(a, b); !near(back.Low*e.High, 1, 1e-12) || !near(back.Value*e.Value, 1, 1e-12) {
		t.Errorf("b over a is not the inverse of a over b: %+v, %+v", back, e)
	}
}

// Costs of two methods over five common seeds: each seed multiplies both by one factor
// (log-normal, sigma 1), and each run by its own factor (sigma 0.5). 95 % of 4000
// intervals cover the true factor 3, give or take 1 % (three standard errors).
func TestRatioCoverage(t *testing.T) {
	const trials, n = 4000, 5
	random := sim.Stream(1, "coverage")
	covered := 0
	for range trials {
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			common := random.NormFloat64()
			x[i] = 3 * math.Exp(common+random.NormFloat64()/2)
			y[i] = math.Exp(common + random.NormFloat64()/2)
		}
		if e := Ratio(x, y); e.Low <= 3 && 3 <= e.High {
			covered++
		}
	}
	if c := float64(covered) / trials; c < 0.94 || c > 0.96 {
		t.Errorf("%v of the intervals of log ratios cover the ratio", c)
	}
}

// Lists of different lengths are a bug.
func TestPairsArePairs(t *testing.T) {
	for name, f := range map[string]func(a, b []float64){
		"difference": func(a, b []float64) { Difference(a, b, 1) }, "ratio": func(a, b []float64) { Ratio(a, b) },
		"Fieller":  func(a, b []float64) { fieller95(a, b) },
		"slope":    func(a, b []float64) { LogLogSlope(a, b) },
		"exponent": func(a, b []float64) { Exponent(a, b, 1) },
		"growth":   func(a, b []float64) { Growth(a, b, 1, 1) },
	} {
		for _, more := range []int{1, 2} {
			var said any
			func() {
				defer func() { said = recover() }()
				f([]float64{1, 2, 3}, []float64{1, 2, 3, 4, 5}[:3+more])
			}()
			if text, _ := said.(string); !strings.HasPrefix(text, "stats: 3 and ") {
				t.Errorf("%s of 3 and %d numbers: %v", name, 3+more, said)
			}
		}
	}
}

// The intervals are computed by hand: a = onlyA + 1/2, b = onlyB + 1/2, m = n + 2.
func TestShares(t *testing.T) {
	for _, c := range []struct {
		both, onlyA, onlyB, neither int
		value, low, high            float64
	}{
		{5, 5, 0, 0, 0.5, 5.0/12 - 1.959964*math.Sqrt(6-25.0/12)/12, 5.0/12 + 1.959964*math.Sqrt(6-25.0/12)/12},
		{8, 2, 0, 0, 0.2, 2.0/12 - 1.959964*math.Sqrt(3-4.0/12)/12, 2.0/12 + 1.959964*math.Sqrt(3-4.0/12)/12},
		{0, 0, 3, 0, -1, -1, -0.6 + 1.959964*math.Sqrt(4-9.0/5)/5},
	} {
		e := Shares(c.both, c.onlyA, c.onlyB, c.neither)
		if math.Abs(e.Value-c.value) > 1e-12 || math.Abs(e.Low-c.low) > 1e-6 || math.Abs(e.High-c.high) > 1e-6 {
			t.Errorf("%+v: %+v", c, e)
		}
	}
	if e := Shares(0, 1, 0, 0); e.HasInterval() || e.Value != 1 {
		t.Errorf("one pair: %+v", e)
	}
	if e := Shares(0, 0, 0, 0); !math.IsNaN(e.Value) {
		t.Errorf("no pair: %+v", e)
	}
}

// TestRatioAt: an interval has the half-width of Student's quantile at its confidence.
func TestRatioAt(t *testing.T) {
	a, b := []float64{1, 2, 4, 8, 16}, []float64{1, 1, 1, 1, 1}
	for level, q := range map[float64]float64{Level: 2.776445105, 0.99: 4.604094871} {
		e := RatioAt(a, b, level)
		want := q * math.Ln2 * math.Sqrt(2.5/5)
		if got := math.Log(e.High / e.Value); math.Abs(got-want) > 1e-8 || math.Abs(math.Log(e.Value/e.Low)-want) > 1e-8 {
			t.Errorf("at %g: half the width of the log ratio is %g, want %g", level, got, want)
		}
	}
	var paid []Payment
	for i := range 20 {
		paid = append(paid, Payment{Paid: float64(i + 1), Reached: true})
	}
	if less, more := Reaching(paid, 0.9), Reaching(paid, 0.999); more.Low >= less.Low || more.High <= less.High {
		t.Errorf("%+v is not wider than %+v", more, less)
	}
}

func fieller95(a, b []float64) Estimate { return fiellerRatio(a, b, Level) }
