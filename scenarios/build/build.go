package build

import (
	"math"

	"tallynet/scenarios/problems/data"
	"tallynet/scenarios/spec"
)

// Build makes the scenario real for a seed. Data sets are found and shared by
// loader. An error names the place in the file.
func Build(s *spec.Scenario, seed uint64, loader *data.Loader) (*Instance, error) {
	if err := checkNodeBytes(s); err != nil {
		return nil, err
	}
	in, err := Outline(s, seed)
	if err != nil {
		return nil, err
	}
	if err := checkBytes(s, in.Methods); err != nil {
		return nil, err
	}
	if err := in.checkNetworkBytes(); err != nil {
		return nil, err
	}
	if s.OnAllocate != nil {
		s.OnAllocate(int64(min(in.Bytes(), math.MaxInt64/2)))
	}
	if err := in.Pose(loader); err != nil {
		return nil, err
	}
	return in, in.checkSamples()
}
