package problems_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tallynet/metrics"
	"tallynet/scenarios/problems"
	"tallynet/scenarios/problems/data"
	"tallynet/scenarios/problems/oracletest"
)

// images returns MNIST's images or, under -short, a few others: with the race detector unpacking takes seconds.
func images(tb testing.TB) *data.MNIST {
	tb.Helper()
	if testing.Short() {
		return problems.FewImages()
	}
	m, err := problems.TestLoader.MNIST("")
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func must[P problems.Problem](p P, err error) problems.Problem {
	if err != nil {
		panic(err)
	}
	return p
}

// zoo returns problems of each kind and several sizes, small enough to check fully.
func zoo(tb testing.TB) map[string]problems.Problem {
	z := map[string]problems.Problem{
		"instance V": problems.InstanceV(),
		"instance S": problems.InstanceS(),
		"consensus":  must(problems.NewConsensus(problems.ConsensusConfig{Nodes: 3, Dim: 7, Seed: 1})),
	}
	for _, d := range [][2]int{{1, 1}, {3, 5}, {6, 2}} {
		z[fmt.Sprintf("quadratic %dx%d", d[0], d[1])] = must(problems.GenerateQuadratic(problems.QuadraticConfig{
			Nodes: 2, P: d[0], Q: d[1], Condition: 20, Heterogeneity: 0.7, Seed: 3}))
	}
	for _, shape := range problems.ConditionedShapes() {
		z["conditioned "+shape] = must(problems.NewConditioned(problems.ConditionedConfig{Nodes: 2, Dim: 4, Condition: 5,
			Shape: shape, Power: 4, Distance: 1, Heterogeneity: .5, Seed: 3}))
	}
	for _, dim := range []int{1, 4, 9} {
		syn := &problems.Synthetic{Dim: dim, Noise: 0.3, Heterogeneity: 0.5}
		for _, loss := range []string{"least-squares", "logistic"} {
			z[fmt.Sprintf("%s %d", loss, dim)] = must(problems.NewTask(problems.TaskConfig{
				Kind: loss, Nodes: 2, Samples: problems.Samples{Train: 6}, Synthetic: syn, Bias: dim == 4, L2: 0.1, Seed: 2}))
		}
		for _, loss := range []string{"ridge", "logistic", "softmax"} {
			// With 6 training samples, products in blocks go through the samples for
			// dim 9 and through the Hessian for smaller dims (except softmax).
			z[fmt.Sprintf("hyper-%s %d", loss, dim)] = must(problems.NewTask(problems.TaskConfig{
				Kind: "hyper-" + loss, Nodes: 2, Samples: problems.Samples{Train: 6, Val: 5}, Synthetic: syn,
				Bias: dim == 4, Seed: 2}))
		}
		z[fmt.Sprintf("hyper-softmax shared %d", dim)] = must(problems.NewTask(problems.TaskConfig{
			Kind: "hyper-softmax", Nodes: 2, Samples: problems.Samples{Train: 40, Val: 5}, Synthetic: syn,
			SharedAcrossClasses: true, Seed: 2}))
	}
	mnist := &problems.Digits{Images: images(tb), Classes: []int{4, 9}, Pool: 7}
	z["hyper-logistic mnist"] = must(problems.NewTask(problems.TaskConfig{
		Kind: "hyper-logistic", Nodes: 2, Samples: problems.Samples{Train: 20, Val: 10}, MNIST: mnist, Seed: 2}))
	for name, p := range taskZoo(tb) {
		z[name] = p
	}
	for name, p := range textZoo(tb) {
		z[name] = p
	}
	return z
}

func TestOracles(t *testing.T) {
	for name, p := range zoo(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i := range p.Nodes() {
				if err := oracletest.Check(p.Local(i), oracletest.Options{Seed: uint64(i)}); err != nil {
					t.Error(err)
				}
			}
			if _, q := p.Dims(); q > 0 {
				if _, ok := p.Local(0).(problems.BlockHVP); !ok {
					t.Error("the Local has no BlockHVP")
				}
			}
		})
	}
}

