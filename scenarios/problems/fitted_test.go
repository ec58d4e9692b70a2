package problems

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// The training loss is the mean of the g_i without 1/2 exp(x) ||y||². The test loss is the
// mean of log Σ_k exp(z_k) - z_t over the test samples, written out.
func TestFittedLosses(t *testing.T) {
	const x, nodes = -1.5, 3
	p, err := NewTask(TaskConfig{Kind: "hyper-softmax", Scalar: true, Nodes: nodes, Samples: Samples{Train: 20, Val: 5},
		Synthetic: &Synthetic{Dim: 4, Noise: 0.3, Classes: 3}, LabelNoise: 0.2, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	fitted := p.(Fitted)
	test := taskOf(p).data.tested()
	_, q := p.Dims()
	y := make([]float64, q)
	for b := range y {
		y[b] = math.Sin(float64(b))
	}
	train := -math.Exp(x) * floats.Dot(y, y) / 2
	for i := range nodes {
		train += p.Local(i).G([]float64{x}, y) / nodes
	}
	if got := fitted.TrainLoss([]float64{x}, y); !(math.Abs(got-train) <= 1e-12) {
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
	if got := fitted.TestLoss([]float64{x}, y); !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("the test loss is %v, want %v", got, want)
	}
	clear(y)
	if got := fitted.TestLoss([]float64{x}, y); !(math.Abs(got-math.Log(3)) <= 1e-12) {
		t.Errorf("the test loss of no model is %v, want log 3", got)
	}
}

// The losses of hyper-cleaning are plain means of the cross entropy for any weights.
// Those of texts exclude the regularizer.
func TestFittedLossesOfCleaningAndTexts(t *testing.T) {
	cleaned, err := NewTask(TaskConfig{Kind: "hyper-cleaning", Nodes: 3, Samples: Samples{Train: 8, Val: 5},
		Ridge: 0.1, LabelNoise: 0.3,
		Synthetic: &Synthetic{Dim: 4, Noise: 0.3, Classes: 3}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	texts, err := NewText(TextConfig{Nodes: 3, Samples: Samples{Train: 8, Val: 5}, Seed: 1,
		Words: &Words{Features: 200, Classes: 3, Length: 20, Topic: 0.3, Test: 10}})
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]Problem{"hyper-cleaning": cleaned, "hyper-text": texts} {
		d1, q := p.Dims()
		x, y := make([]float64, d1), make([]float64, q)
		fitted := p.(Fitted)
		for _, loss := range []float64{fitted.TrainLoss(x, y), fitted.TestLoss(x, y)} {
			if !(math.Abs(loss-math.Log(3)) <= 1e-12) {
				t.Errorf("%s: the loss of no model is %v, want log 3", name, loss)
			}
		}
		for b := range y {
			y[b] = math.Sin(float64(b))
		}
		// At x = 0 all weights are 1/2 and all strengths 2/q.
		weight, ridge := 0.5, 0.1
		if name == "hyper-text" {
			weight, ridge = 1, 1/float64(q)
		}
		want := 0.0
		for i := range p.Nodes() {
			want += (p.Local(i).G(x, y) - ridge*floats.Dot(y, y)) / weight / float64(p.Nodes())
		}
		if got := fitted.TrainLoss(x, y); !(math.Abs(got-want) <= 1e-12*want) {
			t.Errorf("%s: the training loss is %v, want %v", name, got, want)
		}
	}
}
