package stats

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"tallynet/sim"
)

// Expected values are those of R 4.2.2 with the packages survival 3.5-3 and boot
// 1.3-28.1, and of scipy 1.10.1; each comes with the call that printed it.

var (
	nan = math.NaN()
	inf = math.Inf(1)
	a   = []float64{12.1, 9.8, 14.2, 11.0, 10.4, 13.3}
	b   = []float64{30.2, 27.9, 41.0, 33.1, 29.5, 38.8}
	z   = []float64{0.42, 0.55, 0.61, 0.70, 0.83, 0.94, 1.05, 1.21, 1.38, 1.62, 1.95, 2.41, 3.10, 4.35, 6.80} // skewed
)

func near(x, y, tolerance float64) bool {
	return x == y || math.Abs(x-y) <= tolerance || math.IsNaN(x) && math.IsNaN(y)
}

func check(t *testing.T, name string, got Estimate, value, low, high float64, n int, method string,
	tolerance float64) {
	t.Helper()
	if !near(got.Value, value, tolerance) || !near(got.Low, low, tolerance) || !near(got.High, high, tolerance) ||
		got.N != n || got.Method != method {
		t.Errorf("%s: %+v, want %v [%v, %v] of %d by %s", name, got, value, low, high, n, method)
	}
}

func TestMean(t *testing.T) {
	// t.test(a)
	check(t, "mean", Mean(a, 1), 11.8, 10.0005927151, 13.5994072849, 6, student, 1e-9)
	// t.test(a, b, paired = TRUE)
	check(t, "difference", Difference(a, b, 1), -21.6166666667, -25.6333692972, -17.5999640361, 6, student, 1e-9)
	if q := quantile(4); !(math.Abs(q-2.776445105) <= 1e-9) { // qt(0.975, 4)
		t.Errorf("t(4) = %v", q)
	}
}

