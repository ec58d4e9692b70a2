package scenarios

import (
	"math"

	"tallynet/scenarios/problems/data"
)

// Build makes the scenario real for a seed. Data sets are found and shared by
// loader. An error names the place in the file.
func (s *Scenario) Build(seed uint64, loader *data.Loader) (*Instance, error) {
	if err := s.checkNodes(); err != nil {
		return nil, err
	}
	in, err := s.outline(seed)
	if err != nil {
		return nil, err
	}
	if err := s.checkBytes(in.Methods); err != nil {
		return nil, err
	}
	if err := in.checkNetwork(); err != nil {
		return nil, err
	}
	if s.Ahead != nil {
		s.Ahead(int64(min(in.bytes(), math.MaxInt64/2)))
	}
	if err := in.pose(loader); err != nil {
		return nil, err
	}
	return in, in.checkSamples()
}
