package algorithms_test

import (
	"testing"

	"tallynet/algorithms"
)

// Without compression h equals the last sent value: x½ = x - alpha ∇f(x), x⁺ = x½ + gamma (W - I) x½.
func TestCHOCOTwin(t *testing.T) {
	const alpha, gamma = 0.05, 0.6
	everyTwin(
		t,
		true,
		algorithms.CHOCO{Outer: twinIterations, Alpha: alpha, Gamma: gamma},
		func(s stacked) (tr trajectory) {
			step := sum(times(1-gamma, eye(s.n*s.p)), times(gamma, s.wx))
			x := s.x0
			tr.add(x, nil)
			for range twinIterations {
				x = mul(step, sum(x, times(-alpha, s.grad(x))))
				tr.add(x, nil)
			}
			return tr
		},
	)
}

// Without compression z = y and w = W y: y = x - alpha (∇f(x) + d), d⁺ = d + gamma / (2 alpha) (I - W) y,
// x⁺ = x - alpha (∇f(x) + d⁺).
func TestLEADTwin(t *testing.T) {
	const alpha, gamma = 0.05, 0.9
	everyTwin(
		t,
		true,
		algorithms.LEAD{Outer: twinIterations, Alpha: alpha, Gamma: gamma, Eta: 0.4},
		func(s stacked) (tr trajectory) {
			laplacian := sum(eye(s.n*s.p), times(-1, s.wx))
			x, d := s.x0, times(0, s.x0)
			tr.add(x, nil)
			for range twinIterations {
				g := s.grad(x)
				y := sum(x, times(-alpha, g), times(-alpha, d))
				d = sum(d, times(gamma/(2*alpha), mul(laplacian, y)))
				x = sum(x, times(-alpha, g), times(-alpha, d))
				tr.add(x, nil)
			}
			return tr
		},
	)
}
