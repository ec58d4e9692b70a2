package study

import (
	"fmt"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms"
	"tallynet/metrics"
	"tallynet/metrics/report/result"
	"tallynet/node"
	"tallynet/scenarios/build"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/execute"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
	"tallynet/sim/slow"
)

// fault is a subtle error of a method.
type fault string

const (
	none           fault = ""
	wrongSign      fault = "the sign of the implicit hypergradient"
	lostExchange   fault = "a missing exchange of y"
	matrixAsVector fault = "a matrix sent as a vector"
)

// faultyDAGM is a second implementation of DAGM with a fault.
type faultyDAGM struct {
	algorithms.DAGM
	fault fault
}

func (a faultyDAGM) Run(p *node.Proc, o algorithms.Oracle) {
	d1, d2 := o.Dims()
	x, y, mx := make([]float64, d1), make([]float64, d2), make([]float64, d1)
	my, gy, fy, h, b, mh := make([]float64, d2), make([]float64, d2), make([]float64, d2), make([]float64, d2),
		make([]float64, d2), make([]float64, d2)
	fx, jh := make([]float64, d1), make([]float64, d1)
	w := p.SelfWeight()
	o.Start(x, y)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		for t := range a.Inner {
			switch {
			case t == 0 && a.fault == lostExchange:
				p.MixAll("inner", node.MixVec("x", mx, x))
				copy(my, y)
			case t == 0:
				p.MixAll("inner", node.MixVec("y", my, y), node.MixVec("x", mx, x))
			default:
				p.MixAll("inner", node.MixVec("y", my, y))
			}
			o.GradGy(gy, x, y)
			floats.AddScaledTo(y, my, -a.Beta, gy)
		}
		o.GradFy(fy, x, y)
		hess := mat.NewSymDense(d2, nil)
		o.HessGyy(hess, x, y)
		hess.ScaleSym(a.Beta, hess)
		for i := range d2 {
			hess.SetSym(i, i, hess.At(i, i)+2*(1-w))
		}
		var factor mat.Cholesky
		if !factor.Factorize(hess) {
			p.Fail(fmt.Errorf("D is not positive definite"))
		}
		floats.ScaleTo(b, -1, fy)
		o.Solve(h, &factor, b)
		for range a.Neumann {
			p.MixAll("dihgp", node.MixVec("dihgp", mh, h))
			for i := range b {
				b[i] = -fy[i] + (1-2*w)*h[i] + mh[i]
			}
			o.Solve(h, &factor, b)
		}
		o.GradFx(fx, x, y)
		o.JacGxyMul(jh, x, y, h)
		sign := 1.0
		if a.fault == wrongSign {
			sign = -1
		}
		floats.AddScaled(fx, sign*a.Beta, jh)
		floats.AddScaledTo(x, mx, -a.Alpha, fx)
		p.Report(k, x, y)
	}
}

// Cost includes the fault: a run whose cost differs from the closed form fails before
// any claim is checked.
func (a faultyDAGM) Cost(k int, d algorithms.Dims) metrics.Cost {
	c := a.DAGM.Cost(k, d)
	if k > 0 && a.fault == lostExchange {
		c.Broadcast.Vector -= int64(d.Nodes * d.Q)
		c.Wire.Vector -= int64(d.Links * d.Q)
	}
	return c
}

// faultyDGBO is a second implementation of DGBO with full batches and a fault.
type faultyDGBO struct {
	algorithms.DGBO
	fault fault
}

func (a faultyDGBO) Run(p *node.Proc, o algorithms.Oracle) {
	d1, d2 := o.Dims()
	type averages struct {
		s, h []float64
		u, v *mat.Dense // all b Hessian estimates are equal
	}
	make1 := func() averages {
		return averages{make([]float64, d1), make([]float64, d2), mat.NewDense(d1, d2, nil), mat.NewDense(d2, d2, nil)}
	}
	avg, now, mixed := make1(), make1(), make1()
	x, y, mx, my := make([]float64, d1), make([]float64, d2), make([]float64, d1), make([]float64, d2)
	gy, r, vr, dx := make([]float64, d2), make([]float64, d2), make([]float64, d2), make([]float64, d1)
	hess := mat.NewSymDense(d2, nil)
	derive := func(to averages) {
		o.GradFx(to.s, x, y)
		o.GradFy(to.h, x, y)
		o.JacGxy(to.u, x, y)
		for range a.Terms {
			o.HessGyy(hess, x, y)
		}
		to.v.Copy(hess)
	}
	objects := []node.Mixed{node.MixVec("x", mx, x), node.MixVec("y", my, y),
		node.MixVec("s", mixed.s, avg.s), node.MixVec("h", mixed.h, avg.h)}
	if a.fault == matrixAsVector {
		objects = append(objects, node.MixVec("u", mixed.u.RawMatrix().Data, avg.u.RawMatrix().Data))
	} else {
		objects = append(objects, node.MixMat("u", mixed.u, avg.u))
	}
	for m := range a.Terms {
		objects = append(objects, node.MixMat(fmt.Sprintf("v%d", m+1), mixed.v, avg.v))
	}
	o.Start(x, y)
	derive(avg)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		derive(now)
		o.GradGy(gy, x, y)
		copy(r, avg.h)
		for range a.Terms {
			mat.NewVecDense(d2, vr).MulVec(avg.v, mat.NewVecDense(d2, r))
			floats.AddScaled(r, -1/a.Lipschitz, vr)
			floats.Add(r, avg.h)
		}
		mat.NewVecDense(d1, dx).MulVec(avg.u, mat.NewVecDense(d2, r))
		floats.Scale(-1/a.Lipschitz, dx)
		floats.Add(dx, avg.s)
		p.MixAll("gossip", objects...)
		floats.AddScaledTo(x, mx, -a.Alpha, dx)
		floats.AddScaledTo(y, my, -a.Gamma, gy)
		for _, m := range [][3][]float64{{avg.s, mixed.s, now.s}, {avg.h, mixed.h, now.h},
			{avg.u.RawMatrix().Data, mixed.u.RawMatrix().Data, now.u.RawMatrix().Data},
			{avg.v.RawMatrix().Data, mixed.v.RawMatrix().Data, now.v.RawMatrix().Data}} {
			for i := range m[0] {
				m[0][i] = (1-a.Beta)*m[1][i] + a.Beta*m[2][i]
			}
		}
		p.Report(k, x, y)
	}
}

