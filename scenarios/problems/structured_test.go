package problems_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"tallynet/scenarios/problems"
)

// dense solves with scale ∇²_yy g + shift I by forming the matrix.
func dense(t *testing.T, l problems.Local, x, y, b []float64, scale, shift float64) []float64 {
	t.Helper()
	q := len(y)
	h := mat.NewSymDense(q, nil)
	l.HessGyy(h, x, y)
	h.ScaleSym(scale, h)
	for j := range q {
		h.SetSym(j, j, h.At(j, j)+shift)
	}
	var chol mat.Cholesky
	if !chol.Factorize(h) {
		t.Fatal("not positive definite")
	}
	out := make([]float64, q)
	if err := chol.SolveVecTo(mat.NewVecDense(q, out), mat.NewVecDense(q, b)); err != nil {
		t.Log(err)
	}
	return out
}

// Structured and dense solutions agree for regularizers from strong to very weak: to
// 1e-10, or to the accuracy that the condition allows.
func TestFactorGyyAgreesWithDense(t *testing.T) {
	for _, loss := range []string{"ridge", "logistic", "softmax", "svm"} {
		for _, shared := range []bool{false, true} {
			if shared && loss != "softmax" {
				continue
			}
			for _, x0 := range []float64{3, -3, -12} {
				c := problems.TaskConfig{Kind: "hyper-" + loss, Nodes: 1, Samples: problems.Samples{Train: 9, Val: 3},
					SharedAcrossClasses: shared, X0: x0, Synthetic: &problems.Synthetic{Dim: 40, Noise: 0.3}, Seed: 4}
				if loss == "svm" {
					c.Smoothing = 0.5
				}
				agree(t, fmt.Sprintf("%s, shared %v, x0 %v", loss, shared, x0), must(problems.NewTask(c)), x0)
			}
		}
	}
}

func agree(t *testing.T, name string, p problems.Problem, x0 float64) {
	t.Helper()
	l := p.Local(0)
	x, y := p.Start(0)
	b := make([]float64, len(y))
	for j := range y {
		y[j], b[j] = math.Sin(float64(3*j))/4, math.Cos(float64(7*j))
	}
	for _, a := range [][2]float64{{1, 0}, {0.25, 1.4}} {
		solve := l.(problems.StructuredGyy).FactorGyy(x, y, a[0], a[1])
		if solve == nil {
			t.Errorf("%s: no structure", name)
			continue
		}
		got := make([]float64, len(y))
		solve(got, b)
		want := dense(t, l, x, y, b, a[0], a[1])
		tolerance := 1e-10
		if a[1] == 0 && x0 < -5 {
			tolerance = 1e-8 // the condition is 1e7
		}
		if off := floats.Distance(got, want, math.Inf(1)) / floats.Norm(want, math.Inf(1)); !(off < tolerance) {
			t.Errorf("%s, scale and shift %v: off by %v", name, a, off)
		}
	}
}

// If the structure does not help or does not hold, the dense solver is used.
func TestFactorGyyLeavesToDense(t *testing.T) {
	config := problems.TaskConfig{Kind: "hyper-logistic", Nodes: 1, Samples: problems.Samples{Train: 9, Val: 3},
		Synthetic: &problems.Synthetic{Dim: 9}, Seed: 4}
	for name, set := range map[string]func(x, y []float64) (scale, shift float64){
		"as many samples as coefficients": func(x, y []float64) (scale, shift float64) { return 1, 0 },
		"a negative diagonal":             func(x, y []float64) (scale, shift float64) { return 1, -50 },
		"a negative scale":                func(x, y []float64) (scale, shift float64) { return -1, 50 },
		"an infinite diagonal":            func(x, y []float64) (scale, shift float64) { x[2] = 800; return 1, 0 },
		"data that are not finite":        func(x, y []float64) (scale, shift float64) { y[1] = math.NaN(); return 1, 1 },
	} {
		c := config
		if name != "as many samples as coefficients" {
			c.Samples.Train = 5
		}
		p := must(problems.NewTask(c))
		x, y := p.Start(0)
		scale, shift := set(x, y)
		if p.Local(0).(problems.StructuredGyy).FactorGyy(x, y, scale, shift) != nil {
			t.Errorf("%s: want nil", name)
		}
	}
}
