package study

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/build"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
	"tallynet/sim"
	"tallynet/sim/slow"
)

// A run's result is the same in every bit for any number of cores.
func TestCoresDoNotMatter(t *testing.T) {
	t.Parallel()
	files := []string{"lossy.yaml", "star.yaml", "one-peer.yaml", "two-racks.yaml", "single-level.yaml",
		"quickstart.yaml", "all-decentralized.yaml", "dagm-figure4.yaml", "compression.yaml"}
	several := []int{2, 4, 8}
	if testing.Short() { // the race detector makes these ten times slower
		files, several = files[:4], several[:2]
	}
	for i, file := range files {
		t.Run(file, func(t *testing.T) {
			if i >= 4 {
				slow.Skip(t, "runs of four other scenarios are compared each time")
			}
			s, err := spec.LoadSmall(shippedPath(file), scenariotest.Catalog())
			if err != nil {
				t.Fatal(err)
			}
			points, err := s.Points()
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range points[:min(2, len(points))] {
				in, err := build.Build(p.Scenario, p.Scenario.Seeds[0], &scenariotest.Data)
				if err != nil {
					t.Fatal(err)
				}
				in.Engine.Worth = 1 // FLOP
				want := entries(t, onCores(t, in, 1))
				for _, cores := range several {
					if diff := cmp.Diff(want, entries(t, onCores(t, in, cores))); diff != "" {
						t.Errorf("%d cores: %s", cores, diff)
					}
				}
			}
		})
	}
}

// onCores runs an instance's algorithms for some iterations.
func onCores(t *testing.T, in *build.Instance, cores int) (runs []result.Run) {
	t.Helper()
	for i, a := range in.Scenario.Algorithms {
		args := a.Args
		if name := in.Scenario.Catalog.Algorithm(a.Name).Iterations; name != "" {
			args = args.With(name, min(args.Int(name), 4))
		}
		held := &sharedInstance{instance: in, first: in}
		j := job{in: held, point: spec.GridPoint{Scenario: in.Scenario}, alg: i, args: args, timed: true}
		run, err := j.run(t.Context(), sim.NewCores(cores), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if run.Timeline == nil {
			t.Errorf("%s on %d cores has no timeline", a.Label, cores)
		}
		if run.Status == result.Failed {
			t.Errorf("%s on %d cores: %s", a.Label, cores, run.Reason)
		}
		runs = append(runs, run)
	}
	return runs
}
