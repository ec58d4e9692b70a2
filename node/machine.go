package node

import (
	"fmt"
	"math"
	"math/rand/v2"

	"tallynet/metrics"
	"tallynet/sim"
)

// ByFlops marks a call whose duration follows from its FLOP count.
const ByFlops sim.Time = -1

// Machine says how long a node takes to compute. The zero value takes no time.
type Machine struct {
	// FlopsPerSecond is the speed of oracle calls without a fixed duration and of local
	// algebra. 0 means that these take no time.
	FlopsPerSecond float64
	// Calls holds a fixed duration per oracle call, or ByFlops.
	Calls [metrics.NumCalls]sim.Time
	// Round is charged once per exchange.
	Round sim.Time
	// Straggler slows the node down; its zero value does not.
	Straggler Straggler
}

func (m *Machine) check() error {
	if !(m.FlopsPerSecond >= 0) || m.Round < 0 {
		return fmt.Errorf("want a speed and a duration of a round of at least 0, got %g FLOP/s and %v",
			m.FlopsPerSecond, m.Round)
	}
	for c, d := range m.Calls {
		if d < 0 && d != ByFlops {
			return fmt.Errorf("duration of %v: want at least 0, got %v", metrics.Call(c), d)
		}
	}
	return m.Straggler.check()
}

// StragglerKind is a distribution of slowdowns.
type StragglerKind uint8

// The distributions of a slowdown factor, which is at least 1 except for LogNormal.
const (
	NoStraggler StragglerKind = iota
	Constant                  // Factor
	LogNormal                 // exp(Sigma N(0,1)): median 1
	Exponential               // 1 + Exp(mean Mean)
	Pareto                    // with minimum 1 and shape Shape
)

// Straggler multiplies computing times by a random factor that holds for a window of
// simulated time. It is drawn by (seed, node, window), not by call, so that all algorithms of
// a study meet the same slow minutes.
type Straggler struct {
	Kind   StragglerKind
	Factor float64 // of Constant
	Sigma  float64 // of LogNormal
	Mean   float64 // of Exponential
	Shape  float64 // of Pareto
	Window sim.Time
}

func (s *Straggler) check() error {
	var parameter float64
	switch s.Kind {
	case NoStraggler:
		return nil
	case Constant:
		if !(s.Factor > 0) || math.IsInf(s.Factor, 0) {
			return fmt.Errorf("straggler: factor: want a number above 0, got %g", s.Factor)
		}
		return nil
	case LogNormal:
		parameter = s.Sigma
	case Exponential:
		parameter = s.Mean
	case Pareto:
		parameter = s.Shape
	default:
		return fmt.Errorf("straggler: unknown kind %d", s.Kind)
	}
	if !(parameter > 0) || math.IsInf(parameter, 0) {
		return fmt.Errorf("straggler: parameter: want a number above 0, got %g", parameter)
	}
	if s.Window <= 0 {
		return fmt.Errorf("straggler: window: want one above 0, got %v", s.Window)
	}
	return nil
}

func (s *Straggler) factor(seed uint64, node int, window sim.Time) float64 {
	if s.Kind == Constant {
		return s.Factor
	}
	return s.draw(sim.Stream(seed, "straggler", node, int(window)))
}

func (s *Straggler) draw(r *rand.Rand) float64 {
	switch s.Kind {
	case LogNormal:
		return math.Exp(s.Sigma * r.NormFloat64())
	case Exponential:
		return 1 + s.Mean*r.ExpFloat64()
	case Pareto:
		return math.Pow(1-r.Float64(), -1/s.Shape)
	}
	panic("node: unknown straggler")
}

// maxWindows is the number of windows after which the last factor holds for the rest of a
// piece of work, so that a window that is far too short does not hang a run.
const maxWindows = 1e6

// stretch returns how long work of the given nominal duration takes a node whose clock reads
// t: in each window the work advances at that window's pace.
func (s *Straggler) stretch(seed uint64, node int, t, work sim.Time) sim.Time {
	if s.Kind == NoStraggler || work == 0 {
		return work
	}
	if s.Kind == Constant {
		return sim.Span(work.Seconds() * s.Factor)
	}
	left, now := work.Seconds(), t // left can be a fraction of a nanosecond
	for windows := 0; ; windows++ {
		w := now / s.Window
		f := s.factor(seed, node, w)
		room := (w+1)*s.Window - now
		if need := left * f; need <= room.Seconds() || windows == maxWindows {
			return now + sim.Span(need) - t
		}
		left -= room.Seconds() / f
		now += room
	}
}

// duration returns the nominal duration of n calls of one kind, of the given FLOPs each.
func (m *Machine) duration(c metrics.Call, n int64, flops float64) sim.Time {
	if d := m.Calls[c]; d != ByFlops {
		if n > 0 && d > sim.Horizon/sim.Time(n) {
			return sim.Horizon
		}
		return sim.Time(n) * d
	}
	return m.flops(float64(n) * flops)
}

func (m *Machine) flops(f float64) sim.Time {
	if m.FlopsPerSecond == 0 {
		return 0
	}
	return sim.Span(f / m.FlopsPerSecond)
}
