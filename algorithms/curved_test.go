package algorithms_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms"
	"tallynet/metrics"
	"tallynet/topologies"
)

// On a quadratic, H and J are the same everywhere, so the stacked twins cannot see at which points a method
// evaluates them. Here they can: p = q = 1 and, on a node with the number c,
//
//	g = (1 + c/4) y² + y⁴/12 + x y + x² y²/10 + c y/2
//	f = x²/2 + (y - 1)²/2 + x y/5 + x⁴/12 + x² y/10 - c x/4
type curved struct {
	algorithms.Local // nil: no method here asks for values
	c                float64
}

func (l curved) gy(x, y float64) float64 { return (2+l.c/2)*y + y*y*y/3 + x + x*x*y/5 + l.c/2 }
func (l curved) gx(x, y float64) float64 { return y + x*y*y/5 }
func (l curved) h(x, y float64) float64  { return 2 + l.c/2 + y*y + x*x/5 }
func (l curved) j(x, y float64) float64  { return 1 + 2*x*y/5 }
func (l curved) fx(x, y float64) float64 { return x + y/5 + x*x*x/3 + x*y/5 - l.c/4 }
func (l curved) fy(x, y float64) float64 { return y - 1 + x/5 + x*x/10 }

func (l curved) Dims() (p, q int)                { return 1, 1 }
func (l curved) Samples() (val, train int)       { return 0, 0 }
func (l curved) SetBatch([]int, []int)           {}
func (l curved) Flops(metrics.Call, int) float64 { return 1 }

func (l curved) GradFx(dst, x, y []float64)                { dst[0] = l.fx(x[0], y[0]) }
func (l curved) GradFy(dst, x, y []float64)                { dst[0] = l.fy(x[0], y[0]) }
func (l curved) GradGx(dst, x, y []float64)                { dst[0] = l.gx(x[0], y[0]) }
func (l curved) GradGy(dst, x, y []float64)                { dst[0] = l.gy(x[0], y[0]) }
func (l curved) HessGyyMul(dst, x, y, v []float64)         { dst[0] = l.h(x[0], y[0]) * v[0] }
func (l curved) JacGxyMul(dst, x, y, v []float64)          { dst[0] = l.j(x[0], y[0]) * v[0] }
func (l curved) HessGyy(dst *mat.SymDense, x, y []float64) { dst.SetSym(0, 0, l.h(x[0], y[0])) }
func (l curved) JacGxy(dst *mat.Dense, x, y []float64)     { dst.Set(0, 0, l.j(x[0], y[0])) }

// curve is a network of such nodes, c = 0, 1, ...; a vec has a number for each node.
type curve struct{ w *topologies.Mixing }

type vec = []float64

// of is f on every node.
func (s curve) of(f func(l curved, x, y float64) float64, x, y vec) vec {
	v := make(vec, len(x))
	for i := range v {
		v[i] = f(curved{c: float64(i)}, x[i], y[i])
	}
	return v
}

func (s curve) gy(x, y vec) vec { return s.of(curved.gy, x, y) }
func (s curve) h(x, y vec) vec  { return s.of(curved.h, x, y) }
func (s curve) j(x, y vec) vec  { return s.of(curved.j, x, y) }
func (s curve) fx(x, y vec) vec { return s.of(curved.fx, x, y) }
func (s curve) fy(x, y vec) vec { return s.of(curved.fy, x, y) }

func (s curve) mix(v vec) vec {
	m := make(vec, len(v))
	for i := range m {
		for j := range v {
			m[i] += s.w.At(i, j) * v[j]
		}
	}
	return m
}

// line is a + c b.
func line(a vec, c float64, b vec) vec {
	v := make(vec, len(a))
	for i := range v {
		v[i] = a[i] + c*b[i]
	}
	return v
}

func prod(a, b vec) vec {
	v := make(vec, len(a))
	for i := range v {
		v[i] = a[i] * b[i]
	}
	return v
}

func quot(a, b vec) vec {
	v := make(vec, len(a))
	for i := range v {
		v[i] = a[i] / b[i]
	}
	return v
}

func (s curve) zero() vec { return make(vec, s.w.Nodes()) }

// d returns ∇_x f - J v at a point.
func (s curve) d(x, y, v vec) vec { return line(s.fx(x, y), -1, prod(s.j(x, y), v)) }

// neumann returns eta Σ (I - eta H)^s b over s = 0 ... products.
func (s curve) neumann(eta float64, products int, x, y vec) vec {
	term := s.fy(x, y)
	total := term
	for range products {
		term = line(term, -eta, prod(s.h(x, y), term))
		total = line(total, 1, term)
	}
	return line(s.zero(), eta, total)
}

// own returns the hypergradient with that series.
func (s curve) own(eta float64, products int, x, y vec) vec {
	return s.d(x, y, s.neumann(eta, products, x, y))
}

// tracked makes steps of gradient tracking from y along grad.
func (s curve) tracked(y vec, steps int, eta float64, grad func(y vec) vec) vec {
	v := grad(y)
	for range steps {
		next := line(s.mix(y), -eta, v)
		v = line(line(s.mix(v), 1, grad(next)), -1, grad(y))
		y = next
	}
	return y
}

// A curvedStep makes iteration k of all x and y, with state of its own.
type curvedStep func(k int, x, y vec) (x2, y2 vec)

func compareCurved(t *testing.T, name string, w world, s curve, m algorithms.Method, step curvedStep) {
	t.Helper()
	w.on = split{p: 1, q: 1, local: func(i int) algorithms.Local { return curved{c: float64(i)} },
		start: func(i int) (x, y []float64) {
			if w.server { // clients start alike
				i = 0
			}
			return []float64{1.2 - .5*float64(i)}, []float64{-.9 + .4*float64(i)}
		}}
	x, y := s.zero(), s.zero()
	for i := range x {
		xi, yi := w.on.start(i)
		x[i], y[i] = xi[0], yi[0]
	}
	first := 0
	if w.server {
		first = 1
	}
	for k, at := range finish(t, w, m).at {
		if k > 0 {
			x, y = step(k, x, y)
		}
		for i := range x {
			if gx, gy := at.X[first+i][0], at.Y[first+i][0]; !(math.Abs(gx-x[i]) < 1e-12 && math.Abs(gy-y[i]) < 1e-12) {
				t.Errorf("%s, iteration %d, node %d: x, y = %.14g, %.14g; the twin has %.14g, %.14g", name, k, i,
					gx, gy, x[i], y[i])
				return
			}
		}
	}
}
