package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/metrics"
	"tallynet/node"
)

// CSOBA is the family of He et al. for a server and clients: SOBA whose clients send compressed directions.
// With D of client i all at the old (x, y, z), and m = h = 0 at first, for k = 1 ... Outer:
//
//	D_y = ∇_y g_i,  D_z = H_i z + ∇_y f_i,  D_x = ∇_x f_i + J_i z
//	up go c = C(D - m_i), for each of the three;  m_i <- m_i + Delta c           (EF; without it m_i = 0)
//	^D = m + mean c;  m <- m + Delta mean c
//	y <- y - Beta ^D_y,  z <- clip(z - Gamma ^D_z),  x <- x - Alpha ^D_x
//
// and with a moving average (CM and EF) the last step is x <- x - Alpha h,  h <- (1 - Theta) h + Theta ^D_x.
// clip scales z to the length Clip if it is longer. m is the mean of the m_i, so that with EF c vanishes in
// the limit, which is the optimum with every compression. Without, nodes that differ leave an error there, as
// the D_i of the optimum are not 0. z tends to -H⁻¹ ∇_y f.
//
// Source: He, Hu, Huang, Lu, Wang, Yuan, "Distributed bilevel optimization with communication compression",
// ICML 2024, arXiv 2405.18858: C-SOBA, CM-SOBA and EF-SOBA.
//
// Departure: written from the published description, not from the paper's boxes. They leave open whether x
// takes the old h, as here, or the new one, and whether EF-SOBA averages before it compresses; here it averages
// after. The
// paper's server sends the new x, y and z, as many numbers as the three means that it sends here.
type CSOBA struct {
	Outer int     // outer iterations K
	Alpha float64 // step of x
	Beta  float64 // step of y
	Gamma float64 // step of z
	Theta float64 // weight of the new direction of x, in (0, 1]; 0: no moving average
	Delta float64 // step of the memories m, in (0, 1]; 0: no memory
	Clip  float64 // the most length of z; 0: any
	Batch int     // samples of each draw; 0: all
}

// Iterations returns Outer.
func (a CSOBA) Iterations() int { return a.Outer }

// Needs says that the method is for a server, which sends down what it computes as it is.
func (a CSOBA) Needs() Requirements {
	return Requirements{Bilevel: true, Server: ServerRequired, AllNeighbors: true, OwnMemory: true, UpOnly: true,
		FixedW: true}
}

// Run is the method as described above.
func (a CSOBA) Run(p *node.Proc, o Oracle) {
	s := newSobaState(o) // v is z; gy, hv and jv are the directions
	y, z, x := newRemembered(s.gy), newRemembered(s.hv), newRemembered(s.jv)
	objects := []node.Sent{y.sent("D_y"), z.sent("D_z"), x.sent("D_x")}
	h := zeros(len(s.x))
	p.Report(0, s.x, s.y)
	for k := 1; k <= a.Outer; k++ {
		if p.Role() == node.Client {
			on := o.On(o.Draw(a.Batch, "step"))
			s.measure(on, on)
			s.direct() // D_y, D_z, D_x
		}
		for _, r := range []*remembered{y, z, x} {
			r.differ()
		}
		p.AverageSent("step", objects...) // c = C(D - m_i)
		for _, r := range []*remembered{y, z, x} {
			r.add(a.Delta)
		}
		descend(s.y, s.y, a.Beta, s.gy)  // y <- y - Beta ^D_y
		descend(s.v, s.v, a.Gamma, s.hv) // z <- clip(z - Gamma ^D_z)
		clip(s.v, a.Clip)
		if a.Theta == 0 {
			descend(s.x, s.x, a.Alpha, s.jv) // x <- x - Alpha ^D_x
		} else {
			descend(s.x, s.x, a.Alpha, h) // x <- x - Alpha h
			moveTo(h, a.Theta, s.jv)      // h <- (1 - Theta) h + Theta ^D_x
		}
		p.Report(k, s.x, s.y)
	}
}

// clip scales v to a length if it is longer; 0 is any.
func clip(v []float64, length float64) {
	if norm := floats.Norm(v, 2); length > 0 && norm > length {
		floats.Scale(length/norm, v)
	}
}

// remembered is a direction that clients send by its difference to a memory.
type remembered struct {
	d          []float64 // the client's; then the mean, as all know it
	own, all   []float64 // the memories: of the client, and the mean of all
	difference []float64
	sentOwn    []float64 // C(d - own)
	mean       []float64 // the mean of what was sent
}

func newRemembered(d []float64) *remembered {
	n := len(d)
	return &remembered{d, zeros(n), zeros(n), zeros(n), zeros(n), zeros(n)}
}

func (r *remembered) sent(name string) node.Sent {
	return node.SentVec(name, r.sentOwn, r.mean, r.difference)
}

func (r *remembered) differ() { floats.SubTo(r.difference, r.d, r.own) }

// add sets d to the mean, and moves the memories.
func (r *remembered) add(delta float64) {
	floats.AddTo(r.d, r.all, r.mean)
	floats.AddScaled(r.own, delta, r.sentOwn)
	floats.AddScaled(r.all, delta, r.mean)
}

// Cost is one round with p + 2q vector elements up and down; a client calls a gradient of g, 2 of f, 1 HVP and
// 1 JVP.
func (a CSOBA) Cost(k int, d Dims) metrics.Cost {
	c := sobaCost(k, d)
	if k > 0 {
		AddExchanges(&c, d, 1, metrics.Elements{Vector: int64(d.P + 2*d.Q)})
	}
	return c
}
