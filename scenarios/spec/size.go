package spec

import (
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
)

// ProblemSize returns what the problem amounts to with some parameters, for a number of nodes that hold data; false
// where the problem cannot say it without its data.
func (s *Scenario) ProblemSize(args keys.Args, nodes int) (size catalog.Size, known bool) {
	of := s.Catalog.Problem(s.Problem.Kind).Size
	if of == nil {
		return size, false
	}
	size = of(args, nodes)
	return size, size.P != 0
}

func (s *Scenario) Fits(bytes float64) bool { return bytes <= float64(s.Limits.Bytes) }