// mutant is an oracle with one wrong call: off by a factor 1.001, or impure.
type mutant struct {
	problems.Local
	wrong string
}

func (m mutant) bend(name string, dst []float64) {
	if m.wrong == name {
		for i := range dst {
			dst[i] *= 1.001
		}
	}
}

func (m mutant) GradFx(dst, x, y []float64) { m.Local.GradFx(dst, x, y); m.bend("GradFx", dst) }
func (m mutant) GradFy(dst, x, y []float64) { m.Local.GradFy(dst, x, y); m.bend("GradFy", dst) }
func (m mutant) GradGx(dst, x, y []float64) {
	m.Local.GradGx(dst, x, y)
	m.bend("GradGx", dst)
	if m.wrong == "writes x" {
		x[0]++
	}
}
func (m mutant) GradGy(dst, x, y []float64) {
	if m.wrong == "adds" {
		old := append([]float64(nil), dst...)
		m.Local.GradGy(dst, x, y)
		for i, v := range old {
			dst[i] += v
		}
		return
	}
	m.Local.GradGy(dst, x, y)
	m.bend("GradGy", dst)
}
func (m mutant) HessGyyMul(dst, x, y, v []float64) {
	m.Local.HessGyyMul(dst, x, y, v)
	m.bend("HessGyyMul", dst)
}
func (m mutant) JacGxyMul(dst, x, y, v []float64) {
	m.Local.JacGxyMul(dst, x, y, v)
	m.bend("JacGxyMul", dst)
}
func (m mutant) HessGyy(dst *mat.SymDense, x, y []float64) {
	m.Local.HessGyy(dst, x, y)
	m.bend("HessGyy", dst.RawSymmetric().Data)
}
func (m mutant) JacGxy(dst *mat.Dense, x, y []float64) {
	m.Local.JacGxy(dst, x, y)
	m.bend("JacGxy", dst.RawMatrix().Data)
}
func (m mutant) HessGyyMulMat(dst *mat.Dense, x, y []float64, v *mat.Dense) {
	m.Local.(problems.BlockHVP).HessGyyMulMat(dst, x, y, v)
	m.bend("HessGyyMulMat", dst.RawMatrix().Data)
}
func (m mutant) FactorGyy(x, y []float64, scale, shift float64) func(dst, b []float64) {
	solve := m.Local.(problems.StructuredGyy).FactorGyy(x, y, scale, shift)
	if solve == nil {
		return nil
	}
	return func(dst, b []float64) {
		solve(dst, b)
		m.bend("FactorGyy", dst)
	}
}
func (m mutant) SetBatch(val, train []int) {
	if m.wrong == "batch" && train != nil {
		train = []int{0}
	}
	m.Local.SetBatch(val, train)
}