// Cost includes the fault.
func (a faultyDGBO) Cost(k int, d algorithms.Dims) metrics.Cost {
	c := a.DGBO.Cost(k, d)
	if k > 0 && a.fault == matrixAsVector {
		sent := metrics.Elements{Vector: int64(d.P * d.Q), Matrix: -int64(d.P * d.Q)}
		c.Broadcast = c.Broadcast.Plus(sent.Times(int64(d.Nodes)))
		c.Wire = c.Wire.Plus(sent.Times(int64(d.Links)))
	}
	return c
}

// faultyCatalog is the catalog with the two methods replaced.
func faultyCatalog(f fault) *catalog.Catalog {
	cat := catalog.New()
	for name, wrap := range map[string]func(algorithms.Method) algorithms.Method{
		"dagm": func(m algorithms.Method) algorithms.Method { return faultyDAGM{m.(algorithms.DAGM), f} },
		"dgbo": func(m algorithms.Method) algorithms.Method { return faultyDGBO{m.(algorithms.DGBO), f} },
	} {
		e := cat.Algorithm(name)
		right := e.New
		e.New = func(a keys.Args) (algorithms.Method, error) {
			m, err := right(a)
			if err != nil {
				return nil, err
			}
			return wrap(m), nil
		}
	}
	return cat
}

// TestFaultyMethodsFailClaims makes methods subtly wrong: each fault must make a claim of
// the quickstart fail. Reimplemented without a fault, none does. Methods that a fault does
// not touch are not run again.
func TestFaultyMethodsFailClaims(t *testing.T) {
	slow.Skip(t, "the methods of the quickstart run with faults")
	_, right := playedSmall(t, "quickstart.yaml")
	for f, methods := range map[fault][]string{none: {"dagm", "dgbo"}, wrongSign: {"dagm"}, lostExchange: {"dagm"},
		matrixAsVector: {"dgbo"}} {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			s, err := spec.Load(shippedPath("quickstart.yaml"), faultyCatalog(f), nil)
			if err != nil {
				t.Fatal(err)
			}
			st, err := New(s, &scenariotest.Data)
			if err != nil {
				t.Fatal(err)
			}
			runs := slices.Clone(right)
			for i, a := range s.Algorithms {
				if !slices.Contains(methods, a.Name) {
					continue
				}
				j := job{in: st.instances[0], point: st.points[0], alg: i, args: a.Args}
				if runs[i], _, err = j.do(t.Context(), Options{}, nil, nil); err != nil {
					t.Fatal(err)
				}
			}
			failed := 0
			for _, c := range st.Claims(runs) {
				t.Log(c.Outcome(), c.Text, c.Reason)
				if c.Wrong() {
					failed++
				}
			}
			if (failed > 0) != (f != none) {
				t.Errorf("with %q, %d claims fail", f, failed)
			}
		})
	}
}

// doubled is a method whose closed form states twice its cost.
type doubled struct{ algorithms.Algorithm }

func (d doubled) Iterations() int { return algorithms.Iterations(d.Algorithm) }

func (d doubled) Cost(k int, dims algorithms.Dims) metrics.Cost {
	return d.Algorithm.Cost(k, dims).Times(2)
}

// doubledHandler is doubled for a method of handlers.
type doubledHandler struct{ algorithms.Asynchronous }

func (d doubledHandler) Iterations() int { return algorithms.Iterations(d.Asynchronous) }

func (d doubledHandler) Cost(k int, dims algorithms.Dims) metrics.Cost {
	return d.Asynchronous.Cost(k, dims).Times(2)
}

// A run fails with a reason if its counted cost differs from the closed form. The cost of an asynchronous method
// is compared if all iterations were done.
func TestWrongCostFailsTheRun(t *testing.T) {
	for name, want := range map[string]string{
		"dgd":       "rounds: counted 3, predicted 6",
		"async-dgd": "messages: counted 32, at least 48 predicted",
	} {
		cat := catalog.New()
		e := cat.Algorithm(name)
		right := e.New
		e.New = func(a keys.Args) (algorithms.Method, error) {
			m, err := right(a)
			if h, ok := m.(algorithms.Asynchronous); ok {
				return doubledHandler{h}, err
			}
			return doubled{m.(algorithms.Algorithm)}, err
		}
		s, err := spec.Parse("a.yaml", []byte("version: 1\ntopology: {kind: ring, nodes: 4}\n"+
			"problem: {kind: least-squares}\nalgorithms: [{name: "+name+", outer: 3, alpha: 0.01}]\n"), cat, nil)
		if err != nil {
			t.Fatal(err)
		}
		in, err := build.Build(s, 1, &scenariotest.Data)
		if err != nil {
			t.Fatal(err)
		}
		run := execute.Run(t.Context(), in, s.Algorithms[0], s.Algorithms[0].Args, nil)
		want = "what was counted differs from the method's closed form: " + want +
			"; the method's Cost or its Run is wrong"
		if run.Status != result.Failed || run.Reason != want {
			t.Errorf("%s: %s: %s, want %s", name, run.Status, run.Reason, want)
		}
	}
}