// scipy.stats.skew(z, bias=False) is 1.974, and twice its standard error 1.160.
// scipy.stats.bootstrap((z,), numpy.mean, n_resamples=1000000, method='BCa') gives
// [1.2320, 3.0927] and [1.2320, 3.0960] for random_state 1 and 2, R's
// boot.ci(boot(z, function(d, i) mean(d[i]), R = 1000000), type = "bca", L = z - mean(z))
// [1.2333, 3.0940]. With 9999 resamples
// the ends are within 5 % of the width, 1.86.
func TestSkewedMean(t *testing.T) {
	for seed := range uint64(20) {
		check(t, "skewed", Mean(z, seed), 1.8613333333, 1.2333, 3.0940, 15, bca, 0.09)
	}
	if Mean(z, 1) != Mean(z, 1) {
		t.Error("equal seeds give different intervals")
	}
	if Mean(z, 1) == Mean(z, 2) {
		t.Error("the seed has no effect")
	}
	if got := Mean(z[6:], 1).Method; got != student {
		t.Errorf("%d observations: %s", len(z[6:]), got)
	}
	if got := Mean([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 1).Method; got != student {
		t.Errorf("no skewness: %s", got)
	}
}

// TestSkewedIsBeyondTwiceItsError: of k ones among n zeros and ones the skewness is (1 - 2p)/sqrt(p (1-p)), with
// p = k/n, times sqrt(n (n-1))/(n-2) in a sample; its standard error in normal samples is the square root of
// 6 n (n-1)/((n-2) (n+1) (n+3)) (Joanes and Gill, The Statistician 1998). The ratios: 2.59 and 1.51, 2.44 and 1.85,
// 2.15 and 1.74.
func TestSkewedIsBeyondTwiceItsError(t *testing.T) {
	for _, c := range []struct{ n, skewed, straight int }{{10, 2, 3}, {20, 5, 6}, {30, 9, 10}} {
		for k, want := range map[int]string{c.skewed: bca, c.straight: student} {
			if got := Mean(slices.Concat(make([]float64, c.n-k), slices.Repeat([]float64{1}, k)), 1).Method; got != want {
				t.Errorf("%d ones of %d: %s, want %s", k, c.n, got, want)
			}
		}
	}
	// 1.976 and 2.004 times its error
	for want, x := range map[string][]float64{student: {0, 0, 0, 0, 0, 0, 0, 1, 2, 2},
		bca: {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2}} {
		if got := Mean(x, 1).Method; got != want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
}

// scipy.stats.bootstrap of [0.4, 1.0, 1.2, 1.1, 3.8] with n_resamples=0, method='BCa' and
// a bootstrap_result whose bootstrap_distribution holds these replicates.
func TestBCa(t *testing.T) {
	replicates := []float64{2.4, 1.0, 1.2, 1.3, 1.35, 1.4, 1.45, 1.5, 1.5, 1.55, 1.6, 1.65, 1.7, 1.8, 1.9, 2.0, 2.1,
		2.2, 2.7, 3.1}
	x := []float64{0.4, 1.0, 1.2, 1.1, 3.8}
	var without []float64
	for _, v := range x {
		without = append(without, (7.5-v)/4)
	}
	low, high := bcaInterval(1.5, replicates, without)
	if !near(low, 1.0406246118368738, 1e-12) || !near(high, 2.595212312733961, 1e-12) {
		t.Errorf("[%v, %v]", low, high)
	}
}

func TestInterpolate(t *testing.T) {
	for p, want := range map[float64]float64{0: 1, 0.25: 1.5, 0.5: 2, 0.75: 3, 1: 4} {
		if got := interpolate([]float64{1, 2, 4}, p); got != want {
			t.Errorf("%g of 1, 2, 4: %g, want %g", p, got, want)
		}
	}
}

func TestRatios(t *testing.T) {
	// l <- t.test(log(a / b)); exp(l$estimate); exp(l$conf.int)
	check(t, "log ratio", Ratio(a, b), 0.353685117879, 0.330477732811, 0.378522212511, 6, logRatio, 1e-11)
	// f <- function(r) abs(t.test(a - r * b)$statistic) - qt(0.975, n - 1), its two roots by uniroot
	check(t, "Fieller", fiellerRatio(a, b), 0.353117206983, 0.331007057828, 0.378601715909, 6, fieller, 1e-11)
	c, d := []float64{-1.5, 2, 0.5, 3, 1}, []float64{4, 7, 5, 6, 9}
	check(t, "Fieller", Ratio(c, d), 0.161290322581, -0.230053532102, 0.455782676236, 5, fieller, 1e-11)
	// m <- mean(a) / mean(b); m ± qt(0.975, 5) * sd(a - m * b) / sqrt(6) / mean(b)
	check(t, "denominators about 0", Ratio([]float64{1, 2, 3}, []float64{-1, 0.5, 1}), 12, nan, nan, 3,
		"the mean of the denominators may be 0", 1e-9)
	check(t, "mean 0", Ratio([]float64{1, 2}, []float64{-1, 1}), nan, nan, nan, 2,
		"the mean of the denominators is 0, or the numbers are too large", 0)
	for _, p := range [][2][]float64{{{1, 2, 3}, {0, 1, 2}}, {{0, 3, 6}, {1, 2, 3}}, {{0, 3, 3}, {0, 1, 1}}} {
		want := floats.Sum(p[0]) / floats.Sum(p[1]) // a zero has no logarithm
		if got := Ratio(p[0], p[1]); got.Value != want || got.Value != fiellerRatio(p[0], p[1]).Value {
			t.Errorf("ratio of %v to %v: %v, want %v", p[0], p[1], got.Value, want)
		}
	}
	check(t, "proportional", Ratio([]float64{2, 4, 6}, []float64{1, 2, 3}), 2, 2, 2, 3, exact, 0)
	small, less := make([]float64, len(a)), make([]float64, len(b))
	for i := range a {
		small[i], less[i] = a[i]*1e-6, b[i]*1e-6
	}
	check(t, "Fieller in other units", fiellerRatio(small, less), 0.353117206983, 0.331007057828, 0.378601715909, 6,
		fieller, 1e-11)
	back := Ratio(b, a)
	if e := Ratio(a, b); !near(back.Low*e.High, 1, 1e-12) || !near(back.Value*e.Value, 1, 1e-12) {
		t.Errorf("b over a is not the inverse of a over b: %+v, %+v", back, e)
	}
}

// Costs of two methods over five common seeds: each seed multiplies both by one
// factor (log-normal, sigma 1), each run by one of its own (sigma 0.5). Of 4000 intervals
// 95 % cover the true factor 3, give or take 1 % (three standard errors).
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

func TestLogLogSlope(t *testing.T) {
	// s <- lm(log(y) ~ log(x)); coef(s)[2]; confint(s)[2, ]
	x, y := []float64{8, 16, 32, 64, 128}, []float64{0.9, 2.1, 3.7, 8.8, 15.0}
	check(t, "slope", LogLogSlope(x, y), 1.0184901574, 0.875709519854, 1.161270794939, 5, leastSquares, 1e-10)
	if y[0] != 0.9 {
		t.Error("the input has changed")
	}
}

// R: summary(survfit(Surv(cost, reached) ~ 1, conf.type = "log-log"))$table. An upper end
// that R gives as NA is infinite. The first is the 6-MP arm of Freireich et al. (1963).
func TestReaching(t *testing.T) {
	for _, c := range []struct {
		name              string
		cost              []float64
		reached           []int
		median, low, high float64
		method            string
	}{
		{"Freireich", []float64{6, 6, 6, 6, 7, 9, 10, 10, 11, 13, 16, 17, 19, 20, 22, 23, 25, 32, 32, 34, 35},
			[]int{1, 1, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0}, 23, 13, inf, kaplanMeier},
		{"even", []float64{4, 2, 3, 1}, []int{1, 1, 1, 1}, 2.5, 1, inf, kaplanMeier},
		{"odd", []float64{1, 2, 3, 4, 5}, []int{1, 1, 1, 1, 1}, 3, 1, inf, kaplanMeier},
		{"limit", []float64{3, 5, 5, 8, 12, 20, 20, 20}, []int{1, 1, 1, 1, 1, 0, 0, 0}, 10, 3, inf, kaplanMeier},
		{"just half", []float64{3, 5, 5, 8, 20, 20, 20, 20}, []int{1, 1, 1, 1, 0, 0, 0, 0}, 8, 3, inf, kaplanMeier},
		{"mixed", []float64{2.5, 3.5, 4, 4, 6, 7.5, 9, 9, 9, 11}, []int{1, 1, 1, 0, 1, 1, 1, 0, 1, 1}, 7.5, 2.5, inf,
			kaplanMeier},
		// summary(survfit(Surv(seq(1, 20) / 2, rep(1, 20)) ~ 1, conf.type = "log-log"))$table
		{"all of twenty", []float64{0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, 8.5, 9, 9.5, 10},
			[]int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 5.25, 2.5, 7.5, kaplanMeier},
		{"all at once", []float64{5, 5}, []int{1, 1}, 5, nan, nan, "too few reached the target for an interval"},
		{"too few", []float64{3, 5, 20, 20, 20, 20}, []int{1, 1, 0, 0, 0, 0}, nan, nan, nan,
			"at least half did not reach the target"},
		{"none", []float64{20, 20}, []int{0, 0}, nan, nan, nan, "none got there"},
		{"one", []float64{20}, []int{1}, 20, nan, nan, "one observation"},
		{"nothing", nil, nil, nan, nan, nan, "no observations"},
		{"not finite", []float64{1, inf}, []int{1, 1}, nan, nan, nan, "an observation is not finite"},
	} {
		var costs []Payment
		there := 0
		for i, paid := range c.cost {
			costs = append(costs, Payment{paid, c.reached[i] == 1})
			there += c.reached[i]
		}
		r := Reaching(costs)
		check(t, c.name, r.Median, c.median, c.low, c.high, len(costs), c.method, 1e-12)
		if r.Reached != there || r.Censored != len(costs)-there {
			t.Errorf("%s: %d and %d", c.name, r.Reached, r.Censored)
		}
	}
}

func TestPareto(t *testing.T) {
	points := [][]float64{{1, 5, 0.9}, {2, 3, 0.9}, {2, 4, 0.9}, {2, 4, 0.95}, {2, 3, 0.9}, {nan, 0, 1}, {0, 0, inf},
		{9, 9, 0.1}}
	want := []bool{true, true, false, true, true, false, false, false}
	if got := Pareto(points, []bool{false, false, true}); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	got := Pareto([][]float64{{1, 2}, {2, 1}, {2, 2}}, []bool{true, true})
	if !slices.Equal(got, []bool{false, false, true}) {
		t.Errorf("both maximised: %v", got)
	}
	random := sim.Stream(1, "Pareto") // many points on a coarse grid, against the definition
	points = nil
	for range 300 {
		points = append(points, []float64{float64(random.IntN(8)), float64(random.IntN(8)), float64(random.IntN(8))})
	}
	for i, on := range Pareto(points, []bool{false, true, false}) {
		beaten := slices.ContainsFunc(points, func(q []float64) bool {
			p := points[i]
			return q[0] <= p[0] && q[1] >= p[1] && q[2] <= p[2] && !slices.Equal(p, q)
		})
		if on == beaten {
			t.Errorf("%v: on the front: %v", points[i], on)
		}
	}
	if got := Pareto(nil, nil); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

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

// Data that allow no interval give none.
func TestNoNumberWithoutData(t *testing.T) {
	one := func(f func([]float64, []float64) Estimate) func([]float64) Estimate {
		return func(x []float64) Estimate { return f(x, slices.Repeat([]float64{1}, len(x))) }
	}
	for name, f := range map[string]func([]float64) Estimate{
		"mean":       func(x []float64) Estimate { return Mean(x, 1) },
		"bootstrap":  func(x []float64) Estimate { return bootstrapMean(x, 1) },
		"difference": one(func(x, y []float64) Estimate { return Difference(x, y, 1) }),
		"ratio":      one(Ratio), "Fieller": one(fiellerRatio), "slope": one(LogLogSlope),
	} {
		for _, x := range [][]float64{nil, {nan}, {1, nan}, {1, inf}, {1, -inf, 2}, {-inf, inf, 1},
			{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, inf}} {
			if e := f(x); !math.IsNaN(e.Value) || e.HasInterval() || e.Method == "" || e.N != len(x) {
				t.Errorf("%s of %v: %+v", name, x, e)
			}
		}
		if e := f([]float64{4}); name != "slope" &&
			(e.HasInterval() || e.Method != "one observation" || e.N != 1 || name != "difference" && e.Value != 4) {
			t.Errorf("%s of one: %+v", name, e)
		}
		huge := f([]float64{1e308, 1.5e308, 1.7e308})
		if math.IsInf(huge.Value, 0) || math.IsInf(huge.Low, 0) || math.IsInf(huge.High, 0) {
			t.Errorf("%s of huge numbers: %+v", name, huge)
		}
	}
	check(t, "equal", Mean([]float64{0.1, 0.1, 0.1}, 1), 0.1, 0.1, 0.1, 3, exact, 0)
	even := bootstrapMean([]float64{1, 2, 3}, 1) // whose squares are not 0, and whose acceleration is
	tiny := bootstrapMean([]float64{1e-200, 2e-200, 3e-200}, 1)
	check(t, "tiny", tiny, 2e-200, even.Low*1e-200, even.High*1e-200, 3, bca, 1e-210)
	for _, bad := range []float64{inf, -inf, nan} {
		for name, f := range map[string]func(a, b []float64) Estimate{"ratio": Ratio, "Fieller": fiellerRatio} {
			check(t, name, f([]float64{bad, 1}, []float64{1, 2}), nan, nan, nan, 2, notFinite, 0)
			check(t, name, f([]float64{1, 2}, []float64{bad, 1}), nan, nan, nan, 2, notFinite, 0)
		}
		line, broken := []float64{1, 2, 3}, []float64{1, bad, 3}
		for _, e := range []Estimate{LogLogSlope(broken, line), LogLogSlope(line, broken)} {
			if !strings.Contains(e.Method, "has no logarithm") {
				t.Errorf("slope of %g: %+v", bad, e)
			}
		}
	}
	for _, c := range []struct{ x, y []float64 }{{[]float64{1, 2}, []float64{1, 2}},
		{[]float64{2, 2, 2}, []float64{1, 2, 3}}, {[]float64{1, 0, 3}, []float64{1, 2, 3}},
		{[]float64{1, 2, 3}, []float64{1, -2, 3}}} {
		if e := LogLogSlope(c.x, c.y); !math.IsNaN(e.Value) || e.HasInterval() ||
			!strings.Contains(e.Method, "needs at least 3 points") && !strings.Contains(e.Method, "has no logarithm") {
			t.Errorf("slope of %v, %v: %+v", c.x, c.y, e)
		}
	}
}

func TestShapes(t *testing.T) {
	for name, f := range map[string]func(){
		"pairs":  func() { Ratio(a, b[1:]) },
		"slope":  func() { LogLogSlope(a, b[1:]) },
		"Pareto": func() { Pareto([][]float64{{1}}, []bool{true, false}) },
		"levels": func() { Explain([][]int{{1}}, []float64{1, 2}) },
		"ragged": func() { Explain([][]int{{1}, {1, 2}}, []float64{1, 2}) },
	} {
		func() {
			defer func() {
				if r, ok := recover().(string); !ok || !strings.HasPrefix(r, "stats: ") {
					t.Errorf("%s: panics with %v", name, r)
				}
			}()
			f()
		}()
	}
}

// A sample that is skewed to the left is bootstrapped as one that is skewed to the right,
// of which it is the mirror image.
func TestLeftSkewedSamplesAreBootstrapped(t *testing.T) {
	right := []float64{1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 2, 3, 9, 30}
	left := make([]float64, len(right))
	for i, v := range right {
		left[i] = -v
	}
	for _, x := range [][]float64{right, left} {
		e := Mean(x, 1)
		if e.Method != bca {
			t.Errorf("the interval of %v is by %s, want %s", x, e.Method, bca)
		}
	}
	if e := Mean(left, 1); !(e.Value-e.Low > e.High-e.Value) {
		t.Errorf("the interval %v is not longer on the left", e)
	}
}

// Lists of different lengths are a mistake of the program.
func TestPairsArePairs(t *testing.T) {
	for name, f := range map[string]func(a, b []float64){
		"difference": func(a, b []float64) { Difference(a, b, 1) }, "ratio": func(a, b []float64) { Ratio(a, b) },
		"Fieller":  func(a, b []float64) { fiellerRatio(a, b) },
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

// Of log x = 0, 1, 2 and log y = 0, 1, 3 the slope is 3/2, Σ residual² is 1/6 and Σ (log x - mean)² is 2, so
// that the interval is 3/2 ± t(1) sqrt(1/12).
func TestThreePointsHaveASlope(t *testing.T) {
	x, y := []float64{1, math.E, math.E * math.E}, []float64{1, math.E, math.Exp(3)}
	const half = 12.7062047361747 * 0.288675134594813
	check(t, "slope", LogLogSlope(x, y), 1.5, 1.5-half, 1.5+half, 3, leastSquares, 1e-10)
}

// Two points lie on a line whatever they are: they have no slope with an interval.
func TestTwoPointsHaveNoSlope(t *testing.T) {
	if e := LogLogSlope([]float64{1, 2}, []float64{3, 12}); !math.IsNaN(e.Value) || e.HasInterval() || e.N != 2 {
		t.Errorf("got %+v", e)
	}
	if e := LogLogSlope([]float64{1, 2, 4}, []float64{3, 12, 48}); !(math.Abs(e.Value-2) <= 1e-12) {
		t.Errorf("got %+v", e)
	}
}

// An interval has two ends, of which the upper one may be infinite.
func TestHasInterval(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		low, high float64
		want      bool
	}{{1, 2, true}, {1, math.Inf(1), true}, {nan, 2, false}, {1, nan, false}, {nan, nan, false}} {
		if e := (Estimate{Value: 1, Low: c.low, High: c.high}); e.HasInterval() != c.want {
			t.Errorf("from %g to %g: %t", c.low, c.high, e.HasInterval())
		}
	}
}
