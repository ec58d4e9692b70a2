package methodtest

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// Twin is a second implementation of a method on a whole network at once. It shares no code with the first.
// It returns the iterates at the start and after each iteration, with all samples of every node.
type Twin func(Stacked) []Iterates

// Stacked is a quadratic problem on a whole network.
type Stacked struct {
	W      *mat.SymDense // the mixing matrix (n x n); W = 11'/n over the clients of a server
	Nodes  []Quadratic   // of those that hold data
	X0, Y0 [][]float64   // where they start
	Server bool          // they are the clients of a server
	Outer  int           // iterations of the method
}

// Iterates holds x and y of every node that holds data. Y is nil without an inner problem.
type Iterates struct{ X, Y [][]float64 }

// twinTolerance is the relative difference to the twin that rounding may make.
const twinTolerance = 1e-10

// twin compares the method with its twin on every network and problem.
func (s *suite) twin() error {
	if s.Twin == nil {
		return nil
	}
	for _, u := range s.setups() {
		u.bend = 0
		out, err := s.play(u)
		if err != nil {
			return err
		}
		want := s.Twin(s.stacked(u))
		if len(want) != len(out.at) {
			return s.errorf(u, "the twin gives %d iterates, want the start and %d", len(want), s.iterations)
		}
		for k, w := range want {
			for i, id := range u.data() {
				if err := compareTwin("x", w.X[i], out.at[k].x[id]); err != nil {
					return s.errorf(u, "iteration %d, node %d: %w", k, id, err)
				}
				if w.Y == nil {
					continue
				}
				if err := compareTwin("y", w.Y[i], out.at[k].y[id]); err != nil {
					return s.errorf(u, "iteration %d, node %d: %w", k, id, err)
				}
			}
		}
	}
	return nil
}

func compareTwin(name string, want, got []float64) error {
	if d := distance(want, got); !(d <= twinTolerance) {
		return fmt.Errorf("%s is %v, the twin has %v", name, got, want)
	}
	return nil
}

func (s *suite) stacked(u setup) Stacked {
	z := Stacked{W: u.w.Dense(), Server: u.server, Outer: s.iterations}
	ids := u.data()
	if u.server {
		z.W = mat.NewSymDense(len(ids), nil)
		for i := range ids {
			for j := range i + 1 {
				z.W.SetSym(i, j, 1/float64(len(ids)))
			}
		}
	}
	for _, id := range ids {
		x0, y0 := s.start(u, id)
		of := s.share(u, id)
		z.Nodes = append(z.Nodes, mean(of.val, of.train))
		z.X0, z.Y0 = append(z.X0, x0), append(z.Y0, y0)
	}
	return z
}
