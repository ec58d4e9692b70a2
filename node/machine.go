package node

import (
	"fmt"
	"math"

	"tallynet/metrics"
	"tallynet/sim"
)

// ByFlops is the duration of a call that takes as long as its FLOPs.
const ByFlops sim.Time = -1

// Machine describes how fast a node computes. The zero value takes no time.
type Machine struct {
	// FlopsPerSecond is the speed of local algebra and of oracle calls without a fixed
	// duration; 0: they take no time.
	FlopsPerSecond int64
	// Calls holds the duration of each kind of oracle call, or ByFlops.
	Calls [metrics.NumCalls]sim.Time
	// Round is the duration charged for each exchange.
	Round sim.Time
	// Straggler slows the node down. The zero value does not.
	Straggler Straggler
}

func (m *Machine) check() error {
	if m.FlopsPerSecond < 0 || m.Round < 0 {
		return fmt.Errorf("want a speed and a duration of a round of at least 0, got %d FLOP/s and %v",
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

// The distributions of a slowdown factor. Except for LogNormal, factors are at least 1.
const (
	NoStraggler StragglerKind = iota
	Constant                  // Factor
	LogNormal                 // exp(Sigma N(0,1)): median 1
	Exponential               // 1 + Exp(mean Mean)
	Pareto                    // with minimum 1 and shape Shape
)

// Straggler multiplies computing times by a random factor that holds for a window of simulated time. The factor
// is keyed by (seed, node, window), not by call, so that all algorithms of a study meet the same slow periods.
type Straggler struct {
	Kind   StragglerKind
	Factor float64 // of Constant
	Sigma  float64 // of LogNormal
	Mean   float64 // of Exponential
	Shape  float64 // of Pareto
	Window sim.Time
}

func (s *Straggler) check() error {
	parameters := [...]float64{Constant: s.Factor, LogNormal: s.Sigma, Exponential: s.Mean, Pareto: s.Shape}
	name := "parameter"
	if s.Kind == Constant {
		name = "factor"
	}
	switch {
	case s.Kind == NoStraggler:
	case int(s.Kind) >= len(parameters):
		return fmt.Errorf("straggler: unknown kind %d", s.Kind)
	case !(parameters[s.Kind] > 0) || math.IsInf(parameters[s.Kind], 0):
		return fmt.Errorf("straggler: %s: want a number above 0, got %g", name, parameters[s.Kind])
	case s.Kind != Constant && s.Window <= 0:
		return fmt.Errorf("straggler: window: want one above 0, got %v", s.Window)
	}
	return nil
}

// factor draws the factor of a window. It is not for Constant. Conversions keep products from being fused with sums.
func (s *Straggler) factor(seed uint64, node int, window sim.Time) float64 {
	r := sim.Stream(seed, "straggler", node, int(window))
	switch s.Kind {
	case LogNormal:
		return math.Exp(float64(s.Sigma * r.NormFloat64()))
	case Exponential:
		return 1 + float64(s.Mean*r.ExpFloat64())
	case Pareto:
		return math.Pow(1-r.Float64(), -1/s.Shape)
	}
	panic("node: unknown straggler")
}

// maxWindows is the number of windows after which the last factor holds for the rest of a piece of work, so
// that too short a window does not hang a run.
const maxWindows = 1e6

// stretch returns how many nanoseconds work of the given nominal duration takes a node whose clock reads t. In
// each window the work advances at that window's speed.
func (s *Straggler) stretch(seed uint64, node int, t, work sim.Time) float64 {
	if s.Kind == Constant {
		return float64(float64(work) * s.Factor)
	}
	left, now := float64(work), t
	for windows := 0; ; windows++ {
		w := now / s.Window
		f := s.factor(seed, node, w)
		room := (w+1)*s.Window - now
		if need := float64(left * f); need <= float64(room) || windows == maxWindows {
			return float64(now-t) + need
		}
		left -= float64(room) / f
		now += room
	}
}

// remainders carry the fractions of a nanosecond of a node's computing times from one call to the next. A
// duration is the difference of two ends, each rounded half up, so that many short calls take as long as one
// long call.
type remainders struct {
	flops     uint64  // in units of 1/FlopsPerSecond nanoseconds, plus half a nanosecond
	stretched float64 // in nanoseconds, at least -0.5 and below 0.5
}

// duration returns the nominal duration of work on a machine of the given speed. FLOPs are rounded to a whole
// number.
func (r *remainders) duration(flops float64, perSecond int64) sim.Time {
	switch {
	case perSecond == 0:
		return 0
	case flops >= 1<<63:
		return sim.Horizon
	}
	t, rest := sim.Divide(uint64(math.Floor(flops+0.5)), uint64(sim.Second), r.flops, uint64(perSecond))
	r.flops = rest
	return t
}

// round rounds a stretched duration to whole nanoseconds.
func (r *remainders) round(nanoseconds float64) sim.Time {
	nanoseconds += r.stretched
	if nanoseconds >= float64(sim.Horizon) {
		r.stretched = 0
		return sim.Horizon
	}
	whole := math.Floor(nanoseconds)
	if nanoseconds-whole >= 0.5 {
		whole++
	}
	r.stretched = nanoseconds - whole
	return sim.Time(whole)
}
