package methodtest

import (
	"errors"
	"fmt"
	"testing"

	"tallynet/algorithms"
)

// Case is a method to be tested.
type Case struct {
	Name string
	// New returns the method with 2 to 50 iterations, as few as show everything that it does. Its
	// iterates should be finite for curvatures between 1 and 8.
	New func() algorithms.Method
	// Twin, if given, is a second implementation of the method for comparison.
	Twin Twin
	// Deviations are the rules that the method may break.
	Deviations Deviations
}

// Deviations give the reasons why some rules do not hold for a method. An empty reason means that the rule holds.
type Deviations struct {
	// NeighborOrder: the method uses a neighbour's position in the list of neighbours, so
	// only numberings that keep the order of each list are tried.
	NeighborOrder string
	// Numbers: the numbers of nodes decide, so nodes are not renumbered.
	Numbers string
	// SharedStream: nodes draw samples from one stream that they share.
	SharedStream string
	// Timed: results depend on when messages arrive, as with Proc.ExchangeWithin. Every
	// Asynchronous method is timed.
	Timed string
}

// Run runs every check as a subtest.
func Run(t *testing.T, c Case) {
	t.Helper()
	s := newSuite(c)
	for _, k := range checks() {
		t.Run(k.name, func(t *testing.T) {
			if err := k.run(s); err != nil {
				s.faulty = true
				t.Error(err)
			}
		})
	}
}

// Check returns what Run would report, or nil.
func Check(c Case) error {
	var all []error
	s := newSuite(c)
	for _, k := range checks() {
		if err := k.run(s); err != nil {
			s.faulty = true
			all = append(all, fmt.Errorf("%s: %w", k.name, err))
		}
	}
	return errors.Join(all...)
}

// CheckCost returns what Run would report of the cost, or nil.
func CheckCost(c Case) error { return newSuite(c).cost() }

// check is a rule; run returns the first breach of it.
type check struct {
	name string
	run  func(s *suite) error
}

func checks() []check {
	return []check{
		{"cost", (*suite).cost},
		{"one node", (*suite).oneNode},
		{"renumbering", (*suite).renumbering},
		{"time", (*suite).time},
		{"streams", (*suite).streams},
		{"twin", (*suite).twin},
		{"determinism", (*suite).determinism}, // the last, see its end
	}
}

// suite is a case with the properties of its method.
type suite struct {
	Case
	iterations   int
	needs        algorithms.Requirements
	asynchronous bool
	shares       map[[3]int]*share // by node, p and q
	faulty       bool              // a check has failed
}

func newSuite(c Case) *suite {
	m := c.New()
	_, asynchronous := m.(algorithms.Asynchronous)
	return &suite{Case: c, iterations: algorithms.Iterations(m), needs: m.Needs(), asynchronous: asynchronous,
		shares: map[[3]int]*share{}}
}

// timed reports whether results may depend on when messages arrive.
func (s *suite) timed() bool { return s.asynchronous || s.Deviations.Timed != "" }

// errorf returns an error that names the method and where it ran.
func (s *suite) errorf(at setup, format string, args ...any) error {
	return fmt.Errorf("%s on %v: %w", s.Name, at, fmt.Errorf(format, args...))
}
