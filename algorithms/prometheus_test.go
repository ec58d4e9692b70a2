package algorithms_test

import (
	"testing"

	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms"
)

// With alpha at most w_ii Prometheus keeps x in its ball, as a mean of points in it.
// A larger alpha may leave the ball.
func TestPrometheusStaysInTheBall(t *testing.T) {
	const radius = .1
	s := stack(ring(4), fourNodes(), zeroStart(3, 5)) // w_ii = 1/3
	furthest := func(alpha float64) (most float64) {
		a := algorithms.Prometheus{Outer: 60, Alpha: alpha, Beta: .1, Tau: 1, Radius: radius, Neumann: 3, Lipschitz: 7}
		for _, at := range finish(t, world{w: ring(4), on: s.split()}, a).at {
			for _, x := range at.X {
				most = max(most, floats.Norm(x, 2))
			}
		}
		return most
	}
	if d := furthest(1. / 3); d > radius*(1+1e-12) {
		t.Errorf("alpha = w_ii: x comes to %g, the radius is %g", d, radius)
	}
	if d := furthest(1); d < 1.01*radius {
		t.Errorf("alpha = 1: x comes to %g only: the radius %g keeps it in too", d, radius)
	}
}
