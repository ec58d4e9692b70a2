package problems_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"tallynet/scenarios/problems"
)

func conditioned(t *testing.T, shape string, nodes int, kappa float64) *problems.Conditioned {
	t.Helper()
	c := problems.ConditionedConfig{Nodes: nodes, Dim: 4, Condition: kappa, Shape: shape, Power: 4, Distance: 2,
		Heterogeneity: .6, Seed: 3}
	if shape == "strongly-convex" {
		c.Curvature = .3
	}
	p, err := problems.NewConditioned(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// meanDerivatives computes Φ and ∇Φ by dense linear algebra from the nodes' oracles.
func meanDerivatives(t *testing.T, p problems.Problem, x []float64) (value float64, grad *mat.VecDense) {
	t.Helper()
	d, q := p.Dims()
	n := float64(p.Nodes())
	zero := make([]float64, q)
	h, j, gy := mat.NewDense(q, q, nil), mat.NewDense(d, q, nil), mat.NewVecDense(q, nil)
	for i := range p.Nodes() {
		hi, ji, g := mat.NewSymDense(q, nil), mat.NewDense(d, q, nil), make([]float64, q)
		l := p.Local(i)
		l.HessGyy(hi, x, zero)
		l.JacGxy(ji, x, zero)
		l.GradGy(g, x, zero)
		h.Add(h, hi)
		j.Add(j, ji)
		gy.AddVec(gy, mat.NewVecDense(q, g))
	}
	var y, v, jv mat.VecDense
	if err := y.SolveVec(h, gy); err != nil {
		t.Fatal(err)
	}
	y.ScaleVec(-1, &y)
	fx, fy := mat.NewVecDense(d, nil), mat.NewVecDense(q, nil)
	for i := range p.Nodes() {
		l, a, b := p.Local(i), make([]float64, d), make([]float64, q)
		value += l.F(x, y.RawVector().Data) / n
		l.GradFx(a, x, y.RawVector().Data)
		l.GradFy(b, x, y.RawVector().Data)
		fx.AddScaledVec(fx, 1/n, mat.NewVecDense(d, a))
		fy.AddScaledVec(fy, 1/n, mat.NewVecDense(q, b))
	}
	if err := v.SolveVec(h, fy); err != nil {
		t.Fatal(err)
	}
	jv.MulVec(j, &v)
	fx.SubVec(fx, &jv)
	return value, fx
}

// The closed forms equal those of dense linear algebra and of finite differences, for one
// node and for several different ones.
func TestConditionedClosedForm(t *testing.T) {
	x := []float64{.4, -.9, 1.3, .2}
	for _, shape := range problems.ConditionedShapes() {
		var alone float64
		for _, nodes := range []int{1, 5} {
			p := conditioned(t, shape, nodes, 6)
			grad, scratch := make([]float64, 4), make([]float64, 4)
			value := p.Value(grad, x)
			wantValue, wantGrad := meanDerivatives(t, p, x)
			if !(math.Abs(value-wantValue) <= 1e-10*math.Abs(value)) {
				t.Errorf("%s, %d nodes: Φ = %.15g, want %.15g", shape, nodes, value, wantValue)
			}
			if d := floats.Distance(grad, wantGrad.RawVector().Data, 2); !(d <= 1e-10*floats.Norm(grad, 2)) {
				t.Errorf("%s, %d nodes: ∇Φ = %v, want %v", shape, nodes, grad, wantGrad.RawVector().Data)
			}
			for j := range x {
				at := append([]float64{}, x...)
				at[j] += 1e-6
				up := p.Value(scratch, at)
				at[j] -= 2e-6
				if slope := (up - p.Value(scratch, at)) / 2e-6; !(math.Abs(slope-grad[j]) <= 1e-6*floats.Norm(grad, 2)) {
					t.Errorf("%s: ∂Φ/∂x_%d = %g, differences say %g", shape, j, grad[j], slope)
				}
			}
			if nodes == 1 {
				alone = value
			} else if !(math.Abs(value-alone) <= 1e-12*alone) {
				t.Errorf("%s: Φ is %.15g with one node and %.15g with %d", shape, alone, value, nodes)
			}
		}
	}
}

// Φ has its infimum at the solution: its gradient is 0 there, and y* is as stated.
func TestConditionedSolution(t *testing.T) {
	for _, shape := range problems.ConditionedShapes() {
		p := conditioned(t, shape, 3, 5)
		x, y, err := p.Solution()
		if err != nil {
			t.Fatal(err)
		}
		grad := make([]float64, 4)
		if v := p.Value(grad, x); !(math.Abs(v-p.Infimum()) <= 1e-12) || !(floats.Norm(grad, 2) <= 1e-12) {
			t.Errorf("%s: Φ = %g, want the infimum %g; ∇Φ = %v", shape, v, p.Infimum(), grad)
		}
		gy := make([]float64, 4)
		for i := range p.Nodes() {
			g := make([]float64, 4)
			p.Local(i).GradGy(g, x, y)
			floats.Add(gy, g)
		}
		if !(floats.Norm(gy, 2) <= 1e-12) {
			t.Errorf("%s: the mean ∇_y g is %v at the solution", shape, gy)
		}
	}
}

// The largest curvature of Φ, by differences of ∇Φ along the coordinate with the smallest D,
// is L_Φ and grows like κ².
func TestConditionedSmoothness(t *testing.T) {
	largest := func(p *problems.Conditioned, from []float64) float64 {
		hess := mat.NewSymDense(4, nil)
		up, down := make([]float64, 4), make([]float64, 4)
		for j := range from {
			at := append([]float64{}, from...)
			at[j] += 1e-5
			p.Value(up, at)
			at[j] -= 2e-5
			p.Value(down, at)
			for i := range from {
				hess.SetSym(min(i, j), max(i, j), (up[i]-down[i])/2e-5)
			}
		}
		var eigen mat.EigenSym
		if !eigen.Factorize(hess, false) {
			t.Fatal("no eigenvalues")
		}
		return eigen.Values(nil)[3]
	}
	for shape, want := range map[string]func(kappa float64) float64{
		"strongly-convex": func(k float64) float64 { return .3 + k*k },
		"convex":          func(k float64) float64 { return 3 * k * k },
		"nonconvex":       func(k float64) float64 { return 2 * k * k },
	} {
		for _, kappa := range []float64{2, 8, 64} {
			p := conditioned(t, shape, 2, kappa)
			from, _, _ := p.Solution()
			if shape == "convex" {
				from = make([]float64, 4) // where |s| = 2: φ'' is the largest
			}
			if got := largest(p, from); !(math.Abs(got-want(kappa)) <= 1e-4*want(kappa)) ||
				!(math.Abs(p.Smoothness()-want(kappa)) <= 1e-12*want(kappa)) {
				t.Errorf("%s, κ = %g: the largest curvature is %g, L_Φ = %g, want %g", shape, kappa, got, p.Smoothness(),
					want(kappa))
			}
		}
	}
}

// The mean inner Hessian has the eigenvalues 1 and 1/κ at its ends.
func TestConditionedInnerHessian(t *testing.T) {
	p := conditioned(t, "convex", 4, 9)
	mean := mat.NewSymDense(4, nil)
	for i := range p.Nodes() {
		h := mat.NewSymDense(4, nil)
		p.Local(i).HessGyy(h, make([]float64, 4), make([]float64, 4))
		mean.AddSym(mean, h)
	}
	mean.ScaleSym(.25, mean)
	var eigen mat.EigenSym
	if !eigen.Factorize(mean, false) {
		t.Fatal("no eigenvalues")
	}
	if v := eigen.Values(nil); !(math.Abs(v[0]-1./9) <= 1e-12) || !(math.Abs(v[3]-1) <= 1e-12) {
		t.Errorf("eigenvalues %v, want 1/9 ... 1", v)
	}
}
