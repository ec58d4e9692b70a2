package spec

import (
	"tallynet/scenarios/problems/budget"
)

// Limits bound what a study may take. Beyond them it is refused before anything is built.
type Limits struct {
	Runs  int   // grid points times seeds times algorithms
	Bytes int64 // of one instance, its problem and what a method forms, about
	Code  bool  // code that the scenario names may run
}

// DefaultLimits are those of every scenario that is loaded. A program may raise them in
// Scenario.Limits before it makes a study or an instance.
func DefaultLimits() Limits { return Limits{Runs: 1e6, Bytes: 8 << 30} }

// Budget is the limit of what one problem needs: the work of drawing its data goes with the
// memory that they take.
func (l Limits) Budget() budget.Limit {
	bytes := float64(l.Bytes)
	return budget.Limit{Bytes: bytes, Flops: budget.DefaultFlops * max(1, bytes/budget.DefaultBytes)}
}

// Bytes writes an amount of memory: "8.6 GB".
func Bytes(n int64) string { return budget.Bytes(float64(n)) }
