package problems_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tallynet/scenarios/problems"
)

// BenchmarkOracle times every call at the sizes of the MNIST scenarios, 100 training
// and 100 validation samples. "new point" includes the margins, which a call at the
// same point as the previous one reuses.
func BenchmarkOracle(b *testing.B) {
	for _, size := range []struct {
		loss    string
		classes []int
		pool    int
	}{{"logistic", []int{4, 9}, 4}, {"logistic", []int{4, 9}, 2}, {"softmax", nil, 2}} {
		p := must(problems.NewTask(problems.TaskConfig{Kind: "hyper-" + size.loss, Nodes: 1,
			Samples: problems.Samples{Train: 100, Val: 100},
			MNIST:   &problems.Digits{Images: images(b), Classes: size.classes, Pool: size.pool}, X0: -3, Seed: 1}))
		np, nq := p.Dims()
		l := p.Local(0)
		x, y := p.Start(0)
		for i := range y {
			y[i] = float64(i%3) * 0.01
		}
		dx, dy := make([]float64, np), make([]float64, nq)
		run := func(name string, f func()) {
			b.Run(fmt.Sprintf("%s-q%d/%s", size.loss, nq, name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
			})
		}
		run("F/new-point", func() { y[0] += 1e-9; l.F(x, y) })
		run("GradGy/new-point", func() { y[0] += 1e-9; l.GradGy(dy, x, y) })
		run("GradGy", func() { l.GradGy(dy, x, y) })
		run("GradFy/new-point", func() { y[0] += 1e-9; l.GradFy(dy, x, y) })
		run("HessGyyMul", func() { l.HessGyyMul(dy, x, y, y) })
		run("JacGxyMul", func() { l.JacGxyMul(dx, x, y, y) })
		if nq > 500 {
			continue // softmax: no method chooses matrices of 1960 x 1960
		}
		hess, jac := mat.NewSymDense(nq, nil), mat.NewDense(np, nq, nil)
		run("HessGyy", func() { l.HessGyy(hess, x, y) })
		run("JacGxy", func() { l.JacGxy(jac, x, y) })
		in, out := mat.NewDense(nq, np, nil), mat.NewDense(nq, np, nil)
		for i := range in.RawMatrix().Data {
			in.RawMatrix().Data[i] = float64(i%7) - 3
		}
		run("HessGyyMulMat", func() { l.(problems.BlockHVP).HessGyyMulMat(out, x, y, in) })
		run("HessGyyMulMat/new-point", func() { y[0] += 1e-9; l.(problems.BlockHVP).HessGyyMulMat(out, x, y, in) })
		run("HessGyyMul/by-column", func() {
			for range np {
				l.HessGyyMul(dy, x, y, y)
			}
		})
	}
}

func BenchmarkQuadratic(b *testing.B) {
	p := must(problems.GenerateQuadratic(problems.QuadraticConfig{Nodes: 1, P: 196, Q: 196, Seed: 1}))
	l := p.Local(0)
	x, y := p.Start(0)
	dx, dy := make([]float64, 196), make([]float64, 196)
	in, out := mat.NewDense(196, 196, nil), mat.NewDense(196, 196, nil)
	for i := range in.RawMatrix().Data {
		in.RawMatrix().Data[i] = float64(i%7) - 3
	}
	b.Run("GradGy", func(b *testing.B) {
		for b.Loop() {
			l.GradGy(dy, x, y)
		}
	})
	b.Run("JacGxyMul", func(b *testing.B) {
		for b.Loop() {
			l.JacGxyMul(dx, x, y, y)
		}
	})
	b.Run("HessGyyMulMat", func(b *testing.B) {
		for b.Loop() {
			l.(problems.BlockHVP).HessGyyMulMat(out, x, y, in)
		}
	})
}

// BenchmarkTasks times products and gradients of the tasks at the sizes of
// their scenarios. The representation's "new x" recomputes all features.
func BenchmarkTasks(b *testing.B) {
	n := problems.Samples{Train: 100, Val: 100}
	half := &problems.Digits{Images: images(b), Pool: 2}
	for _, c := range []struct {
		name string
		p    problems.Problem
	}{
		{"cleaning-196", must(problems.NewTask(problems.TaskConfig{Kind: "hyper-cleaning", Nodes: 1, Samples: n,
			MNIST: half,
			Ridge: 0.001, LabelNoise: 0.3, Seed: 1}))},
		{"fair-196", must(problems.NewTask(problems.TaskConfig{Kind: "fair-loss", Nodes: 1, Samples: n, MNIST: half,
			Ridge: 0.01,
			Seed:  1}))},
		{"svm-mushroom", must(problems.NewTask(problems.TaskConfig{Kind: "hyper-svm", Smoothing: 0.5, Nodes: 1, Samples: n,
			Mushroom: &problems.Mushroom{Data: mushrooms(b)}, Seed: 1}))},
		{"mlp-784-200-10", must(problems.NewTask(problems.TaskConfig{Kind: "hyper-representation", Hidden: 200,
			Nodes: 1, Samples: problems.Samples{Train: 300, Val: 300}, MNIST: &problems.Digits{Images: images(b)},
			Ridge: 0.01, Seed: 1}))},
		{"linear-64-128", must(problems.NewTask(problems.TaskConfig{Kind: "hyper-representation-linear", Hidden: 128,
			Nodes: 1, Samples: problems.Samples{Train: 500, Val: 500},
			Synthetic: &problems.Synthetic{Dim: 64, Noise: 0.1}, Ridge: 0.1, Seed: 1}))},
		{"coreset", must(problems.NewToy(problems.ToyConfig{Kind: "coreset", Variant: "code", Scale: 0.1, Nodes: 1}))},
	} {
		name, p := c.name, c.p
		np, nq := p.Dims()
		l := p.Local(0)
		x, y := p.Start(0)
		for i := range y {
			y[i] = float64(i%3) * 0.01
		}
		dx, dy := make([]float64, np), make([]float64, nq)
		run := func(call string, f func()) {
			b.Run(name+"/"+call, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
			})
		}
		run("GradGy/new-x", func() { x[0] += 1e-9; l.GradGy(dy, x, y) })
		run("GradGy/new-y", func() { y[0] += 1e-9; l.GradGy(dy, x, y) })
		run("GradFx", func() { l.GradFx(dx, x, y) })
		run("GradGx", func() { l.GradGx(dx, x, y) })
		run("HessGyyMul", func() { l.HessGyyMul(dy, x, y, y) })
		run("JacGxyMul", func() { l.JacGxyMul(dx, x, y, y) })
	}
}
