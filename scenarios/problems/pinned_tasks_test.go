package problems

import (
	"testing"

	"tallynet/scenarios/problems/data"
)

// See TestSeedsArePinned.
func TestTaskSeedsArePinned(t *testing.T) {
	deal := func(s TaskConfig, kind target) *dealt {
		s.Nodes, s.Samples, s.Seed = 2, Samples{Train: 8, Val: 2}, 1
		d, err := s.deal(kind)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	own := data.Partition{Kind: "own-class", Own: 0.5}
	spoilt := deal(TaskConfig{Synthetic: &Synthetic{Dim: 2, Noise: 0.1}, LabelNoise: 0.4}, targetClass)
	near(t, "wrong labels", spoilt.train.t, []float64{2, 0, 2, 2, 0, 2, 1, 2, 2, 1, 2, 2, 2, 0, 0, 2}, 0)
	mushrooms := deal(TaskConfig{Mushroom: &Mushroom{Data: testMushrooms(t), Partition: own}}, targetSign)
	near(t, "mushroom labels", mushrooms.nodeTrain(1).t, []float64{1, 1, 1, 1, -1, 1, 1, -1}, 0)
	tail := deal(TaskConfig{MNIST: &Digits{Images: testImages(t), Pool: 14, Imbalance: 0.6, Partition: own}},
		targetClass)
	near(t, "long-tail labels", tail.nodeTrain(1).t, []float64{1, 1, 2, 1, 1, 0, 2, 2}, 0)
	for model, want := range map[string][]float64{ // the beginning of x0, and targets of node 1
		"hyper-representation":        {-1.0941619494, -0.182023817217, 0.10476137333, 2, 2},
		"hyper-representation-linear": {-1.0941619494, -0.182023817217, 0.10476137333, -0.0070900318471, 0.558465760162},
	} {
		p, err := NewTask(TaskConfig{Kind: model, Hidden: 2, Nodes: 2, Samples: Samples{2, 2},
			Synthetic: &Synthetic{Dim: 2}, Ridge: 1, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		x, _ := p.Start(0)
		near(t, model+" start", x[:3], want[:3], 1e-11)
		near(t, model+" targets", taskOf(p).data.nodeTrain(1).t, want[3:], 1e-11)
	}
}