// The check finds and names every wrong call.
func TestMutantsAreFound(t *testing.T) {
	p := must(problems.NewTask(problems.TaskConfig{Kind: "hyper-logistic", Nodes: 1,
		Samples:   problems.Samples{Train: 8, Val: 7},
		Synthetic: &problems.Synthetic{Dim: 3}, Seed: 1}))
	quad := problems.InstanceV()
	few := must(problems.NewTask(problems.TaskConfig{Kind: "hyper-logistic", Nodes: 1,
		Samples: problems.Samples{Train: 3, Val: 2}, Synthetic: &problems.Synthetic{Dim: 7}, Seed: 1}))
	for wrong, want := range map[string]string{
		"": "", "GradFy": "GradFy[", "GradGx": "GradGx[", "GradGy": "GradGy[", "HessGyyMul": "HessGyyMul[",
		"JacGxyMul": "JacGxyMul[",
		"HessGyy":   "HessGyy, column", "JacGxy": "JacGxy, column", "HessGyyMulMat": "HessGyyMulMat, column",
		"writes x": "GradGx changes its input", "adds": "GradGy[", "batch": "the mean over single samples is",
		"GradFx": "GradFx[", "FactorGyy": "FactorGyy, scale",
	} {
		l := p.Local(0)
		switch wrong {
		case "FactorGyy": // has structure with fewer samples than coefficients
			l = few.Local(0)
		case "GradFx": // zero, and thus right when scaled, as a function of p
			l = quad.Local(0)
		}
		err := oracletest.Check(mutant{l, wrong}, oracletest.Options{})
		if want == "" {
			if err != nil {
				t.Errorf("no mutation: %v", err)
			}
		} else if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", wrong, err, want)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	for name, p := range zoo(t) {
		l := p.Local(0)
		np, nq := p.Dims()
		x, y := p.Start(0)
		dx, dy, v := make([]float64, np), make([]float64, nq), make([]float64, nq)
		var hess *mat.SymDense
		var jac, in, out *mat.Dense
		if nq > 0 {
			hess, jac = mat.NewSymDense(nq, nil), mat.NewDense(np, nq, nil)
			in, out = mat.NewDense(nq, np, nil), mat.NewDense(nq, np, nil)
		}
		batch := []int{3, 1, 4}
		if val, _ := l.Samples(); val == 0 {
			batch = nil
		}
		k := 0.0
		all := func() {
			k++
			x[0] = 1 / k // a new point in each round
			if nq > 0 {
				y[0] = 1 / k
			}
			l.SetBatch(batch, batch)
			l.F(x, y)
			l.G(x, y)
			l.SetBatch(nil, nil)
			l.F(x, y)
			l.G(x, y)
			l.GradFx(dx, x, y)
			l.GradFy(dy, x, y)
			l.GradGx(dx, x, y)
			l.GradGy(dy, x, y)
			l.HessGyyMul(dy, x, y, v)
			l.JacGxyMul(dx, x, y, v)
			if nq > 0 {
				l.HessGyy(hess, x, y)
				l.JacGxy(jac, x, y)
				l.(problems.BlockHVP).HessGyyMulMat(out, x, y, in)
			}
		}
		if n := testing.AllocsPerRun(20, all); n != 0 {
			t.Errorf("%s: %v allocations in one round of all calls, want 0", name, n)
		}
	}
}

// Far from the data the losses stay finite and exact: log(1+e^u) equals u for large u.
func TestLargeMargins(t *testing.T) {
	for _, loss := range []string{"logistic", "softmax"} {
		p := must(problems.NewTask(problems.TaskConfig{Kind: "hyper-" + loss, Nodes: 1,
			Samples:   problems.Samples{Train: 20, Val: 20},
			Synthetic: &problems.Synthetic{Dim: 3}, Seed: 1}))
		l := p.Local(0)
		np, nq := p.Dims()
		x, y, v := make([]float64, np), make([]float64, nq), make([]float64, nq)
		for i := range y {
			y[i] = 1e4 * float64(i%2*2-1)
			v[i] = 1
		}
		one := l.F(x, y)
		for i := range y {
			y[i] *= 2
		}
		two := l.F(x, y)
		// The loss is the largest gap of logits, which is linear, plus at most log C.
		if !(one > 100) || !(math.Abs(two-2*one) < 2*math.Log(3)) {
			t.Errorf("%s: loss %v at y, %v at 2y: want it to grow linearly", loss, one, two)
		}
		l.GradFy(v, x, y)
		for i, g := range v {
			if math.IsNaN(g) || math.IsInf(g, 0) {
				t.Errorf("%s: gradient[%d] is %v", loss, i, g)
			}
		}
	}
}

// Known values at y = 0: log 2, log C, and the mean of squares.
func TestValuesAtZero(t *testing.T) {
	for loss, want := range map[string]float64{"logistic": math.Ln2, "softmax": math.Log(5)} {
		s := &problems.Synthetic{Dim: 4}
		if loss == "softmax" {
			s.Classes = 5
		}
		p := must(problems.NewTask(problems.TaskConfig{Kind: "hyper-" + loss, Nodes: 1,
			Samples: problems.Samples{Train: 9, Val: 9}, Synthetic: s}))
		x, y := p.Start(0)
		if got := p.Local(0).F(x, y); !(math.Abs(got-want) <= 1e-15) {
			t.Errorf("%s: f(0) = %v, want %v", loss, got, want)
		}
	}
}

