package problems

import "testing"

// The data of a seed must not change between versions: a scenario would no longer
// reproduce stored results. If this fails, the change belongs in the changelog.
func TestSeedsArePinned(t *testing.T) {
	c, err := NewConsensus(ConsensusConfig{Nodes: 3, Dim: 2, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "consensus b_2", c.b[2], []float64{-0.162249238423, -1.28418262947}, 1e-11)
	qp, err := GenerateQuadratic(QuadraticConfig{Nodes: 2, P: 2, Q: 2, Heterogeneity: 0.5, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "quadratic H_1", qp.data[1].h.Data,
		[]float64{2.84167674683, -1.46222883998, -1.46222883998, 8.15832325317}, 1e-10)
	near(t, "quadratic c_1", qp.data[1].cv, []float64{1.10254584012, 0.120330433509}, 1e-11)
	p, err := NewTask(TaskConfig{Kind: "hyper-logistic", Nodes: 2, Samples: Samples{2, 1}, Seed: 1,
		Synthetic: &Synthetic{Dim: 2, Noise: 0.1, Heterogeneity: 1}})
	if err != nil {
		t.Fatal(err)
	}
	d := taskOf(p).data
	near(t, "synthetic features", d.nodeTrain(1).x.Data,
		[]float64{0.731716589309, 0.683640681653, 0.465073599372, 1.17941143183}, 1e-11)
	near(t, "synthetic labels", d.train.t, []float64{1, -1, -1, -1}, 0)
	m := mnistHyper(t, nil).data
	near(t, "MNIST labels", m.nodeVal(3).t[:8], []float64{-1, 1, 1, -1, 1, -1, 1, 1}, 0)
}
