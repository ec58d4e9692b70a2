package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/node"
)

// tracker is a node's estimate t_i of the network's average of directions D_i, by
// gradient tracking (not adapt-then-combine):
//
//	t_i = D_i at first,  t_i <- mix(t)_i + D_i⁺ - D_i
//
// so that over the nodes the t_i always have the sum of the D_i.
type tracker struct {
	t, mixed, before []float64
}

func newTracker(n int) *tracker {
	return &tracker{zeros(n), zeros(n), zeros(n)}
}

// mix returns the tracker as an object to exchange.
func (t *tracker) mix(name string) node.Mixed { return node.MixVec(name, t.mixed, t.t) }

// start restarts the tracker at a direction.
func (t *tracker) start(d []float64) {
	copy(t.t, d)
	copy(t.before, d)
}

// follow adds the change of the direction, after an exchange.
func (t *tracker) follow(d []float64) {
	floats.AddTo(t.t, t.mixed, d)
	floats.Sub(t.t, t.before)
	copy(t.before, d)
}
