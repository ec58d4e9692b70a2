package algorithms

import (
	"math"

	"tallynet/algorithms/declare"
)

// Adam's constants, the authors' defaults.
const (
	adamDecay1  = 0.9   // of the mean of directions
	adamDecay2  = 0.999 // of the mean of their squares
	adamEpsilon = 1e-8
)

// adam is the step rule of Adam with a constant step, for k = 1, 2, ...:
//
//	m <- 0.9 m + 0.1 d,  v <- 0.999 v + 0.001 d²,  each coordinate by itself
//	x <- x - step (m / (1 - 0.9^k)) / (sqrt(v / (1 - 0.999^k)) + 1e-8)
//
// The first step has the length step in each coordinate where d is not 0.
//
// Source: Kingma, Ba, "Adam: a method for stochastic optimization", ICLR 2015,
// Algorithm 1.
type adam struct {
	step           float64
	m, v           []float64
	power1, power2 float64 // 0.9^k and 0.999^k
}

func newAdam(step float64, length int) *adam {
	return &adam{step: step, m: zeros(length), v: zeros(length), power1: 1, power2: 1}
}

// move moves x, along -d at first.
func (a *adam) move(x, d []float64) {
	a.power1 *= adamDecay1
	a.power2 *= adamDecay2
	for i, e := range d {
		a.m[i] = adamDecay1*a.m[i] + (1-adamDecay1)*e
		a.v[i] = adamDecay2*a.v[i] + (1-adamDecay2)*e*e
		x[i] -= a.step * (a.m[i] / (1 - a.power1)) / (math.Sqrt(a.v[i]/(1-a.power2)) + adamEpsilon)
	}
}

// Optimizer says how a method moves x along its direction.
type Optimizer string

// The optimizers.
const (
	GradientSteps Optimizer = "gd" // also the zero value
	AdamSteps     Optimizer = "adam"
)

// optimizer declares the field Optimizer.
func optimizer() declare.Field {
	return declare.Enum("optimizer", "how x moves along its direction: gradient steps, or Adam steps with the step "+
		"beta and decays 0.9 and 0.999", "gd", "adam").Like("adam").
		From("the papers analyze gradient steps; the programs of Grazzi et al. use Adam")
}

// step returns a function that moves x along -d: x <- x - step d, or by Adam's rule.
func (o Optimizer) step(step float64, length int) func(x, d []float64) {
	if o == AdamSteps {
		return newAdam(step, length).move
	}
	return func(x, d []float64) { descend(x, x, step, d) }
}
