package algorithms

import (
	"gonum.org/v1/gonum/floats"

	"tallynet/algorithms/declare"
	"tallynet/metrics"
	"tallynet/node"
)

// CSOBA is SOBA for a server and clients, whose clients send compressed directions. Theta adds a moving
// average of the direction of x (CMSOBA), and Delta memories m_i of the clients and m of the server (EFSOBA).
// m is the mean of the m_i, so with memories the compressed differences vanish in the limit, which is the
// optimum for every compression. Without memories, nodes that differ leave an error, since their directions
// are not 0 at the optimum.
type CSOBA struct {
	Outer              int
	Alpha, Beta, Gamma float64
	Theta              float64 // 0: no moving average
	Delta              float64 // 0: no memory
	Clip               float64 // 0: no limit
	Batch              int
}

func (CSOBA) Declare() declare.Method {
	m := csoba("c-soba", "C-SOBA", "  y <- y - beta ^D_y,  z <- clip(z - gamma ^D_z),  x <- x - alpha ^D_x\n")
	m.Summary = "SOBA on a star whose clients send compressed directions"
	m.Departures = fromDescription + serverSends
	return m
}

// CMSOBA is CSOBA with Theta.
type CMSOBA struct{ CSOBA }

func (CMSOBA) Declare() declare.Method {
	m := csoba("cm-soba", "CM-SOBA", "  y <- y - beta ^D_y,  z <- clip(z - gamma ^D_z),  x <- x - alpha h,  "+
		"h <- (1 - theta) h + theta ^D_x,  h = 0 at first\n", csobaTheta())
	m.Summary = "C-SOBA with a moving average of the direction of x"
	m.Departures = fromDescription + oldMomentum + serverSends
	return m
}

// EFSOBA is CSOBA with Theta and Delta.
type EFSOBA struct{ CSOBA }

func (EFSOBA) Declare() declare.Method {
	m := csoba("ef-soba", "EF-SOBA", "", csobaTheta(),
		declare.Number("delta", 1, declare.AboveUpTo(0, 1), "the step of the memories: 1 where compression shrinks, "+
			"1 / (1 + ω) where it is unbiased with relative variance ω").Like("0.5"))
	m.Summary = "C-SOBA with a moving average and error feedback: its limit is exact"
	m.Updates = csobaDirections + `  c_i = C(D - m_i),  m_i <- m_i + delta c_i;  ^D = m + mean c_i,  m <- m + delta mean c_i, for each of the three
  y <- y - beta ^D_y,  z <- clip(z - gamma ^D_z),  x <- x - alpha h,  h <- (1 - theta) h + theta ^D_x
m_i, m and h are 0 at first.
` + csobaWire + "It takes any compression with memory: none, direction: up."
	m.Departures = fromDescription + oldMomentum + " The paper also leaves open whether the direction of x is averaged " +
		"before it is compressed; here it is averaged after." + serverSends
	return m
}

// csoba describes what the members of the family share. own are the fields that only this one has.
func csoba(name, label, steps string, own ...declare.Field) declare.Method {
	fields := append(declare.Fields{
		declare.Outer(),
		declare.Step("alpha", "the step of x"),
		declare.Step("beta", "the step of y; stable below 2 / L"),
		declare.Step("gamma", "the step of z; stable below 2 / L"),
	}, own...)
	return declare.Method{
		Name: name, Label: label,
		Fields: append(fields,
			declare.Positive("clip", "100", "the largest length of z, the paper's ρ; unlimited by default").Optional(),
			declare.Batch()),
		Updates: csobaDirections + "  ^D = mean C(D), for each of the three\n" + steps + csobaWire +
			"It needs unbiased messages, such as wire: {compress: qsgd, levels: 4, unbiased: true, memory: none, " +
			"direction: up}.",
		Source: "He, Hu, Huang, Lu, Wang, Yuan: Distributed Bilevel Optimization with Communication Compression. " +
			"ICML 2024; arXiv 2405.18858",
	}
}

func csobaTheta() declare.Field {
	return declare.Weight("theta", "the weight of the new direction of x in its moving average")
}

const (
	csobaDirections = `for k = 1 ... outer, all derivatives of client i at the old point, mean being over the clients:
  D_y = ∇_y g_i,  D_z = ∇²_yy g_i z + ∇_y f_i,  D_x = ∇_x f_i + ∇²_xy g_i z
`
	csobaWire = "z tends to -H⁻¹ ∇_y f. C is what wire.compress says; what the server sends down is not compressed. "

	serverSends = " The paper's server sends the new x, y and z, as many numbers as the three means that it sends here."
	oldMomentum = " The paper leaves open whether x takes the old h, as here, or the new one."
)

// Needs says that the method is for a server, which sends down what it computes as it is.
func (a CSOBA) Needs() Requirements {
	return Requirements{Bilevel: true, Server: ServerRequired, AllNeighbors: true, OwnMemory: true, UpOnly: true,
		Draws: true}
}

// Run is the method as described above.
func (a CSOBA) Run(p *node.Proc, o Oracle) {
	s := newSobaState(o) // v is z; gy, hv and jv are the directions
	y, z, x := newRemembered(s.gy), newRemembered(s.hv), newRemembered(s.jv)
	objects := []node.Sent{y.sent("D_y"), z.sent("D_z"), x.sent("D_x")}
	h := zeros(len(s.x))
	p.Report(0, s.x, s.y)
	for k := range iterations(p, a.Outer, s.x, s.y, s.v) {
		if p.Role() == node.Client {
			on := o.On(o.Draw(a.Batch, "step"))
			s.measure(on, on)
			s.direct() // D_y, D_z, D_x
		}
		for _, r := range []*remembered{y, z, x} {
			floats.SubTo(r.difference, r.d, r.own)
		}
		p.Closing()
		p.AverageSent("step", objects...) // c = C(D - m_i)
		for _, r := range []*remembered{y, z, x} {
			r.add(a.Delta, p.Share()) // the m_i of clients that are not drawn stay
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

// add sets d to the mean, and moves the memories. mean is over a share of the clients.
func (r *remembered) add(delta, share float64) {
	floats.AddTo(r.d, r.all, r.mean)
	floats.AddScaled(r.own, delta, r.sentOwn)
	floats.AddScaled(r.all, delta*share, r.mean)
}

// Cost is that of SOBA on a star.
func (a CSOBA) Cost(k int, d Dims) metrics.Cost { return SOBA{}.Cost(k, d) }
