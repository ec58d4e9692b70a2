package spec

import (
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems/budget"
)

// Limits bound the resources of a study. A study that exceeds them is rejected before anything is built.
type Limits struct {
	Runs  int   // grid points times seeds times algorithms
	Bytes int64 // approximate memory of one instance, with its problem and the matrices of its methods
	Code  bool  // whether code that the scenario names may run
}

// DefaultLimits returns the limits of a loaded scenario. A program may raise Scenario.Limits before it creates a study
// or an instance.
func DefaultLimits() Limits { return Limits{Runs: 1e6, Bytes: 8 << 30} }

// Budget returns the limit for one problem. The computation allowed for generating data grows with the memory.
func (l Limits) Budget() budget.Limit {
	bytes := float64(l.Bytes)
	return budget.Limit{Bytes: bytes, Flops: budget.DefaultFlops * max(1, bytes/budget.DefaultBytes)}
}

// Fits reports whether the limit permits an amount of memory.
func (s *Scenario) Fits(bytes float64) bool { return bytes <= float64(s.Limits.Bytes) }

// Bytes formats an amount of memory, as in "8.6 GB".
func Bytes(n int64) string { return budget.Bytes(float64(n)) }

// ProblemSize returns the dimensions of the problem with parameters args, for the given number of nodes that hold
// data. It returns false if they are known only from the data.
func (s *Scenario) ProblemSize(args keys.Args, nodes int) (size catalog.Size, known bool) {
	if of := s.Catalog.Problem(s.Problem.Kind).Size; of != nil {
		size = of(args, nodes)
	}
	return size, size.P != 0
}
