package problems

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// The training loss is the mean of the g_i without 1/2 exp(x) ||y||², and the test loss the
// mean of log Σ_k exp(z_k) - z_t over the test samples, written out.
func TestFittedLosses(t *testing.T) {
	const x, nodes = -1.5, 3
	p, err := NewHyper(HyperConfig{Loss: "softmax", Scalar: true, Nodes: nodes, Samples: Samples{Train: 20, Val: 5},
		Synthetic: &Synthetic{Dim: 4, Noise: 0.3, Classes: 3}, LabelNoise: 0.2, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	fitted := p.(Fitted)
	test := p.(scoredHyper).data.test
	_, q := p.Dims()
	y := make([]float64, q)
	for b := range y {
		y[b] = math.Sin(float64(b))
	}
	train := -math.Exp(x) * floats.Dot(y, y) / 2
	for i := range nodes {
		train += p.Local(i).G([]float64{x}, y) / nodes
	}
	if got := fitted.TrainLoss([]float64{x}, y); math.Abs(got-train) > 1e-12 {
		t.Errorf("the training loss is %v, want %v", got, train)
	}
	want := 0.0
	for i, class := range test.t {
		sum, right := 0.0, 0.0
		for k := range 3 {
			z := floats.Dot(y[k*q/3:(k+1)*q/3], test.row(i))
			sum += math.Exp(z)
			if k == int(class) {
				right = z
			}
		}
		want += (math.Log(sum) - right) / float64(test.len())
	}
	if got := fitted.TestLoss([]float64{x}, y); math.Abs(got-want) > 1e-12 {
		t.Errorf("the test loss is %v, want %v", got, want)
	}
	clear(y)
	if got := fitted.TestLoss([]float64{x}, y); math.Abs(got-math.Log(3)) > 1e-12 {
		t.Errorf("the test loss of no model is %v, want log 3", got)
	}
}