// The FLOP formulas at one size, by hand.
func TestFlops(t *testing.T) {
	for _, c := range []struct {
		p    problems.Problem
		call metrics.Call
		want float64
	}{
		{problems.InstanceV(), metrics.CallHVP, 2 * 9},
		{problems.InstanceV(), metrics.CallJVP, 2 * 6},
		{problems.InstanceV(), metrics.CallGradG, 2*9 + 2*6 + 2*3},
		{problems.InstanceV(), metrics.CallSolve, 9 + 18},
		{problems.InstanceV(), metrics.CallValue, 2*4 + 2*6 + 2*9 + 4 + 6}, // p = 2, q = 3
		{problems.InstanceV(), metrics.CallGradF, 2*6 + 2*9 + 2*3},
		{problems.InstanceV(), metrics.CallHessian, 9},
		{problems.InstanceV(), metrics.CallJacobian, 6},
		{must(problems.NewConsensus(problems.ConsensusConfig{Nodes: 1, Dim: 8})), metrics.CallValue, 3*8 + 1},
		{singleOf("logistic", 4), metrics.CallGradF, 10*(16+25) + 8},
		{hyperOf("ridge", 4), metrics.CallValue, 10*(8+3) + 40 + 12}, // p = q = 4
		{hyperOf("ridge", 4), metrics.CallGradG, 10*(16+3) + 40 + 8},
		{hyperOf("ridge", 4), metrics.CallHVP, 10*(24+4) + 40 + 8},
		{hyperOf("ridge", 4), metrics.CallHessian, 10*(8+3+24) + 40 + 4},
		{hyperOf("ridge", 4), metrics.CallJVP, 40 + 12},
		{hyperOf("ridge", 4), metrics.CallJacobian, 40 + 4},
		{hyperOf("softmax", 4), metrics.CallValue, 10*(24+79) + 120 + 36},
		{hyperOf("softmax", 4), metrics.CallGradG, 10*(48+79) + 120 + 24},
		{hyperOf("softmax", 4), metrics.CallJVP, 120 + 36},
		{hyperOf("softmax", 4), metrics.CallJacobian, 120 + 12},
		{must(problems.NewConsensus(problems.ConsensusConfig{Nodes: 1, Dim: 8})), metrics.CallGradF, 8},
		{singleOf("least-squares", 4), metrics.CallValue, 10*(8+3) + 8 + 2},
		{singleOf("least-squares", 4), metrics.CallGradF, 10*(16+3) + 8},
		{singleOf("logistic", 4), metrics.CallValue, 10*(8+25) + 8 + 2},
		{hyperOf("ridge", 4), metrics.CallGradF, 10 * (16 + 3)},
		{hyperOf("logistic", 4), metrics.CallGradF, 10 * (16 + 25)},
		{hyperOf("logistic", 4), metrics.CallHVP, 10*(24+26) + 40 + 8},
		{hyperOf("logistic", 4), metrics.CallHessian, 10*(8+25+24) + 40 + 4},
		{hyperOf("softmax", 4), metrics.CallGradF, 10 * (48 + 79)}, // q = 12, k = 23*3 + 10
		{hyperOf("softmax", 4), metrics.CallHVP, 10*(72+79+15) + 120 + 24},
		{hyperOf("softmax", 4), metrics.CallHessian, 10*(24+79+12*13+6*7) + 120 + 12},
	} {
		if got := c.p.Local(0).Flops(c.call, 10); got != c.want {
			t.Errorf("%s: %v costs %v, want %v", c.p.About(), c.call, got, c.want)
		}
	}
}

