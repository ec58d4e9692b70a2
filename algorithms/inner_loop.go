package algorithms

import (
	"tallynet/metrics"
	"tallynet/node"
)

// innerKind selects how nodes step on y.
type innerKind uint8

const (
	innerTracked innerKind = iota // together, by gradient tracking; y and the tracker are sent
	innerPlain                    // together, by decentralized gradient descent; y is sent
	innerAlone                    // each on its own g_i; nothing is sent
)

// innerLoop takes some steps on the inner problem at a fixed x:
//
//	tracked: v = ∇_y g_i(x, y) at first;
//	         y⁺ = mix(y) - eta v,  v <- mix(v) + ∇_y g_i(x, y⁺) - ∇_y g_i(x, y)
//	plain:   y⁺ = mix(y) - eta ∇_y g_i(x, y)
//	alone:   y⁺ = y - eta ∇_y g_i(x, y)
//
// y is kept from one outer iteration to the next; the tracker is restarted.
type innerLoop struct {
	kind  innerKind
	steps int
	eta   float64
	decay bool // step t, from 0, is eta / (1 + t)
	batch int

	p           *node.Proc
	sample      sampler
	x, y, my, g []float64
	v           *tracker
	first, rest []node.Mixed // what is sent in the first step, and in the others
}

// start gives the loop its node, its samples and its x (p) and y (q), which it keeps. Riders are sent with
// the first message.
func (l *innerLoop) start(p *node.Proc, sample sampler, x, y []float64, riders ...node.Mixed) {
	l.p, l.sample, l.x, l.y = p, sample, x, y
	l.my, l.g = zeros(len(y)), zeros(len(y))
	l.rest = []node.Mixed{node.MixVec("y", l.my, y)}
	if l.kind == innerTracked {
		l.v = newTracker(len(y))
		l.rest = append(l.rest, l.v.mix("v"))
	}
	l.first = append(append([]node.Mixed{}, l.rest...), riders...)
}

func (l *innerLoop) gradient() { l.sample(l.batch, "inner").GradGy(l.g, l.x, l.y) }

func (l *innerLoop) run() {
	if l.kind == innerTracked {
		l.gradient()
		l.v.start(l.g)
	}
	for t := range l.steps {
		eta := l.eta
		if l.decay {
			eta /= float64(1 + t)
		}
		if l.kind == innerAlone {
			l.gradient()
			descend(l.y, l.y, eta, l.g)
			continue
		}
		if t == 0 {
			l.p.MixAll("inner", l.first...)
		} else {
			l.p.MixAll("inner", l.rest...)
		}
		if l.kind == innerPlain {
			l.gradient()
			descend(l.y, l.my, eta, l.g)
			continue
		}
		descend(l.y, l.my, eta, l.v.t)
		if t < l.steps-1 { // the last tracker is not needed
			l.gradient()
			l.v.follow(l.g)
		}
	}
}

// cost adds the cost of one run, whose riders have the given number of elements.
func (l *innerLoop) cost(c *metrics.Cost, d Dims, riders int64) {
	AddCalls(c, d, Calls{GradG: l.steps})
	objects := [...]int64{innerTracked: 2, innerPlain: 1, innerAlone: 0}[l.kind]
	if l.kind == innerAlone {
		return
	}
	AddExchanges(c, d, 1, metrics.Elements{Vector: objects*int64(d.Q) + riders})
	AddExchanges(c, d, l.steps-1, metrics.Elements{Vector: objects * int64(d.Q)})
}
