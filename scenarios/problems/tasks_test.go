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
)

func mushrooms(tb testing.TB) *data.Mushrooms {
	tb.Helper()
	m, err := problems.TestLoader.Mushrooms()
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// taskZoo returns problems of each task and several sizes, small enough to check
// fully. If losses or features have kinks, the seeds keep the points away from them.
func taskZoo(tb testing.TB) map[string]problems.Problem {
	z := map[string]problems.Problem{
		"hyper-svm mushroom": must(problems.NewTask(problems.TaskConfig{
			Kind: "hyper-svm", Smoothing: 0.5, Nodes: 2, Samples: problems.Samples{Train: 7, Val: 5},
			Mushroom: &problems.Mushroom{Data: mushrooms(tb)}, Seed: 1})),
		"hyper-l2 mnist": must(problems.NewTask(problems.TaskConfig{
			Kind: "hyper-softmax", Scalar: true, LabelNoise: 0.1, Nodes: 2, Samples: problems.Samples{Train: 12, Val: 8},
			Bias:  true,
			MNIST: &problems.Digits{Images: images(tb), Classes: []int{3, 4, 9}, Pool: 14}, Seed: 2})),
		"toy minimax": must(problems.NewToy(problems.ToyConfig{Kind: "minimax", Nodes: 2})),
	}
	for _, variant := range []string{"paper", "code"} {
		z["toy coreset, "+variant] = must(problems.NewToy(problems.ToyConfig{Kind: "coreset", Variant: variant,
			Scale: 0.1, Nodes: 2}))
		z["toy degenerate, "+variant] = must(problems.NewToy(problems.ToyConfig{Kind: "degenerate", Variant: variant,
			Nodes: 2}))
	}
	for _, dim := range []int{1, 4, 9} {
		syn := &problems.Synthetic{Dim: dim, Noise: 0.3, Heterogeneity: 0.5, ScaleByNode: dim == 4}
		n := problems.Samples{Train: 6, Val: 5}
		for _, smoothing := range []float64{0, 1} {
			z[fmt.Sprintf("hyper-svm %g %d", smoothing, dim)] = must(problems.NewTask(problems.TaskConfig{
				Kind: "hyper-svm", Smoothing: smoothing, Nodes: 2, Samples: n, Synthetic: syn, LabelNoise: 0.2, Seed: 2}))
		}
		z[fmt.Sprintf("hyper-l2 %d", dim)] = must(problems.NewTask(problems.TaskConfig{
			Kind: "hyper-logistic", Scalar: true, Nodes: 2, Samples: n, Synthetic: syn, Seed: 2}))
		z[fmt.Sprintf("hyper-cleaning %d", dim)] = must(problems.NewTask(problems.TaskConfig{
			Kind: "hyper-cleaning", Nodes: 2, Samples: n, Synthetic: syn, Bias: dim == 4, LabelNoise: 0.4, Ridge: 0.01,
			Seed: 2}))
		z[fmt.Sprintf("fair-loss %d", dim)] = must(problems.NewTask(problems.TaskConfig{
			Kind: "fair-loss", Nodes: 2, Samples: n, Synthetic: syn, Bias: dim == 4, Ridge: 0.01, Seed: 2}))
		z[fmt.Sprintf("fair-loss network %d", dim)] = must(problems.NewTask(problems.TaskConfig{
			Kind: "fair-loss", Nodes: 2, Samples: n, Synthetic: syn, Hidden: 12 - dim, Ridge: 0.01, Y0: 0.3, Seed: 2}))
		for _, model := range []string{"hyper-representation-linear", "hyper-representation"} {
			z[fmt.Sprintf("%s %d", model,
				dim)] = must(problems.NewTask(problems.TaskConfig{
				Kind: model, Hidden: 12 - dim, Nodes: 2, Samples: n, Synthetic: syn, Ridge: 0.1, Seed: 2}))
		}
	}
	// With more samples than coefficients, products of blocks go through the Hessian.
	many := problems.Samples{Train: 40, Val: 5}
	syn := &problems.Synthetic{Dim: 2, Noise: 0.3}
	z["hyper-cleaning many"] = must(problems.NewTask(problems.TaskConfig{Kind: "hyper-cleaning", Nodes: 1, Samples: many,
		Synthetic: syn, Ridge: 0.01, Seed: 4}))
	z["fair-loss many"] = must(problems.NewTask(problems.TaskConfig{Kind: "fair-loss", Nodes: 1, Samples: many,
		Synthetic: syn,
		Ridge:     0.01, Seed: 4}))
	z["hyper-representation many"] = must(problems.NewTask(problems.TaskConfig{
		Kind: "hyper-representation", Hidden: 3, Nodes: 1, Samples: many, Synthetic: syn, Ridge: 0.1, Seed: 4}))
	return z
}

// The FLOP formulas of the tasks at one size, by hand: d = 4, C = 3, h = 5, m = 10.
func TestTaskFlops(t *testing.T) {
	syn := &problems.Synthetic{Dim: 4}
	n := problems.Samples{Train: 5, Val: 5}
	svm := must(problems.NewTask(problems.TaskConfig{Kind: "hyper-svm", Smoothing: 1, Nodes: 1, Samples: n,
		Synthetic: syn}))
	l2 := must(problems.NewTask(problems.TaskConfig{Kind: "hyper-softmax", Scalar: true, Nodes: 1, Samples: n,
		Synthetic: syn}))
	clean := must(problems.NewTask(problems.TaskConfig{Kind: "hyper-cleaning", Nodes: 1, Samples: n,
		Synthetic: syn, Ridge: 1}))
	fair := must(problems.NewTask(problems.TaskConfig{Kind: "fair-loss", Nodes: 1, Samples: n, Synthetic: syn,
		Ridge: 1}))
	net := must(problems.NewTask(problems.TaskConfig{Kind: "fair-loss", Nodes: 1, Samples: n, Synthetic: syn,
		Ridge: 1, Hidden: 5}))
	mlp := must(problems.NewTask(problems.TaskConfig{Kind: "hyper-representation", Hidden: 5, Nodes: 1, Samples: n,
		Synthetic: syn, Ridge: 1}))
	linear := must(problems.NewTask(problems.TaskConfig{Kind: "hyper-representation-linear", Hidden: 5, Nodes: 1,
		Samples: n, Synthetic: syn, Ridge: 1}))
	for _, c := range []struct {
		p    problems.Problem
		call metrics.Call
		want float64
	}{
		{svm, metrics.CallGradF, 10 * (16 + 12)},
		{svm, metrics.CallHVP, 10*(24+13) + 40 + 8},
		{svm, metrics.CallValue, 10*(8+12) + 40 + 12},
		{svm, metrics.CallHessian, 10*(8+12+24) + 40 + 4},
		{l2, metrics.CallJVP, 10 + 36},
		{clean, metrics.CallGradG, 10*(48+79+22) + 24},
		{clean, metrics.CallJVP, 10 * (48 + 79 + 6 + 25)},
		{clean, metrics.CallJacobian, 10 * (36 + 79 + 6 + 23)},
		{clean, metrics.CallValue, 10*(24+79+23) + 25},
		{clean, metrics.CallGradF, 10 * (48 + 79)},
		{clean, metrics.CallHVP, 10*(72+79+15+22) + 24},
		{clean, metrics.CallHessian, 10*(24+79+22+12*13+6*7) + 12},
		{fair, metrics.CallValue, 10*(30+79) + 66 + 36 + 2},
		{fair, metrics.CallGradF, 10 * (48 + 79 + 1)},
		{fair, metrics.CallJacobian, 10*(60+79+6*(60+15)) + 66 + 12*10},
		{fair, metrics.CallSolve, 12*12*12/3 + 2*12*12},
		{fair, metrics.CallGradG, 10*(60+79) + 66 + 48}, // q = 12, q̃ = 15
		{fair, metrics.CallHVP, 10*(90+79+15) + 66 + 60},
		{fair, metrics.CallJVP, 10*(120+79+15) + 72 + 72},
		{fair, metrics.CallHessian, 10*(30+79+15*16+6*8) + 66 + 12*13 + 24},
		{net, metrics.CallValue, 10*(50+36+79) + 66 + 18 + 2*43 + 2}, // q = 43, q̃ = 18, e = 50
		{net, metrics.CallGradF, 10 * (100 + 72 + 79 + 30)},
		{net, metrics.CallHVP, 10*(150+180+79+15+60) + 66 + 18 + 4*43},
		{net, metrics.CallJVP, 10*(100+216+79+15) + 66 + 18 + 5*43},
		{net, metrics.CallGradG, 10*(100+72+79+30) + 66 + 18 + 3*43},
		{net, metrics.CallHessian, 43 * (10*(150+180+79+15+60) + 66 + 18 + 4*43)},
		{net, metrics.CallJacobian, 43 * (10*(100+216+79+15) + 66 + 18 + 5*43)},
		{mlp, metrics.CallValue, 10*(50+115) + 36 + 2},
		{mlp, metrics.CallGradF, 10 * (100 + 115 + 30)},
		{mlp, metrics.CallHessian, 10*(50+115+18*19+6*9) + 18},
		{mlp, metrics.CallHVP, 10*(50+108+79+15) + 36}, // q = 18, e = 50, v = 115
		{mlp, metrics.CallGradG, 10 * (100 + 115 + 30)},
		{mlp, metrics.CallJVP, 10 * (100 + 115 + 36 + 15 + 60)},
		{mlp, metrics.CallJacobian, 10 * (50 + 18*(50+115+36+15+60))},
		{linear, metrics.CallGradG, 10 * (80 + 13 + 5)}, // q = 5, e = 40, v = 13
		{linear, metrics.CallJVP, 10 * (80 + 13 + 11 + 15)},
		{linear, metrics.CallValue, 10*(40+13) + 12},
		{linear, metrics.CallGradF, 10 * (80 + 13 + 5)},
		{linear, metrics.CallHVP, 10*(40+30+3+1) + 10},
		{linear, metrics.CallHessian, 10*(40+13+5*7) + 5},
		{linear, metrics.CallJacobian, 10 * (40 + 5*(40+13+11+15))},
	} {
		if got := c.p.Local(0).Flops(c.call, 10); got != c.want {
			t.Errorf("%s: %v costs %v, want %v", c.p.About(), c.call, got, c.want)
		}
	}
}

// The sizes equal those of Nazari et al. A matrix of 2.5 GB causes a panic.
func TestRepresentationSizes(t *testing.T) {
	p := must(problems.NewTask(problems.TaskConfig{Kind: "hyper-representation", Hidden: 200, Nodes: 1,
		Ridge:   0.01,
		Samples: problems.Samples{Train: 3, Val: 3}, MNIST: &problems.Digits{Images: images(t)}, Seed: 1}))
	np, nq := p.Dims()
	if np != 157000 || nq != 2010 {
		t.Errorf("p, q = %d, %d, want 157000, 2010", np, nq)
	}
	x, y := p.Start(0)
	other, _ := p.Start(0)
	if other[0]++; other[0] == x[0] {
		t.Error("two starting points are one slice: the caller owns each")
	}
	if x[5] == 0 || x[5] != other[5] || x[np-1] != 0 {
		t.Errorf("x0[5] is %v and %v, and its last element %v; want equal numbers and 0", x[5], other[5], x[np-1])
	}
	defer func() {
		if got := fmt.Sprint(recover()); !strings.Contains(got, "the Jacobian is 157000 x 2010, above the limit") {
			t.Errorf("panic %q", got)
		}
	}()
	p.Local(0).JacGxy(mat.NewDense(1, 1, nil), x, y)
}

// At known optima no nearby point is better, and the inner gradient is zero.
func TestToyOptima(t *testing.T) {
	for variant, want := range map[string]struct{ f float64 }{"paper": {9}, "code": {7.2}} {
		p := must(problems.NewToy(problems.ToyConfig{Kind: "coreset", Variant: variant, Scale: 1, Nodes: 1}))
		l, g := p.Local(0), make([]float64, 2)
		// x puts all weight on a_2, or 0.8 on a_2 and 0.2 on a_4.
		x, y := []float64{0, 60, 0, 0}, []float64{3, 1}
		if variant == "code" {
			x, y = []float64{0, 60, 0, 60 - math.Log(4)}, []float64{1.8, 0.4}
		}
		l.GradGy(g, x, y)
		if !(math.Hypot(g[0], g[1]) <= 1e-12) || !(math.Abs(l.F(x, y)-want.f) <= 1e-12) ||
			p.(problems.Known).SolutionError(x, y) > 1e-24 {
			t.Errorf("coreset, %s: inner gradient %v, f = %v, want %v", variant, g, l.F(x, y), want.f)
		}
		// Every mean of the points is at least as far from the target.
		for k := range 400 {
			x = []float64{float64(k % 5), float64(k / 5 % 5), float64(k / 25 % 4), float64(k / 100)}
			for j := range x {
				x[j] *= 3
			}
			l.GradGy(g, x, []float64{0, 0})
			if f := l.F(x, []float64{-g[0] / 2, -g[1] / 2}); f < want.f-1e-12 {
				t.Errorf("coreset, %s: Φ(%v) = %v is below %v", variant, x, f, want.f)
			}
		}
	}
	p := must(problems.NewToy(problems.ToyConfig{Kind: "degenerate", Variant: "code", Nodes: 1}))
	x, y, err := p.(problems.Solved).Solution()
	if err != nil {
		t.Fatal(err)
	}
	inner, grad := p.(problems.InnerSolved), make([]float64, 1)
	if phi := inner.Optimistic(grad, x); phi != 0 || grad[0] != 0 || p.Local(0).F(x, y) != 0 {
		t.Errorf("degenerate: Φ(1) = %v, Φ' = %v", phi, grad)
	}
	// Φ(x) is the smallest f on the line of inner minimizers, found by a grid.
	dst, inGrad := make([]float64, 2), make([]float64, 2)
	for _, variant := range []string{"paper", "code"} {
		p := must(problems.NewToy(problems.ToyConfig{Kind: "degenerate", Variant: variant, Nodes: 1}))
		l := p.Local(0)
		for _, at := range []float64{-1.5, 0.25, 2} {
			least := math.Inf(1)
			for k := range 4001 {
				p.(problems.InnerSolved).NearestInner(dst, []float64{at}, []float64{7, -2 + float64(k)*1e-3})
				if l.GradGy(inGrad, []float64{at}, dst); inGrad[0] != 0 || inGrad[1] != 0 {
					t.Fatalf("degenerate, %s: the inner gradient at %v is %v", variant, dst, inGrad)
				}
				least = min(least, l.F([]float64{at}, dst))
			}
			if phi := p.(problems.InnerSolved).Optimistic(grad, []float64{at}); !(math.Abs(phi-least) <= 1e-6) {
				t.Errorf("degenerate, %s: Φ(%v) = %v, the smallest f on the grid is %v", variant, at, phi, least)
			}
		}
	}
	p = must(problems.NewToy(problems.ToyConfig{Kind: "degenerate", Variant: "paper", Nodes: 1}))
	if _, _, err := p.(problems.Solved).Solution(); err == nil {
		t.Error("degenerate, paper: Solution returned one of many solutions")
	}
	near := p.(problems.Known).SolutionError([]float64{3}, []float64{1, 3}) // (t, (t, 1)) with t = 2
	if near != 1+1+4 {
		t.Errorf("degenerate, paper: squared distance %v, want 6", near)
	}
	p = must(problems.NewToy(problems.ToyConfig{Kind: "degenerate", Variant: "code", Nodes: 1}))
	if near := p.(problems.Known).SolutionError([]float64{3}, []float64{2, 5}); near != 4+1+16 { // from (1, (1, 1))
		t.Errorf("degenerate, code: squared distance %v, want 21", near)
	}
}
