package algorithms

import (
	"fmt"

	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// ITD is bilevel optimization by iterative differentiation, ITD-BiO: the hypergradient is the derivative of
// f(x, y^N(x)) through the N = Inner steps, by backpropagation. With a constant N the limit is biased. If
// Warm is false, y^0 is the starting point in each outer iteration, and the hypergradient is the true
// gradient of f(x, y^N(x)).
type ITD struct {
	onOneNode
	Outer, Inner int
	Back         int // steps that are differentiated; 0: all
	Alpha, Beta  float64
	Warm         bool
	Optimizer    Optimizer
}

func (ITD) Declare() declare.Method {
	return declare.Method{
		Name: "itd", Label: "ITD-BiO",
		Summary: "iterative differentiation: backpropagation through the inner steps, from the last y",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Count("inner", 1, "10", "y-steps per outer iteration, the paper's N"),
			declare.Step("alpha", stepOfY),
			declare.Step("beta", "the step of x"),
			optimizer(),
		},
		Updates: `y⁰ = the last y, taken as a constant;  for k = 1 ... outer:
  y^{t+1} = y^t - alpha ∇_y g(x, y^t),  t = 0 ... inner - 1
  l = ∇_y f(x, y^inner), s = 0;  for t = inner - 1 ... 0:
    s <- s + J(x, y^t) l,  l <- (I - alpha H(x, y^t)) l
  x <- x - beta (∇_x f(x, y^inner) - alpha s)
The two loop variants of Ji et al., κ = L / μ:
  N-N-loop  inner of the order κ log(κ/ε):  MV and Gc of the order κ⁴ / ε
  no-loop   inner 1 or constant:            a bias remains, however many iterations are made
The paper counts Gc = K (inner + 2) gradients and MV = 2 K inner products.`,
		Source: loopsSource + ", Algorithm 2",
		Departures: "The last product with H is not needed, so it is left out: MV is K (2 inner - 1). Adam steps " +
			"of x are an addition to the paper's gradient steps.",
	}
}

// Reverse is ITD from the starting point in each outer iteration, unless it is warm.
type Reverse struct{ ITD }

func (Reverse) Declare() declare.Method {
	return declare.Method{
		Name: "reverse", Label: "Reverse-mode ITD",
		Summary: "reverse-mode differentiation of the inner steps, which start over, or of the last of them",
		Fields: declare.Fields{
			declare.Outer(),
			declare.Count("inner", 1, "10", "y-steps per outer iteration"),
			declare.Count("back", 0, "5", "how many steps are differentiated, from the last one back; 0 is all").Or(0, ""),
			declare.Step("alpha", stepOfY),
			declare.Step("beta", "the step of x"),
			declare.Flag("warm", false, "whether y⁰ is the last y, or the starting point in each outer iteration"),
			optimizer(),
		},
		Updates: `y⁰ = the starting point, or the last y (warm);  for k = 1 ... outer:
  y^{t+1} = y^t - alpha ∇_y g(x, y^t),  t = 0 ... inner - 1
  l = ∇_y f(x, y^inner), s = 0;  for t = inner - 1 ... inner - back:
    s <- s + J(x, y^t) l,  l <- (I - alpha H(x, y^t)) l
  x <- x - beta (∇_x f(x, y^inner) - alpha s)
From the starting point and with all steps, it is gradient descent on f(x, y^inner(x)).`,
		Source:     hypertorchSource,
		Departures: "The last product with H is not needed, so it is left out.",
	}
}

// Check finds more steps to differentiate than there are.
func (a Reverse) Check() *declare.Wrong {
	if a.Back > a.Inner {
		return &declare.Wrong{Field: "back", Hint: "0 is all of them",
			Message: fmt.Sprintf("%d steps cannot be differentiated if inner is %d", a.Back, a.Inner)}
	}
	return nil
}

// back is the number of steps that are differentiated.
func (a ITD) back() int {
	if a.Back == 0 {
		return a.Inner
	}
	return min(a.Back, a.Inner)
}

// Run is Algorithm 2 of Ji et al.
func (a ITD) Run(p *node.Proc, o Oracle) {
	x, y, d1, d2 := origin(o)
	y0 := zeros(d2)
	gy, l, hl := zeros(d2), zeros(d2), zeros(d2)
	d, s, jl := zeros(d1), zeros(d1), zeros(d1)
	path := make([][]float64, a.Inner) // y^0 ... y^{N-1}
	for t := range path {
		path[t] = zeros(d2)
	}
	move := a.Optimizer.step(a.Beta, d1)
	copy(y0, y)
	p.Report(0, x, y)
	for k := 1; k <= a.Outer; k++ {
		if !a.Warm {
			copy(y, y0)
		}
		for t := range a.Inner {
			copy(path[t], y)
			o.GradGy(gy, x, y)
			descend(y, y, a.Alpha, gy) // y <- y - alpha ∇_y g
		}
		o.GradFy(l, x, y)
		clear(s)
		first := a.Inner - a.back()
		for t := a.Inner - 1; t >= first; t-- {
			o.JacGxyMul(jl, x, path[t], l)
			floats.Add(s, jl) // s += J l
			if t > first {
				o.HessGyyMul(hl, x, path[t], l)
				descend(l, l, a.Alpha, hl) // l <- (I - alpha H) l
			}
		}
		o.GradFx(d, x, y)
		floats.AddScaled(d, -a.Alpha, s)
		move(x, d) // x <- x - beta (∇_x f - alpha s)
		p.Report(k, x, y)
	}
}

// Held is the path of y: Inner vectors of q numbers.
func (a ITD) Held(d Dims) float64 { return float64(a.Inner) * float64(d.Q) }

// Cost has B JVPs and B - 1 HVPs if B steps are differentiated.
func (a ITD) Cost(_ int, d Dims) metrics.Cost {
	return Calls{GradG: a.Inner, GradF: 2, HVP: a.back() - 1, JVP: a.back()}.Cost(d)
}
