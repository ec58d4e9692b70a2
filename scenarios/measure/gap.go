package measure

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems"
)

// gapMetrics returns metrics of the value gap q(x, y) = g(x, y) - min over y' of g(x, y') at the average iterate,
// where f and g are means over the nodes.
func gapMetrics() []Metric {
	return []Metric{
		{Name: "value_gap", OnRequest: true, Inner: true, Available: bilevel, Value: valueGap,
			About: "q = g(x, y) - min g(x, ·) at the average x and y"},
		{Name: "inner_grad_norm2", Range: keys.AtLeast(0), OnRequest: true, Available: bilevel, Value: innerGradNorm2,
			About: "||∇_y g||² at the average x and y"},
		{Name: "kkt_loss", OnRequest: true, Inner: true, Available: bilevel, Value: kktLoss,
			About: "min over λ ≥ 0 of ||∇f + λ ∇q||², plus q, at the average x and y, where q is the value gap"},
		{Name: "best_kkt_loss", OnRequest: true, Inner: true, Available: bilevel, Value: bestKKTLoss,
			About: "the least kkt_loss so far; exact where every iteration is recorded"},
		{Name: "x_error", Range: keys.AtLeast(0), OnRequest: true, Available: solved, Value: xError,
			About: "squared distance of the average x to the minimizer of Φ"},
		{Name: "y_error", Range: keys.AtLeast(0), OnRequest: true, Available: solved, Value: yError,
			About: "squared distance of the average y to y* at the minimizer of Φ"},
		{Name: "f_error", Range: keys.AtLeast(0), OnRequest: true, Available: solved,
			About: "|f - f*|, f at the average x and y, f* at the minimizer of Φ and its y*",
			Value: func(e *Evaluator) float64 { return e.distance(problems.Local.F) }},
		{Name: "g_error", Range: keys.AtLeast(0), OnRequest: true, Available: solved,
			About: "|g - g*|, g at the average x and y, g* at the minimizer of Φ and its y*",
			Value: func(e *Evaluator) float64 { return e.distance(problems.Local.G) }},
	}
}

// solved reports whether the minimizer of a bilevel problem is known.
func solved(p problems.Problem) bool {
	s, ok := p.(problems.Solved)
	if !ok || !bilevel(p) {
		return false
	}
	_, _, err := s.Solution()
	return err == nil
}

// solution returns the minimizer of Φ and its y*. The problem must be solved.
func (e *Evaluator) solution() (x, y []float64) {
	x, y, err := e.problem.(problems.Solved).Solution()
	if err != nil {
		panic("measure: " + err.Error())
	}
	return x, y
}

func xError(e *Evaluator) float64 {
	x, _ := e.solution()
	return squaredDistance(e.x, x)
}

func yError(e *Evaluator) float64 {
	_, y := e.solution()
	return squaredDistance(e.y, y)
}

func squaredDistance(a, b []float64) float64 {
	d := floats.Distance(a, b, 2)
	return d * d
}

// distance returns how far the mean of the f_i or g_i is from its value at the solution.
func (e *Evaluator) distance(of func(l problems.Local, x, y []float64) float64) float64 {
	x, y := e.solution()
	sum := e.all.sum(e.n, func(i int) float64 { return of(e.local(i), x, y) })
	return math.Abs(e.Loss(of) - sum/float64(e.n))
}

// innerAt returns y*(x) of node i at the average x, or the minimizer nearest to the average y.
func (e *Evaluator) innerAt(i int) []float64 {
	if e.solved != nil {
		nearest := make([]float64, e.q)
		e.solved.NearestInner(nearest, e.x, e.y)
		return nearest
	}
	return e.innerY(i)
}

func valueGap(e *Evaluator) float64 {
	return e.all.sum(e.n, func(i int) float64 {
		l := e.local(i)
		return l.G(e.x, e.y) - l.G(e.x, e.innerAt(i))
	}) / float64(e.n)
}

func innerGradNorm2(e *Evaluator) float64 {
	g := e.mean(e.q, func(l problems.Local, _ int, dst []float64) { l.GradGy(dst, e.x, e.y) })
	return floats.Dot(g, g)
}

// mean returns the mean over the nodes of a gradient of n numbers.
func (e *Evaluator) mean(n int, of func(l problems.Local, i int, dst []float64)) []float64 {
	sum := make([]float64, n)
	e.all.vectors(e.n, n, func(i int, part []float64) { of(e.local(i), i, part) },
		func(_ int, part []float64) { floats.AddScaled(sum, 1/float64(e.n), part) })
	return sum
}

// kktLoss returns K(x, y), the measure of stationarity of Liu, Ye et al. (BOME). The best λ is
// max(0, -<∇f, ∇q>/||∇q||²). By Danskin's theorem, ∇q treats the minimizer y*(x) as constant.
func kktLoss(e *Evaluator) float64 {
	f := append(e.mean(e.p, func(l problems.Local, _ int, dst []float64) { l.GradFx(dst, e.x, e.y) }),
		e.mean(e.q, func(l problems.Local, _ int, dst []float64) { l.GradFy(dst, e.x, e.y) })...)
	q := append(e.mean(e.p, func(l problems.Local, i int, dst []float64) {
		at := make([]float64, e.p)
		l.GradGx(at, e.x, e.innerAt(i))
		l.GradGx(dst, e.x, e.y)
		floats.Sub(dst, at)
	}), e.mean(e.q, func(l problems.Local, _ int, dst []float64) { l.GradGy(dst, e.x, e.y) })...)
	if along := floats.Dot(f, q); along < 0 {
		floats.AddScaled(f, -along/floats.Dot(q, q), q)
	}
	return floats.Dot(f, f) + valueGap(e)
}

// bestKKTLoss returns the least K(x, y) of all samples so far.
func bestKKTLoss(e *Evaluator) float64 {
	loss := kktLoss(e)
	if r := &e.past; !r.haveKKT || loss < r.kkt {
		r.kkt, r.haveKKT = loss, true
	}
	return e.past.kkt
}
