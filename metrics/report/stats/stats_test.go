package stats

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// The expected values are from R 4.2.2 with the packages survival 3.5-3 and boot
// 1.3-28.1, and from scipy 1.10.1; each comes with the call that printed it.

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
	if q := quantile(4, Level); !(math.Abs(q-2.776445105) <= 1e-9) { // qt(0.975, 4)
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

// TestSkewedIsBeyondTwiceItsError: for k ones among n zeros and ones the skewness is (1 - 2p)/sqrt(p (1-p)), with p
// = k/n, times sqrt(n (n-1))/(n-2) in a sample; its standard error in normal samples is the square root of 6 n
// (n-1)/((n-2) (n+1) (n+3)) (Joanes and Gill, The Statistician 1998). The ratios: 2.59 and 1.51, 2.44 and 1.85,
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

// TestQuantile: of no value, of one, and between two of three.
func TestQuantile(t *testing.T) {
	if got := Quantile(nil, 0.5); !math.IsNaN(got) {
		t.Errorf("of nothing: %v", got)
	}
	for _, c := range []struct {
		of      []float64
		p, want float64
	}{{[]float64{3}, 0.25, 3}, {[]float64{3}, 1, 3}, {[]float64{1, 2, 6}, 0.5, 2}, {[]float64{1, 2, 6}, 0.75, 4},
		{[]float64{1, 2, math.Inf(1)}, 0.5, 2},
		{[]float64{1, math.Inf(1), math.Inf(1)}, 0.75, math.Inf(1)}, {[]float64{1, 2, 6}, 0, 1},
		{[]float64{1, 2, 6}, 1, 6}} {
		if got := Quantile(c.of, c.p); got != c.want {
			t.Errorf("%v of %v: %v, want %v", c.p, c.of, got, c.want)
		}
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
		// A run that never gets there is at risk for ever, as one whose limit is beyond all costs.
		{"never", []float64{3, inf, 5, 8, 5, inf, inf, inf}, []int{1, 0, 1, 1, 1, 0, 0, 0}, 8, 3, inf, kaplanMeier},
		{"not finite", []float64{1, inf}, []int{1, 1}, nan, nan, nan, "an observation is not finite"},
	} {
		var costs []Payment
		for i, paid := range c.cost {
			costs = append(costs, Payment{paid, c.reached[i] == 1})
		}
		check(t, c.name, Reaching(costs, Level), c.median, c.low, c.high, len(costs), c.method, 1e-12)
	}
}

// Data without enough information give no interval.
func TestNoNumberWithoutData(t *testing.T) {
	one := func(f func([]float64, []float64) Estimate) func([]float64) Estimate {
		return func(x []float64) Estimate { return f(x, slices.Repeat([]float64{1}, len(x))) }
	}
	for name, f := range map[string]func([]float64) Estimate{
		"mean":       func(x []float64) Estimate { return Mean(x, 1) },
		"median":     func(x []float64) Estimate { return Median(x, 1) },
		"bootstrap":  func(x []float64) Estimate { return bootstrapMean(x, 1) },
		"difference": one(func(x, y []float64) Estimate { return Difference(x, y, 1) }),
		"ratio":      one(Ratio), "Fieller": one(fieller95), "slope": one(LogLogSlope),
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
	even := bootstrapMean([]float64{1, 2, 3}, 1) // its squares are not 0, but its acceleration is
	tiny := bootstrapMean([]float64{1e-200, 2e-200, 3e-200}, 1)
	check(t, "tiny", tiny, 2e-200, even.Low*1e-200, even.High*1e-200, 3, bca, 1e-210)
	for _, bad := range []float64{inf, -inf, nan} {
		for name, f := range map[string]func(a, b []float64) Estimate{"ratio": Ratio, "Fieller": fieller95} {
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

// A left-skewed sample is bootstrapped like its right-skewed mirror image.
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

// An interval has two ends; the upper one may be infinite.
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

// TestMedian: the median of 1, ..., 9 is 5, and resamples of nine have one below 3 with a probability of
// sum over k >= 5 of C(9, k) (2/9)^k (7/9)^(9-k) = 2.4 %, and one below 2 with 0.1 %.
func TestMedian(t *testing.T) {
	x := []float64{9, 1, 8, 2, 7, 3, 6, 4, 5}
	e := Median(x, 1)
	if e.Value != 5 || e.N != 9 || e.Method != percentiles || e.Low < 2 || e.Low > 3 || e.High < 7 || e.High > 8 {
		t.Errorf("%+v", e)
	}
	if x[0] != 9 {
		t.Errorf("the observations were sorted: %v", x)
	}
	if e := Median([]float64{1, 4}, 1); e.Value != 2.5 || e.Low != 1 || e.High != 4 {
		t.Errorf("of two: %+v", e)
	}
	if e := Median([]float64{3}, 1); e.Value != 3 || e.HasInterval() {
		t.Errorf("of one: %+v", e)
	}
}