// TestToyFlops: by hand, with the toys' formulas. An elementary function costs 10 FLOPs. The coreset's softmax of
// four numbers and mean of four points has 8 of them, 3 sums, and a product and a sum for each coordinate: 99.
func TestToyFlops(t *testing.T) {
	type cost map[metrics.Call]float64
	for _, c := range []struct {
		of   problems.ToyConfig
		want cost
	}{
		{problems.ToyConfig{Kind: "coreset", Variant: "code", Scale: 1, Nodes: 1}, cost{metrics.CallValue: 99 + 5,
			metrics.CallGradF: 4, metrics.CallGradG: 99 + 4 + 4*7, metrics.CallHVP: 2, metrics.CallJVP: 99 + 4*7}},
		{problems.ToyConfig{Kind: "minimax", Nodes: 1}, cost{metrics.CallValue: 2, metrics.CallGradG: 1,
			metrics.CallJVP: 1}},
		{problems.ToyConfig{Kind: "degenerate", Variant: "paper", Nodes: 1}, cost{metrics.CallValue: 5,
			metrics.CallGradF: 4, metrics.CallGradG: 2, metrics.CallHVP: 1, metrics.CallJVP: 1}},
		{problems.ToyConfig{Kind: "degenerate", Variant: "code", Nodes: 1}, cost{metrics.CallValue: 7,
			metrics.CallGradF: 2, metrics.CallGradG: 1, metrics.CallJVP: 1}},
	} {
		l := must(problems.NewToy(c.of)).Local(0)
		for call, flops := range c.want {
			if got := l.Flops(call, 1); got != flops {
				t.Errorf("%s %s: %v costs %v, want %v", c.of.Kind, c.of.Variant, call, got, flops)
			}
		}
	}
}

func singleOf(loss string, dim int) problems.Problem {
	return must(problems.NewTask(problems.TaskConfig{Kind: loss, Nodes: 1, Samples: problems.Samples{Train: 5},
		Synthetic: &problems.Synthetic{Dim: dim}}))
}

func hyperOf(loss string, dim int) problems.Problem {
	return must(problems.NewTask(problems.TaskConfig{Kind: "hyper-" + loss, Nodes: 1,
		Samples:   problems.Samples{Train: 5, Val: 5},
		Synthetic: &problems.Synthetic{Dim: dim}}))
}

// The check finds a call that is off by a factor 1.001 in every problem, unless the
// call returns zero.
func TestMutantsOfEveryProblem(t *testing.T) {
	for name, p := range zoo(t) {
		np, nq := p.Dims()
		if nq == 0 {
			continue
		}
		for _, wrong := range []string{"GradFx", "GradFy", "GradGx", "GradGy", "HessGyyMul", "JacGxyMul", "HessGyy",
			"JacGxy", "HessGyyMulMat"} {
			err := oracletest.Check(mutant{p.Local(0), wrong}, oracletest.Options{Points: 1})
			if err == nil && !zero(p.Local(0), wrong, np, nq) {
				t.Errorf("%s: a wrong %s is not found", name, wrong)
			}
		}
	}
}

// zero reports whether a call of a problem returns 0 everywhere, as for f without x, hinge losses, and toys
// without second derivatives.
func zero(l problems.Local, call string, p, q int) bool {
	x, y, v := make([]float64, p), make([]float64, q), make([]float64, q)
	for i := range x {
		x[i] = 0.3 + 0.1*float64(i%7)
	}
	for i := range y {
		y[i], v[i] = 0.2-0.1*float64(i%5), 0.7-0.2*float64(i%3)
	}
	dst := make([]float64, max(p, q))
	switch call {
	case "GradFx":
		l.GradFx(dst[:p], x, y)
	case "HessGyyMul", "HessGyy", "HessGyyMulMat":
		l.HessGyyMul(dst[:q], x, y, v)
	default:
		return false
	}
	for _, e := range dst {
		if e != 0 {
			return false
		}
	}
	return true
}

// TestFactorsOfNothing: a Hessian with a nonpositive scale is not factored by its structure.
func TestFactorsOfNothing(t *testing.T) {
	p, err := problems.NewTask(problems.TaskConfig{Kind: "hyper-logistic", Nodes: 1,
		Samples: problems.Samples{Train: 3, Val: 3}, Synthetic: &problems.Synthetic{Dim: 20}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	x, y := p.Start(0)
	for scale, want := range map[float64]bool{1: true, 0: false, -1: false} {
		l := p.Local(0).(problems.StructuredGyy)
		if got := l.FactorGyy(x, y, scale, 1) != nil; got != want {
			t.Errorf("scale %v: factored %v, want %v", scale, got, want)
		}
	}
}
